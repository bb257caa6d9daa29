#include "catalogue/data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/grouped.hpp"
#include "base/half.hpp"
#include "base/language.hpp"
#include "base/utf8.hpp"
#include "catalogue/make_elements.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

template <class N>
constexpr Scalar scalar_of = std::is_same_v<N, std::int32_t>    ? Scalar::int32
                             : std::is_same_v<N, std::uint32_t> ? Scalar::uint32
                             : std::is_same_v<N, std::int64_t>  ? Scalar::int64
                             : std::is_same_v<N, Half>          ? Scalar::float16
                             : std::is_same_v<N, float>         ? Scalar::float32
                                                                : Scalar::float64;

Value element(const Settings& s, long double a, long double b = 0) {
  Value v{};
  set_scalar(v, s.type, 0, a);
  if (s.op == Operator::affine) set_scalar(v, s.type, 1, b);
  return v;
}

// A random number generator. The distributions of the standard library are not used, because a seed must
// produce the same data with every standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}
  std::uint64_t bits() { return bits_(); }
  double below(unsigned n) { return static_cast<double>(bits_() % n); }
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(bits_() >> 11) * 0x1p-53;
  }

 private:
  std::mt19937_64 bits_;
};

// For products of real numbers, returns how many elements of a long array are random factors, on average. All
// other elements are 1. With so few factors, the partial products of every kernel almost certainly stay
// within the type's range.
int most_factors(const Settings& s) { return s.type == Scalar::float16 ? 16 : 1024; }

// Returns a random digit. Float16 can represent every whole number only up to 2,048, so the digits of a
// float16 array add up to at most about 2,048. In longer arrays the digits are smaller, and in very long
// arrays most digits are 0.
double digit(const Settings& s, Random& random) {
  if (s.type != Scalar::float16 || s.op == Operator::min || s.op == Operator::max) return random.below(10);
  const int n = s.op == Operator::affine ? std::min(s.n, 1 << 26) * 16 : s.n;  // factors make sums larger
  constexpr int sum = 4096;
  if (n > sum && random.below(static_cast<unsigned>(n)) >= sum) return 0;
  return random.below(static_cast<unsigned>(std::clamp(sum / n, 2, 10)));
}

// Returns a small random element, because small results are easy to read. `level` is the product of the
// factors so far. The factors of real numbers keep `level` between 1/16 and 16.
Value random_element(const Settings& s, Random& random, double& level) {
  if (s.op != Operator::product && s.op != Operator::affine) return element(s, digit(s, random));
  const bool real = is_real(s.type);
  double factor = 1 + random.below(3);
  if (real && factor == 3) factor = 0.5;
  if (const int most = most_factors(s);
      real && s.n > most && random.below(static_cast<unsigned>(s.n)) >= most)
    factor = 1;
  if (real && level * factor > 16) factor = 0.5;
  if (real && level * factor < 1. / 16) factor = 2;
  level *= factor;
  return element(s, factor, s.op == Operator::affine ? digit(s, random) : 0);
}

// Returns the number that is nearest to x among the numbers of the settings' type.
double rounded(const Settings& s, double x) {
  return s.type == Scalar::float16   ? static_cast<double>(Half(x))
         : s.type == Scalar::float32 ? static_cast<double>(static_cast<float>(x))
                                     : x;
}

// Returns a small whole number, because sums of such numbers are exact.
//
// For products and maps, the factor is 1 or -1. While `twos` is above 0, some factors are also doubled or
// halved. Each of these factors reduces `twos` by one.
Value exact_element(const Settings& s, Random& random, int& twos) {
  const bool half = s.type == Scalar::float16;
  const int sum = half                        ? (s.op == Operator::affine ? 1 << 7 : 1 << 10)
                  : s.type == Scalar::float32 ? 1 << 20
                                              : 1 << 30;
  const int largest = std::clamp(sum / s.n, 1, 1000);
  double whole = random.below(static_cast<unsigned>(2 * largest + 1)) - largest;
  if (half && s.n > sum && random.below(static_cast<unsigned>(s.n)) >= static_cast<unsigned>(sum)) whole = 0;
  if (s.op != Operator::product && s.op != Operator::affine) return element(s, whole);
  double factor = random.below(2) == 0 ? 1 : -1;
  if (random.below(static_cast<unsigned>(std::max(1, s.n / 8))) == 0 && twos > 0) {
    factor *= random.below(2) == 0 ? 2 : 0.5;
    --twos;
  }
  return element(s, factor, s.op == Operator::affine ? whole : 0);
}

