// Writes the files in which programs keep a user's data.
#pragma once
#include <optional>
#include <string>

namespace upsweep {

// Returns the path of a file in the folder where this user's programs keep data: $XDG_DATA_HOME/upsweep or
// ~/.local/share/upsweep. Returns an empty path if the user has no such folder.
std::string own_file(const std::string& name);
// Writes a file, and makes its folder if necessary. Throws WorkError if the file cannot be written.
void write_own_file(const std::string& path, const std::string& text);
// Gives a damaged file another name, so that a new file does not overwrite the damaged file. Returns the new
// name, or nullopt if the file cannot be renamed.
std::optional<std::string> set_aside(const std::string& path);

}  // namespace upsweep
