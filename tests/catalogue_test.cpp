// The catalogue: formulas, layouts, requests that make no sense, data, and every algorithm against its
// oracle.
#include "catalogue/catalogue.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "base/error.hpp"
#include "catalogue/data.hpp"
#include "catalogue/formula.hpp"
#include "machine/emulator.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

// Runs f and gives the sentence it throws, or "".
template <class E, class F>
std::string sentence(F f) {
  try {
    f();
  } catch (const E& e) { return e.what(); }
  return {};
}

TEST(Formula, HasCPrecedence) {
#pragma GCC diagnostic ignored "-Wparentheses"
#define EXPECT_FORMULA(expression)                     \
  for (const std::int64_t i : {0, 1, 5, 31, 32, 1000}) \
  EXPECT_EQ(Formula(#expression, 'i')(i), static_cast<std::int64_t>(expression)) << #expression << " at " << i
  EXPECT_FORMULA(i + (i >> 5));
  EXPECT_FORMULA(i + i * 3 % 7 - 2);
  EXPECT_FORMULA((i ^ i >> 1) & 15 | i << 2);
  EXPECT_FORMULA(-i + ~i / 3);
  EXPECT_FORMULA(0x1f & i - -3);
#undef EXPECT_FORMULA
  EXPECT_EQ(Formula("2 * log2(n) + 3", 'n')(1024), 23);
  EXPECT_EQ(Formula("1 << 32", 'i')(0), 0);  // as the GPU's shift instruction
  EXPECT_EQ(Formula("-1 >> 40", 'i')(0), -1);
}

TEST(Formula, SaysWhereItStopsMakingSense) {
  const auto error = [](const char* text) { return sentence<RequestError>([&] { Formula(text, 'i'); }); };
  EXPECT_EQ(error("i +"), "The formula \"i +\" stops making sense at its end: expected a number, i or (.");
  EXPECT_EQ(
      error("i $ 2"),
      "The formula \"i $ 2\" stops making sense at character 3 ('$'): expected an operator or the end.");
  for (const char* bad : {"", "(i", "i i", "log2 i", "1.5", "j", "99999999999", "i + 0x", "2i"})
    EXPECT_NE(error(bad), "") << bad;
  EXPECT_NE(error(std::string(10000, '(').c_str()), "");
  EXPECT_NE(sentence<RequestError>([] { Formula("1 / i", 'i')(0); }), "");
  EXPECT_NE(sentence<RequestError>([] { Formula("i * i * i * i * i", 'i')(1 << 30); }), "");
}

TEST(Catalogue, EveryAlgorithmStatesItself) {
  std::vector<std::string> names;
  for (const Algorithm& a : algorithms()) {
    names.push_back(a.name);
    EXPECT_FALSE(a.title.empty() || a.idea.empty() || a.watch.empty() || a.source.empty()) << a.name;
    EXPECT_GE(Formula(a.operations, 'n')(1024), 1023) << a.name;
    EXPECT_GE(Formula(a.steps, 'n')(1024), 10) << a.name;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"reduce_interleaved", "reduce_sequential", "scan_hillis_steele",
                                             "scan_double_buffer", "scan_brent_kung", "scan_blelloch"}));
}

TEST(Catalogue, RefusesAKernelThatDoesNotStateItself) {
  const std::string good = algorithm("scan_blelloch").text;
  const auto error = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return sentence<WorkError>([&] { parse_kernel("scan_blelloch", "k.cuh", text); });
  };
  EXPECT_EQ(error("// Gives ", "// Givs "), "k.cuh lacks the field \"Gives\" in its opening comment.");
  EXPECT_NE(error("exclusive scan", "something"), "");
  EXPECT_NE(error("layouts, load", "patterns, lod"), "");
  EXPECT_NE(error("2 * log2(n)", "2 * log3(n)"), "");
  EXPECT_NE(error("void scan_blelloch", "void scan_other"), "");
}