Value rounding_element(const Settings& s, Random& random) {
  const auto anything = [&] { return rounded(s, random.between(-2, 2)); };
  if (s.op != Operator::product && s.op != Operator::affine) return element(s, anything());
  const double spread = std::min(
      1., (s.type == Scalar::float16 ? 12. : 100.) / s.n);  // keeps every product of the factors in range
  const double factor = std::exp2(random.between(-spread, spread)) * (random.below(2) == 0 ? 1 : -1);
  return element(s, rounded(s, factor), s.op == Operator::affine ? anything() : 0);
}

// Returns the range of a type as text, such as "0 to 4,294,967,295".
template <class N>
std::string range_text() {
  using Limits = std::numeric_limits<N>;
  if constexpr (std::is_integral_v<N>) return tr("{} to {}", grouped(Limits::min()), grouped(Limits::max()));
  else return tr("-{0:.5g} to {0:.5g}", static_cast<double>(Limits::max()));
}

bool has_negative_exponent(std::string_view number) {
  const std::size_t e = number.find_first_of("eE");
  return e != number.npos && number.substr(e + 1).starts_with('-');
}

// Reads a number that is too close to 0 for its type, and rounds the number. Returns false if the word is any
// other text.
template <class N>
bool read_tiny(std::string_view word, N& x) {
  if constexpr (std::is_integral_v<N>) return false;
  // A short number with a negative exponent is out of long double's range only because it is too close to 0.
  constexpr std::size_t few_digits = 1000;
  long double wide = 0;
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), wide);
  if (error == std::errc::result_out_of_range && word.size() < few_digits && has_negative_exponent(word)) {
    wide = word.starts_with('-') ? -0.0L : 0.0L;
    error = {};
  }
  if (error != std::errc() || end != word.data() + word.size() || std::abs(wide) > 1) return false;
  x = static_cast<N>(wide);
  return true;
}

template <class N>
void read_scalar(Value& v, int k, const std::string& word, const std::string& place, bool any_number) {
  // A uint32 is read as a signed number. So for -1, the error says that -1 is outside the range of uint32.
  // With an unsigned number, the error would say that -1 is not a number.
  std::conditional_t<std::is_same_v<N, Half>, double,
                     std::conditional_t<std::is_unsigned_v<N>, std::int64_t, N>>
      x{};
  const std::string_view number = std::string_view(word).substr(word.starts_with('+') ? 1 : 0);
  const std::string_view beginning = first_characters(word, 40);
  const std::string shown = std::string(beginning) + (beginning.size() < word.size() ? "…" : "");
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), x);
  const bool is_whole_word = end == number.data() + number.size();
  bool is_outside = error == std::errc::result_out_of_range && !read_tiny(number, x);
  if constexpr (std::is_integral_v<N>) is_outside = is_outside || !std::in_range<N>(x);
  else is_outside = is_outside || (std::isfinite(x) && !std::isfinite(static_cast<N>(x)));
  if (is_whole_word && is_outside)
    throw RequestError(tr("{}: {} is outside the range of {}: give numbers from {}.", place, shown,
                          name(scalar_of<N>), range_text<N>()));
  if (!is_whole_word || error == std::errc::invalid_argument)
    throw RequestError(tr("{}: \"{}\" is not {}.", place, shown,
                          std::is_integral_v<N> ? tr("a whole number in digits, such as 12")
                                                : tr("a number, such as 12 or 0.5")));
  if (!any_number && !std::isfinite(x))
    throw RequestError(tr("{}: {} is not finite; give finite numbers.", place, word));
  set_scalar(v, scalar_of<N>, k, x);
}

