// The names of marks in a kernel's text.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace upsweep {

// Returns the names of the constants of a kernel: "const unsigned sum_known = 1, prefix_known = 2;" names the
// marks "sum" and "prefix".
std::map<std::uint32_t, std::string> mark_names(std::string_view text);

}  // namespace upsweep
