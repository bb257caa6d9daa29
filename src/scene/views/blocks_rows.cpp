#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "base/language.hpp"
#include "scene/views/blocks_picture.hpp"
#include "words/names.hpp"
#include "words/time_words.hpp"

namespace upsweep {
namespace {

constexpr float row_text_size = 11;
// The distances in dp by which arrows bend to the left: the bend of the first arrow, the increase from each
// arrow to the next arrow, and the greatest bend.
constexpr float least_bend = 16, more_bend = 5, most_bend = 90;

class BlockRows {
 public:
  BlockRows(BlocksPicture& b, float top, float bottom)
      : b_(b), p_(b.pen), t_(b.pen.theme), line_(b.line), top_(top) {
    const int all = static_cast<int>(line_.rows.size());
    pitch_ = std::clamp((bottom - top) / static_cast<float>(all), row_pitch, largest_row_pitch);
    shown_ = std::clamp(static_cast<int>((bottom - top) / pitch_), 0, all);
    first_ = first_of(all);
    texts_.resize(static_cast<std::size_t>(shown_));
  }

  void draw() {
    place_labels();
    for (int k = 0; k < shown_; ++k) row(first_ + k);
    launches();
    const float now = b_.x(b_.now);
    p_.rect({now - 0.75f, top_ - 4, 1.5f, pitch_ * static_cast<float>(shown_) + 6}, t_.text);
    if (b_.hovered != TimeLine::none && b_.hovered != b_.chosen) arrows(b_.hovered, false);
    if (b_.chosen != TimeLine::none) arrows(b_.chosen, true);
  }

 private:
  // Returns the first shown row. Rows are shown in pages, and each page begins with the last rows of the
  // previous page. So the picture seldom moves when the cursor moves by a few rows, and the tiles before the
  // cursor's tile are nearly always visible.
  int first_of(int all) const {
    const int chosen = b_.chosen == TimeLine::none ? 0 : static_cast<int>(b_.chosen);
    const int repeated = std::min(8, shown_ / 2), own = std::max(1, shown_ - repeated);
    const int page = chosen < shown_ ? 0 : 1 + (chosen - shown_) / own;
    return std::clamp(page == 0 ? 0 : shown_ + (page - 1) * own - repeated, 0, all - shown_);
  }
  bool is_shown(std::uint32_t r) const {
    return r != TimeLine::none && static_cast<int>(r) >= first_ && static_cast<int>(r) < first_ + shown_;
  }
  float y_of(int r) const { return top_ + pitch_ * (static_cast<float>(r - first_) + 0.5f); }

  void row(int index) {
    const auto r = static_cast<std::uint32_t>(index);
    const TimeLine::Row& row = line_.rows[r];
    const float y = y_of(index);
    const bool chosen = r == b_.chosen, lit = r == b_.hovered;
    const float edge = b_.left - 8;
    if (chosen || lit)
      p_.rect({p_.margin - 6, y - pitch_ / 2, b_.right - p_.margin + 10, pitch_},
              {.fill = chosen ? t_.now_soft : mix(t_.background, t_.now_soft, 0.5f), .radius = 3});
    const Face face = chosen ? Face::bold : Face::regular;
    p_.text({edge, y}, cut(row_text(b_.recording, row), row_text_size, face, edge - p_.margin),
            chosen ? t_.text : t_.faint_text, row_text_size, face, Align::right);
    const int first_step = static_cast<int>(b_.trace().grids[static_cast<std::size_t>(row.grid)].first_step);
    p_.target({p_.margin - 6, y - pitch_ / 2, std::max(1.0f, b_.left - p_.margin + 6), pitch_},
              BlockId{first_step, row.grid, row.block});
    p_.target({b_.left, y - pitch_ / 2, std::max(1.0f, b_.right - b_.left), pitch_},
              SliderId{time_view, index});
    if (!row.is_timed) {
      note(index, b_.left + 4, tr("not recorded"), t_.faint_text, b_.right);
      return;
    }
    const bool numbered = row.number >= 0 && row.tile < 0 && row.drawn <= b_.now;
    const Box disc = numbered ? disc_of(row, y) : Box{};
    if (numbered) take(index, disc.x, disc.x + disc.w);
    bars(index, row, y);
    marks(row, y);
    if (!numbered) return;
    p_.rect(disc, t_.text, disc.h / 2);
    p_.text({disc.x + disc.w / 2, y}, std::to_string(row.number), t_.background, 10, Face::bold,
            Align::centre);
  }