void read_scalar(Value& v, int k, const std::string& word, Scalar type, const std::string& place,
                 bool any_number) {
  switch (type) {
    case Scalar::int32: return read_scalar<std::int32_t>(v, k, word, place, any_number);
    case Scalar::uint32: return read_scalar<std::uint32_t>(v, k, word, place, any_number);
    case Scalar::int64: return read_scalar<std::int64_t>(v, k, word, place, any_number);
    case Scalar::float16: return read_scalar<Half>(v, k, word, place, any_number);
    case Scalar::float32: return read_scalar<float>(v, k, word, place, any_number);
    case Scalar::float64: return read_scalar<double>(v, k, word, place, any_number);
  }
}

// Returns whether the algorithm of the settings accepts infinities and NaN. An algorithm outside the
// catalogue does not accept them.
bool takes_any_number(const Settings& s) {
  const auto all = algorithms();
  const auto a =
      std::find_if(all.begin(), all.end(), [&](const Algorithm& x) { return x.name == s.algorithm; });
  return a != all.end() && !a->results.empty() && a->results[0]->any_number;
}

// Returns NaN, an infinity, a zero, 2^-24 (the smallest float16 above 0) or 1, each with a random sign. Most
// of these numbers are difficult cases for a sort.
long double special_number(Random& random) {
  using Limits = std::numeric_limits<double>;
  static constexpr double all[] = {Limits::quiet_NaN(), Limits::infinity(), 0, 0x1p-24, 1};
  return std::copysign(all[random.bits() % std::size(all)], random.below(2) - 0.5);
}

}  // namespace

std::vector<Value> seeded_data(const Settings& s, std::uint64_t seed, Job* job) {
  Random random(seed);
  double level = 1;
  return make_elements(input_size(s), job, [&](int) { return random_element(s, random, level); });
}

std::vector<Value> random_data(const Settings& s, std::uint64_t seed) {
  if (s.op == Operator::own) return seeded_data(s, seed);
  Random random(seed);
  std::vector<Value> data(static_cast<std::size_t>(input_size(s)));
  const bool exact = seed % 2 == 0, specials = takes_any_number(s);
  int twos = s.op != Operator::product ? 2 : s.type == Scalar::float16 ? 3 : 48;
  for (Value& v : data) {
    if (is_real(s.type)) {
      v = specials && random.below(8) == 0 ? element(s, special_number(random))
          : exact                          ? exact_element(s, random, twos)
                                           : rounding_element(s, random);
    } else {
      const auto words = static_cast<std::size_t>(element_bytes(s) / 4);
      for (std::size_t w = 0; w < words; ++w) v[w] = static_cast<std::uint32_t>(random.bits());
      if (s.op == Operator::product || s.op == Operator::affine) v[0] |= 1;
      if (pixels_are_bytes(s)) v = {v[0] & 0xff};
    }
  }
  return data;
}

std::vector<Value> parse_data(const std::string& text, const Settings& s, const std::string& where) {
  const int per_element = scalars_per_element(s.op);
  const bool any_number = takes_any_number(s);
  std::vector<Value> data;
  std::string word;
  int line = 1, k = 0;
  const auto finish_word = [&] {
    if (word.empty()) return;
    if (k == 0) data.emplace_back();
    read_scalar(data.back(), k, word, s.type, tr("{}, line {}", where, line), any_number);
    k = (k + 1) % per_element;
    word.clear();
  };
  for (const char c : text) {
    if (c == ' ' || c == ',' || c == ';' || c == '\t' || c == '\r' || c == '\n') {
      finish_word();
      line += c == '\n';
    } else {
      word += c;
    }
  }
  finish_word();
  if (data.empty()) throw RequestError(tr("{} contains no numbers: give at least one number.", where));
  if (k != 0)
    throw RequestError(
        tr("{} ends in the middle of an element: each affine map needs two numbers, a and b.", where));
  return data;
}

std::vector<Value> read_data(const std::string& path, const Settings& s) {
  constexpr std::size_t most_bytes = 512 << 20;
  return parse_data(read_text_file(path, most_bytes), s, path);
}

}  // namespace upsweep
