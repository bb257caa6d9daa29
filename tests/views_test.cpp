// The views as pictures of real recordings: golden SVGs, and what must hold for every recording and every
// size. Run with --update to write the golden files anew; then look at them before committing.
#include "scene/views.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

#include "analysis/banks.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/data.hpp"
#include "export/export.hpp"
#include "machine/emulator.hpp"
#include "scene/block_talk.hpp"
#include "scene/names.hpp"
#include "scene/pattern.hpp"
#include "scene/request.hpp"
#include "trace/value.hpp"
#include "ui/recording.hpp"

namespace upsweep {
namespace {

bool update_golden = false;

Recording record(const std::string& name, int n, Settings s = {}, std::uint64_t seed = 3, int block = 0) {
  s.algorithm = name;
  s.n = n;
  s.grid = 4;
  s.block = block > 0 ? block : smallest_block(algorithm(name), s);
  return make_recording(Emulator().record(s, seeded_data(s, seed)));
}

const View& view(std::string_view name) {
  for (const View& v : views())
    if (v.name == name) return v;
  throw std::runtime_error(fmt::format("no view is called {}", name));
}

Scene draw(std::string_view name, const Recording& r, const Cursor& c, float w, float h,
           const Theme& t = dark_theme()) {
  return view(name).draw({r, c, t, w, h});
}

Cursor at_step(int step) {
  Cursor c;
  c.step = step;
  return c;
}

std::vector<TextShape> texts(const Scene& scene) {
  std::vector<TextShape> out;
  for (const Shape& s : scene.shapes)
    if (const auto* t = std::get_if<TextShape>(&s.what)) out.push_back(*t);
  return out;
}

bool says(const Scene& scene, std::string_view part) {
  for (const TextShape& t : texts(scene))
    if (t.text.find(part) != std::string::npos) return true;
  return false;
}

Box extent(const TextShape& t) {
  const float w = text_width(t.text, t.size, t.face), h = t.size * cap_height;
  const float x = t.align == Align::left ? t.at.x : t.align == Align::centre ? t.at.x - w / 2 : t.at.x - w;
  return {x, t.at.y - h / 2, w, h};
}

// --- golden pictures

struct Golden {
  const char* file;
  const char* view;
  const char* algorithm;
  int n, step;
  float width, height;
  bool dark = true;
  const char* layout = "none";
  Scalar type = Scalar::float32;
  Operator op = Operator::sum;
  int threads = 0, block = 0;  // of a block; the block that is looked at
  int without_barrier = 0;     // the n-th line with one, from 1
};

void PrintTo(const Golden& g, std::ostream* out) { *out << g.file; }

class GoldenPicture : public testing::TestWithParam<Golden> {};

TEST_P(GoldenPicture, IsAsCommitted) {
  const Golden g = GetParam();
  Settings s;
  s.layout = g.layout;
  s.type = g.type;
  s.op = g.op;
  if (g.without_barrier > 0)
    s.without_barrier =
        barrier_lines(algorithm(g.algorithm)).at(static_cast<std::size_t>(g.without_barrier) - 1);
  const Recording r = record(g.algorithm, g.n, s, 3, g.threads);
  Cursor cursor = at_step(g.step);
  cursor.block = g.block;
  const std::string drawn =
      svg(draw(g.view, r, cursor, g.width, g.height, g.dark ? dark_theme() : light_theme()));
  const std::filesystem::path path =
      std::filesystem::path(UPSWEEP_SOURCE_DIR) / "tests" / "golden" / (std::string(g.file) + ".svg");
  if (update_golden) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << drawn;
    return;
  }
  std::ifstream in(path, std::ios::binary);
  ASSERT_TRUE(in) << path << " is missing: run views_test --update and look at what it wrote";
  std::stringstream kept;
  kept << in.rdbuf();
  EXPECT_TRUE(kept.str() == drawn) << path << " differs: run views_test --update and look at the difference";
}

INSTANTIATE_TEST_SUITE_P(
    Views, GoldenPicture,
    testing::Values(Golden{"tree", "tree", "scan_blelloch", 64, 3, 1272, 420},
                    Golden{"tree-light", "tree", "scan_brent_kung", 16, 2, 900, 480, false},
                    Golden{"tree-large", "tree", "scan_blelloch", 1024, 12, 1272, 620},
                    Golden{"tree-affine", "tree", "scan_hillis_steele", 16, 3, 900, 400, false, "none",
                           Scalar::int32, Operator::affine},
                    Golden{"memory", "memory", "scan_blelloch", 64, 3, 1272, 160},
                    Golden{"memory-padded-wide", "memory", "scan_blelloch", 64, 5, 1272, 260, false, "pad16",
                           Scalar::float64},
                    Golden{"memory-large", "memory", "scan_blelloch", 1024, 5, 1272, 220},
                    Golden{"memory-two-buffers", "memory", "scan_double_buffer", 40, 2, 900, 220, false},
                    Golden{"banks", "banks", "scan_blelloch", 64, 3, 1272, 130},
                    Golden{"banks-32-way", "banks", "scan_blelloch", 1024, 5, 900, 280, false},
                    Golden{"warps", "warps", "scan_blelloch", 64, 3, 1272, 110},
                    Golden{"warps-32", "warps", "scan_blelloch", 2048, 9, 900, 250, false},
                    Golden{"source", "source", "scan_blelloch", 64, 3, 620, 360},
                    Golden{"profile", "profile", "scan_blelloch", 1024, 5, 1272, 120},
                    Golden{"profile-light", "profile", "scan_blelloch", 64, 3, 900, 200, false},
                    Golden{"work", "work", "scan_blelloch", 64, 3, 620, 380},
                    Golden{"words", "words", "scan_blelloch", 64, 3, 1272, 64},
                    Golden{"tree-shuffle", "tree", "reduce_shuffle", 64, 3, 1272, 420, true, "none",
                           Scalar::float32, Operator::sum, 64},
                    Golden{"tree-block", "tree", "scan_large", 256, 6, 900, 420, false, "none", Scalar::int32,
                           Operator::sum, 32, 2},
                    Golden{"registers", "registers", "scan_warp_shuffle", 64, 3, 1272, 220, true, "none",
                           Scalar::float32, Operator::sum, 64},
                    Golden{"registers-xor", "registers", "reduce_shuffle", 64, 1, 900, 260, false, "none",
                           Scalar::int32, Operator::sum, 64},
                    Golden{"global-strided", "global", "reduce_two_pass_blocked", 512, 0, 1272, 260, true,
                           "none", Scalar::float32, Operator::sum, 32},
                    Golden{"global-coalesced", "global", "scan_vector4", 128, 0, 900, 180, false, "none",
                           Scalar::float32, Operator::sum, 32},
                    Golden{"blocks-lookback", "blocks", "scan_decoupled_lookback", 512, 14, 1272, 520, true,
                           "none", Scalar::int32, Operator::sum, 32, 5},
                    Golden{"blocks-launches", "blocks", "scan_large", 512, 4, 900, 260, false, "none",
                           Scalar::int32, Operator::sum, 32, 1},
                    Golden{"launches", "launches", "reduce_nested", 128, 4, 1272, 420, true, "none",
                           Scalar::int32, Operator::sum, 32},
                    Golden{"launches-chain", "launches", "scan_large", 256, 4, 900, 160, false, "none",
                           Scalar::int32, Operator::sum, 32},
                    Golden{"memory-regions", "memory", "scan_decoupled_lookback", 512, 14, 1272, 200, true,
                           "none", Scalar::int32, Operator::sum, 32, 5},
                    Golden{"profile-launches", "profile", "scan_large", 256, 6, 1272, 120, true, "none",
                           Scalar::int32, Operator::sum, 32},
                    Golden{"source-without-barrier", "source", "scan_hillis_steele", 64, 2, 620, 360, true,
                           "none", Scalar::int32, Operator::sum, 64, 0, 1}),
    [](const auto& info) {
      std::string name = info.param.file;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

// --- what holds for every recording and every size

struct Case {
  const char* algorithm;
  int n;
  const char* layout = "none";
  Scalar type = Scalar::float32;
  Operator op = Operator::sum;
  int threads = 0, block = 0;
};

const Case cases[] = {{"scan_blelloch", 1},
                      {"scan_blelloch", 64},
                      {"scan_blelloch", 100, "pad32", Scalar::float64},
                      {"scan_blelloch", 1000, "pad32x2", Scalar::int32, Operator::affine},
                      {"scan_blelloch", 2048},
                      {"scan_hillis_steele", 2},
                      {"scan_hillis_steele", 1024},
                      {"scan_double_buffer", 33, "none", Scalar::float64, Operator::affine},
                      {"scan_brent_kung", 300, "none", Scalar::uint32, Operator::max},
                      {"reduce_interleaved", 8, "none", Scalar::float32, Operator::product},
                      {"reduce_sequential", 2000, "none", Scalar::float64, Operator::min},
                      {"reduce_serial", 300},
                      {"reduce_atomic", 200, "none", Scalar::int32, Operator::max, 32, 1},
                      {"reduce_shuffle", 1000, "none", Scalar::float64, Operator::sum, 64, 2},
                      {"reduce_nested", 256, "none", Scalar::float32, Operator::sum, 32, 1},
                      {"nested_hello", 64},
                      {"reduce_vectorized", 3000, "none", Scalar::uint32, Operator::sum, 32, 1},
                      {"scan_per_output", 100, "none", Scalar::float32, Operator::sum, 32, 3},
                      {"scan_vector4", 200, "pad32", Scalar::float64},
                      {"scan_large", 700, "none", Scalar::int32, Operator::affine, 32, 7},
                      {"scan_decoupled_lookback", 600, "none", Scalar::float32, Operator::sum, 32, 11},
                      {"scan_large", 64 * 80, "none", Scalar::int32, Operator::sum, 32, 79}};

Recording record(const Case& c) {
  Settings s;
  s.layout = c.layout;
  s.type = c.type;
  s.op = c.op;
  return record(c.algorithm, c.n, s, 11, c.threads);
}

class EveryRecording : public testing::TestWithParam<int> {};

TEST_P(EveryRecording, KeepsInsideItsPictureWithoutOverlap) {
  const Case& c = cases[GetParam()];
  const Recording r = record(c);
  const int steps = static_cast<int>(r.trace.steps.size());
  for (const View& v : views())
    for (const Point size : {Point{500, 90}, Point{640, 200}, Point{1272, 160}, Point{1272, 420},
                             Point{900, 700}, Point{2400, 1200}})
      for (const int step : {0, 1, steps / 2, steps - 1}) {
        if ((std::string_view(v.name) == "work" || std::string_view(v.name) == "hazards") && size.y < 200)
          continue;  // tables: their places are higher
        Cursor cursor = at_step(std::min(step, steps - 1));
        cursor.block = std::min(c.block, r.trace.grid_of(static_cast<std::uint32_t>(cursor.step)).blocks - 1);
        const Scene scene = v.draw({r, cursor, light_theme(), size.x, size.y});
        SCOPED_TRACE(fmt::format("{} of {}, n = {}, step {}, {} x {}", v.name, c.algorithm, c.n, cursor.step,
                                 size.x, size.y));
        std::vector<Box> boxes;
        for (const TextShape& t : texts(scene)) {
          const Box b = extent(t);
          EXPECT_GE(t.size, 9);
          EXPECT_TRUE(b.x >= -1 && b.x + b.w <= size.x + 1 && b.y >= -1 && b.y + b.h <= size.y + 1) << t.text;
          for (std::size_t i = 0; i < boxes.size(); i++) {
            const Box& o = boxes[i];
            const float across = std::min(b.x + b.w, o.x + o.w) - std::max(b.x, o.x);
            const float down = std::min(b.y + b.h, o.y + o.h) - std::max(b.y, o.y);
            ASSERT_FALSE(across > 1.5f && down > 1.5f)
                << "\"" << t.text << "\" lies over \"" << texts(scene)[i].text << "\"";
          }
          boxes.push_back(b);
        }
        for (const Scene::Target& t : scene.targets) {
          ASSERT_TRUE(std::isfinite(t.box.x) && std::isfinite(t.box.y) && t.box.w > 0 && t.box.h > 0);
          ASSERT_NE(t.id.what, Id::What::none);
        }
        EXPECT_LT(scene.shapes.size(), 8000u * std::max(1.0f, size.x / 900));
      }
}

TEST_P(EveryRecording, SaysEveryStepInSentences) {
  const Recording r = record(cases[GetParam()]);
  for (int step = 0; step < static_cast<int>(r.trace.steps.size()); step++) {
    Cursor cursor = at_step(step);
    cursor.block =
        std::min(cases[GetParam()].block, r.trace.grid_of(static_cast<std::uint32_t>(step)).blocks - 1);
    const std::string text = words(r, cursor);
    SCOPED_TRACE(text);
    EXPECT_EQ(text.back(), '.');
    for (const char* wrong : {"  ", "..", " ,", "1 threads", " 1 requests", " 1 wavefronts", " 1 lanes are",
                              "1 warps", "Thread 0 each", "[]", "-1]"})
      EXPECT_EQ(text.find(wrong), std::string::npos) << wrong;
    EXPECT_TRUE(std::isupper(static_cast<unsigned char>(text[0])));
  }
}

INSTANTIATE_TEST_SUITE_P(Views, EveryRecording, testing::Range(0, static_cast<int>(std::size(cases))));

TEST(Views, AreListedInTheWindowsOrder) {
  std::string names;
  for (const View& v : views()) names += std::string(v.name) + " ";
  EXPECT_EQ(names.find("tree memory banks warps source profile words "), 0u);
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
  c.hover = {.what = Id::What::node, .element = 15, .row = 4};
  const Scene scene = draw("tree", r, c, 900, 500);
  // The root of 16: 31 nodes ringed, 30 edges drawn again, one readout.
  EXPECT_EQ(scene.shapes.size(), before + 31 + 30 + 1);
  EXPECT_TRUE(says(scene, "x[15] = "));
}

TEST(Tree, NodesAreWhereTheyAreHit) {
  const Recording r = record("scan_blelloch", 64);
  const Scene scene = draw("tree", r, at_step(3), 1272, 420);
  int nodes = 0;
  for (const Scene::Target& t : scene.targets) {
    const Id id = hit(scene, {t.box.x + t.box.w / 2, t.box.y + t.box.h / 2});
    EXPECT_EQ(id, t.id);
    nodes += id.what == Id::What::node;
  }
  std::size_t all = 0;
  for (const TreeRow& row : r.tree().rows) all += row.nodes.size();
  EXPECT_EQ(nodes, static_cast<int>(all));
}

TEST(Memory, ShowsEveryValueAfterTheStep) {
  const Recording r = record("scan_blelloch", 64);
  const Scene scene = draw("memory", r, at_step(static_cast<int>(r.trace.steps.size()) - 1), 1272, 200);
  std::multiset<std::string> shown;
  for (const TextShape& t : texts(scene)) shown.insert(t.text);
  for (const Value& v : r.trace.output)
    EXPECT_TRUE(shown.count(fmt::format("{}", scalar(v, Scalar::float32)))) << scalar(v, Scalar::float32);
}

TEST(Memory, NamesTheRowsItLeavesOut) {
  const Scene scene = draw("memory", record("scan_blelloch", 1024), at_step(0), 1272, 220);
  EXPECT_TRUE(says(scene, "of 32"));
}

TEST(Memory, ThreeDigitsFitInASmallWindow) {
  const Scene scene = draw("memory", record("scan_blelloch", 1024), at_step(5), 846, 110);
  EXPECT_TRUE(says(scene, "bank"));
  for (const TextShape& t : texts(scene)) EXPECT_NE(t.text, "…");
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
  EXPECT_TRUE(says(draw("banks", r, at_step(0), 1272, 200), "No shared-memory request in this step"));
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

TEST(Views, SurviveAnyHoverAndAnySize) {
  std::mt19937 random(5);
  const auto any = [&] { return static_cast<int>(random() % 3000) - 100; };
  for (const Case& c : cases) {
    const Recording r = record(c);
    for (int round = 0; round < 40; round++)
      for (const View& v : views()) {
        Cursor cursor = at_step(static_cast<int>(random() % r.trace.steps.size()));
        cursor.request = any();
        cursor.first_element = any();
        cursor.element_count = any();
        cursor.first_line = any();
        cursor.block = static_cast<int>(random() % 90);
        cursor.hover = {static_cast<Id::What>(random() % 13),
                        any(),
                        any() % 40,
                        any() % 40,
                        any(),
                        any(),
                        any(),
                        any(),
                        any() % 30,
                        any() % 12,
                        any() % 90};
        const auto w = static_cast<float>(random() % 900), h = static_cast<float>(random() % 500);
        const Scene scene = v.draw({r, cursor, dark_theme(), w, h});
        EXPECT_EQ(scene.width, w);
        EXPECT_EQ(scene.height, h);
      }
  }
}

TEST(Views, DrawAnEmptyRecordingToo) {
  const Recording empty;
  for (const View& v : views())
    if (std::string_view(v.name) != "work") EXPECT_EQ(draw(v.name, empty, {}, 900, 300).width, 900) << v.name;
  EXPECT_EQ(words(empty, {}), "Nothing was recorded.");
}

// One thing under the mouse lights up wherever it is.
TEST(Hover, IsSharedByTheViews) {
  const Recording r = record("scan_blelloch", 64);
  const auto shapes = [&](const char* name, const Id& hover) {
    Cursor c = at_step(3);
    c.hover = hover;
    return draw(name, r, c, 1272, 300).shapes.size();
  };
  const std::size_t memory = shapes("memory", {}), banks = shapes("banks", {}), warps = shapes("warps", {}),
                    source = shapes("source", {});
  const Id lane{.what = Id::What::lane, .step = 3, .warp = 0, .lane = 5};
  EXPECT_EQ(shapes("memory", lane), memory + 2);  // x[43] and x[47]
  EXPECT_EQ(shapes("banks", lane), banks + 2);    // its box, and the readout
  EXPECT_EQ(shapes("warps", lane), warps + 2);
  EXPECT_EQ(shapes("memory", {.what = Id::What::bank, .lane = 11}), memory + 1 + 2);  // the number, two words
  EXPECT_EQ(shapes("banks", {.what = Id::What::bank, .lane = 11}), banks + 1 + 2);
  const int line = r.trace.events[request_event(r, at_step(3))].line;
  EXPECT_EQ(shapes("memory", {.what = Id::What::line, .line = line}), memory + 8);
  EXPECT_EQ(shapes("source", {.what = Id::What::line, .line = line}), source + 1);
  Id cell{.what = Id::What::cell, .warp = 0, .lane = 5, .element = 43, .cell = 43, .line = line};
  EXPECT_EQ(shapes("memory", cell), memory + 2);
  EXPECT_EQ(shapes("banks", cell), banks + 2);
  EXPECT_EQ(shapes("source", cell), source + 1);
  EXPECT_EQ(shapes("warps", cell), warps + 1);
}

// --- registers, global memory, blocks, launches

TEST(Registers, AnArrowForEveryLaneThatTakesAnothersValue) {
  Settings s;
  s.type = Scalar::int32;
  const Recording r = record("scan_warp_shuffle", 64, s, 3, 64);
  int step = 0;
  while (r.trace.steps[static_cast<std::size_t>(step)] != Step{Phase::scan, 4}) step++;
  const Scene scene = draw("registers", r, at_step(step), 1272, 240);
  int arrows = 0;
  for (const Shape& shape : scene.shapes) arrows += std::holds_alternative<TriangleShape>(shape.what);
  EXPECT_EQ(arrows, 28) << "lanes 0 to 3 keep their own";
  EXPECT_TRUE(says(scene, "28 of 32 lanes take another's value"));
  EXPECT_TRUE(says(draw("registers", record("scan_blelloch", 8), at_step(0), 900, 200), "never take values"));
}

TEST(Global, CoalescedAndNot) {
  Settings s;
  const Recording strided = record("reduce_two_pass_blocked", 128 * 8, s, 3, 32);
  EXPECT_TRUE(says(draw("global", strided, at_step(0), 1272, 300), "32 sectors, 4 would do"));
  const Recording coalesced = record("reduce_two_pass", 128 * 8, s, 3, 32);
  EXPECT_TRUE(says(draw("global", coalesced, at_step(0), 1272, 300), "4 sectors, the fewest possible"));
}

TEST(Blocks, EveryTileSaysHowFarItLookedBack) {
  const Recording r = record("scan_decoupled_lookback", 512, {}, 3, 32);
  const BlockTalk talk = block_talk(r.trace, 0);
  ASSERT_GE(talk.status, 0);
  EXPECT_EQ(buffer_name(r.trace, talk.status), "status");
  EXPECT_EQ(talk.names.at(2), "prefix known");
  ASSERT_EQ(talk.blocks.size(), 16u);
  for (const BlockTalk::Block& b : talk.blocks) {
    EXPECT_GE(b.tile, 0);
    EXPECT_EQ(b.changes.back().value, 2u) << "in the end every prefix is known";
    if (b.tile > 0) {
      EXPECT_GE(b.distance(), 1);
      EXPECT_LE(b.distance(), b.tile);
    }
  }
  EXPECT_TRUE(says(draw("blocks", r, at_step(0), 1272, 500), "looked back"));
  EXPECT_FALSE(block_talk(record("scan_blelloch", 64).trace, 0));
  const BlockTalk drawn = block_talk(record("reduce_single_pass", 256, {}, 3, 32).trace, 0);
  EXPECT_EQ(drawn.status, -1);
  std::set<int> numbers;
  for (const BlockTalk::Block& b : drawn.blocks) numbers.insert(b.number);
  EXPECT_EQ(numbers, (std::set{0, 1, 2, 3}));
}

TEST(Launches, EveryGridIsABoxToBeClicked) {
  const Recording r = record("reduce_nested", 128, {}, 3, 32);
  const Scene scene = draw("launches", r, at_step(0), 1272, 400);
  std::set<int> grids;
  for (const Scene::Target& t : scene.targets)
    if (t.id.what == Id::What::grid) grids.insert(t.id.grid);
  EXPECT_EQ(grids.size(), r.trace.grids.size());
  EXPECT_GT(grids.size(), 10u);
}

TEST(Source, ABarrierCanBeTakenOut) {
  Settings s;
  s.without_barrier = barrier_lines(algorithm("scan_hillis_steele")).front();
  for (const bool out : {false, true}) {
    const Recording r = record("scan_hillis_steele", 64, out ? s : Settings{});
    const Scene scene = draw("source", r, at_step(2), 620, 900);
    EXPECT_TRUE(says(scene, "__syncthreads")) << "also where it was taken out";
    EXPECT_EQ(says(scene, "put back"), out);
    EXPECT_TRUE(std::any_of(scene.targets.begin(), scene.targets.end(), [&](const auto& t) {
      return t.id.what == Id::What::barrier && t.id.line == s.without_barrier;
    }));
    EXPECT_EQ(words(r, at_step(2)).find("was taken out") != std::string::npos, out);
  }
}

TEST(Views, NameTheirAlternatives) {
  const Recording r = record("scan_blelloch", 64);
  const std::vector<int> others = {8, 12};
  const Scene scene = view("tree").draw({r, at_step(3), dark_theme(), 900, 300, others});
  EXPECT_TRUE(says(scene, "Hazards"));
  int targets = 0;
  for (const Scene::Target& t : scene.targets) targets += t.id.what == Id::What::view;
  EXPECT_EQ(targets, 2);
}

TEST(Profile, ABarIsAStep) {
  const Recording r = record("scan_blelloch", 64);
  const Scene scene = draw("profile", r, at_step(3), 1272, 100);
  ASSERT_EQ(scene.targets.size(), r.trace.steps.size());
  for (int s = 0; s < static_cast<int>(scene.targets.size()); s++) {
    EXPECT_EQ(scene.targets[s].id.what, Id::What::step);
    EXPECT_EQ(scene.targets[s].id.step, s);
  }
}

TEST(Source, KeepsTheStepsLinesInView) {
  const Recording r = record("scan_blelloch", 64);
  for (int step = 0; step < static_cast<int>(r.trace.steps.size()); step++) {
    const Scene scene = draw("source", r, at_step(step), 620, 300);
    for (const LineFacts& f : line_facts(r.trace, step))
      EXPECT_TRUE(std::any_of(scene.targets.begin(), scene.targets.end(), [&](const auto& t) {
        return t.id.line == f.line;
      })) << f.line;
  }
  Cursor c = at_step(3);
  c.first_line = 5;
  EXPECT_EQ(draw("source", r, c, 620, 300).targets.front().id.line, 5);
}

TEST(Words, SayWhatTheBookSays) {
  const Recording r = record("scan_blelloch", 64);
  EXPECT_EQ(words(r, at_step(3)),
            "Up-sweep, stride 4. Threads 0–7 each add x[8t+3] into x[8t+7]. Words 3 and 35 share bank 3, so "
            "reading x[8t+3] takes "
            "2 wavefronts instead of 1, and so does each of the step's other 2 requests: 3 wavefronts in "
            "excess. 24 lanes are masked "
            "off. 56 of 126 additions done.");
  EXPECT_EQ(words(r, at_step(7)).find("Clear. Thread 0 puts the identity 0 into x[63]."), 0u);
  EXPECT_EQ(
      words(r, at_step(8))
          .find("Down-sweep, stride 32. Thread 0 copies x[63] to x[31] and adds the old x[31] into x[63]."),
      0u);
  const Recording h = record("scan_hillis_steele", 40);
  EXPECT_EQ(
      words(h, at_step(3)).find("Scan, stride 2: reading. Threads 2–39 each read x[t−2]. Nothing is stored"),
      0u);
  EXPECT_NE(words(h, at_step(4)).find("They had read x[t−2] in an earlier step."), std::string::npos);
}

// All lanes of a warp read one word: built by hand, since no kernel here does it.
TEST(Words, NameABroadcast) {
  Recording r = record("scan_blelloch", 64);
  for (const int i : shared_requests(r.trace, 0, 1))
    for_each_lane(r.trace.events[i], [&](int, std::uint32_t entry) { r.trace.lanes[entry].address = 20; });
  r.facts = facts(r.trace);
  const std::string text = words(r, at_step(1));
  EXPECT_NE(
      text.find("32 lanes of warp 0 read the same word, 5: one wavefront serves them all, a broadcast."),
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

}  // namespace
}  // namespace upsweep

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; i++)
    upsweep::update_golden = upsweep::update_golden || std::string_view(argv[i]) == "--update";
  return RUN_ALL_TESTS();
}
