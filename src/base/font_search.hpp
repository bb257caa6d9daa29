// Font files, found by Fontconfig: for pictures, PDF and the window's controls alike.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace upsweep {

enum class FontWeight { regular, medium, semi_bold, bold };

// What the program sets in a font of its own.
enum class FontRole { words, strong_words, code, titles };

struct FontFile {
  std::string path;
  int index = 0;           // of the font in its file
  bool stands_in = false;  // it is not the font that is meant for the role
};

class FontSearch {
 public:
  // Searches these folders alone or, if there are none, wherever the system and the user keep their fonts.
  explicit FontSearch(const std::vector<std::string>& folders = {});

  // An upright font of that family and weight; nothing if it is not installed.
  std::optional<FontFile> find(const char* family, FontWeight weight) const;
  // The font for a role, else one that looks like it, else any that has digits; nothing if there is none.
  std::optional<FontFile> find(FontRole role) const;
  // Those that have what other fonts lack, symbols and Chinese characters, as far as they are installed.
  std::vector<FontFile> fallbacks() const;

 private:
  std::shared_ptr<void> config_;  // Fontconfig's
};

// "Inter", and the Debian package that has it.
const char* font_name(FontRole role);
const char* font_package(FontRole role);

}  // namespace upsweep