  // Draws a bar from one time to another time. The part after the shown time is only an outline.
  void bar(std::uint64_t from, std::uint64_t to, float y, float height, Colour colour) {
    const float a = b_.x(from), b = std::max(a + 1.5f, b_.x(to)), now = std::clamp(b_.x(b_.now), a, b);
    const float reached = from <= b_.now ? std::max(now, std::min(b, a + 1.5f)) : a;
    const auto piece = [&](float begin, float end, const RectStyle& style) {
      if (end - begin >= 0.25f) p_.rect({begin, y - height / 2, end - begin, height}, style);
    };
    piece(a, reached, {.fill = colour, .radius = 2});
    piece(reached, b, b_.later());
  }

  void bars(int index, const TimeLine::Row& row, float y) {
    const std::uint64_t end = std::max(row.begin, row.end), part = std::clamp(row.part, row.begin, end),
                        whole = std::clamp(row.whole, part, end);
    const float full = std::min(pitch_ - 4, 20.0f);
    if (part > row.begin || row.part == UINT64_MAX) bar(row.begin, part, y, full * 0.45f, b_.nothing());
    if (row.part != UINT64_MAX && whole > part) bar(part, whole, y, full * 0.8f, b_.part());
    if (row.whole != UINT64_MAX) bar(whole, end, y, full, b_.whole());
    if (row.waits_from < row.waits_to) {
      const std::uint64_t from = std::clamp(row.waits_from, row.begin, end);
      const float a = b_.x(from), b = b_.x(std::min({row.waits_to, b_.now, end}));
      if (b - a >= 2)
        p_.rect({a, y - full * 0.4f, b - a, full * 0.8f},
                {.fill = {0, 0, 0, 0}, .stroke = t_.faint_text, .radius = 2, .hatch = true});
    }
    // Draws the first and the last published value as text, at the x of the time when the block published the
    // value.
    for (const TimeLine::Published& published : line_.published_by(row)) {
      if (published.time > b_.now || published.held.buffer < 0) continue;
      const bool is_final = published.time == row.whole, is_first = published.time == row.part;
      if (!is_final && !is_first) continue;
      const float to = b_.x(is_final ? end : whole);
      note(index, b_.x(published.time) + 5,
           marked_value_text(b_.recording, published.buffer, published.mark, published.held),
           is_final && b_.x(std::min(b_.now, end)) >= b_.x(published.time) + 24 ? t_.on_now : t_.text,
           is_final ? std::min(to, b_.x(b_.now)) : to);
    }
  }

  // Returns the box for the number that a block got from a counter.
  Box disc_of(const TimeLine::Row& row, float y) const {
    const float r = std::min(8.0f, pitch_ / 2 - 1);
    const float w = std::max(2 * r, text_width(std::to_string(row.number), 10, Face::bold) + 8);
    const float x = std::clamp(b_.x(row.drawn), b_.left + w / 2, std::max(b_.left + w / 2, b_.right - w / 2));
    return {x - w / 2, y - r, w, 2 * r};
  }

  // Draws atomics and launches as marks on the bar.
  void marks(const TimeLine::Row& row, float y) {
    const float height = std::min(pitch_ - 4, 20.0f);
    float drawn_to = -1e9f;
    for (const std::uint32_t at : line_.moments_of(row)) {
      const TimeLine::Moment& m = line_.moments[at];
      if (m.of != MomentOf::atomic && m.of != MomentOf::launch) continue;
      const float x = b_.x(m.time);
      if (x < drawn_to + 2) continue;
      drawn_to = x;
      const Colour colour = m.time <= b_.now ? t_.text : t_.ghost_text;
      if (m.of == MomentOf::atomic) p_.rect({x - 1, y - height / 2, 2, height}, colour, 1);
      else p_.triangle({x - 3, y - 5}, {x - 3, y + 5}, {x + 4, y}, colour);
    }
  }

