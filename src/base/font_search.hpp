// Finds font files with Fontconfig, for pictures, PDF and the window's controls.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace upsweep {

enum class FontWeight { regular, medium, semi_bold, bold };

// The purposes of fonts. Each role has one preferred font, such as Inter for `words`.
enum class FontRole { words, strong_words, code, titles };

struct FontFile {
  std::string path;
  int index = 0;  // the font's index in its file
  // True if this font is only a replacement, because the role's preferred font is not installed.
  bool stands_in = false;
};

class FontSearch {
 public:
  // Searches only these folders. If `folders` is empty, searches all folders in which the system and the user
  // keep fonts.
  explicit FontSearch(const std::vector<std::string>& folders = {});

  // Returns an upright font of this family and weight, or nullopt if this font is not installed.
  std::optional<FontFile> find(const char* family, FontWeight weight) const;
  // Returns the role's preferred font if it is installed, or else a similar font, or else any font with
  // digits. Returns nullopt if no such font is installed.
  std::optional<FontFile> find(FontRole role) const;
  // Returns installed fonts with symbols, and then one installed font with Chinese characters. The Chinese
  // font has the given weight if this weight is installed, or else the regular weight.
  std::vector<FontFile> fallbacks(FontWeight weight) const;
  // Returns the best installed font with Chinese characters, or nullopt if no such font is installed.
  std::optional<FontFile> chinese(FontWeight weight) const;

 private:
  std::shared_ptr<void> config_;  // Fontconfig's configuration
};

// These functions return the name of a role's preferred font, such as "Inter", and the Debian package that
// contains this font.
const char* font_name(FontRole role);
const char* font_package(FontRole role);

}  // namespace upsweep
