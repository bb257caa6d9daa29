// Standard output, where a reader may go away at any time.
#pragma once
#include <string_view>

namespace upsweep {

// Thrown where the reader of the output has closed it (`upsweep trace ... | head -1`). Nothing is left to
// say.
struct ClosedOutput {};

// Writes a command's whole output. Throws ClosedOutput, or WorkError where the output cannot be written.
void print(std::string_view text);

}  // namespace upsweep
