#include "render/fonts.hpp"

#include <fmt/format.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/font_search.hpp"
#include "base/language.hpp"

namespace upsweep {
namespace {

constexpr FontRole roles[] = {FontRole::words, FontRole::strong_words, FontRole::code};  // one for each Face

// Returns the distance by which a glyph advances the pen, as a multiple of the font size.
float natural_advance(FT_Face font, FT_UInt glyph) {
  if (FT_Load_Glyph(font, glyph, FT_LOAD_NO_SCALE) != 0) return 0;
  return static_cast<float>(font->glyph->metrics.horiAdvance) / static_cast<float>(font->units_per_EM);
}

FT_F26Dot6 fixed(float pixels) { return static_cast<FT_F26Dot6>(std::lround(pixels * 64)); }

}  // namespace

struct Fonts::State {
  FT_Library library = nullptr;
  std::map<std::pair<std::string, int>, FT_Face> opened;
  FT_Face faces[3] = {};
  // Replacement fonts are drawn narrower by these factors, so that a text is not wider than the same text in
  // the original font. A factor is at most 1.
  std::map<FT_Face, float> fit;
  std::vector<FT_Face> fallbacks[3];  // one list for each face
  std::vector<std::string> notices;

  ~State() {
    if (library) FT_Done_FreeType(library);  // this also frees every face
  }

  FT_Face open(const FontFile& file) {
    const std::pair key(file.path, file.index);
    if (const auto known = opened.find(key); known != opened.end()) return known->second;
    FT_Face face = nullptr;
    if (FT_New_Face(library, file.path.c_str(), file.index, &face) != 0) return nullptr;
    return opened[key] = face;
  }

  FT_Face choose(const FontSearch& search, Face face) {
    const FontRole role = roles[static_cast<int>(face)];
    const std::optional<FontFile> file = search.find(role);
    FT_Face found = file ? open(*file) : nullptr;
    if (!found || !file->stands_in) return found;
    fit[found] = std::min(1.0f, lower_case(face, nullptr) / lower_case(face, found));
    notices.push_back(tr(
        "The font {font} was not found, so {other_font} {style} is used. The missing font is in the package "
        "{package}.",
        fmt::arg("font", font_name(role)), fmt::arg("other_font", found->family_name),
        fmt::arg("style", found->style_name ? found->style_name : ""),
        fmt::arg("package", font_package(role))));
    return found;
  }

  // Returns the sum of the advances of the letters a to z in em. Uses the advances of `font`. If `font` is
  // null, uses the stored advances, see advance().
  static float lower_case(Face face, FT_Face font) {
    float sum = 0;
    for (char32_t c = 'a'; c <= 'z'; c++)
      sum += font ? natural_advance(font, FT_Get_Char_Index(font, c)) : advance(c, face);
    return sum;
  }

  float fitted(FT_Face font) const {
    const auto it = fit.find(font);
    return it == fit.end() ? 1 : it->second;
  }

  struct Found {
    FT_Face font = nullptr;
    FT_UInt glyph = 0;
  };
  // Returns the first font that has the character: the face's own font or a fallback font. If no font has the
  // character, returns glyph 0 of the face's font.
  Found find(char32_t c, Face face) const {
    FT_Face first = faces[static_cast<int>(face)];
    if (!first) return {};
    if (const FT_UInt glyph = FT_Get_Char_Index(first, c)) return {first, glyph};
    for (FT_Face other : fallbacks[static_cast<int>(face)])
      if (const FT_UInt glyph = FT_Get_Char_Index(other, c)) return {other, glyph};
    return {first, 0};  // glyph 0 is the sign for missing characters
  }
};

Fonts::Fonts(const std::vector<std::string>& folders) : state_(std::make_unique<State>()) {
  State& s = *state_;
  if (FT_Init_FreeType(&s.library) != 0)
    throw WorkError(tr("FreeType, which draws text, could not be started."));
  const FontSearch search(folders);
  for (int i = 0; i < 3; i++) {
    s.faces[i] = s.choose(search, static_cast<Face>(i));
    const bool is_bold = static_cast<Face>(i) == Face::bold;
    for (const FontFile& file : search.fallbacks(is_bold ? FontWeight::bold : FontWeight::regular))
      if (FT_Face face = s.open(file)) s.fallbacks[i].push_back(face);
  }
  if (!any())
    s.notices.push_back(
        tr("No font was found, so text is drawn as bars: install the packages fonts-inter and "
           "fonts-jetbrains-mono."));
}

Fonts::~Fonts() = default;

bool Fonts::any() const { return state_->faces[0] != nullptr; }
bool Fonts::has(char32_t character, Face face) const { return state_->find(character, face).glyph != 0; }

float Fonts::bearing(char32_t character, Face face) const {
  const auto [font, glyph] = state_->find(character, face);
  if (!font) return 0;
  return (advance(character, face) - natural_advance(font, glyph) * state_->fitted(font)) / 2;
}

Bitmap Fonts::draw(char32_t character, Face face, float size, float shift) const {
  const auto [font, glyph] = state_->find(character, face);
  if (!font) return {};
  const FT_F26Dot6 em = std::max(fixed(size * state_->fitted(font)), FT_F26Dot6{64});
  if (FT_Set_Char_Size(font, 0, em, 72, 72) != 0) return {};
  // Light hinting does not move stems horizontally. Light hinting moves the tops of capitals and of the
  // letter x to whole rows of pixels.
  if (FT_Load_Glyph(font, glyph, FT_LOAD_TARGET_LIGHT | FT_LOAD_NO_BITMAP) != 0) return {};
  FT_GlyphSlot slot = font->glyph;
  if (slot->format == FT_GLYPH_FORMAT_OUTLINE) FT_Outline_Translate(&slot->outline, fixed(shift), 0);
  if (FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL) != 0 || slot->bitmap.pixel_mode != FT_PIXEL_MODE_GRAY)
    return {};
  const FT_Bitmap& from = slot->bitmap;
  Bitmap to{
      static_cast<int>(from.width), static_cast<int>(from.rows), slot->bitmap_left, slot->bitmap_top, {}};
  to.coverage.reserve(static_cast<std::size_t>(to.width) * to.height);
  for (int y = 0; y < to.height; y++) {
    const std::uint8_t* row = from.buffer + static_cast<std::ptrdiff_t>(y) * from.pitch;
    to.coverage.insert(to.coverage.end(), row, row + to.width);
  }
  return to;
}

const std::vector<std::string>& Fonts::notices() const { return state_->notices; }

}  // namespace upsweep
