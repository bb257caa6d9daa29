#include "words/quantities.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

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

std::optional<std::int64_t> element_count(std::string_view text) {
  const auto is_space = [](char c) { return c == ' '; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  const bool is_power = text.starts_with("2^");
  if (is_power) text.remove_prefix(2);
  int shift = 0;
  constexpr std::string_view units[] = {"Ki", "Mi", "Gi"};
  for (int unit = 0; unit < 3 && !is_power; ++unit)
    if (text.ends_with(units[unit])) {
      shift = 10 * (unit + 1);
      text.remove_suffix(2);
      while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    }
  const bool is_negative = text.starts_with('-') && !is_power && shift == 0;
  if (is_negative) text.remove_prefix(1);
  // A comma must be followed by groups of three digits.
  const std::size_t comma = text.find(',');
  std::int64_t number = 0;
  bool is_too_large = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (comma != text.npos && i >= comma && (i - comma) % 4 == 0) {
      if (text[i] != ',' || i == 0 || i > 3 + 4 * ((i - comma) / 4)) return {};
      continue;
    }
    if (text[i] < '0' || text[i] > '9') return {};
    if (number > (INT64_MAX - 9) / 10) is_too_large = true;
    else number = 10 * number + (text[i] - '0');
  }
  if (text.empty() || (comma != text.npos && (text.size() - comma) % 4 != 0)) return {};
  if (is_negative) return is_too_large ? INT64_MIN : -number;
  if (is_power) return is_too_large || number > 62 ? INT64_MAX : std::int64_t{1} << number;
  return is_too_large || number > INT64_MAX >> shift ? INT64_MAX : number << shift;
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
