#include "base/font_search.hpp"

#include <fontconfig/fontconfig.h>

#include <memory>
#include <tuple>

#include "base/language.hpp"
#include "base/quiet.hpp"

namespace upsweep {
namespace {

struct Typeface {
  const char* family;
  FontWeight weight;
};

// The fonts for one use (FontRole). `name` is the preferred font, and `package` is the Debian package that
// contains this font. `candidates` are the preferred font and then similar fonts, the best first.
struct Role {
  const char *name, *package;
  std::vector<Typeface> candidates;
};
using enum FontWeight;
const Role roles[] = {
    {"Inter",
     "fonts-inter",
     {{"Inter", regular}, {"Noto Sans", regular}, {"DejaVu Sans", regular}, {"Liberation Sans", regular}}},
    {"Inter's semi-bold",
     "fonts-inter",
     {{"Inter", semi_bold}, {"Noto Sans", semi_bold}, {"DejaVu Sans", bold}, {"Liberation Sans", bold}}},
    {"JetBrains Mono",
     "fonts-jetbrains-mono",
     {{"JetBrains Mono", regular},
      {"Noto Sans Mono", regular},
      {"DejaVu Sans Mono", regular},
      {"Liberation Mono", regular}}},
    {"Inter's medium", "fonts-inter", {{"Inter", medium}, {"Noto Sans", medium}, {"DejaVu Sans", regular}}},
};

// Fonts for characters that the fonts in `roles` lack: first fonts with symbols, then fonts with Chinese
// characters.
constexpr const char* symbol_families[] = {"DejaVu Sans", "Symbola"};
constexpr const char* chinese_families[] = {"Noto Sans CJK SC", "WenQuanYi Micro Hei", "Droid Sans Fallback"};

const Role& of(FontRole role) { return roles[static_cast<int>(role)]; }

using FontPattern = std::unique_ptr<FcPattern, decltype(&FcPatternDestroy)>;

FontPattern upright() {
  FontPattern pattern(FcPatternCreate(), FcPatternDestroy);
  FcPatternAddInteger(pattern.get(), FC_SLANT, FC_SLANT_ROMAN);
  FcPatternAddInteger(pattern.get(), FC_WIDTH, FC_WIDTH_NORMAL);
  FcPatternAddBool(pattern.get(), FC_SCALABLE, FcTrue);
  FcPatternAddBool(pattern.get(), FC_VARIABLE, FcFalse);
  return pattern;
}

// Returns the installed font that matches a pattern. If several fonts match, always returns the same font:
// the font whose path and index in the file come first.
std::optional<FontFile> first_of(const std::shared_ptr<void>& config, const FontPattern& pattern) {
  const std::unique_ptr<FcObjectSet, decltype(&FcObjectSetDestroy)> wanted(
      FcObjectSetBuild(FC_FILE, FC_INDEX, nullptr), FcObjectSetDestroy);
  const std::unique_ptr<FcFontSet, decltype(&FcFontSetDestroy)> found(
      FcFontList(static_cast<FcConfig*>(config.get()), pattern.get(), wanted.get()), FcFontSetDestroy);
  std::optional<FontFile> first;
  for (int i = 0; found && i < found->nfont; ++i) {
    FcChar8* path = nullptr;
    FontFile file;
    if (FcPatternGetString(found->fonts[i], FC_FILE, 0, &path) != FcResultMatch) continue;
    FcPatternGetInteger(found->fonts[i], FC_INDEX, 0, &file.index);
    file.path = reinterpret_cast<const char*>(path);
    if (!first || std::tie(file.path, file.index) < std::tie(first->path, first->index)) first = file;
  }
  return first;
}

int fontconfig_weight(FontWeight weight) {
  constexpr int weights[] = {FC_WEIGHT_REGULAR, FC_WEIGHT_MEDIUM, FC_WEIGHT_DEMIBOLD, FC_WEIGHT_BOLD};
  return weights[static_cast<int>(weight)];
}

// Returns Fontconfig's list of installed fonts. If Fontconfig cannot read its configuration, the list is
// empty, and Fontconfig prints an error. `quiet` hides this error.
FcConfig* installed_fonts() {
  const Quiet quiet;
  return FcInitLoadConfigAndFonts();
}

}  // namespace

FontSearch::FontSearch(const std::vector<std::string>& folders)
    : config_(folders.empty() ? installed_fonts() : FcConfigCreate(),
              [](FcConfig* config) { FcConfigDestroy(config); }) {
  for (const std::string& folder : folders)
    FcConfigAppFontAddDir(static_cast<FcConfig*>(config_.get()),
                          reinterpret_cast<const FcChar8*>(folder.c_str()));
}

std::optional<FontFile> FontSearch::find(const char* family, FontWeight weight) const {
  const FontPattern pattern = upright();
  FcPatternAddString(pattern.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>(family));
  FcPatternAddInteger(pattern.get(), FC_WEIGHT, fontconfig_weight(weight));
  return first_of(config_, pattern);
}

std::optional<FontFile> FontSearch::find(FontRole role) const {
  for (const Typeface& candidate : of(role).candidates)
    if (std::optional<FontFile> found = find(candidate.family, candidate.weight)) {
      found->stands_in = &candidate != of(role).candidates.data();
      return found;
    }
  const FontPattern pattern = upright();
  const std::unique_ptr<FcCharSet, decltype(&FcCharSetDestroy)> digits(FcCharSetCreate(), FcCharSetDestroy);
  FcCharSetAddChar(digits.get(), '0');
  FcPatternAddCharSet(pattern.get(), FC_CHARSET, digits.get());
  std::optional<FontFile> any = first_of(config_, pattern);
  if (any) any->stands_in = true;
  return any;
}

std::vector<FontFile> FontSearch::fallbacks(FontWeight weight) const {
  std::vector<FontFile> all;
  for (const char* family : symbol_families)
    if (const std::optional<FontFile> found = find(family, regular)) all.push_back(*found);
  if (const std::optional<FontFile> found = chinese(weight)) all.push_back(*found);
  return all;
}

std::optional<FontFile> FontSearch::chinese(FontWeight weight) const {
  for (const char* family : chinese_families)
    for (const FontWeight each : {weight, regular})
      if (const std::optional<FontFile> found = find(family, each)) return found;
  return {};
}

const char* font_name(FontRole role) { return of(role).name; }
const char* font_package(FontRole role) { return of(role).package; }

}  // namespace upsweep
