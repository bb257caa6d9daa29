// Indexes a sequence of numbers. In logarithmic time, the index finds the greatest element of a range, or the
// next element that meets a condition such as "at least 5". The caller stores the sequence: key(i) returns
// element i.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace upsweep {

class Peaks {
 public:
  Peaks() = default;
  template <class Key>
  Peaks(std::size_t count, Key key) : count_(count) {
    for (std::size_t below = count; below > 1 || tops_.empty(); below = tops_.back().size()) {
      std::vector<std::uint32_t> tops;
      tops.reserve(below / fan + 1);
      for (std::size_t first = 0; first < below; first += fan) {
        std::uint32_t best = top(tops_.size(), first);
        for (std::size_t i = first + 1; i < below && i < first + fan; ++i)
          if (const std::uint32_t other = top(tops_.size(), i); key(best) < key(other)) best = other;
        tops.push_back(best);
      }
      tops_.push_back(std::move(tops));
    }
  }

  // Returns the index of the greatest element in [begin, end). Among equal elements, returns the first.
  // Requires begin < end, and the same `key` as in the constructor.
  template <class Key>
  std::size_t first_greatest(std::size_t begin, std::size_t end, Key key) const {
    std::size_t best = begin;
    for (std::size_t i = begin; i < end;) {
      std::size_t level = 0;
      while (level < tops_.size() && i % size(level + 1) == 0 && i + size(level + 1) <= end) ++level;
      if (const std::size_t other = top(level, i / size(level)); key(best) < key(other)) best = other;
      i += size(level);
    }
    return best;
  }

  // Returns the smallest i >= begin for which fits(i) is true, or the number of elements if no i fits. If
  // fits() is true for an element, fits() must also be true for every element with a greater value.
  template <class Fits>
  std::size_t first_from(std::size_t begin, Fits fits) const {
    for (std::size_t i = begin; i < count_;) {
      std::size_t level = 0;
      while (level < tops_.size() && i % size(level + 1) == 0) ++level;
      while (level > 0 && fits(top(level, i / size(level)))) --level;
      if (level == 0 && fits(i)) return i;
      i += size(level);
    }
    return count_;
  }

 private:
  static constexpr std::size_t fan = 4;
  static std::size_t size(std::size_t level) { return std::size_t{1} << (2 * level); }
  // Returns the index of the greatest element in a group. At level 0 a group is one element. At each higher
  // level a group joins neighbouring groups of the level below.
  std::uint32_t top(std::size_t level, std::size_t group) const {
    return level == 0 ? static_cast<std::uint32_t>(group) : tops_[level - 1][group];
  }

  std::size_t count_ = 0;
  std::vector<std::vector<std::uint32_t>> tops_;  // tops_[level - 1][group], see top()
};

}  // namespace upsweep
