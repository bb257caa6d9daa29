// Tests the catalogue: formulas, layouts, data, and the refusal of invalid requests.
#include "catalogue/catalogue.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "catalogue/data.hpp"
#include "catalogue/formula.hpp"
#include "support/sentence.hpp"
#include "trace/value.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace catalogue_test {

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
  EXPECT_EQ(Formula("1 << 32", 'i')(0), 0);  // as on a GPU, a shift by 32 gives 0
  EXPECT_EQ(Formula("-1 >> 40", 'i')(0), -1);
}

TEST(Formula, KnowsNamesConditionsAndFunctions) {
  const std::vector<std::string> names = {"n", "block", "n_2"};
  const auto value = [&](const char* text, std::int64_t n, std::int64_t block, std::int64_t other = 0) {
    return Formula(text, names)(std::vector<std::int64_t>{n, block, other});
  };
  for (const std::int64_t n : {1, 2, 3, 5, 63, 64, 65, 1000}) {
    EXPECT_EQ(value("ceil_div(n, block)", n, 64), (n + 63) / 64);
    EXPECT_EQ(value("tree_width(n)", n, 0), n <= 2 ? 2 : tree_width(n));
    EXPECT_EQ(value("min(n, block) + max(n, block) * 1000", n, 64),
              std::min<std::int64_t>(n, 64) + std::max<std::int64_t>(n, 64) * 1000);
    EXPECT_EQ(value("n < block && n != 3 || n == 1000", n, 64), (n < 64 && n != 3) || n == 1000);
    EXPECT_EQ(value("n <= block ? n >= 5 : n > 64", n, 64), n <= 64 ? n >= 5 : n > 64);
    EXPECT_EQ(value("!n + !block", n, 0), 1);
    EXPECT_EQ(value("n << 1 < block | n", n, 64), ((n << 1) < 64) | n);
  }
  EXPECT_EQ(value("block ? n / block : -1", 8, 0), -1) << "only the chosen one is computed";
  EXPECT_EQ(value("block != 0 && n / block", 8, 0), 0);
  EXPECT_EQ(value("n_2 - n", 1, 0, 5), 4) << "the longest name";
  EXPECT_TRUE(Formula("n + block", names).mentions("block"));
  EXPECT_FALSE(Formula("n + n_2", names).mentions("block"));
  for (const char* bad : {"n_3", "blocks", "ceil_div(n)", "min n", "n ?", "n ? 1", "n &&", "log2"})
    EXPECT_NE(sentence<RequestError>([&] { Formula(bad, names); }), "") << bad;
}

TEST(Formula, SaysWhereItStopsMakingSense) {
  const auto error = [](const char* text) { return sentence<RequestError>([&] { Formula(text, 'i'); }); };
  EXPECT_EQ(error("i +"), "The formula \"i +\" has an error at its end: expected a number, i or (.");
  EXPECT_EQ(error("i $ 2"),
            "The formula \"i $ 2\" has an error at character 3 ('$'): expected an operator or the end.");
  for (const char* bad : {"", "(i", "i i", "log2 i", "1.5", "j", "99999999999", "i + 0x", "2i"})
    EXPECT_NE(error(bad), "") << bad;
  EXPECT_NE(error(std::string(10000, '(').c_str()), "");
  std::string long_sum = "1";
  for (int i = 0; i < 100000; ++i) long_sum += "+1";
  EXPECT_NE(error(long_sum.c_str()).find("too long"), std::string::npos);
  EXPECT_NE(sentence<RequestError>([] { Formula("1 / i", 'i')(0); }), "");
  EXPECT_NE(sentence<RequestError>([] { Formula("i * i * i * i * i", 'i')(1 << 30); }), "");
}

TEST(Catalogue, EveryAlgorithmStatesItself) {
  std::size_t family = 0;  // index of a family; algorithms are sorted by family
  for (const Algorithm& a : algorithms()) {
    EXPECT_FALSE(a.title.empty() || a.idea.empty() || a.watch.empty() || a.source.empty()) << a.name;
    while (family < std::size(families) && families[family] != a.family) ++family;
    EXPECT_LT(family, std::size(families)) << a.name << " stands behind another family";
    EXPECT_EQ(a.family == "bug", !a.flaws.empty() && a.flaws[0].option.empty()) << a.name;
  }
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
    s.choose("layout", layout);
    return shared_shape(s).cell[i];
  };
  for (std::size_t i = 0; i < 2048; ++i) {
    EXPECT_EQ(cell("none", i), i);
    EXPECT_EQ(cell("pad32", i), i + (i >> 5));
    EXPECT_EQ(cell("pad16", i), i + (i >> 4));
    EXPECT_EQ(cell("pad32x2", i), i + (i >> 5) + (i >> 10));
    EXPECT_EQ(cell("pad_macro", i), i);  // because of operator precedence, the macro's offset is 0
    EXPECT_EQ(cell("i ^ (i >> 5 & 31)", i), i ^ (i >> 5 & 31));
    if (i == 40) i = 2000;
  }
}

