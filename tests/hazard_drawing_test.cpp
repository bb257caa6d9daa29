// Tests the drawings of hazards: compares the drawn values with a separate replay of the trace, and checks
// the texts.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/incidents.hpp"
#include "analysis/memory.hpp"
#include "export/export.hpp"
#include "scene/views/hazard_marks.hpp"
#include "support/drawn_views.hpp"
#include "support/pictures.hpp"
#include "support/taught_runs.hpp"
#include "words/hazard_words.hpp"
#include "words/incident_words.hpp"

namespace upsweep {
namespace hazard_drawing_test {

// --- a separate replay of the trace: all accesses in the order of the run

struct Reader {
  struct Access {
    std::uint32_t event;
    int thread;
    std::int64_t address;
    Value value{}, held{};  // the value read or stored; the value that the cell held before
    bool was_written = false, stores = false;
  };
  // Shared memory: true, grid, block, address. Global memory: false, buffer, 0, address.
  using Key = std::tuple<bool, std::uint32_t, std::uint32_t, std::int64_t>;

  explicit Reader(const Trace& trace) : trace(trace) {
    std::vector<std::uint32_t> order(trace.events.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(),
              [&](auto a, auto b) { return trace.events[a].time < trace.events[b].time; });
    std::map<Key, Value> memory;
    for (const std::uint32_t i : order) {
      const Event& e = trace.events[i];
      if (!is_access(e.kind)) continue;
      std::vector<std::pair<Key, Value>> stored;
      for (int lane = 0, place = 0; lane < 32; ++lane) {
        if ((e.mask >> lane & 1) == 0) continue;
        const int entries = e.parts, step = is_atomic(e.kind) ? 2 : 1;
        for (int k = 0; k < entries; k += step) {
          const std::uint32_t at = e.first + static_cast<std::uint32_t>(place + k);
          Access a{.event = i, .thread = 32 * e.warp + lane, .address = trace.lanes[at].address};
          const Key key =
              is_shared(e.kind) ? Key{true, e.grid, e.block, a.address} : Key{false, e.buffer, 0, a.address};
          const auto held = memory.find(key);
          a.was_written = held != memory.end();
          if (a.was_written) a.held = held->second;
          a.value = trace.values[is_atomic(e.kind) ? at + 1 : at];
          a.stores = !is_load(e.kind);
          if (a.stores) stored.emplace_back(key, a.value);
          all.push_back(a);
        }
        place += entries;
      }
      for (const auto& [key, value] : stored) memory[key] = value;
    }
  }

  // Returns the access of the thread `p` in the finding `f`, or null if there is no such access. Computes the
  // address of the access from the index of the cell.
  const Access* find(const HazardFinding& f, const HazardParty& p) const {
    const Event& e = trace.events[p.event];
    std::int64_t address = f.cell * (is_atomic(e.kind) ? e.width : e.width / e.parts);
    const SharedShape& shape = trace.grids[p.grid].shared;
    if (f.shared && f.buffer > 0) address += shape.more.at(static_cast<std::size_t>(f.buffer) - 1).first;
    for (const Access& a : all)
      if (a.event == p.event && a.thread == p.thread && a.address == address) return &a;
    return nullptr;
  }

