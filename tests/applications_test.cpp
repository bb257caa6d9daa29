// Tests the results of applications. The oracle, which computes the correct results, must agree with
// independent computations and with kernels on the emulator. check() must find every wrong element in every
// output.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "base/error.hpp"
#include "catalogue/data.hpp"
#include "catalogue/plan.hpp"
#include "emulated/test_kernels.hpp"
#include "machine/emulator/emulator.hpp"
#include "machine/gpu/gpu_program.hpp"
#include "machine/gpu/nvrtc.hpp"
#include "support/emulated_runs.hpp"
#include "support/look_at.hpp"
#include "support/value_of.hpp"
#include "trace/value.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace applications_test {

template <class N>
N number_of(const Value& v) {
  N x;
  std::memcpy(&x, v.data(), sizeof x);
  return x;
}

// Returns settings for a test kernel. The blocks have 64 threads, even if the kernel uses only one thread.
Settings settings(const Algorithm& a, int n, Scalar type, std::map<std::string, std::string> choices = {}) {
  Settings s{.algorithm = a.name, .n = n, .block = 64, .type = type, .choices = std::move(choices)};
  return s;
}

struct Ran {
  Trace trace;
  Message mistake;
};
// Records a run of a test kernel on the emulator, and returns the recording and the mistake that check()
// finds in the outputs. Also expects that a run without the recorder has the same outputs.
Ran ran(const Algorithm& a, const Settings& s, const std::vector<Value>& input, const Contents& more = {}) {
  const Inputs inputs(input, more);
  Trace trace = Emulator().record(a, *test_kernels(a.name), s, inputs);
  Contents fast = Emulator().run_all(a, *test_kernels(a.name), s, inputs);
  EXPECT_EQ(fast.front(), trace.output);
  fast.erase(fast.begin());
  EXPECT_EQ(fast, trace.more_outputs);
  const Message mistake = check(a, s, inputs, {trace.output, trace.more_outputs});
  return {std::move(trace), mistake};
}

// Flips one bit in each element or word of the outputs, one after another. Expects that check() finds each
// change, but ignores changes of out[defined] and all later elements of `out`.
void expect_every_mistake_found(const Algorithm& a, const Settings& s, const std::vector<Value>& input,
                                Trace trace, const Contents& more, std::size_t defined) {
  const auto found = [&] { return in_words(check(a, s, {input, more}, {trace.output, trace.more_outputs})); };
  for (std::size_t i = 0; i < trace.output.size(); ++i) {
    trace.output[i][0] ^= 1;
    const std::string expected = i < defined ? fmt::format("Wrong result: out[{}] is ", i) : "";
    EXPECT_EQ(found().substr(0, expected.size()), expected);
    if (i >= defined) { EXPECT_EQ(found(), "") << "nothing is compared behind the selected elements"; }
    trace.output[i][0] ^= 1;
  }
  const Result& result = result_of(a, s);
  for (std::size_t k = 0; k < trace.more_outputs.size(); ++k)
    for (std::size_t i = 0; i < trace.more_outputs[k].size(); ++i) {
      trace.more_outputs[k][i][0] ^= 1;
      const std::string expected = fmt::format("Wrong result: {}[{}] is ", result.more_names[k], i);
      EXPECT_EQ(found().substr(0, expected.size()), expected);
      trace.more_outputs[k][i][0] ^= 1;
    }
  EXPECT_EQ(found(), "");
}

constexpr int awkward_sizes[] = {1, 2, 3, 31, 32, 33, 64, 97, 200};

