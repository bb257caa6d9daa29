// Tests the view "Signal" and the series that the view draws: the smallest and largest values of ranges, the
// comparison with a sequential loop, and the picture.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "analysis/signal.hpp"
#include "catalogue/ladder.hpp"
#include "export/export.hpp"
#include "support/drawn_views.hpp"
#include "support/pictures.hpp"
#include "support/value_of.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace signal_view_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();

TEST(Series, FindsTheExtremesOfEveryRange) {
  std::mt19937 random(1);
  for (const std::size_t n : {1u, 2u, 15u, 16u, 17u, 255u, 256u, 257u, 4096u, 5003u}) {
    std::vector<double> numbers(n);
    for (double& x : numbers) {
      x = static_cast<double>(random() % 2001) - 1000;
      if (random() % 20 == 0) x = random() % 2 ? nan : inf;
    }
    const Series series(numbers);
    ASSERT_EQ(series.size(), n);
    for (int round = 0; round < 300; ++round) {
      std::size_t begin = random() % (n + 1), end = random() % (n + 1);
      if (begin > end) std::swap(begin, end);
      if (round == 0) begin = 0, end = n;
      bool none = true;
      double low = 0, high = 0;
      for (std::size_t i = begin; i < end; ++i) {
        if (!std::isfinite(numbers[i])) continue;
        low = none ? numbers[i] : std::min(low, numbers[i]);
        high = none ? numbers[i] : std::max(high, numbers[i]);
        none = false;
      }
      const Extremes found = series.extremes(begin, end);
      ASSERT_EQ(found.none(), none) << n << ": " << begin << " to " << end;
      if (none) continue;
      ASSERT_EQ(found.low, low) << n << ": " << begin << " to " << end;
      ASSERT_EQ(found.high, high) << n << ": " << begin << " to " << end;
    }
  }
}

// Records a run of the algorithm `rung`, with random coefficients or with a preset.
Recording recorded(const char* rung, int n, const char* preset, Scalar type = Scalar::float32) {
  Settings s{.algorithm = rung, .n = n, .block = 32, .type = type, .op = Operator::affine};
  s.grid = 3;
  const std::vector<Value> input = preset ? preset_data(s, preset) : random_data(s, 7);
  return make_recording(Emulator().record(s, input));
}

TEST(Signal, HasTheNumbersOfASequentialLoopInTheType) {
  for (const Algorithm* a : rungs_of("linear_recurrence"))
    for (const int n : {1, 2, 33, 500}) {
      const Recording r = recorded(a->name.c_str(), n, n == 500 ? "low_pass" : nullptr);
      ASSERT_TRUE(r.signal) << a->name;
      const Signal& s = *r.signal;
      float y = 0;
      std::size_t differing = 0;
      for (std::size_t j = 0; j < static_cast<std::size_t>(n); ++j) {
        const auto f = static_cast<float>(scalar(r.trace.input[j], Scalar::float32, 0)),
                   g = static_cast<float>(scalar(r.trace.input[j], Scalar::float32, 1));
        volatile float product = f * y;  // the product is rounded to the type
        y = product + g;
        const auto out = static_cast<float>(scalar(r.trace.output[j], Scalar::float32));
        ASSERT_EQ(s.exact[j], value_of(y)) << j;
        ASSERT_EQ(s.sequential[j], static_cast<double>(y));
        ASSERT_EQ(s.y[j], static_cast<double>(out));
        ASSERT_EQ(s.a[j], static_cast<double>(f));
        ASSERT_EQ(s.b[j], static_cast<double>(g));
        ASSERT_EQ(s.difference[j], static_cast<double>(out) - static_cast<double>(y));
        ASSERT_LE(std::abs(s.difference[j]), std::abs(s.difference[s.largest]));
        differing += out != y;
      }
      EXPECT_EQ(s.differing, differing);
      if (a->rung == "sequential") { EXPECT_EQ(differing, 0u); }
    }
  EXPECT_FALSE(record("scan_blelloch", 64).signal);
  Settings affine;
  affine.op = Operator::affine;
  EXPECT_FALSE(record("scan_blelloch", 64, affine).signal) << "its output has pairs";
}

