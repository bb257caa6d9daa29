#include "study/teaching.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#include "analysis/memory.hpp"
#include "analysis/time_line.hpp"
#include "catalogue/ladder.hpp"
#include "catalogue/plan.hpp"

namespace upsweep {
namespace {

int most_blocks(const Algorithm& a, const Settings& s) {
  int blocks = 0;
  for (const PlannedLaunch& launch : plan(a, s).launches) blocks = std::max(blocks, launch.blocks);
  return blocks;
}

// Doubles s.n until the algorithm has enough blocks, and returns this n. If no n up to a limit has enough
// blocks, returns the smallest n with the most blocks. If one block processes all tiles, n is at least the
// number of elements in two tiles.
int n_with_blocks(const Algorithm& a, const Settings& s) {
  constexpr int few_blocks = 3, blocks_for_looking_back = 16;
  const bool looks_back = a.waits_for_blocks() && !a.uses_grid;
  const int enough = looks_back ? blocks_for_looking_back : few_blocks,
            most = looks_back ? largest_opening_n : 4096;
  Settings larger = s;
  int n = s.n, blocks = most_blocks(a, s);
  for (; blocks < enough && larger.n <= std::min(most, a.largest.value_or(most)); larger.n *= 2)
    if (const int more = most_blocks(a, larger); more > blocks) n = larger.n, blocks = more;
  const int two_tiles = 4 * s.block;
  return blocks == 1 && a.power_of_two_threads ? std::max(n, two_tiles) : n;
}

// Returns whether a picture of this scan can show 64 values legibly. Such a scan runs in one block, and has
// two elements per thread and fewer than 2 n operations.
bool is_sparse_scan(const Algorithm& a, Settings s) {
  s.n = 64;
  if (!fits_one_block(a) || a.family != "scan" || a.elements_per_thread->text() != "2") return false;
  s.block = smallest_block(a, s);
  const std::optional<Promise> promised = promise(a, s);
  return promised && promised->operations < 2 * s.n;
}

}  // namespace

int possible_block(const Algorithm& a, int block) {
  int b = std::clamp(block, a.least_threads, a.most_threads);
  if (a.power_of_two_threads) b = static_cast<int>(std::bit_ceil(static_cast<unsigned>(b)));
  return std::min(b, a.most_threads);
}

bool fits_one_block(const Algorithm& a) { return !a.many_blocks && a.elements_per_thread.has_value(); }

void teach(const Algorithm& a, Settings& s, bool choose_n, int block) {
  // These numbers of elements (n) have different purposes:
  // - `legible`: this many values are legible in a dense picture.
  // - `with_conflicts`: with fewer values, there are few bank conflicts or none.
  // - `with_warps`: the block of a reduction has several warps, and only some of these warps work in some
  //   steps.
  // - `with_bugs` and `not_even`: some bugs have an effect only if a block has two warps, or if some threads
  //   get more elements than other threads.
  constexpr int legible = 32, with_conflicts = 64, with_bugs = 110, with_warps = 128, each = 8;
  constexpr int two_warps = 64, not_even = 24;
  s.grid = 4;
  s.block = possible_block(a, choose_n && a.is_broken() ? std::max(block, two_warps) : block);
  if (choose_n) {
    const bool is_tree = fits_one_block(a) && a.family == "reduction";
    s.n = a.is_broken()                                                 ? with_bugs
          : is_tree                                                     ? with_warps
          : a.many_blocks || a.choice("layout") || is_sparse_scan(a, s) ? with_conflicts
                                                                        : legible;
    if (a.uses_grid) s.n = each * s.grid * s.block - (a.is_broken() ? not_even : 0);
    s.n = std::min(s.n, a.largest.value_or(s.n));
  }
  if (fits_one_block(a)) s.block = smallest_block(a, s);
  else if (choose_n && a.many_blocks && !a.uses_grid) s.n = n_with_blocks(a, s);
}

std::optional<Place> place_of_look_back(const Recording& recording) {
  const Trace& trace = recording.trace;
  std::optional<Place> best;
  int farthest = 0, launch = -1;  // of `best`
  // A sort has a launch for each digit. The highest digits of small keys are all 0, so the first launch is
  // the most interesting one.
  const auto is_better = [&](int looked_back, int g) {
    return looked_back > farthest || (launch == g && looked_back == farthest);
  };
  if (!recording.has_time_line()) return best;
  for (int g = 0; g < static_cast<int>(trace.grids.size()); ++g) {
    const Grid& grid = trace.grids[static_cast<std::size_t>(g)];
    const auto begin = trace.steps.begin() + grid.first_step, end = begin + grid.steps;
    const auto step = std::find_if(begin, end, [](const Step& s) { return s.phase == Phase::look_back; });
    if (step == end) continue;
    for (const TimeLine::Row& row : recording.time_line().rows)
      if (row.grid == g && is_better(row.looked_back, g) && in_focus(trace, g, row.block)) {
        farthest = row.looked_back;
        launch = g;
        best = Place{.step = static_cast<int>(step - trace.steps.begin()), .block = row.block};
      }
  }
  return best;
}

std::optional<Example> example_of(const Algorithm& a) {
  // Small whole numbers are sorted in few steps, because such keys have few bits. For a selection, 20
  // elements and their places are legible. A filtered signal looks like a curve only if the signal has many
  // samples.
  static constexpr Example examples[] = {
      {.result = "sorting", .n = 16, .type = Scalar::uint32},
      {.result = "selection", .n = 20, .predicate = "x > 3"},
      {.result = "recurrence", .n = 200, .type = Scalar::float32, .preset = "low_pass"}};
  const auto found = std::ranges::find(examples, a.results.front()->name, &Example::result);
  if (found == std::end(examples)) return std::nullopt;
  Example example = *found;
  if (!is_listed(a)) example.n.reset();
  return example;
}

}  // namespace upsweep
