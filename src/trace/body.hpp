// The part of a trace file after its header: a compressed FlatBuffer (trace.fbs).
#pragma once
#include <span>
#include <string>

#include "base/message.hpp"
#include "trace/column.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// The limits for the memory and the steps that a packed body claims. Without them, a small file could take
// all memory and hours, because a long run of zeros is packed into a few bytes.
constexpr std::uint64_t most_memory_in(std::uint64_t packed) { return (32u << 20) + 64 * packed; }  // bytes
constexpr std::uint64_t most_steps_in(std::uint64_t packed) { return (128u << 10) + packed / 8; }

struct Body {
  Bytes bytes;
  std::uint64_t memory = 0;  // bytes that unpacking takes
};

// Packs a trace. If the body of a regular trace would be too short for the limits above, it is lengthened
// until it keeps them.
Body pack_body(const Trace& trace);
// Reads a body of any format up to the current one; `format` is its major version. Its rows take at most
// `memory` bytes. Throws RequestError if the body is damaged; `name` is the file's name for errors. The
// contents of the trace are not checked.
Trace unpack_body(std::span<const std::uint8_t> bytes, int format, std::uint64_t memory,
                  const std::string& name);

// Throws RequestError: "the recording `name` ..." and the clause `why`.
[[noreturn]] void refuse(const std::string& name, const Message& why);

}  // namespace upsweep
