// Font files and their glyphs, through FreeType.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scene/scene.hpp"

namespace upsweep {

// One glyph as coverage, 0 to 255, row by row from the top.
struct Bitmap {
  int width = 0, height = 0;  // pixels
  int left = 0, top = 0;  // from the pen on the baseline to the bitmap's top left corner; top counts upwards
  std::vector<std::uint8_t> coverage;
};

class Fonts {
 public:
  // From these folders alone or, if there are none, wherever the system keeps its fonts.
  explicit Fonts(const std::vector<std::string>& folders = {});
  ~Fonts();
  Fonts(const Fonts&) = delete;
  Fonts& operator=(const Fonts&) = delete;

  bool any() const;  // whether a font was found at all
  // How far from the pen a glyph is to be drawn, so that it stands in the middle of the advance that the
  // scene's table gives it, in em. The table's own fonts need it for tabular figures only.
  float bearing(char32_t character, Face face) const;
  // A character of `size` pixels per em, its pen `shift` pixels (0 to 1) right of a pixel's left edge. Empty
  // for a space.
  Bitmap draw(char32_t character, Face face, float size, float shift) const;
  // Sentences on what was missing.
  const std::vector<std::string>& notices() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
