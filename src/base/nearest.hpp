// "Did you mean": the known name that is nearest to one a person typed.
#pragma once
#include <span>
#include <string_view>

namespace upsweep {

// By Levenshtein's distance; the first of equals. `names` must not be empty.
std::string_view nearest(std::string_view typed, std::span<const std::string_view> names);

}  // namespace upsweep
