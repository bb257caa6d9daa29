// Helps to check the claims in the Watch line of an algorithm, in the recording that the window opens first.
#pragma once
#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "analysis/time_line.hpp"
#include "support/claims.hpp"

namespace upsweep::watched {

using claimed::degree, claimed::diverged, claimed::active, claimed::operations;
using claimed::Numbers, claimed::of_steps, claimed::excess, claimed::accesses, claimed::barriers_per_warp;

struct Watched {
  const char* kernel;
  std::function<void(const Recording&)> check;
};

template <class F>
void for_each_step(const Recording& r, Phase phase, F check) {
  for (std::size_t i = 0; i < r.trace.steps.size(); ++i)
    if (r.trace.steps[i].phase == phase) check(r.facts.steps[i]);
}

template <class F>
std::int64_t most(const Recording& r, F number) {
  std::int64_t most = 0;
  for (const StepFacts& f : r.facts.steps) most = std::max<std::int64_t>(most, number(f));
  return most;
}

inline double least_utilisation(const Recording& r) {
  double least = 1;
  for (const StepFacts& f : r.facts.steps) least = std::min(least, f.lane_utilisation().value_or(1));
  return least;
}

// Returns how many elements thread 0 of block 0 loads from the input in the first launch.
inline int loads_of_a_thread(const Recording& r) {
  int count = 0;
  for (const Event& e : r.trace.events)
    if (e.grid == 0 && e.block == 0 && e.warp == 0 && e.kind == Kind::global_load && e.buffer == 0)
      count += (e.mask & 1u) != 0 ? e.parts : 0;
  return count;
}

// Expects that one warp diverges at each of the last five strides of a reduction, and that no warp diverges
// at other strides.
inline void expect_last_five_diverge(const Recording& r) {
  const Numbers warps = of_steps(r, Phase::reduce, diverged);
  for (std::size_t i = 0; i < warps.size(); ++i) EXPECT_EQ(warps[i], i + 5 >= warps.size() ? 1 : 0) << i;
}

// Returns the average number of times that an element of a buffer is loaded (or stored).
inline double accesses_per_element(const Recording& r, const std::string& buffer, bool load) {
  return static_cast<double>(accesses(r, buffer, load)) / r.trace.settings.n;
}

inline std::int64_t launches(const Recording& r) { return std::ssize(r.trace.grids); }

// Finds the block that looks back over the most tiles. Returns the number of blocks in its launch, and the
// number of these tiles.
inline std::pair<int, std::int64_t> look_back(const Recording& r) {
  std::pair<int, std::int64_t> found{};
  for (const TimeLine::Row& row : r.time_line().rows)
    if (row.looked_back > found.second)
      found = {r.trace.grids[static_cast<std::size_t>(row.grid)].blocks, row.looked_back};
  return found;
}

}  // namespace upsweep::watched
