// Tests that a RunIndex and the index of each step return the same results as functions that read all events.
#include "analysis/run_index.hpp"

#include <gtest/gtest.h>

#include <random>

#include "analysis/actions.hpp"
#include "analysis/banks.hpp"
#include "analysis/cancellable.hpp"
#include "analysis/coalescing.hpp"
#include "analysis/memory.hpp"
#include "analysis/recording.hpp"
#include "analysis/shared_request.hpp"
#include "analysis/step_index.hpp"
#include "catalogue/data.hpp"
#include "machine/emulator/emulator.hpp"
#include "study/recording.hpp"
#include "support/random_trace.hpp"

namespace upsweep {
namespace run_index_test {

TEST(Peaks, FindWhatALookAtEachNumberFinds) {
  std::mt19937 random(1);
  for (const std::size_t count : {1u, 2u, 15u, 16u, 17u, 255u, 256u, 257u, 1000u, 4097u}) {
    std::vector<int> numbers(count);
    for (int& x : numbers) x = static_cast<int>(random() % 50);
    const auto key = [&](std::size_t i) { return numbers[i]; };
    const Peaks peaks(count, key);
    for (int check = 0; check < 300; ++check) {
      const std::size_t begin = random() % count, end = begin + 1 + random() % (count - begin);
      const auto at = [&](std::size_t i) { return numbers.begin() + static_cast<std::ptrdiff_t>(i); };
      EXPECT_EQ(peaks.first_greatest(begin, end, key),
                static_cast<std::size_t>(std::max_element(at(begin), at(end)) - numbers.begin()));
      const int least = static_cast<int>(random() % 55);
      const auto fits = [&](std::size_t i) { return numbers[i] >= least; };
      EXPECT_EQ(
          peaks.first_from(begin, fits),
          static_cast<std::size_t>(std::find_if(at(begin), numbers.end(), [&](int x) { return x >= least; }) -
                                   numbers.begin()));
    }
  }
  EXPECT_EQ(Peaks(0, [](std::size_t) { return 0; }).first_from(0, [](std::size_t) { return true; }), 0u);
}

// Returns the first event with the highest cost, or -1 if there are no events.
template <class Cost>
int dearest(const Trace& trace, const std::vector<int>& events, Cost cost) {
  int best = -1, most = -1;
  for (const int i : events)
    if (const int c = cost(trace.events[static_cast<std::size_t>(i)]); c > most) most = c, best = i;
  return best;
}

void expect_same_step(const Trace& trace, int block, int step) {
  const StepIndex index(trace, block, step);
  EXPECT_EQ(index.requests, requests(trace, block, step));
  EXPECT_EQ(index.shared, shared_requests(trace, block, step));
  std::vector<int> touching, global, exchanges;
  std::int64_t votes = 0, warp_barriers = 0, barriers = 0, fences[2] = {};
  GlobalTotals totals[2];
  const EventRange range = step_events(trace, block, step);
  for (std::size_t i = range.first; i < range.last; ++i) {
    const Event& e = trace.events[i];
    const int event = static_cast<int>(i);
    if (is_shared(e.kind)) touching.push_back(event);
    if (is_global(e.kind)) global.push_back(event);
    if (e.kind == Kind::shuffle || e.kind == Kind::vote) exchanges.push_back(event);
    votes += e.kind == Kind::vote;
    warp_barriers += e.kind == Kind::warp_barrier;
    barriers += e.kind == Kind::barrier;
    if (e.kind == Kind::fence) ++fences[static_cast<Scope>(e.detail) == Scope::device];
    if (!is_global(e.kind) || is_atomic(e.kind)) continue;
    GlobalTotals& t = totals[is_load(e.kind)];
    t.requests++;
    t.sectors += sector_cost(trace, e).sectors;
    t.ideal_sectors += sector_cost(trace, e).ideal;
  }
  EXPECT_EQ(index.touching_shared, touching);
  EXPECT_EQ(index.global, global);
  EXPECT_EQ(index.exchanges, exchanges);
  EXPECT_EQ(index.votes, votes);
  EXPECT_EQ(index.warp_barriers, warp_barriers);
  EXPECT_EQ(index.has_barrier, barriers > 0);
  EXPECT_EQ(index.block_fences, fences[0]);
  EXPECT_EQ(index.device_fences, fences[1]);
  const auto same = [](const GlobalTotals& a, const GlobalTotals& b) {
    return a.requests == b.requests && a.sectors == b.sectors && a.ideal_sectors == b.ideal_sectors;
  };
  EXPECT_TRUE(same(index.global_load, totals[1]) && same(index.global_store, totals[0]));

  std::int64_t wavefronts = 0, excess = 0;
  bool alike = true;
  for (const int i : index.shared) {
    const BankCost cost = bank_cost(trace, trace.events[static_cast<std::size_t>(i)]),
                   first = bank_cost(trace, trace.events[static_cast<std::size_t>(index.shared[0])]);
    wavefronts += cost.wavefronts;
    excess += cost.excess();
    alike = alike && cost.wavefronts == first.wavefronts && cost.groups == first.groups;
  }
  EXPECT_EQ(index.shared_totals.requests, static_cast<std::int64_t>(index.shared.size()));
  EXPECT_EQ(index.shared_totals.wavefronts, wavefronts);
  EXPECT_EQ(index.shared_totals.excess, excess);
  EXPECT_EQ(index.shared_alike, alike);
  EXPECT_EQ(index.costliest_shared,
            dearest(trace, index.shared, [&](const Event& e) { return bank_cost(trace, e).wavefronts; }));
  EXPECT_EQ(index.most_wasteful, dearest(trace, global, [&](const Event& e) {
              return sector_cost(trace, e).sectors - sector_cost(trace, e).ideal;
            }));
  EXPECT_EQ(index.first_exchange,
            dearest(trace, exchanges, [](const Event& e) { return e.kind == Kind::shuffle ? 1 : 0; }));
}

void expect_same_run(const Trace& trace, const Facts& facts) {
  const RunIndex index(trace, facts);
  int degree = 0, lanes = 0;
  std::int64_t operations = 0;
  const int steps = static_cast<int>(facts.steps.size());
  for (int s = 0; s < steps; ++s) {
    const StepFacts& f = facts.steps[static_cast<std::size_t>(s)];
    EXPECT_EQ(index.operations_of_first(s), operations);
    operations += f.totals.operations;
    degree = std::max(degree, f.max_degree);
    lanes = std::max(lanes, f.active_lanes);
    for (int end = s + 1; end <= steps; end += 1 + end % 3) {
      int worst = s, busiest = s;
      for (int k = s; k < end; ++k) {
        const auto at = [&](int i) -> const StepFacts& { return facts.steps[static_cast<std::size_t>(i)]; };
        if (std::pair(at(worst).max_degree, at(worst).active_lanes) <
            std::pair(at(k).max_degree, at(k).active_lanes))
          worst = k;
        if (at(busiest).totals.operations < at(k).totals.operations) busiest = k;
      }
      EXPECT_EQ(index.worst_step(s, end), worst);
      EXPECT_EQ(index.busiest_step(s, end), busiest);
    }
  }
  EXPECT_EQ(index.operations_of_first(steps), operations);
  EXPECT_EQ(index.max_degree(), degree);
  EXPECT_EQ(index.max_active_lanes(), lanes);

  std::vector<int> phases;
  for (int s = 0; s < static_cast<int>(trace.steps.size()); ++s)
    if (s == 0 || grid_index(trace, s) != grid_index(trace, s - 1) ||
        trace.steps[static_cast<std::size_t>(s)].phase != trace.steps[static_cast<std::size_t>(s) - 1].phase)
      phases.push_back(s);
  phases.push_back(static_cast<int>(trace.steps.size()));
  EXPECT_EQ(index.phases(), phases);

  std::size_t runs = 0, in_focus = 0;
  for (const BlockRun& r : trace.runs) in_focus += r.in_focus;
  EXPECT_EQ(index.in_focus(), in_focus);
  for (const RunIndex::Row& row : index.rows()) {
    runs += row.runs.size();
    EXPECT_TRUE(std::is_sorted(row.runs.begin(), row.runs.end()));
    for (const std::uint32_t r : row.runs) EXPECT_EQ(trace.runs[r].sm, row.sm);
    for (const std::uint64_t since : {index.begin(), index.begin() + 5, index.end()})
      for (std::size_t at = 0; at < row.runs.size(); ++at) {
        std::size_t first = at;
        while (first < row.runs.size() && trace.runs[row.runs[first]].begin < since + 3 &&
               trace.runs[row.runs[first]].end < since)
          ++first;
        EXPECT_EQ(row.first_from(
                      trace, at, [&](std::uint64_t begin) { return begin >= since + 3; },
                      [&](std::uint64_t end) { return end >= since; }),
                  first);
      }
  }
  EXPECT_EQ(runs, trace.runs.size());
}

// Computes in a slow way what RunIndex::with_room() must return: the blocks for which a drawing has enough
// space, each with its row. Examines every block.
std::vector<std::pair<std::uint32_t, int>> boxes(const Trace& trace, const RunIndex& index, int rows,
                                                 float least, const BlockRun* chosen, float scale) {
  std::vector<std::pair<std::uint32_t, int>> all;
  std::vector<float> drawn_to(index.rows().size());
  for (std::uint32_t i = 0; i < trace.runs.size(); ++i) {
    const BlockRun& r = trace.runs[i];
    std::size_t row = 0;
    while (index.rows()[row].sm != r.sm) ++row;
    const auto x = [&](std::uint64_t time) { return 20 + scale * static_cast<float>(time); };
    const float end = std::max(x(r.end), x(r.begin) + RunIndex::least_box);
    if (static_cast<int>(row) >= rows || (&r != chosen && end - drawn_to[row] < least)) continue;
    drawn_to[row] = std::max(drawn_to[row], end);
    all.emplace_back(i, static_cast<int>(row));
  }
  return all;
}

TEST(RunIndex, GroupsOfStepsHaveTheirWorstStep) {
  const Settings settings{.algorithm = "scan_blelloch", .n = 300, .block = 256};
  const Recording r = make_recording(Emulator().record(settings, seeded_data(settings, 1)));
  const int steps = static_cast<int>(r.trace.steps.size());
  for (int together = 1; together <= steps + 1; ++together) {
    const std::vector<int>& worst = r.worst_steps(together);
    ASSERT_EQ(static_cast<int>(worst.size()), (steps + together - 1) / together);
    for (int i = 0; i < static_cast<int>(worst.size()); ++i)
      EXPECT_EQ(worst[static_cast<std::size_t>(i)],
                r.run().worst_step(i * together, std::min(steps, (i + 1) * together)));
  }
}

TEST(RunIndex, FindsTheRunsThatHaveRoom) {
  std::mt19937 random(2);
  for (int check = 0; check < 300; ++check) {
    Trace trace;
    const unsigned places = 1 + random() % 5, span = 1 + random() % 400, count = random() % 300;
    for (std::uint32_t b = 0; b < count; ++b) {
      const std::uint64_t begin = b * (random() % 3) + random() % span;
      trace.runs.push_back(
          {0, static_cast<std::uint16_t>(3 * (random() % places)), b, true, begin, begin + random() % span});
    }
    const RunIndex index(trace, {});
    const int rows = static_cast<int>(index.rows().size());
    for (const float scale : {0.01f, 0.3f, 5.0f})
      for (const float least : {0.75f, 4.0f}) {
        const BlockRun* chosen = count > 0 && random() % 4 != 0 ? &trace.runs[random() % count] : nullptr;
        const int shown = rows > 0 ? 1 + static_cast<int>(random() % static_cast<unsigned>(rows)) : 0;
        EXPECT_EQ(index.with_room(trace, shown, least, chosen,
                                  [&](std::uint64_t time) { return 20 + scale * static_cast<float>(time); }),
                  boxes(trace, index, shown, least, chosen, scale));
      }
  }
}

TEST(RunIndex, AnswersAsTheEventsDoInRunsThatNeverWere) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    const Trace trace = RandomTrace(seed).make();
    expect_same_run(trace, facts(trace));
    for (int step = 0; step < static_cast<int>(trace.steps.size()); ++step)
      for (int b = 0; b < std::min(trace.grid_of(static_cast<std::uint32_t>(step)).blocks, 3); ++b)
        expect_same_step(trace, b, step);
    if (HasFailure()) return;
  }
}

