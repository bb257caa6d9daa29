#include "scene/paint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/utf8.hpp"

namespace upsweep {

Colour mix(Colour a, Colour b, float share) {
  const auto between = [share](std::uint8_t from, std::uint8_t to) {
    return static_cast<std::uint8_t>(std::lround(from + (to - from) * share));
  };
  return {between(a.r, b.r), between(a.g, b.g), between(a.b, b.b), between(a.a, b.a)};
}

Colour faded(Colour c, float opacity) {
  c.a = static_cast<std::uint8_t>(std::lround(c.a * opacity));
  return c;
}

std::string cut(std::string_view text, float size, Face face, float room) {
  if (text_width(text, size, face) <= room) return std::string(text);
  const float left = room - text_width("…", size, face);
  if (left < size) return {};
  float used = 0;
  std::string_view rest = text;
  std::string kept;
  while (!rest.empty()) {
    const std::string_view before = rest;
    used += advance(take_character(rest), face) * size;
    if (used > left) break;
    kept += before.substr(0, before.size() - rest.size());
  }
  while (!kept.empty() && kept.back() == ' ') kept.pop_back();
  return kept + "…";
}

std::string first_fitting(std::initializer_list<std::string> ways, float size, Face face, float room) {
  const auto* found = std::find_if(ways.begin(), ways.end(), [&](const std::string& words) {
    return text_width(words, size, face) <= room;
  });
  return found == ways.end() ? *(ways.end() - 1) : *found;
}

std::string whole_sentences(std::string_view text, float size, Face face, float room) {
  // Returns the text without its last sentence, or an empty text if there is only one sentence. "..." does
  // not end a sentence. In Chinese, no space follows the full stop.
  const auto without_last = [&] {
    for (std::size_t end = text.size() - 1; end > 0; --end) {
      const std::string_view earlier = text.substr(0, end);
      if (earlier.ends_with("。")) return earlier;
      if (text[end] == ' ' && earlier.ends_with('.') && !earlier.ends_with("..")) return earlier;
    }
    return std::string_view();
  };
  while (!text.empty() && text_width(text, size, face) > room) {
    const std::string_view fewer = without_last();
    if (fewer.empty()) break;
    text = fewer;
  }
  return std::string(text);
}

std::string cut_name(std::string_view text, float size, Face face, float room) {
  const std::size_t comma = std::min(text.find(", "), text.size());
  const std::string_view name = text.substr(0, comma), variant = text.substr(comma);
  if (text_width(text, size, face) <= room) return std::string(text);
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (room - text_width(variant, size, face) < room / 5 || !std::ranges::all_of(name, is_ascii))
    return cut(text, size, face, room);
  // Cuts the middle of the name, because many names differ only at the end.
  for (std::size_t left_out = 1; left_out + 2 <= name.size(); ++left_out) {
    const std::size_t kept = name.size() - left_out;
    const std::string shorter =
        fmt::format("{}…{}{}", name.substr(0, (kept + 1) / 2), name.substr(name.size() - kept / 2), variant);
    if (text_width(shorter, size, face) <= room) return shorter;
  }
  return cut(text, size, face, room);
}

Painter::Painter(const Theme& theme, float width, float height)
    : Pen(width, height, theme.background),
      theme(theme),
      width(width),
      height(height),
      margin(margin_of(width)),
      top(height < titled_height ? 4 : 40) {}

void Painter::sentence(std::string_view words) {
  text({margin, std::min(top + 12, height / 2 + 8)}, cut(words, 13, Face::regular, width - 2 * margin),
       theme.faint_text);
}

float name_place(const Title& title, float margin, float width) {
  const float end = width - margin,
              name = tab_gap + std::max(title.tab_width, text_width(title.name, title_size, Face::bold));
  float begin = margin;
  for (const Tab& tab : title.tabs.first(title.tabs_before)) {
    const float w = text_width(tab.text, title_size, Face::bold);
    if (begin + w + name > end) break;
    begin += w + tab_gap;
  }
  return begin;
}

void draw_title(Painter& p, const Title& title, const Id& hover) {
  if (p.height < titled_height) return;
  const Theme& t = p.theme;
  constexpr float y = 20, gap = tab_gap;
  const float end = p.width - p.margin;
  const std::string name = cut(title.name, title_size, Face::bold, end - p.margin);
  const float name_width = std::max(title.tab_width, text_width(name, title_size, Face::bold));
  float begin = p.margin;
  const auto draw_tabs = [&](std::span<const Tab> tabs, float reserved) {
    for (const Tab& tab : tabs) {
      const float w = text_width(tab.text, title_size, Face::bold);
      if (begin + w + reserved > end) return false;
      p.text({begin, y}, tab.text, hover == tab.id ? t.now : tab.warns ? t.conflict : t.faint_text, tab_size);
      p.target({begin - gap / 2, y - 12, w + gap, 24}, tab.id);
      begin += w + gap;
    }
    return true;
  };
  const bool all_before = draw_tabs(title.tabs.first(title.tabs_before), gap + name_width);
  p.text({begin, y}, name, t.text, title_size, Face::bold);
  begin += name_width + gap;
  if (all_before) draw_tabs(title.tabs.subspan(title.tabs_before), 0);
  const float line_gap = title.tabs.empty() ? 0 : gap;  // for a line between the tabs and the texts
  float room = end - begin - line_gap;
  const std::string readout = cut(title.readout, 13, Face::regular, room);
  if (!title.readout.empty()) room -= text_width(readout, 13, Face::regular) + 2 * gap;
  std::string_view parts = title.what;
  while (text_width(parts, 13, Face::regular) > room && parts.find(" · ") != parts.npos)
    parts = parts.substr(0, parts.rfind(" · "));
  // A part that is cut to less than half of its width says too little.
  const bool shows_parts = room > std::max(48.0f, text_width(parts, 13, Face::regular) / 2);
  if (line_gap > 0 && ((shows_parts && !parts.empty()) || !title.readout.empty()))
    p.line({begin, y - 6}, {begin, y + 6}, t.line);
  begin += line_gap;
  if (!title.readout.empty())
    p.text({end, y}, readout, title.quiet ? t.faint_text : t.text, 13, Face::regular, Align::right);
  if (shows_parts) p.text({begin, y}, cut(parts, 13, Face::regular, room), t.faint_text);
}

}  // namespace upsweep
