// What must come out, computed sequentially and more exactly than the kernels do.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "catalogue/catalogue.hpp"
#include "catalogue/data.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

// Scalars of one element in wide arithmetic: doubles for floats, wrapping 32-bit for integers.
template <class N>
struct Wide {
  N a{}, b{};
};

template <class N>
Wide<N> apply(Operator op, Wide<N> x, Wide<N> y) {
  switch (op) {
    case Operator::sum: return {x.a + y.a, 0};
    case Operator::product: return {x.a * y.a, 0};
    case Operator::min: return {y.a < x.a ? y.a : x.a, 0};
    case Operator::max: return {x.a < y.a ? y.a : x.a, 0};
    case Operator::affine: return {x.a * y.a, y.a * x.b + y.b};  // first x, then y
  }
  return {};
}

// Calls f with a zero of the type that computes in a scalar's own arithmetic; int32 wraps as uint32 but
// compares signed.
template <class F>
auto with_arithmetic(const Settings& s, F f) {
  switch (s.type) {
    case Scalar::float32: return f(float{});
    case Scalar::float64: return f(double{});
    case Scalar::int32:
      if (s.op == Operator::min || s.op == Operator::max) return f(std::int32_t{});
      [[fallthrough]];
    default: return f(std::uint32_t{});
  }
}

// An integer scalar keeps its 32 bits whatever its sign; floats keep their value.
template <class N>
N load(const Value& v, Scalar type, int k) {
  if constexpr (std::is_integral_v<N>) return static_cast<N>(v[static_cast<std::size_t>(k)]);
  else return static_cast<N>(scalar(v, type, k));
}
template <class N>
void store(Value& v, Scalar type, int k, N x) {
  if constexpr (std::is_integral_v<N>) v[static_cast<std::size_t>(k)] = static_cast<std::uint32_t>(x);
  else set_scalar(v, type, k, static_cast<double>(x));
}

bool is_real(Scalar type) { return type == Scalar::float32 || type == Scalar::float64; }

// Runs of the operator over the input as the algorithm gives them: one value, or one per element.
template <class Element, class Combine, class Convert>
auto sequential(const Algorithm& a, const Settings& s, const std::vector<Value>& input, Element identity,
                Convert convert, Combine combine) {
  const Result result = result_of(a, s);
  std::vector<Element> out;
  Element sum = identity;
  for (int i = 0; i < s.n; ++i) {
    if (result == Result::exclusive_scan) out.push_back(sum);
    sum = combine(sum, convert(input[static_cast<std::size_t>(i)]));
    if (result == Result::inclusive_scan) out.push_back(sum);
  }
  if (result == Result::reduction) out.push_back(sum);
  return out;
}

// Value and condition of a float result: `size` is the same sum over absolute values, which bounds the
// rounding error.
struct Bounded {
  long double a = 0, b = 0;
  long double size_a = 0, size_b = 0;
  int count = 0;  // roundings that may have gone into it
};

Bounded apply(Operator op, const Bounded& x, const Bounded& y) {
  Bounded r;
  r.count = x.count + y.count + (op == Operator::affine ? 3 : 1);
  switch (op) {
    case Operator::sum: r.a = x.a + y.a, r.size_a = x.size_a + y.size_a; break;
    case Operator::product: r.a = x.a * y.a, r.size_a = x.size_a * y.size_a; break;
    case Operator::min: r = y.a < x.a ? y : x; break;
    case Operator::max: r = x.a < y.a ? y : x; break;
    case Operator::affine:
      r.a = x.a * y.a, r.size_a = x.size_a * y.size_a;
      r.b = y.a * x.b + y.b, r.size_b = y.size_a * x.size_b + y.size_b;
      break;
  }
  return r;
}

Bounded bounded(const Value& v, const Settings& s) {
  Bounded r;
  r.a = scalar(v, s.type, 0);
  if (s.op == Operator::affine) r.b = scalar(v, s.type, 1);
  r.size_a = std::fabs(r.a), r.size_b = std::fabs(r.b);
  return r;
}

std::vector<Bounded> bounded_oracle(const Settings& s, const std::vector<Value>& input) {
  return sequential(
      algorithm(s.algorithm), s, input, bounded(identity(s), s),
      [&](const Value& v) { return bounded(v, s); },
      [&](const Bounded& x, const Bounded& y) { return apply(s.op, x, y); });
}

}  // namespace

Value apply(const Settings& s, const Value& x, const Value& y) {
  return with_arithmetic(s, [&]<class N>(N) {
    const auto wide = [&](const Value& v) {
      return Wide<N>{load<N>(v, s.type, 0), s.op == Operator::affine ? load<N>(v, s.type, 1) : N{}};
    };
    const Wide<N> r = apply(s.op, wide(x), wide(y));
    Value v{};
    store(v, s.type, 0, r.a);
    if (s.op == Operator::affine) store(v, s.type, 1, r.b);
    return v;
  });
}

std::vector<Value> oracle(const Settings& s, const std::vector<Value>& input) {
  if (!is_real(s.type))
    return sequential(
        algorithm(s.algorithm), s, input, identity(s), [](const Value& v) { return v; },
        [&](const Value& x, const Value& y) { return apply(s, x, y); });
  std::vector<Value> out;
  for (const Bounded& r : bounded_oracle(s, input)) {
    Value v{};
    set_scalar(v, s.type, 0, static_cast<double>(r.a));
    if (s.op == Operator::affine) set_scalar(v, s.type, 1, static_cast<double>(r.b));
    out.push_back(v);
  }
  return out;
}

std::string check(const Settings& s, const std::vector<Value>& input, const std::vector<Value>& output) {
  const std::vector<Value> expected = oracle(s, input);
  if (output.size() != expected.size())
    return fmt::format("{} elements came out; {} were due.", output.size(), expected.size());
  const auto bounds = is_real(s.type) ? bounded_oracle(s, input) : std::vector<Bounded>();
  // Unit roundoff; u of float32 is 2^-24.
  const long double u = s.type == Scalar::float32 ? 0x1p-24L : 0x1p-53L;
  for (std::size_t i = 0; i < output.size(); ++i) {
    bool right = output[i] == expected[i];
    if (!right && is_real(s.type)) {
      const Bounded& b = bounds[i];
      const long double gamma = b.count * u / (1 - b.count * u);
      const auto near = [&](int k, long double exact, long double size) {
        return std::fabs(scalar(output[i], s.type, k) - exact) <= gamma * size;
      };
      right = near(0, b.a, b.size_a) && (s.op != Operator::affine || near(1, b.b, b.size_b));
    }
    if (!right)
      return fmt::format("Element {} is {}; {} was due.", i, exact_text(output[i], s),
                         exact_text(expected[i], s));
  }
  return {};
}

}  // namespace upsweep
