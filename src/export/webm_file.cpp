// Writes WebM files, which consist of nested elements. The ids of the elements come from RFC 9559 (Matroska)
// and from the WebM guidelines.
#include "export/webm_file.hpp"

#include <bit>
#include <cstddef>
#include <string_view>

namespace upsweep {
namespace {

// Returns the bytes of a number in big-endian order.
std::string number_bytes(std::uint64_t number, int bytes) {
  std::string text;
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) text += static_cast<char>(number >> shift);
  return text;
}

std::string id_bytes(std::uint32_t id) {
  return number_bytes(id, id > 0xffffff ? 4 : id > 0xffff ? 3 : id > 0xff ? 2 : 1);
}

// Returns an element: its id, its size in eight bytes, and its contents.
std::string element(std::uint32_t id, std::string_view contents) {
  return id_bytes(id) + number_bytes(contents.size() | std::uint64_t{1} << 56, 8) + std::string(contents);
}
// Returns an element that contains a whole number. The number has eight bytes, so that an element's size does
// not depend on the numbers in the element.
std::string whole(std::uint32_t id, std::uint64_t number) { return element(id, number_bytes(number, 8)); }

std::string header() {
  return element(0x1A45DFA3, whole(0x4286, 1) + whole(0x42F7, 1) + whole(0x42F2, 4) + whole(0x42F3, 8) +
                                 element(0x4282, "webm") + whole(0x4287, 4) + whole(0x4285, 2));
}

std::string information(std::int64_t milliseconds) {
  const std::string duration =
      number_bytes(std::bit_cast<std::uint64_t>(static_cast<double>(milliseconds)), 8);
  return element(0x1549A966, whole(0x2AD7B1, 1'000'000) + element(0x4489, duration) +
                                 element(0x4D80, "Upsweep") + element(0x5741, "Upsweep"));
}

std::string track(int width, int height) {
  // The colours of the video: BT.709, with the smaller range of numbers that television uses.
  const std::string colour =
      element(0x55B0, whole(0x55B1, 1) + whole(0x55B9, 1) + whole(0x55BA, 1) + whole(0x55BB, 1));
  const std::string video = element(0xE0, whole(0xB0, static_cast<std::uint64_t>(width)) +
                                              whole(0xBA, static_cast<std::uint64_t>(height)) + colour);
  return element(0x1654AE6B, element(0xAE, whole(0xD7, 1) + whole(0x73C5, 1) + whole(0x83, 1) +
                                               whole(0x9C, 0) + element(0x86, "V_VP9") + video));
}

// Returns a block: the number of the track, the time after the beginning of the cluster, the flags, and the
// packet.
std::string block(const VideoPacket& packet, std::int64_t cluster, bool is_simple) {
  return "\x81" + number_bytes(static_cast<std::uint64_t>(packet.begin - cluster), 2) +
         std::string(1, is_simple && packet.is_key ? '\x80' : '\0') + packet.bytes;
}

struct Cluster {
  std::string bytes;
  std::int64_t begin = 0;
  bool is_key = false;
};

// Divides the packets into clusters. A new cluster begins at each key packet. A new cluster also begins if
// the time in the cluster would not fit into 16 bits.
//
// The last block also states its duration. Other blocks end when the next block begins.
std::vector<Cluster> clusters_of(const std::vector<VideoPacket>& packets) {
  constexpr std::int64_t longest = 30'000;
  std::vector<Cluster> clusters;
  for (std::size_t i = 0; i < packets.size(); ++i) {
    const VideoPacket& p = packets[i];
    if (clusters.empty() || p.is_key || p.begin - clusters.back().begin > longest)
      clusters.push_back({whole(0xE7, static_cast<std::uint64_t>(p.begin)), p.begin, p.is_key});
    Cluster& c = clusters.back();
    if (i + 1 < packets.size()) {
      c.bytes += element(0xA3, block(p, c.begin, true));
      continue;
    }
    std::string group =
        element(0xA1, block(p, c.begin, false)) + whole(0x9B, static_cast<std::uint64_t>(p.end - p.begin));
    if (!p.is_key)
      group += element(0xFB, number_bytes(static_cast<std::uint64_t>(packets[i - 1].begin - p.begin), 8));
    c.bytes += element(0xA0, group);
  }
  return clusters;
}

// Returns the index with which a player finds the clusters. `at` is the position of the first cluster in
// bytes.
std::string cues(const std::vector<Cluster>& clusters, std::uint64_t at) {
  std::string points;
  for (const Cluster& c : clusters) {
    if (c.is_key)
      points += element(0xBB, whole(0xB3, static_cast<std::uint64_t>(c.begin)) +
                                  element(0xB7, whole(0xF7, 1) + whole(0xF1, at)));
    at += element(0x1F43B675, c.bytes).size();
  }
  return element(0x1C53BB6B, points);
}

std::string seek_head(std::uint64_t information, std::uint64_t track, std::uint64_t cues) {
  const auto entry = [](std::uint32_t id, std::uint64_t at) {
    return element(0x4DBB, element(0x53AB, id_bytes(id)) + whole(0x53AC, at));
  };
  return element(0x114D9B74,
                 entry(0x1549A966, information) + entry(0x1654AE6B, track) + entry(0x1C53BB6B, cues));
}

}  // namespace

std::string webm_file(int width, int height, const std::vector<VideoPacket>& packets) {
  const std::vector<Cluster> clusters = clusters_of(packets);
  const std::string info = information(packets.empty() ? 0 : packets.back().end),
                    video = track(width, height);
  const std::uint64_t at_info = seek_head(0, 0, 0).size(), at_video = at_info + info.size(),
                      at_cues = at_video + video.size(), at_clusters = at_cues + cues(clusters, 0).size();
  std::string segment = seek_head(at_info, at_video, at_cues) + info + video + cues(clusters, at_clusters);
  for (const Cluster& c : clusters) segment += element(0x1F43B675, c.bytes);
  return header() + element(0x18538067, segment);
}

}  // namespace upsweep
