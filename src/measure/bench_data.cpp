#include "measure/bench_data.hpp"

#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

#include "catalogue/predicate.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

constexpr std::size_t half_of_numbers = 512;
constexpr int most_candidates = 1 << 14;

// Returns the numbers that a formula contains.
std::vector<long double> numbers_in(const std::string& formula) {
  std::vector<long double> found;
  for (const char* at = formula.c_str(); *at != '\0';) {
    char* end = nullptr;
    const bool begins = (*at >= '0' && *at <= '9') || *at == '.';
    const long double number = begins ? std::strtold(at, &end) : 0;
    if (begins && end != at) found.push_back(number);
    at = begins && end != at ? end : at + 1;
  }
  return found;
}

}  // namespace

Filling filling_of(const Result& result) {
  return result == Result::selection    ? Filling::halves
         : result == Result::sorting    ? Filling::keys
         : result == Result::recurrence ? Filling::maps
                                        : Filling::digits;
}

SelectionData selection_data(const Settings& s) {
  const Predicate keep = predicate_of(s);
  const std::vector<long double> special = numbers_in(keep.text());
  std::mt19937_64 bits(1);
  // Returns a number between -size and size, or for uint32 between 0 and 2 size.
  const auto between = [&](long double size) {
    const long double x = size * (static_cast<long double>(bits() >> 11) * 0x1p-52L - 1);
    return s.type == Scalar::uint32 ? x + size : x;
  };
  const auto candidate = [&](int i) -> long double {
    if (i % 4 == 0 && !special.empty())
      return special[bits() % special.size()] + static_cast<long double>(bits() % 3) - 1;
    const long double x = between(i % 4 == 1 ? 1000 : 8);
    return i % 4 == 3 ? x : std::round(x);
  };
  std::vector<Value> kept, dropped;
  for (int i = 0; i < most_candidates && std::min(kept.size(), dropped.size()) < half_of_numbers; ++i) {
    const long double number = candidate(i);
    if (s.type == Scalar::uint32 && number < 0) continue;
    Value x{};
    set_scalar(x, s.type, 0, number);
    std::vector<Value>& group = keep(s.type, x) ? kept : dropped;
    if (group.size() < half_of_numbers) group.push_back(x);
  }
  SelectionData data;
  for (std::size_t i = 0; i < 2 * half_of_numbers; ++i) {
    const std::vector<Value>& group = dropped.empty() || (i % 2 == 0 && !kept.empty()) ? kept : dropped;
    data.numbers.push_back(group[i / 2 % group.size()]);
  }
  data.kept = kept.empty() ? 0 : dropped.empty() ? 1 : 0.5;
  return data;
}

}  // namespace upsweep
