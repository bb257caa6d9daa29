// The oracle computes the expected output sequentially and more exactly than the kernels do.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <type_traits>

#include "base/messages.hpp"
#include "catalogue/arithmetic.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/data.hpp"
#include "catalogue/own_operator.hpp"
#include "catalogue/tolerance.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

template <Operator op, class N>
Scalars<N> combine(const Scalars<N>& x, const Scalars<N>& y) {
  if constexpr (op == Operator::sum) return {x.a + y.a, {}};
  else if constexpr (op == Operator::product) return {x.a * y.a, {}};
  else if constexpr (op == Operator::min) return {y.a < x.a ? y.a : x.a, {}};
  else if constexpr (op == Operator::max) return {x.a < y.a ? y.a : x.a, {}};
  else return {x.a * y.a, y.a * x.b + y.b};  // applies the map x, then the map y
}

template <class N>
N bits(const Value& v, int k) {
  N x;
  std::memcpy(&x, reinterpret_cast<const char*>(v.data()) + static_cast<std::size_t>(k) * sizeof x, sizeof x);
  return x;
}
template <class N, class To = N>
Scalars<To> load(const Value& v) {
  return {static_cast<To>(bits<N>(v, 0)), static_cast<To>(bits<N>(v, 1))};
}
template <class N, class From>
Value store(const Scalars<From>& x, Operator op) {
  const N numbers[2] = {static_cast<N>(x.a), op == Operator::affine ? static_cast<N>(x.b) : N{}};
  Value v{};
  std::memcpy(v.data(), numbers, sizeof numbers);
  return v;
}

// Returns x as an element of the output. If Result::second_only is true, returns only the second number of x.
template <class N, class From>
Value given(const Result& result, const Scalars<From>& x, Operator op) {
  return result.second_only && op == Operator::affine ? store<N>(Scalars<From>{x.b, {}}, Operator::sum)
                                                      : store<N>(x, op);
}

// Throws Cancelled if the job is cancelled. Checks the job only if i is a multiple of 16,384.
void check(const Job* job, std::size_t i) {
  if (job && i % (1 << 14) == 0) job->check();
}

// Calls f(index, x, count) for each element x of a result's output. `count` is 1 plus the length of the
// longest chain of operations that leads to x. For a sum, `count` is the number of inputs.
template <class X, class Load, class Combine, class F>
void follow(const Result& result, const Settings& s, const Job* job, X identity, Load load, Combine combine,
            F f) {
  struct Body final : LoopBody {
    Body(const Job* job_, std::size_t remembered, X identity_, Load load_, Combine combine_, F f_)
        : job(job_),
          identity(identity_),
          x(identity_),
          load(load_),
          combine(combine_),
          f(f_),
          recent(remembered, {identity_, 0}) {}
    void begin() override {
      x = identity;
      taken = 0;
    }
    void take(std::size_t i) override {
      check(job, i);
      x = combine(x, load(i));
      ++taken;
    }
    void give(std::size_t i) override { give(i, x, taken); }
    void give_onto(std::size_t earlier, std::size_t i) override {
      const auto& [above, count] = recent[earlier % recent.size()];
      give(i, combine(above, x), std::max(taken, count) + 1);
    }
    void give(std::size_t i, const X& value, std::size_t count) {
      f(i, value, count);
      if (!recent.empty()) recent[i % recent.size()] = {value, count};
    }
    const Job* job;
    X identity, x;
    Load load;
    Combine combine;
    F f;
    std::vector<std::pair<X, std::size_t>> recent;  // the latest elements of the output, and their counts
    std::size_t taken = 0;
  };
  const int remembered = result == Result::summed_area_table ? data_columns(s) * channels(s) : 0;
  Body body(job, static_cast<std::size_t>(remembered), identity, load, combine, f);
  result.loop(s, body);
}

// Splits a number: x = odd * 2^exponent.
template <class N>
struct Factors {
  double odd = 0;
  int exponent = 0;
  explicit Factors(N x) {
    if (x == 0) return;
    const auto mantissa =
        static_cast<std::int64_t>(std::ldexp(std::abs(std::frexp(static_cast<double>(x), &exponent)), 53));
    const int zeros = std::countr_zero(static_cast<std::uint64_t>(mantissa));
    odd = static_cast<double>(mantissa >> zeros);
    exponent += zeros - 53;
  }
};

