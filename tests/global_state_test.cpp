// Tests global_state(): for every kernel of the catalogue, compares its values with a replay of all stores in
// the order of time.
#include "analysis/global_state.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "analysis/memory.hpp"
#include "base/error.hpp"
#include "catalogue/data.hpp"
#include "catalogue/ladder.hpp"
#include "catalogue/plan.hpp"
#include "machine/emulator/emulator.hpp"
#include "support/compile_cases.hpp"

namespace upsweep {
namespace global_state_test {

Trace recorded(const Settings& s, unsigned seed, const RecordOptions& options = {.blocks = UINT32_MAX}) {
  return Emulator().record(s, random_data(s, seed), options);
}

// Replays the stores and the atomics of steps 0 to `step`, including `step`. Returns the last value of each
// written cell. The key is the index of the cell.
std::map<std::int64_t, Value> replayed(const Trace& t, std::size_t buffer, int step) {
  std::vector<std::size_t> order(t.events.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return t.events[i].time; });
  std::map<std::int64_t, Value> cells;
  for (const std::size_t i : order) {
    const Event& e = t.events[i];
    if (e.buffer != buffer || static_cast<int>(e.step) > step) continue;
    const bool atomic = e.kind == Kind::global_atomic;
    if (e.kind != Kind::global_store && !atomic) continue;
    const std::uint32_t count = static_cast<std::uint32_t>(std::popcount(e.mask)) * e.parts;
    for (std::uint32_t k = 0; k < count; k += atomic ? 2 : 1)
      cells[t.lanes[e.first + k].address / (atomic ? e.width : e.width / e.parts)] =
          t.values[e.first + k + (atomic ? 1 : 0)];
  }
  return cells;
}

// Calls f(settings) for every correct kernel with a few sizes.
template <class F>
void for_each_kernel(F f) {
  for (const Algorithm* a : correct_algorithms(Language::cuda))
    for (const int n : {1, 37, 160}) {
      Settings s = first_settings(*a);
      s.n = n;
      s.grid = 3;
      try {
        validate(s);
      } catch (const RequestError&) { continue; }
      SCOPED_TRACE(describe(s));
      f(s);
    }
}

TEST(GlobalState, IsThatOfAReplayAfterEveryStep) {
  int stored = 0;
  for_each_kernel([&](const Settings& s) {
    const Trace t = recorded(s, 5);
    const int steps = static_cast<int>(t.steps.size());
    for (int step = -1; step < steps; step += 1 + steps / 6)
      for (std::size_t b = 0; b < t.buffers.size(); ++b) {
        const GlobalState state = global_state(t, static_cast<int>(b), step);
        ASSERT_EQ(state.cells.size(), static_cast<std::size_t>(t.buffers[b].count));
        const auto due = replayed(t, b, step);
        const bool input = t.roles().of(static_cast<int>(b)) == BufferRole::input;
        for (std::size_t i = 0; i < state.cells.size(); ++i) {
          const GlobalState::Cell& cell = state.cells[i];
          const auto found = due.find(static_cast<std::int64_t>(i));
          ASSERT_EQ(found != due.end(), cell.writer != 0);
          if (found == due.end()) {
            ASSERT_EQ(cell.known, is_initialised(t.roles().of(static_cast<int>(b)), t.buffers[b].cells));
            ASSERT_EQ(cell.value, input ? t.contents_before(static_cast<int>(b))[i] : Value{});
            continue;
          }
          ++stored;
          ASSERT_TRUE(cell.known);
          ASSERT_EQ(cell.value, found->second);
          const Event& by = t.events[cell.writer - 1];
          ASSERT_TRUE((by.mask >> cell.lane & 1u) != 0 && by.buffer == b);
        }
      }
  });
  EXPECT_GT(stored, 10'000);
}

TEST(GlobalState, AfterTheLastStepIsTheOutput) {
  for_each_kernel([&](const Settings& s) {
    const Trace t = recorded(s, 6);
    for (int b = t.roles().first_output(); b < t.roles().first_scratch(); ++b) {
      const GlobalState state = global_state(t, b, static_cast<int>(t.steps.size()) - 1);
      for (std::size_t i = 0; i < state.cells.size(); ++i)
        if (state.cells[i].known) ASSERT_EQ(state.cells[i].value, t.contents_after(b)[i]) << b << ' ' << i;
    }
  });
}

// Only 2 of 97 blocks are recorded in full, so only the stores of these 2 blocks are known. After the last
// step, the whole output is known, because every recording contains the output.
TEST(GlobalState, KnowsOnlyWhatWasRecorded) {
  Settings s{.algorithm = "summed_area_table", .n = 97 * 5, .block = 32, .type = Scalar::int32};
  s.columns = 5;
  const Trace t = recorded(s, 7, {.first_block = 1, .blocks = 2});
  const int steps = static_cast<int>(t.steps.size());
  const auto buffer = [&](const char* name) {
    return static_cast<int>(std::ranges::find(t.buffers, name, &GlobalBuffer::name) - t.buffers.begin());
  };
  const int after_rows = static_cast<int>(t.grids.at(1).first_step) - 1;
  const GlobalState sums = global_state(t, buffer("sums"), after_rows);
  for (int i = 0; i < s.n; ++i) EXPECT_EQ(sums.cells[i].known, i / 5 == 1 || i / 5 == 2) << i;
  const GlobalState before = global_state(t, buffer("out"), steps - 2),
                    after = global_state(t, buffer("out"), steps - 1);
  EXPECT_FALSE(std::ranges::all_of(before.cells, &GlobalState::Cell::known));
  for (int i = 0; i < s.n; ++i) {
    EXPECT_TRUE(after.cells[i].known);
    EXPECT_EQ(after.cells[i].value, t.output[static_cast<std::size_t>(i)]);
  }
}

// If only one block is recorded in full, every known value equals the value in a recording of all blocks.
// Several launches of these algorithms store to the same buffer.
TEST(GlobalState, OfSomeBlocksIsPartOfThatOfAllBlocks) {
  for (const char* ladder : {"radix_sort", "stream_compaction", "summed_area_table"})
    for (const Algorithm* a : rungs_of(ladder)) {
      if (a->language != Language::cuda) continue;
      Settings s = first_settings(*a);
      s.n = 1200;
      s.block = std::max(32, a->least_threads);
      try {
        validate(s);
      } catch (const RequestError&) { continue; }
      const Trace all = recorded(s, 8), some = recorded(s, 8, {.first_block = 1, .blocks = 1});
      ASSERT_EQ(all.steps, some.steps);
      std::int64_t known = 0;
      for (std::size_t g = 0; g < all.grids.size(); ++g)
        for (std::size_t b = 0; b < all.buffers.size(); ++b) {
          if (all.buffers[b].cells != Cells::elements && all.buffers[b].cells != Cells::counts) continue;
          const int step = end_step(all, static_cast<int>(g)) - 1;
          const GlobalState part = global_state(some, static_cast<int>(b), step),
                            whole = global_state(all, static_cast<int>(b), step);
          for (std::size_t i = 0; i < part.cells.size(); ++i) {
            if (part.cells[i].writer == 0) continue;
            ASSERT_TRUE(whole.cells[i].known);
            ASSERT_EQ(part.cells[i].value, whole.cells[i].value)
                << a->name << ", " << all.buffers[b].name << '[' << i << "] after launch " << g;
            ++known;
          }
        }
      EXPECT_GT(known, 0) << a->name;
    }
}

}  // namespace global_state_test
}  // namespace upsweep
