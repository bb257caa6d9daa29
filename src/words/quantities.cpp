#include "words/quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "words/names.hpp"

namespace upsweep {

std::string size_text(double n) {
  if (!std::isfinite(n) || std::abs(n) > 1e15) return fmt::format("{:.3g}", n);
  const std::int64_t whole = std::llround(n);
  constexpr const char* units[] = {"", " Ki", " Mi", " Gi", " Ti"};
  std::int64_t count = whole;
  int unit = 0;
  while (count != 0 && count % 1024 == 0 && unit < 4) count /= 1024, unit++;
  return grouped(count) + units[unit];
}

namespace {

// Reads a number in digits: "1048576", or "1,048,576" with commas between groups of three. Returns INT64_MAX
// for a number above INT64_MAX. Returns nullopt for any other text.
std::optional<std::int64_t> number_in(std::string_view text) {
  const std::size_t first_comma = std::min(text.find(','), text.size());
  const bool has_commas = first_comma < text.size();
  if (text.empty() ||
      (has_commas && (first_comma < 1 || first_comma > 3 || (text.size() - first_comma) % 4 != 0)))
    return {};
  std::int64_t number = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool comma_due = i >= first_comma && (i - first_comma) % 4 == 0;
    if (comma_due != (text[i] == ',')) return {};
    if (comma_due) continue;
    if (text[i] < '0' || text[i] > '9') return {};
    number = number > (INT64_MAX - 9) / 10 ? INT64_MAX : 10 * number + (text[i] - '0');
  }
  return number;
}

void drop_spaces(std::string_view& text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
}

}  // namespace

std::optional<std::int64_t> element_count(std::string_view text) {
  drop_spaces(text);
  if (text.starts_with("2^")) {
    const auto power = number_in(text.substr(2));
    if (!power) return {};
    return *power > 62 ? INT64_MAX : std::int64_t{1} << *power;
  }
  if (text.starts_with('-')) {
    const auto number = number_in(text.substr(1));
    if (!number) return {};
    return *number == INT64_MAX ? INT64_MIN : -*number;
  }
  if (const std::size_t e = text.find_first_of("eE"); e != text.npos) {
    const auto digits = number_in(text.substr(0, e)), zeros = number_in(text.substr(e + 1));
    if (!digits || !zeros) return {};
    std::int64_t number = *digits;
    for (std::int64_t k = std::min<std::int64_t>(*zeros, 19); k > 0; --k)
      number = number > INT64_MAX / 10 ? INT64_MAX : 10 * number;
    return number;
  }
  int shift = 0;
  for (const auto& [unit, bits] : {std::pair("Ki", 10), std::pair("Mi", 20), std::pair("Gi", 30)})
    if (text.ends_with(unit)) {
      shift = bits;
      text.remove_suffix(2);
      drop_spaces(text);
      break;
    }
  const auto number = number_in(text);
  if (!number) return {};
  return *number > INT64_MAX >> shift ? INT64_MAX : *number << shift;
}

std::string power_text(int n) {
  int exponent = 0;
  while (exponent < 30 && 1 << exponent < n) exponent++;
  return n > 1 && 1 << exponent == n ? fmt::format("2^{}", exponent) : grouped(n);
}

std::string figures_text(double value) {
  if (!std::isfinite(value)) return "–";
  const double size = std::abs(value);
  if (size >= 1e9 || (size > 0 && size < 1e-4)) return fmt::format("{:.3g}", value);
  if (size >= 999.5) return grouped(std::llround(value));
  if (size >= 99.95) return fmt::format("{:.0f}", value);
  if (size >= 9.995) return fmt::format("{:.1f}", value);
  if (size >= 0.9995 || size == 0) return fmt::format("{:.2f}", value);
  return fmt::format("{:.3g}", value);
}

std::string decimal_text(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (!std::isfinite(value) || std::abs(value) > 1e15) return text;
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  for (std::size_t at = point; at > first + 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string short_count(double value) {
  if (std::abs(value) < 999.5e3) return grouped(std::llround(value));
  return std::abs(value) < 999.5e6 ? figures_text(value / 1e6) + " M" : figures_text(value / 1e9) + " G";
}

std::string time_text(double seconds) {
  const double size = std::abs(seconds);
  if (size < 999.5e-9) return figures_text(seconds * 1e9) + " ns";
  if (size < 999.5e-6) return figures_text(seconds * 1e6) + " µs";
  if (size < 999.5e-3) return figures_text(seconds * 1e3) + " ms";
  return figures_text(seconds) + " s";
}

std::string bandwidth_text(double bytes_per_second) { return figures_text(bytes_per_second / 1e9) + " GB/s"; }

bool is_positive(double value) { return std::isfinite(value) && value > 0; }

}  // namespace upsweep