  // Draws a text in a row if there is enough room. The text must end before `to`, and must not cover the line
  // of the shown time or another text. Returns whether the text was drawn.
  bool note(int index, float x, const std::string& text, Colour colour, float to) {
    const float w = text_width(text, row_text_size, Face::regular);
    const float now = b_.x(b_.now);
    // True if the line of the shown time would cross the text.
    const bool is_cut = x < now && now < x + w + 3;
    if (text.empty() || x + w + 4 > to || is_cut || !is_free(index, x, x + w)) return false;
    p_.text({x, y_of(index)}, text, colour, row_text_size);
    take(index, x, x + w);
    return true;
  }
  bool is_free(int index, float from, float to) const {
    for (const auto& [a, b] : texts_[static_cast<std::size_t>(index - first_)])
      if (from < b + 3 && to > a - 3) return false;
    return true;
  }
  void take(int index, float from, float to) {
    texts_[static_cast<std::size_t>(index - first_)].emplace_back(from, to);
  }

  // Draws a curve between two rows. Both points are at the same time, so they have the same x. The curve
  // bends to the left by `bend`, and has an arrowhead at the end.
  void curve(Point from, Point to, float bend, Colour colour, float width) {
    constexpr int pieces = 14;
    Point before = from;
    for (int k = 1; k <= pieces; ++k) {
      const float s = static_cast<float>(k) / pieces, u = 1 - s;
      const float cx1 = from.x - bend, cx2 = to.x - bend - 6;
      const Point next{
          u * u * u * from.x + 3 * u * u * s * cx1 + 3 * u * s * s * cx2 + s * s * s * (to.x - 6),
          u * u * u * from.y + 3 * u * u * s * from.y + 3 * u * s * s * to.y + s * s * s * to.y};
      p_.line(before, next, colour, width);
      before = next;
    }
    p_.triangle({to.x, to.y}, {to.x - 7, to.y - 4}, {to.x - 7, to.y + 4}, colour);
  }

  // A value that a block has read. The label stands beside the arrow to the block that published the value.
  struct Label {
    int index;
    float x, width;
    std::string text;
  };
  // Chooses and reserves places for the values that the cursor's block has read, so that no other text covers
  // these values.
  void place_labels() {
    if (b_.chosen == TimeLine::none || !is_shown(b_.chosen)) return;
    const int chosen = static_cast<int>(b_.chosen);
    float bend = least_bend;
    for (const TimeLine::Look& look : line_.looks_of(line_.rows[b_.chosen])) {
      if (!look.is_used || look.asked > b_.now || !is_shown(look.target)) continue;
      const bool answered = look.answered <= b_.now;
      const float at = b_.x(answered ? look.answered : b_.now);
      const int target = static_cast<int>(look.target);
      for (int index = std::min(chosen, target); index <= std::max(chosen, target); ++index)
        take(index, at - 0.8f * bend, at);
      bend = std::min(bend + more_bend, most_bend);
      const std::uint32_t mark = line_.seen_in(look).back().mark;
      const std::string value = answered ? held_text(b_.recording, look.held) : "";
      Label label{static_cast<int>(look.target), b_.x(answered ? look.answered : b_.now) + 4, 0, {}};
      label.text = !answered       ? tr("nothing yet")
                   : value.empty() ? mark_text(b_.recording, look.buffer, mark)
                                   : fmt::format("{} {}", operation_sign(b_.trace().settings.op), value);
      label.width = text_width(label.text, 10.5f, Face::bold) + 8;
      if (label.x + label.width > b_.right) continue;
      take(label.index, label.x, label.x + label.width);
      labels_.push_back(std::move(label));
    }
  }

  // Draws an arrow for each value that a block has read up to the shown time. The arrow goes from this block
  // to the block that published the value.
  void arrows(std::uint32_t r, bool strong) {
    if (!is_shown(r)) return;
    float bend = least_bend;
    for (const TimeLine::Look& look : line_.looks_of(line_.rows[r])) {
      if (!look.is_used || look.asked > b_.now || !is_shown(look.target)) continue;
      const bool answered = look.answered <= b_.now;
      const float x = b_.x(answered ? look.answered : b_.now);
      curve({x, y_of(static_cast<int>(r))}, {x, y_of(static_cast<int>(look.target))},
            std::min(bend, std::max(10.0f, x - b_.left - 4)), strong && answered ? t_.text : t_.faint_text,
            strong ? 1.5f : 1.0f);
      bend = std::min(bend + more_bend, most_bend);
    }
    if (!strong) return;
    for (const Label& label : labels_) {
      const float y = y_of(label.index);
      p_.rect({label.x, y - 7.5f, label.width, 15},
              {.fill = t_.background, .stroke = t_.text, .width = 1, .radius = 4});
      p_.text({label.x + 4, y}, label.text, t_.text, 10.5f, Face::bold);
    }
  }