TEST(Selection, KeepsTheOrderAndCounts) {
  const Algorithm a = test_kernel("serial_selection");
  std::mt19937 random(1);
  for (const int n : awkward_sizes) {
    std::vector<std::int32_t> numbers(static_cast<std::size_t>(n));
    for (auto& x : numbers) x = static_cast<std::int32_t>(random() % 21) - 10;
    const std::vector<Value> input = values_of(numbers);
    const auto expect = [&](const char* predicate, auto keep) {
      const Settings s = settings(a, n, Scalar::int32, {{"predicate", predicate}});
      std::vector<std::int32_t> due;
      std::copy_if(numbers.begin(), numbers.end(), std::back_inserter(due), keep);
      EXPECT_EQ(oracle(a, s, input), values_of(due)) << predicate;
      const Ran r = ran(a, s, input);
      EXPECT_EQ(in_words(r.mistake), "") << predicate << " " << n;
      EXPECT_EQ(r.trace.more_outputs[0][0][0], due.size());
      if (n == 33) expect_every_mistake_found(a, s, input, r.trace, {}, due.size());
    };
    expect("positive", [](int x) { return x > 0; });
    expect("x > 3 && x % 2 == 0", [](int x) { return x > 3 && x % 2 == 0; });
    expect("every", [](int) { return true; });
    expect("never", [](int) { return false; });
  }
}

TEST(Selection, MovesBitsAsTheyAre) {
  const Algorithm a = test_kernel("serial_selection");
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const std::vector<float> numbers = {nan, -0.0f, 0.0f, inf, -inf, -nan, 1e-45f, 3};
  const auto kept = [&](const char* predicate) {
    const Settings s = settings(a, 8, Scalar::float32, {{"predicate", predicate}});
    const Ran r = ran(a, s, values_of(numbers));
    EXPECT_EQ(in_words(r.mistake), "");
    return oracle(a, s, values_of(numbers));
  };
  EXPECT_EQ(kept("every"), values_of(numbers));
  EXPECT_EQ(kept("positive"), values_of(std::vector<float>{inf, 1e-45f, 3}));
  EXPECT_EQ(kept("!(x == x)"), values_of(std::vector<float>{nan, -nan}));
  EXPECT_EQ(kept("x == 0"), values_of(std::vector<float>{-0.0f, 0.0f}));
}

// Returns true if x comes before y in the order of a sort: by value, but -0 is before +0 and NaN is last.
bool comes_before(float x, float y) {
  if (std::isnan(x) || std::isnan(y)) return !std::isnan(x);
  return x < y || (x == y && std::signbit(x) && !std::signbit(y));
}

TEST(Sorting, IsStableForEveryType) {
  const Algorithm a = test_kernel("rank_sorting");
  std::mt19937 random(2);
  const float special[] = {std::numeric_limits<float>::quiet_NaN(),
                           -0.0f,
                           0.0f,
                           1e-45f,
                           -1e-45f,
                           std::numeric_limits<float>::infinity(),
                           -std::numeric_limits<float>::infinity()};
  const auto test = [&]<class N>(Scalar type, std::vector<N> numbers, auto before) {
    const int n = static_cast<int>(numbers.size());
    std::vector<std::size_t> places(numbers.size());
    std::iota(places.begin(), places.end(), 0);
    std::stable_sort(places.begin(), places.end(),
                     [&](std::size_t i, std::size_t k) { return before(numbers[i], numbers[k]); });
    std::vector<Value> keys, input = values_of(numbers);
    std::vector<std::uint32_t> at, given, moved;
    for (std::size_t i = 0; i < numbers.size(); ++i) given.push_back(static_cast<std::uint32_t>(random()));
    for (const std::size_t i : places) {
      keys.push_back(input[i]);
      at.push_back(static_cast<std::uint32_t>(i));
      moved.push_back(given[i]);
    }
    const Settings alone = settings(a, n, type), pairs = settings(a, n, type, {{"keys", "pairs"}});
    EXPECT_EQ(oracle(a, alone, input), keys);
    Ran r = ran(a, alone, input);
    EXPECT_EQ(in_words(r.mistake), "");
    EXPECT_TRUE(r.trace.more_outputs[0].empty());
    r = ran(a, pairs, input);
    EXPECT_EQ(in_words(r.mistake), "");
    EXPECT_EQ(r.trace.more_outputs[0], values_of(at)) << "the values are the places of the keys";
    const Contents more = {values_of(given)};
    r = ran(a, pairs, input, more);
    EXPECT_EQ(in_words(r.mistake), "");
    EXPECT_EQ(r.trace.output, keys);
    EXPECT_EQ(r.trace.more_outputs[0], values_of(moved));
    if (n == 31) expect_every_mistake_found(a, pairs, input, r.trace, more, numbers.size());
  };
  for (const int n : awkward_sizes)
    for (const int few : {3, 1000000000}) {
      const auto count = static_cast<std::size_t>(n);
      std::vector<std::int32_t> ints(count);
      std::vector<std::uint32_t> words(count);
      std::vector<float> floats(count);
      for (auto& x : ints) x = static_cast<std::int32_t>(random() % static_cast<unsigned>(few)) - few / 2;
      for (auto& x : words) x = random() % 2 == 0 ? static_cast<std::uint32_t>(random()) : random() % 3;
      for (auto& x : floats)
        x = random() % 3 == 0 ? special[random() % std::size(special)]
                              : static_cast<float>(random() % static_cast<unsigned>(few)) - 5;
      test(Scalar::int32, ints, std::less());
      test(Scalar::uint32, words, std::less());
      test(Scalar::float32, floats, comes_before);
    }
}

