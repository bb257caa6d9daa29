// Declares the Chinese texts. scripts/texts.py writes these texts into a source file during the build.
#pragma once
#include <span>
#include <string_view>

namespace upsweep {

// Both texts end with a zero byte. For a noun that follows a number, `english` is "count\4" and then the
// English singular.
struct Translation {
  std::string_view english, chinese;
};
std::span<const Translation> translations();

}  // namespace upsweep
