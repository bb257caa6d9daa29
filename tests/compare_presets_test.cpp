// Tests the presets for comparisons. A preset is a pair of runs that are instructive side by side.
#include "study/compare_presets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "panels/comparison_panel.hpp"
#include "panels/palette.hpp"
#include "scene/comparison.hpp"
#include "scene/theme.hpp"
#include "study/timing_choice.hpp"
#include "support/claims.hpp"
#include "support/gated_session.hpp"
#include "support/pictures.hpp"
#include "support/session_start.hpp"
#include "timing/timings.hpp"
#include "words/compared.hpp"

namespace upsweep {
namespace compare_presets_test {

double of_run(const Recording& r, const std::string& name) {
  for (const Quantity& q : compared_quantities())
    if (q.name == name) return q.of_run(r).value_or(-1);
  ADD_FAILURE() << name;
  return -1;
}

TEST(ComparePresets, PresetsShowWhatTheySay) {
  Session s(start());
  const auto runs = [&](const std::string& title) {
    const auto presets = compare_presets();
    const auto p = std::ranges::find(presets, title, &ComparePreset::title);
    ASSERT_NE(p, presets.end()) << title;
    s.compare(p->baseline, p->change);
    s.settle(60);
    ASSERT_TRUE(s.compares()) << title;
  };
  const auto baseline = [&](const std::string& name) { return of_run(s.recording(), name); };
  const auto changed = [&](const std::string& name) { return of_run(*s.changed(), name); };
  runs("No padding, pad32");
  EXPECT_EQ(baseline("excess"), 1240);
  EXPECT_EQ(changed("excess"), 0);
  runs("Interleaved, sequential addressing");
  EXPECT_EQ(baseline("operations"), changed("operations"));
  EXPECT_LT(baseline("lane utilisation"), changed("lane utilisation"));
  runs("One buffer, two buffers");
  EXPECT_EQ(baseline("barriers"), 2 * changed("barriers"));
  runs("Blelloch, Brent-Kung");
  EXPECT_GT(baseline("operations"), changed("operations"));
  runs("Looped, unrolled");
  EXPECT_GT(baseline("barriers"), changed("barriers"));
  runs("Shared memory, shuffles");
  EXPECT_GT(baseline("requests"), changed("requests"));
  EXPECT_GT(baseline("barriers"), changed("barriers"));
  EXPECT_EQ(baseline("operations"), 129);
  EXPECT_EQ(changed("operations"), 2 * 129);
  runs("Three launches, look-back");
  EXPECT_EQ(s.recording().trace.grids.size(), 3u);
  EXPECT_EQ(s.changed()->trace.grids.size(), 1u);
  EXPECT_EQ(claimed::accesses(s.recording(), "in", true), 2 * 1024);
  EXPECT_EQ(claimed::accesses(*s.changed(), "in", true), 1024);
  EXPECT_GT(s.changed()->trace.grids[0].blocks, 1) << "no tile looks back";
  EXPECT_GT(baseline("traffic"), changed("traffic"));
  const Timings measured = read_timings(std::string(UPSWEEP_SOURCE_DIR) + "/assets/timings/nvidia-h200.json");
  const auto seconds = [&] {
    const Settings &a = s.recording().trace.settings, &b = s.changed()->trace.settings;
    const auto one = largest_row(measured, a, b), two = largest_row(measured, b, a);
    EXPECT_TRUE(one && two && one->settings.n == two->settings.n);
    return std::pair(one->seconds.median, two->seconds.median);
  };
  EXPECT_GT(seconds().first, seconds().second);
  // With fewer elements per thread, traffic and time grow.
  double traffic = changed("traffic"), time = seconds().second;
  for (const char* items : {"7", "3", "1"}) {
    s.compare({}, {.algorithm = "scan_decoupled_lookback", .block = 32, .choices = {{"items", items}}});
    s.settle(60);
    EXPECT_GT(changed("traffic"), traffic) << items;
    EXPECT_GT(seconds().second, time) << items;
    traffic = changed("traffic"), time = seconds().second;
  }
}

// A computer without a GPU does not offer the presets that need a GPU.
TEST(ComparePresets, OffersOnlyPossiblePresets) {
  const bool has = open_machine(MachineChoice::automatic)->kind() == MachineKind::gpu;
  std::set<std::string> offered;
  for (const ComparePreset* p : possible_presets()) offered.insert(p->title);
  Session s(start());
  int need_gpu = 0;
  for (const ComparePreset& p : compare_presets()) {
    const bool needs = p.baseline.machine == MachineChoice::gpu;
    need_gpu += needs;
    EXPECT_EQ(offered.contains(p.title), has || !needs) << p.title;
    EXPECT_EQ(std::ranges::count(palette(s, {}), p.title, &PaletteEntry::name), has || !needs) << p.title;
  }
  EXPECT_GT(need_gpu, 0);
}

// If a comparison cannot be recorded, the session must not change. The recording may fail at once or later.
// The error message must disappear when the user starts another comparison.
TEST(ComparePresets, AComparisonThatFailsChangesNothing) {
  const Request gpu{.algorithm = "scan_blelloch", .n = 64, .machine = MachineChoice::gpu};
  for (const double moment : {60.0, 0.0})
    for (const bool compares : {true, false}) {
      Session::Start from = start();
      from.moment = moment;
      Session s(from);
      const Request shown{.algorithm = "reduce_interleaved", .n = 256},
          change{.algorithm = "reduce_sequential"};
      // The changed run is recorded after the baseline, so the test waits twice.
      const auto settle = [&] { s.settle(60), s.settle(60); };
      if (compares) s.compare(shown, change);
      settle();
      ASSERT_EQ(s.compares(), compares);
      const Request before = s.state();
      const auto recording = s.shared_recording(), changed = s.changed();
      s.compare(gpu, {.machine = MachineChoice::emulated});
      settle();
      EXPECT_EQ(s.error(), "There is no GPU here.");
      EXPECT_EQ(to_json(s.state()), to_json(before));
      EXPECT_EQ(s.shared_recording(), recording);
      EXPECT_EQ(s.changed(), changed);
      EXPECT_EQ(s.looks.comparing, compares);
      s.compare(shown, change);
      settle();
      EXPECT_EQ(s.error(), "");
      ASSERT_TRUE(s.compares());
      EXPECT_EQ(s.changed()->trace.settings.algorithm, "reduce_sequential");
    }
}

// If the user closes the comparison while another run is recorded, cancelling this recording must not open
// the comparison again. A new comparison closes the large view of times. Cancelling the new comparison must
// open this view again.
TEST(ComparePresets, ACancelledComparisonKeepsLaterChanges) {
  Gate gate;
  Session::Start from = impatient(gated(gate, 512, "reduce_interleaved"));
  from.settings.n = from.settings.block = 256;
  Session s(std::move(from));
  s.settle(60);
  ASSERT_NE(s.compare({.algorithm = "reduce_interleaved", .n = 256}, {.algorithm = "reduce_sequential"}),
            Answer::refused);
  s.settle(60), s.settle(60);
  ASSERT_TRUE(s.compares());
  // The comparison is closed while a larger baseline is recorded.
  s.set_n(1024);
  s.toggle_comparing();
  s.cancel();
  EXPECT_FALSE(s.looks.comparing);
  // Another comparison begins, and is cancelled.
  s.settle(60);
  ASSERT_FALSE(s.compares());
  s.looks.timing_large = true;
  ASSERT_EQ(s.compare({.algorithm = "scan_blelloch", .n = 512}, {.choices = {{"layout", "pad32"}}}),
            Answer::begun);
  ASSERT_TRUE(s.looks.comparing);
  ASSERT_TRUE(s.cancel());
  EXPECT_FALSE(s.looks.comparing);
  EXPECT_TRUE(s.looks.timing_large);
  EXPECT_EQ(s.recording().trace.settings.algorithm, "reduce_interleaved");
}

// If the shown run uses one of the two algorithms of a preset, the key Tab compares this run with a run of
// the other algorithm. The new run must have the n and the block size of the shown run, and not of the
// preset.
TEST(ComparePresets, TabComparesRunsWithEqualBlocks) {
  for (const ComparePreset& p : compare_presets()) {
    if (!p.change.algorithm) continue;
    SCOPED_TRACE(p.title);
    Session s(start());
    ASSERT_NE(s.apply({.algorithm = p.baseline.algorithm, .n = 1024}), Answer::refused) << s.error();
    if (algorithm(*p.baseline.algorithm).many_blocks) {
      ASSERT_NE(s.set_block(512), Answer::refused) << s.error();
    }
    s.settle(60);
    s.toggle_comparing();
    s.settle(60);
    ASSERT_TRUE(s.compares()) << s.changed_failure();
    EXPECT_EQ(s.changed()->trace.settings.n, s.recording().trace.settings.n);
    if (algorithm(*p.change.algorithm).many_blocks) {
      EXPECT_EQ(s.changed()->trace.settings.block, s.recording().trace.settings.block);
    }
  }
}

// If a run has no step that matches the other run's step, the heading of this run must say so. This applies
// to windows of all common widths.
TEST(ComparePresets, AMissingStepIsNamed) {
  int missing = 0;
  for (const ComparePreset* p : possible_presets()) {
    Session s(start());
    s.compare(p->baseline, p->change);
    s.settle(60);
    ASSERT_TRUE(s.compares()) << p->title;
    for (int pair = 0; pair < std::ssize(s.pairs()); ++pair) {
      s.go_to_pair(pair);
      const ComparedRuns runs = compared_runs(s);
      for (const bool is_changed : {false, true})
        for (const float width : {560.0f, 640.0f, 800.0f, 960.0f, 1280.0f}) {
          const int step = is_changed ? runs.now().changed : runs.now().baseline;
          const Scene scene = side_name_scene(runs, is_changed, dark_theme(), width, 120);
          expect_words_fit(scene, {width, side_name_height});
          const bool is_said = says(scene, "no matching step") ||
                               says(scene, "no step of this run matches, so the previous step is shown") ||
                               says(scene, "no step of this run matches, so the first step is shown");
          EXPECT_EQ(is_said, step < 0) << p->title << ", pair " << pair << ", " << width;
          missing += step < 0;
        }
    }
  }
  EXPECT_GT(missing, 20);
}

// If the user has enlarged all texts, each run has less space. Nevertheless, the view must show values of two
// digits, and every text must have a size of at least 7.5 pixels on the screen.
TEST(ComparePresets, TwoDigitsFitEvenIfTextIsEnlarged) {
  Session s(start());
  s.compare({.algorithm = "scan_hillis_steele", .n = 32}, {.algorithm = "scan_double_buffer"});
  s.settle(60);
  ASSERT_TRUE(s.compares());
  const View& memory = views()[static_cast<std::size_t>(view_index("memory"))];
  int two_digits = 0;
  for (int pair = 0; pair < std::ssize(s.pairs()); ++pair) {
    s.go_to_pair(pair);
    if (s.step().stride > 4 || s.step().phase == Phase::store) continue;  // sums may have three digits
    const Cursor there = s.changed_cursor();
    const Reading sides[] = {{s.recording(), s.cursor()}, {*s.changed(), there}};
    for (const bool is_changed : {false, true})
      for (const float enlarged : {1.0f, 1.44f, 2.0f}) {
        const Scene scene = draw_view(memory, {.recording = sides[is_changed].recording,
                                               .cursor = sides[is_changed].cursor,
                                               .theme = light_theme(),
                                               .width = 640 / enlarged,
                                               .height = 140,
                                               .beside = &sides[!is_changed],
                                               .enlarged = enlarged});
        for (const TextShape& t : texts(scene)) {
          EXPECT_FALSE(t.text == "…" && t.align == Align::centre) << "pair " << pair << ", " << enlarged;
          EXPECT_GE(t.size * enlarged, 7.49f) << t.text;
          two_digits += t.text.size() == 2 && t.align == Align::centre;
        }
      }
  }
  EXPECT_GT(two_digits, 200);
}

}  // namespace compare_presets_test
}  // namespace upsweep
