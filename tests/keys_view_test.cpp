// Tests analysis/key_pass.hpp, which finds the passes of radix sorts: loops over the keys must give the same
// passes. Also tests the view "Keys".
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "analysis/key_pass.hpp"
#include "catalogue/element_order.hpp"
#include "catalogue/ladder.hpp"
#include "support/drawn_views.hpp"
#include "support/pictures.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace keys_view_test {

using Kind = KeyPass::Kind;

// Returns random keys. Many keys are equal. Some keys are negative if the type is signed.
std::vector<Value> random_keys(int n, Scalar type, std::mt19937& random) {
  std::vector<Value> keys(static_cast<std::size_t>(n), Value{});
  for (Value& v : keys) {
    const int x = static_cast<int>(random() % 12) - (type == Scalar::uint32 ? 0 : 6);
    if (type == Scalar::float32) v[0] = std::bit_cast<std::uint32_t>(0.75f * static_cast<float>(x));
    else v[0] = static_cast<std::uint32_t>(x) << (x % 3 == 0 ? 20 : 0);
  }
  return keys;
}

struct SortRun {
  Recording recording;
  std::vector<Value> values;  // the values that belong to the keys
};
SortRun sort_run(const Algorithm& a, int n, Scalar type, bool pairs, std::mt19937& random) {
  Settings s{.algorithm = a.name,
             .n = n,
             .block = std::max(32, a.least_threads),
             .type = type,
             .choices = {{"keys", pairs ? "pairs" : "alone"}}};
  SortRun run;
  const std::vector<Value> keys = random_keys(n, type, random);
  for (int i = 0; i < n; ++i) run.values.push_back({static_cast<std::uint32_t>(random())});
  const Contents more = {run.values};
  run.recording =
      make_recording(Emulator().record(s, pairs ? Inputs(keys, more) : Inputs(keys), {.blocks = UINT32_MAX}));
  return run;
}

std::vector<std::uint32_t> elements(const std::vector<KeyPass::Key>& keys) {
  std::vector<std::uint32_t> all;
  for (const KeyPass::Key& k : keys) all.push_back(k.element);
  return all;
}

// Expects that each key of the pass is a key of the input and still has its value.
void expect_keys(const std::vector<KeyPass::Key>& keys, const SortRun& run) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const KeyPass::Key& k = keys[i];
    ASSERT_TRUE(k.known);
    EXPECT_EQ(k.index, static_cast<std::int64_t>(i));
    ASSERT_LT(k.element, run.values.size());
    EXPECT_EQ(k.key, run.recording.trace.input[k.element]);
    if (k.value) { EXPECT_EQ(*k.value, run.values[k.element]); }
  }
}

// Expects that the pass has moved its keys to the places that the kind of the pass requires.
void expect_moved(const KeyPass& pass, const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> due = elements(pass.before);
  if (pass.kind == Kind::split || pass.kind == Kind::digit) {
    std::stable_sort(due.begin(), due.end(),
                     [&](auto x, auto y) { return pass.digit(order[x]) < pass.digit(order[y]); });
  } else if (pass.kind == Kind::merge) {
    for (std::size_t at = 0; at < due.size(); at += 2 * static_cast<std::size_t>(pass.run_length)) {
      const auto begin = due.begin() + static_cast<std::ptrdiff_t>(at);
      std::stable_sort(begin,
                       due.end() - begin > 2 * pass.run_length ? begin + 2 * pass.run_length : due.end(),
                       [&](auto x, auto y) { return order[x] < order[y]; });
    }
  }
  EXPECT_EQ(elements(pass.after), due);
  EXPECT_EQ(pass.moved, pass.size);
  EXPECT_TRUE(pass.stable);
  for (const KeyPass::Key& k : pass.before) {
    ASSERT_GE(k.place, 0);
    EXPECT_EQ(due[static_cast<std::size_t>(k.place)], k.element);
    EXPECT_EQ(pass.after[static_cast<std::size_t>(k.place)].place, k.index);
  }
}

