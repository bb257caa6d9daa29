// "Did you mean": the known name that is nearest to one a person typed.
#pragma once
#include <span>
#include <string_view>

namespace upsweep {

// By Levenshtein's distance, the first of equals; empty if more than half of what was typed would have to
// change.
std::string_view nearest(std::string_view typed, std::span<const std::string_view> names);

}  // namespace upsweep
