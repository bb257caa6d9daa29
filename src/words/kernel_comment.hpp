// Extracts the parts of a kernel file's opening comment that people read. The catalogue extracts the other
// parts.
#pragma once
#include <string>
#include <string_view>

namespace upsweep {

struct KernelComment {
  std::string title, idea, watch, source;  // a part is empty if the comment does not have it
};

KernelComment read_comment(std::string_view kernel_text);

}  // namespace upsweep
