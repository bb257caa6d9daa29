// Warps: every warp's 32 lanes. What a lane does is told by its form as well as its colour: a filled box with
// a bold number works, a hatched one is masked off, a dot waits at the barrier, a cross has exited, nothing
// is absent.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/lanes.hpp"
#include "analysis/memory.hpp"
#include "scene/bank_columns.hpp"
#include "scene/draw.hpp"
#include "scene/names.hpp"
#include "scene/paint.hpp"

namespace upsweep {
namespace {

struct Counts {
  std::array<int, 5> lanes{};  // by LaneState
  int diverged = 0, retired = 0, warps = 0;
  int of(LaneState s) const { return lanes[static_cast<int>(s)]; }
};

Counts count(const std::vector<WarpLanes>& warps) {
  Counts c;
  c.warps = static_cast<int>(warps.size());
  for (const WarpLanes& w : warps) {
    bool works = false;
    for (const LaneState s : w.lanes) {
      c.lanes[static_cast<int>(s)]++;
      works = works || s == LaneState::working;
    }
    c.diverged += w.diverged;
    c.retired += !works;
  }
  return c;
}

std::string headline(const Counts& c, bool barrier) {
  const int present = 32 * c.warps - c.of(LaneState::absent);
  const int working = c.of(LaneState::working);
  std::string text =
      fmt::format("{} of {} {}", grouped(working), counted(present, "lane"), working == 1 ? "works" : "work");
  if (c.of(LaneState::masked) > 0) text += fmt::format(" · {} masked off", grouped(c.of(LaneState::masked)));
  if (c.of(LaneState::waiting) > 0)
    text += fmt::format(" · {} {}", grouped(c.of(LaneState::waiting)), barrier ? "waiting" : "idle");
  if (c.of(LaneState::exited) > 0) text += fmt::format(" · {} exited", grouped(c.of(LaneState::exited)));
  text += fmt::format(" · {} of {} diverged", c.diverged, counted(c.warps, "warp"));
  if (c.retired > 0) text += fmt::format(" · {} retired", counted(c.retired, "warp"));
  return text;
}

// What ends the step: where no barrier does, nobody waits at one.
bool has_barrier(const Trace& trace, int block, int step) {
  const EventRange range = step_events(trace, block, step);
  for (std::size_t i = range.first; i < range.last; i++)
    if (trace.events[i].kind == Kind::barrier) return true;
  return false;
}

std::string state_text(LaneState s, bool barrier) {
  constexpr const char* texts[] = {"working", "masked off", "waiting at the barrier", "exited", "absent"};
  return s == LaneState::waiting && !barrier ? "idle" : texts[static_cast<int>(s)];
}

void lane_box(Painter& p, Box box, LaneState state, int lane) {
  const Theme& t = p.theme;
  const float radius = std::min(4.0f, box.h / 4), cx = box.x + box.w / 2, cy = box.y + box.h / 2;
  const float size = std::min(11.0f, box.h - 1.5f);
  const std::string number = std::to_string(lane);
  const Colour idle = mix(t.background, t.ghost_text, t.dark ? 0.16f : 0.24f);
  const bool numbered = size >= 9 && text_width("31", size, Face::bold) + 2 <= box.w;
  switch (state) {
    case LaneState::working:
      p.rect(box, {.fill = numbered ? t.now_soft : t.now, .stroke = t.now, .width = 1.4f, .radius = radius});
      if (numbered) p.text({cx, cy}, number, t.now, size, Face::bold, Align::centre);
      break;
    case LaneState::masked:
      p.rect(box, {.fill = idle,
                   .stroke = mix(t.background, t.ghost_text, 0.85f),
                   .width = 0,
                   .radius = radius,
                   .hatch = true});
      break;
    case LaneState::waiting: {
      p.rect(box, {.fill = idle, .radius = radius});
      const float r = std::clamp(std::min(box.w, box.h) * 0.12f, 1.0f, 2.0f);
      p.rect({cx - r, cy - r, 2 * r, 2 * r}, {.fill = t.faint_text, .radius = r});
      break;
    }
    case LaneState::exited: {
      const float r = std::clamp(std::min(box.w, box.h) * 0.22f, 1.5f, 4.0f);
      p.cross({cx - r, cy - r, 2 * r, 2 * r}, t.ghost_text, 1);
      break;
    }
    case LaneState::absent: break;
  }
}

}  // namespace

Scene draw_warps(const ViewInput& in) {
  Painter p(in);
  const Theme& t = p.theme;
  const Trace& trace = in.recording.trace;
  const std::vector<WarpLanes> warps = warp_lanes(trace, in.cursor.block, in.cursor.step);
  const Counts counts = count(warps);
  const bool barrier = has_barrier(trace, in.cursor.block, in.cursor.step);
  const Id& hover = in.cursor.hover;
  std::string readout;
  const int hovered = hover.warp * 32 + hover.lane;
  if (hover.what == Id::What::lane && hover.lane >= 0 && hover.warp >= 0 && hover.warp < counts.warps)
    readout = fmt::format("thread {} · warp {}, lane {} · {}", hovered, hover.warp, hover.lane,
                          state_text(warps[hover.warp].lanes[hover.lane], barrier));
  p.title("Warps", headline(counts, barrier), readout);
  if (warps.empty()) return std::move(p.scene);

  // One column of warps under the banks while they fit; else as many columns as it takes.
  const float room = p.height - p.top - 6;
  int columns = 1;
  while (columns < 4 &&
         room / std::ceil(static_cast<float>(counts.warps) / static_cast<float>(columns)) < 12 &&
         counts.warps > 2 * columns)
    columns *= 2;
  const int rows = (counts.warps + columns - 1) / columns;
  float legend = rows * 14.0f + 26 <= room ? 26.0f : 0.0f;
  const float pitch = std::clamp((room - legend) / static_cast<float>(rows), 5.0f, 29.0f);
  const float gap = pitch < 10 ? 1.0f : pitch < 20 ? 2.0f : 3.0f;
  const BankColumns banks(p);
  const float label_room = columns == 1 ? banks.left - p.margin : 30.0f;
  const float stripe = (p.width - 2 * p.margin + 16) / static_cast<float>(columns);
  const float cell = columns == 1 ? banks.pitch : (stripe - 16 - label_room) / 32;
  const float cell_gap = columns == 1 ? banks.gap : cell < 8 ? 0.5f : cell < 12 ? 1.0f : 2.0f;

  for (int w = 0; w < counts.warps; w++) {
    const float x0 =
        columns == 1 ? banks.left : p.margin + stripe * static_cast<float>(w / rows) + label_room;
    const float y = p.top + pitch * static_cast<float>(w % rows), h = pitch - gap;
    if (h >= 8) {
      const std::string label =
          columns == 1 && p.width >= 640 ? fmt::format("warp {}", w) : std::to_string(w);
      p.text({x0 - (columns == 1 ? 12.0f : 8.0f), y + h / 2}, label,
             warps[w].diverged ? t.text : t.faint_text, h >= 11 ? 11.0f : 10.0f,
             warps[w].diverged ? Face::bold : Face::regular, Align::right);
    }
    for (int lane = 0; lane < 32; lane++) {
      const LaneState state = warps[w].lanes[lane];
      if (state == LaneState::absent) continue;
      const Box box{x0 + cell * static_cast<float>(lane), y, cell - cell_gap, h};
      lane_box(p, box, state, lane);
      if (hover.lane == lane && hover.warp == w)
        p.rect({box.x - 1, box.y - 1, box.w + 2, box.h + 2},
               {.stroke = t.text, .width = 2, .radius = std::min(5.0f, h / 3)});
      Id id{.what = Id::What::lane, .step = in.cursor.step, .warp = w, .lane = lane};
      p.target({box.x, y, cell, pitch}, id);
    }
  }

  // What the forms mean, for those that are there.
  if (legend == 0) return std::move(p.scene);
  float x = banks.left;
  const float y = p.top + pitch * static_cast<float>(rows) + 10;
  constexpr LaneState told[] = {LaneState::working, LaneState::masked, LaneState::waiting, LaneState::exited};
  for (std::size_t i = 0; i < std::size(told); i++) {
    if (counts.of(told[i]) == 0) continue;
    const std::string text = fmt::format("{}: {}", state_text(told[i], barrier), grouped(counts.of(told[i])));
    if (x + 20 + text_width(text, 11, Face::regular) > p.width - p.margin) break;
    lane_box(p, {x, y - 6, 14, 12}, told[i], 0);
    p.text({x + 20, y}, text, t.faint_text, 11);
    x += 20 + text_width(text, 11, Face::regular) + 20;
  }
  return std::move(p.scene);
}

}  // namespace upsweep