// The shape of a table. Each table of `shapes` has at most 400 elements.
struct Shape {
  int rows, columns;
};
constexpr Shape shapes[] = {{1, 1}, {1, 97}, {97, 1}, {2, 2}, {7, 13}, {16, 16}, {19, 20}};

TEST(SummedAreaTable, HasTheSumsOfAllRectangles) {
  const Algorithm a = test_kernel("serial_areas");
  std::mt19937 random(3);
  for (const Shape shape : shapes)
    for (const int each : {1, 3}) {
      const int n = shape.rows * shape.columns;
      std::vector<std::int32_t> numbers(static_cast<std::size_t>(n * each));
      for (auto& x : numbers) x = static_cast<std::int32_t>(random());
      Settings s = settings(a, n, Scalar::int32, {{"channels", std::to_string(each)}});
      s.columns = shape.columns;
      std::vector<std::int32_t> due;
      for (int row = 0; row < shape.rows; ++row)
        for (int column = 0; column < shape.columns; ++column)
          for (int c = 0; c < each; ++c) {
            std::uint32_t sum = 0;  // integers wrap around
            for (int r = 0; r <= row; ++r)
              for (int k = 0; k <= column; ++k)
                sum += static_cast<std::uint32_t>(
                    numbers[static_cast<std::size_t>((r * shape.columns + k) * each + c)]);
            due.push_back(static_cast<std::int32_t>(sum));
          }
      EXPECT_EQ(oracle(a, s, values_of(numbers)), values_of(due));
      const Ran r = ran(a, s, values_of(numbers));
      EXPECT_EQ(in_words(r.mistake), "");
      if (n == 91) expect_every_mistake_found(a, s, values_of(numbers), r.trace, {}, due.size());
    }
}

