#include "export/gif_palette.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace upsweep {
namespace {

using Channels = std::array<int, 3>;

Channels channels_of(std::uint32_t colour) {
  return {static_cast<int>(colour >> 16 & 255), static_cast<int>(colour >> 8 & 255),
          static_cast<int>(colour & 255)};
}

std::int64_t distance(const Channels& a, const Channels& b) {
  std::int64_t sum = 0;
  for (int k = 0; k < 3; ++k) sum += std::int64_t{a[k] - b[k]} * (a[k] - b[k]);
  return sum;
}

// A group of colours that share one colour of the palette.
struct Group {
  std::size_t begin = 0, end = 0;  // a range of MedianCut::order_
  int widest = 0;                  // the channel with the largest spread
  double spread = 0;  // the sum of the squared differences from the mean, in the channel `widest`
  Channels mean{};
};

// Divides colours into groups by median cut. Each group is a range of `order_`.
class MedianCut {
 public:
  explicit MedianCut(std::vector<ColourCount> colours) : colours_(std::move(colours)) {
    order_.resize(colours_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
  }

  // Divides the colours into at most `most` groups, and returns one colour for each group.
  std::vector<std::uint32_t> cut(std::size_t most) {
    if (colours_.empty() || most == 0) return {};
    std::vector<Group> groups = {measured(0, order_.size())};
    while (groups.size() < most) {
      const auto worst = std::ranges::max_element(groups, {}, &Group::spread);
      if (worst->spread <= 0) break;
      const std::size_t at = divide(*worst), end = worst->end;
      *worst = measured(worst->begin, at);
      groups.push_back(measured(at, end));
    }
    std::vector<std::uint32_t> palette;
    for (const Group& g : groups) palette.push_back(colour_of(g));
    return palette;
  }

 private:
  Group measured(std::size_t begin, std::size_t end) const {
    Group g{begin, end, 0, 0, {}};
    double pixels = 0;
    std::array<double, 3> sum{}, squares{};
    for (std::size_t i = begin; i < end; ++i) {
      const ColourCount& c = colours_[order_[i]];
      const Channels value = channels_of(c.colour);
      pixels += c.pixels;
      for (int k = 0; k < 3; ++k) {
        sum[k] += 1.0 * value[k] * c.pixels;
        squares[k] += 1.0 * value[k] * value[k] * c.pixels;
      }
    }
    for (int k = 0; k < 3; ++k) {
      g.mean[k] = static_cast<int>(sum[k] / pixels + 0.5);
      const double spread = squares[k] - sum[k] * sum[k] / pixels;
      if (end - begin > 1 && spread > g.spread) g.spread = spread, g.widest = k;
    }
    return g;
  }

  // Sorts the colours of a group by the group's widest channel, and returns the index at which the group is
  // divided. Colours up to the mean are before this index. Both parts have at least one colour.
  std::size_t divide(const Group& g) {
    const auto value = [&](std::size_t i) { return channels_of(colours_[i].colour)[g.widest]; };
    const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(g.begin),
               end = order_.begin() + static_cast<std::ptrdiff_t>(g.end);
    std::sort(begin, end, [&](std::size_t a, std::size_t b) { return value(a) < value(b); });
    const auto at =
        std::partition_point(begin, end, [&](std::size_t i) { return value(i) <= g.mean[g.widest]; });
    return std::clamp(static_cast<std::size_t>(at - order_.begin()), g.begin + 1, g.end - 1);
  }

  // Returns the group's most frequent colour if more than half of the pixels have this colour. Otherwise,
  // returns the mean colour.
  std::uint32_t colour_of(const Group& g) const {
    std::uint64_t pixels = 0;
    ColourCount most;
    for (std::size_t i = g.begin; i < g.end; ++i) {
      const ColourCount& c = colours_[order_[i]];
      pixels += c.pixels;
      if (c.pixels > most.pixels) most = c;
    }
    if (2 * std::uint64_t{most.pixels} > pixels) return most.colour;
    return static_cast<std::uint32_t>(g.mean[0]) << 16 | static_cast<std::uint32_t>(g.mean[1]) << 8 |
           static_cast<std::uint32_t>(g.mean[2]);
  }

  const std::vector<ColourCount> colours_;
  std::vector<std::size_t> order_;
};

}  // namespace

SmallPalette palette_of(std::span<const ColourCount> colours, int most) {
  const auto room = static_cast<std::size_t>(most);
  SmallPalette palette;
  palette.nearest.resize(colours.size());
  if (colours.size() <= room) {
    for (std::size_t i = 0; i < colours.size(); ++i) {
      palette.colours.push_back(colours[i].colour);
      palette.nearest[i] = static_cast<std::uint8_t>(i);
    }
    return palette;
  }
  // Half of the palette is for frequent colours, such as the colours of areas and of texts.
  std::vector<ColourCount> rest(colours.begin(), colours.end());
  const auto exact = static_cast<std::ptrdiff_t>(room / 2);
  std::partial_sort(rest.begin(), rest.begin() + exact, rest.end(),
                    [](const ColourCount& a, const ColourCount& b) {
                      return a.pixels != b.pixels ? a.pixels > b.pixels : a.colour < b.colour;
                    });
  for (std::ptrdiff_t i = 0; i < exact; ++i)
    palette.colours.push_back(rest[static_cast<std::size_t>(i)].colour);
  rest.erase(rest.begin(), rest.begin() + exact);
  for (const std::uint32_t c : MedianCut(std::move(rest)).cut(room - palette.colours.size()))
    palette.colours.push_back(c);

  std::vector<Channels> known;
  for (const std::uint32_t c : palette.colours) known.push_back(channels_of(c));
  for (std::size_t i = 0; i < colours.size(); ++i) {
    const Channels wanted = channels_of(colours[i].colour);
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t k = 0; k < known.size(); ++k)
      if (const std::int64_t d = distance(known[k], wanted); d < least) {
        least = d;
        palette.nearest[i] = static_cast<std::uint8_t>(k);
      }
  }
  return palette;
}

ColourTable::ColourTable() : slots_(1 << 12) {}

std::uint32_t ColourTable::find(std::uint32_t colour) const {
  const auto mask = static_cast<std::uint32_t>(slots_.size() - 1);
  std::uint32_t slot = (colour * 2654435761u >> 8) & mask;
  while (slots_[slot] > 0 && colours_[slots_[slot] - 1].colour != colour) slot = (slot + 1) & mask;
  return slot;
}

void ColourTable::grow() {
  slots_.assign(slots_.size() * 2, 0);
  for (std::size_t i = 0; i < colours_.size(); ++i)
    slots_[find(colours_[i].colour)] = static_cast<std::uint32_t>(i + 1);
}

std::uint32_t ColourTable::add(std::uint32_t colour) {
  if (last_ < colours_.size() && colours_[last_].colour == colour) {
    ++colours_[last_].pixels;
    return last_;
  }
  std::uint32_t slot = find(colour);
  if (slots_[slot] == 0) {
    if (2 * colours_.size() >= slots_.size()) {
      grow();
      slot = find(colour);
    }
    colours_.push_back({colour, 0});
    slots_[slot] = static_cast<std::uint32_t>(colours_.size());
  }
  last_ = slots_[slot] - 1;
  ++colours_[last_].pixels;
  return last_;
}

}  // namespace upsweep
