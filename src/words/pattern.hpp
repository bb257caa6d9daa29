// Index patterns that recorded numbers follow: 8t + 3 for the threads that were there; in a block of two or
// three dimensions 32y + x + 3, of threadIdx.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

// index = scale * t + offset, exactly, for every thread it was fitted to.
struct Pattern {
  long scale = 0, offset = 0;
  bool operator==(const Pattern&) const = default;
};

// The pattern that all (thread, index) pairs follow, or nothing. One pair alone is a constant.
std::optional<Pattern> fit(const std::vector<int>& threads, const std::vector<int>& indices);

// "8t+3", "t−4", "t", "63".
std::string text(const Pattern& p);

// index = scale[0] * x + scale[1] * y + scale[2] * z + offset, for threads (x, y, z).
struct PlacePattern {
  std::array<long, 3> scale{};
  long offset = 0;
  bool operator==(const PlacePattern&) const = default;
};
std::optional<PlacePattern> fit(const Dim3& block, const std::vector<int>& threads,
                                const std::vector<int>& indices);
// "32y+x+3".
std::string text(const PlacePattern& p);

// "[8t+3]", or the indices as they were: "[0, 2, 4 … 62]". Of data with so many columns, if they are not 0,
// "[y+8][x]". `threads` are of a block of these extents.
std::string index_text(const Dim3& block, std::int64_t columns, const std::vector<int>& threads,
                       const std::vector<int>& indices);
// "[35]"; of 32 columns "[1][3]".
std::string index_text(std::int64_t index, std::int64_t columns);

}  // namespace upsweep
