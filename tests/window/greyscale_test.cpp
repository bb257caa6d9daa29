// Draws bank conflicts without colour, and checks that every conflict can be seen in the pixels. See
// support/greyscale.hpp.
#include "support/greyscale.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "analysis/shared_request.hpp"
#include "analysis/step_match.hpp"
#include "base/error.hpp"
#include "render/render.hpp"
#include "scene/comparison.hpp"
#include "scene/views/memory_overview.hpp"
#include "support/drawn_views.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace greyscale_test {

constexpr int width = 1272, height = 260, scale = 2;

class Greyscale : public testing::Test {
 protected:
  void SetUp() override {
    try {
      context_ = std::make_unique<OffscreenContext>(width * scale, height * scale);
    } catch (const WorkError& e) { GTEST_SKIP() << in_words(e); }
    renderer_ = std::make_unique<Renderer>();
  }

  Picture pixels(const Scene& scene) {
    renderer_->begin(width * scale, height * scale, scene.background);
    renderer_->draw(scene, 0, 0, scale);
    return context_->read();
  }

  std::unique_ptr<OffscreenContext> context_;
  std::unique_ptr<Renderer> renderer_;
};

// Returns the brightness of a pixel, from 0 to 255. The picture has no colour, so its three channels are
// equal.
int bright(const Picture& p, float x, float y) {
  return p.values[(static_cast<std::size_t>(y * scale) * static_cast<std::size_t>(p.columns) +
                   static_cast<std::size_t>(x * scale)) *
                  4];
}

// Returns the difference in brightness between the two upper corners of a box. If the box has a notch, the
// notch is in the upper right corner, and the difference is large.
int notch_in(const Picture& p, const Box& b) {
  int most = 0;
  constexpr float pixel = 1.0f / scale;
  for (const float d : {2.5f, 3.0f})
    most = std::max(most, std::abs(bright(p, b.x + b.w - d - pixel, b.y + d) - bright(p, b.x + d, b.y + d)));
  return most;
}

// Returns the largest difference in brightness within a box. This difference is large if the box is hatched.
int hatching_in(const Picture& p, const Box& b) {
  int low = 255, high = 0;
  const float y = b.y + b.h / 2;
  for (float x = b.x + 4; x < b.x + b.w - 4; x += 0.5f) {
    low = std::min(low, bright(p, x, y));
    high = std::max(high, bright(p, x, y));
  }
  return high - low;
}

constexpr int seen = 40, unseen = 12;  // differences of brightness

struct Example {
  const char* algorithm;
  int n;
};
constexpr Example examples[] = {{"scan_blelloch", 64},   {"scan_blelloch", 1024},
                                {"scan_brent_kung", 64}, {"reduce_strided", 1024},
                                {"scan_large", 256},     {"reduce_interleaved", 128}};

