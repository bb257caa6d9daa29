// The part of a trace file after its header: a compressed FlatBuffer (trace.fbs).
#pragma once
#include <span>
#include <string>

#include "base/message.hpp"
#include "trace/column.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// The limits of what a packed body may claim. Without them, a small file could take all memory and hours: a
// long run of zeros is packed into a few bytes.
constexpr std::uint64_t most_memory_in(std::uint64_t packed) { return (32u << 20) + 64 * packed; }  // bytes
constexpr std::uint64_t most_steps_in(std::uint64_t packed) { return (128u << 10) + packed / 8; }

struct Body {
  Bytes bytes;
  std::uint64_t memory = 0;  // bytes that unpacking takes
};

// The body of a regular trace, which would be packed into too few bytes, is lengthened until it keeps the
// limits.
Body pack_body(const Trace& trace);
// Reads a body of any format up to the current one; `format` is its major version. Its rows take at most this
// many bytes of memory. Throws RequestError if the body is damaged; `name` is the file's name for errors. The
// contents of the trace are not checked.
Trace unpack_body(std::span<const std::uint8_t> bytes, int format, std::uint64_t memory,
                  const std::string& name);

// Throws RequestError: "the recording `name` ..." and a clause.
[[noreturn]] void refuse(const std::string& name, const Message& why);

}  // namespace upsweep
