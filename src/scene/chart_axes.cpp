#include "scene/chart_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scene/names.hpp"

namespace upsweep {

float Axis::at(double value) const {
  const double share = logarithmic ? std::log(std::max(value, low) / low) / std::log(high / low)
                                   : (value - low) / (high - low);
  return begin + static_cast<float>(std::clamp(share, 0.0, 1.0)) * (end - begin);
}

void Axis::widen(double value, double least, double most) {
  if (!is_positive(value)) return;
  value = std::clamp(value, least, most);
  if (value < low) low = std::pow(10, std::floor(std::log10(value)));
  if (value > high) high = std::pow(10, std::ceil(std::log10(value)));
}

std::vector<Tick> decade_ticks(const Axis& axis, double unit, float pitch) {
  const int first = static_cast<int>(std::ceil(std::log10(axis.low) - 1e-9)),
            last = static_cast<int>(std::floor(std::log10(axis.high) + 1e-9));
  const double decade = std::abs(axis.end - axis.begin) / std::log10(axis.high / axis.low);
  const int every = std::max(1, static_cast<int>(std::ceil(pitch / std::max(decade, 1e-3))));
  std::vector<Tick> ticks;
  for (int e = first; e <= last; e += every) {
    const double value = std::pow(10, e), shown = value / unit;
    ticks.push_back(
        {value, shown >= 1000 && shown < 1e7 ? grouped(std::llround(shown)) : fmt::format("{:.6g}", shown)});
  }
  return ticks;
}

std::vector<Tick> size_ticks(const Axis& axis, float pitch) {
  const int first = static_cast<int>(std::ceil(std::log2(axis.low) - 1e-9)),
            last = static_cast<int>(std::floor(std::log2(axis.high) + 1e-9));
  const double octave = std::abs(axis.end - axis.begin) / std::log2(axis.high / axis.low);
  int every = 20;
  for (const int e : {10, 5, 2, 1})
    if (e * octave >= pitch) every = e;
  std::vector<Tick> ticks;
  for (int e = (first + every - 1) / every * every; e <= last; e += every)
    ticks.push_back({std::exp2(e), size_text(std::exp2(e))});
  return ticks;
}

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

std::vector<float> spread_out(const std::vector<float>& wanted, float pitch, float top, float bottom) {
  // Without their pitches, rows must only not descend: neighbours that would are pooled at their mean.
  struct Pool {
    float sum;
    int count;
    float mean() const { return sum / static_cast<float>(count); }
  };
  std::vector<Pool> pools;
  for (std::size_t i = 0; i < wanted.size(); i++) {
    pools.push_back({wanted[i] - pitch * static_cast<float>(i), 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back() = {pools.back().sum + last.sum, pools.back().count + last.count};
    }
  }
  const float lowest =
      std::max(top, bottom - pitch * static_cast<float>(std::max<std::size_t>(1, wanted.size()) - 1));
  std::vector<float> places;
  for (const Pool& pool : pools)
    for (int i = 0; i < pool.count; i++)
      places.push_back(std::clamp(pool.mean(), top, lowest) + pitch * static_cast<float>(places.size()));
  return places;
}

bool Places::is_free(Box box) const {
  return std::none_of(taken_.begin(), taken_.end(), [&](const Box& b) {
    return box.x < b.x + b.w && b.x < box.x + box.w && box.y < b.y + b.h && b.y < box.y + box.h;
  });
}

void Places::take_texts(const Scene& scene) {
  for (const Shape& shape : scene.shapes)
    if (const auto* text = std::get_if<TextShape>(&shape.what)) take(extent_of(*text));
}

}  // namespace upsweep
