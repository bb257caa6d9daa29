// Writes to standard output. The program that reads the output (as in `upsweep trace | head`) may close the
// output at any time.
#pragma once
#include <string_view>

namespace upsweep {

// Thrown if the program that reads the output has closed the output, as in `upsweep trace ... | head -1`. No
// error message is needed.
struct ClosedOutput {};

// Writes a command's output or a part of it. Throws ClosedOutput, or WorkError if the output cannot be
// written.
void print(std::string_view text);

}  // namespace upsweep