// check() must accept an error that the rounding of a table's additions can explain, and must reject a larger
// error.
TEST(SummedAreaTable, MayRoundButNotMore) {
  const Algorithm a = test_kernel("serial_areas");
  std::mt19937 random(4);
  for (const Shape shape : {Shape{40, 50}, Shape{1, 2000}, Shape{2000, 1}}) {
    const int n = shape.rows * shape.columns;
    Settings s = settings(a, n, Scalar::float32);
    s.columns = shape.columns;
    std::vector<float> numbers(static_cast<std::size_t>(n));
    for (auto& x : numbers) x = static_cast<float>(random() % 1000003) / 1009;
    const auto at = [&](int row, int column) {
      return static_cast<std::size_t>(row * shape.columns + column);
    };
    // Adds up each column first, and then each row. The additions in `table` are rounded to float32.
    std::vector<float> table(numbers);
    std::vector<double> exact(numbers.begin(), numbers.end());
    for (int row = 1; row < shape.rows; ++row)
      for (int column = 0; column < shape.columns; ++column) {
        table[at(row, column)] += table[at(row - 1, column)];
        exact[at(row, column)] += exact[at(row - 1, column)];
      }
    for (int row = 0; row < shape.rows; ++row)
      for (int column = 1; column < shape.columns; ++column) {
        table[at(row, column)] += table[at(row, column - 1)];
        exact[at(row, column)] += exact[at(row, column - 1)];
      }
    const std::vector<Value> input = values_of(numbers), due = oracle(a, s, input);
    for (std::size_t i = 0; i < exact.size(); ++i)
      ASSERT_EQ(number_of<float>(due[i]), static_cast<float>(exact[i])) << i;
    EXPECT_EQ(in_words(check(a, s, input, values_of(table))), "");
    EXPECT_EQ(in_words(ran(a, s, input).mistake), "");
    std::vector<float> wrong = table;
    wrong.back() *= 1 + 4 * static_cast<float>(shape.rows + shape.columns) * 0x1p-24f;
    EXPECT_TRUE(check(a, s, input, values_of(wrong)));
    wrong = table;
    wrong[wrong.size() / 2] -= 500;
    EXPECT_TRUE(check(a, s, input, values_of(wrong))) << "as if a pixel were missing";
  }
}

TEST(Recurrence, IsTheSecondNumberOfAScanOfMaps) {
  std::mt19937 random(5);
  for (const int n : awkward_sizes) {
    const auto count = static_cast<std::size_t>(n);
    std::vector<float> a(count), b(count);
    for (auto& x : a) x = static_cast<float>(random() % 2001) / 1000 - 1;
    for (auto& x : b) x = static_cast<float>(random() % 2001) / 100 - 10;
    std::vector<Value> input(count);
    std::vector<float> due(count), rounded(count);
    double y = 0;
    float z = 0;
    for (std::size_t i = 0; i < count; ++i) {
      set_scalar(input[i], Scalar::float32, 0, a[i]);
      set_scalar(input[i], Scalar::float32, 1, b[i]);
      y = static_cast<double>(a[i]) * y + static_cast<double>(b[i]);
      z = a[i] * z + b[i];
      due[i] = static_cast<float>(y);
      rounded[i] = z;
    }
    Settings s{.algorithm = "", .n = n, .type = Scalar::float32, .op = Operator::affine};
    const std::vector<Value> expected = oracle(Result::recurrence, s, input);
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_NEAR(number_of<float>(expected[i]), due[i], 1e-6 * std::abs(due[i]) + 1e-12) << i;
    EXPECT_EQ(in_words(check(Result::recurrence, s, input, values_of(rounded))), "");
    rounded.back() += 1;
    EXPECT_EQ(in_words(check(Result::recurrence, s, input, values_of(rounded))),
              fmt::format("Wrong result: out[{}] is {}, expected {}.", n - 1,
                          exact_text(value_of(rounded.back()), Settings{}),
                          exact_text(expected.back(), Settings{})))
        << "printed as numbers, not as pairs";
    // Integers wrap around and have no rounding errors.
    s.type = Scalar::int32;
    std::vector<std::int32_t> whole(count);
    std::uint32_t w = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto f = static_cast<std::uint32_t>(random()), g = static_cast<std::uint32_t>(random());
      input[i] = {f, g};
      w = f * w + g;
      whole[i] = static_cast<std::int32_t>(w);
    }
    EXPECT_EQ(oracle(Result::recurrence, s, input), values_of(whole));
    EXPECT_EQ(in_words(check(Result::recurrence, s, input, values_of(whole))), "");
    whole[count / 2] ^= 1;
    EXPECT_TRUE(check(Result::recurrence, s, input, values_of(whole)));
  }
}