TEST(Signal, OfIntegersIsExact) {
  const Recording r = recorded("linear_recurrence", 500, nullptr, Scalar::int32);
  EXPECT_EQ(r.signal->differing, 0u);
  EXPECT_TRUE(says(draw("signal", r, at_end(r), 900, 400), "every y equals the y of a sequential loop"));
  EXPECT_TRUE(says(draw("signal", r, at_end(r), 900, 400), "0 everywhere"));
}

TEST(SignalView, IsOfferedAndComesFirstOnlyForRecurrences) {
  EXPECT_TRUE(view("signal").has_something(recorded("linear_recurrence", 10, nullptr)));
  EXPECT_FALSE(view("signal").has_something(record("scan_blelloch", 64)));
  EXPECT_TRUE(says(draw("signal", record("scan_blelloch", 64), {}, 900, 300), "no linear recurrence"));
}

TEST(SignalView, WordsFitInEverySize) {
  std::mt19937 random(3);
  for (const char* preset : {"low_pass", "interest", "resets", static_cast<const char*>(nullptr)})
    for (const int n : {1, 2, 64, 997, 3001}) {
      const Recording r = recorded("linear_recurrence", n, preset);
      for (int round = 0; round < 12; ++round) {
        const Point size{static_cast<float>(140 + random() % 1800), static_cast<float>(60 + random() % 900)};
        Cursor cursor = round % 4 < 2 ? at_end(r) : at_step(0);
        if (round % 2 == 1)
          cursor.hover = OwnId{"signal", static_cast<int>(random() % static_cast<unsigned>(n))};
        SCOPED_TRACE(fmt::format("{} {} {} x {}", preset ? preset : "random", n, size.x, size.y));
        expect_words_fit(draw_view(view("signal"), {r, cursor, light_theme(), size.x, size.y}), size);
      }
    }
}

// The tooltip about a sample contains all numbers of the sample. The picture highlights the sample under the
// mouse.
TEST(SignalView, TellsTheNumbersOfTheSampleUnderTheMouse) {
  const Recording r = recorded("linear_recurrence", 64, "low_pass");
  const Scene scene = draw("signal", r, at_end(r), 900, 400);
  ASSERT_EQ(scene.targets.size(), 64u);
  std::set<std::string> pictures;
  for (int j = 0; j < 64; ++j) {
    const Id id = scene.targets[static_cast<std::size_t>(j)].id;
    EXPECT_EQ(id, Id(OwnId{"signal", j}));
    const Lines tip = tip_of({r, at_end(r)}, id);
    ASSERT_EQ(tip.size(), 6u);
    EXPECT_EQ(tip[0], fmt::format("j = {}", j));
    Settings plain = r.trace.settings;
    plain.op = Operator::sum;
    EXPECT_EQ(tip[1], "a 0.9");
    EXPECT_EQ(tip[3], "y of this run " + exact_text(r.trace.output[static_cast<std::size_t>(j)], plain));
    EXPECT_EQ(tip[4], "y sequential " + exact_text(r.signal->exact[static_cast<std::size_t>(j)], plain));
    Cursor cursor = at_end(r);
    cursor.hover = id;
    pictures.insert(svg(draw("signal", r, cursor, 900, 400)));
  }
  EXPECT_EQ(pictures.size(), 64u);
  EXPECT_TRUE(tip_of({r, at_end(r)}, OwnId{"signal", 64}).empty());
}

// The picture and the tooltip must show an output number if and only if a step has stored this number.
TEST(SignalView, ShowsOnlyNumbersThatAreStored) {
  for (const Algorithm* a : rungs_of("linear_recurrence")) {
    const Recording r = recorded(a->name.c_str(), 40, "low_pass");
    const int output = r.trace.roles().first_output();
    for (int step = 0; step < static_cast<int>(r.trace.steps.size()); ++step) {
      const auto& cells = r.global(output, step).cells;
      const auto known = std::ranges::count_if(cells, &GlobalState::Cell::known);
      const Scene scene = draw("signal", r, at_step(step), 1272, 500);
      const auto discs = std::ranges::count_if(scene.shapes, [](const Shape& s) {
        const auto* box = std::get_if<RectShape>(&s.what);
        return box && box->fill == dark_theme().now;
      });
      EXPECT_EQ(discs, known) << a->name << ", step " << step;
      EXPECT_EQ(says(scene, fmt::format("{} of 40 y are stored", known)), known < 40) << a->name << step;
      for (std::size_t j = 0; j < 40; ++j)
        EXPECT_EQ(tip_of({r, at_step(step)}, OwnId{"signal", static_cast<int>(j)})[3] ==
                      "y of this run not stored yet",
                  !cells[j].known);
    }
  }
}

