// Draws the parts of the view "Blocks". All parts share one picture, and use the same time axis, the same
// shown time and the cursor's block.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>

#include "analysis/memory.hpp"
#include "analysis/time_line.hpp"
#include "scene/views/views.hpp"

namespace upsweep {

using MomentOf = TimeLine::Moment::Of;

struct BlocksPicture {
  ViewPen& pen;
  const ViewInput& in;
  const Recording& recording;
  const TimeLine& line;
  std::uint64_t now;          // the shown time
  std::uint32_t chosen;       // the row of the cursor's block; TimeLine::none if the block has no row
  std::uint32_t hovered;      // the row under the mouse; TimeLine::none if the mouse is over no row
  float left = 0, right = 0;  // the x of the ends of the time axis

  const Trace& trace() const { return recording.trace; }
  const TimeLine::Row& row(std::uint32_t r) const { return line.rows[r]; }
  const TimeLine::Protocol& protocol(const TimeLine::Row& r) const {
    return line.protocols[static_cast<std::size_t>(r.grid)];
  }
  float x(std::uint64_t time) const {
    const double share = static_cast<double>(std::min(time, line.end)) /
                         static_cast<double>(std::max<std::uint64_t>(1, line.end));
    return left + static_cast<float>(share) * (right - left);
  }

  // These functions return the colours for the four states of a block: the block has published nothing, has
  // published a part of its result, has published its whole result, or has ended.
  Colour nothing() const {
    return mix(pen.theme.background, pen.theme.ghost_text, pen.theme.dark ? 0.95f : 0.7f);
  }
  Colour part() const { return mix(pen.theme.background, pen.theme.now, pen.theme.dark ? 0.32f : 0.24f); }
  Colour whole() const { return pen.theme.now; }
  Colour ended() const { return pen.theme.line; }
  // Returns the look of everything after the shown time: an outline in one grey. A pale form of a state's
  // colour would look like the colour of another state.
  RectStyle later(float radius = 2) const {
    return {.stroke = pen.theme.ghost_text, .width = 1, .radius = radius};
  }
};

// Draws the rows of blocks: names at the left, bars and arrows along the time axis, and a line at the shown
// time. If there is not enough room for all rows, draws the rows around the cursor's block.
void draw_block_rows(BlocksPicture& b, float top, float bottom);
// Draws a handle at the shown time above the rows, and the axis below them.
void draw_time_axis(BlocksPicture& b, float top, float bottom);
// Draws a chart over time: how many blocks have begun, have published a part of their result, have published
// their whole result, and have ended.
void draw_block_wave(BlocksPicture& b, float top, float bottom);
// Draws one line that explains the colours.
void draw_blocks_legend(BlocksPicture& b, float y);
// Draws a list of reads, atomics or published values that connect blocks. Below, draws a chart that shows how
// far each tile looked back.
void draw_blocks_side(BlocksPicture& b, const Box& box);
// Returns true if draw_blocks_side() has anything to draw.
bool has_blocks_side(const BlocksPicture& b);

// The smallest and the largest height of a row in dp.
inline constexpr float row_pitch = 18, largest_row_pitch = 34;

}  // namespace upsweep
