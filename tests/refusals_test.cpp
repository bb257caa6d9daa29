// Tests refusals of settings and inputs. Only impossible settings and inputs may be refused. The sentence
// must be true, and the proposed remedy must work.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <regex>
#include <string>
#include <type_traits>
#include <vector>

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "catalogue/data.hpp"
#include "catalogue/inputs.hpp"
#include "catalogue/ladder.hpp"
#include "catalogue/predicate.hpp"
#include "catalogue/validation.hpp"
#include "machine/emulator/emulator.hpp"
#include "study/output_csv.hpp"
#include "support/sentence.hpp"
#include "support/session_start.hpp"
#include "support/value_of.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace refusals_test {

// --- the lengths of an allocation

Settings allocation(Scalar type, std::size_t n, const std::string& rung = "allocation") {
  Settings s{.algorithm = rung, .n = static_cast<int>(n), .block = 32, .type = type};
  s.choose("capacity", "1000000000");
  return s;
}

std::string refusal_of(const Settings& s, const std::vector<Value>& lengths) {
  return sentence<RequestError>([&] { expect_input(algorithm(s.algorithm), s, lengths); });
}

TEST(Lengths, AreRefusedWithARemedy) {
  const auto refused = [](Scalar type, const auto& lengths) {
    return refusal_of(allocation(type, lengths.size()), values_of(lengths));
  };
  EXPECT_EQ(refused(Scalar::int32, std::vector<std::int32_t>{3, -5, 2}),
            "in[1] is -5, but the length of an allocation cannot be negative: give 0 or more.");
  EXPECT_EQ(
      refused(Scalar::int32, std::vector<std::int32_t>{INT32_MAX, 1, 2}),
      "The start of the allocation for in[2] would exceed 2,147,483,647, the largest number of the type "
      "int32: choose uint32.");
  EXPECT_EQ(
      refused(Scalar::uint32, std::vector<std::uint32_t>{UINT32_MAX, 1, 2}),
      "The start of the allocation for in[2] would exceed 4,294,967,295, the largest number of the type "
      "uint32: give smaller or fewer lengths.");
  EXPECT_EQ(refused(Scalar::uint32, std::vector<std::uint32_t>{INT32_MAX, 1, 2}), "");
  EXPECT_EQ(refused(Scalar::int32, std::vector<std::int32_t>{5, INT32_MAX}), "")
      << "the last piece is too long, but it starts at 5";
  EXPECT_EQ(refusal_of({.algorithm = "scan_blelloch", .type = Scalar::int32},
                       values_of<std::int32_t>({INT32_MAX, -5, 1})),
            "")
      << "a scan takes all numbers";
}

// Tries random lengths until enough of them were accepted and enough were refused.
template <class N>
void expect_taken_if_possible(Scalar type) {
  std::mt19937 random(7);
  int taken = 0, refused = 0;
  for (int k = 0; k < 400; ++k) {
    std::vector<N> lengths(1 + random() % 70);
    const unsigned kind = random() % 4;
    for (N& x : lengths)
      x = static_cast<N>(kind == 0   ? random()
                         : kind == 1 ? random() >> 1
                         : kind == 2 ? random() % (std::numeric_limits<N>::max() / lengths.size() * 2)
                                     : random() % 9);
    std::int64_t start = 0, largest = 0;
    std::uint64_t left = 1000000000;
    for (const N x : lengths) {
      largest = start;
      if (start + std::int64_t{x} <= 1000000000)
        left = std::min(left, static_cast<std::uint64_t>(1000000000 - start - std::int64_t{x}));
      start += std::int64_t{x};
    }
    const bool is_possible = std::none_of(lengths.begin(), lengths.end(), [](N x) { return x < N{0}; }) &&
                             largest <= std::int64_t{std::numeric_limits<N>::max()};
    const std::vector<Value> input = values_of(lengths);
    EXPECT_EQ(refusal_of(allocation(type, lengths.size()), input).empty(), is_possible);
    (is_possible ? taken : refused) += 1;
    if (!is_possible || k % 8 != 0) continue;
    for (const Algorithm* rung : rungs_of("allocation")) {
      const Trace t = Emulator().record(allocation(type, lengths.size(), rung->name), input, {});
      for (std::size_t i = 1; i < lengths.size(); ++i)
        EXPECT_EQ(scalar(t.output[i], type), scalar(t.output[i - 1], type) + scalar(input[i - 1], type)) << i;
      EXPECT_EQ(t.more_outputs[1][0][0], left);
      const std::string csv = output_csv(t);
      EXPECT_TRUE(csv.starts_with("index,length,start,fits,left\n")) << csv;
      EXPECT_TRUE(csv.ends_with(fmt::format(",{}\n", left))) << csv;
    }
  }
  EXPECT_GT(taken, 50);
  EXPECT_GT(refused, 50);
}

