#include "scene/scene.hpp"

#include <array>
#include <utility>

namespace upsweep {
namespace {

// Advances of U+0020 to U+007E in thousandths of the em, of Inter 4.0 Regular and SemiBold.
constexpr std::array<std::int16_t, 95> regular_ascii = {
    281, 278, 403, 630, 637, 812, 639, 221, 362, 362, 500, 659, 279, 460, 275, 356, 625, 464, 605,
    636, 642, 607, 623, 571, 616, 623, 275, 279, 659, 659, 659, 507, 936, 676, 650, 727, 718, 598,
    586, 742, 740, 264, 542, 651, 562, 889, 752, 761, 634, 761, 639, 637, 642, 741, 676, 948, 642,
    664, 625, 362, 356, 362, 468, 451, 497, 563, 620, 558, 620, 582, 360, 609, 590, 237, 237, 544,
    237, 869, 585, 596, 609, 609, 372, 522, 363, 580, 556, 812, 539, 556, 541, 362, 326, 362, 659};
constexpr std::array<std::int16_t, 95> bold_ascii = {
    248, 308, 395, 643, 649, 843, 662, 213, 393, 393, 543, 672, 295, 465, 290, 378, 666, 480,  621,
    651, 665, 632, 648, 587, 645, 648, 290, 295, 672, 672, 672, 544, 999, 723, 657, 743, 724,  607,
    585, 754, 743, 274, 560, 676, 566, 906, 740, 774, 643, 775, 650, 649, 659, 733, 723, 1006, 690,
    704, 652, 393, 378, 393, 481, 468, 497, 574, 630, 577, 630, 592, 377, 625, 612, 260, 260,  568,
    260, 897, 609, 607, 624, 624, 396, 549, 379, 608, 575, 837, 562, 575, 561, 393, 357, 393,  672};

// The characters beyond ASCII that pictures use: Regular, SemiBold.
struct Other {
  char32_t character;
  std::int16_t regular, bold;
};
constexpr Other others[] = {
    {U'\u00a0', 281, 248}, {U'°', 454, 458}, {U'±', 659, 672},   {U'²', 420, 422},      {U'µ', 622, 651},
    {U'·', 275, 290},      {U'×', 659, 672}, {U'÷', 659, 672},   {U'Δ', 676, 723},      {U'μ', 622, 651},
    {U'\u2009', 181, 163}, {U'–', 500, 500}, {U'—', 1000, 1000}, {U'‘', 198, 227},      {U'’', 184, 213},
    {U'“', 380, 408},      {U'”', 380, 407}, {U'…', 821, 806},   {U'\u202f', 181, 163}, {U'←', 954, 954},
    {U'↑', 954, 954},      {U'→', 954, 954}, {U'↓', 954, 954},   {U'↔', 1340, 1340},    {U'∑', 630, 710},
    {U'∞', 930, 965},      {U'≈', 659, 672}, {U'≠', 659, 672},   {U'≤', 659, 672},      {U'≥', 659, 672},
    {U'■', 914, 914},      {U'□', 914, 914}, {U'▲', 1008, 1034}, {U'▼', 1008, 1034},    {U'○', 914, 914},
    {U'●', 914, 914},      {U'✓', 880, 880}, {U'✗', 880, 880},
};

// East Asian characters fill a square.
bool is_wide(char32_t c) {
  return (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0xa4cf) || (c >= 0xac00 && c <= 0xd7a3) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0xfe30 && c <= 0xfe4f) || (c >= 0xff00 && c <= 0xff60) ||
         (c >= 0x1f300 && c <= 0x1faff) || (c >= 0x20000 && c <= 0x3fffd);
}

// Combining marks sit on the character before them.
bool is_combining(char32_t c) { return (c >= 0x300 && c <= 0x36f) || (c >= 0x20d0 && c <= 0x20f0); }

int thousandths(char32_t c, Face face) {
  constexpr int ordinary = 600, mono = 600, regular_digit = 625, bold_digit = 650;
  if (is_combining(c) || c < 0x20) return 0;
  if (face == Face::mono) return is_wide(c) ? 2 * mono : mono;
  const bool bold = face == Face::bold;
  if ((c >= '0' && c <= '9') || c == U'−') return bold ? bold_digit : regular_digit;
  if (c < 0x7f) return (bold ? bold_ascii : regular_ascii)[c - 0x20];
  for (const Other& o : others)
    if (o.character == c) return bold ? o.bold : o.regular;
  return is_wide(c) ? 1000 : ordinary;
}

}  // namespace

Id hit(const Scene& scene, Point p) {
  for (auto target = scene.targets.rbegin(); target != scene.targets.rend(); ++target)
    if (target->box.contains(p)) return target->id;
  return {};
}

float advance(char32_t character, Face face) {
  return static_cast<float>(thousandths(character, face)) / 1000;
}

float text_width(std::string_view text, float size, Face face) {
  int sum = 0;
  while (!text.empty()) sum += thousandths(take_character(text), face);
  return static_cast<float>(sum) * size / 1000;
}

Box extent_of(const TextShape& t) {
  const float w = text_width(t.text, t.size, t.face), h = t.size * cap_height;
  const float x = t.align == Align::left ? t.at.x : t.align == Align::centre ? t.at.x - w / 2 : t.at.x - w;
  return {x, t.at.y - h / 2, w, h};
}

char32_t take_character(std::string_view& text) {
  constexpr char32_t invalid = 0xfffd;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  const int length = first < 0x80         ? 1
                     : first >> 5 == 0x6  ? 2
                     : first >> 4 == 0xe  ? 3
                     : first >> 3 == 0x1e ? 4
                                          : 0;
  if (length == 0 || text.size() < static_cast<std::size_t>(length)) return text.remove_prefix(1), invalid;
  char32_t c = length == 1 ? first : first & (0x7fu >> length);
  for (int i = 1; i < length; i++) {
    if (byte(i) >> 6 != 2) return text.remove_prefix(1), invalid;
    c = c << 6 | (byte(i) & 0x3f);
  }
  text.remove_prefix(length);
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};  // a longer form than needed is no character
  return c < least[length] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? invalid : c;
}

}  // namespace upsweep
