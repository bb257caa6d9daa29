#include "trace/value.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>

#include "base/half.hpp"

namespace upsweep {
namespace {

using Printer = std::function<std::string(long double)>;

// Prints a number with std::to_chars. `format` are the arguments of std::to_chars after the number.
template <class Number, class... Format>
std::string printed(Number x, Format... format) {
  char text[400];  // the longest double in fixed notation has 309 digits before the point
  return std::string(text, std::to_chars(text, text + sizeof text, x, format...).ptr);
}

bool is_zero(long double x) { return x == 0 && !std::signbit(x); }

// Returns the text without the zeros at the end of a fraction.
std::string without_trailing_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

// Turns "2.10e+09" into "2.1e9".
std::string tidy_exponent(const std::string& text) {
  const auto e = text.find('e');
  const bool negative = text[e + 1] == '-';
  const auto digits = text.find_first_not_of('0', e + 2);
  const std::string exponent = digits == std::string::npos ? "0" : text.substr(digits);
  return without_trailing_zeros(text.substr(0, e)) + (negative ? "e-" : "e") + exponent;
}

template <class Float>
std::string exact_float(Float x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x < 0 ? "-inf" : "inf";
  const double size = std::abs(static_cast<double>(x));
  if (size == 0 || (size >= 1e-4 && size < 1e16)) return printed(x, std::chars_format::fixed);
  return tidy_exponent(printed(x, std::chars_format::scientific));
}

// Returns the shortest decimal number that becomes x when rounded to a Half. Whole numbers are not changed.
double shortest(Half x) {
  if (!std::isfinite(x) || std::trunc(x) == x) return x;
  for (int digits = 0;; ++digits) {
    const std::string text = printed(static_cast<double>(x), std::chars_format::scientific, digits);
    double near = 0;
    std::from_chars(text.data(), text.data() + text.size(), near);
    if (Half(near) == x) return near;
  }
}

std::string exact_number(long double x, Scalar type) {
  switch (type) {
    case Scalar::int32:
    case Scalar::uint32:
    case Scalar::int64: return printed(static_cast<std::int64_t>(x));
    case Scalar::float16: return exact_float(shortest(Half(static_cast<double>(x))));
    case Scalar::float32: return exact_float(static_cast<float>(x));
    case Scalar::float64: break;
  }
  return exact_float(static_cast<double>(x));
}

// Returns the shortest of three texts of a number: the exact text, and the texts with `digits` significant
// digits in fixed and in scientific notation.
std::string rounded_number(long double exactly, Scalar type, int digits) {
  const auto x = static_cast<double>(exactly);
  std::string best = exact_number(exactly, type);
  if (x == 0 || !std::isfinite(x)) return best;
  const std::string scientific = printed(x, std::chars_format::scientific, digits - 1);
  const int exponent = std::stoi(scientific.substr(scientific.find('e') + 1));
  if (const int decimals = digits - 1 - exponent; decimals >= 0) {
    const std::string fixed = without_trailing_zeros(printed(x, std::chars_format::fixed, decimals));
    if (fixed.size() < best.size()) best = fixed;
  }
  const std::string tidy = tidy_exponent(scientific);
  return tidy.size() < best.size() ? tidy : best;
}

// Returns the map x -> a*x + b as text: "2x+3", "x", "-x-1". If a is 0, returns only b.
std::string affine_text(long double a, long double b, const Printer& number) {
  if (is_zero(a)) return number(b);
  std::string text = number(a);
  if (text == "1" || text == "-1") text.pop_back();
  text += std::isfinite(a) ? "x" : "*x";
  if (is_zero(b)) return text;
  const std::string constant = number(b);
  return text + (constant[0] == '-' ? "" : "+") + constant;
}

// The type of the numbers in a cell, and whether a cell has two numbers.
struct Printed {
  Scalar type;
  bool pair;
  Printed(const Settings& s, Cells cells)
      : type(cells == Cells::words || value_kind(cells) == Cells::counts ? Scalar::uint32 : s.type),
        pair(value_kind(cells) == Cells::elements && scalars_per_element(s.op) == 2) {}
};

std::string contents_text(const Value& v, const Printed& as, const Printer& number) {
  const long double first = scalar(v, as.type, 0);
  return as.pair ? affine_text(first, scalar(v, as.type, 1), number) : number(first);
}

// pair_of_words() returns a 64-bit scalar, which a Value holds in two words. set_pair_of_words() sets this
// scalar.
std::uint64_t pair_of_words(const Value& v, int k) { return std::uint64_t{v[2 * k + 1]} << 32 | v[2 * k]; }
void set_pair_of_words(Value& v, int k, std::uint64_t bits) {
  v[2 * k] = static_cast<std::uint32_t>(bits);
  v[2 * k + 1] = static_cast<std::uint32_t>(bits >> 32);
}

}  // namespace

long double largest_number(Scalar type) {
  switch (type) {
    case Scalar::int32: return INT32_MAX;
    case Scalar::uint32: return UINT32_MAX;
    case Scalar::int64: return static_cast<long double>(INT64_MAX);
    case Scalar::float16: return std::numeric_limits<Half>::max();
    case Scalar::float32: return std::numeric_limits<float>::max();
    case Scalar::float64: break;
  }
  return std::numeric_limits<double>::max();
}

long double scalar(const Value& v, Scalar type, int k) {
  switch (type) {
    case Scalar::int32: return std::bit_cast<std::int32_t>(v[k]);
    case Scalar::uint32: return v[k];
    case Scalar::float16: return Half::from_bits(static_cast<std::uint16_t>(v[0] >> 16 * k));
    case Scalar::float32: return std::bit_cast<float>(v[k]);
    case Scalar::int64: return static_cast<std::int64_t>(pair_of_words(v, k));
    case Scalar::float64: break;
  }
  return std::bit_cast<double>(pair_of_words(v, k));
}

void set_scalar(Value& v, Scalar type, int k, long double x) {
  switch (type) {
    case Scalar::int32: v[k] = std::bit_cast<std::uint32_t>(static_cast<std::int32_t>(x)); return;
    case Scalar::uint32: v[k] = static_cast<std::uint32_t>(x); return;
    case Scalar::float32: v[k] = std::bit_cast<std::uint32_t>(static_cast<float>(x)); return;
    case Scalar::float16:
      v[0] = (v[0] & ~(0xffffu << 16 * k)) | std::uint32_t{Half(static_cast<double>(x)).bits()} << 16 * k;
      return;
    case Scalar::int64:
      set_pair_of_words(v, k, static_cast<std::uint64_t>(static_cast<std::int64_t>(x)));
      return;
    case Scalar::float64: break;
  }
  set_pair_of_words(v, k, std::bit_cast<std::uint64_t>(static_cast<double>(x)));
}

Value identity(const Settings& s) {
  Value v{};
  const auto limit = [&](bool largest) -> long double {
    const auto of = [&]<class N>(N) -> long double {
      return largest ? std::numeric_limits<N>::max() : std::numeric_limits<N>::lowest();
    };
    switch (s.type) {
      case Scalar::int32: return of(std::int32_t{});
      case Scalar::uint32: return of(std::uint32_t{});
      case Scalar::int64: return of(std::int64_t{});
      case Scalar::float16: return of(Half{});
      case Scalar::float32: return of(float{});
      case Scalar::float64: return of(double{});
    }
    return 0;
  };
  switch (s.op) {
    case Operator::sum: break;
    case Operator::product:
    case Operator::affine: set_scalar(v, s.type, 0, 1); break;
    case Operator::min: set_scalar(v, s.type, 0, limit(true)); break;
    case Operator::max: set_scalar(v, s.type, 0, limit(false)); break;
    case Operator::own: set_scalar(v, s.type, 0, std::strtold(s.identity.c_str(), nullptr)); break;
  }
  return v;
}

std::vector<std::byte> packed(std::span<const Value> values, std::size_t width) {
  std::vector<std::byte> bytes(values.size() * width);
  for (std::size_t i = 0; i < values.size(); ++i)
    std::memcpy(bytes.data() + i * width, values[i].data(), width);
  return bytes;
}

std::vector<Value> unpacked(std::span<const std::byte> bytes, std::size_t width) {
  std::vector<Value> values(bytes.size() / width);
  for (std::size_t i = 0; i < values.size(); ++i)
    std::memcpy(values[i].data(), bytes.data() + i * width, width);
  return values;
}

std::string exact_text(const Value& v, const Settings& s, Cells cells) {
  const Printed as(s, cells);
  return contents_text(v, as, [&](long double x) { return exact_number(x, as.type); });
}
std::string exact_text(const Value& v, const Settings& s) { return exact_text(v, s, Cells::elements); }

std::string short_text(const Value& v, const Settings& s, Cells cells, int room) {
  const Printed as(s, cells);
  std::string text = exact_text(v, s, cells);
  for (int digits = 17; digits > 0 && text.size() > static_cast<std::size_t>(room); --digits)
    text = contents_text(v, as, [&](long double x) { return rounded_number(x, as.type, digits); });
  return text;
}
std::string short_text(const Value& v, const Settings& s, int room) {
  return short_text(v, s, Cells::elements, room);
}

}  // namespace upsweep
