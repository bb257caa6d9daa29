// A picture, and the file to which it is written.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "app/options.hpp"
#include "export/export.hpp"
#include "scene/charts/charts.hpp"
#include "scene/scene.hpp"

namespace upsweep {

inline constexpr std::string_view picture_formats[] = {".png", ".svg", ".pdf"};

struct PictureFile {
  std::string path;
  std::string_view format;  // the ending of the path, such as ".png"
  Size size{1280, 720};     // pixels
  float scale = 1;
  bool dark = false;
};

// Returns the ending of the path, which must be one of `formats`. Throws RequestError if it is another
// ending, and WorkError if the file cannot be written. `what` names the file's contents in the error.
std::string_view format_of(std::string_view what, const std::string& path,
                           std::span<const std::string_view> formats);
ChartFrame frame_of(const PictureFile& picture);
void write_picture(const Scene& scene, const PictureFile& picture);

// Writes several pictures: pages of one PDF, or files whose names have a number, such as tree-07.png.
class PictureSeries {
 public:
  // `picture.path` is the name without a number. Numbers are from 1 to `most`, and their names have as many
  // digits as `most`.
  PictureSeries(const PictureFile& picture, int most);
  ~PictureSeries();
  void add(const Scene& scene, int number);
  // Must be called after the last picture: only now a PDF is written.
  void finish();

 private:
  struct Canvas;
  std::string name_of(int number) const;

  PictureFile picture_;
  std::size_t digits_;
  std::unique_ptr<Canvas> canvas_;
  PdfDocument document_;
};

}  // namespace upsweep
