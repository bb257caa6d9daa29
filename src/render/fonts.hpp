// Reads font files and draws glyphs, with FreeType.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scene/scene.hpp"

namespace upsweep {

// The picture of one glyph: how much of each pixel it covers, 0 to 255, row by row from the top.
struct Bitmap {
  int width = 0, height = 0;  // pixels
  int left = 0, top = 0;      // from the pen on the baseline to the top left corner; `top` counts upwards
  std::vector<std::uint8_t> coverage;
};

class Fonts {
 public:
  // Uses only fonts from these folders. If `folders` is empty, uses all font folders of the system.
  explicit Fonts(const std::vector<std::string>& folders = {});
  ~Fonts();
  Fonts(const Fonts&) = delete;
  Fonts& operator=(const Fonts&) = delete;

  bool any() const;  // returns whether any font was found
  // Returns whether a font has a glyph for the character.
  bool has(char32_t character, Face face) const;
  // Returns the horizontal distance in em from the pen to a glyph that is in the middle of its advance(). For
  // the fonts of the scene's table this is 0, except for digits of equal width.
  float bearing(char32_t character, Face face) const;
  // Draws a character with `size` pixels per em. The pen is `shift` pixels (0 to 1) right of a pixel's left
  // edge. The bitmap is empty for a space, and if the character cannot be drawn.
  Bitmap draw(char32_t character, Face face, float size, float shift) const;
  // Returns sentences about missing fonts.
  const std::vector<std::string>& notices() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
