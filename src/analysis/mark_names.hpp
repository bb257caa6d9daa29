// Reads the names of marks from a kernel's text. A mark is a number that says the state of a tile.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace upsweep {

// Returns a map from each mark to its name. The names come from constants in the kernel's text. For example,
// "const unsigned sum_known = 1, prefix_known = 2;" gives mark 1 the name "sum" and mark 2 the name "prefix".
std::map<std::uint32_t, std::string> mark_names(std::string_view text);

}  // namespace upsweep
