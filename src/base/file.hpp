// Writes files. A file appears complete or not at all.
#pragma once
#include <string>
#include <string_view>

namespace upsweep {

// Writes a new file beside the old one, and replaces the old one when the new one is complete. Pipes and
// devices are written directly. If that fails, throws WorkError and leaves the old file as it was.
void write_file(const std::string& path, std::string_view bytes);

// Writes a file if none of this name exists; otherwise returns false and writes nothing. If it cannot be
// written, throws WorkError and leaves no file.
bool write_new_file(const std::string& path, std::string_view bytes);

}  // namespace upsweep
