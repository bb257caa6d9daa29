// Totals of a recording: per run, per step, per source line. What the tables, the profile and the JSON say.
#pragma once
#include <cstdint>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

struct SharedTotals {
  std::int64_t requests = 0, wavefronts = 0, excess = 0;
};
struct GlobalTotals {
  std::int64_t requests = 0, sectors = 0, ideal_sectors = 0;
};

struct Totals {
  SharedTotals shared_load, shared_store;
  GlobalTotals global_load, global_store;
  std::int64_t operations = 0;  // applications of the operator, counted per lane: the algorithm's work
};

struct StepFacts {
  Totals totals;
  int active_lanes = 0;    // different threads that do the step's work (an access or an operation)
  int working_warps = 0;   // warps with such a thread
  int diverged_warps = 0;  // working warps with a request or operation by only some of their live lanes
  int lost_lanes = 0;      // live lanes of working warps that did no work
  int max_degree = 0;      // over the step's shared requests; 0 where there are none
};

struct LineFacts {
  int line = 0;
  Totals totals;                  // of the requests and operations on this line
  std::int64_t active_lanes = 0;  // summed over its shared requests
  int max_degree = 0;
};

struct Facts {
  Totals totals;
  std::vector<StepFacts> steps;  // one per Trace::steps
  std::vector<LineFacts> lines;  // ascending; lines with any access or operation
};

Facts facts(const Trace& trace);
// The line facts of one step alone.
std::vector<LineFacts> line_facts(const Trace& trace, int step);

}  // namespace upsweep
