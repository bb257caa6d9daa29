// Unpacks the bodies of recording files, and packs changed bodies with correct checksums.
#pragma once
#include <cstring>
#include <string>
#include <string_view>

#include "trace/body.hpp"

namespace upsweep {

inline constexpr std::size_t header_bytes = 32, version_at = 8, packed_at = 16, unpacked_at = 24;

// Returns the unpacked body of a file.
inline std::string body_of(std::string_view bytes) {
  const auto* frame = reinterpret_cast<const std::uint8_t*>(bytes.data()) + header_bytes;
  const std::span<const std::uint8_t> packed(frame, bytes.size() - header_bytes);
  Bytes body(static_cast<std::size_t>(size_of_content(packed)));
  if (!decompress(packed, body)) throw std::runtime_error("the body of a file cannot be unpacked");
  return {body.begin(), body.end()};
}

// Returns the file with another body. Adds `more_memory` to the unpacked size that the header states.
inline std::string with_body(std::string bytes, const std::string& body, std::uint64_t more_memory = 0) {
  const Bytes packed = compressed({reinterpret_cast<const std::uint8_t*>(body.data()), body.size()});
  bytes.resize(header_bytes);
  const std::uint64_t size = packed.size();
  std::memcpy(bytes.data() + packed_at, &size, 8);
  std::uint64_t memory = 0;
  std::memcpy(&memory, bytes.data() + unpacked_at, 8);
  memory += more_memory;
  std::memcpy(bytes.data() + unpacked_at, &memory, 8);
  bytes.append(packed.begin(), packed.end());
  return bytes;
}

}  // namespace upsweep