TEST(Lengths, AreTakenIfAllPiecesHaveAPlace) {
  expect_taken_if_possible<std::int32_t>(Scalar::int32);
  expect_taken_if_possible<std::uint32_t>(Scalar::uint32);
}

TEST(Lengths, AreCheckedInTheWindowToo) {
  Session s(start(10, "allocation"));
  EXPECT_EQ(s.set_data({DataSource::Kind::typed, 3, "3 -5 2"}), Answer::refused);
  EXPECT_NE(s.error().find("in[1] is -5"), std::string::npos) << s.error();
  EXPECT_EQ(s.recording().trace.settings.n, 10) << "the old run stays";
}

// --- predicates

std::string refusal(const std::string& predicate, Scalar type) {
  Settings s{.algorithm = "stream_compaction", .type = type};
  s.choose("predicate", predicate);
  return sentence<RequestError>([&] { validate_choices(algorithm(s.algorithm), s); });
}

template <class N>
void expect_numbers(Scalar type) {
  using Limits = std::numeric_limits<N>;
  std::mt19937_64 random(3);
  std::vector<N> numbers = {0, 1, Limits::max(), Limits::max() - 1, Limits::min(), Limits::min() + 1};
  for (int i = 0; i < 200; ++i) numbers.push_back(static_cast<N>(random() >> random() % 64));
  for (const N x : numbers) {
    const std::string formula = fmt::format("x == {}", x);
    ASSERT_EQ(refusal(formula, type), "") << formula;
    const Predicate p(formula);
    EXPECT_EQ(Predicate(p.text()).text(), p.text());
    const auto bits = static_cast<std::make_unsigned_t<N>>(x);
    for (const N y :
         {x, static_cast<N>(bits + 1), static_cast<N>(bits - 1), numbers[random() % numbers.size()]})
      EXPECT_EQ(p(type, value_of(y)), x == y) << formula << " for " << y;
  }
}

TEST(Predicates, MayUseAllNumbersOfTheType) {
  expect_numbers<std::int32_t>(Scalar::int32);
  expect_numbers<std::uint32_t>(Scalar::uint32);
  expect_numbers<std::int64_t>(Scalar::int64);
  for (const char* good : {"x > 1e10", "x > 10000000000", "x == -9223372036854775808", "x < 1e18"})
    EXPECT_EQ(refusal(good, Scalar::int64), "") << good;
  for (const char* good : {"x > 3e9", "x > 3000000000", "x == 0xffffffff"})
    EXPECT_EQ(refusal(good, Scalar::uint32), "") << good;
  const Predicate large("x > 1e10");
  EXPECT_TRUE(large(Scalar::int64, value_of(std::int64_t{10000000001})));
  EXPECT_FALSE(large(Scalar::int64, value_of(std::int64_t{10000000000})));
}

TEST(Predicates, AreWrittenAsInC) {
  for (const auto& [text, printed] : {std::pair("+x", "x"),
                                      {"x > .5", "x > 0.5"},
                                      {"x > -.5", "x > -0.5"},
                                      {"x > + 3", "x > 3"},
                                      {"- 3 < x", "-3 < x"},
                                      {"-(3) < -x", "-3 < -x"},
                                      {"x - -3", "x - -3"},
                                      {"x-3", "x - 3"},
                                      {"--3", "--3"}}) {
    EXPECT_EQ(Predicate(text).text(), printed);
    EXPECT_EQ(Predicate(printed).text(), printed);
  }
  EXPECT_TRUE(Predicate("x > .5")(Scalar::float32, value_of(0.75f)));
  EXPECT_FALSE(Predicate("x > .5")(Scalar::float32, value_of(0.25f)));
  EXPECT_TRUE(Predicate("-5 % 3 == x")(Scalar::int32, value_of(-2)));
  for (const char* bad : {"x == 010", "x == 00", "x > .", "x + ", "+", "x > ..5", "x .5"})
    EXPECT_NE(refusal(bad, Scalar::float32), "") << bad;
}

