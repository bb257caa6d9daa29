// Tests the view "Because": the conditions and indices that the view reads from the text of a kernel, and the
// sentences about barriers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <set>
#include <tuple>

#include "analysis/barrier_use.hpp"
#include "analysis/because.hpp"
#include "analysis/because_global.hpp"
#include "analysis/memory.hpp"
#include "analysis/request_source.hpp"
#include "analysis/shared_request.hpp"
#include "catalogue/ladder.hpp"
#include "export/export.hpp"
#include "support/drawn_views.hpp"
#include "support/pictures.hpp"
#include "words/because_words.hpp"
#include "words/lane_formula.hpp"
#include "words/words.hpp"

namespace upsweep {
namespace because_view_test {

int step_of_stride(const Recording& r, Phase phase, int stride) {
  for (std::size_t s = 0; s < r.trace.steps.size(); ++s)
    if (r.trace.steps[s] == Step{phase, stride}) return static_cast<int>(s);
  return -1;
}

TEST(RequestSource, NamesConditionsAndIndices) {
  const Recording r = record("scan_blelloch", 64);
  const int step = step_of_stride(r, Phase::up_sweep, 8);
  const RequestSource source = request_source(r.trace, request_event(r, at_step(step)));
  EXPECT_TRUE(source.is_complete);
  ASSERT_EQ(source.conditions.size(), 1u);
  EXPECT_EQ(source.conditions[0].text, "t < d");
  EXPECT_TRUE(source.pads);
  EXPECT_EQ(source.cell, "ai");
  EXPECT_EQ(source.definition.value, "pad(stride * (2 * t + 1) - 1)");

  const Recording scan = record("scan_hillis_steele", 64);
  const RequestSource named =
      request_source(scan.trace, request_event(scan, at_step(step_of_stride(scan, Phase::scan, 4))));
  ASSERT_EQ(named.conditions.size(), 1u);
  EXPECT_EQ(named.conditions[0].text, "works");
  EXPECT_EQ(named.conditions[0].meaning, "t >= stride && t < n");
}

// If two requests of a warp in one step have the same conditions in the text, the same lanes make both
// requests. The test leaves out lines that run several times in the step.
TEST(RequestSource, TheSameConditionsMeanTheSameLanes) {
  int compared = 0, conditional = 0;
  std::set<std::string> kernels;
  for (const Algorithm* a : correct_algorithms(Language::cuda)) {
    const Recording r = record(a->name, std::min(a->largest.value_or(200), 200));
    std::map<std::tuple<std::uint16_t, std::uint32_t, std::uint32_t, int, int>, int> times;
    const auto key = [](const Event& e) {
      return std::tuple(e.grid, e.block, e.step, int{e.warp}, e.line * 16 + static_cast<int>(e.kind));
    };
    for (const Event& e : r.trace.events) ++times[key(e)];
    using Conditions = std::vector<std::pair<int, std::string>>;
    std::map<std::tuple<std::uint16_t, std::uint32_t, std::uint32_t, int, Conditions>, std::uint32_t> lanes;
    int examined = 0;
    for (std::size_t i = 0; i < r.trace.events.size() && examined < 150; ++i) {
      const Event& e = r.trace.events[i];
      if (!is_access(e.kind) || times[key(e)] > 1) continue;
      ++examined;
      const RequestSource source = request_source(r.trace, static_cast<int>(i));
      if (!source.is_complete) continue;
      conditional += !source.conditions.empty();
      Conditions all;
      for (const auto& c : source.conditions) all.emplace_back(c.line, c.text);
      const auto [found, is_new] =
          lanes.emplace(std::tuple(e.grid, e.block, e.step, int{e.warp}, all), e.mask);
      compared += !is_new;
      if (!is_new) kernels.insert(a->name);
      ASSERT_EQ(found->second, e.mask) << a->name << ", line " << e.line;
    }
  }
  EXPECT_GT(compared, 300);
  EXPECT_GT(conditional, 300);
  EXPECT_GT(kernels.size(), 15u);
}

TEST(LaneFormula, HoldsForEveryLaneOrIsNotThere) {
  const Dim3 flat{64, 1, 1};
  const auto f = LaneFormula::fit(flat, {0, 1, 2, 3}, {7, 23, 39, 55});
  ASSERT_TRUE(f);
  EXPECT_EQ(f->text(), "16t + 7");
  EXPECT_EQ(f->with_numbers(3), "16·3 + 7 = 55");
  EXPECT_FALSE(LaneFormula::fit(flat, {0, 1, 2, 3}, {7, 23, 39, 56}));
  EXPECT_FALSE(LaneFormula::fit(flat, {0}, {7}));
  EXPECT_EQ(LaneFormula::fit(flat, {4, 5}, {0, 1})->text(), "t − 4");
  EXPECT_EQ(LaneFormula::fit(flat, {4, 5}, {4, 5})->with_numbers(5), "5");
  EXPECT_EQ(LaneFormula::fit(flat, {4, 5}, {9, 9})->with_numbers(5), "9");
}

// Compares barrier_use() with a model that checks every pair of accesses.
TEST(BarrierUse, AgreesWithEveryPairOfAccesses) {
  struct At {
    int warp, thread, memory;
    std::int64_t address;
    bool loads, stores, atomic;
  };
  int barriers = 0, reads = 0, overwrites = 0;
  for (const Algorithm* a : correct_algorithms(Language::cuda)) {
    const Recording r = record(a->name, std::min(a->largest.value_or(70), 70));
    const Trace& t = r.trace;
    const auto accesses = [&](int first, int last) {
      std::vector<At> all;
      for (int s = first; s <= last; ++s) {
        const EventRange range = step_events(t, 0, s);
        for (std::size_t i = range.first; i < range.last; ++i) {
          const Event& e = t.events[i];
          if (!is_access(e.kind)) continue;
          for_each_cell(e, [&](int lane, std::uint32_t at, std::uint32_t) {
            all.push_back({e.warp, thread_of(e, lane), is_shared(e.kind) ? -1 : e.buffer, t.lanes[at].address,
                           !is_store(e.kind), !is_load(e.kind), is_atomic(e.kind)});
          });
        }
      }
      return all;
    };
    const int end = end_step(t, 0);
    std::vector<int> at;
    for (int s = 0; s < end; ++s)
      if (barrier_use(r, 0, s)) at.push_back(s);
    for (std::size_t k = 0; k < at.size() && k < 12; ++k) {
      const std::vector<At> before = accesses(k == 0 ? 0 : at[k - 1] + 1, at[k]),
                            after = accesses(at[k] + 1, k + 1 < at.size() ? at[k + 1] : end - 1);
      const auto same = [](const At& x, const At& y) {
        return x.memory == y.memory && x.address == y.address;
      };
      int too_early = 0, overwritten = 0, rewritten = 0;
      for (std::size_t j = 0; j < after.size(); ++j) {
        const At& now = after[j];
        const bool is_new = std::none_of(after.begin(), after.begin() + static_cast<std::ptrdiff_t>(j),
                                         [&](const At& x) { return x.stores && same(x, now); });
        const auto last = std::find_if(before.rbegin(), before.rend(),
                                       [&](const At& x) { return x.stores && same(x, now); });
        const bool follows =
            last != before.rend() && last->thread != now.thread && !(last->atomic && now.atomic);
        too_early += now.loads && follows && (is_new || now.atomic);
        rewritten += now.stores && follows;
        overwritten +=
            now.stores && std::any_of(before.begin(), before.end(), [&](const At& x) {
              return x.loads && same(x, now) && x.thread != now.thread && !(x.atomic && now.atomic);
            });
      }
      const auto use = barrier_use(r, 0, at[k]);
      EXPECT_EQ(use->reads, too_early) << a->name << ", step " << at[k] + 1;
      EXPECT_EQ(use->overwrites, overwritten) << a->name << ", step " << at[k] + 1;
      EXPECT_EQ(use->rewrites, rewritten) << a->name << ", step " << at[k] + 1;
      EXPECT_EQ(use->read.has_value(), too_early > 0);
      ++barriers;
      reads += too_early > 0;
      overwrites += overwritten > 0;
      const std::string text = barrier_text(r, *use);
      EXPECT_EQ(text.back(), '.');
      EXPECT_NE(text.find(fmt::format("line {}", use->line)), text.npos);
    }
  }
  EXPECT_GT(barriers, 100);
  EXPECT_GT(reads, 50);
  EXPECT_GT(overwrites, 10);
}

TEST(BarrierUse, NamesTheValueThatWouldBeReadTooEarly) {
  const Recording r = record("reduce_sequential", 64);
  const int step = step_of_stride(r, Phase::reduce, 32);
  const auto use = barrier_use(r, 0, step);
  ASSERT_TRUE(use && use->read);
  const Crossing& c = *use->read;
  const Event &before = r.trace.events[c.before], &after = r.trace.events[c.after];
  EXPECT_NE(thread_of(before, c.before_lane), thread_of(after, c.after_lane));
  EXPECT_EQ(r.trace.values[c.before_value],
            r.trace.values[c.after_value]);  // after the barrier, the load reads the stored value
  const std::string text = barrier_text(r, *use);
  EXPECT_NE(text.find(" instead of "), text.npos) << text;
}

TEST(BecauseView, ShowsEveryLane) {
  const Recording r = record("scan_blelloch", 64);
  const int step = step_of_stride(r, Phase::up_sweep, 8);
  const Scene scene = draw("because", r, at_step(step), 1272, 620);
  for (const char* text : {"index = 16t + 7", "16·3 + 7 = 55", "ai = pad(index)", "55 mod 32", "t < d", "yes",
                           "lanes 4–31  masked off: t < d is not true", "In general", "16 words", "2 banks",
                           "16-way", "Divergence also costs time", "12.5 % of lanes used",
                           "The barrier before this step", "T left = temp[ai];"})
    EXPECT_TRUE(says(scene, text)) << text;
  std::vector<std::string> marks;
  for (const TextShape& t : texts(scene))
    if (t.text.size() == 1 && std::islower(static_cast<unsigned char>(t.text[0]))) marks.push_back(t.text);
  EXPECT_EQ(marks, (std::vector<std::string>{"a", "b", "a", "b"}));  // marks of lanes 0, 1, 2 and 3
  // The table in the view contains many distances between addresses, but the view must mark only the distance
  // of this request.
  const auto with_stroke = [&](const Theme& t) {
    return std::count_if(scene.shapes.begin(), scene.shapes.end(), [&](const Shape& s) {
      const auto* box = std::get_if<RectShape>(&s.what);
      return box && box->stroke_width == 2 && box->stroke == t.now;
    });
  };
  EXPECT_EQ(with_stroke(dark_theme()), 1);
}

// In a window of 1280 x 720, the enlarged view has a size of 846 x 476. All active lanes must have a row,
// because the table cannot be scrolled.
TEST(BecauseView, HasARowForEachActiveLaneInASmallWindow) {
  int full = 0;
  for (const Algorithm* a : correct_algorithms(Language::cuda)) {
    const Recording r = record(a->name, std::min(a->largest.value_or(100), 100));
    for (int step = 0; step < std::min(12, static_cast<int>(r.trace.steps.size())); ++step) {
      const Scene scene =
          draw("because", r, at_step(step), 846, 476, step % 2 ? light_theme() : dark_theme());
      EXPECT_FALSE(says(scene, "not fit here")) << a->name << ", step " << step + 1;
      full += says(scene, "31");
    }
  }
  EXPECT_GT(full, 50);
}

// The view must show the lane utilisation at all strides of a block of 1,024 elements. If a phase has too
// many steps, the view must say how many steps are left out.
TEST(BecauseView, ShowsTheUtilisationAtEveryStride) {
  const Recording r = record("scan_blelloch", 1024);
  for (const int stride : {1, 32, 512}) {
    const Scene scene = draw("because", r, at_step(step_of_stride(r, Phase::up_sweep, stride)), 1272, 830);
    for (int each = 1; each <= 512; each *= 2)
      EXPECT_TRUE(says(scene, fmt::format("stride {}", each))) << each << " at " << stride;
    EXPECT_FALSE(says(scene, "of this phase"));
    EXPECT_TRUE(says(draw("because", r, at_step(step_of_stride(r, Phase::up_sweep, stride)), 880, 1400),
                     "2 other steps of this phase not shown"));
  }
}

TEST(BecauseView, LooksAsCommitted) {
  const Recording r = record("scan_blelloch", 64);
  const int step = step_of_stride(r, Phase::up_sweep, 8);
  expect_as_committed("because", svg(draw("because", r, at_step(step), 1272, 620)));
  expect_as_committed("because-light", svg(draw("because", r, at_step(step), 1272, 620, light_theme())));
  Settings s;
  s.choose("layout", "pad32");
  expect_as_committed("because-padded",
                      svg(draw("because", record("scan_blelloch", 64, s), at_step(step), 620, 420)));
}

TEST(BecauseView, LightsTheLaneUnderTheMouse) {
  const Recording r = record("scan_blelloch", 64);
  const int step = step_of_stride(r, Phase::up_sweep, 8);
  const auto shapes = [&](const Id& hover) {
    Cursor c = at_step(step);
    c.hover = hover;
    return draw("because", r, c, 1272, 620).shapes.size();
  };
  const std::size_t plain = shapes({});
  EXPECT_EQ(shapes(LaneId{step, {.warp = 0, .lane = 2}}), plain + 1);
  EXPECT_EQ(shapes(LaneId{step, {.warp = 0, .lane = 9}}), plain);  // lane 9 is masked off
  EXPECT_EQ(shapes(BankId{7}), plain + 2);
  EXPECT_EQ(shapes(CellId{.cell = 39}), plain + 1);
  EXPECT_EQ(shapes(StepId{step}), plain + 1);
}

// With 16 banks, the view must compute each bank as the word modulo 16, and must not show a distance of 32
// words.
TEST(BecauseView, ShowsSixteenBanks) {
  const Recording r = record("scan_blelloch", 64);
  Cursor c = at_step(step_of_stride(r, Phase::up_sweep, 8));
  c.half_warps = true;
  const Scene scene = draw("because", r, c, 1272, 620);
  EXPECT_TRUE(says(scene, "word mod 16"));
  EXPECT_TRUE(says(scene, "55 mod 16"));
  EXPECT_TRUE(says(scene, "16-way"));
  EXPECT_FALSE(says(scene, "32 words"));
}

TEST(BecauseView, ExplainsGlobalMemoryAndShuffles) {
  Settings s;
  s.type = Scalar::int32;
  const Recording r = record("reduce_two_pass_blocked", 512, s, 3, 32);
  const int event = global_event(r, at_step(0));
  ASSERT_GE(event, 0);
  const BecauseGlobal g = because_global(r.trace, event);
  EXPECT_GT(g.sectors, g.fewest);
  Cursor c = at_step(0);
  const std::vector<int> all = requests(r.trace, 0, 0);
  c.request = static_cast<int>(std::find(all.begin(), all.end(), event) - all.begin());
  const Scene scene = draw("because", r, c, 1000, 620);
  for (const char* text : {"sector", "4 bytes", "16 bytes", "byte div 32"})
    EXPECT_TRUE(says(scene, text)) << text;
  expect_as_committed("because-global-light", svg(draw("because", r, c, 1000, 620, light_theme())));
  const Recording warps = record("reduce_shuffle", 64, s, 3, 64);
  EXPECT_TRUE(says(draw("because", warps, at_step(1), 1000, 560), "takes from lane"));
}

// The sentences must give the reason for a conflict only once. If padding prevents a conflict, the sentences
// must say that padding is the reason.
TEST(BecauseWords, GiveOneReason) {
  const Recording plain = record("scan_blelloch", 64);
  const int step = step_of_stride(plain, Phase::up_sweep, 8);
  const std::string text = words(plain, at_step(step));
  EXPECT_NE(text.find("Neighbouring lanes are 16 words apart, so the words are in only 2 banks."), text.npos)
      << text;
  EXPECT_EQ(text.find("eighbouring", text.find("eighbouring") + 1), text.npos);
  Settings s;
  s.choose("layout", "pad32");
  const Recording wide = record("scan_blelloch", 1024, s);
  const std::string padded = words(wide, at_step(step_of_stride(wide, Phase::up_sweep, 16)));
  EXPECT_NE(padded.find("With padding, neighbouring lanes are 33 words apart, not 32, so each word is in a "
                        "different bank."),
            padded.npos)
      << padded;
}

}  // namespace because_view_test
}  // namespace upsweep
