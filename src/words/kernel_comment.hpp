// The sentences in a kernel file's opening comment that are for people. The catalogue reads the fields of the
// same comment that are for the program.
#pragma once
#include <string>
#include <string_view>

namespace upsweep {

struct KernelComment {
  std::string title, idea, watch, source;  // empty if the text has none
};

KernelComment read_comment(std::string_view kernel_text);

}  // namespace upsweep