// The error must name the types for which the formula is accepted, and no other types.
TEST(Predicates, AreRefusedWithTheTypesThatTakeThem) {
  EXPECT_EQ(refusal("x % 2", Scalar::float32),
            "x % 2 uses %, which the type float32 does not have: choose one of int32, uint32, int64.");
  EXPECT_EQ(refusal("x > 0.5", Scalar::int32),
            "x > 0.5 uses the number 0.5, which the type int32 does not have: choose one of float32, "
            "float64, float16.");
  EXPECT_EQ(refusal("x % 2 > .5", Scalar::int32),
            "x % 2 > 0.5 uses the number 0.5, which the type int32 does not have: write another formula.");
  int refused = 0;
  for (const char* formula :
       {"x % 2", "x > 1e10", "x > 3e9", "x > 70000", "x > 1e39", "~x > 4e9", "x < -3000000000", "x > 0.5",
        "x > 99999999999999999999", "x == 9223372036854775807", "x > -9223372036854775808"})
    for (std::size_t t = 0; t < std::size(scalar_names); ++t) {
      const std::string why = refusal(formula, static_cast<Scalar>(t));
      if (why.empty()) continue;
      ++refused;
      EXPECT_EQ(why.find("nor a formula"), std::string::npos) << why;
      for (std::size_t other = 0; other < std::size(scalar_names); ++other) {
        const std::regex named(fmt::format("(choose|one of|,) {}\\b", scalar_names[other]));
        EXPECT_EQ(std::regex_search(why, named), refusal(formula, static_cast<Scalar>(other)).empty()) << why;
      }
    }
  EXPECT_GT(refused, 20);
}

TEST(Predicates, ErrorsNameWholeCharacters) {
  EXPECT_NE(refusal("x > é", Scalar::int32).find("character 5 ('é')"), std::string::npos);
  EXPECT_NE(refusal("x > 3 && ŷ", Scalar::int32).find("character 10 ('ŷ')"), std::string::npos);
  EXPECT_NE(refusal("x>3é𝛼", Scalar::int32).find("character 4 ('é')"), std::string::npos);
}

TEST(Utf8, IsCutBetweenCharacters) {
  EXPECT_EQ(first_characters("né𝛼x", 3), "né𝛼");
  EXPECT_EQ(first_characters("né", 9), "né");
  EXPECT_EQ(character_count("né𝛼x"), 4u);
  EXPECT_EQ(character_count("\xff\xc3"), 2u);
  EXPECT_EQ(first_characters("", 3), "");
}

// The presets must find suitable numbers even if a predicate is about large numbers.
TEST(Predicates, OfLargeNumbersHavePresets) {
  for (const auto& [formula, type] : {std::pair("x > 1e10", Scalar::int64),
                                      {"x > 3e9", Scalar::uint32},
                                      {"x > 1e12", Scalar::float32},
                                      {"x < -1e15", Scalar::int64}}) {
    Settings s{.algorithm = "stream_compaction", .n = 10, .type = type};
    s.choose("predicate", formula);
    const Predicate keep = predicate_of(s);
    for (const Value& v : preset_data(s, "all_kept")) EXPECT_TRUE(keep(type, v)) << formula;
  }
}

TEST(Presets, AreRefusedWithATypeOnlyIfTheTypeIsWrong) {
  const auto refusal = [](const char* algorithm, Scalar type, const char* preset) {
    return sentence<RequestError>([&] { preset_data({.algorithm = algorithm, .type = type}, preset); });
  };
  EXPECT_NE(refusal("radix_sort", Scalar::int32, "zeros_and_nan").find("choose a floating-point type"),
            std::string::npos);
  EXPECT_NE(refusal("allocation", Scalar::int32, "low_pass").find("is an example for a recurrence"),
            std::string::npos);
  EXPECT_NE(refusal("radix_sort", Scalar::int32, "camp_slots").find("is an example for allocation"),
            std::string::npos);
}

// --- numbers

std::string refusal_of_number(const std::string& word, Scalar type) {
  return sentence<RequestError>([&] { parse_data(word, {.type = type}, "here"); });
}

