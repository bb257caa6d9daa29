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
