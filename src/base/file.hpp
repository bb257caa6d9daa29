// Writes files, so that a file appears complete or not at all, and reads files of bounded size.
#pragma once
#include <string>
#include <string_view>

namespace upsweep {

// Throws WorkError if it is already certain that write_file() cannot write this file: its folder is missing,
// a folder has its name, or it is write-protected. Long work calls this first.
void expect_writable(const std::string& path);

// Writes a new file beside the old one, and replaces the old one when the new one is complete. The new file
// has the permissions of the old one. A file without any permission to write is not replaced. A link stays,
// and its target is written, even if the target does not exist yet. Pipes and devices are written directly.
// If writing fails, throws WorkError and leaves the old file as it was.
void write_file(const std::string& path, std::string_view bytes);

// Writes a file if no file has this name; otherwise returns false and writes nothing. If writing fails,
// throws WorkError and leaves no file.
bool write_new_file(const std::string& path, std::string_view bytes);

// Reads a text file. Throws RequestError if the file cannot be read, or if it has more than `most` bytes. A
// byte order mark at its beginning is left out.
std::string read_text_file(const std::string& path, std::size_t most);

}  // namespace upsweep
