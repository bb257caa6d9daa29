// "Did you mean": the known name that is nearest to one a person typed.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace upsweep {

// By Levenshtein's distance, the first of equals; empty if more than half of what was typed would have to
// change.
std::string_view nearest(std::string_view typed, std::span<const std::string_view> names);
// The last words of a sentence: " (did you mean list?)", where anything is near, with `before` in front of
// it.
std::string guess(std::string_view typed, std::span<const std::string_view> names,
                  std::string_view before = "");

}  // namespace upsweep