  const Trace& trace;
  std::vector<Access> all;
};

// A drawing of a race shows a result for each order of the two accesses. Expects that these results equal the
// results of the replay. Returns how many of the two results are known.
int expect_true(const Reader& reader, const HazardFinding& f, const Incident& i) {
  using What = OrderResult::What;
  const Trace& trace = reader.trace;
  const Reader::Access *party = reader.find(f, f.party), *other = reader.find(f, f.other);
  EXPECT_TRUE(party && other && i.orders);
  if (!party || !other || !i.orders) return 0;
  EXPECT_EQ(i.party.known && i.other.known, true);
  EXPECT_EQ(i.party.value, party->value);
  EXPECT_EQ(i.other.value, other->value);
  const bool party_earlier = trace.events[f.party.event].time < trace.events[f.other.event].time;
  const auto expect = [&](const OrderResult& r, const Value& value) {
    if (r.what == What::value) { EXPECT_EQ(r.value, value); }
  };
  const auto both_known = [&] {
    return (i.orders->party_first.what != What::unknown) + (i.orders->other_first.what != What::unknown);
  };
  if (f.party.event != f.other.event) {
    EXPECT_EQ(i.orders->party_first.recorded, party_earlier);
    EXPECT_EQ(i.orders->other_first.recorded, !party_earlier);
  }
  if (party->stores && other->stores) {
    EXPECT_EQ(i.orders->reader, TwoOrders::Reader::none);
    if (is_store(trace.events[f.party.event].kind)) expect(i.orders->other_first, party->value);
    if (is_store(trace.events[f.other.event].kind)) expect(i.orders->party_first, other->value);
    return both_known();
  }
  const bool party_reads = !party->stores;
  EXPECT_EQ(i.orders->reader, party_reads ? TwoOrders::Reader::party : TwoOrders::Reader::other);
  const Reader::Access &read = party_reads ? *party : *other, &write = party_reads ? *other : *party;
  const OrderResult &reads_first = party_reads ? i.orders->party_first : i.orders->other_first,
                    &writes_first = party_reads ? i.orders->other_first : i.orders->party_first;
  expect(writes_first, write.value);
  const bool read_came_first = reads_first.recorded;
  if (reads_first.what == What::unwritten) {
    EXPECT_FALSE(read_came_first ? read.was_written : write.was_written);
  } else if (reads_first.what == What::value && (read_came_first ? read.was_written : write.was_written)) {
    EXPECT_EQ(reads_first.value, read_came_first ? read.value : write.held);
    if (read_came_first) { EXPECT_EQ(read.value, read.held) << "the emulator's memory is coherent"; }
  }
  return both_known();
}

// The view "Hazards" has a list of entries, such as findings. Chooses one entry after another, and draws the
// view in each of these sizes. Expects that the words fit.
void expect_drawn(const Recording& r, std::initializer_list<Point> sizes) {
  for (const HazardEntry& e : hazard_entries(r, {}))
    for (const Point size : sizes) {
      Cursor cursor = at_step(std::max(0, e.step));
      cursor.finding = e.number;
      SCOPED_TRACE(fmt::format("entry {}, {} x {}", e.number, size.x, size.y));
      const Scene scene = draw_view(view("hazards"), {r, cursor, light_theme(), size.x, size.y});
      expect_words_fit(scene, size);
      for (const Shape& shape : scene.shapes)
        if (const auto* b = std::get_if<RectShape>(&shape.what)) {
          EXPECT_TRUE(b->box.x >= -2 && b->box.y >= -2 && b->box.x + b->box.w <= size.x + 2 &&
                      b->box.y + b->box.h <= size.y + 2)
              << b->box.x << " " << b->box.y << " " << b->box.w << " " << b->box.h;
        }
    }
}

class BugDrawing : public testing::TestWithParam<int> {};

TEST_P(BugDrawing, ShowsWhatTheTraceContains) {
  const Algorithm& a = *broken_kernels().at(static_cast<std::size_t>(GetParam()));
  SCOPED_TRACE(a.name);
  const Recording r = taught(a);
  const Reader reader(r.trace);
  const auto& findings = r.hazards()->findings;
  ASSERT_EQ(r.incidents().size(), findings.size());
  const auto entries = hazard_entries(r, {});
  ASSERT_FALSE(entries.empty());
  EXPECT_EQ(entries.size(), findings.size() + (r.mistake ? 1 : 0));
  for (const HazardEntry& e : entries) {
    Cursor cursor = at_step(std::max(0, e.step));
    cursor.finding = e.number;
    const Scene scene = draw("hazards", r, cursor, 1200, 640);
    if (!e.finding) {
      EXPECT_TRUE(says(scene, "expected"));
      for (std::size_t k = 0; r.wrong && k < std::min<std::size_t>(3, r.wrong->elements.size()); ++k)
        EXPECT_TRUE(says(scene, fmt::format("[{}]", r.wrong->elements[k].index)));
      continue;
    }
    const HazardFinding& f = *e.finding;
    const Incident& i = *e.incident;
    if (i.orders) {
      EXPECT_GT(expect_true(reader, f, i), 0);
      EXPECT_TRUE(says(scene, missing_order_text(f)));
      for (const OrderResult* o : {&i.orders->other_first, &i.orders->party_first})
        EXPECT_TRUE(says(scene, result_text(r.trace, f, i, *o))) << result_text(r.trace, f, i, *o);
    }
    for (const ThreadGroup& g : i.groups) EXPECT_TRUE(says(scene, group_name(r.trace, f, g)));
    if (i.loop) { EXPECT_TRUE(says(scene, rounds_text(r.trace, *i.loop).substr(0, 20))); }
    if (f.kind == Hazard::out_of_bounds) {
      EXPECT_TRUE(says(scene, fmt::format("ends here: {}", f.cells)));
      EXPECT_TRUE(says(scene, cell_text(r.trace, f)));
      EXPECT_EQ(i.party.value, reader.find(f, f.party)->value);
    }
    if (f.kind == Hazard::uninitialised_read && !i.orders) {
      EXPECT_FALSE(reader.find(f, f.party)->was_written);
      EXPECT_TRUE(says(scene, "no thread has written this cell"));
    }
  }
  expect_drawn(r, {{500, 220}, {640, 420}, {840, 210}, {1272, 420}, {1272, 860}, {1900, 1000}});
}
INSTANTIATE_TEST_SUITE_P(All, BugDrawing, testing::Range(0, 18));

// Removes one barrier at a time from every correct kernel of the registry. The drawings of the races must
// show the results of the replay.
TEST(HazardDrawing, OfAKernelWithoutABarrierHasTrueResults) {
  int races = 0, known = 0, required = 0, agree = 0;
  for (const Algorithm& a : cuda_algorithms()) {
    if (a.is_broken()) continue;
    for (const int line : barrier_lines(a)) {
      SCOPED_TRACE(fmt::format("{} without line {}", a.name, line));
      Settings s{.algorithm = a.name, .n = 77};
      fit_kind(a, s);
      s.block = a.many_blocks ? std::max(64, a.least_threads) : smallest_block(a, s);
      s.grid = 2;
      s.without_barrier = line;
      RecordOptions options;
      options.schedule = static_cast<std::uint64_t>(line);
      options.rounds = 2000;
      Recording r = make_recording(Emulator().record(s, seeded_data(s, 5), options));
      r.find_hazards();
      const Reader reader(r.trace);
      for (std::size_t k = 0; k < r.hazards()->findings.size(); ++k) {
        const Incident& i = r.incidents()[k];
        if (!i.orders) continue;
        const HazardFinding& f = r.hazards()->findings[k];
        ++races;
        const int here = expect_true(reader, f, i);
        known += here;
        if (here < 2) {
          EXPECT_TRUE(is_atomic(r.trace.events[f.party.event].kind) ||
                      is_atomic(r.trace.events[f.other.event].kind))
              << what_happens(r.trace, f);
        }
        agree += i.orders->agree();
        if (i.orders->required != TwoOrders::Required::unknown) {
          ++required;
          // If the two accesses are in different steps of one block, the access in the earlier step must come
          // first.
          if (f.party.step != f.other.step)
            EXPECT_EQ(i.orders->required == TwoOrders::Required::party_first, f.party.step < f.other.step);
        }
      }
      expect_drawn(r, {{640, 200}, {900, 300}, {1272, 700}});
    }
  }
  EXPECT_GT(races, 100);
  EXPECT_GT(known, 2 * races - races / 50) << "only atomics have unknown results";
  EXPECT_GT(required, races / 2);
  EXPECT_LT(agree, races);
}

// At a divergent barrier, the drawing divides threads into groups. Compares these groups with the barriers
// that each thread executed in the trace.
TEST(HazardDrawing, GroupsOfABarrierAreAllThreads) {
  int findings = 0;
  for (const char* name : {"bug_barrier_in_divergent_loop", "bug_return_before_barrier"})
    for (const int n : {5, 33, 100, 129}) {
      Settings s{.algorithm = name, .n = n};
      fit_kind(algorithm(name), s);
      s.block = algorithm(name).many_blocks ? 64 : smallest_block(algorithm(name), s);
      Recording r = make_recording(Emulator().record(s, seeded_data(s, 5)));
      r.find_hazards();
      for (std::size_t k = 0; k < r.hazards()->findings.size(); ++k) {
        const HazardFinding& f = r.hazards()->findings[k];
        if (f.kind != Hazard::divergent_barrier) continue;
        ++findings;
        std::map<int, std::vector<int>> barriers;  // the lines of the barriers that each thread executed
        for (const Event& e : r.trace.events)
          if (e.kind == Kind::barrier && e.grid == f.party.grid && e.block == f.party.block)
            for (int lane = 0; lane < 32; ++lane)
              if ((e.mask >> lane & 1) != 0) barriers[e.warp * 32 + lane].push_back(e.line);
        std::set<int> seen;
        bool has_party = false, has_other = false;
        for (const ThreadGroup& g : r.incidents()[k].groups)
          for (const int t : g.threads) {
            EXPECT_TRUE(seen.insert(t).second);
            if (g.wait == Wait::barrier) {
              EXPECT_TRUE(std::ranges::count(barriers[t], g.line) > 0);
            } else {
              EXPECT_LT(barriers[t].size(), barriers[f.party.thread].size() + 1);
            }
            has_party =
                has_party || (t == f.party.thread && g.line == f.party.line && g.wait == Wait::barrier);
            has_other = has_other || (t == f.other.thread &&
                                      (f.other.line != 0 ? g.line == f.other.line : g.wait == Wait::none));
          }
        EXPECT_EQ(static_cast<int>(seen.size()), r.trace.grids[f.party.grid].threads);
        EXPECT_TRUE(has_party);
        EXPECT_TRUE(has_other) << name << " n = " << n;
      }
    }
  EXPECT_GT(findings, 4);
}

TEST(HazardDrawing, ALoopShowsTheValuesOfItsCondition) {
  const Recording r = taught(algorithm("bug_missing_shift_assign"));
  ASSERT_FALSE(r.incidents().empty());
  const auto found =
      std::ranges::find_if(r.incidents(), [](const Incident& i) { return i.loop.has_value(); });
  ASSERT_NE(found, r.incidents().end());
  const LoopRounds& loop = *found->loop;
  EXPECT_TRUE(condition_reads_number(r.trace, loop));
  EXPECT_TRUE(loop.one_number);
  std::set<std::uint32_t> steps;
  for (const Event& e : r.trace.events)
    if (e.kind != Kind::barrier && e.line >= loop.first_line && e.line <= loop.last_line)
      steps.insert(e.step);
  EXPECT_EQ(loop.step_count, std::ssize(steps));
  EXPECT_EQ(rounds_text(r.trace, loop),
            fmt::format("The condition uses stride. In each of the {1} recorded iterations, stride is {0}.",
                        r.trace.steps[*steps.begin()].stride, steps.size()));
}

// --- golden pictures

TEST(GoldenHazards, AreAsCommitted) {
  struct Golden {
    const char *file, *view, *algorithm;
    int n, entry, step;  // if step is -1, the entry's step is drawn
    float width, height;
  };
  for (const Golden& g :
       {Golden{"hazards-race", "hazards", "bug_barrier_removed", 64, 2, -1, 1272, 420},
        {"hazards-race-tall", "hazards", "bug_pointer_sum", 300, 1, -1, 760, 620},
        {"hazards-wrong-result", "hazards", "bug_lost_root_clear", 16, 0, -1, 1000, 420},
        {"hazards-barrier", "hazards", "bug_barrier_in_divergent_loop", 100, 0, -1, 1000, 380},
        {"tree-expected", "tree", "bug_lost_root_clear", 16, 0, 9, 900, 420}}) {
    const Recording r = record(g.algorithm, g.n, {}, 3, algorithm(g.algorithm).many_blocks ? 64 : 0);
    const auto entries = hazard_entries(r, {});
    ASSERT_LT(g.entry, static_cast<int>(entries.size())) << g.file;
    Cursor cursor =
        at_step(g.step >= 0 ? g.step : std::max(0, entries[static_cast<std::size_t>(g.entry)].step));
    cursor.finding = g.entry;
    for (const Theme* theme : {&light_theme(), &dark_theme()})
      expect_as_committed(fmt::format("{}-{}", g.file, theme->dark ? "dark" : "light"),
                          svg(draw(g.view, r, cursor, g.width, g.height, *theme)));
  }
}

}  // namespace hazard_drawing_test
}  // namespace upsweep