  // For each child grid, draws an arrow from the block that launched the grid to the grid's first row. Draws
  // no arrow if one of these two rows is not shown.
  void launches() {
    for (int index = first_; index < first_ + shown_; ++index) {
      const TimeLine::Row& row = line_.rows[static_cast<std::size_t>(index)];
      const Grid& grid = b_.trace().grids[static_cast<std::size_t>(row.grid)];
      if (row.block != 0 || grid.parent < 0 || grid.parent_event >= b_.trace().events.size()) continue;
      const Event& e = b_.trace().events[grid.parent_event];
      const std::uint32_t parent = row_of(line_, e.grid, static_cast<int>(e.block));
      if (!is_shown(parent) || !row.is_timed) continue;
      const std::uint64_t at = line_.time_of(b_.trace(), grid.parent_event);
      const bool is_past = row.begin <= b_.now;
      const float from = b_.x(at), to = b_.x(row.begin), y = y_of(index);
      const Colour colour = is_past ? t_.faint_text : t_.ghost_text;
      p_.line({from, y_of(static_cast<int>(parent))}, {from, y}, colour);
      p_.line({from, y}, {std::max(from, to - 5), y}, colour);
      p_.triangle({to, y}, {to - 6, y - 3.5f}, {to - 6, y + 3.5f}, colour);
    }
  }

