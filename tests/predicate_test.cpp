// Tests predicates that the user types, and the order of a sort. The emulator must compute the same results
// as the host. NVRTC must compile predicates and orders for every type.
#include "catalogue/predicate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/half.hpp"
#include "catalogue/data.hpp"
#include "catalogue/element_order.hpp"
#include "catalogue/validation.hpp"
#include "emulated/test_kernels.hpp"
#include "machine/emulator/emulator.hpp"
#include "machine/gpu/gpu_program.hpp"
#include "machine/gpu/nvrtc.hpp"
#include "support/compile_cases.hpp"
#include "support/emulated_runs.hpp"
#include "support/long_tests.hpp"
#include "support/look_at.hpp"
#include "support/predicates.hpp"
#include "support/value_of.hpp"
#include "trace/value.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace predicate_test {

// Calls f(type, numbers) for every type. The numbers are small numbers, random numbers, and the smallest and
// largest numbers of the type.
template <class F>
void for_each_type(F f) {
  std::mt19937_64 random(11);
  const auto integers = [&]<class N>(Scalar type, N) {
    std::vector<N> all = {0, 1, 2, 3, 4, 6, std::numeric_limits<N>::max(), std::numeric_limits<N>::min()};
    for (int i = 0; i < 200; ++i) all.push_back(static_cast<N>(random() >> random() % 64));
    for (int i = 0; i < 20; ++i) all.push_back(static_cast<N>(-i));
    f(type, all);
  };
  const auto reals = [&]<class N>(Scalar type, N) {
    using Limits = std::numeric_limits<N>;
    std::vector<N> all = {N(0.0f), N(-0.0f), N(3.0f), N(4.0f), N(0.5f)};
    const std::vector<N> special = {N(Limits::infinity()), N(std::numeric_limits<float>::quiet_NaN()),
                                    N(Limits::max()), N(Limits::min()), N(Limits::denorm_min())};
    for (const N x : special) all.insert(all.end(), {x, N(-x)});
    for (int i = 0; i < 200; ++i)
      all.push_back(N(static_cast<float>(static_cast<int>(random() % 4001) - 2000) / 64));
    f(type, all);
  };
  integers(Scalar::int32, std::int32_t{});
  integers(Scalar::uint32, std::uint32_t{});
  integers(Scalar::int64, std::int64_t{});
  reals(Scalar::float32, float{});
  reals(Scalar::float64, double{});
  reals(Scalar::float16, Half{});
}

TEST(Predicate, ComputesWhatItsTextSays) {
  for_each_type([]<class N>(Scalar type, const std::vector<N>& numbers) {
    const auto expect = [&](const char* text, auto due) {
      const Predicate p(predicate_formula(text));
      int kept = 0;
      for (const N x : numbers) {
        EXPECT_EQ(p(type, value_of(x)), due(x))
            << text << ", " << name(type) << " " << static_cast<double>(x);
        kept += due(x);
      }
      EXPECT_GT(kept, 0) << text;
    };
    const N zero = N(0), three = N(3), half = N(10);
    expect("positive", [&](N x) { return zero < x; });
    expect("nonzero", [&](N x) { return !(x == zero); });
    expect("above_3", [&](N x) { return three < x; });
    expect("every", [](N) { return true; });
    expect("x", [&](N x) { return !(x == zero); });
    expect("!(x > 3) || x == 10", [&](N x) { return !(three < x) || x == half; });
    expect("min(x, 3) == 3 ? x < 10 : x == 0", [&](N x) {
      const bool is_three = (three < x ? three : x) == three;
      return is_three ? x < half : x == zero;
    });
    EXPECT_TRUE(std::none_of(numbers.begin(), numbers.end(),
                             [&](N x) { return Predicate(predicate_formula("never"))(type, value_of(x)); }));
    if constexpr (std::is_integral_v<N>) {
      expect("odd", [](N x) { return x % 2 != 0; });
      expect("multiple_of_3", [](N x) { return x % 3 == 0; });
      expect("x > 3 && x % 2 == 0", [](N x) { return x > 3 && x % 2 == 0; });
      expect("x & 6 | x == 1", [](N x) { return ((x & 6) | (x == 1)) != 0; });  // NOLINT: C's precedence
    }
  });
}

std::string refusal(const Algorithm& a, const Settings& s) {
  try {
    validate_choices(a, s);
  } catch (const RequestError& e) { return in_words(e); }
  return {};
}

