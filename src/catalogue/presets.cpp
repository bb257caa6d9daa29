// The presets are named examples of input data.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>

#include "base/error.hpp"
#include "base/language.hpp"
#include "base/nearest.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/data.hpp"
#include "catalogue/make_elements.hpp"
#include "catalogue/predicate.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

constexpr Preset all_presets[] = {
    {"ones", tr_noop("Every element is 1: a scan counts the elements.")},
    {"ramp", tr_noop("1, 2, 3, ...: the sums are the triangular numbers.")},
    {"alternating", tr_noop("1, 0, 1, 0, ...: the partial sums grow at every second element.")},
    {"textbook", tr_noop("3 1 7 0 4 1 6 3, repeated: Blelloch's example, which GPU Gems 3 uses, too.")},
    {.name = "sausage",
     .what = tr_noop("3 5 2 7 28 4 3 0 8 1, repeated: Hwu's example, the pieces of a 100-inch sausage."),
     .unit = "inch",
     .units = "inches",
     .n = 10},
    {"low_pass", tr_noop("A filter smooths a noisy square wave: y → 0.9·y + b."), "recurrence", true},
    {"interest",
     tr_noop("The balance grows by 1 % before each deposit of 100. A new account begins every 24 deposits."),
     "recurrence", true},
    {"resets", tr_noop("A running total that starts again at every tenth element."), "recurrence"},
    {"all_kept", tr_noop("The predicate keeps every number."), "selection"},
    {"none_kept", tr_noop("The predicate keeps no number."), "selection"},
    {"half_kept", tr_noop("The predicate keeps every second number."), "selection"},
    {"reversed", tr_noop("n, n − 1, ..., 1: if n is even, every key must move."), "sorting"},
    {"few_distinct", tr_noop("Only four different keys: equal keys must keep their order."), "sorting"},
    {"zeros_and_nan", tr_noop("Both zeros, both infinities, NaN and small numbers, mixed."), "sorting", true},
    {.name = "camp_slots",
     .what = tr_noop("Groups of 4, 7, 2, 6, 3, 8, 5 and 1 campers, repeated: each camper needs one slot."),
     .result = "allocation",
     .unit = "slot",
     .units = "slots",
     .n = 24},
    {.name = "output_lengths",
     .what = tr_noop("Each thread writes 0 to 5 results into one buffer."),
     .result = "allocation",
     .unit = "result",
     .units = "results"},
};

// Returns a number below `limit` that looks random. The number depends only on i and `limit`.
int scattered(int i, int limit) {
  std::uint32_t x = static_cast<std::uint32_t>(i) * 2654435769u;
  x ^= x >> 15;
  x *= 2246822519u;
  x ^= x >> 13;
  return static_cast<int>(x % static_cast<std::uint32_t>(limit));
}

using NumberAt = std::function<long double(int)>;

// Returns at most eight numbers. If `kept` is true, the predicate keeps all these numbers. Otherwise, the
// predicate drops all these numbers.
std::vector<long double> examples_for(const Settings& s, bool kept) {
  constexpr std::size_t most = 8;
  const PredicateExamples all = examples_of(predicate_of(s), s.type, most);
  std::vector<long double> found;
  for (const Value& x : kept ? all.kept : all.dropped) found.push_back(scalar(x, s.type));
  if (found.empty())
    throw RequestError(
        kept ? tr("No number was found that the predicate \"{}\" keeps: choose another preset.",
                  chosen_predicate(s))
             : tr("No number was found that the predicate \"{}\" leaves out: choose another preset.",
                  chosen_predicate(s)));
  return found;
}

NumberAt repeated(std::vector<long double> numbers) {
  return [all = std::move(numbers)](int i) { return all[static_cast<std::size_t>(i) % all.size()]; };
}

