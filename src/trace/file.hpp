// Writes and reads a recording as a file: NAME.upsweep.
//
// The file begins with a header of 32 bytes, little-endian. The header contains "\x89UPS\r\n\x1a\n", the
// format's major and minor version (16 bits each), and 4 bytes of zero. The last two fields of the header are
// the number of bytes after the header, and the number of bytes of memory that the recording takes (64 bits
// each).
//
// One zstd frame with a checksum follows the header. This frame holds a FlatBuffer, described in trace.fbs.
//
// Strings and launches are stored unchanged. Rows (events, lane data, values) are stored by column: one field
// of all rows together, often as differences from row to row. Each column is a separate zstd frame, so the
// whole recording is never in memory twice.
//
// An origin is stored as a distance: the number of events from the event that produced the value to the event
// that uses the value. Event::first is stored only if it cannot be computed from the events before.
//
// These sizes and times were measured on one slow core. Blelloch's scan of 1,024 numbers (825 events, 14,327
// lane entries) takes 26 KB in a file and 485 KB in memory; writing takes 4 ms, and reading takes 1 ms. A run
// of 978,000 events with 20 million entries takes 8.6 MB in a file and 687 MB in memory; writing takes 2 s,
// and reading takes 1.4 s. If the rows were stored one after another with the same compression, the files
// would take 33 KB and 18.4 MB.
//
// A file with a larger minor version may have fields that older programs skip. Older programs refuse a file
// with a larger major version.
#pragma once
#include <string>
#include <string_view>

#include "trace/trace.hpp"

namespace upsweep {

inline constexpr int format_major = 2, format_minor = 4;
inline constexpr std::string_view trace_extension = ".upsweep";

// Writes a file. An existing file is replaced only when the new file is complete. Throws WorkError if the
// trace contradicts itself (see contradiction()), or if the file cannot be written.
void write_trace(const std::string& path, const Trace& trace);

// Reads a trace. Throws RequestError if the file does not exist, is no recording, was made by a newer
// program, is truncated or damaged, would need more than half of this computer's memory, or contradicts
// itself.
Trace read_trace(const std::string& path);

// Returns a trace in the form of a file's bytes. Does not check whether the trace contradicts itself.
std::string pack(const Trace& trace);
// The reverse of pack(): returns the trace. `name` is the file's name for error messages. Throws as
// read_trace() does.
Trace unpack(std::string_view bytes, const std::string& name);

}  // namespace upsweep
