// Index patterns that recorded numbers follow: 8t + 3 for the threads that were there.
#pragma once
#include <optional>
#include <string>
#include <vector>

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

// The pattern's text, or else "a to b, …": the indices as they were.
std::string index_text(const std::vector<int>& threads, const std::vector<int>& indices);

}  // namespace upsweep
