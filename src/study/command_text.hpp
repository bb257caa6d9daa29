// The command line that records the shown run again.
#pragma once
#include <string>

#include "study/request.hpp"

namespace upsweep {

// Returns the text that precedes an option of a choice on the command line: "--layout " or "--variant fold=".
std::string command_line_option(const std::string& choice);

// Returns a word as a shell reads it: in quotes if necessary.
std::string shell_word(const std::string& word);

// Returns the run of a state (see Session::state()) as arguments of a command: "scan_blelloch --n 64 --block
// 32 ...". Throws RequestError if the run has no command, because its numbers were typed in the window.
std::string run_arguments(const Request& state);

// Returns the changes of a comparison as options: " --compare layout=pad32". Throws as run_arguments() does.
std::string compare_arguments(const Request& change);

}  // namespace upsweep
