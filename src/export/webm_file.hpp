// Puts the packets of one video track into a WebM file.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace upsweep {

struct VideoPacket {
  std::string bytes;
  std::int64_t begin = 0, end = 0;  // milliseconds
  bool is_key = false;              // a player can begin with this packet
};

// Returns a WebM file with VP9 packets, in the order of their times. The first packet must be a key packet.
std::string webm_file(int width, int height, const std::vector<VideoPacket>& packets);

}  // namespace upsweep
