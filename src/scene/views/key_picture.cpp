#include "scene/views/key_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/memory.hpp"
#include "base/language.hpp"
#include "trace/value.hpp"
#include "words/names.hpp"

namespace upsweep {

Colour KeyPen::colour(const KeyPass::Key& k, bool after) const {
  const Theme& t = p_.theme;
  if (pass_.run_length > 0)
    return (after ? k.place : k.index) / pass_.run_length % 2 != 0 ? t.broadcast : t.now;
  if (pass_.bits == 0) return t.now;
  const std::uint32_t digit = pass_.digit(order(k));
  if (pass_.bits == 1) return digit == 0 ? t.now : t.broadcast;
  // Divides the range of colours equally between the digits that occur.
  const auto rank = std::lower_bound(pass_.digits.begin(), pass_.digits.end(), digit) - pass_.digits.begin();
  return range_colour(
      t, static_cast<float>(rank) / static_cast<float>(std::max<std::size_t>(2, pass_.digits.size()) - 1));
}

Id KeyPen::id_of(const KeyPass::Key& k) const {
  if (!k.known || k.element == Moves::none) return {};
  ElementId id{static_cast<int>(k.element), {}};
  if (k.event < trace().events.size()) id.by = access_in_block(in_, k.event, k.lane);
  return id;
}

int KeyPen::shown_bits() const {
  return pass_.kind == KeyPass::Kind::digit ? 32 : std::clamp((pass_.varying_bits + 3) / 4 * 4, 4, 32);
}

bool KeyPen::has_values() const {
  return std::ranges::any_of(pass_.before, [](const KeyPass::Key& k) { return k.value.has_value(); });
}
std::string KeyPen::key_text(const KeyPass::Key& k) const { return short_text(k.key, trace().settings, 8); }
std::string KeyPen::value_text(const KeyPass::Key& k) const {
  return k.value ? short_text(*k.value, trace().settings, Cells::words, 8) : "";
}

void KeyPen::chip(const Box& box, const std::string& text, const KeyPass::Key& k, std::optional<Colour> frame,
                  float size) {
  const Theme& t = p_.theme;
  const bool marked = is_marked(k);
  RectStyle style{.fill = t.panel, .stroke = t.cell_stroke, .width = 1, .radius = 4};
  if (frame) style.fill = mix(t.background, *frame, marked ? 0.34f : 0.16f), style.stroke = *frame;
  if (marked) style.stroke = t.text, style.width = 1.8f;
  p_.rect(box, style, id_of(k));
  p_.text({box.x + box.w / 2, box.y + box.h / 2}, text, t.text, size, Face::mono, Align::centre);
}

void KeyPen::arrow(Point from, Point to, Course course, const KeyPass::Key& k) {
  const Theme& t = p_.theme;
  const bool now =
      k.event < trace().events.size() && static_cast<int>(trace().events[k.event].step) == in_.cursor.step;
  ArrowStyle style{colour(k), now ? 2.0f : 1.5f, 3};
  if (!k.arrived) style = {mix(t.background, style.colour, 0.4f), 1, 3};
  if (is_marked(k)) style.width = 3, style.head = 4;
  if (is_pointed(k)) style = {t.text, 2.5f, 4};
  draw_arrow(p_, from, to, course, style, id_of(k));
}

std::vector<KeyPen::EqualLine> KeyPen::lines_of_equal_keys() const {
  constexpr int most_tracks = 8;
  std::map<std::uint32_t, std::vector<const KeyPass::Key*>> groups;
  for (const KeyPass::Key& k : pass_.after)
    if (k.known && k.element != Moves::none) groups[order(k)].push_back(&k);
  std::vector<EqualLine> all;
  for (const auto& [bits, keys] : groups) {
    if (keys.size() < 2) continue;
    EqualLine line;
    for (const KeyPass::Key* k : keys) {
      line.in_order = line.in_order && (line.at.empty() || keys[line.at.size() - 1]->element < k->element);
      line.at.push_back(k->index);
    }
    all.push_back(std::move(line));
  }
  std::sort(all.begin(), all.end(), [](const EqualLine& a, const EqualLine& b) { return a.at < b.at; });
  std::vector<std::int64_t> ends;  // for each track, the index of the key at which its last line ends
  for (EqualLine& line : all) {
    const auto free =
        std::find_if(ends.begin(), ends.end(), [&](std::int64_t end) { return end < line.at[0]; });
    line.track = static_cast<int>(free - ends.begin());
    if (line.track == most_tracks) return {};
    if (free == ends.end()) ends.push_back(0);
    ends[static_cast<std::size_t>(line.track)] = line.at.back();
  }
  return all;
}

int KeyPen::tracks(const std::vector<EqualLine>& lines) {
  int last = -1;
  for (const EqualLine& line : lines) last = std::max(last, line.track);
  return last + 1;
}

void KeyStrips::draw() {
  const Theme& t = p_.theme;
  const float header = 18, wide = std::clamp(box_.w * 0.28f, 16.0f, 16.0f * static_cast<float>(shown_bits()));
  const Box left{box_.x, box_.y + header, wide, box_.h - header},
      right{box_.x + box_.w - wide, left.y, wide, left.h};
  if (left.h < 8 || box_.w < 3 * wide) return;
  const int grid = grid_index(trace(), pass_.last_step);
  for (const auto& [b, array, when] :
       {std::tuple(left, pass_.from, tr("before")), std::tuple(right, pass_.to, tr("after"))})
    p_.text({b.x, box_.y + header / 2},
            cut(fmt::format("{} {}", array_name(trace(), array, grid), when), 11, Face::regular, wide),
            t.faint_text, 11);
  const float at_key = left.h / static_cast<float>(std::max<std::int64_t>(1, pass_.size));
  const auto y = [&](std::int64_t index) { return left.y + at_key * (static_cast<float>(index) + 0.5f); };
  const auto most_arrows = static_cast<std::size_t>(std::clamp(left.h / 5, 8.0f, 160.0f));
  const std::size_t each = (pass_.before.size() + most_arrows - 1) / most_arrows;
  const auto arrow = [&](const KeyPass::Key& k, Colour c, float w) {
    draw_arrow(p_, {left.x + left.w + 4, y(k.index)}, {right.x - 4, y(k.place)}, Course::across, {c, w, 0},
               id_of(k));
  };
  for (const bool arrived : {false, true})
    for (std::size_t i = 0; i < pass_.before.size(); i += each)
      if (const KeyPass::Key& k = pass_.before[i]; shows_place(k) && k.arrived == arrived)
        arrow(k, mix(t.background, colour(k), arrived ? 0.9f : 0.4f), is_marked(k) ? 2.5f : 1);
  for (const KeyPass::Key& k : pass_.before)
    if (is_pointed(k) && shows_place(k)) arrow(k, t.text, 2);
  picture(pass_.before, left, false);
  picture(pass_.after, right, true);
  // Draws lines at the outer sides of the pictures, in the rows of the two marked keys.
  const auto mark = [&](const KeyPass::Key& k, float x) {
    if (is_marked(k)) p_.line({x, y(k.index)}, {x + 10, y(k.index)}, t.text, 2);
  };
  for (const KeyPass::Key& k : pass_.before) mark(k, left.x - 10);
  for (const KeyPass::Key& k : pass_.after)
    if (k.arrived) mark(k, right.x + wide);
  legend({left.x + wide + 12, box_.y, right.x - left.x - wide - 24, header});
  const auto targets = std::min<std::size_t>(pass_.before.size(), static_cast<std::size_t>(left.h / 3));
  const float high = left.h / static_cast<float>(std::max<std::size_t>(1, targets));
  for (std::size_t i = 0; i < targets; ++i)
    if (const Id id = id_of(pass_.before[i * pass_.before.size() / targets]); !is_nothing(id))
      p_.target({left.x, left.y + high * static_cast<float>(i), left.w, high}, id);
}

void KeyStrips::legend(const Box& room) {
  const std::string rows = tr("a row is a key, and a column is a bit, {} to 0", shown_bits() - 1),
                    digit = tr("coloured: {}", bits_text(pass_));
  const std::string words =
      pass_.bits == 0
          ? rows
          : first_fitting({fmt::format("{}{}{}", rows, tr("; "), digit), rows}, 11, Face::regular, room.w);
  p_.text({room.x + room.w / 2, room.y + room.h / 2}, cut(words, 11, Face::regular, room.w),
          p_.theme.faint_text, 11, Face::regular, Align::centre);
}

void KeyStrips::picture(const std::vector<KeyPass::Key>& keys, Box box, bool after) {
  const Theme& t = p_.theme;
  const int bits = shown_bits(),
            rows = static_cast<int>(std::min<float>(static_cast<float>(keys.size()), box.h));
  if (rows == 0) return;
  GridShape grid{box, bits, rows, {}};
  const Colour zero = mix(t.background, t.ghost_text, 0.12f), one = mix(t.background, t.ghost_text, 0.75f);
  for (int r = 0; r < rows; ++r) {
    const KeyPass::Key& k = keys[static_cast<std::size_t>(r) * keys.size() / static_cast<std::size_t>(rows)];
    for (int bit = bits - 1; bit >= 0; --bit) {
      const bool is_one = (order(k) >> bit & 1) != 0;
      const bool decides = bit >= pass_.low_bit && bit < pass_.low_bit + pass_.bits;
      Colour c = is_one ? one : zero;
      if (decides) c = mix(t.background, colour(k, after), pass_.bits == 1 || is_one ? 1.0f : 0.45f);
      if (pass_.run_length > 0) c = mix(t.background, colour(k, after), is_one ? 0.8f : 0.16f);
      if (!k.known || k.element == Moves::none || (after && !k.arrived)) c = mix(t.background, t.line, 0.5f);
      grid.colours.push_back(c);
    }
  }
  p_.scene.shapes.push_back({std::move(grid), {}});
}

std::string bits_text(const KeyPass& pass) {
  return pass.bits == 1 ? tr("bit {}", pass.low_bit)
                        : tr("bits {} to {}", pass.low_bit, pass.low_bit + pass.bits - 1);
}

std::string array_name(const Trace& trace, const KeyPass::Array& array, int grid) {
  return array.buffer >= 0 ? buffer_name(trace, array.buffer)
                           : shared_name(trace.grids[static_cast<std::size_t>(grid)].shared, 0, 0);
}

}  // namespace upsweep
