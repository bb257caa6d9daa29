// What lies behind a trace file's header: a FlatBuffer (trace.fbs), compressed.
#pragma once
#include <span>
#include <string>

#include "base/message.hpp"
#include "trace/column.hpp"
#include "trace/trace.hpp"

namespace upsweep {

struct Body {
  Bytes bytes;
  std::uint64_t memory = 0;  // bytes that unpacking takes
};

Body pack_body(const Trace& trace);
// Reads a body of any format up to ours: `format` is its major version. Takes at most so much memory, in
// bytes. Throws RequestError where the body is damaged; `name` is the file's in errors. Of what the trace
// says nothing is verified.
Trace unpack_body(std::span<const std::uint8_t> bytes, int format, std::uint64_t memory,
                  const std::string& name);

// Throws RequestError: the recording `name` ... and then a clause.
[[noreturn]] void refuse(const std::string& name, const Message& why);

}  // namespace upsweep
