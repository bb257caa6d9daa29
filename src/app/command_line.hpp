// Finds the command that was typed, and runs it.
#pragma once

namespace upsweep {

// Runs the command that the arguments name. Without arguments, opens the window. Throws RequestError with a
// sentence if the arguments make no sense, and passes on everything that the command throws.
void run_command_line(int argc, const char* const* argv);

}  // namespace upsweep
