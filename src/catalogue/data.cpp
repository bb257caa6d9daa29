#include "catalogue/data.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "base/error.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

template <class N>
constexpr Scalar scalar_of = std::is_same_v<N, std::int32_t>    ? Scalar::int32
                             : std::is_same_v<N, std::uint32_t> ? Scalar::uint32
                             : std::is_same_v<N, float>         ? Scalar::float32
                                                                : Scalar::float64;

Value element(const Settings& s, double a, double b = 0) {
  Value v{};
  set_scalar(v, s.type, 0, a);
  if (s.op == Operator::affine) set_scalar(v, s.type, 1, b);
  return v;
}

// One element out of a random source: small enough to read from the last row. Factors of real numbers halve
// and double such that `level`, the product so far, stays near 1: no run of any length leaves the type's
// range. Integers wrap.
Value random_element(const Settings& s, std::mt19937_64& random, double& level) {
  // Not std::uniform_int_distribution: a seed must give the same data with every standard library.
  const auto below = [&](unsigned n) { return static_cast<double>(random() % n); };
  if (s.op != Operator::product && s.op != Operator::affine) return element(s, below(10));
  const bool real = s.type == Scalar::float32 || s.type == Scalar::float64;
  double factor = 1 + below(3);
  if (real && factor == 3) factor = 0.5;
  if (real && level * factor > 16) factor = 0.5;
  if (real && level * factor < 1. / 16) factor = 2;
  level *= factor;
  return element(s, factor, s.op == Operator::affine ? below(10) : 0);
}

template <class N>
void read_scalar(Value& v, int k, const std::string& word, const std::string& place) {
  N x{};
  const char* begin = word.data() + (word.starts_with('+') ? 1 : 0);
  const auto [end, error] = std::from_chars(begin, word.data() + word.size(), x);
  if (error == std::errc::result_out_of_range)
    throw RequestError(fmt::format("{}: {} is out of {}'s range.", place, word, name(scalar_of<N>)));
  if (error != std::errc() || end != word.data() + word.size())
    throw RequestError(fmt::format("{}: \"{}\" is not {} number.", place, word.substr(0, 40),
                                   std::is_integral_v<N> ? "a whole" : "a"));
  if constexpr (std::is_floating_point_v<N>)
    if (!std::isfinite(x))
      throw RequestError(
          fmt::format("{}: {} cannot be scanned and checked; give finite numbers.", place, word));
  set_scalar(v, scalar_of<N>, k, static_cast<double>(x));
}

void read_scalar(Value& v, int k, const std::string& word, Scalar type, const std::string& place) {
  switch (type) {
    case Scalar::int32: return read_scalar<std::int32_t>(v, k, word, place);
    case Scalar::uint32: return read_scalar<std::uint32_t>(v, k, word, place);
    case Scalar::float32: return read_scalar<float>(v, k, word, place);
    case Scalar::float64: return read_scalar<double>(v, k, word, place);
  }
}

}  // namespace

std::vector<Value> seeded_data(const Settings& s, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Value> data;
  double level = 1;
  for (int i = 0; i < s.n; ++i) data.push_back(random_element(s, random, level));
  return data;
}

std::span<const Preset> presets() {
  static constexpr Preset all[] = {
      {"ones", "Every element is 1, so that a scan counts."},
      {"ramp", "1, 2, 3, ...: sums are the triangular numbers."},
      {"alternating", "1, 0, 1, 0, ...: partial sums show whose turn it is."},
      {"textbook", "3 1 7 0 4 1 6 3, over and over: the example of Blelloch and of GPU Gems 3."},
      {"sausage", "3 5 2 7 28 4 3 0 8 1, over and over: Hwu's hundred-inch sausage, cut by a scan."},
  };
  return all;
}

std::vector<Value> preset_data(const Settings& s, std::string_view name) {
  static constexpr int textbook[] = {3, 1, 7, 0, 4, 1, 6, 3};
  static constexpr int sausage[] = {3, 5, 2, 7, 28, 4, 3, 0, 8, 1};
  const auto number = [&](int i) -> double {
    if (name == "ones") return 1;
    if (name == "ramp") return i + 1;
    if (name == "alternating") return i % 2 == 0;
    if (name == "textbook") return textbook[i % std::size(textbook)];
    if (name == "sausage") return sausage[i % std::size(sausage)];
    throw RequestError(
        fmt::format("There is no preset \"{}\": give ones, ramp, alternating, textbook or sausage.", name));
  };
  std::vector<Value> data;
  for (int i = 0; i < s.n; ++i)
    data.push_back(s.op == Operator::affine ? element(s, 1, number(i)) : element(s, number(i)));
  return data;
}

std::vector<Value> parse_data(const std::string& text, const Settings& s, const std::string& where) {
  const int per_element = scalars_per_element(s.op);
  std::vector<Value> data;
  std::string word;
  int line = 1, k = 0;
  const auto finish_word = [&] {
    if (word.empty()) return;
    if (k == 0) data.emplace_back();
    read_scalar(data.back(), k, word, s.type, fmt::format("{}, line {}", where, line));
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
  if (data.empty()) throw RequestError(fmt::format("{} holds no numbers: give at least one.", where));
  if (k != 0)
    throw RequestError(fmt::format(
        "{} ends in the middle of an element: affine maps need two numbers each, a and b.", where));
  return data;
}

std::vector<Value> read_data(const std::string& path, const Settings& s) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path))
    throw RequestError(
        fmt::format("{} cannot be read: give a file of numbers that exists and is readable.", path));
  const std::string text(std::istreambuf_iterator<char>(file), {});
  return parse_data(text, s, path);
}

}  // namespace upsweep