TEST(Numbers, OutsideTheRangeAreNumbers) {
  EXPECT_EQ(refusal_of_number("-3", Scalar::uint32),
            "here, line 1: -3 is outside the range of uint32: give numbers from 0 to 4,294,967,295.");
  for (const char* word : {"4294967296", "99999999999999999999999", "-99999999999999999999999"})
    EXPECT_NE(refusal_of_number(word, Scalar::uint32).find("is outside the range"), std::string::npos)
        << word;
  EXPECT_EQ(refusal_of_number("-0", Scalar::uint32), "");
  EXPECT_EQ(refusal_of_number("-2147483649", Scalar::int32),
            "here, line 1: -2147483649 is outside the range of int32: give numbers from -2,147,483,648 to "
            "2,147,483,647.");
  EXPECT_NE(refusal_of_number("1e39", Scalar::float32).find("from -3.4028e+38 to 3.4028e+38."),
            std::string::npos);
  EXPECT_NE(refusal_of_number("-70000", Scalar::float16).find("from -65504 to 65504."), std::string::npos);
  for (const char* word : {"x", "1e3", "-", "--3", "1.5", "-3x"})
    EXPECT_NE(refusal_of_number(word, Scalar::uint32).find("is not a whole number in digits"),
              std::string::npos)
        << word;
}

TEST(Numbers, ThatAreTinyAreRounded) {
  const auto number = [](const char* word, Scalar type) {
    return scalar(parse_data(word, {.type = type}, "here").at(0), type);
  };
  EXPECT_EQ(number("1e-50", Scalar::float32), 0);
  EXPECT_EQ(number("-1e-400", Scalar::float64), 0);
  EXPECT_EQ(number("1e-45", Scalar::float32), std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(number("1e-20", Scalar::float16), 0);
  for (const Scalar type : {Scalar::float16, Scalar::float32, Scalar::float64}) {
    EXPECT_EQ(number("12.5E-99999999999", type), 0);
    EXPECT_TRUE(std::signbit(number("-1e-99999999999", type)));
    EXPECT_NE(refusal_of_number("1e99999999999", type).find("outside the range"), std::string::npos);
  }
}

TEST(Numbers, AreCutBetweenCharacters) {
  std::string word;
  for (int i = 0; i < 60; ++i) word += "é";
  std::string forty = word.substr(0, 80);
  EXPECT_NE(refusal_of_number(word, Scalar::int32).find("\"" + forty + "…\""), std::string::npos);
}

// --- shared memory

// Calls f(settings) with large settings of an algorithm. Some of these settings need more shared memory than
// a GPU has.
template <class F>
void for_each_large(const Algorithm& a, F f) {
  for (const Scalar type : {Scalar::float64, Scalar::float32, Scalar::uint32})
    for (const Operator op : {Operator::affine, Operator::sum})
      for (const int block : {1024, 512}) {
        Settings s{.algorithm = a.name, .n = 4096, .block = block, .type = type, .op = op};
        if (!a.allows(type) || !a.allows(op)) continue;
        s.choose("layout", a.choice("layout") ? "pad16" : "none");
        f(s);
        for (const Choice& c : a.choices)
          if (c.is_number())
            for (const Option& o : c.options) {
              Settings other = s;
              other.choose(c.name, o.name);
              f(other);
            }
      }
}

TEST(SharedMemory, RemediesWork) {
  int refused = 0;
  for (const Algorithm& a : algorithms())
    for_each_large(a, [&](Settings s) {
      const std::string why = sentence<RequestError>([&] { validate(s); });
      if (why.find("KiB of shared memory, but") == why.npos) return;
      ++refused;
      SCOPED_TRACE(why);
      std::smatch at;
      const std::regex threads("at most ([0-9,]+) threads"), choice("(\\w+)=([0-9]+)"),
          elements("([0-9,]+) elements"), type("types (\\w+)");
      const auto number = [&] {
        std::string digits = at[1];
        std::erase(digits, ',');
        return std::stoi(digits);
      };
      int remedies = 0;
      const auto expect_remedy = [&](const Settings& other) {
        ++remedies;
        EXPECT_EQ(sentence<RequestError>([&] { validate(other); }), "");
      };
      Settings other = s;
      if (std::regex_search(why, at, threads)) {
        other.block = number();
        expect_remedy(other);
        while (++other.block < s.block)
          EXPECT_NE(sentence<RequestError>([&] { validate(other); }), "") << "more threads would do, too";
      }
      other = s;
      if (std::regex_search(why, at, choice)) {
        other.choose(at[1].str(), at[2].str());
        expect_remedy(other);
      }
      other = s;
      if (std::regex_search(why, at, type)) {
        other.type =
            static_cast<Scalar>(std::ranges::find(scalar_names, at[1].str()) - std::begin(scalar_names));
        expect_remedy(other);
      }
      other = s;
      if (std::regex_search(why, at, elements)) {
        other.n = number();
        expect_remedy(other);
      }
      EXPECT_GT(remedies, 0);
    });
  EXPECT_GE(refused, 3);
}

}  // namespace refusals_test
}  // namespace upsweep
