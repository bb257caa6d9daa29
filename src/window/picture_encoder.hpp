// Turns scenes into the bytes of picture files, in every format: PNG, SVG, PDF, GIF and WebM.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "picture/picture.hpp"
#include "scene/scene.hpp"

namespace upsweep {

// How pictures become files.
struct PicturePaper {
  std::string ending = ".png";  // of the file's name: ".png", ".svg", ".pdf", ".gif" or ".webm"
  int width = 0, height = 0;    // pixels; all pictures have this size
  float scale = 1;              // pixels per dp
  double speed = 2;             // pictures per second of an animation
};

// The speeds of animations. A faster GIF would be slowed down by browsers.
inline constexpr double slowest_animation = 0.1, fastest_animation = 50;

// Returns whether the ending is that of an animation: ".gif" or ".webm".
bool is_animation(std::string_view ending);
// Throws RequestError if an animation cannot have this size or speed, and WorkError if this program was built
// without its format. Call this before long work.
void expect_possible(const PicturePaper& paper);

// Each picture becomes a PNG or SVG file, or all pictures become one PDF or one animation.
class PictureEncoder {
 public:
  // `count` is the number of pictures. An animation's last picture stays three times as long as the others.
  PictureEncoder(PicturePaper paper, int count);
  ~PictureEncoder();
  bool is_one_file() const { return paper_.ending != ".png" && paper_.ending != ".svg"; }
  // Returns the picture's file, or an empty text if one file contains all pictures. Draws pixels in its own
  // OpenGL context, which is current in this thread until the encoder is destroyed.
  std::string add(const Scene& scene);
  // Does the same for a picture that was drawn already. Requires that the format stores pixels.
  std::string add(const Picture& picture);
  // Returns the file that contains all pictures.
  std::string finish();
  // Returns sentences about missing fonts, each once.
  const std::vector<std::string>& notices() const { return notices_; }

 private:
  struct Parts;
  PicturePaper paper_;
  int left_;  // pictures that are still to come
  std::unique_ptr<Parts> parts_;
  std::vector<std::string> notices_;
};

}  // namespace upsweep