TEST_F(Greyscale, EveryConflictIsFoundInMemoryAndBanks) {
  int conflicts = 0, others = 0;
  for (const Example& run : examples) {
    const Recording r = record(run.algorithm, run.n);
    for (int step = 0; step < static_cast<int>(r.trace.steps.size()); ++step) {
      if (r.facts.steps[static_cast<std::size_t>(step)].max_degree < 2) continue;
      const Cursor cursor = at_step(step);
      const SharedRequest request = chosen_request(r, cursor);
      const Event& e = r.trace.events[static_cast<std::size_t>(request.event)];
      std::set<std::int64_t> words;  // words in banks with a conflict
      for_each_lane(e, [&](int, std::uint32_t at) {
        const std::int64_t word = r.trace.lanes[at].address / 4;
        if (request.words[static_cast<std::size_t>(word % 32)] > 1) words.insert(word);
      });
      const SharedShape& shape = r.trace.grids[e.grid].shared;
      const auto cells = cell_places(shape, r.trace.element_bytes());
      for (const Theme* colours : {&light_theme(), &dark_theme()}) {
        const Theme theme = without_colour(*colours);
        SCOPED_TRACE(fmt::format("{}, n = {}, step {}, {}", run.algorithm, run.n, step,
                                 colours->dark ? "dark" : "light"));
        Scene scene = draw("memory", r, cursor, width, height, theme);
        Picture picture = pixels(scene);
        for (const Scene::Target& t : scene.targets) {
          const auto* cell = as<CellId>(t.id);
          if (!cell || cell->element < 0) continue;
          const Box box{t.box.x, t.box.y, t.box.w - 3, t.box.h - 3};
          if (words.contains(cells[static_cast<std::size_t>(cell->cell)].byte / 4)) {
            ASSERT_GE(notch_in(picture, box), seen) << "cell " << cell->cell;
            ++conflicts;
          } else {
            ASSERT_LE(notch_in(picture, box), unseen) << "cell " << cell->cell << " at " << box.x << ", "
                                                      << box.y << ", " << box.w << " x " << box.h;
            ++others;
          }
        }
        scene = draw("banks", r, cursor, width, height, theme);
        picture = pixels(scene);
        for (const Scene::Target& t : scene.targets) {
          const auto* served = as<ServedId>(t.id);
          if (!served) continue;
          bool extra = false;
          for (std::size_t w = 0; w < request.waves.size(); ++w)
            for (const Wavefront::Served& s : request.waves[w].served)
              if (s.lanes >> served->by.lane & 1u) extra = request.extra[w];
          (extra ? conflicts : others) += 1;
          if (extra) { ASSERT_GE(notch_in(picture, t.box), seen) << "lane " << served->by.lane; }
          if (!extra) { ASSERT_LE(notch_in(picture, t.box), unseen) << "lane " << served->by.lane; }
        }
      }
    }
  }
  EXPECT_GE(conflicts, 500);
  EXPECT_GE(others, 500);
}

TEST_F(Greyscale, EveryConflictIsFoundInTheProfileAndInAComparison) {
  for (const Example& run : examples) {
    const Recording r = record(run.algorithm, run.n);
    for (const Theme* colours : {&light_theme(), &dark_theme()}) {
      const Theme theme = without_colour(*colours);
      const Scene scene = draw("profile", r, at_step(2), width, height, theme);
      const Picture picture = pixels(scene);
      std::set<int> found;
      for (const Shape& s : scene.shapes) {
        const auto* step = as<StepId>(s.id);
        const auto* bar = std::get_if<RectShape>(&s.what);
        if (!step || !bar || bar->box.h < 3 || !found.insert(step->step).second) continue;
        SCOPED_TRACE(fmt::format("{}, n = {}, step {}", run.algorithm, run.n, step->step));
        const bool conflict = r.facts.steps[static_cast<std::size_t>(step->step)].max_degree > 1;
        if (conflict) { ASSERT_GE(hatching_in(picture, bar->box), seen / 2); }
        if (!conflict) { ASSERT_LE(hatching_in(picture, bar->box), unseen); }
      }
      EXPECT_GE(found.size(), r.trace.steps.size() / 2);
    }
  }
  Settings padded;
  padded.choose("layout", "pad32");
  const Recording none = record("scan_blelloch", 64), pad = record("scan_blelloch", 64, padded);
  const auto pairs = match_steps(none.trace, pad.trace);
  const Scene scene =
      pairs_scene({none, pad, pairs, 2, false}, -1, without_colour(light_theme()), width, 112);
  const Picture picture = pixels(scene);
  std::vector<int> hatched(2);
  for (const Shape& s : scene.shapes)
    if (const auto* bar = std::get_if<RectShape>(&s.what); bar && bar->hatch && bar->box.h > 4) {
      ++hatched[bar->box.y > 50];
      EXPECT_GE(hatching_in(picture, bar->box), seen / 2);
    }
  EXPECT_GE(hatched[0], 8) << "without padding";
  EXPECT_EQ(hatched[1], 0) << "with padding";
}

// In a small picture of the whole memory, cells are too small for a notch. Therefore cells with
// conflicts are clearly brighter or darker than all other cells.
TEST(GreyscaleOverview, AConflictDiffersInBrightness) {
  for (const Theme* theme : {&light_theme(), &dark_theme()}) {
    const OverviewColours c(*theme);
    for (const Colour other : {c.unused, c.padding, c.read, c.written, theme->background})
      EXPECT_GE(contrast(c.conflict, other), 1.8);
  }
}

}  // namespace greyscale_test
}  // namespace upsweep
