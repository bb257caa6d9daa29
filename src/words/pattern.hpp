// Finds patterns in recorded indices. An example is 8t + 3 for the threads t that took part. In a block of
// two or three dimensions, an example is 32y + x + 3, where x and y are coordinates of threadIdx.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

// index = scale * t + offset, exactly, for every thread t that the pattern describes.
struct Pattern {
  long scale = 0, offset = 0;
  bool operator==(const Pattern&) const = default;
};

// Returns the pattern that all pairs (thread, index) follow. Returns nullopt if there is no such pattern. For
// a single pair, the pattern is a constant.
std::optional<Pattern> fit(const std::vector<int>& threads, const std::vector<int>& indices);

// Returns "8t+3", "t−4", "t" or "63".
std::string text(const Pattern& p);

// index = scale[0] * x + scale[1] * y + scale[2] * z + offset, for threads (x, y, z).
struct PlacePattern {
  std::array<long, 3> scale{};
  long offset = 0;
  bool operator==(const PlacePattern&) const = default;
};
std::optional<PlacePattern> fit(const Dim3& block, const std::vector<int>& threads,
                                const std::vector<int>& indices);
// Returns "32y+x+3".
std::string text(const PlacePattern& p);

// Returns whether the indices follow a pattern of the threads of a block with these extents.
bool follow_pattern(const Dim3& block, const std::vector<int>& threads, const std::vector<int>& indices);
// Returns indices as a pattern, such as "[8t+3]". If the indices follow no pattern, lists the indices: "[0,
// 2, 4 … 62]". `threads` belong to a block with the extents `block`.
//
// If `columns` is not 0, the data has this many columns: "[y+8][x]". If each thread accesses `parts`
// neighbouring elements, returns the first and the last: "[4t … 4t+3]".
std::string index_text(const Dim3& block, std::int64_t columns, const std::vector<int>& threads,
                       const std::vector<int>& indices, int parts = 1);
// Returns "[35]", or "[1][3]" for 32 columns.
std::string index_text(std::int64_t index, std::int64_t columns);

}  // namespace upsweep
