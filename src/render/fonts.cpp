#include "render/fonts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "base/error.hpp"

namespace upsweep {
namespace fs = std::filesystem;

namespace {

// What each face may be drawn with, best first; the first two of a line look alike.
struct Choice {
  const char* name;
  const char* package;
  std::vector<const char*> files;
};
const Choice choices[] = {
    {"Inter",
     "fonts-inter",
     {"Inter-Regular.otf", "Inter-Regular.ttf", "NotoSans-Regular.ttf", "DejaVuSans.ttf",
      "LiberationSans-Regular.ttf"}},
    {"Inter's semi-bold",
     "fonts-inter",
     {"Inter-SemiBold.otf", "Inter-SemiBold.ttf", "NotoSans-SemiBold.ttf", "DejaVuSans-Bold.ttf",
      "LiberationSans-Bold.ttf"}},
    {"JetBrains Mono",
     "fonts-jetbrains-mono",
     {"JetBrainsMono-Regular.ttf", "JetBrainsMono-Regular.otf", "NotoSansMono-Regular.ttf",
      "DejaVuSansMono.ttf", "LiberationMono-Regular.ttf"}},
};
constexpr std::size_t own = 2;  // how many of a choice's files are the font itself
// For characters that a face lacks: symbols, then Chinese.
const char* const others[] = {"DejaVuSans.ttf",          "Symbola.ttf",      "Symbola_hint.ttf",
                              "NotoSansCJK-Regular.ttc", "wqy-microhei.ttc", "DroidSansFallbackFull.ttf"};

std::map<std::string, fs::path> font_files(const std::vector<std::string>& folders) {
  std::map<std::string, fs::path> files;
  for (const std::string& folder : folders) {
    std::error_code error;
    fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, error), end;
    for (; !error && it != end; it.increment(error)) {
      const std::string kind = it->path().extension();
      if (kind == ".otf" || kind == ".ttf" || kind == ".ttc")
        files.emplace(it->path().filename(), it->path());
    }
  }
  return files;
}

// In em.
float natural_advance(FT_Face font, FT_UInt glyph) {
  if (FT_Load_Glyph(font, glyph, FT_LOAD_NO_SCALE) != 0) return 0;
  return static_cast<float>(font->glyph->metrics.horiAdvance) / static_cast<float>(font->units_per_EM);
}

FT_F26Dot6 fixed(float pixels) { return static_cast<FT_F26Dot6>(std::lround(pixels * 64)); }

}  // namespace

std::vector<std::string> font_folders() {
  std::vector<std::string> folders;
  if (const char* home = std::getenv("HOME")) {
    folders.push_back(fmt::format("{}/.local/share/fonts", home));
    folders.push_back(fmt::format("{}/.fonts", home));
  }
  folders.insert(folders.end(), {"/usr/local/share/fonts", "/usr/share/fonts"});
  return folders;
}

struct Fonts::State {
  FT_Library library = nullptr;
  std::map<std::string, fs::path> files;
  std::map<std::string, FT_Face> opened;
  FT_Face faces[3] = {};
  std::map<FT_Face, float>
      fit;  // how much smaller a font is drawn that is wider than the one it stands in for
  std::vector<FT_Face> fallbacks;
  std::vector<std::string> notices;

  ~State() {
    if (library) FT_Done_FreeType(library);  // and every face with it
  }

  FT_Face open(const std::string& file) {
    const auto found = files.find(file);
    if (found == files.end()) return nullptr;
    if (const auto known = opened.find(file); known != opened.end()) return known->second;
    FT_Face face = nullptr;
    // The collection's third font is the one for simplified Chinese.
    const FT_Long index = file == "NotoSansCJK-Regular.ttc" ? 2 : 0;
    if (FT_New_Face(library, found->second.c_str(), index, &face) != 0) return nullptr;
    if (!FT_IS_SCALABLE(face)) return nullptr;
    return opened[file] = face;
  }

  FT_Face choose(const Choice& choice) {
    for (std::size_t i = 0; i < choice.files.size(); i++)
      if (FT_Face face = open(choice.files[i])) {
        if (i >= own) miss(choice, face);
        return face;
      }
    for (const auto& [file, path] : files)
      if (FT_Face face = open(file); face && FT_Get_Char_Index(face, '0') != 0) {
        miss(choice, face);
        return face;
      }
    return nullptr;
  }

  void miss(const Choice& choice, FT_Face instead) {
    fit[instead] =
        std::min(1.0f, lower_case(&choice - choices, nullptr) / lower_case(&choice - choices, instead));
    notices.push_back(fmt::format("The font {} was not found; {} {} stands in for it. The package {} has it.",
                                  choice.name, instead->family_name,
                                  instead->style_name ? instead->style_name : "", choice.package));
  }

  // Advances of a to z in em: by the scene's table, or of a font.
  static float lower_case(std::ptrdiff_t face, FT_Face font) {
    float sum = 0;
    for (char32_t c = 'a'; c <= 'z'; c++)
      sum += font ? natural_advance(font, FT_Get_Char_Index(font, c)) : advance(c, static_cast<Face>(face));
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
  // The font that has a character: the face's own, or the first of the others that does.
  Found find(char32_t c, Face face) const {
    FT_Face first = faces[static_cast<int>(face)];
    if (!first) return {};
    if (const FT_UInt glyph = FT_Get_Char_Index(first, c)) return {first, glyph};
    for (FT_Face other : fallbacks)
      if (const FT_UInt glyph = FT_Get_Char_Index(other, c)) return {other, glyph};
    return {first, 0};  // the font's own sign for what it lacks
  }
};

Fonts::Fonts(const std::vector<std::string>& folders) : state_(std::make_unique<State>()) {
  State& s = *state_;
  if (FT_Init_FreeType(&s.library) != 0) throw WorkError("FreeType, which draws text, could not be started.");
  s.files = font_files(folders);
  for (int i = 0; i < 3; i++) s.faces[i] = s.choose(choices[i]);
  for (const char* file : others)
    if (FT_Face face = s.open(file)) s.fallbacks.push_back(face);
  if (!any())
    s.notices.push_back(
        fmt::format("No font was found in {}; text is drawn as bars. The packages fonts-inter and "
                    "fonts-jetbrains-mono have the ones meant for it.",
                    fmt::join(folders, ", ")));
}

Fonts::~Fonts() = default;

bool Fonts::any() const { return state_->faces[0] != nullptr; }

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
  // Hinted lightly: stems keep their places across, capitals and x-height meet the pixel rows.
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