TEST(Predicate, IsRefusedWithTheReason) {
  const Algorithm a = test_kernel("elements");
  Settings s{.algorithm = a.name, .type = Scalar::int32};
  const auto typed = [&](const char* text) {
    s.choices["predicate"] = text;
    return refusal(a, s);
  };
  for (const char* good : {"x > 3 && x % 2 == 0", "positive", "odd", "x", "1", "(x ^ 5) < 7"})
    EXPECT_EQ(typed(good), "") << good;
  EXPECT_EQ(typed("y > 3"),
            "The formula \"y > 3\" has an error at character 1 ('y'): expected a number, x or (.");
  EXPECT_EQ(typed("negative"),
            "The predicate \"negative\" is neither one of positive, nonzero, above_3, odd, multiple_of_3, "
            "every, never nor a formula in x.");
  for (const char* bad : {"", "x >", "x; y", "x = 3", "log2(x)", "x > 0.5", "asm(\"exit;\")", "x @ 3"})
    EXPECT_NE(typed(bad), "") << bad;
  EXPECT_NE(typed("x > 0x8000000000000000").find("expected a hexadecimal number of at most 0x7fff"),
            std::string::npos);
  s.type = Scalar::float32;
  EXPECT_EQ(typed("x > 0x7fffffffffffffff"), "");
  EXPECT_EQ(typed("x > 0.5"), "");
  EXPECT_NE(typed("x % 2 == 0").find("which the type float32 does not have: choose one of int32, uint32"),
            std::string::npos);
  EXPECT_NE(typed("odd").find("has the option odd only for the types int32, uint32, int64, not for float32"),
            std::string::npos);
}

TEST(Predicate, ExamplesAreDifferentNumbersOnBothSides) {
  for (const char* text : awkward_predicates) {
    const Predicate keep(text);
    for (const Scalar type : {Scalar::int32, Scalar::uint32, Scalar::int64}) {
      if (std::string_view(text).find('.') != std::string_view::npos) continue;
      for (const std::size_t most : {1, 7, 512}) {
        const PredicateExamples all = examples_of(keep, type, most);
        for (const bool kept : {true, false}) {
          const std::vector<Value>& group = kept ? all.kept : all.dropped;
          EXPECT_LE(group.size(), most);
          EXPECT_EQ(std::set<Value>(group.begin(), group.end()).size(), group.size());
          for (const Value& x : group) EXPECT_EQ(keep(type, x), kept) << text;
        }
      }
    }
  }
  EXPECT_EQ(examples_of(Predicate("x == 9007199254740993"), Scalar::int64, 8).kept,
            std::vector{value_of(std::int64_t{9007199254740993})});
  EXPECT_TRUE(examples_of(Predicate("0"), Scalar::int32, 8).kept.empty());
}

TEST(Predicate, IsNoConstantOfTheText) {
  const Algorithm a = test_kernel("elements");
  for (const Constant& c : constants(a, {})) EXPECT_FALSE(a.choice("predicate")->option(c.name)) << c.name;
}

TEST(Order, IsThatOfNumbersWithNegativeZeroFirstAndNanLast) {
  for_each_type([]<class N>(Scalar type, const std::vector<N>& numbers) {
    const std::uint64_t all =
        scalar_bytes(type) == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * scalar_bytes(type)) - 1;
    for (const N x : numbers) {
      const std::uint64_t of_x = order_bits(type, value_of(x));
      ASSERT_LE(of_x, all);
      if constexpr (!std::is_integral_v<N>) { ASSERT_EQ(of_x == all, std::isnan(static_cast<float>(x))); }
      for (const N y : numbers) {
        const bool first = of_x < order_bits(type, value_of(y));
        bool due = x < y;
        if constexpr (!std::is_integral_v<N>) {
          const double u = x, v = y;
          if (std::isnan(u) || std::isnan(v)) due = !std::isnan(u);
          else if (u == 0 && v == 0) due = std::signbit(u) && !std::signbit(v);
          if (std::isnan(u) && std::isnan(v)) due = false;
        }
        ASSERT_EQ(first, due) << name(type) << " " << static_cast<double>(x) << " " << static_cast<double>(y);
      }
    }
  });
}

