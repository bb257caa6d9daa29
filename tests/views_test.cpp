#include "scene/views/views.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "analysis/banks.hpp"
#include "analysis/shared_request.hpp"
#include "export/export.hpp"
#include "support/drawn_views.hpp"
#include "support/pictures.hpp"
#include "trace/value.hpp"
#include "words/names.hpp"
#include "words/pattern.hpp"
#include "words/words.hpp"

namespace upsweep {
namespace views_test {

TEST(Views, AreListedInTheWindowsOrder) {
  for (std::size_t i = 0;
       const char* name : {"tree", "memory", "banks", "warps", "source", "profile", "words"})
    EXPECT_STREQ(views()[i++].name, name);
}

TEST(Tree, ShapesFollowThePixelsNotTheElements) {
  const Recording small = record("scan_blelloch", 256), large = record("scan_blelloch", 2048);
  for (int step = 0; step < static_cast<int>(large.trace.steps.size()); step += 5) {
    const std::size_t many = draw("tree", large, at_step(step), 900, 700).shapes.size();
    EXPECT_LT(many, 8000u);
    EXPECT_LT(many, 2 * draw("tree", small, at_step(std::min(step, 16)), 900, 700).shapes.size() + 4000);
  }
}

TEST(Tree, FewNodesKeepTheirValuesAmongManyElements) {
  const Recording r = record("scan_blelloch", 2048);
  int step = 0;
  while (r.trace.steps[step].phase != Phase::clear) step++;
  const Scene scene = draw("tree", r, at_step(step - 1), 900, 700);
  const TreeNode& root = r.tree().rows[step - 1].nodes.back();
  EXPECT_TRUE(says(scene, fmt::format("{}", scalar(root.value, Scalar::float32))));
}

TEST(Tree, HoverLightsEverythingThatWentIn) {
  const Recording r = record("scan_blelloch", 16);
  Cursor c = at_step(4);
  const std::size_t before = draw("tree", r, c, 900, 500).shapes.size();
  c.hover = NodeId{.row = 4, .element = 15};
  const Scene scene = draw("tree", r, c, 900, 500);
  // The tree of 16 elements has 31 nodes, including the root, and 30 edges. Each node gets a ring, each edge
  // is drawn again, and one text shows the value.
  EXPECT_EQ(scene.shapes.size(), before + 31 + 30 + 1);
  EXPECT_TRUE(says(scene, "temp[15] = "));
}

TEST(Tree, NodesAreWhereTheyAreHit) {
  const Recording r = record("scan_blelloch", 64);
  const Scene scene = draw("tree", r, at_step(3), 1272, 420);
  int nodes = 0;
  for (const Scene::Target& t : scene.targets) {
    const Id id = hit(scene, {t.box.x + t.box.w / 2, t.box.y + t.box.h / 2});
    EXPECT_EQ(id, t.id);
    nodes += is<NodeId>(id);
  }
  std::size_t all = 0;
  for (const TreeRow& row : r.tree().rows) all += row.nodes.size();
  EXPECT_EQ(nodes, static_cast<int>(all));
}

TEST(Memory, ShowsEveryValueAfterTheStep) {
  const Recording r = record("scan_blelloch", 64);
  const Scene scene = draw("memory", r, at_end(r), 1272, 200);
  std::multiset<std::string> shown;
  for (const TextShape& t : texts(scene)) shown.insert(t.text);
  for (const Value& v : r.trace.output)
    EXPECT_TRUE(shown.count(fmt::format("{}", scalar(v, Scalar::float32)))) << scalar(v, Scalar::float32);
}

TEST(Memory, NamesTheRowsItLeavesOut) {
  EXPECT_TRUE(says(draw("memory", record("scan_blelloch", 1024), at_step(0), 1272, 220), "of 32"));
}

TEST(Memory, ThreeDigitsFitInASmallWindow) {
  const Scene scene = draw("memory", record("scan_blelloch", 1024), at_step(5), 846, 110);
  EXPECT_TRUE(says(scene, "bank"));
  for (const TextShape& t : texts(scene)) EXPECT_NE(t.text, "…");
}

// In a window of 1280 x 720, a column is 22 pixels wide. A sum of four digits must fit into its cell. Values
// must not reach beyond their cells.
TEST(Memory, FourDigitsFitInASmallWindow) {
  int long_values = 0;
  for (const char* name : {"scan_blelloch", "scan_hillis_steele", "reduce_sequential", "scan_double_buffer"})
    for (const int n : {300, 777, 1024}) {
      const Recording r = record(name, n);
      for (int step = 0; step < static_cast<int>(r.trace.steps.size()); ++step)
        for (const float height : {110.0f, 130.0f, 190.0f})
          for (const TextShape& t : texts(draw("memory", r, at_step(step), 846, height))) {
            EXPECT_NE(t.text, "…") << name << ", n = " << n << ", step " << step + 1;
            if (t.align != Align::centre || t.text.size() < 4) continue;
            EXPECT_LE(text_width(t.text, t.size, t.face), 20) << t.text;
            ++long_values;
          }
    }
  EXPECT_GT(long_values, 100);
}

TEST(Banks, OneRowPerWavefront) {
  const Recording r = record("scan_blelloch", 1024);
  const Cursor c = at_step(5);
  const Scene scene = draw("banks", r, c, 1272, 900);
  const int wavefronts = bank_cost(r.trace, r.trace.events[request_event(r, c)]).wavefronts;
  EXPECT_EQ(wavefronts, 32);
  EXPECT_TRUE(says(scene, "wavefront 32"));
  EXPECT_FALSE(says(scene, "wavefront 33"));
}

TEST(Banks, SaysCalmlyThatThereIsNoRequest) {
  Recording r = record("scan_blelloch", 8);
  std::erase_if(r.trace.events, [](const Event& e) { return is_shared(e.kind); });
  EXPECT_EQ(request_event(r, at_step(0)), -1);
  EXPECT_TRUE(says(draw("banks", r, at_step(0), 1272, 200), "No shared-memory access in this step"));
}

TEST(RequestEvent, IsTheChosenOneOrTheCostliest) {
  const Recording r = record("scan_blelloch", 256);
  for (int step = 0; step < static_cast<int>(r.trace.steps.size()); step++) {
    const std::vector<int> all = requests(r.trace, 0, step);
    int most = 0;
    for (std::size_t i = 0; i < all.size(); i++) {
      Cursor c = at_step(step);
      c.request = static_cast<int>(i);
      EXPECT_EQ(chosen_event(r, c), all[i]);
      if (is_global(r.trace.events[all[i]].kind)) {
        EXPECT_EQ(global_event(r, c), all[i]);
        continue;
      }
      EXPECT_EQ(request_event(r, c), all[i]);
      most = std::max(most, bank_cost(r.trace, r.trace.events[all[i]]).wavefronts);
    }
    const int event = request_event(r, at_step(step));
    ASSERT_GE(event, 0);
    EXPECT_EQ(bank_cost(r.trace, r.trace.events[event]).wavefronts, most);
  }
}

TEST(Views, DrawAnEmptyRecordingToo) {
  const Recording empty;
  for (const View& v : views())
    if (std::string_view(v.name) != "work") {
      EXPECT_EQ(draw(v.name, empty, {}, 900, 300).width, 900) << v.name;
    }
  EXPECT_EQ(words(empty, {}), "Nothing was recorded.");
}

// If the mouse is over an object in one view, every view highlights this object.
TEST(Hover, IsSharedByTheViews) {
  const Recording r = record("scan_blelloch", 64);
  const auto shapes = [&](const char* name, const Id& hover) {
    Cursor c = at_step(3);
    c.hover = hover;
    return draw(name, r, c, 1272, 300).shapes.size();
  };
  const std::size_t memory = shapes("memory", {}), banks = shapes("banks", {}), warps = shapes("warps", {}),
                    source = shapes("source", {});
  const LaneId lane{3, {.warp = 0, .lane = 5}};
  EXPECT_EQ(shapes("memory", lane), memory + 2);  // temp[43] and temp[47] are highlighted
  EXPECT_EQ(shapes("banks", lane), banks + 2);    // the box and the text of the lane are highlighted
  EXPECT_EQ(shapes("warps", lane), warps + 2);
  EXPECT_EQ(shapes("memory", BankId{11}), memory + 1 + 2);  // a number and two words are highlighted
  EXPECT_EQ(shapes("banks", BankId{11}), banks + 1 + 2);
  const int line = r.trace.events[request_event(r, at_step(3))].line;
  EXPECT_EQ(shapes("memory", LineId{.line = line}), memory + 8);
  EXPECT_EQ(shapes("source", LineId{.line = line}), source + 1);
  const CellId cell{.cell = 43, .element = 43, .by = {.warp = 0, .lane = 5, .line = line}};
  EXPECT_EQ(shapes("memory", cell), memory + 2);
  EXPECT_EQ(shapes("banks", cell), banks + 2);
  EXPECT_EQ(shapes("source", cell), source + 1);
  EXPECT_EQ(shapes("warps", cell), warps + 1);
}

// If a view does not contain the object under the mouse, the view must highlight nothing.
TEST(Hover, WhatAViewSeesIsAllThatItShows) {
  for (const char* algorithm :
       {"scan_blelloch", "reduce_shuffle", "scan_decoupled_lookback", "reduce_nested"}) {
    const Recording r = record(algorithm, 128, {}, 3, 32);
    const int step = std::min(3, static_cast<int>(r.trace.steps.size()) - 1);
    std::vector<Id> ids = {CountersId{}, TimesId{}, ViewId{1}};
    for (const View& v : views()) {
      const Scene scene = draw(v.name, r, at_step(step), 900, 300);
      for (std::size_t i = 0; i < scene.targets.size(); i += 1 + scene.targets.size() / 12)
        ids.push_back(scene.targets[i].id);
    }
    for (const View& v : views())
      for (const Id& id : ids) {
        Cursor cursor = at_step(step);
        cursor.hover = id;
        ViewInput in{r, cursor, dark_theme(), 900, 300};
        in.top = 40;
        const ViewPicture all = v.draw(in);
        if (v.sees) cursor.hover = v.sees(id);
        const ViewPicture seen = v.draw(in);
        EXPECT_EQ(svg(all.scene), svg(seen.scene)) << v.name << " " << id.index();
        EXPECT_EQ(all.heading.readout, seen.heading.readout) << v.name << " " << id.index();
      }
  }
}

// --- registers, global memory, launches

TEST(Registers, AnArrowForEveryLaneThatTakesAnothersValue) {
  Settings s;
  s.type = Scalar::int32;
  const Recording r = record("scan_warp_shuffle", 64, s, 3, 64);
  int step = 0;
  while (r.trace.steps[static_cast<std::size_t>(step)] != Step{Phase::scan, 4}) step++;
  const Scene scene = draw("registers", r, at_step(step), 1272, 240);
  int arrows = 0;
  for (const Shape& shape : scene.shapes) arrows += std::holds_alternative<TriangleShape>(shape.what);
  EXPECT_EQ(arrows, 28) << "lanes 0 to 3 keep their own values";
  EXPECT_TRUE(says(scene, "28 of 32 lanes take another lane's value"));
  EXPECT_TRUE(
      says(draw("registers", record("scan_blelloch", 8), at_step(0), 900, 200), "no shuffles or votes"));
}

TEST(Global, CoalescedAndNot) {
  Settings s;
  const Recording strided = record("reduce_two_pass_blocked", 128 * 8, s, 3, 32);
  EXPECT_TRUE(says(draw("global", strided, at_step(0), 1272, 300), "32 sectors instead of 4"));
  const Recording coalesced = record("reduce_two_pass", 128 * 8, s, 3, 32);
  EXPECT_TRUE(says(draw("global", coalesced, at_step(0), 1272, 300), "4 sectors, the fewest possible"));
}

// In every size of the view, either all cells show their values or no cell shows a number.
TEST(Global, CellsShowTheirValuesOrNothing) {
  const Recording r = record("scan_blelloch", 64);
  const Trace& trace = r.trace;
  const int step = static_cast<int>(trace.steps.size()) - 1;
  std::set<std::string> values;  // the texts of all output elements
  for (const Value& v : trace.output) values.insert(short_text(v, trace.settings, Cells::elements, 6));
  int with_numbers = 0, without = 0;
  for (float width = 240; width < 1300; width += 33)
    for (const float height : {120.f, 170.f, 500.f}) {
      int numbers = 0;
      for (const TextShape& t : texts(draw("global", r, at_step(step), width, height)))
        if (t.face == Face::bold && t.colour == dark_theme().on_now) {
          EXPECT_TRUE(values.contains(t.text)) << t.text << " at " << width;
          ++numbers;
        }
      EXPECT_TRUE(numbers == 0 || numbers == 32) << numbers << " at " << width;
      (numbers > 0 ? with_numbers : without) += 1;
    }
  EXPECT_GT(with_numbers, 10);
  EXPECT_GT(without, 10);
}

TEST(Launches, EveryGridIsABoxToBeClicked) {
  const Recording r = record("reduce_nested", 128, {}, 3, 32);
  const Scene scene = draw("launches", r, at_step(0), 1272, 400);
  std::set<int> grids;
  for (const Scene::Target& t : scene.targets)
    if (const auto* grid = as<GridId>(t.id)) grids.insert(grid->grid);
  EXPECT_EQ(grids.size(), r.trace.grids.size());
  EXPECT_GT(grids.size(), 10u);
}

TEST(Launches, EveryBoxOfAChainSaysWhatItIs) {
  const Recording r = record("nested_hello", 64, {}, 3, 32);
  ASSERT_EQ(r.trace.grids.size(), 6u);
  const Scene scene = draw("launches", r, at_step(0), 843, 170);
  for (std::size_t g = 0; g < r.trace.grids.size(); g++)
    EXPECT_TRUE(says(scene, fmt::format("{} · nested_hello · 1 × ", g + 1))) << g;
}

TEST(Source, ABarrierCanBeTakenOut) {
  Settings s;
  s.without_barrier = barrier_lines(algorithm("scan_hillis_steele")).front();
  for (const bool out : {false, true}) {
    const Recording r = record("scan_hillis_steele", 64, out ? s : Settings{});
    const Scene scene = draw("source", r, at_step(2), 620, 900);
    EXPECT_TRUE(says(scene, "__syncthreads")) << "also where it was taken out";
    EXPECT_EQ(says(scene, "put back"), out);
    EXPECT_EQ(says(scene, "no barrier on line"), out) << "first, where there is room for little";
    EXPECT_TRUE(std::any_of(scene.targets.begin(), scene.targets.end(), [&](const auto& t) {
      return is<BarrierId>(t.id) && line_of(t.id) == s.without_barrier;
    }));
    EXPECT_EQ(words(r, at_step(2)).find("is taken out") != std::string::npos, out);
  }
}

TEST(Source, FiguresLeaveTheCodeItsRoom) {
  const Recording r = record("scan_blelloch", 64);
  const Scene wide = draw("source", r, at_step(3), 640, 300),
              narrow = draw("source", r, at_step(3), 340, 300);
  EXPECT_TRUE(says(wide, "1 request  2 wavefronts  1 excess"));
  EXPECT_TRUE(says(narrow, "2 wavefr"));
  EXPECT_FALSE(says(narrow, "req"));
  bool with_excess = false;
  for (float width = 340; width < 640; width += 20)
    with_excess = with_excess || says(draw("source", r, at_step(3), width, 300), "2 wavefr, 1 excess");
  EXPECT_TRUE(with_excess);
}

TEST(Work, LargeNumbersStayApart) {
  Recording r = record("scan_blelloch", 64);
  for (const std::int64_t number : {99'999, 125'002, 1'250'020, 987'654'321}) {
    r.facts.totals.global_load.requests = number;
    r.facts.totals.global_load.sectors = r.facts.totals.global_load.ideal_sectors = number;
    r.work.span = number;
    for (const float width : {429.0f, 640.0f})
      expect_words_fit(draw("work", r, at_step(3), width, 258), {width, 258});
  }
}

TEST(Views, NameTheirAlternatives) {
  const Recording r = record("scan_blelloch", 64);
  const int others[] = {8, 12};
  const Scene scene = draw_view(view("tree"), {r, at_step(3), dark_theme(), 900, 300}, {others});
  EXPECT_TRUE(says(scene, "Hazards"));
  EXPECT_EQ(std::count_if(scene.targets.begin(), scene.targets.end(),
                          [](const Scene::Target& t) { return is<ViewId>(t.id); }),
            2);
}

TEST(Profile, ABarIsAStep) {
  const Recording r = record("scan_blelloch", 64);
  const Scene scene = draw("profile", r, at_step(3), 1272, 100);
  ASSERT_EQ(scene.targets.size(), r.trace.steps.size());
  for (int s = 0; s < static_cast<int>(scene.targets.size()); s++) {
    EXPECT_EQ(scene.targets[s].id, Id(StepId{s}));
  }
}

TEST(Source, KeepsTheStepsLinesInView) {
  const Recording r = record("scan_blelloch", 64);
  for (int step = 0; step < static_cast<int>(r.trace.steps.size()); step++) {
    const Scene scene = draw("source", r, at_step(step), 620, 300);
    for (const LineFacts& f : line_facts(r.trace, step))
      EXPECT_TRUE(std::any_of(scene.targets.begin(), scene.targets.end(), [&](const auto& t) {
        return line_of(t.id) == f.line;
      })) << f.line;
  }
  Cursor c = at_step(3);
  c.first_line = 5;
  EXPECT_EQ(draw("source", r, c, 620, 300).targets.front().id, Id(LineId{3, 5}));
}

// In this hand-made recording, all lanes of a warp read word 5.
TEST(Words, NameABroadcast) {
  Recording r = record("scan_blelloch", 64);
  for (const int i : shared_requests(r.trace, 0, 1))
    for_each_lane(r.trace.events[i], [&](int, std::uint32_t entry) { r.trace.lanes[entry].address = 20; });
  r.facts = facts(r.trace);
  const std::string text = words(r, at_step(1));
  EXPECT_NE(
      text.find("32 lanes of warp 0 read word 5, and one wavefront serves all these lanes: a broadcast."),
      std::string::npos)
      << text;
  EXPECT_TRUE(says(draw("banks", r, at_step(1), 1272, 200), "×32"));
  EXPECT_TRUE(says(draw("memory", r, at_step(1), 1272, 200), "×32"));
}

TEST(Pattern, FitsWhatFollowsOneAndNothingElse) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; round++) {
    const int a = static_cast<int>(random() % 65) - 32, b = static_cast<int>(random() % 2000);
    const int first = static_cast<int>(random() % 100), stride = 1 + static_cast<int>(random() % 8),
              count = 2 + static_cast<int>(random() % 31);
    std::vector<int> threads, indices;
    for (int i = 0; i < count; i++) {
      threads.push_back(first + stride * i);
      indices.push_back(a * threads.back() + b);
    }
    const auto p = fit(threads, indices);
    ASSERT_TRUE(p);
    EXPECT_EQ(p->scale, a);
    EXPECT_EQ(p->offset, b);
    if (count > 2) {
      indices[random() % count] += 1;
      EXPECT_FALSE(fit(threads, indices));
    }
  }
  EXPECT_EQ(text(Pattern{8, 3}), "8t+3");
  EXPECT_EQ(text(Pattern{1, -4}), "t−4");
  EXPECT_EQ(text(Pattern{0, 63}), "63");
}

}  // namespace views_test
}  // namespace upsweep