TEST(Catalogue, LayoutsPutElementsWhereTheirFormulasSay) {
  Settings s{.n = 2048, .block = 1024};
  const auto cell = [&](const char* layout, std::size_t i) {
    s.layout = layout;
    return shared_shape(s).cell[i];
  };
  for (std::size_t i = 0; i < 2048; ++i) {
    EXPECT_EQ(cell("none", i), i);
    EXPECT_EQ(cell("pad32", i), i + (i >> 5));
    EXPECT_EQ(cell("pad16", i), i + (i >> 4));
    EXPECT_EQ(cell("pad32x2", i), i + (i >> 5) + (i >> 10));
    EXPECT_EQ(cell("pad_macro", i), i);  // its precedence makes the offset 0
    EXPECT_EQ(cell("i ^ (i >> 5 & 31)", i), i ^ (i >> 5 & 31));
    if (i == 40) i = 2000;
  }
}

TEST(Catalogue, RefusesRequestsThatMakeNoSense) {
  const auto error = [](Settings s) { return sentence<RequestError>([&] { validate(s); }); };
  EXPECT_EQ(error({}), "");
  EXPECT_NE(error({.algorithm = "scan_blellock"}).find("Did you mean scan_blelloch?"), std::string::npos);
  EXPECT_NE(error({.n = 0}), "");
  EXPECT_NE(error({.n = -5}), "");
  EXPECT_NE(error({.n = 2049, .block = 1024}), "");
  EXPECT_NE(error({.n = 2147483647, .block = 1024}), "");
  EXPECT_NE(error({.block = 33}), "");
  EXPECT_NE(error({.block = 0}), "");
  EXPECT_NE(error({.block = 2048}), "");
  EXPECT_NE(error({.n = 1000, .block = 256}).find("at least 512 threads"), std::string::npos);
  EXPECT_NE(error({.algorithm = "reduce_sequential", .op = Operator::affine}), "");
  EXPECT_NE(error({.algorithm = "scan_brent_kung", .layout = "pad32"}), "");
  EXPECT_NE(error({.layout = "padd"}), "");
  EXPECT_NE(error({.layout = "i / 2"}).find("elements 0 and 1 in the same cell 0"), std::string::npos);
  EXPECT_NE(error({.layout = "i - 1"}), "");
  EXPECT_NE(error({.layout = "i * 100000"}), "");
  EXPECT_NE(error({.layout = "i * 2000000000 / 2000000000"}).find("beyond 2147483647"), std::string::npos);
  EXPECT_NE(error({.load_pattern = "thirds"}), "");
  EXPECT_NE(error({.algorithm = "scan_brent_kung", .load_pattern = "neighbours"}), "");
}

TEST(Data, ReadsNumbersAndRefusesTheRest) {
  Settings s;
  EXPECT_EQ(parse_data("1, 2;3\n-4.5\r\n", s, "here").size(), 4u);
  s.op = Operator::affine;
  EXPECT_EQ(parse_data("1 2 3 4", s, "here").size(), 2u);
  EXPECT_NE(sentence<RequestError>([&] { parse_data("1 2 3", s, "here"); }), "");
  s.op = Operator::sum;
  const auto error = [&](const char* text) {
    return sentence<RequestError>([&] { parse_data(text, s, "here"); });
  };
  EXPECT_EQ(error("1\nx"), "here, line 2: \"x\" is not a number.");
  EXPECT_EQ(error("nan"), "here, line 1: nan cannot be scanned and checked; give finite numbers.");
  for (const char* bad : {"", " \n", "inf", "-Infinity", "1e999", "1..2", "0x10"})
    EXPECT_NE(error(bad), "") << bad;
  EXPECT_NE(sentence<RequestError>([&] { parse_data(std::string("1\0002", 3), s, "here"); }), "");
  s.type = Scalar::int32;
  for (const char* bad : {"1.5", "2147483648", "1e3", "-"}) EXPECT_NE(error(bad), "") << bad;
  s.type = Scalar::uint32;
  EXPECT_NE(error("-1"), "");
  EXPECT_EQ(parse_data("4294967295", s, "here")[0][0], 4294967295u);
  EXPECT_NE(sentence<RequestError>([&] { read_data("/no/such/file", s); }), "");
  EXPECT_EQ(sentence<RequestError>([&] { read_data("/dev/null", s); }),
            "/dev/null holds no numbers: give at least one.");
  EXPECT_NE(sentence<RequestError>([&] { read_data("/", s); }), "");
}

