// What the opening comment of a kernel file tells its readers. The catalogue reads the same comment for what
// it tells the program.
#pragma once
#include <string>
#include <string_view>

namespace upsweep {

struct KernelComment {
  std::string title, idea, watch, source;  // empty if the text has none
};

KernelComment read_comment(std::string_view kernel_text);

}  // namespace upsweep