TEST(Allocation, SaysWhatFitsAndWhatIsLeft) {
  const Algorithm a = test_kernel("serial_allocation");
  const auto allocated = [&](std::vector<std::uint32_t> lengths, const char* capacity) {
    const Settings s =
        settings(a, static_cast<int>(lengths.size()), Scalar::uint32, {{"capacity", capacity}});
    Ran r = ran(a, s, values_of(lengths));
    EXPECT_EQ(in_words(r.mistake), "") << capacity;
    expect_every_mistake_found(a, s, values_of(lengths), r.trace, {}, lengths.size());
    return r.trace;
  };
  using Words = std::vector<std::uint32_t>;
  const Words sausage = {3, 5, 2, 7, 28, 4, 3, 0, 8, 1};
  Trace t = allocated(sausage, "100");
  EXPECT_EQ(t.output, values_of(Words{0, 3, 8, 10, 17, 45, 49, 52, 52, 60}));
  EXPECT_EQ(t.more_outputs, (Contents{values_of(Words(10, 1)), values_of(Words{39})})) << "39 inches left";
  t = allocated(sausage, "50");
  EXPECT_EQ(t.more_outputs, (Contents{values_of(Words{1, 1, 1, 1, 1, 1, 0, 0, 0, 0}), values_of(Words{1})}));
  t = allocated(sausage, "52");
  EXPECT_EQ(t.more_outputs, (Contents{values_of(Words{1, 1, 1, 1, 1, 1, 1, 1, 0, 0}), values_of(Words{0})}));
  t = allocated(sausage, "0");
  EXPECT_EQ(t.more_outputs, (Contents{values_of(Words(10, 0)), values_of(Words{0})}));
  t = allocated({5}, "4");
  EXPECT_EQ(t.more_outputs, (Contents{values_of(Words{0}), values_of(Words{4})}));
}

TEST(Applications, CompileForAGpu) {
  if (sanitized) GTEST_SKIP() << "NVIDIA's compiler does the work.";
  if (!nvrtc_available())
    GTEST_SKIP() << "libnvrtc is not installed: kernels cannot be compiled for a GPU here.";
  for (const char* name : {"serial_selection", "rank_sorting", "serial_areas", "serial_allocation"}) {
    const Algorithm a = test_kernel(name);
    Settings s = settings(a, 100, Scalar::uint32);
    for (const Mode mode : {Mode::fast, Mode::traced})
      EXPECT_EQ(compile(program(a, s, mode), "sm_90").log, "") << name;
  }
}

TEST(Data, HasAsManyNumbersAsPixelsHave) {
  Settings s{.algorithm = "", .n = 10};
  EXPECT_EQ(seeded_data(s, 1).size(), 10u);
  s.choices["channels"] = "3";
  EXPECT_EQ(seeded_data(s, 1).size(), 30u);
  EXPECT_EQ(random_data(s, 1).size(), 30u);
  EXPECT_EQ(preset_data(s, "ramp").size(), 30u);
}

// If an algorithm only moves or compares elements, its data may contain NaN and infinities.
TEST(Data, MayBeNanWhereAnAlgorithmTakesIt) {
  for (const Algorithm& a : algorithms()) {
    if (!a.allows(Scalar::float32)) continue;
    Settings s{.algorithm = a.name};
    fit_kind(a, s);
    s.type = Scalar::float32;
    const std::string text = s.op == Operator::affine ? "nan 1 inf 1" : "nan -inf inf -0";
    if (a.results[0]->any_number) {
      EXPECT_EQ(parse_data(text, s, "here").size(), 4u) << a.name;
      s.n = 1000;
      const std::vector<Value> data = random_data(s, 1);
      EXPECT_TRUE(std::any_of(data.begin(), data.end(),
                              [&](const Value& v) { return std::isnan(scalar(v, s.type)); }));
    } else {
      EXPECT_THROW(parse_data(text, s, "here"), RequestError) << a.name;
    }
  }
}

}  // namespace applications_test
}  // namespace upsweep