// In a kernel on the emulator, predicates and the order of a sort must give the same results as on the host.
TEST(Elements, AreTheSameInAKernel) {
  const Algorithm a = test_kernel("elements");
  for_each_type([&]<class N>(Scalar type, const std::vector<N>& numbers) {
    if (!a.allows(type)) return;
    for (const char* predicate : {"positive", "never", "every", "x > 3 && x < 100 || x == 1"}) {
      Settings s{.algorithm = a.name, .n = static_cast<int>(numbers.size()), .block = 64, .type = type};
      s.choices["predicate"] = predicate;
      validate_choices(a, s);
      std::vector<Value> input;
      for (const N x : numbers) input.push_back(value_of(x));
      std::vector<Value> due;
      const Predicate keep = predicate_of(s);
      for (std::size_t i = 0; i < input.size(); ++i) {
        const Value &x = input[i], &y = input[i == 0 ? input.size() - 1 : i - 1];
        due.push_back(keep(type, x) || order_bits(type, x) <= order_bits(type, y) ? x : y);
      }
      const Trace trace = Emulator().record(a, *test_kernels("elements"), s, input);
      EXPECT_EQ(trace.output, due) << predicate << " " << name(type);
      EXPECT_EQ(Emulator().run(a, *test_kernels("elements"), s, input), due);
    }
  });
}

TEST(Elements, CompileForEveryTypeAndOption) {
  if (sanitized) GTEST_SKIP() << "NVIDIA's compiler does the work.";
  if (!nvrtc_available())
    GTEST_SKIP() << "libnvrtc is not installed: kernels cannot be compiled for a GPU here.";
  // Removes the lines that use order_bits(), which is only for elements of 4 bytes. Without these lines, the
  // kernel must compile for every type.
  std::string text = source_file("tests/kernels/elements.cuh");
  for (const char* line :
       {"// Types       int32 uint32 float32\n", "    if (!first) first = order_bits(x) <= order_bits(y);\n"})
    text.erase(text.find(line), std::string(line).size());
  const Algorithm any = parse_kernel("elements", "elements.cuh", text), a = test_kernel("elements");
  for (const Mode mode : {Mode::fast, Mode::traced})
    for (const Scalar type :
         {Scalar::int32, Scalar::uint32, Scalar::int64, Scalar::float16, Scalar::float32, Scalar::float64}) {
      // By default, half of the types are compiled with the recorder, and the others without.
      const bool is_fast = mode == Mode::fast;
      if (is_fast == (static_cast<int>(type) % 2 != 0) && !tries_everything()) continue;
      Settings s{.algorithm = "elements", .n = 100, .block = 64, .type = type};
      std::vector<std::string> formulas = {"x > 3 && !(x == 5) || -x < min(x, 7)"};
      for (const Option& o : a.choice("predicate")->options)
        if (is_fast && type == Scalar::int32) formulas.push_back(o.name);
      for (std::size_t i = 0; i < formulas.size(); i += tries_everything() ? 1 : 2) {
        const std::string& formula = formulas[i];
        s.choices["predicate"] = formula;
        EXPECT_EQ(compile(program(a.allows(type) ? a : any, s, mode), "sm_90").log, "")
            << formula << " " << name(type);
      }
    }
}

TEST(Capacity, IsAWholeNumberAndAConstant) {
  std::string text = source_file("tests/kernels/elements.cuh");
  const std::string field = "// Variants    predicate\n";
  text.replace(text.find(field), field.size(),
               "// Variants    predicate, capacity\n// Names       room = capacity\n");
  const Algorithm a = parse_kernel("elements", "elements.cuh", text);
  Settings s{.algorithm = a.name};
  const auto capacity = [&] {
    for (const Constant& c : constants(a, s))
      if (c.name == "capacity") return c.value;
    return -1;
  };
  EXPECT_EQ(capacity(), 100);
  for (const char* good : {"0", "61", "2147483647"}) {
    s.choices["capacity"] = good;
    EXPECT_EQ(refusal(a, s), "");
    EXPECT_EQ(capacity(), std::stoi(good));
  }
  for (const char* bad : {"", "-1", "x", "1.5", "2147483648", "1 2", "0x10"}) {
    s.choices["capacity"] = bad;
    EXPECT_NE(refusal(a, s).find("takes a whole number from 0 to 2^31 - 1"), std::string::npos) << bad;
  }
}

}  // namespace predicate_test
}  // namespace upsweep
