// Writes files so that each file appears complete or not at all. Reads files up to a maximum size.
#pragma once
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace upsweep {

// Throws WorkError if write_file() certainly cannot write this file, for example because the folder is
// missing or the disk is full. Call this function before long work whose result is written to the file.
void expect_writable(const std::string& path);

// Writes `bytes` to a new file in the same folder, and then replaces the old file by the new file. The new
// file gets the permissions of the old file. Throws WorkError if no user has permission to write the old
// file.
//
// If `path` is a link, writes the file to which the link leads, even if this file does not exist yet. Pipes
// and devices are written directly. If writing fails, throws WorkError, and the old file is unchanged.
void write_file(const std::string& path, std::string_view bytes);

// Removes the incomplete file that write_file() is writing, if there is one. A signal handler that ends the
// program may call this function.
void remove_incomplete_file();

// Writes a file if no file has this name; otherwise returns false and writes nothing. If writing fails,
// throws WorkError and leaves no file.
bool write_new_file(const std::string& path, std::string_view bytes);

using OpenFile = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
// Opens a file to read it. Throws RequestError if the file cannot be opened, or if a pipe or a device sends
// no byte for 3 seconds.
OpenFile open_to_read(const std::string& path);

// Returns the contents of a text file. Leaves out a byte order mark at the beginning of the file.
//
// Throws RequestError if the file cannot be read or has more than `most` bytes. Also throws RequestError if
// the file contains a byte that no text file contains, such as a zero byte.
std::string read_text_file(const std::string& path, std::size_t most);

}  // namespace upsweep