// Checks the flags of a split, which mark the keys whose digit is 0. After the scan of these flags is
// complete, also checks the scan.
void expect_counts(const KeyPass& pass, const std::vector<std::uint32_t>& order, bool before_move) {
  std::uint32_t zeros = 0;
  for (std::size_t i = 0; i < pass.flags.size(); ++i) {
    const std::uint32_t flag = pass.digit(order[pass.before[i].element]) == 0;
    EXPECT_EQ(pass.flags[i], flag);
    if (before_move) { EXPECT_TRUE(pass.scan_finished); }
    if (pass.scan_finished) { EXPECT_EQ(pass.scan.at(i), zeros); }
    zeros += flag;
  }
  if (pass.zeros) { EXPECT_EQ(*pass.zeros, zeros); }
}

// Goes through all steps of a run, and checks that each pass begins with the order in which the previous pass
// ended.
void expect_passes(const SortRun& run) {
  const Recording& r = run.recording;
  const Trace& trace = r.trace;
  std::map<int, std::vector<std::uint32_t>> last;  // the order after the previous pass, for each block
  const bool pairs = trace.settings.choice("keys") == "pairs";
  for (int step = 0; step < static_cast<int>(trace.steps.size()); ++step) {
    const Grid& grid = trace.grid_of(static_cast<std::uint32_t>(step));
    for (int block = 0; block < grid.blocks; ++block) {
      SCOPED_TRACE(fmt::format("{}, {} keys, step {}, block {}", trace.settings.algorithm, trace.settings.n,
                               step, block));
      const auto& pass = r.key_pass(block, step);
      ASSERT_TRUE(pass);
      EXPECT_LE(pass->first_step, step);
      EXPECT_GE(pass->last_step, step);
      ASSERT_EQ(std::ssize(pass->before), pass->size);
      expect_keys(pass->before, run);
      for (const KeyPass::Key& k : pass->before) EXPECT_EQ(k.value.has_value(), pairs);
      const int key = grid.blocks > 1 && pass->run_length == 0 && pass->kind != Kind::digit ? block : 0;
      if (pass->moved > 0) {
        expect_keys(pass->after, run);
        expect_moved(*pass, r.order);
        if (step == pass->last_step) {
          EXPECT_TRUE(
              std::all_of(pass->after.begin(), pass->after.end(), [](const auto& k) { return k.arrived; }));
        }
        if (pass->kind == Kind::split && step > pass->first_step && step < pass->last_step) {
          EXPECT_FALSE(
              std::any_of(pass->after.begin(), pass->after.end(), [](const auto& k) { return k.arrived; }));
        }
      } else {  // the block has stopped before its last pass
        EXPECT_EQ(pass->kind, Kind::split);
        EXPECT_TRUE(pass->in_order);
      }
      if (pass->kind == Kind::split && pass->moved > 0)
        expect_counts(*pass, r.order, step + 1 == pass->last_step);
      if (last.contains(key) && pass->first_step == step &&
          (pass->kind == Kind::split || pass->kind == Kind::store)) {
        EXPECT_EQ(elements(pass->before), last[key]);
      }
      if (pass->moved > 0) last[key] = elements(pass->after);
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(KeyPass, MovesEveryKeyByItsDigit) {
  std::mt19937 random(5);
  for (const Algorithm* a : rungs_of("radix_sort"))
    for (const Scalar type : {Scalar::int32, Scalar::uint32, Scalar::float32})
      for (const int n : {1, 17, 64, 150}) {
        expect_passes(sort_run(*a, n, type, n % 2 == 0, random));
        if (HasFailure()) return;
      }
}

TEST(KeyPass, HasSomeOfManyKeys) {
  std::mt19937 random(6);
  const SortRun run = sort_run(algorithm("radix_sort_digits"), 5000, Scalar::uint32, false, random);
  const auto& pass = run.recording.key_pass(0, static_cast<int>(run.recording.trace.steps.size()) - 1);
  ASSERT_TRUE(pass);
  EXPECT_EQ(pass->size, 5000);
  EXPECT_EQ(pass->moved, 5000);
  ASSERT_EQ(std::ssize(pass->before), KeyPass::most_keys);
  for (std::size_t i = 1; i < pass->after.size(); ++i)
    EXPECT_LT(pass->after[i - 1].index, pass->after[i].index);
}

// If only some blocks are recorded, each pass must have the same kind and size as in the full recording. A
// pass may have fewer known keys, but the view must state nothing false.
TEST(KeyPass, OfSomeBlocksIsPartOfThatOfAllBlocks) {
  std::mt19937 random(12);
  for (const Algorithm* a : rungs_of("radix_sort"))
    for (const std::uint32_t focus : {0u, 3u, 100u}) {
      const Settings s{
          .algorithm = a->name, .n = 1500, .block = std::max(32, a->least_threads), .type = Scalar::int32};
      const std::vector<Value> keys = random_keys(s.n, s.type, random);
      const Recording all = make_recording(Emulator().record(s, keys, {.blocks = UINT32_MAX})),
                      some = make_recording(Emulator().record(s, keys, {.first_block = focus, .blocks = 1}));
      ASSERT_EQ(all.trace.steps, some.trace.steps);
      const int steps = static_cast<int>(all.trace.steps.size());
      for (int step = 0; step < steps; step += step + 21 < steps && steps > 100 ? 19 : 1)
        for (const int block : {0, 3}) {
          if (block >= all.trace.grid_of(static_cast<std::uint32_t>(step)).blocks) continue;
          SCOPED_TRACE(fmt::format("{}, focus {}, step {}, block {}", a->name, focus, step, block));
          const auto &whole = all.key_pass(block, step), &part = some.key_pass(block, step);
          ASSERT_TRUE(whole && part);
          EXPECT_EQ(part->size, whole->size);
          EXPECT_LE(part->known, whole->known);
          EXPECT_TRUE(part->stable);
          EXPECT_TRUE(!part->in_order || whole->in_order);
          // A step may have the kind `store` in only one of the recordings, so such a step is not compared.
          const bool stored = whole->kind == Kind::store || part->kind == Kind::store;
          if (stored) continue;
          EXPECT_EQ(part->kind, whole->kind);
          EXPECT_EQ(part->number, whole->number);
          EXPECT_EQ(part->count, whole->count);
          EXPECT_EQ(part->low_bit, whole->low_bit);
          for (std::size_t i = 0; i < part->before.size(); ++i)
            if (part->before[i].known && part->before[i].element != Moves::none) {
              ASSERT_EQ(part->before[i].element, whole->before[i].element);
            }
          for (std::size_t i = 0; i < part->after.size(); ++i)
            if (part->after[i].known && part->after[i].element != Moves::none) {
              ASSERT_EQ(part->after[i].element, whole->after[i].element);
            }
          const bool sentence = part->known == 0;
          Cursor at = at_step(step);
          at.block = block;
          const Scene scene = draw("keys", some, at, 1200, 300);
          EXPECT_EQ(says(scene, "recorded in full"), sentence);
          EXPECT_FALSE(says(scene, "All keys have reached"));
          EXPECT_FALSE(says(scene, "lost the order"));
          if (!whole->in_order) { EXPECT_FALSE(says(scene, "so the block stops")); }
          if (HasFailure()) return;
        }
    }
}

TEST(KeyPass, IsOnlyForSorts) {
  const Recording r = record("scan_blelloch", 64);
  EXPECT_FALSE(r.key_pass(0, 3));
  EXPECT_FALSE(has_something(view_index("keys"), r));
}

TEST(KeyPass, SeesThatEqualKeysHaveLostTheirOrder) {
  const std::vector<std::uint32_t> order = {3, 1, 3, 2};
  const auto keys = [](std::vector<std::uint32_t> all) {
    std::vector<KeyPass::Key> made;
    for (const std::uint32_t e : all) made.push_back({.known = true, .element = e});
    return made;
  };
  EXPECT_TRUE(equal_keys_in_order(keys({1, 3, 0, 2}), order));
  EXPECT_TRUE(equal_keys_in_order(keys({0, 1, 2, 3}), order));
  EXPECT_FALSE(equal_keys_in_order(keys({1, 3, 2, 0}), order));
}

// --- the view

TEST(KeysView, ShowsEveryBitKeyAndPlace) {
  std::mt19937 random(7);
  const SortRun run = sort_run(algorithm("radix_sort"), 16, Scalar::float32, true, random);
  const Recording& r = run.recording;
  for (int step = 1; step < static_cast<int>(r.trace.steps.size()); ++step) {
    const auto& pass = r.key_pass(0, step);
    if (pass->kind != Kind::split || pass->moved == 0 || step != pass->last_step) continue;
    const Scene scene = draw("keys", r, at_step(step), 1000, 360);
    std::multiset<std::string> shown;
    for (const TextShape& t : texts(scene)) shown.insert(t.text);
    for (const KeyPass::Key& k : pass->before) {
      EXPECT_GE(shown.count(short_text(*k.value, r.trace.settings, Cells::words, 8)), 2u)
          << "before and after";
      EXPECT_GE(shown.count(std::to_string(k.place)), 1u);
    }
    EXPECT_TRUE(says(scene, fmt::format("split by bit {}", pass->low_bit)));
    EXPECT_TRUE(says(scene, "zeros,"));
    EXPECT_TRUE(says(draw("keys", r, at_step(step), 900, 360), "Equal keys keep the order of the input."));
    EXPECT_TRUE(says(scene, "negative"));
  }
}

int heads(const Scene& scene) {
  return static_cast<int>(std::ranges::count_if(
      scene.shapes, [](const Shape& s) { return std::holds_alternative<TriangleShape>(s.what); }));
}

// If the view is wide but not high, each key has a column, which contains the key and its value.
TEST(KeysView, ShowsKeysAndValuesInALowRoom) {
  std::mt19937 random(9);
  const SortRun run = sort_run(algorithm("radix_sort"), 16, Scalar::uint32, true, random);
  const Recording& r = run.recording;
  for (int step = 1; step < static_cast<int>(r.trace.steps.size()); ++step) {
    const auto& pass = r.key_pass(0, step);
    if (pass->kind != Kind::split || pass->moved == 0) continue;
    const Scene scene = draw("keys", r, at_step(step), 1272, 178);
    std::multiset<std::string> shown;
    for (const TextShape& t : texts(scene)) shown.insert(t.text);
    const std::size_t times = step == pass->last_step ? 2 : 1;  // keys are shown before and after the pass
    for (const KeyPass::Key& k : pass->before) {
      EXPECT_GE(shown.count(short_text(*k.value, r.trace.settings, Cells::words, 8)), times);
      EXPECT_GE(shown.count(short_text(k.key, r.trace.settings, 8)), times);
    }
    // The places of keys are unknown until the scan is complete.
    std::uint32_t zeros = 0;
    bool known = pass->scan.size() == pass->before.size();
    for (std::size_t i = 0; i < pass->scan.size(); ++i) {
      known = known && pass->scan[i] == zeros;
      zeros += pass->flags[i].value_or(0);
    }
    const bool partial = !pass->scan.empty() && !known;
    for (const Scene& each : {scene, draw("keys", r, at_step(step), 1000, 360)})
      for (const TextShape& t : texts(each)) {
        EXPECT_FALSE(t.text == (partial ? "scan" : "partial sums")) << step;
      }
    const auto all = texts(draw("keys", r, at_step(step), 1900, 600));
    EXPECT_EQ(std::ranges::count(all, partial ? "partial sums" : "scan", &TextShape::text), 1) << step;
    EXPECT_EQ(heads(scene), known ? pass->moved : 0) << step;
    EXPECT_EQ(heads(draw("keys", r, at_step(step), 1000, 360)), known ? pass->moved : 0) << step;
  }
}

TEST(KeysView, MarksTwoEqualKeysAndSaysWhichStaysFirst) {
  std::mt19937 random(10);
  for (const Algorithm* a : rungs_of("radix_sort")) {
    const SortRun run = sort_run(*a, 24, Scalar::int32, true, random);
    const Recording& r = run.recording;
    for (int step = 0; step < static_cast<int>(r.trace.steps.size()); ++step) {
      const auto& pass = r.key_pass(0, step);
      ASSERT_TRUE(pass && pass->equal_pair) << a->name;
      const auto [one, other] = *pass->equal_pair;
      EXPECT_LT(one, other);
      EXPECT_EQ(r.order[one], r.order[other]);
      std::map<std::uint32_t, std::uint32_t> last;  // for each key: its last place so far
      std::uint32_t farthest = 0;                   // the largest distance from a key to the next equal key
      for (std::uint32_t i = 0; i < r.order.size(); last[r.order[i]] = i, ++i)
        if (last.contains(r.order[i])) farthest = std::max(farthest, i - last[r.order[i]]);
      EXPECT_EQ(other - one, farthest);
      if (step != pass->last_step || pass->moved < pass->size) continue;
      const auto value = [&](std::uint32_t e) {
        return exact_text(run.values[e], r.trace.settings, Cells::words);
      };
      std::string said;  // the sentence may span several lines
      for (const TextShape& t : texts(draw("keys", r, at_step(step), 2400, 1200))) said += t.text + " ";
      EXPECT_NE(said.find(fmt::format("value {} stays before value {}.", value(one), value(other))),
                said.npos)
          << a->name << ", step " << step;
    }
  }
}

// The view "Keys" does not use orange, because orange means bank conflicts in other views.
TEST(KeysView, UsesNoOrange) {
  std::mt19937 random(11);
  for (const Algorithm* a : rungs_of("radix_sort")) {
    const SortRun run = sort_run(*a, 40, Scalar::uint32, true, random);
    const int steps = static_cast<int>(run.recording.trace.steps.size());
    for (const Theme* theme : {&light_theme(), &dark_theme()})
      for (int step = 0; step < steps; step += std::max(1, steps / 20))
        for (const Point size : {Point{1200, 700}, Point{700, 140}, Point{2400, 178}})
          for (const Shape& s : draw("keys", run.recording, at_step(step), size.x, size.y, *theme).shapes) {
            if (const auto* box = std::get_if<RectShape>(&s.what)) { ASSERT_NE(box->fill, theme->conflict); }
            if (const auto* line = std::get_if<LineShape>(&s.what)) {
              ASSERT_NE(line->colour, theme->conflict);
            }
            if (const auto* grid = std::get_if<GridShape>(&s.what))
              for (const Colour c : grid->colours) ASSERT_NE(c, theme->conflict);
          }
  }
}

TEST(KeysView, FitsIntoEverySize) {
  std::mt19937 random(8);
  for (const Algorithm* a : rungs_of("radix_sort"))
    for (const int n : {1, 16, 70}) {
      const SortRun run = sort_run(*a, n, n == 16 ? Scalar::float32 : Scalar::int32, n == 16, random);
      const int steps = static_cast<int>(run.recording.trace.steps.size());
      for (const Point size : {Point{320, 200}, Point{560, 176}, Point{843, 178}, Point{840, 330},
                               Point{1270, 700}, Point{2400, 1200}})
        for (int step = 0; step < steps; step += std::max(1, steps / 9)) {
          SCOPED_TRACE(fmt::format("{}, {} keys, step {}, {} x {}", a->name, n, step, size.x, size.y));
          expect_words_fit(draw("keys", run.recording, at_step(step), size.x, size.y), size);
          expect_words_fit(draw("moves", run.recording, at_step(step), size.x, size.y), size);
          if (HasFailure()) return;
        }
    }
}

}  // namespace keys_view_test
}  // namespace upsweep
