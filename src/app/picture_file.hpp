// Writes pictures to the files that the user has named.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "app/picture_options.hpp"
#include "scene/charts/charts.hpp"
#include "scene/scene.hpp"
#include "window/picture_encoder.hpp"

namespace upsweep {

inline constexpr std::string_view picture_formats[] = {".png", ".svg", ".pdf"};
inline constexpr std::string_view formats_of_steps[] = {".png", ".svg", ".pdf", ".gif", ".webm"};

struct PictureFile {
  std::string path;
  std::string_view format;  // the ending of the path, such as ".png"
  Size size{1280, 720};     // pixels
  float scale = 1;
  ThemeChoice theme{.dark = false};
  double speed = 2;  // steps per second of an animation
};

// Returns the ending of the path. Throws RequestError if the path is empty, or if the ending is not in
// `formats`. Throws WorkError if the file cannot be written. `what` names the file's contents in the error.
std::string_view format_of(std::string_view what, const std::string& path,
                           std::span<const std::string_view> formats);
ChartFrame frame_of(const PictureFile& picture);
void write_picture(const Scene& scene, const PictureFile& picture);

// Writes several pictures: pages of one PDF, an animation, or files whose names have a number, such as
// tree-07.png.
class PictureSeries {
 public:
  // `picture.path` is the name without a number. `count` pictures follow. The numbers of the pictures are
  // from 1 to `most`, and each number in a name has as many digits as `most`.
  PictureSeries(const PictureFile& picture, int most, int count);
  // Adds a Scene or a Picture.
  template <class P>
  void add(const P& picture, int number) {
    const std::string bytes = encoder_.add(picture);
    if (!encoder_.is_one_file()) write(bytes, number);
  }
  // Must be called after the last picture, because finish() writes the PDF or the animation.
  void finish();

 private:
  void write(const std::string& bytes, int number) const;

  PictureFile picture_;
  std::size_t digits_;
  PictureEncoder encoder_;
};

}  // namespace upsweep
