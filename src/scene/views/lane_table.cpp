#include "scene/views/lane_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/language.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

constexpr float lane_head_size = 11.5f, mark_width = 24, usual_column_gap = 22, least_column_gap = 10,
                widest_title = 190;

using LaneColumn = LaneTable::Column;

float width_of_column(const LaneColumn& c, float size) {
  float width = std::min(text_width(c.title, lane_head_size, Face::mono), widest_title);
  for (const std::string& cell : c.cells) width = std::max(width, text_width(cell, size, Face::mono));
  return width;
}

struct PlacedColumn {
  const LaneColumn* column;
  float x, width;
};

// Places the columns side by side. Leaves out columns until the remaining columns fit, but keeps at least two
// columns. Then spreads the remaining columns over the room. A gap is at most twice the usual gap.
std::vector<PlacedColumn> placed_columns(const LaneTable& table, float left, float room, float size) {
  std::vector<const LaneColumn*> kept;
  for (const LaneColumn& c : table.columns) kept.push_back(&c);
  const auto needed = [&](float gap) {
    float all = -gap;
    for (const LaneColumn* c : kept) all += width_of_column(*c, size) + gap;
    return all;
  };
  while (kept.size() > 2 && needed(least_column_gap) > room)
    kept.erase(std::prev(std::max_element(  // if ranks are equal, erases the last column
                             kept.rbegin(), kept.rend(),
                             [](const LaneColumn* a, const LaneColumn* b) { return a->rank < b->rank; })
                             .base()));
  const float gap = kept.size() < 2 ? usual_column_gap
                                    : std::clamp(usual_column_gap + (room - needed(usual_column_gap)) /
                                                                        static_cast<float>(kept.size() - 1),
                                                 least_column_gap, 2 * usual_column_gap);
  std::vector<PlacedColumn> all;
  for (const LaneColumn* c : kept) {
    const float width =
        std::min(width_of_column(*c, size),
                 std::max(0.0f, left + room - (all.empty() ? left : all.back().x + all.back().width + gap)));
    const float x = all.empty() ? left : all.back().x + all.back().width + gap;
    all.push_back({c, x, width});
  }
  return all;
}

void put_cell(Painter& p, const PlacedColumn& at, float y, const std::string& text, Colour colour, float size,
              Face face) {
  const bool right = at.column->is_number;
  p.text({right ? at.x + at.width : at.x, y}, cut(text, size, face, at.width + 1), colour, size, face,
         right ? Align::right : Align::left);
}

Colour ground_of_row(const Theme& t, LaneTable::Tone tone) {
  switch (tone) {
    case LaneTable::Tone::first: return t.conflict_soft;
    case LaneTable::Tone::second: return t.now_soft;
    case LaneTable::Tone::broadcast: return t.broadcast_soft;
    case LaneTable::Tone::plain: break;
  }
  return {0, 0, 0, 0};
}

}  // namespace

int lane_rows(const LaneTable& table) {
  return static_cast<int>(
      std::count_if(table.rows.begin(), table.rows.end(), [](const auto& row) { return row.active; }));
}

float lane_table_height(const LaneTable& table, int shown, float row) {
  const float more = shown < lane_rows(table) ? folded_row : 0;
  return lane_head + row * static_cast<float>(shown) + more +
         folded_row * static_cast<float>(table.folded.size()) + 4;
}

void draw_lane_table(Painter& p, const LaneTable& table, const Box& box) {
  const Theme& t = p.theme;
  const int all = lane_rows(table);
  int shown = all;
  const float least =
      lane_table_height(table, all, lowest_lane_row) <= box.h ? lowest_lane_row : least_lane_row;
  while (shown > 0 && lane_table_height(table, shown, least) > box.h) --shown;
  const float spare = box.h - lane_table_height(table, shown, 0);
  const float pitch =
      shown == 0 ? least : std::clamp(spare / static_cast<float>(shown), least, most_lane_row);
  const float size = std::clamp(pitch - 3, 9.0f, 13.0f);
  const float left = box.x + 8 + (table.keeps_marks ? mark_width : 0);
  const std::vector<PlacedColumn> columns = placed_columns(table, left, box.x + box.w - 8 - left, size);
  float y = box.y + lane_head / 2;
  for (const PlacedColumn& c : columns)
    put_cell(p, c, y, c.column->title, t.faint_text, lane_head_size, Face::mono);
  y = box.y + lane_head;
  const float end = columns.empty() ? left : columns.back().x + columns.back().width + 8;
  p.line({box.x, y - 3}, {end, y - 3}, t.line);
  int drawn = 0;
  for (std::size_t lane = 0; lane < table.rows.size() && drawn < shown; ++lane) {
    const LaneTable::Row& row = table.rows[lane];
    if (!row.active) continue;
    ++drawn;
    const Box ground{box.x, y + 0.5f, end - box.x, pitch - 1};
    if (row.tone != LaneTable::Tone::plain)
      p.rect(ground, {.fill = ground_of_row(t, row.tone), .radius = 3}, row.id);
    if (!row.mark.empty()) {
      const float inset = pitch < 13 ? 0.5f : 2.0f;
      const Box badge{box.x + 6, y + inset, 16, pitch - 2 * inset};
      p.rect(badge, {.stroke = t.conflict, .width = 1, .radius = 3});
      p.text({badge.x + badge.w / 2, y + pitch / 2}, row.mark, t.conflict, std::min(11.0f, pitch - 2 * inset),
             Face::bold, Align::centre);
    }
    for (const PlacedColumn& c : columns) {
      const bool marked = c.column->is_strong && !row.mark.empty();
      put_cell(p, c, y + pitch / 2, c.column->cells[lane], marked ? t.conflict : t.text, size, Face::mono);
    }
    if (row.is_lit) p.rect(ground, {.stroke = t.text, .width = 1.5f, .radius = 3});
    p.target({box.x, y, end - box.x, pitch}, row.id);
    y += pitch;
  }
  const float room = box.x + box.w - left;
  const auto line = [&](const std::string& text) {
    if (y + folded_row > box.y + box.h + 1) return;
    p.text({left, y + folded_row / 2 + 1}, cut(text, 11.5f, Face::regular, room), t.faint_text, 11.5f);
    y += folded_row;
  };
  if (shown < all)
    line(
        tr("{more_lanes_do} not fit here",
           fmt::arg("more_lanes_do", counted(all - shown, "more active lane does", "more active lanes do"))));
  for (const std::string& text : table.folded) line(text);
}

}  // namespace upsweep