// Returns true if every intermediate result is representable, for every order of the operations.
template <class N>
bool exact_in_any_order(Operator op, const std::vector<Value>& input, const Job* job) {
  constexpr int digits = std::numeric_limits<N>::digits, range = std::numeric_limits<N>::max_exponent - 2;
  const double limit = std::ldexp(1., digits);
  // For a product, the loop computes the product of the factors' odd parts, the sum of the positive exponents
  // and the sum of the negative exponents. For a sum, the loop computes the sum of the absolute values, and
  // the exponent of the greatest power of two that divides all summands.
  double odd = 1, sum = 0;
  int up = 0, down = 0, unit = std::numeric_limits<int>::max();
  for (std::size_t i = 0; i < input.size(); ++i) {
    check(job, i);
    const Value& v = input[i];
    if (op != Operator::sum) {
      const Factors<N> factor(bits<N>(v, 0));
      odd *= std::max(1., factor.odd);
      if (odd > limit) return false;
      (factor.exponent > 0 ? up : down) += factor.exponent;
      if (up + digits > range || down < -range) return false;
    }
    if (op != Operator::product) {
      const N x = bits<N>(v, op == Operator::affine ? 1 : 0);
      if (x != 0) unit = std::min(unit, Factors<N>(x).exponent);
      sum += std::abs(static_cast<double>(x));
    }
  }
  if (op == Operator::product || sum == 0) return true;
  return std::log2(sum) + up + std::log2(odd) - (unit + down) <= digits &&
         std::log2(sum) + up + std::log2(odd) < range && unit + down > -range;
}

template <class N, class F>
void follow_bounds(const Result& result, const Settings& s, const Job* job, const std::vector<Value>& input,
                   F f) {
  using W = Wide<N>;
  const int summand = s.op == Operator::affine ? 1 : 0;
  with_operator(s.op, [&]<Operator op>(std::integral_constant<Operator, op>) {
    const auto bounded = [&](const Value& v) {
      const Scalars<W> x = load<N, W>(v), size{std::abs(x.a), std::abs(x.b)};
      Bounded<W> b{x, size};
      if (op != Operator::product) b.summands = summand == 1 ? size.b : size.a;
      if (op == Operator::sum || size.a == 0) return b;
      b.largest = std::max<W>(1, size.a);
      b.least = std::min<W>(1, size.a);
      return b;
    };
    follow(
        result, s, job, bounded(identity(s)), [&](std::size_t i) { return bounded(input[i]); },
        [](const Bounded<W>& x, const Bounded<W>& y) {
          return Bounded<W>{combine<op>(x.value, y.value), combine<op>(x.size, y.size), x.largest * y.largest,
                            x.least * y.least, x.summands + y.summands};
        },
        f);
  });
}

template <class N>
std::vector<Value> expected(const Result& result, const Settings& s, const std::vector<Value>& input,
                            const Job* job = nullptr) {
  std::vector<Value> out(static_cast<std::size_t>(result.size(s)));
  with_operator(s.op, [&]<Operator op>(std::integral_constant<Operator, op>) {
    using W = Wide<N>;
    follow(
        result, s, job, load<N, W>(identity(s)), [&](std::size_t i) { return load<N, W>(input[i]); },
        [](const Scalars<W>& x, const Scalars<W>& y) { return combine<op>(x, y); },
        [&](std::size_t i, const Scalars<W>& x, std::size_t) { out[i] = given<N>(result, x, s.op); });
  });
  return out;
}

// A function that is called for every wrong element, with the element's index and expected value.
using WhenWrong = std::function<void(std::size_t element, const Value& due)>;

template <class N>
void check_floats(const Result& result, const Settings& s, const std::vector<Value>& input,
                  const std::vector<Value>& output, const Job* job, const WhenWrong& wrong) {
  using W = Wide<N>;
  const bool exact = exact_in_any_order<N>(s.op, input, job);
  follow_bounds<N>(result, s, job, input, [&](std::size_t i, const Bounded<W>& due, std::size_t count) {
    Scalars<W> is = load<N, W>(output[i]);
    if (result.second_only && s.op == Operator::affine) is = {due.value.a, is.a};
    // A kernel may add rows first or columns first, so a chain of additions has at most 2 * count links.
    const std::size_t most = result == Result::summed_area_table ? 2 * count : count;
    const Tolerance<N> tolerance(s.op, due, most, exact);
    if (!tolerance.allows_factor(is.a, due.value.a, due.size.a) ||
        (s.op == Operator::affine && !tolerance.allows_summand(is.b, due.value.b, due.size.b)))
      wrong(i, given<N>(result, due.value, s.op));
  });
}

