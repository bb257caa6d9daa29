// Tests that every character of the translations can be drawn.
#include <gtest/gtest.h>

#include <ios>
#include <set>

#include "base/translation.hpp"
#include "base/utf8.hpp"
#include "render/fonts.hpp"

namespace upsweep {
namespace glyphs_test {

TEST(Glyphs, EveryTranslatedCharacterIsInAFont) {
  const Fonts fonts;
  std::set<char32_t> characters;
  for (const Translation& t : translations())
    for (std::string_view text = t.chinese; !text.empty();) characters.insert(take_character(text));
  EXPECT_GT(characters.size(), 500u);
  for (const char32_t c : characters)
    for (const Face face : {Face::regular, Face::bold, Face::mono})
      EXPECT_TRUE(c < 0x20 || fonts.has(c, face)) << std::hex << static_cast<std::uint32_t>(c);
}

}  // namespace glyphs_test
}  // namespace upsweep
