// Stores images of glyphs in a texture. A glyph has one image for each size and for each offset within a
// pixel.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "render/fonts.hpp"

namespace upsweep {

class GlyphAtlas {
 public:
  explicit GlyphAtlas(const std::vector<std::string>& folders);
  ~GlyphAtlas();
  GlyphAtlas(const GlyphAtlas&) = delete;
  GlyphAtlas& operator=(const GlyphAtlas&) = delete;

  static constexpr int shifts = 4;  // the number of possible offsets of a glyph within a pixel
  struct Glyph {
    int x = 0, y = 0;           // the position of the glyph in the texture
    int width = 0, height = 0;  // 0 if the glyph is empty, such as a space
    int left = 0, top = 0;      // see Bitmap
  };
  // Returns a glyph, and draws the glyph into the atlas if the glyph is new. Returns an empty glyph if the
  // atlas is full. `size` is in pixels per em, and `shift` is in units of 1 / shifts pixels.
  const Glyph& glyph(char32_t character, Face face, float size, int shift);
  float bearing(char32_t character, Face face);
  const Fonts& fonts() const { return fonts_; }
  // If the atlas is nearly full, removes all glyphs. Must not be called while a scene is drawn, because all
  // glyphs that glyph() has returned become invalid.
  void make_room();
  int times_forgotten() const { return times_forgotten_; }
  // Copies all new glyphs into the texture, and binds the texture to the active texture unit.
  void bind();

 private:
  bool grow();
  bool place(Glyph& glyph);

  static constexpr int width = 2048, most_rows = 4096;
  Fonts fonts_;
  std::unordered_map<std::uint64_t, Glyph> glyphs_;
  std::unordered_map<std::uint64_t, float> bearings_;
  unsigned texture_ = 0;
  int rows_ = 512, texture_rows_ = 0;  // the rows of `texels_`, and the rows of OpenGL's texture
  std::vector<std::uint8_t> texels_;
  int shelf_x_ = 0, shelf_y_ = 0, shelf_height_ = 0;
  int times_forgotten_ = 0;
  int changed_from_ = 0, changed_to_ = 0;  // the rows that have changed since the last update of the texture
};

}  // namespace upsweep