// --- an operator that the user typed

Combination own_combination(const Settings& s) {
  auto own = std::make_shared<const OwnOperator>(s.expression);
  const auto function = [&]() -> Combination::Function {
    switch (s.type) {
      case Scalar::int32:
        return [](const OwnOperator* o, const Value& x, const Value& y) { return (*o)(Scalar::int32, x, y); };
      case Scalar::uint32:
        return
            [](const OwnOperator* o, const Value& x, const Value& y) { return (*o)(Scalar::uint32, x, y); };
      case Scalar::int64:
        return [](const OwnOperator* o, const Value& x, const Value& y) { return (*o)(Scalar::int64, x, y); };
      case Scalar::float16:
        return
            [](const OwnOperator* o, const Value& x, const Value& y) { return (*o)(Scalar::float16, x, y); };
      case Scalar::float32:
        return
            [](const OwnOperator* o, const Value& x, const Value& y) { return (*o)(Scalar::float32, x, y); };
      case Scalar::float64: break;
    }
    return [](const OwnOperator* o, const Value& x, const Value& y) { return (*o)(Scalar::float64, x, y); };
  };
  return Combination(function(), std::move(own));
}

// Calls f as follow() does, but computes with a user's operator. Integers are computed in their type, and
// floats in wide arithmetic.
template <class F>
void follow_own(const Result& result, const Settings& s, const Job* job, const std::vector<Value>& input,
                F f) {
  using X = OwnOperator::Wide;
  const OwnOperator own(s.expression);
  const auto wide = [&](const Value& v) {
    const long double x = scalar(v, s.type);
    return X{x, std::abs(x)};
  };
  follow(
      result, s, job, wide(identity(s)), [&](std::size_t i) { return wide(input[i]); },
      [&](const X& x, const X& y) {
        if (is_real(s.type)) return own(x, y);
        Value left{}, right{};
        set_scalar(left, s.type, 0, x.value);
        set_scalar(right, s.type, 0, y.value);
        return wide(own(s.type, left, right));
      },
      f);
}

Value own_value(const Settings& s, long double x) {
  Value v{};
  set_scalar(v, s.type, 0, x);
  return v;
}

std::vector<Value> own_result(const Result& result, const Settings& s, const std::vector<Value>& input) {
  std::vector<Value> out(static_cast<std::size_t>(result.size(s)));
  follow_own(result, s, nullptr, input,
             [&](std::size_t i, const OwnOperator::Wide& x, std::size_t) { out[i] = own_value(s, x.value); });
  return out;
}

// Checks the output of a user's operator. Assumes that one application rounds a value at most
// TypedFormula::depth() times, and that partial results are about equally large in every order.
void check_own(const Result& result, const Settings& s, const std::vector<Value>& input,
               const std::vector<Value>& output, const Job* job, const WhenWrong& wrong) {
  const int depth = OwnOperator(s.expression).depth();
  const long double u = s.type == Scalar::float16   ? 0x1p-11L
                        : s.type == Scalar::float32 ? 0x1p-24L
                                                    : 0x1p-53L;
  const long double largest = s.type == Scalar::float16   ? 65504.0L
                              : s.type == Scalar::float32 ? std::numeric_limits<float>::max()
                                                          : std::numeric_limits<double>::max();
  follow_own(result, s, job, input, [&](std::size_t i, const OwnOperator::Wide& due, std::size_t count) {
    const long double is = scalar(output[i], s.type), k = static_cast<long double>(count) * depth;
    const bool right = !is_real(s.type) ? is == due.value
                       : !std::isfinite(is)
                           ? !(due.size < largest / 4) || is == due.value
                           : std::abs(is - due.value) <= 2 * k * u / (1 - std::min(0.5L, k * u)) * due.size ||
                                 !std::isfinite(due.size) || k * u > 0.5L;
    if (!right) wrong(i, own_value(s, due.value));
  });
}

bool same(const Settings& s, const Value& x, const Value& y) {
  return x == y || (is_real(s.type) && scalar(x, s.type) == scalar(y, s.type));  // -0 equals 0
}

}  // namespace

Combination combination(const Settings& s) {
  if (s.op == Operator::own) return own_combination(s);
  return with_arithmetic(s, [&]<class N>(N) {
    return with_operator(s.op, [&]<Operator op>(std::integral_constant<Operator, op>) {
      return Combination([](const OwnOperator*, const Value& x, const Value& y) {
        return store<N>(combine<op>(load<N>(x), load<N>(y)), op);
      });
    });
  });
}