// Returns the numbers of a preset. For affine maps, map_of() computes b from these numbers.
NumberAt numbers_of(std::string_view name, const Settings& s) {
  using Limits = std::numeric_limits<double>;
  constexpr double nan = Limits::quiet_NaN(), inf = Limits::infinity();
  if (name == "ones") return [](int) { return 1; };
  if (name == "ramp") return [](int i) { return i + 1.; };
  if (name == "alternating") return [](int i) { return i % 2 == 0 ? 1 : 0; };
  if (name == "textbook") return repeated({3, 1, 7, 0, 4, 1, 6, 3});
  if (name == "sausage") return repeated({3, 5, 2, 7, 28, 4, 3, 0, 8, 1});
  if (name == "low_pass")
    return [](int i) { return (i / 32 % 2 == 0 ? 2 : 0) + 0.05 * scattered(i, 9) - 0.2; };
  if (name == "interest") return [](int) { return 100; };
  if (name == "resets") return [](int i) { return 1 + i % 10; };
  if (name == "all_kept") return repeated(examples_for(s, true));
  if (name == "none_kept") return repeated(examples_for(s, false));
  if (name == "half_kept")
    return [kept = repeated(examples_for(s, true)), left = repeated(examples_for(s, false))](int i) {
      return i % 2 == 0 ? kept(i / 2) : left(i / 2);
    };
  if (name == "reversed") return [n = s.n](int i) { return static_cast<double>(n - i); };
  if (name == "few_distinct") return [](int i) { return 3 + 2 * scattered(i, 4); };
  if (name == "zeros_and_nan") return repeated({0., 1., -0., nan, -1., inf, 0., -inf, -0., 0.5, -nan, -0.5});
  if (name == "camp_slots") return repeated({4, 7, 2, 6, 3, 8, 5, 1});
  return [](int i) { return scattered(i, 6); };  // output_lengths
}

// Returns map i of a preset. The map's b is `number`, or a tenth of `number` for low_pass.
std::array<long double, 2> map_of(std::string_view name, int i, long double number) {
  if (name == "low_pass") return {0.9L, 0.1L * number};
  if (name == "interest") return {i % 24 == 0 ? 0 : 1.01L, number};
  if (name == "resets") return {i % 10 == 0 ? 0.L : 1.L, number};
  return {1, number};
}

}  // namespace

std::span<const Preset> presets() { return all_presets; }

const Preset& preset(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Preset& p : all_presets) {
    if (p.name == name) return p;
    names.push_back(p.name);
  }
  throw RequestError(tr("There is no preset \"{}\"{}: the presets are {}.", name, guess(name, names),
                        fmt::join(names, ", ")));
}

bool is_for(const Preset& p, const Settings& s) {
  if (p.real && !is_real(s.type)) return false;
  const std::string_view result = p.result;
  if (result.empty() || (result == "recurrence" && s.op == Operator::affine)) return true;
  const auto all = algorithms();
  const auto a =
      std::find_if(all.begin(), all.end(), [&](const Algorithm& x) { return x.name == s.algorithm; });
  return a == all.end() || std::any_of(a->results.begin(), a->results.end(),
                                       [&](const Result* r) { return r->name == result; });
}

const Preset* preset_with_unit(const Settings& s, const std::vector<Value>& input) {
  constexpr std::size_t least = 8;  // shorter inputs may equal the preset by accident
  if (input.size() < least) return nullptr;
  for (const Preset& p : all_presets)
    if (*p.unit != 0 && is_for(p, s) && preset_data(s, p.name) == input) return &p;
  return nullptr;
}

std::vector<Value> preset_data(const Settings& s, std::string_view name, Job* job) {
  const Preset& p = preset(name);
  Settings real = s;
  real.type = Scalar::float32;
  if (!is_for(p, s))
    throw RequestError(
        is_for(p, real)
            ? tr("The preset {} has numbers that the type {} cannot hold: choose a floating-point type.",
                 name, upsweep::name(s.type))
            : tr("The preset {} is an example for {}, which {} does not compute: choose another preset.",
                 name, p.result == std::string_view("recurrence") ? tr("a recurrence") : p.result,
                 s.algorithm));
  const NumberAt number = numbers_of(name, s);
  return make_elements(input_size(s), job, [&](int i) {
    Value v{};
    if (s.op != Operator::affine) {
      set_scalar(v, s.type, 0, number(i));
      return v;
    }
    const auto [a, b] = map_of(name, i, number(i));
    set_scalar(v, s.type, 0, a);
    set_scalar(v, s.type, 1, b);
    return v;
  });
}

}  // namespace upsweep
