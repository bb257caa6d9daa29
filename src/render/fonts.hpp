// Reads font files and draws glyphs, with FreeType.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scene/scene.hpp"

namespace upsweep {

// The image of one glyph. `coverage` says how much of each pixel the glyph covers: from 0 to 255, row by row
// from the top.
struct Bitmap {
  int width = 0, height = 0;  // pixels
  // The offset in pixels from the pen, which is on the baseline, to the bitmap's upper left corner. `top` is
  // positive if the corner is above the pen.
  int left = 0, top = 0;
  std::vector<std::uint8_t> coverage;
};

class Fonts {
 public:
  // Uses only fonts from these folders. If `folders` is empty, uses all font folders of the system.
  explicit Fonts(const std::vector<std::string>& folders = {});
  ~Fonts();
  Fonts(const Fonts&) = delete;
  Fonts& operator=(const Fonts&) = delete;

  bool any() const;  // returns true if any font was found
  // Returns true if a font has a glyph for the character.
  bool has(char32_t character, Face face) const;
  // Returns the distance by which the glyph is moved to the right, so that the glyph is in the middle of its
  // advance(). The distance is a multiple of the font size.
  //
  // advance() uses the advances of Inter and JetBrains Mono, so the distance is 0 for glyphs of these fonts.
  // Inter's digits are an exception, because advance() returns the same advance for all digits.
  float bearing(char32_t character, Face face) const;
  // Draws a character. Returns an empty bitmap for a space, and for a character that cannot be drawn.
  //
  // `size` is in pixels per em. The pen is `shift` pixels (0 to 1) to the right of a pixel's left edge.
  Bitmap draw(char32_t character, Face face, float size, float shift) const;
  // Returns sentences about missing fonts.
  const std::vector<std::string>& notices() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
