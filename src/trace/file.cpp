#include "trace/file.hpp"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/messages.hpp"
#include "trace/body.hpp"
#include "trace/consistency.hpp"

static_assert(std::endian::native == std::endian::little, "columns are copied as they lie in memory");

namespace upsweep {
namespace {

struct Header {
  std::uint8_t magic[8];
  std::uint16_t major, minor;
  std::uint32_t zero;
  std::uint64_t packed;    // the number of bytes after the header
  std::uint64_t unpacked;  // the bytes of memory that the recording takes
};
static_assert(sizeof(Header) == 32);
constexpr std::uint8_t magic[8] = {0x89, 'U',  'P',  'S',
                                   '\r', '\n', 0x1a, '\n'};  // copying a file as text changes these bytes

// Returns half of this computer's memory, in bytes.
std::uint64_t largest_recording() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) / 2;
}

// Reads a file's header. Throws RequestError if the file is no recording, has a newer format, or claims an
// impossible size.
Header header_of(std::string_view bytes, const std::string& name) {
  if (bytes.empty()) refuse(name, say::is_empty());
  Header h{};
  std::memcpy(&h, bytes.data(), std::min(bytes.size(), sizeof h));
  if (std::memcmp(h.magic, magic, std::min(bytes.size(), sizeof magic)) != 0)
    throw RequestError(say::no_recording(name));
  if (bytes.size() < sizeof h) refuse(name, say::header_cut_off(sizeof h, bytes.size()));
  if (h.major > format_major) refuse(name, say::newer_format(h.major, format_major));
  if (h.major == 0) refuse(name, say::format_zero());
  if (h.unpacked > largest_recording()) refuse(name, say::takes_too_much_memory(h.unpacked >> 20));
  if (h.unpacked > most_memory_in(h.packed)) refuse(name, say::claims_too_much(h.unpacked >> 20, h.packed));
  if (h.packed > h.unpacked + h.unpacked / 128 + 1024) refuse(name, say::longer_than_it_holds());
  return h;
}

}  // namespace

std::string pack(const Trace& trace) {
  const Body body = pack_body(trace);
  Header h{{}, format_major, format_minor, 0, body.bytes.size(), body.memory};
  std::memcpy(h.magic, magic, sizeof magic);
  std::string bytes(sizeof h + body.bytes.size(), '\0');
  std::memcpy(bytes.data(), &h, sizeof h);
  std::memcpy(bytes.data() + sizeof h, body.bytes.data(), body.bytes.size());
  return bytes;
}

Trace unpack(std::string_view bytes, const std::string& name) {
  const Header h = header_of(bytes, name);
  const std::uint64_t held = bytes.size() - sizeof h;
  if (held < h.packed) refuse(name, say::cut_off(h.packed, h.packed - held));
  if (held > h.packed) refuse(name, say::goes_on_behind_end());
  const auto* body = reinterpret_cast<const std::uint8_t*>(bytes.data()) + sizeof h;
  Trace trace = unpack_body({body, held}, h.major, h.unpacked, name);
  if (const Message why = contradiction(trace)) refuse(name, say::contradicts_itself(why));
  return trace;
}

void write_trace(const std::string& path, const Trace& trace) {
  if (const Message why = contradiction(trace)) throw WorkError(say::contradictory_trace(path, why));
  write_file(path, pack(trace));
}

Trace read_trace(const std::string& path) {
  const OpenFile file = open_to_read(path);
  std::string bytes;
  const auto read = [&](std::size_t most) {
    const std::size_t before = bytes.size();
    bytes.resize(before + most);
    bytes.resize(before + std::fread(bytes.data() + before, 1, most, file.get()));
    if (std::ferror(file.get())) refuse(path, say::cannot_be_read(std::strerror(errno)));
    return bytes.size() == before + most;
  };
  read(sizeof(Header));
  const Header h = header_of(bytes, path);
  // The file is read in pieces, because the length in the header may be wrong.
  constexpr std::size_t piece = 1 << 20;
  while (bytes.size() - sizeof h <= h.packed && read(piece)) {}
  return unpack(bytes, path);
}

}  // namespace upsweep
