// Decodes animations with code that is independent of the program's encoders.
#pragma once
#include <gif_lib.h>
#ifdef UPSWEEP_READS_WEBM
#include <vpx/vp8dx.h>
#include <vpx/vpx_decoder.h>
#include <webm/buffer_reader.h>
#include <webm/callback.h>
#include <webm/webm_parser.h>
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "picture/picture.hpp"

namespace upsweep {

struct DecodedAnimation {
  int width = 0, height = 0;
  bool repeats = false;            // repeats forever
  std::vector<Picture> pictures;   // GIF: 3 channels (red, green, blue); WebM: 1 channel (luma)
  std::vector<double> begins;      // seconds
  double seconds = 0;              // the length of the whole animation
  int key_pictures = 0, cues = 0;  // only in WebM files
};

// Decodes a GIF. Throws std::runtime_error if the bytes are not a GIF.
inline DecodedAnimation decoded_gif(const std::string& bytes) {
  struct Source {
    const std::string& bytes;
    std::size_t at = 0;
  } source{bytes};
  int error = 0;
  GifFileType* gif = DGifOpen(
      &source,
      [](GifFileType* file, GifByteType* to, int count) {
        auto& s = *static_cast<Source*>(file->UserData);
        const std::size_t n = std::min(static_cast<std::size_t>(count), s.bytes.size() - s.at);
        std::memcpy(to, s.bytes.data() + s.at, n);
        s.at += n;
        return static_cast<int>(n);
      },
      &error);
  if (!gif || DGifSlurp(gif) != GIF_OK) throw std::runtime_error("no GIF");
  DecodedAnimation all;
  all.width = gif->SWidth;
  all.height = gif->SHeight;
  Picture screen = black_picture(gif->SHeight, gif->SWidth, 3);
  for (int i = 0; i < gif->ImageCount; ++i) {
    const SavedImage& image = gif->SavedImages[i];
    for (int k = 0; k < image.ExtensionBlockCount; ++k) {
      const ExtensionBlock& e = image.ExtensionBlocks[k];
      const std::string text(reinterpret_cast<const char*>(e.Bytes), static_cast<std::size_t>(e.ByteCount));
      if (e.Function == APPLICATION_EXT_FUNC_CODE && text == "NETSCAPE2.0")
        all.repeats = k + 1 < image.ExtensionBlockCount && image.ExtensionBlocks[k + 1].ByteCount == 3 &&
                      image.ExtensionBlocks[k + 1].Bytes[1] == 0 &&
                      image.ExtensionBlocks[k + 1].Bytes[2] == 0;
    }
    GraphicsControlBlock control{};
    DGifSavedExtensionToGCB(gif, i, &control);
    const ColorMapObject* map = image.ImageDesc.ColorMap ? image.ImageDesc.ColorMap : gif->SColorMap;
    const auto w = static_cast<std::size_t>(image.ImageDesc.Width);
    for (int y = 0; y < image.ImageDesc.Height; ++y)
      for (int x = 0; x < image.ImageDesc.Width; ++x) {
        const int number = image.RasterBits[static_cast<std::size_t>(y) * w + static_cast<std::size_t>(x)];
        if (number == control.TransparentColor) continue;
        if (number >= map->ColorCount) throw std::runtime_error("a colour that the palette does not have");
        const GifColorType c = map->Colors[number];
        const std::size_t at = screen.at(image.ImageDesc.Top + y, image.ImageDesc.Left + x);
        screen.values.at(at) = c.Red;
        screen.values.at(at + 1) = c.Green;
        screen.values.at(at + 2) = c.Blue;
      }
    all.pictures.push_back(screen);
    all.begins.push_back(all.seconds);
    all.seconds += control.DelayTime / 100.0;
  }
  DGifCloseFile(gif, &error);
  return all;
}

#ifdef UPSWEEP_READS_WEBM
// Decodes a WebM file with VP9. Throws std::runtime_error if the bytes are not such a file.
inline DecodedAnimation decoded_webm(const std::string& bytes) {
  class Frames : public webm::Callback {
   public:
    Frames() {
      if (vpx_codec_dec_init(&codec_, vpx_codec_vp9_dx(), nullptr, 0) != VPX_CODEC_OK)
        throw std::runtime_error("no decoder");
    }
    ~Frames() override { vpx_codec_destroy(&codec_); }
    webm::Status OnEbml(const webm::ElementMetadata&, const webm::Ebml& ebml) override {
      if (ebml.doc_type.value() != "webm") throw std::runtime_error("no WebM");
      return webm::Status(webm::Status::kOkCompleted);
    }
    webm::Status OnInfo(const webm::ElementMetadata&, const webm::Info& info) override {
      all.seconds = info.duration.value() * static_cast<double>(info.timecode_scale.value()) / 1e9;
      return webm::Status(webm::Status::kOkCompleted);
    }
    webm::Status OnTrackEntry(const webm::ElementMetadata&, const webm::TrackEntry& track) override {
      if (track.codec_id.value() != "V_VP9") throw std::runtime_error("no VP9");
      all.width = static_cast<int>(track.video.value().pixel_width.value());
      all.height = static_cast<int>(track.video.value().pixel_height.value());
      return webm::Status(webm::Status::kOkCompleted);
    }
    webm::Status OnSeek(const webm::ElementMetadata&, const webm::Seek& seek) override {
      seeks.push_back({static_cast<std::uint32_t>(seek.id.value()), seek.position.value()});
      return webm::Status(webm::Status::kOkCompleted);
    }
    webm::Status OnSegmentBegin(const webm::ElementMetadata& where, webm::Action* action) override {
      segment = where.position + where.header_size;
      *action = webm::Action::kRead;
      return webm::Status(webm::Status::kOkCompleted);
    }
    webm::Status OnCuePoint(const webm::ElementMetadata&, const webm::CuePoint& cue) override {
      cues.push_back(segment + cue.cue_track_positions.front().value().cluster_position.value());
      all.cues += 1;
      return webm::Status(webm::Status::kOkCompleted);
    }
    webm::Status OnClusterBegin(const webm::ElementMetadata& where, const webm::Cluster& cluster,
                                webm::Action* action) override {
      cluster_ = static_cast<std::int64_t>(cluster.timecode.value());
      clusters.push_back(where.position);
      *action = webm::Action::kRead;
      return webm::Status(webm::Status::kOkCompleted);
    }
    webm::Status OnSimpleBlockBegin(const webm::ElementMetadata&, const webm::SimpleBlock& block,
                                    webm::Action* action) override {
      all.begins.push_back(static_cast<double>(cluster_ + block.timecode) / 1000);
      all.key_pictures += block.is_key_frame;
      *action = webm::Action::kRead;
      return webm::Status(webm::Status::kOkCompleted);
    }
    webm::Status OnBlockBegin(const webm::ElementMetadata&, const webm::Block& block,
                              webm::Action* action) override {
      all.begins.push_back(static_cast<double>(cluster_ + block.timecode) / 1000);
      *action = webm::Action::kRead;
      return webm::Status(webm::Status::kOkCompleted);
    }
    webm::Status OnFrame(const webm::FrameMetadata&, webm::Reader* reader, std::uint64_t* left) override {
      std::vector<std::uint8_t> packet(*left);
      std::uint64_t read = 0;
      const webm::Status status = reader->Read(packet.size(), packet.data(), &read);
      *left -= read;
      if (*left > 0) throw std::runtime_error("a packet is cut off");
      if (vpx_codec_decode(&codec_, packet.data(), static_cast<unsigned>(packet.size()), nullptr, 0) !=
          VPX_CODEC_OK)
        throw std::runtime_error("a packet cannot be decoded");
      vpx_codec_iter_t next = nullptr;
      while (const vpx_image_t* image = vpx_codec_get_frame(&codec_, &next)) {
        Picture luma = black_picture(static_cast<int>(image->d_h), static_cast<int>(image->d_w), 1);
        for (int y = 0; y < luma.rows; ++y)
          std::copy_n(
              image->planes[VPX_PLANE_Y] + static_cast<std::ptrdiff_t>(y) * image->stride[VPX_PLANE_Y],
              luma.columns, luma.values.begin() + static_cast<std::ptrdiff_t>(luma.at(y, 0)));
        all.pictures.push_back(std::move(luma));
      }
      return status;
    }

    DecodedAnimation all;
    std::uint64_t segment = 0;
    std::vector<std::uint64_t> cues, clusters;  // positions in the file
    struct Place {
      std::uint32_t id;
      std::uint64_t at;
    };
    std::vector<Place> seeks;

   private:
    vpx_codec_ctx_t codec_{};
    std::int64_t cluster_ = 0;
  } frames;
  webm::BufferReader reader(std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
  webm::WebmParser parser;
  if (!parser.Feed(&frames, &reader).completed_ok()) throw std::runtime_error("no WebM");
  for (const std::uint64_t cue : frames.cues)
    if (std::ranges::find(frames.clusters, cue) == frames.clusters.end())
      throw std::runtime_error("a cue points at no cluster");
  for (const auto& [id, at] : frames.seeks)
    for (int k = 0; k < 4; ++k)
      if (static_cast<unsigned char>(bytes.at(frames.segment + at + static_cast<std::size_t>(k))) !=
          (id >> (24 - 8 * k) & 255))
        throw std::runtime_error("an entry of the seek head points at another element");
  return std::move(frames.all);
}
#endif

}  // namespace upsweep
