// Packs and unpacks the body of a trace file. The body is the part after the header: a compressed FlatBuffer
// (trace.fbs).
#pragma once
#include <span>
#include <string>

#include "base/message.hpp"
#include "trace/column.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// The largest memory and the largest number of steps that are allowed for a body of `packed` bytes. Very many
// zeros take only a few packed bytes. Without these limits, a small damaged file with many zeros could use up
// all memory, or keep the program busy for hours.
constexpr std::uint64_t most_memory_in(std::uint64_t packed) { return (32u << 20) + 64 * packed; }  // bytes
constexpr std::uint64_t most_steps_in(std::uint64_t packed) { return (128u << 10) + packed / 8; }

struct Body {
  Bytes bytes;
  // The bytes of memory that reading needs, for the unpacked FlatBuffer and the rows.
  std::uint64_t memory = 0;
};

// Packs a trace. If the trace needs more memory or steps than most_memory_in() and most_steps_in() allow for
// the length of the body, makes the body longer.
Body pack_body(const Trace& trace);
// Reads a body of the current format or of an older format; `format` is the format's major version. Throws
// RequestError if the body is damaged, or if reading the body would need more than `memory` bytes. `name` is
// the file's name for error messages. Does not check whether the trace contradicts itself.
Trace unpack_body(std::span<const std::uint8_t> bytes, int format, std::uint64_t memory,
                  const std::string& name);

// Throws a RequestError. Its message begins with "the recording `name`" and ends with the clause `why`.
[[noreturn]] void refuse(const std::string& name, const Message& why);

}  // namespace upsweep
