// Saves the output of the shown recording as a CSV file.
#pragma once
#include <filesystem>
#include <string>

#include "trace/trace.hpp"

namespace upsweep {

// Writes the output (see output_csv()) into a folder. Chooses a new name, such as "upsweep-scan_blelloch.csv"
// and then "upsweep-scan_blelloch-2.csv". Returns a sentence that names the file. Throws WorkError if the
// file cannot be written.
std::string save_output(const Trace& trace, const std::filesystem::path& folder);

}  // namespace upsweep
