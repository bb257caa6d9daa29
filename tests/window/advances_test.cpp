// Compares the table of advances with the installed fonts. The advance of a character is its width. Scenes
// compute their layout from the advances. With --update, the test writes the table (src/scene/advances.inc)
// again.
#include <fmt/format.h>
#include <ft2build.h>
#include <gtest/gtest.h>
#include FT_FREETYPE_H
#include FT_TRUETYPE_TABLES_H

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/font_search.hpp"
#include "support/update.hpp"

namespace upsweep {
namespace advances_test {

const std::filesystem::path table = std::filesystem::path(UPSWEEP_SOURCE_DIR) / "src/scene/advances.inc";

class InstalledFont {
 public:
  explicit InstalledFont(FontRole role) {
    FT_Init_FreeType(&library_);
    const std::optional<FontFile> file = FontSearch().find(role);
    if (file && !file->stands_in) FT_New_Face(library_, file->path.c_str(), file->index, &font_);
  }
  ~InstalledFont() { FT_Done_FreeType(library_); }
  explicit operator bool() const { return font_ != nullptr; }

  // Returns the font's version, such as 3.019, or 0 if the font has no version.
  double version() const {
    const auto* head = static_cast<const TT_Header*>(FT_Get_Sfnt_Table(font_, FT_SFNT_HEAD));
    return head ? static_cast<double>(head->Font_Revision) / 65536 : 0;
  }

  // Returns the advance of a character in thousandths of the font size, rounded down. Returns -1 if the font
  // lacks the character.
  int advance(unsigned character) const {
    const FT_UInt glyph = FT_Get_Char_Index(font_, character);
    if (glyph == 0 || FT_Load_Glyph(font_, glyph, FT_LOAD_NO_SCALE) != 0) return -1;
    return static_cast<int>(1000L * font_->glyph->metrics.horiAdvance / font_->units_per_EM);
  }

 private:
  FT_Library library_ = nullptr;
  FT_Face font_ = nullptr;
};

TEST(Advances, AreThoseOfTheFonts) {
  const InstalledFont regular(FontRole::words), bold(FontRole::strong_words);
  if (!regular || !bold) GTEST_SKIP() << "Inter is not installed.";
  // The table contains the advances of Inter 3. Debian 13 has Inter 4. The class Fonts scales the letters of
  // Inter 4 to the advances of Inter 3.
  constexpr double measured = 3.019;
  if (!update && std::abs(regular.version() - measured) > 0.01)
    GTEST_SKIP() << "Inter " << regular.version() << " is installed; the table is of " << measured << ".";
  std::ifstream in(table);
  ASSERT_TRUE(in) << table;
  std::string written;
  int known = 0;
  for (std::string line; std::getline(in, line);) {
    unsigned character = 0;
    int in_regular = 0, in_bold = 0;
    if (std::sscanf(line.c_str(), "X(%x, %d, %d)", &character, &in_regular, &in_bold) == 3) {
      const int r = regular.advance(character), b = bold.advance(character);
      if (r >= 0 && b >= 0) {  // false if a font lacks this character
        if (!update) {
          EXPECT_EQ(in_regular, r) << line;
          EXPECT_EQ(in_bold, b) << line;
        }
        line = fmt::format("X(0x{:04x}, {}, {})", character, r, b) + line.substr(line.find(')') + 1);
        ++known;
      }
    }
    written += line + "\n";
  }
  EXPECT_GE(known, 120);
  if (update) std::ofstream(table) << written;
}

}  // namespace advances_test
}  // namespace upsweep
