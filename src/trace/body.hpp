// The part of a trace file after its header: a compressed FlatBuffer (trace.fbs).
#pragma once
#include <span>
#include <string>

#include "base/message.hpp"
#include "trace/column.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// The limits for how much memory and how many steps a body may claim, by the number of its packed bytes.
// Without them, a small damaged file could take all memory and hours, because many zeros are packed into a
// few bytes.
constexpr std::uint64_t most_memory_in(std::uint64_t packed) { return (32u << 20) + 64 * packed; }  // bytes
constexpr std::uint64_t most_steps_in(std::uint64_t packed) { return (128u << 10) + packed / 8; }

struct Body {
  Bytes bytes;
  std::uint64_t memory = 0;  // how many bytes of memory the unpacked rows take
};

// Packs a trace. If the body would be too short for the limits above, it is lengthened until it is long
// enough.
Body pack_body(const Trace& trace);
// Reads a body of any format up to the current one; `format` is its major version. Throws RequestError if the
// body is damaged, or if its rows would take more than `memory` bytes. `name` is the file's name for error
// messages. Does not check whether the trace contradicts itself.
Trace unpack_body(std::span<const std::uint8_t> bytes, int format, std::uint64_t memory,
                  const std::string& name);

// Throws RequestError: "the recording `name` ..." and the clause `why`.
[[noreturn]] void refuse(const std::string& name, const Message& why);

}  // namespace upsweep
