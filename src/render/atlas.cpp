#include "render/atlas.hpp"

#include <glad/gl.h>

#include <algorithm>
#include <cmath>

namespace upsweep {

GlyphAtlas::GlyphAtlas(const std::vector<std::string>& folders) : fonts_(folders) {
  texels_.resize(static_cast<std::size_t>(width) * rows_);
  glGenTextures(1, &texture_);
}

GlyphAtlas::~GlyphAtlas() { glDeleteTextures(1, &texture_); }

float GlyphAtlas::bearing(char32_t character, Face face) {
  const std::uint64_t key = std::uint64_t{character} << 8 | static_cast<unsigned>(face);
  const auto [it, is_new] = bearings_.try_emplace(key, 0.0f);
  if (is_new) it->second = fonts_.bearing(character, face);
  return it->second;
}

const GlyphAtlas::Glyph& GlyphAtlas::glyph(char32_t character, Face face, float size, int shift) {
  const auto sixty_fourths = static_cast<std::uint64_t>(std::lround(size * 64)) & 0xffffff;
  const std::uint64_t key = std::uint64_t{character} << 32 | sixty_fourths << 8 |
                            static_cast<unsigned>(face) << 4 | static_cast<unsigned>(shift);
  const auto [it, is_new] = glyphs_.try_emplace(key);
  Glyph& glyph = it->second;
  if (!is_new) return glyph;
  const Bitmap bitmap = fonts_.draw(character, face, size, static_cast<float>(shift) / shifts);
  if (bitmap.coverage.empty()) return glyph;
  glyph = {0, 0, bitmap.width, bitmap.height, bitmap.left, bitmap.top};
  if (!place(glyph)) return glyph = {};
  for (int y = 0; y < glyph.height; y++)
    std::copy_n(&bitmap.coverage[static_cast<std::size_t>(y) * glyph.width], glyph.width,
                &texels_[static_cast<std::size_t>(glyph.y + y) * width + glyph.x]);
  changed_from_ = std::min(changed_from_, glyph.y);
  changed_to_ = std::max(changed_to_, glyph.y + glyph.height);
  return glyph;
}

// Finds a place for a glyph. The atlas consists of rows of glyphs, called shelves. The glyph goes to the last
// shelf, or to a new shelf below the last one. Returns false if the atlas is full.
bool GlyphAtlas::place(Glyph& glyph) {
  if (glyph.width > width) return false;
  if (shelf_x_ + glyph.width > width) {
    shelf_y_ += shelf_height_;
    shelf_x_ = shelf_height_ = 0;
  }
  while (shelf_y_ + glyph.height > rows_)
    if (!grow()) return false;
  glyph.x = shelf_x_;
  glyph.y = shelf_y_;
  shelf_x_ += glyph.width;
  shelf_height_ = std::max(shelf_height_, glyph.height);
  return true;
}

bool GlyphAtlas::grow() {
  if (rows_ * 2 > most_rows) return false;
  rows_ *= 2;
  texels_.resize(static_cast<std::size_t>(width) * rows_);
  return true;
}

void GlyphAtlas::make_room() {
  if (shelf_y_ < most_rows / 4 * 3) return;
  glyphs_.clear();
  shelf_x_ = shelf_y_ = shelf_height_ = 0;
  ++times_forgotten_;
}

void GlyphAtlas::bind() {
  glBindTexture(GL_TEXTURE_2D, texture_);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  if (texture_rows_ != rows_) {
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, width, rows_, 0, GL_RED, GL_UNSIGNED_BYTE, texels_.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    texture_rows_ = rows_;
  } else if (changed_from_ < changed_to_) {
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, changed_from_, width, changed_to_ - changed_from_, GL_RED,
                    GL_UNSIGNED_BYTE, &texels_[static_cast<std::size_t>(changed_from_) * width]);
  }
  changed_from_ = rows_;
  changed_to_ = 0;
}

}  // namespace upsweep