std::vector<Value> oracle(const Result& result, const Settings& s, const Inputs& inputs) {
  if (result.moved) return result.moved(s, inputs);
  const std::vector<Value>& input = inputs.first;
  if (s.op == Operator::own) return own_result(result, s, input);
  return with_arithmetic(s, [&]<class N>(N) { return expected<N>(result, s, input); });
}

namespace {

// Calls wrong(i, expected value) for every wrong element in ascending order, if the output has the expected
// number of elements. Returns the expected number of elements.
std::size_t compare(const Result& result, const Settings& s, const Inputs& inputs,
                    const std::vector<Value>& output, const Job* job, const WhenWrong& wrong) {
  const std::vector<Value>& input = inputs.first;
  if (s.op == Operator::own && !result.moved) {
    const auto due = static_cast<std::size_t>(result.size(s));
    if (output.size() == due) check_own(result, s, input, output, job, wrong);
    return due;
  }
  const bool rounds = !result.moved && s.op != Operator::min && s.op != Operator::max && is_real(s.type);
  if (rounds) {
    const auto due = static_cast<std::size_t>(result.size(s));
    if (output.size() != due) return due;
    if (s.type == Scalar::float16) check_floats<Half>(result, s, input, output, job, wrong);
    if (s.type == Scalar::float32) check_floats<float>(result, s, input, output, job, wrong);
    if (s.type == Scalar::float64) check_floats<double>(result, s, input, output, job, wrong);
    return due;
  }
  const std::vector<Value> due =
      result.moved ? result.moved(s, inputs)
                   : with_arithmetic(s, [&]<class N>(N) { return expected<N>(result, s, input, job); });
  const auto equal = result.equal ? result.equal : same;
  const auto room = static_cast<std::size_t>(result.size(s));
  const bool has_room = result.is_part && output.size() == room;
  if (output.size() != due.size() && !has_room) return due.size();
  for (std::size_t i = 0; i < due.size(); ++i)
    if (!equal(s, output[i], due[i])) wrong(i, due[i]);
  return output.size();
}

// Compares all known outputs after the first. Returns a message about the first wrong word, or no message.
Message compare_more(const Result& result, const Settings& s, const Inputs& inputs, const Contents& more) {
  if (!result.more || more.empty()) return {};
  const Contents due = result.more(s, inputs, oracle(result, s, inputs));
  for (std::size_t k = 0; k < std::min(due.size(), more.size()); ++k) {
    if (more[k].size() != due[k].size()) return say::other_number_of_elements(more[k].size(), due[k].size());
    for (std::size_t i = 0; i < due[k].size(); ++i)
      if (more[k][i][0] != due[k][i][0])
        return say::wrong_word(std::string(result.more_names[k]), i, more[k][i][0], due[k][i][0]);
  }
  return {};
}

}  // namespace

std::vector<WrongElement> all_wrong(const Result& result, const Settings& s, const Inputs& inputs,
                                    const std::vector<Value>& output, const Job* job) {
  std::vector<WrongElement> all;
  const std::size_t due = compare(result, s, inputs, output, job, [&](std::size_t i, const Value& expected) {
    all.push_back({i, output[i], expected});
  });
  if (output.size() != due) all.clear();
  return all;
}

Message check(const Result& result, const Settings& s, const Inputs& inputs, const Outputs& outputs,
              const Job* job) {
  std::optional<WrongElement> first;
  const std::vector<Value>& output = outputs.first;
  const std::size_t due = compare(result, s, inputs, output, job, [&](std::size_t i, const Value& expected) {
    if (!first) first = {i, output[i], expected};
  });
  if (output.size() != due) return say::other_number_of_elements(output.size(), due);
  const Settings shown = output_settings(result, s);
  if (first)
    return say::wrong_element(first->index, exact_text(first->got, shown),
                              exact_text(first->expected, shown));
  return outputs.more ? compare_more(result, s, inputs, *outputs.more) : Message{};
}

std::vector<std::size_t> wrong_elements(const Algorithm& a, const Settings& s, const Inputs& inputs,
                                        const std::vector<Value>& output) {
  std::vector<std::size_t> found;
  compare(result_of(a, s), s, inputs, output, nullptr,
          [&](std::size_t i, const Value&) { found.push_back(i); });
  return found;
}

}  // namespace upsweep
