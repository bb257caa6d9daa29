// Tests which algorithms accept each preset, and which numbers each preset makes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/error.hpp"
#include "catalogue/data.hpp"
#include "catalogue/element_order.hpp"
#include "catalogue/predicate.hpp"
#include "catalogue/validation.hpp"
#include "support/drawn_views.hpp"
#include "support/predicates.hpp"
#include "support/sentence.hpp"
#include "support/session_start.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace presets_test {

Settings settings_of(const Algorithm& a, Scalar type) {
  Settings s{.algorithm = a.name, .n = 48};
  fit_kind(a, s);
  s.type = type;
  return s;
}

std::vector<long double> numbers(const std::vector<Value>& data, Scalar type, int k = 0) {
  std::vector<long double> all;
  for (const Value& v : data) all.push_back(scalar(v, type, k));
  return all;
}

TEST(Presets, AreOfferedOnlyWhereTheyMakeSense) {
  for (const Algorithm& a : algorithms())
    for (std::size_t t = 0; t < std::size(scalar_names); ++t) {
      const auto type = static_cast<Scalar>(t);
      if (!a.allows(type)) continue;
      const Settings s = settings_of(a, type);
      for (const Preset& p : presets()) {
        const bool for_all = *p.result == 0;
        const bool here = is_for(p, s);
        if (here) {
          EXPECT_EQ(preset_data(s, p.name).size(), static_cast<std::size_t>(input_size(s)))
              << a.name << " " << p.name;
          EXPECT_TRUE(for_all || a.results[0]->name == p.result || s.op == Operator::affine)
              << a.name << " " << p.name;
          EXPECT_TRUE(!p.real || is_real(type));
        } else {
          EXPECT_FALSE(for_all && !p.real) << a.name << " " << p.name;
          EXPECT_THROW(preset_data(s, p.name), RequestError) << a.name << " " << p.name;
        }
      }
    }
  const auto offered = [](const char* algorithm, Scalar type) {
    std::set<std::string> names;
    for (const Preset& p : presets())
      if (*p.result != 0 && is_for(p, settings_of(upsweep::algorithm(algorithm), type))) names.insert(p.name);
    return names;
  };
  using Names = std::set<std::string>;
  EXPECT_EQ(offered("scan_blelloch", Scalar::float32), Names{});
  EXPECT_EQ(offered("radix_sort_digits", Scalar::float32),
            (Names{"reversed", "few_distinct", "zeros_and_nan"}));
  EXPECT_EQ(offered("radix_sort", Scalar::int32), (Names{"reversed", "few_distinct"}));
  EXPECT_EQ(offered("allocation", Scalar::int32), (Names{"camp_slots", "output_lengths"}));
  EXPECT_EQ(offered("stream_compaction_fused", Scalar::int32), (Names{"all_kept", "none_kept", "half_kept"}));
  EXPECT_EQ(offered("linear_recurrence", Scalar::float32), (Names{"low_pass", "interest", "resets"}));
  EXPECT_EQ(offered("linear_recurrence", Scalar::int32), Names{"resets"});
}

TEST(Presets, AnUnknownNameIsRefusedWithTheNearestOne) {
  EXPECT_NE(sentence<RequestError>([&] { preset("sausages"); }).find("did you mean sausage?"),
            std::string::npos);
}

TEST(Presets, OfASelectionFollowThePredicate) {
  std::vector<const char*> predicates = {
      "positive",  "odd",        "multiple_of_3", "above_3", "x > 3 && x % 2 == 0",
      "x == 4096", "x > 100000", "x != 0"};
  predicates.insert(predicates.end(), std::begin(awkward_predicates), std::end(awkward_predicates));
  std::size_t looked_at = 0;
  const auto look_at = [&](const char* predicate, Scalar type) {
    Settings s{.algorithm = "stream_compaction", .n = 41, .type = type};
    s.choose("predicate", predicate);
    if (!sentence<RequestError>([&] { validate(s); }).empty()) return;
    ++looked_at;
    const Predicate keep = predicate_of(s);
    const auto kept = [&](const char* name) {
      std::vector<bool> all;
      for (const Value& v : preset_data(s, name)) all.push_back(keep(s.type, v));
      return all;
    };
    SCOPED_TRACE(name(type));
    EXPECT_EQ(kept("all_kept"), std::vector<bool>(41, true)) << predicate;
    EXPECT_EQ(kept("none_kept"), std::vector<bool>(41, false)) << predicate;
    const std::vector<bool> half = kept("half_kept");
    for (std::size_t i = 0; i < 41; ++i) EXPECT_EQ(half[i], i % 2 == 0) << predicate;
  };
  for (const char* predicate : predicates)
    for (std::size_t t = 0; t < std::size(scalar_names); ++t) look_at(predicate, static_cast<Scalar>(t));
  EXPECT_GT(looked_at, 3 * predicates.size()) << "most types take most predicates";
  Settings s{.algorithm = "stream_compaction", .n = 41, .type = Scalar::int32};
  s.choose("predicate", "never");
  EXPECT_EQ(sentence<RequestError>([&] { preset_data(s, "half_kept"); }),
            "No number was found that the predicate \"never\" keeps: choose another preset.");
  s.choose("predicate", "every");
  EXPECT_NE(sentence<RequestError>([&] { preset_data(s, "none_kept"); }), "");
}

