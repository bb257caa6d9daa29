// Writes the packets of one video track into a WebM file.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace upsweep {

struct VideoPacket {
  std::string bytes;
  std::int64_t begin = 0, end = 0;  // the times in milliseconds
  bool is_key = false;              // true if a player can begin with this packet
};

// Returns the bytes of a WebM file with VP9 packets. Requires that the packets are sorted by time, and that
// the first packet is a key packet.
std::string webm_file(int width, int height, const std::vector<VideoPacket>& packets);

}  // namespace upsweep
