// Tests what a learner sees first: useful default sizes, pictures whose parts do not move, marks that show
// conflicts without colour, and sentences that say why nothing happened.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <ranges>
#include <set>

#include "catalogue/data.hpp"
#include "catalogue/plan.hpp"
#include "machine/emulator/emulator.hpp"
#include "panels/chrome.hpp"
#include "panels/help.hpp"
#include "panels/keys.hpp"
#include "panels/layout.hpp"
#include "panels/missing_field.hpp"
#include "panels/presentation_layout.hpp"
#include "scene/views/bank_columns.hpp"
#include "study/recording.hpp"
#include "study/teaching.hpp"
#include "study/wrong_result.hpp"
#include "support/drawn_views.hpp"
#include "support/gated_session.hpp"
#include "support/pictures.hpp"
#include "support/session_start.hpp"
#include "support/timed_session.hpp"
#include "words/kernel_comment.hpp"
#include "words/words.hpp"

namespace upsweep {
namespace learner_test {

int blocks_of(const Algorithm& a, const Settings& s) {
  int blocks = 0;
  for (const PlannedLaunch& launch : plan(a, s).launches) blocks = std::max(blocks, launch.blocks);
  return blocks;
}

// --- the size that is shown first

TEST(Teaching, EverySizeIsSmallAndShowsSomething) {
  for (const Algorithm& a : cuda_algorithms()) {
    Settings s;
    s.algorithm = a.name;
    fit_kind(a, s);
    teach(a, s, true, 32);
    EXPECT_NO_THROW(validate(s)) << a.name;
    EXPECT_LE(s.n, a.waits_for_blocks() ? 16'384 : 4096) << a.name;
    if (fits_one_block(a)) { EXPECT_LE(s.n, 128) << a.name; }
    if (a.family == "scan" && !a.many_blocks && !a.choice("layout")) {
      EXPECT_EQ(s.n, a.name == "scan_brent_kung" ? 64 : 32) << a.name << ": all values can be read";
    }
    if (a.family == "reduction" && fits_one_block(a)) {
      EXPECT_GE(s.block, 64) << a.name << ": several warps";
    }
    Settings large = s;
    large.n = 1 << 16;
    if (a.many_blocks && !a.is_broken() && blocks_of(a, large) > 1) {
      EXPECT_GE(blocks_of(a, s), 2) << a.name;
    }
    if (a.uses_grid && !a.is_broken()) { EXPECT_GE(s.n, 8 * s.block * s.grid) << a.name << ": threads loop"; }
    if (a.waits_for_blocks() && !a.uses_grid && a.text.find("look_back") != a.text.npos)
      EXPECT_GE(blocks_of(a, s), 16) << a.name << ": enough tiles to look back over";
  }
}

TEST(Teaching, EveryBugShowsAtOnce) {
  for (const Algorithm& a : cuda_algorithms()) {
    if (!a.is_broken()) continue;
    Settings s;
    s.algorithm = a.name;
    fit_kind(a, s);
    teach(a, s, true, 32);
    const Trace trace = Emulator().record(s, seeded_data(s, 3), RecordOptions{});
    if (wrong_result(trace)) continue;
    EXPECT_FALSE(make_recording(trace).find_hazards().findings.empty())
        << a.name << ": no wrong result and no hazard";
  }
}

TEST(Teaching, TheBlockFollowsNUntilAPersonChoosesIt) {
  Session s(start(64, "scan_large"));
  s.set_n(1000);
  EXPECT_EQ(s.settings().block, 32);
  s.set_n(100'000);
  EXPECT_GT(s.settings().block, 32) << "100,000 elements need no 1,563 blocks of one warp";
  s.set_n(1000);
  EXPECT_EQ(s.settings().block, 32);
  s.set_block(128);
  s.set_n(20'000);
  EXPECT_EQ(s.settings().block, 128);
  s.undo();
  s.undo();
  s.set_n(20'000);
  EXPECT_NE(s.settings().block, 128) << "undo takes the choice back";
}

TEST(Teaching, ANumberBeyondAllLimitsIsRefusedWithTheKernelsLimit) {
  Session s(start());
  EXPECT_EQ(s.set_n(99'999'999'999'999), Answer::refused);
  EXPECT_EQ(s.error(),
            "n = 99,999,999,999,999 is too large for Blelloch scan, which works in one block: choose at most "
            "2,048.");
}

TEST(Teaching, ATooLargeNIsBlamedAndNotTheBlock) {
  Session s(start(64, "scan_large"));
  s.set_n(100'000);
  EXPECT_EQ(s.set_algorithm("scan_blelloch"), Answer::refused);
  EXPECT_EQ(s.error(),
            "n = 100,000 is too large for Blelloch scan, which works in one block: choose at most 2,048.");
  EXPECT_EQ(s.settings().algorithm, "scan_large");
}

// --- pictures whose parts do not move

TEST(HoldsStill, HeightsAndColumnsDoNotDependOnThePadding) {
  std::mt19937 random(5);
  for (const int n : {8, 64, 200, 512, 1024}) {
    std::set<std::tuple<float, float, float, float>> heights;
    for (const char* layout : {"none", "pad32", "pad16", "pad32x2"}) {
      Settings s;
      s.choose("layout", layout);
      const Recording r = record("scan_blelloch", n, s, random());
      const PreferredHeights h = preferred_heights_of(r);
      heights.insert({h.memory, h.banks, h.warps, room_beside_banks(r, 1272)});
    }
    if (n != 8) EXPECT_EQ(heights.size(), 1u) << n;
  }
}

// Returns the x coordinate of each bank's number in the picture.
std::map<std::string, float> bank_numbers_of(const Scene& scene) {
  std::map<std::string, float> places;
  for (const Scene::Target& t : scene.targets)
    if (const auto* bank = as<BankId>(t.id)) places[std::to_string(bank->bank)] = t.box.x;
  return places;
}

TEST(HoldsStill, MemoryAndBanksShareTheirColumns) {
  for (const int n : {64, 256, 1024})
    for (const float width : {836.0f, 1272.0f, 2000.0f})
      for (const char* layout : {"none", "pad32"}) {
        Settings s;
        s.choose("layout", layout);
        const Recording r = record("scan_blelloch", n, s);
        const auto memory = bank_numbers_of(draw("memory", r, at_step(3), width, 140)),
                   banks = bank_numbers_of(draw("banks", r, at_step(3), width, 140));
        ASSERT_EQ(memory.size(), 32u) << n << " " << width;
        EXPECT_EQ(memory, banks) << n << " " << width << " " << layout;
      }
}

TEST(HoldsStill, AMessageMovesTheViewsAndCoversNothing) {
  const Recording r = record("scan_blelloch", 64);
  const PreferredHeights heights = preferred_heights_of(r);
  const WindowLayout without = window_layout(1280, 720, {}, heights),
                     with = window_layout(1280, 720, {}, heights, 36);
  for (const Box& box : with.homes)
    if (box.h > 0) EXPECT_GE(box.y, top_bar_height + 36);
  EXPECT_EQ(without.bottom.y, with.bottom.y);
  const WindowLayout presented = presentation_layout(800, 450, {}, r, 0),
                     below = presentation_layout(800, 450, {}, r, 36);
  EXPECT_EQ(presented.large.y + 36, below.large.y);
  EXPECT_EQ(presented.bottom.y, below.bottom.y);
}

// --- conflicts are marked without colour

int triangles(const Scene& scene) {
  return static_cast<int>(std::count_if(scene.shapes.begin(), scene.shapes.end(), [](const Shape& s) {
    return std::holds_alternative<TriangleShape>(s.what);
  }));
}

TEST(Notch, MarksConflictsAndNothingElse) {
  Settings padded;
  padded.choose("layout", "pad32");
  const Recording none = record("scan_blelloch", 64), pad = record("scan_blelloch", 64, padded);
  for (const char* name : {"memory", "banks"}) {
    EXPECT_GE(triangles(draw(name, none, at_step(3), 1272, 180)), 4) << name;
    EXPECT_EQ(triangles(draw(name, pad, at_step(3), 1272, 180)), 0) << name;
  }
}

TEST(Banks, ALargeViewSaysWhyWordsShareABank) {
  const Scene scene = draw("banks", record("scan_blelloch", 64), at_step(3), 1272, 600);
  expect_words_fit(scene, {1272, 600});
  EXPECT_TRUE(says(scene, "but this request needs 2 of its words"));
  EXPECT_TRUE(says(scene, "thread 4 · temp[35] · word 35 · 35 mod 32 = 3"));
  Cursor half_warps = at_step(3);
  half_warps.half_warps = true;
  EXPECT_TRUE(says(draw("banks", record("scan_blelloch", 64), half_warps, 1272, 600), " mod 16 = "));
}

TEST(Banks, LowRowsSayWhatTheyAre) {
  const Recording r = record("scan_blelloch", 1024);
  const int step = 6;  // stride 32: 16 words in one bank
  EXPECT_TRUE(says(draw("banks", r, at_step(step), 1272, 150), "16 words of bank 31: one in each wavefront"));
}

// --- the sentences about a step

TEST(Warps, StatesHaveTheirNames) {
  for (const char* name : {"reduce_interleaved", "scan_blelloch", "reduce_unrolled_warp", "reduce_serial"}) {
    const Recording r = record(name, 256);
    for (int step = 0; step < static_cast<int>(r.trace.steps.size()); step += 3)
      for (const Scene& scene :
           {draw("warps", r, at_step(step), 1272, 130), draw("words", r, at_step(step), 1272, 80)})
        for (const char* old : {"retired", "idle", "lanes work", "lane works", "no work"})
          EXPECT_FALSE(says(scene, old)) << name << ", step " << step << ": " << old;
  }
  EXPECT_TRUE(
      says(draw("warps", record("reduce_sequential", 256), at_step(4), 1272, 130), "waiting at the barrier"));
  const Recording r = record("scan_blelloch", 64);
  EXPECT_TRUE(says(draw("warps", r, at_step(1), 1272, 130), "32 of 32 lanes active"));
}

TEST(About, ShowsTheIdeaOfEveryKernel) {
  for (const Algorithm& a : algorithms()) {
    const KernelComment comment = read_comment(a.text);
    EXPECT_EQ(comment.title, a.title);
    EXPECT_EQ(comment.idea, a.idea) << a.name;
    EXPECT_EQ(comment.watch, a.watch) << a.name;
    EXPECT_EQ(comment.source, a.source) << a.name;
  }
  EXPECT_EQ(read_comment("").idea, "");
  EXPECT_EQ(read_comment("// T\n// Watch `x >> 1` has no effect.\n").watch, "x >> 1 has no effect.");
  EXPECT_EQ(read_comment("// T\n// Idea  a\n//    b\nint x;\n// Watch c").idea, "a b");
  const Recording r = record("scan_blelloch", 64);
  for (const float width : {420.0f, 640.0f}) {
    const Scene scene = draw("about", r, at_step(0), width, 420);
    expect_words_fit(scene, {width, 420});
    EXPECT_TRUE(says(scene, "Watch"));
    EXPECT_TRUE(says(scene, "Build a tree of partial sums"));
  }
}

TEST(Words, WhatIsCutOffIsInTheTip) {
  const Recording r = record("scan_blelloch", 64);
  const Cursor c = at_step(3);
  const Scene cut = draw("words", r, c, 500, 40), whole = draw("words", r, c, 1900, 80);
  ASSERT_EQ(cut.targets.size(), 1u);
  EXPECT_TRUE(whole.targets.empty());
  EXPECT_EQ(tip_of({r, c}, cut.targets.front().id), sentences(r, c));
}

// --- the sentences that say why nothing happened

TEST(Why, KeysWithoutAFieldSaySo) {
  Session s(start(64, "scan_sequential"));
  for (const Field field : {Field::grid, Field::layout, Field::load_pattern, Field::variant}) {
    const std::string why = why_no_field(s.algorithm(), field);
    if (field == Field::variant && s.algorithm().choice("gives")) EXPECT_EQ(why, "");
    else EXPECT_TRUE(why.starts_with("Sequential scan ")) << why;
  }
  EXPECT_EQ(s.next_choice("layout"), Answer::refused);
  EXPECT_EQ(s.error(), "Sequential scan has no padding to choose.");
  EXPECT_EQ(why_no_field(algorithm("scan_blelloch"), Field::layout), "");
  EXPECT_EQ(why_no_field(algorithm("reduce_two_pass"), Field::grid), "");
}

// The key for padding must select the next option of the choice for padding. The name of this choice depends
// on the algorithm.
TEST(Why, EveryPaddingHasItsKey) {
  const std::map<std::string, std::string> expected = {{"summed_area_table", "row_cells"},
                                                       {"scan_blelloch", "layout"}};
  for (const auto& [name, choice] : expected) {
    Session s(start(64, "scan_sequential"));
    s.set_algorithm(name);
    EXPECT_EQ(why_no_field(s.algorithm(), Field::layout), "") << name;
    std::set<std::string> seen;
    for (std::size_t i = 0; i < s.algorithm().choice(choice)->options.size(); ++i) {
      perform(s, {Action::next_layout, 0});
      EXPECT_EQ(s.error(), "") << name;
      seen.insert(std::string(chosen(s.algorithm(), s.settings(), choice)));
    }
    EXPECT_EQ(seen.size(), s.algorithm().choice(choice)->options.size()) << name;
  }
  for (const Algorithm& a : algorithms()) {
    const bool padded = a.text.find(" pitch ") != std::string::npos || a.choice("layout");
    if (padding_of(a)) EXPECT_TRUE(padded) << a.name;
    EXPECT_EQ(why_no_field(a, Field::layout).empty(), padding_of(a) != nullptr) << a.name;
  }
}

// If an algorithm only moves elements (such as a sort) or allows only one operator, the window must offer no
// choice of operators. Otherwise, the window must offer this choice.
TEST(Why, NoOperatorIsOfferedWhereNoneCanBeChosen) {
  for (const Algorithm& a : algorithms()) {
    const bool moves = std::ranges::all_of(a.results, [](const Result* r) { return r->moved != nullptr; });
    const auto allowed =
        std::ranges::count_if(std::views::iota(0, static_cast<int>(std::size(operator_names))),
                              [&](int op) { return a.allows(static_cast<Operator>(op)); });
    EXPECT_EQ(chooses_operator(a), allowed > 1 && !moves) << a.name;
    EXPECT_EQ(why_no_field(a, Field::op).empty(), chooses_operator(a)) << a.name;
  }
  EXPECT_FALSE(chooses_operator(algorithm("stream_compaction")));
  EXPECT_FALSE(chooses_operator(algorithm("radix_sort")));
}

TEST(Notices, EndWithTheNextAction) {
  Session s(start());
  s.tell("It is done.");
  EXPECT_EQ(s.banner().text, "It is done.");
  s.step_by(1);
  EXPECT_EQ(s.banner().text, "");
  s.complain("It is wrong.");
  s.step_by(1);
  EXPECT_EQ(s.banner().text, "It is wrong.") << "an error stays until it is closed";
}

TEST(Undo, AnExampleIsOneStep) {
  Session s(timed(shipped_sources()));
  const Settings before = s.settings();
  s.next_case(true);
  EXPECT_TRUE(s.looks.timing_large);
  EXPECT_NE(s.settings(), before);
  EXPECT_TRUE(s.undo());
  EXPECT_FALSE(s.looks.timing_large);
  EXPECT_EQ(s.settings(), before);
}

TEST(Undo, RedoDoesNotRecordASlowRunAgain) {
  Gate gate;
  Session::Start begin = gated(gate, 600);
  begin.moment = 0.01;
  Session s(std::move(begin));
  s.settle(60);
  s.set_n(700);
  std::this_thread::sleep_for(250ms);
  gate.open = true;
  s.settle(60);
  const auto slow = s.shared_recording();
  ASSERT_EQ(slow->trace.settings.n, 700);
  s.undo();
  s.settle(60);
  ASSERT_EQ(s.recording().trace.settings.n, 512);
  gate.open = false;  // if redo() recorded the run again, the recording would wait at the gate
  EXPECT_TRUE(s.redo());
  EXPECT_EQ(s.shared_recording(), slow);
  EXPECT_FALSE(s.recording_under_way());
  gate.open = true;
}

// When the key X removes a barrier, the source must scroll to this barrier, even in a low window.
TEST(Learner, TheSourceScrollsToTheBarrierThatIsTakenOut) {
  for (const char* name : {"scan_blelloch", "scan_hillis_steele", "reduce_shuffle", "radix_sort"}) {
    Session s(start(64, name));
    for (const int step : {1, 2, s.step_count() - 1}) {
      s.go_to(step);
      s.toggle_barrier();
      const int line = s.settings().without_barrier;
      ASSERT_GT(line, 0) << name;
      const Scene scene = draw("source", s.recording(), s.cursor(), 480, 190);
      EXPECT_TRUE(std::ranges::any_of(
          scene.targets,
          [&](const Scene::Target& t) { return is<BarrierId>(t.id) && line_of(t.id) == line; }))
          << name << " step " << step;
      s.toggle_barrier();
    }
    // A click on a barrier must not scroll the source.
    s.go_to(1);
    const int first_line = s.cursor().first_line;
    s.click(BarrierId{.line = s.recording().barriers.back()});
    EXPECT_EQ(s.cursor().first_line, first_line);
  }
}

}  // namespace learner_test
}  // namespace upsweep
