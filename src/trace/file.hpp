// A recording as a file: NAME.upsweep.
//
// A header of 32 bytes, little-endian: "\x89UPS\r\n\x1a\n", the format's major and minor version (16 bits
// each), 4 bytes of zero, the number of bytes that follow, and the bytes of memory that the recording takes
// (64 bits each). After the header comes one zstd frame with a checksum; it holds a FlatBuffer, described in
// trace.fbs. Strings and launches are stored unchanged. Rows (events, lane data, values) are stored by
// column, one field of all rows together, as differences from row to row, byte by byte. Each column has its
// own zstd frame, so that the whole is never in memory twice. An origin is stored as the number of events
// back. The first entry of an event is stored only if it does not follow from the events before.
//
// Measured on one slow core: Blelloch's scan of 1,024 numbers (825 events, 14,327 lane entries) takes 26 KB
// in a file and 485 KB in memory, 4 ms to write and 1 ms to read. A run of 978,000 events with 20 million
// entries takes 8.6 MB and 687 MB, 2 s and 1.4 s. Stored by row with the same compression, the files have 33
// KB and 18.4 MB.
//
// A larger minor version has fields that older programs skip. Older programs refuse a larger major version.
#pragma once
#include <string>
#include <string_view>

#include "trace/trace.hpp"

namespace upsweep {

inline constexpr int format_major = 2, format_minor = 1;
inline constexpr std::string_view trace_extension = ".upsweep";

// Writes a complete file or none: an existing file is replaced only by a complete new one. Throws WorkError
// if the trace contradicts itself (see contradiction()), or if the file cannot be written.
void write_trace(const std::string& path, const Trace& trace);

// Reads a trace. Throws RequestError with a sentence if the file does not exist, is no recording, was made by
// a newer program, is truncated or damaged, would need more than half of this computer's memory, or
// contradicts itself.
Trace read_trace(const std::string& path);

// Returns the bytes of a file, without checking the contents of the trace.
std::string pack(const Trace& trace);
// Returns the trace in the bytes of a file; `name` is the file's name for errors. Throws as read_trace()
// does.
Trace unpack(std::string_view bytes, const std::string& name);

}  // namespace upsweep
