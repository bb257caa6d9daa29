#include "scene/charts/chart_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "words/names.hpp"

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

std::vector<Tick> linear_ticks(const Axis& axis, float pitch) {
  const double dp = std::abs(axis.end - axis.begin) / (axis.high - axis.low);  // the length of one unit in dp
  if (!(dp > 0) || !std::isfinite(dp)) return {};
  double step = std::pow(10, std::floor(std::log10(pitch / dp)));
  for (const double longer : {1., 2., 5., 10.})
    if (step * longer * dp >= pitch) {
      step *= longer;
      break;
    }
  std::vector<Tick> ticks;
  const double first = std::ceil(axis.low / step), last = std::floor(axis.high / step);
  if (!(last - first < 1e4)) return {};  // 10,000 or more ticks would touch each other
  for (double i = first; i <= last; ++i) {
    const double value = i * step + 0.0;  // adding 0.0 turns -0 into 0
    ticks.push_back({value, std::abs(value) >= 1000 && std::abs(value) < 1e9 && value == std::round(value)
                                ? grouped(std::llround(value))
                                : fmt::format("{:.6g}", value)});
  }
  return ticks;
}

std::vector<float> spread_out(const std::vector<float>& wanted, float pitch, float top, float bottom) {
  // The offset of row i is y − i × pitch. The rows are at least `pitch` apart if no row has a smaller offset
  // than the previous row. If a row would have a smaller offset, this row and the previous row join one pool.
  // All rows of a pool get the same offset: the mean of the wanted offsets.
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
