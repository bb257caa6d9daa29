// The contrast ratio (WCAG 2) of text, faint_text, now, conflict, broadcast and good on background and on
// panel is at least 4.5 to 1. So is the contrast of on_now on now, conflict and broadcast. ghost_text has
// less contrast on purpose, because it marks things that are still to come. The accents are based on four
// colours of Okabe and Ito: sky blue (on light backgrounds: blue), vermillion, reddish purple and bluish
// green. The last three are lighter here on dark backgrounds and darker on light backgrounds, so that text in
// these colours is legible.
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

}  // namespace

const Theme& dark_theme() { return dark; }
const Theme& light_theme() { return light; }

}  // namespace upsweep
