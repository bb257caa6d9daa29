// The sentences for people in the opening comment of a kernel file. The catalogue reads the same comment's
// fields for the program.
#pragma once
#include <string>
#include <string_view>

namespace upsweep {

struct KernelComment {
  std::string title, idea, watch, source;  // empty if the text has none
};

KernelComment read_comment(std::string_view kernel_text);

}  // namespace upsweep
