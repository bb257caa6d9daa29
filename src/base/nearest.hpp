// "Did you mean": finds the known name that is nearest to a typed name.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace upsweep {

// Returns the nearest name by Levenshtein's distance, the first if several are equal. It is empty if more
// than half of the typed name would have to change.
std::string_view nearest(std::string_view typed, std::span<const std::string_view> names);
// Returns the end of a sentence: `before` and " (did you mean list?)", or nothing if no name is near.
std::string guess(std::string_view typed, std::span<const std::string_view> names,
                  std::string_view before = "");

}  // namespace upsweep
