// Writes the command line that records the shown run again.
#pragma once
#include <string>

#include "study/request.hpp"

namespace upsweep {

// Returns the beginning of the command-line option that sets a choice: "--layout " or "--variant fold=".
std::string command_line_option(const std::string& choice);

// Returns a word in the form that a shell needs: in quotes if necessary.
std::string shell_word(const std::string& word);

// Returns the arguments of a command that records the run of a state (see Session::state()): "scan_blelloch
// --n 64 --block 32 ...". Throws RequestError if the numbers of the run were typed in the window, because no
// command can contain these numbers.
std::string run_arguments(const Request& state);

// Returns the changes of a comparison as options: " --compare layout=pad32". Throws RequestError in the same
// case as run_arguments().
std::string compare_arguments(const Request& change);

}  // namespace upsweep
