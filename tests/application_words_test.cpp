// Tests the window's sentences about applications: permutations, numbers that are loaded from memory, the
// identity, the numbers of steps, lanes at barriers, and phases in the timeline.
#include <gtest/gtest.h>

#include <bit>

#include "analysis/lanes.hpp"
#include "analysis/memory.hpp"
#include "analysis/run_index.hpp"
#include "analysis/step_index.hpp"
#include "catalogue/ladder.hpp"
#include "support/compile_cases.hpp"
#include "support/drawn_views.hpp"
#include "support/pictures.hpp"
#include "trace/kernel_text.hpp"
#include "words/names.hpp"
#include "words/words.hpp"

namespace upsweep {
namespace application_words_test {

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

int step_count(const Recording& r) { return static_cast<int>(r.trace.steps.size()); }

std::string words_of(const Recording& r, Phase phase) {
  for (int step = 0; step < step_count(r); ++step)
    if (r.trace.steps[static_cast<std::size_t>(step)].phase == phase) return words(r, at_step(step));
  return {};
}

Settings with_pairs() {
  Settings s;
  s.choose("keys", "pairs");
  s.type = Scalar::uint32;
  return s;
}

TEST(ApplicationWords, APermutationIsToldAsOne) {
  const std::string move = words_of(record("radix_sort", 64, with_pairs()), "move");
  EXPECT_TRUE(has(move, "to their own places in keys")) << move;
  EXPECT_TRUE(has(move, "Together, the threads fill keys[0–63] and beside[0–63].")) << move;
  const Recording r = record("stream_compaction", 27);
  const int kept = static_cast<int>(r.trace.more_outputs[0][0][0]);
  ASSERT_LT(kept, 27);
  const std::string scatter = words_of(r, "scatter");
  EXPECT_TRUE(has(scatter, "each copy in[t] to their own place in out. ")) << scatter;
  EXPECT_TRUE(has(scatter, fmt::format("Together, the threads fill out[0–{}].", kept - 1))) << scatter;
  // Because the addresses of this store follow a pattern, the sentence about the store must name the pattern.
  EXPECT_FALSE(has(words_of(record("scan_blelloch", 64), Phase::store), "own place"));
}

TEST(ApplicationWords, ANumberFromMemoryIsToldByItsSource) {
  for (const int n : {32, 64, 200}) {
    const std::string load = words_of(record("radix_sort", n, with_pairs(), 3, 32), Phase::load);
    EXPECT_TRUE(has(load, "load values[t") && has(load, "into beside[t")) << load;
    EXPECT_FALSE(has(load, "number of their own")) << load;
    EXPECT_TRUE(has(load, "puts 0 into unsorted[0]")) << "a constant, although values[0] is 0, too: " << load;
  }
}

// If combining with a constant operand changes nothing, the sentence calls the constant the identity.
TEST(ApplicationWords, ConstantOperandsAreTheIdentity) {
  for (const Operator op : {Operator::affine, Operator::product, Operator::min})
    for (const Algorithm* a : correct_algorithms(Language::cuda)) {
      Settings s = first_settings(*a);
      s.op = op;
      fit_kind(*a, s);
      if (s.op != op || (a->commutative && op == Operator::affine)) continue;
      const Recording r = record(a->name, 40, s);
      for (int step = 0; step < step_count(r); ++step)
        EXPECT_FALSE(has(words(r, at_step(step)), "the constant 0"))
            << a->name << ": " << words(r, at_step(step));
    }
}

// The sentences say that a map (a function x -> a*x + b) is applied to a number. If maps are composed, the
// sentences name the maps in the order in which the maps act.
TEST(ApplicationWords, MapsAreAppliedToNumbers) {
  int applied = 0, composed = 0;
  for (const Algorithm* a : rungs_of("linear_recurrence"))
    for (const int n : {40, 1024}) {
      const Recording r = record(a->name, n, {}, 3, 32);
      for (int step = 0; step < step_count(r); ++step) {
        const std::string said = words(r, at_step(step));
        for (const char* wrong : {"apply their own values", "applies its own value", "own value to in[",
                                  "own values to their", "compose the value", "composes the value"})
          EXPECT_FALSE(has(said, wrong)) << a->name << ": " << said;
        applied += has(said, "map to its own number") || has(said, "map to their own number") ||
                   has(said, "maps to their own numbers") ||
                   has(said, "the map warp_maps[31] to their own numbers");
        composed += has(said, "and then");
      }
    }
  EXPECT_GT(applied, 0);
  EXPECT_GT(composed, 0);
  const Recording r = record("linear_recurrence", 1024, {}, 3, 32);
  const std::string second = words_of(r, Phase::reduce);
  EXPECT_TRUE(has(second, "each compose in[t] and then the map of lane t+1")) << second;
}

// If a step combines values of two lanes, the sentence about the step states the distance between the lanes.
// This distance is the stride of the step.
TEST(ApplicationWords, StridesOfWarpsAreDistancesOfLanes) {
  int compared = 0;
  for (const Algorithm* a : correct_algorithms(Language::cuda)) {
    if (a->text.find("__shfl_up_sync") == std::string::npos) continue;
    const Recording r = record(a->name, 1024, first_settings(*a));
    for (int step = 0; step < step_count(r); ++step) {
      const Step& s = r.trace.steps[static_cast<std::size_t>(step)];
      if (s.phase != Phase::scan || s.stride == 0) continue;
      const std::string said = words(r, at_step(step));
      if (!has(said, "lane t−")) continue;
      ++compared;
      EXPECT_TRUE(has(said, fmt::format("lane t−{}", s.stride))) << a->name << ": " << said;
    }
  }
  EXPECT_GT(compared, 10);
}

// If a loaded element decides which constant a kernel stores, the sentence about the load comes before the
// sentence about the store.
TEST(ApplicationWords, ALoadComesBeforeTheConstantThatItDecides) {
  for (const int n : {27, 64, 200}) {
    const std::string flag = words_of(record("stream_compaction", n, {}, 3, 32), "flag");
    EXPECT_LT(flag.find("read in[t"), flag.find("into flags[t")) << flag;
    EXPECT_TRUE(has(flag, "into flags[t")) << flag;
  }
}

// --- numbers of steps

TEST(ApplicationWords, TheNumberOfAStepHasItsName) {
  const Recording r = record("radix_sort", 64);
  EXPECT_TRUE(words_of(r, "compare").starts_with("Compare, bit 0."));
  EXPECT_TRUE(words_of(r, "split").starts_with("Split, bit 0."));
  EXPECT_TRUE(words_of(r, Phase::up_sweep).starts_with("Up-sweep, stride 1."));
  EXPECT_EQ(number_name("step(\"scan\", bit)", "scan"), "") << "the number of a common phase is a stride";
  EXPECT_EQ(number_name("step(\"merge\", stride);\nstep(\"move\", digit);", "merge"), "");
  EXPECT_EQ(number_name("step(\"mover\", bit);\nstep(\"move\", digit);", "move"), "digit");
  EXPECT_EQ(number_name("step(\"move\", 2 * bit);", "move"), "");
  EXPECT_EQ(number_name("step(\"move\");", "move"), "");
}

// In a recording, a step without a number also has the number 0. Therefore the window must show the number 0
// only if the kernel's text gives a number to the step. The window must show all other numbers.
TEST(ApplicationWords, EveryStepWithANumberShowsIt) {
  for (const Algorithm* a : correct_algorithms(Language::cuda)) {
    const Recording r = record(a->name, 40, first_settings(*a));
    for (const Step& s : r.trace.steps) {
      const std::string number = number_text(r.trace, s);
      const bool own = has(r.trace.text, fmt::format("step(\"{}\", ", name(s.phase))) &&
                       !number_name(r.trace.text, s.phase).empty();
      EXPECT_EQ(number.empty(), !own && s.stride == 0) << a->name << ", " << name(s.phase);
      EXPECT_TRUE(number.empty() || number.ends_with(fmt::format(" {}", s.stride))) << number;
    }
  }
}

// --- lanes

// A warp counts as waiting only if its next event is an arrival at a barrier.
TEST(ApplicationWords, AWaitingWarpMeetsABarrierBeforeItWorks) {
  int waiting = 0, others = 0;
  for (const Algorithm* a : correct_algorithms(Language::cuda)) {
    const Recording r = record(a->name, 200, first_settings(*a));
    const Trace& t = r.trace;
    for (int step = 0; step < step_count(r); ++step) {
      const int grid = grid_index(t, step), block = focus_of(t, grid).front();
      const std::vector<WarpLanes> warps = warp_lanes(t, block, step);
      for (std::size_t w = 0; w < warps.size(); ++w) {
        if (std::ranges::count(warps[w].lanes, LaneState::working) > 0) continue;
        Kind next = Kind::fence;
        for (std::size_t i = step_events(t, block, step).first; i < block_events(t, grid, block).last; ++i)
          if (const Event& e = t.events[i]; e.warp == w && (is_work(e.kind) || e.kind == Kind::barrier)) {
            next = e.kind;
            break;
          }
        const bool waits = std::ranges::count(warps[w].lanes, LaneState::waiting) > 0;
        EXPECT_EQ(waits, next == Kind::barrier) << a->name << ", step " << step << ", warp " << w;
        ++(waits ? waiting : others);
      }
      const std::string said = words(r, at_step(step));
      if (!r.step(block, step).has_barrier && block == 0) {
        EXPECT_FALSE(has(said, "waiting at the barrier")) << a->name << ": " << said;
      }
    }
  }
  EXPECT_GT(waiting, 10);
  EXPECT_GT(others, 10);
}

// --- the timeline, and sentences that do not fit

// A run on OpenGL has no shared memory, so the views do not mention bank conflicts.
TEST(ApplicationWords, ViewsOfOpenGLSpeakOfNoConflicts) {
  Recording r = record("reduce_global_in_place", 64);
  EXPECT_TRUE(says(draw("profile", r, at_step(1), 1400, 140), "bank conflict"));
  r.trace.machine = MachineKind::opengl;
  const Scene scene = draw("profile", r, at_step(1), 900, 140);
  for (const char* word : {"conflict", "bank", "wavefront"}) EXPECT_FALSE(says(scene, word)) << word;
  EXPECT_TRUE(says(scene, "active lanes"));
  EXPECT_TRUE(says(draw("banks", r, at_step(1), 900, 140), "no banks"));
}

TEST(ApplicationWords, TheTimelineNamesThePhaseThatIsShown) {
  for (const char* kernel : {"stream_compaction", "radix_sort", "summed_area_table", "scan_blelloch"}) {
    const Recording r = record(kernel, 64);
    for (const float width : {300.0f, 640.0f, 920.0f, 1600.0f, 3300.0f})
      for (int step = 0; step < step_count(r); ++step) {
        const Scene scene = draw("profile", r, at_step(step), width, 110);
        const auto said = texts(scene);
        EXPECT_EQ(std::ranges::count_if(said,
                                        [&](const TextShape& t) {
                                          return t.face == Face::bold && t.size == 11 && t.at.y > 96 &&
                                                 t.text == phase_text(r.trace.steps[step].phase);
                                        }),
                  1)
            << kernel << ", step " << step << ", " << width;
        expect_words_fit(scene, {width, 110});
      }
  }
}

TEST(ApplicationWords, SentencesThatDoNotFitAreLeftOutWhole) {
  int cut = 0;
  for (const char* kernel : {"stream_compaction", "radix_sort", "scan_per_output", "scan_large"}) {
    const Recording r = record(kernel, 64);
    for (const Point size : {Point{500, 60}, Point{900, 48}, Point{900, 90}, Point{1600, 60}})
      for (int step = 0; step < step_count(r); ++step) {
        std::string shown, all = words(r, at_step(step));
        for (const TextShape& t : texts(draw("words", r, at_step(step), size.x, size.y)))
          shown += (shown.empty() ? "" : " ") + t.text;
        if (shown.starts_with(all)) continue;  // all sentences fit; the view may have one more line
        ++cut;
        const std::size_t first = sentences(r, at_step(step)).front().size();
        ASSERT_TRUE(shown.ends_with("…")) << shown;
        if (shown.size() <= first + 4) continue;
        ASSERT_TRUE(shown.ends_with(". …")) << shown;
        EXPECT_TRUE(all.starts_with(shown.substr(0, shown.size() - std::string(" …").size()))) << shown;
      }
  }
  EXPECT_GT(cut, 5);
}

}  // namespace application_words_test
}  // namespace upsweep
