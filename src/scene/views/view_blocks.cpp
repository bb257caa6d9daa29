// In the view Blocks, the upper part shows when each block ran and on which multiprocessor. If blocks
// communicate, the lower part shows when each block published something (wrote it for other blocks) or took a
// number from a counter. For look-back, it shows every tile's status over time and how far the tile looked
// back.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "analysis/block_protocol.hpp"
#include "analysis/memory.hpp"
#include "analysis/run_index.hpp"
#include "scene/views/tip_lines.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

// Returns a duration as text: "1,234 ns", "12.3 µs" or "2.07 ms" on a GPU, and a number of events on the
// emulator.
std::string duration(double amount, bool gpu) {
  if (!gpu) return counted(static_cast<std::int64_t>(amount), "event");
  if (amount < 10'000) return fmt::format("{} ns", grouped(static_cast<std::int64_t>(amount)));
  if (amount < 999'950) return fmt::format("{:.1f} µs", amount / 1e3);
  return fmt::format("{:.2f} ms", amount / 1e6);
}

// Returns null if the recording does not contain the block's run.
const BlockRun* run_of(const Trace& trace, int grid, int block) {
  const auto at =
      std::lower_bound(trace.runs.begin(), trace.runs.end(), std::pair(grid, block),
                       [](const BlockRun& run, const std::pair<int, int>& place) {
                         return std::pair<int, int>(run.grid, static_cast<int>(run.block)) < place;
                       });
  const bool found = at != trace.runs.end() && at->grid == grid && static_cast<int>(at->block) == block;
  return found ? &*at : nullptr;
}

class BlocksPicture {
 public:
  explicit BlocksPicture(const ViewInput& in)
      : p_(in),
        in_(in),
        trace_(in.recording.trace),
        grid_(grid_index(trace_, in.cursor.step)),
        talk_(in.recording.talk(grid_)),
        run_(in.recording.run()) {}

  ViewPicture draw() {
    if (trace_.runs.empty()) {
      p_.title("");
      p_.sentence("This recording does not say where and when its blocks ran.");
      return std::move(p_).picture();
    }
    left_ = p_.margin + (p_.width < 640 ? 56.0f : 88.0f);
    right_ = p_.width - p_.margin - (talk_.status >= 0 ? 96.0f : 0.0f);
    const float bottom = p_.height - 6;
    const bool both = talk_ && bottom - p_.top >= 130;
    const float middle = both ? p_.top + (bottom - p_.top) * 0.42f : bottom;
    places(p_.top, middle - (both ? 8 : 0));
    if (both) tell(middle + 8, bottom);
    p_.title(heading(), readout());
    return std::move(p_).picture();
  }

 private:
  bool gpu() const { return trace_.machine == MachineKind::gpu; }
  const Grid& grid() const { return trace_.grids[static_cast<std::size_t>(grid_)]; }

  std::string heading() const {
    const std::size_t count = trace_.runs.size(), focus = run_.in_focus();
    const auto places = static_cast<std::int64_t>(run_.rows().size());
    std::string text = fmt::format("{} on {} · {}", counted(static_cast<std::int64_t>(count), "block"),
                                   gpu() ? counted(places, "multiprocessor")
                                         : counted(places, "place of the emulator", "places of the emulator"),
                                   duration(static_cast<double>(run_.end() - run_.begin()), gpu()));
    if (trace_.grids.size() > 1)
      text +=
          fmt::format(" · {}", counted(static_cast<std::int64_t>(trace_.grids.size()), "launch", "launches"));
    if (drawn_ < count) text += fmt::format(" · {} drawn", grouped(static_cast<std::int64_t>(drawn_)));
    if (focus < count)
      text += fmt::format(" · hatched or grey: only atomics and flags are recorded · {} in full",
                          counted(static_cast<std::int64_t>(focus), "block"));
    return text;
  }

  std::string readout() const {
    const auto* hover = as<BlockId>(in_.cursor.hover);
    if (!hover) return {};
    const BlockRun* r = run_of(trace_, hover->grid, hover->block);
    if (!r) return {};
    return fmt::format("block {}{} · {} {} · {}", r->block,
                       trace_.grids.size() > 1 ? " · " + trace_.grids[r->grid].kernel : "",
                       gpu() ? "SM" : "place", r->sm,
                       duration(static_cast<double>(r->end - r->begin), gpu()));
  }

  Id id_of(int grid, int block) const {
    return BlockId{static_cast<int>(trace_.grids[static_cast<std::size_t>(grid)].first_step), grid, block};
  }
  bool lit(int grid, int block) const {
    const auto* hover = as<BlockId>(in_.cursor.hover);
    return hover && hover->grid == grid && hover->block == block;
  }
  bool chosen(int grid, int block) const { return grid == grid_ && block == in_.cursor.block; }

  // --- block × multiprocessor × time

  void places(float top, float bottom) {
    const Theme& t = p_.theme;
    const std::uint64_t begin = run_.begin(), end = run_.end();
    const int rows = static_cast<int>(run_.rows().size());
    const float axis = 16, high = bottom - top - axis;
    const float pitch = std::clamp(high / static_cast<float>(rows), 0.3f, 26.0f);
    const float gap = pitch < 3 ? 0.0f : pitch < 5 ? 0.5f : pitch < 12 ? 1.0f : 3.0f;
    const double span = static_cast<double>(std::max<std::uint64_t>(1, end - begin));
    const auto x = [&](std::uint64_t time) {
      return left_ + static_cast<float>(static_cast<double>(time - begin) / span) * (right_ - left_);
    };

    std::size_t every = 1;
    while (pitch * static_cast<float>(every) < 13) every *= 2;
    int visible = 0;
    for (int row = 0; row < rows; ++row) {
      const float y = top + pitch * static_cast<float>(row);
      if (y + pitch > bottom - axis + 1) break;
      visible = row + 1;
      if (static_cast<std::size_t>(row) % every == 0)
        p_.text({left_ - 12, y + pitch * static_cast<float>(every) / 2},
                fmt::format("{} {}", gpu() ? "SM" : "place", run_.rows()[static_cast<std::size_t>(row)].sm),
                t.faint_text, 11, Face::regular, Align::right);
      p_.line({left_, y + pitch - gap / 2}, {right_, y + pitch - gap / 2}, mix(t.background, t.line, 0.6f));
    }
    // Leaves out a block's run if it would widen the drawn part of its row by less than `least`. So a picture
    // has at most a few thousand boxes.
    constexpr float most_boxes = 4000;
    const float least = std::max(0.75f, (right_ - left_) * static_cast<float>(rows) / most_boxes);
    for (const auto& [run, row] :
         run_.with_room(trace_, visible, least, run_of(trace_, grid_, in_.cursor.block), x)) {
      const BlockRun& r = trace_.runs[run];
      drawn_++;
      const float y = top + pitch * static_cast<float>(row);
      const float a = x(r.begin), b = std::max(x(r.end), a + 1.5f);
      const bool mine = r.grid == grid_, now = chosen(r.grid, static_cast<int>(r.block));
      const Id id = id_of(r.grid, static_cast<int>(r.block));
      const float w = std::max(1.5f, b - a - (b - a > 6 ? 1.5f : 0));
      const Box box{a, y, w, pitch - gap};
      RectStyle style{.fill = mine ? mix(t.background, t.now, 0.35f) : mix(t.background, t.ghost_text, 0.4f),
                      .radius = std::min(4.0f, pitch / 5)};
      if (now) style.fill = t.now;
      if (!r.in_focus) {
        style.hatch = w > 6 && pitch > 6;
        style.fill = mix(t.background, t.ghost_text, style.hatch ? 0.15f : 0.5f);
        style.stroke = mine ? mix(t.background, t.now, 0.5f) : t.ghost_text;
      }
      p_.rect(box, style, id);
      const std::string number = std::to_string(r.block);
      const float size = std::min(11.0f, pitch - gap - 2);
      if (size >= 9 && text_width(number, size, Face::bold) + 4 <= box.w)
        p_.text({box.x + box.w / 2, box.y + box.h / 2}, number, now ? t.on_now : t.text, size,
                now ? Face::bold : Face::regular, Align::centre);
      if (lit(r.grid, static_cast<int>(r.block)))
        p_.rect({box.x - 1, box.y - 1, box.w + 2, box.h + 2}, {.stroke = t.text, .width = 2, .radius = 4});
      p_.target({box.x, y, std::max(4.0f, box.w), pitch}, id);
    }
    const float y = std::min(bottom - axis / 2, top + pitch * static_cast<float>(rows) + 9);
    p_.text({left_, y}, "0", t.faint_text, 10);
    p_.text({right_, y}, duration(span, gpu()), t.faint_text, 10, Face::regular, Align::right);
    if (right_ - left_ > 240)
      p_.text({(left_ + right_) / 2, y}, "time →", t.faint_text, 10, Face::regular, Align::centre);
  }

  // --- what blocks publish, in order of time

  float when(std::uint32_t time) const {
    const double span = std::max(1u, talk_.last - talk_.first);
    return left_ + static_cast<float>((time - std::min(time, talk_.first)) / span) * (right_ - left_);
  }
  Colour colour_of(std::uint32_t status) const {
    const Theme& t = p_.theme;
    if (status == 0) return mix(t.background, t.ghost_text, t.dark ? 0.25f : 0.35f);
    return status >= talk_.final_value ? t.now : mix(t.background, t.now, 0.45f);
  }
  std::string name_of(std::uint32_t status) const {
    const auto at = talk_.names.find(status);
    if (at != talk_.names.end()) return at->second;
    const bool message = is_message(trace_.buffers[static_cast<std::size_t>(talk_.status)].cells);
    return fmt::format("{}{}", message ? "marked " : "", status);
  }

  void tell(float top, float bottom) {
    const Theme& t = p_.theme;
    p_.line({p_.margin, top - 6}, {p_.width - p_.margin, top - 6}, t.line);
    legend(top + 6);
    const float first = top + 20, axis = 14;
    const int rows = static_cast<int>(talk_.blocks.size());
    const float pitch =
        std::clamp((bottom - first - axis) / static_cast<float>(std::max(1, rows)), 1.0f, 22.0f);
    const float height = std::max(1.0f, pitch * (pitch < 6 ? 0.8f : 0.5f));
    int every = 1;
    while (pitch * static_cast<float>(every) < 13) every *= 2;
    // If room is short, only rows around the cursor's block are shown.
    const int shown = std::min(rows, static_cast<int>((bottom - axis + 1 - first) / pitch));
    const auto mine = std::find_if(talk_.blocks.begin(), talk_.blocks.end(),
                                   [&](const BlockProtocol::Block& b) { return chosen(grid_, b.block); });
    const int middle = mine == talk_.blocks.end() ? 0 : static_cast<int>(mine - talk_.blocks.begin());
    first_row_ = std::clamp(middle - shown / 2, 0, rows - shown);
    const auto y_of = [&](int row) { return first + pitch * (static_cast<float>(row - first_row_) + 0.5f); };
    std::map<int, int> row_of_tile;  // from shown tiles to their rows
    for (int k = first_row_; k < first_row_ + shown; k++)
      row_of_tile[talk_.blocks[static_cast<std::size_t>(k)].tile] = k;
    for (int k = first_row_; k < first_row_ + shown; k++) {
      const BlockProtocol::Block& b = talk_.blocks[static_cast<std::size_t>(k)];
      const float y = y_of(k);
      const bool now = chosen(grid_, b.block);
      if ((k - first_row_) % every == 0)
        p_.text({left_ - 12, y + pitch * static_cast<float>(every - 1) / 2},
                b.tile >= 0 ? fmt::format("tile {}", b.tile) : fmt::format("block {}", b.block),
                now ? t.text : t.faint_text, 11, now ? Face::bold : Face::regular, Align::right);
      life(b, y, height);
      if (b.number >= 0 && talk_.status < 0) drawn_number(b, y, pitch);
      if (talk_.status >= 0 && b.tile > 0 && b.oldest >= 0 && (k - first_row_) % every == 0)
        p_.text({right_ + 10, y + pitch * static_cast<float>(every - 1) / 2},
                fmt::format("looked back {}", b.distance()), t.faint_text, 10.5f);
      if (lit(grid_, b.block) || now)
        p_.rect({left_ - 2, y - pitch / 2, right_ - left_ + 4, pitch},
                {.stroke = lit(grid_, b.block) ? t.text : t.now,
                 .width = lit(grid_, b.block) ? 1.5f : 1.0f,
                 .radius = 3});
      p_.target({p_.margin, y - pitch / 2, p_.width - 2 * p_.margin, pitch}, id_of(grid_, b.block));
    }
    if (talk_.status >= 0) looks_back(row_of_tile, y_of, shown, pitch);
    const std::string cut_off = shown < rows
                                    ? fmt::format("{} to {} of {} · ", grouped(first_row_ + 1),
                                                  grouped(first_row_ + shown), counted(rows, "block"))
                                    : "";
    p_.text({(left_ + right_) / 2, bottom - 4}, cut_off + "events in order →", t.faint_text, 10,
            Face::regular, Align::centre);
  }

  // Draws a bar for a block, in the colours of its status over time. The bar begins at the block's first
  // event. It ends at the last event, or at the right edge if the block has published something.
  void life(const BlockProtocol::Block& b, float y, float height) {
    const float radius = std::min(2.0f, height / 2);
    float from = when(b.first);
    std::uint32_t status = 0;
    for (const BlockProtocol::Change& change : b.changes) {
      const float to = when(change.time);
      p_.rect({from, y - height / 2, std::max(1.0f, to - from), height},
              {.fill = colour_of(status), .radius = radius});
      from = to;
      status = change.value;
    }
    const float end = status > 0 ? right_ : when(b.last);
    p_.rect({from, y - height / 2, std::max(1.0f, end - from), height},
            {.fill = colour_of(status), .radius = radius});
  }

  void drawn_number(const BlockProtocol::Block& b, float y, float pitch) {
    const Theme& t = p_.theme;
    const float x = when(b.drawn), r = std::clamp(pitch * 0.45f, 2.0f, 9.0f);
    const bool last = b.number + 1 == grid().blocks;
    p_.rect({x - r, y - r, 2 * r, 2 * r}, {.fill = last ? t.conflict : t.now, .radius = r});
    if (r >= 7) p_.text({x, y}, std::to_string(b.number), t.on_now, 10, Face::bold, Align::centre);
  }

  // Draws an arrow from each shown tile to the oldest tile that its block used, if that tile is shown.
  template <class Y>
  void looks_back(const std::map<int, int>& row_of_tile, Y y_of, int shown, float pitch) {
    const Theme& t = p_.theme;
    for (int mine = first_row_; mine < first_row_ + shown; ++mine) {
      const BlockProtocol::Block& b = talk_.blocks[static_cast<std::size_t>(mine)];
      const auto there = row_of_tile.find(b.oldest);
      if (b.oldest < 0 || b.tile < 0 || there == row_of_tile.end()) continue;
      const float x = when(b.found), from = y_of(mine), to = y_of(there->second);
      const bool strong = lit(grid_, b.block) || chosen(grid_, b.block);
      const Colour colour = strong ? t.text : faded(t.faint_text, 0.7f);
      p_.line({x, from}, {x, to}, colour, strong ? 1.6f : 1.0f);
      const float s = std::clamp(pitch * 0.3f, 2.0f, 4.0f);
      p_.triangle({x, to}, {x - s, to + 1.6f * s}, {x + s, to + 1.6f * s}, colour);
    }
  }

  void legend(float y) {
    const Theme& t = p_.theme;
    float x = left_;
    const auto item = [&](Colour colour, const std::string& words) {
      p_.rect({x, y - 4, 14, 8}, {.fill = colour, .radius = 2});
      p_.text({x + 20, y}, words, t.faint_text, 11);
      x += 20 + text_width(words, 11, Face::regular) + 18;
    };
    if (talk_.status >= 0) {
      const std::string buffer = buffer_name(trace_, talk_.status);
      item(colour_of(0), "nothing published");
      for (const std::uint32_t v : talk_.values)
        if (x < right_ - 120) item(colour_of(v), name_of(v));
      if (talk_.looked_back > 0) {
        const std::string tiles = fmt::format(
            "{:.1f} tiles on average, {} at most",
            static_cast<double>(talk_.distance) / static_cast<double>(talk_.looked_back), talk_.farthest);
        const float room = p_.width - p_.margin - x;
        p_.text({x, y},
                cut(first_fitting({fmt::format("↑ looks back to this tile · {}: {}", buffer, tiles),
                                   "↑ looks back " + tiles, "↑ looks back to this tile", "↑ looks back"},
                                  11, Face::regular, room),
                    11, Face::regular, room),
                t.text, 11);
      }
    } else {
      p_.text({x, y},
              cut(fmt::format("discs: the number that each block took from {}; the block with the last "
                              "number does the rest",
                              buffer_name(trace_, talk_.counter)),
                  11, Face::regular, right_ - x),
              t.faint_text, 11);
    }
  }

  ViewPen p_;
  const ViewInput& in_;
  const Trace& trace_;
  const int grid_;
  const BlockProtocol& talk_;
  const RunIndex& run_;
  float left_ = 0, right_ = 0;
  std::size_t drawn_ = 0;  // the number of blocks drawn in the upper part
  int first_row_ = 0;      // the first shown row of the lower part
};

ViewPicture draw_blocks(const ViewInput& in) { return BlocksPicture(in).draw(); }

// Fragments have no blocks; their recordings divide them into blocks only for the pictures.
bool has_blocks(const Recording& r) {
  return r.trace.runs.size() > 1 && r.trace.machine != MachineKind::opengl;
}

Lines blocks_tip(const Reading& at, const Id& id) {
  const Trace& trace = at.recording.trace;
  const auto* block = as<BlockId>(id);
  if (!block || !is_index(block->grid, trace.grids.size())) return {};
  TipLines tip;
  const Grid& grid = trace.grids[static_cast<std::size_t>(block->grid)];
  tip.add("Block {} · {}", block_text(grid, block->block), configuration_text(grid));
  const bool gpu = trace.machine == MachineKind::gpu;
  const BlockRun* run = run_of(trace, block->grid, block->block);
  if (!run) return std::move(tip.lines);
  const auto begin = grouped(static_cast<std::int64_t>(run->begin)),
             end = grouped(static_cast<std::int64_t>(run->end));
  if (gpu) {
    tip.add("ran on multiprocessor {} from {} to {} ns", run->sm, begin, end);
    tip.lines.emplace_back("From %smid and %globaltimer, which ticks about every 32 ns.");
  } else {
    tip.add("ran in place {} of the emulator, from event {} to {}", run->sm, begin, end);
  }
  if (!run->in_focus) tip.lines.emplace_back("not recorded in full; click to record it");
  return std::move(tip.lines);
}

Click click_in_blocks(const Reading& at, const Id& id) {
  const auto* block = as<BlockId>(id);
  if (!block) return {};
  const bool here = block->grid == grid_index(at.recording.trace, at.cursor.step);
  return GoToBlock{here ? -1 : block->step, block->block};
}

// Returns whether this view is more useful than the tree: with many blocks, the tree of a block that looks
// back shows almost only edges to other blocks.
bool many_look_back(const Recording& r) {
  constexpr int many = 32;
  return std::ranges::any_of(r.trace.grids, [](const Grid& g) { return g.blocks > many; }) &&
         std::ranges::any_of(r.trace.steps, [](const Step& s) { return s.phase == Phase::look_back; });
}

}  // namespace

extern const View blocks_view{.name = "blocks",
                              .title = "Blocks",
                              .home = Home::tree,
                              .draw = draw_blocks,
                              .tip = blocks_tip,
                              .click = click_in_blocks,
                              .has_something = has_blocks,
                              .comes_first = many_look_back,
                              .sees = sees_only<BlockId>};

}  // namespace upsweep
