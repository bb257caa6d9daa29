// Finds the command that was typed, and runs it.
#pragma once

namespace upsweep {

// Runs the command that the arguments name. If they name no command, opens the window. Throws RequestError
// with a sentence if the arguments make no sense. Errors that the command throws are not caught here.
void run_command_line(int argc, const char* const* argv);

}  // namespace upsweep