// In a narrow picture, each row has its own block. So a large block would have many threads without a pixel.
TEST(Catalogue, NarrowPicturesHaveSmallBlocks) {
  const auto block = [](int columns, int rows) {
    Settings s{.algorithm = "summed_area_table", .n = columns * rows};
    s.columns = columns;
    return smallest_block(algorithm(s.algorithm), s);
  };
  EXPECT_EQ(block(1, 100'000), 32);
  EXPECT_EQ(block(100'000, 1), 32);
  EXPECT_EQ(block(1024, 1024), 256);
  EXPECT_EQ(block(64, 64), 256);
  EXPECT_EQ(block(32, 32), 256);
}

TEST(Catalogue, RefusesRequestsThatMakeNoSense) {
  const auto error = [](Settings s) { return sentence<RequestError>([&] { validate(s); }); };
  EXPECT_EQ(error({}), "");
  EXPECT_NE(error({.algorithm = "scan_blellock"}).find("Did you mean scan_blelloch?"), std::string::npos);
  EXPECT_NE(error({.n = 0}), "");
  EXPECT_NE(error({.n = -5}), "");
  EXPECT_NE(error({.n = 2049, .block = 1024}), "");
  EXPECT_NE(error({.n = 2147483647, .block = 1024}), "");
  EXPECT_NE(error({.grid = 0}), "");
  EXPECT_NE(error({.choices = {{"fold", "2"}}}).find("no choice"), std::string::npos);
  EXPECT_NE(error({.algorithm = "reduce_unrolled", .choices = {{"fold", "3"}}}).find("2, 1, 4, 8"),
            std::string::npos);
  EXPECT_NE(error({.algorithm = "reduce_unrolled", .choices = {{"fald", "2"}}}).find("did you mean fold?"),
            std::string::npos);
  EXPECT_NE(error({.algorithm = "reduce_shuffle", .choices = {{"within_warp", "redux"}}}).find("int32"),
            std::string::npos);
  EXPECT_EQ(
      error({.algorithm = "reduce_shuffle", .type = Scalar::int32, .choices = {{"within_warp", "redux"}}}),
      "");
  EXPECT_NE(error({.algorithm = "reduce_unrolled", .block = 96}).find("power of two"), std::string::npos);
  EXPECT_NE(error({.algorithm = "reduce_atomic", .op = Operator::affine}), "");
  EXPECT_NE(error({.without_barrier = 1}).find("has no barrier; the lines with a barrier are"),
            std::string::npos);
  EXPECT_EQ(error({.without_barrier = barrier_lines(algorithm("scan_blelloch"))[0]}), "");
  EXPECT_EQ(error({.algorithm = "reduce_two_pass", .n = 2147483647, .block = 1024}), "");
  EXPECT_NE(error({.block = 33}), "");
  EXPECT_NE(error({.block = 0}), "");
  EXPECT_NE(error({.block = 2048}), "");
  EXPECT_NE(error({.n = 1000, .block = 256}).find("at least 512 threads"), std::string::npos);
  EXPECT_NE(error({.algorithm = "reduce_sequential", .op = Operator::affine}), "");
  EXPECT_NE(error({.algorithm = "scan_brent_kung", .choices = {{"layout", "pad32"}}}), "");
  EXPECT_NE(error({.choices = {{"layout", "padd"}}}), "");
  EXPECT_NE(error({.choices = {{"layout", "i / 2"}}}).find("elements 0 and 1 in the same cell 0"),
            std::string::npos);
  EXPECT_NE(error({.choices = {{"layout", "i - 1"}}}), "");
  EXPECT_NE(error({.choices = {{"layout", "i * 100000"}}}), "");
  EXPECT_NE(error({.choices = {{"layout", "i * 2000000000 / 2000000000"}}}).find("exceeds 2,147,483,647"),
            std::string::npos);
  EXPECT_NE(error({.choices = {{"load_pattern", "thirds"}}}), "");
  EXPECT_NE(error({.algorithm = "scan_brent_kung", .choices = {{"load_pattern", "neighbours"}}}), "");
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
  EXPECT_EQ(error("1\nx"), "here, line 2: \"x\" is not a number, such as 12 or 0.5.");
  EXPECT_EQ(error("nan"), "here, line 1: nan is not finite; give finite numbers.");
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
            "/dev/null contains no numbers: give at least one number.");
  EXPECT_NE(sentence<RequestError>([&] { read_data("/", s); }), "");
}

TEST(Data, ASeedGivesTheSameDataEverywhere) {
  Settings s;
  s.n = 8;
  std::vector<double> numbers;
  for (const Value& v : seeded_data(s, 3)) numbers.push_back(scalar(v, s.type));
  EXPECT_EQ(numbers, (std::vector<double>{7, 7, 5, 9, 1, 8, 9, 8}));
  EXPECT_NE(sentence<RequestError>([&] { preset_data(s, "twos"); }), "");
}

}  // namespace catalogue_test
}  // namespace upsweep