  BlocksPicture& b_;
  ViewPen& p_;
  const Theme& t_;
  const TimeLine& line_;
  const float top_;
  float pitch_ = row_pitch;
  int shown_ = 0, first_ = 0;
  std::vector<Label> labels_;
  // For each shown row, the ranges of x that contain text.
  std::vector<std::vector<std::pair<float, float>>> texts_;
};

}  // namespace

void draw_block_rows(BlocksPicture& b, float top, float bottom) { BlockRows(b, top, bottom).draw(); }

void draw_time_axis(BlocksPicture& b, float top, float bottom) {
  ViewPen& p = b.pen;
  const Theme& t = p.theme;
  const float x = b.x(b.now), y = bottom - 7;
  p.triangle({x, top + 5}, {x - 5, top - 3}, {x + 5, top - 3}, t.text);
  const std::string now = tr("now ") + time_of_run_text(b.line, b.now);
  const std::string words =
      first_fitting({now, tr("now")}, 11, Face::bold, std::max(0.0f, b.right - b.left - 120));
  const float half = text_width(words, 11, Face::bold) / 2;
  const float at = std::clamp(x, b.left + half, std::max(b.left + half, b.right - half));
  p.text({at, y}, words, t.text, 11, Face::bold, Align::centre);
  const std::string end = span_text(b.line, b.line.end);
  if (at - half > b.left + 18) p.text({b.left, y}, "0", t.faint_text, 10.5f);
  if (at + half < b.right - text_width(end, 10.5f, Face::regular) - 10)
    p.text({b.right, y}, end, t.faint_text, 10.5f, Face::regular, Align::right);
}

void draw_block_wave(BlocksPicture& b, float top, float bottom) {
  ViewPen& p = b.pen;
  const float width = b.right - b.left, height = bottom - top;
  constexpr float step = 4;
  const int columns = std::max(1, static_cast<int>(width / step));
  const Colour colours[] = {b.whole(), b.part(), b.ended(), b.nothing()};  // the lowest layer first
  struct Column {
    std::array<float, std::size(colours)> tops;  // the y of the top of each layer
    bool is_later;
    bool operator==(const Column&) const = default;
  };
  const auto column_at = [&](int column) {
    const double time = (column + 0.5) / columns * static_cast<double>(b.line.end);
    const BlockProgress progress = progress_at(b.line, static_cast<std::uint64_t>(time));
    const float unit = height / static_cast<float>(std::max(1, progress.all));
    const int whole = std::min(progress.whole, progress.begun),
              part = std::min(progress.part, progress.begun - whole);
    const int silent_ends = std::max(0, progress.ended - whole - part);
    const int counts[] = {whole, part, silent_ends, progress.begun - whole - part - silent_ends};
    Column all{{}, time > static_cast<double>(b.now)};
    float y = bottom;
    for (std::size_t layer = 0; layer < all.tops.size(); ++layer)
      all.tops[layer] = y -= unit * static_cast<float>(std::max(0, counts[layer]));
    return all;
  };
  // Draws several equal columns as one column. Layers after the shown time are only outlines.
  const auto draw = [&](const Column& column, const Column& before, float from, float to) {
    float low = bottom;
    for (std::size_t layer = 0; layer < column.tops.size(); ++layer) {
      const float y = column.tops[layer];
      if (low - y < 0.25f) continue;
      if (!column.is_later) p.rect({from, y, to - from, low - y}, colours[layer]);
      else p.line({from, y}, {to, y}, p.theme.ghost_text);
      if (column.is_later && before.is_later && before.tops[layer] != y)
        p.line({from, before.tops[layer]}, {from, y}, p.theme.ghost_text);
      low = y;
    }
  };
  p.rect({b.left, top, width, height}, mix(p.theme.background, p.theme.line, 0.35f));
  const auto x_of = [&](int column) {
    return b.left + width * static_cast<float>(column) / static_cast<float>(columns);
  };
  int begin = 0;
  Column now = column_at(0), before{{}, false};
  for (int column = 1; column <= columns; ++column) {
    const Column next = column < columns ? column_at(column) : Column{};
    if (column < columns && next == now) continue;
    draw(now, before, x_of(begin), x_of(column));
    begin = column, before = now, now = next;
  }
  p.text({b.left - 8, (top + bottom) / 2}, tr("all {}", grouped(std::ssize(b.line.rows))), p.theme.faint_text,
         row_text_size, Face::regular, Align::right);
  p.target({b.left, top, width, height}, SliderId{time_view, static_cast<int>(b.line.rows.size())});
}

void draw_blocks_legend(BlocksPicture& b, float y) {
  ViewPen& p = b.pen;
  const Theme& t = p.theme;
  float x = b.left;
  const auto item = [&](float height, const RectStyle& style, const std::string& words) {
    const float w = 22 + text_width(words, row_text_size, Face::regular);
    if (x + w > b.right) return;
    p.rect({x, y - height / 2, 16, height}, style);
    p.text({x + 22, y}, words, t.faint_text, row_text_size);
    x += w + 18;
  };
  const auto filled = [](Colour colour) { return RectStyle{.fill = colour, .radius = 2}; };
  const TimeLine& line = b.line;
  if (line.tellers == 0) {
    item(5, filled(b.nothing()), tr("running"));
  } else {
    int grid = 0;
    for (const TimeLine::Row& row : line.rows)
      if (row.published > 0) {
        grid = row.grid;
        break;
      }
    const std::string part = part_name(b.recording, grid), whole = whole_name(b.recording, grid);
    item(5, filled(b.nothing()), tr("nothing published"));
    if (part != whole) item(9, filled(b.part()), part + tr(" published"));
    item(12, filled(b.whole()), whole + tr(" published"));
  }
  item(9, b.later(), tr("later"));
  const auto any = [&](auto has) { return std::ranges::any_of(line.rows, has); };
  if (any([](const TimeLine::Row& r) { return r.waits_from < r.waits_to; }))
    item(9, {.stroke = t.faint_text, .radius = 2, .hatch = true}, tr("waits, and reads again"));
  if (line.has_atomics && x + 90 < b.right) {
    p.rect({x + 7, y - 6, 2, 12}, t.text, 1);
    p.text({x + 16, y}, tr("atomic"), t.faint_text, row_text_size);
    x += 16 + text_width(tr("atomic"), row_text_size, Face::regular) + 18;
  }
  if (any([](const TimeLine::Row& r) { return r.number >= 0 && r.tile < 0; }) && x + 190 < b.right) {
    p.rect({x, y - 6.5f, 16, 13}, t.text, 6.5f);
    p.text({x + 8, y}, "3", t.background, 9.5f, Face::bold, Align::centre);
    p.text({x + 22, y}, tr("the block's number from the counter"), t.faint_text, row_text_size);
  }
}

}  // namespace upsweep
