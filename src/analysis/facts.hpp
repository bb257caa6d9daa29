// Computes the totals of a recording: per run, per step, per source line. Tables, the profile and JSON show
// these totals.
//
// If the recorder counted all blocks (Trace::counts), requests, lanes, wavefronts and sectors are totals of
// all blocks; otherwise, these numbers are totals of the recorded events. Numbers that depend on single
// lanes, such as the number of diverged warps, cover only the blocks that were recorded in full (the blocks
// in focus).
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

inline constexpr int lanes_of_warp = 32;

struct SharedTotals {
  std::int64_t requests = 0, wavefronts = 0, excess = 0;
};
struct GlobalTotals {
  std::int64_t requests = 0, sectors = 0, ideal_sectors = 0;
};
// The number of requests, and the number of lanes that took part in these requests.
struct LaneTotals {
  std::int64_t requests = 0, lanes = 0;
};

struct Totals {
  SharedTotals shared_load, shared_store;
  GlobalTotals global_load, global_store;
  LaneTotals shared_atomic, global_atomic, shuffle, vote, launch;
  // `issued_requests` is the sum of all totals above. `issued_operations` counts the instructions that apply
  // the operator. A warp issues each request and each instruction for all its 32 lanes.
  LaneTotals issued_requests, issued_operations;
  std::int64_t operations = 0;  // applications of the operator, counted per lane: the algorithm's work
  std::int64_t barriers = 0, warp_barriers = 0, fences = 0;  // counted per warp

  // issued_lanes() counts 32 lanes for each request and each instruction that a warp issues. used_lanes()
  // returns how many of these lanes were active.
  std::int64_t issued_lanes() const {
    return lanes_of_warp * (issued_requests.requests + issued_operations.requests);
  }
  std::int64_t used_lanes() const { return issued_requests.lanes + issued_operations.lanes; }

  bool any_shared() const {
    return shared_load.requests + shared_store.requests + shared_atomic.requests > 0;
  }
  bool any_global() const {
    return global_load.requests + global_store.requests + global_atomic.requests > 0;
  }
};

struct StepFacts {
  Totals totals;
  // The numbers below cover only the blocks in focus. `max_contention` also covers the atomics on global
  // memory of all other blocks.
  int active_lanes = 0;   // the number of threads that do work in the step
  int working_warps = 0;  // the number of warps with at least one of these threads
  // The number of working warps that did a part of their work with only some of their live lanes.
  int diverged_warps = 0;
  int lost_lanes = 0;  // the number of masked-off lanes of working warps
  int max_degree = 0;  // the n of the worst n-way bank conflict; 0 without shared loads and stores
  // The largest number of lanes that had the same address in one atomic request; 0 if there are no atomics.
  int max_contention = 0;

  // Returns the lane utilisation, active lanes / (32 * warps that issue), from 0 to 1. Returns nullopt if no
  // warp of the blocks in focus does work in the step.
  std::optional<double> lane_utilisation() const {
    if (working_warps == 0) return {};
    return static_cast<double>(active_lanes) / (lanes_of_warp * working_warps);
  }
};

struct LineFacts {
  int line = 0;
  Totals totals;  // the totals of this line's events
  // The active lanes of the line's shared loads, stores and atomics, added up.
  std::int64_t active_lanes = 0;
  int max_degree = 0;
};

struct Facts {
  Totals totals;
  // The lane utilisation of the run: the mean over its steps, weighted by the number of working warps in each
  // step. nullopt if no warp of the blocks in focus does work.
  std::optional<double> lane_utilisation;
  // The totals of the steps of each grid. If kernels launch kernels, the steps of the grids alternate, and
  // there is only one entry: the totals of the run.
  std::vector<Totals> launches;
  std::vector<StepFacts> steps;                    // one entry per step
  std::vector<std::vector<LineFacts>> step_lines;  // one entry per step: the result of line_facts()
  // The facts of each line that has an access, operation, shuffle, vote or launch, sorted by line.
  std::vector<LineFacts> lines;
};

Facts facts(const Trace& trace);
// Returns the line facts of one step. If the recorder counted all blocks, LineFacts::max_degree stays 0.
std::vector<LineFacts> line_facts(const Trace& trace, int step);

// Returns the greatest number of lanes of an atomic request that have the same address. The hardware serves
// these lanes one after the other.
int contention(const Trace& trace, const Event& event);

}  // namespace upsweep