TEST(Presets, OfASortAreAwkward) {
  Settings s{.algorithm = "radix_sort", .n = 100, .type = Scalar::float32};
  auto all = numbers(preset_data(s, "reversed"), s.type);
  EXPECT_TRUE(std::is_sorted(all.rbegin(), all.rend()));
  EXPECT_EQ(std::set(all.begin(), all.end()).size(), 100u);
  all = numbers(preset_data(s, "few_distinct"), s.type);
  EXPECT_EQ(std::set(all.begin(), all.end()).size(), 4u);
  std::set<std::uint64_t> bits;
  for (const Value& v : preset_data(s, "zeros_and_nan")) bits.insert(order_bits(s.type, v));
  using Limits = std::numeric_limits<double>;
  for (const double x : {0.0, -0.0, Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()}) {
    Value v{};
    set_scalar(v, s.type, 0, x);
    EXPECT_TRUE(bits.contains(order_bits(s.type, v))) << x;
  }
}

TEST(Presets, OfAllocationsAreSmallLengths) {
  Settings s{.algorithm = "allocation", .n = 500, .type = Scalar::uint32};
  const auto lengths = numbers(preset_data(s, "output_lengths"), s.type);
  EXPECT_EQ(std::set(lengths.begin(), lengths.end()), (std::set<long double>{0, 1, 2, 3, 4, 5}));
  s.n = preset("camp_slots").n;
  const auto groups = numbers(preset_data(s, "camp_slots"), s.type);
  long double slots = 0;
  for (const long double x : groups) slots += x;
  EXPECT_EQ(slots, 108) << "not all groups fit into the default capacity";
}

// Each preset sets the coefficients of y[j] = a[j] * y[j - 1] + b[j]. Tests the results y for these
// coefficients.
TEST(Presets, OfRecurrencesAreWhatTheirNamesSay) {
  Settings s{.algorithm = "linear_recurrence", .n = 240, .type = Scalar::float64, .op = Operator::affine};
  const auto solved = [&](const char* name) {
    const auto data = preset_data(s, name);
    std::vector<double> y;
    for (const Value& v : data)
      y.push_back(static_cast<double>(scalar(v, s.type, 0)) * (y.empty() ? 0 : y.back()) +
                  static_cast<double>(scalar(v, s.type, 1)));
    return y;
  };
  const auto resets = solved("resets");
  for (std::size_t i = 0; i < resets.size(); ++i) {
    const double k = static_cast<double>(i % 10) + 1;
    EXPECT_EQ(resets[i], k * (k + 1) / 2) << i;
  }
  const auto interest = solved("interest");
  for (std::size_t i = 0; i < interest.size(); ++i)
    EXPECT_NEAR(interest[i], 100 * (std::pow(1.01, static_cast<double>(i % 24 + 1)) - 1) / 0.01, 1e-6) << i;
  const auto filtered = solved("low_pass");
  const auto wave = numbers(preset_data(s, "low_pass"), s.type, 1);
  double roughness = 0, smooth = 0;
  for (std::size_t i = 1; i < filtered.size(); ++i) {
    roughness += std::abs(static_cast<double>(10 * (wave[i] - wave[i - 1])));
    smooth += std::abs(filtered[i] - filtered[i - 1]);
  }
  EXPECT_LT(smooth, roughness / 2) << "the output changes less than the input";
  EXPECT_GT(*std::max_element(filtered.begin(), filtered.end()), 1.7);
  EXPECT_LT(*std::min_element(filtered.begin(), filtered.end()), 0.2);
}

TEST(Presets, InTheWindowDecideNAndGiveWayToASeed) {
  Session::Start begin = start(64);
  begin.n_chosen = false;
  Session s(begin);
  s.settle(10);
  ASSERT_NE(s.set_algorithm("allocation"), Answer::refused) << s.error();
  s.settle(10);
  Request r;
  r.data = DataSource{DataSource::Kind::preset, 3, "camp_slots"};
  ASSERT_NE(s.apply(r), Answer::refused) << s.error();
  s.settle(10);
  EXPECT_EQ(s.data().text, "camp_slots");
  EXPECT_EQ(s.settings().n, 24);
  ASSERT_NE(s.set_algorithm("scan_blelloch"), Answer::refused) << s.error();
  s.settle(10);
  EXPECT_EQ(s.data().kind, DataSource::Kind::seed) << "camp_slots is not offered for a scan";
  s.set_data({DataSource::Kind::preset, 3, "ones"});
  s.settle(10);
  s.set_algorithm("radix_sort");
  s.settle(10);
  EXPECT_EQ(s.data().text, "ones");
}

}  // namespace presets_test
}  // namespace upsweep
