// Helps tests to prove the claims in the opening comments of kernels.
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "analysis/memory.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/data.hpp"
#include "machine/machine.hpp"
#include "study/recording.hpp"

namespace upsweep::claimed {

// A phrase from the field `Idea` or `Watch` of a kernel, and a function that fails the test if the phrase is
// false.
struct Claim {
  const char* kernel;
  const char* phrase;
  std::function<void()> holds;
};

struct Case {
  std::string kernel;
  int n = 1024, block = 0, grid = 4;  // block 0 means a default size (see run())
  std::map<std::string, std::string> choices{};
  Scalar type = Scalar::float32;
  Operator op = Operator::sum;
  std::uint64_t schedule = 0;
  bool lockstep = false;
};

inline Recording run(const Case& c) {
  const Algorithm& a = algorithm(c.kernel);
  Settings s{.algorithm = c.kernel, .n = c.n, .type = c.type, .op = c.op};
  for (const auto& [choice, option] : c.choices) s.choose(choice, option);
  s.grid = c.grid;
  s.block = c.block > 0 ? c.block : a.many_blocks ? 64 : smallest_block(a, s);
  validate(s);
  RecordOptions all;
  all.blocks = UINT32_MAX;
  all.schedule = c.schedule;
  all.lockstep = c.lockstep;
  return make_recording(
      open_machine(machine_for(a, MachineChoice::emulated))->record(s, seeded_data(s, 3), all));
}

// Calls number(facts) for each step of a phase, and returns the results. `launch` selects a launch; if
// `launch` is -1, all launches are used.
template <class F>
std::vector<int> of_steps(const Recording& r, Phase phase, F number, int launch = -1) {
  std::vector<int> numbers;
  for (std::size_t i = 0; i < r.trace.steps.size(); ++i)
    if (r.trace.steps[i].phase == phase && (launch < 0 || grid_index(r.trace, static_cast<int>(i)) == launch))
      numbers.push_back(static_cast<int>(number(r.facts.steps[i])));
  return numbers;
}
inline int degree(const StepFacts& f) { return f.max_degree; }
inline int diverged(const StepFacts& f) { return f.diverged_warps; }
inline int active(const StepFacts& f) { return f.active_lanes; }
inline std::int64_t operations(const StepFacts& f) { return f.totals.operations; }

inline std::int64_t wavefronts(const Recording& r) {
  return r.facts.totals.shared_load.wavefronts + r.facts.totals.shared_store.wavefronts;
}
inline std::int64_t excess(const Recording& r) {
  return r.facts.totals.shared_load.excess + r.facts.totals.shared_store.excess;
}

// Returns the number of elements that all lanes together load from a buffer. If `load` is false, returns the
// number of elements that they store to the buffer.
inline std::int64_t accesses(const Recording& r, const std::string& buffer, bool load) {
  std::int64_t count = 0;
  for (const Event& e : r.trace.events)
    if (is_global(e.kind) && is_load(e.kind) == load && r.trace.buffers[e.buffer].name == buffer)
      count += std::int64_t{std::popcount(e.mask)} * e.parts;
  return count;
}

// Returns how many times each warp arrives at a block barrier.
inline std::int64_t barriers_per_warp(const Recording& r) {
  std::int64_t warps = 0;
  for (const Grid& g : r.trace.grids) warps += std::int64_t{g.blocks} * g.warps();
  EXPECT_EQ(r.facts.totals.barriers % warps, 0);
  return r.facts.totals.barriers / warps;
}

// Returns the number of wrong elements in the output.
inline std::size_t wrong(const Recording& r) {
  return wrong_elements(r.trace.settings, r.trace.input, r.trace.output).size();
}

using Numbers = std::vector<int>;

}  // namespace upsweep::claimed
