// Standard output. The program that reads it may close it at any time.
#pragma once
#include <string_view>

namespace upsweep {

// Thrown if the reading program has closed the output (`upsweep trace ... | head -1`). No message is needed.
struct ClosedOutput {};

// Writes a command's whole output. Throws ClosedOutput, or WorkError if the output cannot be written.
void print(std::string_view text);

}  // namespace upsweep
