// The colours `text`, `faint_text`, `now`, `conflict`, `broadcast` and `good` have a contrast ratio (WCAG 2)
// of at least 4.5 to 1 on `background` and on `panel`. `on_now` has a contrast ratio of at least 4.5 to 1 on
// `now`, `conflict` and `broadcast`. `ghost_text` has less contrast on purpose, because `ghost_text` marks
// things that come later.
//
// The accents are based on four colours of Okabe and Ito: sky blue (blue on light backgrounds), vermillion,
// reddish purple and bluish green. Vermillion, purple and green are lighter than the originals on dark
// backgrounds, and darker on light backgrounds, so that text in these colours is legible.
#include "scene/theme.hpp"

namespace upsweep {
namespace {

constexpr Colour rgb(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8),
          static_cast<std::uint8_t>(hex), 255};
}

constexpr Theme dark = {
    .dark = true,
    .background = rgb(0x16181b),
    .panel = rgb(0x1c1f23),
    .line = rgb(0x2b2f34),
    .on_line = rgb(0xe8eaec),
    .text = rgb(0xe8eaec),
    .faint_text = rgb(0x9aa1a8),
    .ghost_text = rgb(0x565c63),
    .cell = rgb(0x212427),
    .cell_stroke = rgb(0x2b2f34),
    .now = rgb(0x56b4e9),
    .now_soft = rgb(0x1d3442),
    .on_now = rgb(0x16181b),
    .conflict = rgb(0xf08a4b),
    .conflict_soft = rgb(0x40291b),
    .broadcast = rgb(0xd58bb5),
    .broadcast_soft = rgb(0x3b2735),
    .good = rgb(0x3fc79a),
};

constexpr Theme light = {
    .dark = false,
    .background = rgb(0xfbfbf9),
    .panel = rgb(0xffffff),
    .line = rgb(0xe3e4e1),
    .on_line = rgb(0x1b1d1f),
    .text = rgb(0x1b1d1f),
    .faint_text = rgb(0x62676c),
    .ghost_text = rgb(0xb0b4b8),
    .cell = rgb(0xffffff),
    .cell_stroke = rgb(0xd3d5d2),
    .now = rgb(0x0072b2),
    .now_soft = rgb(0xe1eef6),
    .on_now = rgb(0xffffff),
    .conflict = rgb(0xb34d00),
    .conflict_soft = rgb(0xfbe7db),
    .broadcast = rgb(0x9c4a7b),
    .broadcast_soft = rgb(0xf6e6ef),
    .good = rgb(0x00785a),
};

// Every colour of text has a contrast ratio of at least 7 to 1 on `background`, `panel` and `cell`. Every
// accent has a contrast ratio of at least 4.5 to 1 on the accent's tint.
constexpr Theme dark_contrast = {
    .dark = true,
    .background = rgb(0x000000),
    .panel = rgb(0x000000),
    .line = rgb(0x9aa0a6),
    .on_line = rgb(0x000000),
    .text = rgb(0xffffff),
    .faint_text = rgb(0xdadfe3),
    .ghost_text = rgb(0xa6acb2),
    .cell = rgb(0x000000),
    .cell_stroke = rgb(0x8a9096),
    .now = rgb(0x7fd0ff),
    .now_soft = rgb(0x00324f),
    .on_now = rgb(0x000000),
    .conflict = rgb(0xffa366),
    .conflict_soft = rgb(0x522500),
    .broadcast = rgb(0xffb0dc),
    .broadcast_soft = rgb(0x4a1f3a),
    .good = rgb(0x5cf0b8),
};

constexpr Theme light_contrast = {
    .dark = false,
    .background = rgb(0xffffff),
    .panel = rgb(0xffffff),
    .line = rgb(0x4f5459),
    .on_line = rgb(0xffffff),
    .text = rgb(0x000000),
    .faint_text = rgb(0x2b2f33),
    .ghost_text = rgb(0x51565b),
    .cell = rgb(0xffffff),
    .cell_stroke = rgb(0x555a5f),
    .now = rgb(0x004a7c),
    .now_soft = rgb(0xd5ebff),
    .on_now = rgb(0xffffff),
    .conflict = rgb(0x783000),
    .conflict_soft = rgb(0xffe3d0),
    .broadcast = rgb(0x702456),
    .broadcast_soft = rgb(0xffe0f2),
    .good = rgb(0x004d38),
};

}  // namespace

const Theme& dark_contrast_theme() { return dark_contrast; }
const Theme& light_contrast_theme() { return light_contrast; }
const Theme& theme_of(bool is_dark, bool contrast) {
  return is_dark ? (contrast ? dark_contrast : dark) : (contrast ? light_contrast : light);
}
const char* theme_name(bool is_dark, bool contrast) {
  return is_dark ? (contrast ? "contrast-dark" : "dark") : (contrast ? "contrast-light" : "light");
}
const Theme& dark_theme() { return dark; }
const Theme& light_theme() { return light; }

}  // namespace upsweep
