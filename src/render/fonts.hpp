// Font files and their glyphs, read with FreeType.
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
  int left = 0, top = 0;  // from the pen on the baseline to the bitmap's top left corner; `top` is upwards
  std::vector<std::uint8_t> coverage;
};

class Fonts {
 public:
  // Opens only fonts from these folders. If `folders` is empty, searches all font folders of the system.
  explicit Fonts(const std::vector<std::string>& folders = {});
  ~Fonts();
  Fonts(const Fonts&) = delete;
  Fonts& operator=(const Fonts&) = delete;

  bool any() const;  // returns whether any font was found
  // Returns the distance in em between the pen and a glyph that puts the glyph in the middle of its advance
  // in the scene's table. For the table's own fonts the distance is 0, except for tabular figures.
  float bearing(char32_t character, Face face) const;
  // Returns a character with `size` pixels per em. The pen is `shift` pixels (0 to 1) right of a pixel's left
  // edge. A space gives an empty bitmap.
  Bitmap draw(char32_t character, Face face, float size, float shift) const;
  // Returns sentences about missing fonts.
  const std::vector<std::string>& notices() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
