// From what was typed to the command that does it.
#pragma once

namespace upsweep {

// Runs the command that the arguments name; without any, the window. Throws RequestError with a sentence
// where they make no sense, and whatever the command throws.
void run_command_line(int argc, const char* const* argv);

}  // namespace upsweep
