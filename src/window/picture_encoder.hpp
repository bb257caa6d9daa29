// Converts scenes into the bytes of picture files. The formats are PNG, SVG, PDF, GIF and WebM.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "picture/picture.hpp"
#include "scene/scene.hpp"

namespace upsweep {

// The format of the picture files.
struct PicturePaper {
  std::string ending = ".png";  // the ending of file names: ".png", ".svg", ".pdf", ".gif" or ".webm"
  int width = 0, height = 0;    // the size of all pictures in pixels
  float scale = 1;              // pixels per logical pixel
  double speed = 2;             // pictures per second of an animation
};

// The limits of `speed` for animations. Browsers slow down a GIF that is faster than fastest_animation.
inline constexpr double slowest_animation = 0.1, fastest_animation = 50;

// Returns true for the endings of animations: ".gif" and ".webm".
bool is_animation(std::string_view ending);
// Throws RequestError if an animation with this size or speed is impossible, and WorkError if this program
// was built without the format. Call this function before long work.
void expect_possible(const PicturePaper& paper);

// Writes each picture into a PNG or SVG file, or writes all pictures into one PDF or one animation.
class PictureEncoder {
 public:
  // `count` is the number of pictures. An animation shows its last picture three times as long as other
  // pictures.
  PictureEncoder(PicturePaper paper, int count);
  ~PictureEncoder();
  bool is_one_file() const { return paper_.ending != ".png" && paper_.ending != ".svg"; }
  // Returns the bytes of the picture's file. If one file contains all pictures, returns an empty text.
  //
  // Uses a new OpenGL context for formats that store pixels. This context is current in the thread until the
  // encoder is destroyed.
  std::string add(const Scene& scene);
  // Adds a picture that was already drawn. Requires a format that stores pixels.
  std::string add(const Picture& picture);
  // Returns the bytes of the file that contains all pictures.
  std::string finish();
  // Returns sentences about missing fonts. Each sentence occurs once.
  const std::vector<std::string>& notices() const { return notices_; }

 private:
  struct Parts;
  PicturePaper paper_;
  int left_;  // the number of pictures that were not added yet
  std::unique_ptr<Parts> parts_;
  std::vector<std::string> notices_;
};

}  // namespace upsweep
