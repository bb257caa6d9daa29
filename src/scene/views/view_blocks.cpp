// The view "Blocks" shows the communication between blocks during the run. A block has a row with a bar,
// which goes from the block's beginning to the block's end. The bar changes its colour when the block
// publishes something.
//
// A line across all rows marks the shown time, and the user can drag this line.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/memory.hpp"
#include "base/language.hpp"
#include "scene/views/blocks_picture.hpp"
#include "scene/views/tip_lines.hpp"
#include "words/names.hpp"
#include "words/time_words.hpp"

namespace upsweep {
namespace {

// Returns the row of a slider. Returns TimeLine::none for the slider that belongs to all rows. Also returns
// TimeLine::none if the id is not a slider of this view.
std::uint32_t row_of_slider(const TimeLine& line, const Id& id) {
  const auto* slider = as<SliderId>(id);
  return slider && slider->view == time_view && is_index(slider->slider, line.rows.size())
             ? static_cast<std::uint32_t>(slider->slider)
             : TimeLine::none;
}
std::uint32_t row_under(const TimeLine& line, const Id& id) {
  if (const auto* block = as<BlockId>(id)) return row_of(line, block->grid, block->block);
  return row_of_slider(line, id);
}

std::uint64_t shown_time(const TimeLine& line, const Trace& trace, const Cursor& cursor) {
  if (cursor.time < 0) return std::min(line.end, time_of_step(line, trace, cursor));
  return std::min(line.end, static_cast<std::uint64_t>(cursor.time));
}

// Returns a text about the place of a block, such as "block 17 on multiprocessor 66". The emulator has no
// multiprocessors, so the text then names the slot in the emulator, such as "block 17 in slot 3".
std::string where_text(const Trace& trace, const TimeLine::Row& row) {
  const std::string block =
      tr("block ") + block_text(trace.grids[static_cast<std::size_t>(row.grid)], row.block);
  if (row.sm < 0) return block;
  return fmt::format("{} {} {}", block,
                     trace.machine == MachineKind::gpu ? tr("on multiprocessor") : tr("in slot"), row.sm);
}

std::string blocks_heading(const BlocksPicture& b) {
  const TimeLine& line = b.line;
  bool tiles = !line.rows.empty();
  for (const TimeLine::Row& row : line.rows) tiles = tiles && row.tile >= 0;
  const auto count = static_cast<std::int64_t>(line.rows.size());
  std::string text =
      tiles ? tr("{}, one block for each tile", counted(count, "tile")) : counted(count, "block");
  const auto grids = std::ssize(b.trace().grids);
  if (grids > 1) text += tr(" in {}", counted(grids, "launch", "launches"));
  std::string progress = progress_text(b.recording, b.now);
  if (const std::string_view stop = tr("."); progress.ends_with(stop))
    progress.resize(progress.size() - stop.size());
  return text + " · " + progress + tr(" · drag to choose the time");
}

ViewPicture draw_blocks(const ViewInput& in) {
  ViewPen pen(in);
  const Recording& r = in.recording;
  const TimeLine& line = r.time_line();
  if (line.rows.empty()) {
    pen.title("");
    pen.sentence(tr("This recording does not say where and when its blocks ran."));
    return std::move(pen).picture();
  }
  const Trace& trace = r.trace;
  BlocksPicture b{.pen = pen,
                  .in = in,
                  .recording = r,
                  .line = line,
                  .now = shown_time(line, trace, in.cursor),
                  .chosen = row_of(line, grid_index(trace, in.cursor.step), in.cursor.block),
                  .hovered = row_under(line, in.cursor.hover)};
  const float bottom = pen.height - 6, room = bottom - pen.top;
  const bool side = has_blocks_side(b) && pen.width >= 860 && room >= 200;
  const float side_width = side ? std::clamp(pen.width * 0.25f, 250.0f, 360.0f) : 0;
  float names = text_width(tr("all 10,000"), 11, Face::regular);
  for (const std::size_t k : {std::size_t{0}, line.rows.size() - 1})
    names = std::max(names, text_width(row_text(r, line.rows[k]), 11, Face::bold));
  b.left = pen.margin + std::min(names, pen.width * 0.25f) + 12;
  b.right = std::max(b.left + 40, pen.width - pen.margin - (side ? side_width + 28 : 0));
  const bool legend = room >= 150, axis = room >= 40, wave = room >= 260 && line.rows.size() > 1;
  float top = pen.top + 4, low = bottom;
  if (legend) draw_blocks_legend(b, top + 8), top += 24;
  if (wave) draw_block_wave(b, low - 44, low), low -= 50;
  if (axis) low -= 18;
  draw_block_rows(b, top + (axis ? 4.0f : 0.0f), low);
  if (axis) draw_time_axis(b, top, low + 18);
  if (wave) {
    const float x = b.x(b.now);
    pen.rect({x - 0.75f, bottom - 44, 1.5f, 44}, pen.theme.text);
  }
  if (side) {
    const float x = b.right + 28;
    draw_blocks_side(b, {x, pen.top + 4, pen.width - pen.margin - x, room - 8});
  }
  std::string readout;
  if (b.hovered != TimeLine::none) {
    const TimeLine::Row& row = line.rows[b.hovered];
    readout = fmt::format("{} · {}", row_text(r, row), where_text(trace, row));
  }
  pen.title(blocks_heading(b), readout);
  return std::move(pen).picture();
}

// Returns false for OpenGL, because fragments have no blocks. OpenGL's recordings divide fragments into
// blocks only for the drawing.
bool has_blocks(const Recording& r) {
  return r.trace.runs.size() > 1 && r.trace.machine != MachineKind::opengl;
}

Lines blocks_tip(const Reading& at, const Id& id) {
  const Trace& trace = at.recording.trace;
  const auto* block = as<BlockId>(id);
  const bool slides = is<SliderId>(id) && as<SliderId>(id)->view == time_view;
  if (trace.runs.empty() || trace.machine == MachineKind::opengl || (!block && !slides)) return {};
  const TimeLine& line = at.recording.time_line();
  const std::uint32_t index = row_under(line, id);
  TipLines tip;
  if (index == TimeLine::none) {
    if (slides)
      tip.add(
          tr("All blocks: the number of blocks that have begun, and the values that the blocks have "
             "published."));
    return std::move(tip.lines);
  }
  const TimeLine::Row& row = line.rows[index];
  tip.add("{} · {}", capitalised(row_text(at.recording, row)), where_text(trace, row));
  if (row.is_timed) {
    const std::string clock = line.is_clocked ? tr(" after the first block began") : "";
    tip.add(
        tr("begins at {}, ends at {}{}", time_text_of(line, row.begin), time_text_of(line, row.end), clock));
  }
  constexpr std::size_t most = 6;
  for (const TimeLine::Published& p : line.published_by(row)) {
    if (tip.lines.size() > most) break;
    if (p.cells == 1)
      tip.add(tr("publishes {} at {}", marked_value_text(at.recording, p.buffer, p.mark, p.held),
                 time_text_of(line, p.time)));
  }
  if (row.waits_from < row.waits_to)
    tip.add(tr("waits {} for other blocks", span_text(line, row.waits_to - row.waits_from)));
  if (line.is_clocked) tip.lines.emplace_back(tr("The times are from the GPU's clock, %globaltimer."));
  if (!in_focus(trace, row.grid, row.block))
    tip.lines.emplace_back(
        at.recording.is_opened
            ? tr("This block was not recorded in full.")
            : tr("Not recorded in full: click the block's name to record the whole block."));
  return std::move(tip.lines);
}

std::int64_t time_of_place(const TimeLine& line, const SliderId& slider) {
  const double share = std::clamp(static_cast<double>(slider.place) / slider_end, 0.0, 1.0);
  return static_cast<std::int64_t>(share * static_cast<double>(line.end));
}

Click click_in_blocks(const Reading& at, const Id& id) {
  if (!has_blocks(at.recording)) return {};
  if (const auto* slider = as<SliderId>(id); slider && slider->view == time_view) {
    const TimeLine& line = at.recording.time_line();
    const std::uint32_t row = row_of_slider(line, id);
    if (row == TimeLine::none) return GoToMoment{-1, 0, time_of_place(line, *slider)};
    return GoToMoment{line.rows[row].grid, line.rows[row].block, time_of_place(line, *slider)};
  }
  const auto* block = as<BlockId>(id);
  if (!block) return {};
  const bool here = block->grid == grid_index(at.recording.trace, at.cursor.step);
  return GoToBlock{here ? -1 : block->step, block->block};
}

Click drag_in_blocks(const Reading& at, const Id&, const Id& to) {
  const auto* slider = as<SliderId>(to);
  if (!has_blocks(at.recording) || !slider || slider->view != time_view) return {};
  return GoToMoment{-1, 0, time_of_place(at.recording.time_line(), *slider)};
}

// The mouse wheel goes to the next or to the previous time at which something happens.
Click turn_over_blocks(const Reading& at, const Id&, float ticks) {
  if (!has_blocks(at.recording)) return {};
  const TimeLine& line = at.recording.time_line();
  const std::uint64_t now = shown_time(line, at.recording.trace, at.cursor);
  return GoToMoment{-1, 0, static_cast<std::int64_t>(next_time(line, now, ticks > 0 ? -1 : 1))};
}

Id blocks_sees(const Id& hover) {
  if (is<BlockId>(hover)) return hover;
  const auto* slider = as<SliderId>(hover);
  return slider && slider->view == time_view ? SliderId{time_view, slider->slider} : Id();
}

// Returns true if this view is more useful than the view "Tree". If many blocks look back, a block's tree
// contains almost only edges to other blocks.
bool many_look_back(const Recording& r) {
  constexpr int many = 32;
  return std::ranges::any_of(r.trace.grids, [](const Grid& g) { return g.blocks > many; }) &&
         std::ranges::any_of(r.trace.steps, [](const Step& s) { return s.phase == Phase::look_back; });
}

bool blocks_are_ready(const Recording& r, const Cursor&) { return !has_blocks(r) || r.has_time_line(); }
void find_time_line(const Recording& r, const Cursor&, const Job& job) { r.time_line(&job); }

}  // namespace

extern const View blocks_view{.name = time_view.data(),
                              .title = tr_noop("Blocks"),
                              .home = Home::tree,
                              .draw = draw_blocks,
                              .tip = blocks_tip,
                              .click = click_in_blocks,
                              .has_something = has_blocks,
                              .comes_first = many_look_back,
                              .sees = blocks_sees,
                              .hand = Hand::its_own,
                              .turn = turn_over_blocks,
                              .drag = drag_in_blocks,
                              .shows_time = true,
                              .is_ready = blocks_are_ready,
                              .find = find_time_line};

}  // namespace upsweep
