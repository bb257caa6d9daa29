// If the user changes the variant, everything that both variants have in common must keep its place.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "panels/keys.hpp"
#include "panels/layout.hpp"
#include "scene/views/bank_columns.hpp"
#include "support/drawn_views.hpp"
#include "support/long_tests.hpp"
#include "support/pictures.hpp"
#include "support/session_start.hpp"

namespace upsweep {
namespace still_test {

constexpr Point window_sizes[] = {{1280, 720}, {1366, 768}, {1920, 1080}};

WindowLayout layout_of(const Session& s, Point size) {
  return window_layout(size.x, size.y, s.looks,
                       preferred_heights_of(s.recording(), s.looks, s.cursor().step));
}

// Calls key(id) for each target to get a name, and returns the box of each target. The key of the map is the
// name. Leaves out targets whose name is empty.
template <class Key>
std::map<std::string, std::vector<float>> places(const Scene& scene, Key key) {
  std::map<std::string, std::vector<float>> all;
  for (const Scene::Target& t : scene.targets)
    if (const std::string name = key(t.id); !name.empty())
      all.try_emplace(name, std::vector{t.box.x, t.box.y, t.box.w, t.box.h});
  return all;
}

std::string bank_key(const Id& id) {
  const auto* bank = as<BankId>(id);
  return bank ? fmt::format("bank {}", bank->bank) : "";
}
std::string node_key(const Id& id) {
  const auto* node = as<NodeId>(id);
  return node ? fmt::format("row {}, element {}", node->row, node->element) : "";
}
std::string lane_key(const Id& id) {
  const auto* lane = as<LaneId>(id);
  return lane ? fmt::format("warp {}, lane {}", lane->by.warp, lane->by.lane) : "";
}
std::string step_key(const Id& id) {
  const auto* step = as<StepId>(id);
  return step ? fmt::format("step {}", step->step) : "";
}

// Expects that everything with the same name has the same box in both pictures.
void expect_same(const std::map<std::string, std::vector<float>>& a,
                 const std::map<std::string, std::vector<float>>& b) {
  for (const auto& [name, place] : a)
    if (const auto other = b.find(name); other != b.end()) ASSERT_EQ(place, other->second) << name;
}

// Returns the tops of all rows that contain an id of type T.
template <class T>
std::vector<float> rows(const Scene& scene) {
  std::set<float> tops;
  for (const Scene::Target& t : scene.targets)
    if (is<T>(t.id)) tops.insert(t.box.y);
  return {tops.begin(), tops.end()};
}

Scene scene_of(const Session& s, Home home, Point size) {
  const View& shown = views()[static_cast<std::size_t>(shown_view(home, s.looks, s.recording()))];
  const Box box = layout_of(s, size)[home];
  return draw_view(shown, {s.recording(), s.cursor(), light_theme(), box.w, box.h});
}

bool same_memory(const Trace& a, const Trace& b) {
  return std::ranges::equal(a.grids, b.grids, [](const Grid& x, const Grid& y) {
    return x.shared.elements == y.shared.elements && x.shared.more.size() == y.shared.more.size() &&
           x.threads == y.threads;
  });
}

// Tests the first 12 steps of every algorithm with padding. The key L, which changes the padding, must not
// move any view, row, bank, node, lane or bar.
TEST(Still, PaddingMovesNothing) {
  int toggles = 0;
  for (const Algorithm& a : cuda_algorithms()) {
    if (a.is_broken() || !a.choice("layout")) continue;
    Session s(start());
    s.set_algorithm(a.name);
    s.settle(60);
    for (const int n : {s.settings().n, 256, 1024}) {
      if (n > s.settings().n && s.set_n(n) == Answer::refused) continue;
      s.settle(60);
      for (int step = 0; step < std::min(12, s.step_count()); ++step) {
        s.go_to(step);
        for (const Point size : window_sizes) {
          struct Shown {
            WindowLayout layout;
            std::map<Home, Scene> scenes;
          };
          const auto shown = [&] {
            Shown all{layout_of(s, size), {}};
            for (const Home home : {Home::tree, Home::memory, Home::banks, Home::warps, Home::profile})
              all.scenes[home] = scene_of(s, home, size);
            return all;
          };
          const std::string before = s.settings().choice("layout");
          const Shown one = shown();
          perform(s, {Action::next_layout, 0});
          s.settle(60);
          SCOPED_TRACE(fmt::format("{}, n = {}, step {}, {} x {}: {} and {}", a.name, n, s.cursor().step,
                                   size.x, size.y, before, s.settings().choice("layout")));
          ASSERT_EQ(s.cursor().step, step);
          const Shown other = shown();
          ++toggles;
          for (int home = 0; home < home_count; ++home)
            ASSERT_EQ(one.layout.homes[static_cast<std::size_t>(home)],
                      other.layout.homes[static_cast<std::size_t>(home)]);
          const auto same = [&](Home home, auto key) {
            expect_same(places(one.scenes.at(home), key), places(other.scenes.at(home), key));
          };
          same(Home::tree, node_key);
          same(Home::memory, bank_key);
          same(Home::banks, bank_key);
          same(Home::warps, lane_key);
          same(Home::profile, step_key);
          const auto expect_rows = [](std::vector<float> x, std::vector<float> y) {
            x.resize(std::min(x.size(), y.size()));
            y.resize(x.size());
            ASSERT_EQ(x, y);
          };
          expect_rows(rows<CellId>(one.scenes.at(Home::memory)), rows<CellId>(other.scenes.at(Home::memory)));
          expect_rows(rows<RequestId>(one.scenes.at(Home::banks)),
                      rows<RequestId>(other.scenes.at(Home::banks)));
        }
      }
    }
  }
  EXPECT_GE(toggles, 100);
}

// Choices other than padding may change the number of steps. Nevertheless, the views must not move if the two
// runs have the same blocks and the same shared memory.
TEST(Still, VariantsMoveNoView) {
  int compared = 0;
  for (const Algorithm& a : cuda_algorithms()) {
    if (a.is_broken()) continue;
    Session s(start());
    s.set_algorithm(a.name);
    s.settle(60);
    for (const Choice& c : a.choices) {
      if (c.name == "predicate" || c.name == "capacity") continue;  // these choices change the result
      for (std::size_t i = 0; i < c.options.size(); ++i) {
        // By default, only every second option is tried. The first option is usually chosen already.
        if (i % 2 == 0 && !tries_everything()) continue;
        const Option& o = c.options[i];
        const auto before = s.shared_recording();
        const WindowLayout one = layout_of(s, {1920, 1080});
        if (s.apply({.choices = {{c.name, o.name}}}) == Answer::refused) continue;
        s.settle(60);
        if (!same_memory(before->trace, s.recording().trace)) continue;
        const WindowLayout other = layout_of(s, {1920, 1080});
        for (const Home home : {Home::tree, Home::memory, Home::banks, Home::warps, Home::words})
          ASSERT_EQ(one[home], other[home]) << a.name << " " << c.name << " " << o.name;
        ++compared;
      }
    }
  }
  EXPECT_GE(compared, tries_everything() ? 20 : 10);
}

// Each bank has the same x coordinate in the views "Shared memory" and "Lanes x banks". If a block has at
// most two warps, lane k in the view "Warps" is below bank k. Both rules also hold in a comparison.
TEST(Still, BanksAreOneColumnThroughAllViews) {
  std::mt19937 random(3);
  for (const char* name : {"scan_blelloch", "scan_brent_kung", "reduce_strided", "scan_hillis_steele"})
    for (const int n : {8, 33, 64, 100, 256, 500, 1024})
      for (const float width : {639.0f, 836.0f, 956.0f, 1272.0f, 1900.0f}) {
        const Recording one = record(name, n, {}, random()), other = record("scan_blelloch", 512);
        for (const bool compares : {false, true}) {
          const Cursor cursor = at_step(1);
          const Reading beside{other, cursor};
          std::vector<std::map<std::string, std::vector<float>>> found;
          const auto draw_side = [&](const char* view_name, const Recording& r, const Reading* b) {
            return draw_view(view(view_name), {.recording = r,
                                               .cursor = cursor,
                                               .theme = dark_theme(),
                                               .width = width,
                                               .height = 150,
                                               .beside = b});
          };
          for (const char* view_name : {"memory", "banks"}) {
            auto here = places(draw_side(view_name, one, compares ? &beside : nullptr), bank_key);
            for (auto& [bank, box] : here) box = {box[0], box[2]};  // keeps only x and the width
            found.push_back(std::move(here));
          }
          SCOPED_TRACE(fmt::format("{}, n = {}, {} wide", name, n, width));
          ASSERT_EQ(found[0].size(), 32u);
          ASSERT_EQ(found[0], found[1]);
          if (compares) {
            const Reading back{one, cursor};
            auto there = places(draw_side("memory", other, &back), bank_key);
            for (auto& [bank, box] : there) box = {box[0], box[2]};
            ASSERT_EQ(found[0], there);
          }
          const Scene warps = draw_side("warps", one, compares ? &beside : nullptr);
          const auto lanes = places(warps, lane_key);
          if (one.trace.grids[0].warps() <= 2)
            for (int lane = 0; lane < std::min(32, one.trace.grids[0].threads); ++lane)
              ASSERT_EQ(lanes.at(fmt::format("warp 0, lane {}", lane))[0],
                        found[0].at(fmt::format("bank {}", lane))[0]);
        }
      }
}

// The example in textbooks, a 32-way conflict with 1,024 elements, must be as legible as the default picture.
TEST(Still, A32WayConflictIsLegible) {
  const Recording r = record("scan_blelloch", 1024);
  int step = 0;
  while (r.facts.steps[static_cast<std::size_t>(step)].max_degree < 32) ++step;
  for (const auto& [width, height] : {std::pair{1272.0f, 140.0f}, {836.0f, 104.0f}}) {
    const Scene scene = draw("banks", r, at_step(step), width, height);
    expect_words_fit(scene, {width, height});
    EXPECT_TRUE(says(scene, "32 words of bank"));
    EXPECT_TRUE(says(scene, "wavefront 1"));
    EXPECT_TRUE(says(scene, "wavefront 32"));
    EXPECT_TRUE(says(scene, width > 900 ? "T31" : "31"));
    const auto grids = std::ranges::count_if(scene.shapes, [](const Shape& s) {
      const auto* grid = std::get_if<GridShape>(&s.what);
      return grid && grid->rows == 32 && grid->columns == 32;
    });
    EXPECT_EQ(grids, width > 900 ? 1 : 0) << "all wavefronts, small";
  }
}

}  // namespace still_test
}  // namespace upsweep