// Preparing a recording must stop if the user closes the window.
TEST(Recording, PreparingEndsWhenItIsCancelled) {
  Trace trace;
  constexpr std::uint32_t events = 1 << 14;  // all events are in one step and have 32 lanes
  trace.grids[0].threads = 32;
  trace.grids[0].steps = 1;
  trace.steps.resize(1);
  trace.buffers.push_back({"in", Cells::elements, 32 * events});
  for (std::uint32_t i = 0; i < events; ++i) {
    trace.events.push_back({.kind = Kind::global_load, .width = 4, .buffer = 0});
    trace.events.back().mask = ~0u;
    trace.events.back().first = 32 * i;
    trace.events.back().time = i;
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      trace.lanes.push_back({4 * (32 * std::int64_t{i} + lane)});
  }
  trace.values.resize(trace.lanes.size());
  Recording recording;
  recording.trace = trace;
  recording.facts = facts(trace);
  Job cancelled;
  cancelled.cancel();
  EXPECT_THROW(recording.prepare(&cancelled, false), Cancelled);
  EXPECT_THROW(tree(trace, 0, 0, &cancelled), Cancelled);
  EXPECT_THROW(actions(trace, 0, 0, &cancelled), Cancelled);
  Job job;
  recording.prepare(&job, true);  // prepares the recording again
  EXPECT_EQ(recording.actions(0, 0).size(), actions(trace, 0, 0).size());
  EXPECT_EQ(recording.step(0, 0).requests.size(), events);
}

}  // namespace run_index_test
}  // namespace upsweep
