// Files that appear whole or not at all.
#pragma once
#include <string>
#include <string_view>

namespace upsweep {

// Writes a file beside its place and moves it there when it is whole; pipes and devices are written as they
// are. Throws WorkError if that fails, and leaves what was there before.
void write_file(const std::string& path, std::string_view bytes);

// Writes a file that is not there yet; false, and nothing is written, if something of that name is. Throws
// WorkError if it cannot be written, and leaves nothing then.
bool write_new_file(const std::string& path, std::string_view bytes);

}  // namespace upsweep