// For a million samples, the number of shapes depends only on the width of the view in pixels.
TEST(SignalView, DrawsAMillionSamplesInColumns) {
  constexpr std::size_t n = 1 << 20;
  Recording r;
  r.trace.settings = {
      .algorithm = "linear_recurrence", .n = n, .type = Scalar::float32, .op = Operator::affine};
  std::mt19937 random(5);
  std::vector<Value> sequential;
  float y = 0;
  for (std::size_t j = 0; j < n; ++j) {
    Value v{};
    set_scalar(v, Scalar::float32, 0, 0.5);
    set_scalar(v, Scalar::float32, 1, static_cast<long double>(random() % 100));
    y = 0.5f * y + static_cast<float>(scalar(v, Scalar::float32, 1));
    r.trace.input.push_back(v);
    r.trace.output.push_back(value_of(j == 777777 ? y + 1000 : y));
    sequential.push_back(value_of(y));
  }
  r.signal = signal_of(r.trace, sequential);
  EXPECT_EQ(r.signal->differing, 1u);
  EXPECT_EQ(r.signal->largest, 777777u);
  const Scene scene = draw("signal", r, {}, 1000, 400);
  EXPECT_LT(scene.shapes.size(), 4000u);
  expect_words_fit(scene, {1000, 400});
  // Each column of the picture stands for a thousand samples. Nevertheless, the picture shows the only wrong
  // sample.
  const Scene::Target* column = nullptr;
  for (const Scene::Target& t : scene.targets)
    if (as<OwnId>(t.id)->thing <= 777777) column = &t;
  ASSERT_TRUE(column);
  bool peaks = false;
  float highest = 1e9f;
  for (const Shape& s : scene.shapes)
    if (const auto* line = std::get_if<LineShape>(&s.what))
      if (line->colour == dark_theme().now && line->from.x == line->to.x)
        highest = std::min({highest, line->from.y, line->to.y});
  for (const Shape& s : scene.shapes)
    if (const auto* line = std::get_if<LineShape>(&s.what); line && line->colour == dark_theme().now)
      peaks = peaks || (std::min(line->from.y, line->to.y) == highest && line->from.x >= column->box.x - 1 &&
                        line->from.x <= column->box.x + column->box.w + 1);
  EXPECT_TRUE(peaks);
}

// Infinities and NaN must cause only gaps in the picture.
TEST(SignalView, SurvivesNumbersThatAreNotFinite) {
  Recording r;
  r.trace.settings = {
      .algorithm = "linear_recurrence", .n = 40, .type = Scalar::float32, .op = Operator::affine};
  const float all[] = {
      static_cast<float>(nan), static_cast<float>(inf), -static_cast<float>(inf), 3e38f, -3e38f, 0, 1e-45f};
  for (const bool finite : {true, false}) {
    r.trace.input.assign(40, {});
    r.trace.output.clear();
    std::vector<Value> sequential;
    for (std::size_t j = 0; j < 40; ++j) {
      r.trace.output.push_back(value_of(all[finite ? j % 7 : j % 3]));
      sequential.push_back(value_of(all[finite ? (j + 1) % 7 : j % 3]));
    }
    r.signal = signal_of(r.trace, sequential);
    const Scene scene = draw("signal", r, {}, 900, 400);
    expect_words_fit(scene, {900, 400});
    for (const Shape& s : scene.shapes)
      if (const auto* line = std::get_if<LineShape>(&s.what)) {
        ASSERT_TRUE(std::isfinite(line->from.y) && std::isfinite(line->to.y));
      }
  }
}

}  // namespace signal_view_test
}  // namespace upsweep