TEST(Data, ASeedGivesTheSameDataEverywhere) {
  Settings s;
  s.n = 8;
  std::vector<double> numbers;
  for (const Value& v : seeded_data(s, 3)) numbers.push_back(scalar(v, s.type));
  EXPECT_EQ(numbers, (std::vector<double>{7, 7, 5, 9, 1, 8, 9, 8}));
  for (const Preset& p : presets()) EXPECT_EQ(preset_data(s, p.name).size(), 8u);
  EXPECT_NE(sentence<RequestError>([&] { preset_data(s, "twos"); }), "");
}

// Full-range random elements, unlike the readable ones of seeded_data.
std::vector<Value> random_data(const Settings& s, std::mt19937_64& random) {
  std::vector<Value> data(static_cast<std::size_t>(s.n));
  std::uniform_real_distribution<double> real(-2, 2);
  for (Value& v : data)
    for (int k = 0; k < scalars_per_element(s.op); ++k) {
      if (s.type == Scalar::int32 || s.type == Scalar::uint32)
        v[static_cast<std::size_t>(k)] = static_cast<std::uint32_t>(random());
      else
        set_scalar(v, s.type, k,
                   s.op == Operator::product || s.op == Operator::affine ? std::exp2(real(random) / 16)
                                                                         : real(random));
    }
  return data;
}

class EveryAlgorithm : public testing::TestWithParam<std::string> {};

TEST_P(EveryAlgorithm, GivesWhatItsOracleSays) {
  const Algorithm& a = algorithm(GetParam());
  std::mt19937_64 random(7);
  Emulator emulator;
  int runs = 0;
  for (const int n : {1, 2, 3, 31, 32, 33, 64, 127, 255, 256, 1000, 1023, 1024, 2047, 2048})
    for (const Scalar type : {Scalar::int32, Scalar::uint32, Scalar::float32, Scalar::float64})
      for (const Operator op :
           {Operator::sum, Operator::product, Operator::min, Operator::max, Operator::affine})
        for (const std::string_view layout : layout_names)
          for (const std::string_view pattern : load_pattern_names) {
            Settings s{a.name, n, smallest_block(a, n), type, op, std::string(layout), std::string(pattern)};
            if (n % 5 == 2 && s.block <= 512) s.block *= 2;  // more threads than needed
            if (!sentence<RequestError>([&] { validate(s); }).empty()) continue;
            if (layout != "none" && n > 256 && n != 1000 && n != 2048) continue;
            const std::vector<Value> input = random_data(s, random);
            const Trace trace = emulator.record(s, input);
            EXPECT_EQ(check(s, input, trace.output), "") << n << name(type) << name(op) << layout << pattern;
            ++runs;
          }
  EXPECT_GT(runs, 150);
}

TEST(Oracle, SeesAWrongElement) {
  Settings s{.n = 100, .block = 64};
  std::mt19937_64 random(1);
  const std::vector<Value> input = random_data(s, random);
  std::vector<Value> output = Emulator().record(s, input).output;
  ASSERT_EQ(check(s, input, output), "");
  std::swap(output[3], output[4]);
  EXPECT_NE(check(s, input, output), "");
  std::swap(output[3], output[4]);
  set_scalar(output[99], s.type, 0, scalar(output[99], s.type) + 1e-3);
  EXPECT_NE(check(s, input, output), "");
  output.pop_back();
  EXPECT_NE(check(s, input, output), "");
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryAlgorithm, testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const Algorithm& a : algorithms()) names.push_back(a.name);
                           return names;
                         }()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace upsweep
