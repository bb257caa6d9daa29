// The view "Warps" shows all 32 lanes of every warp. A lane's shape shows the lane's state: a filled box
// (active), a hatched box (masked off), a dot (waiting at the barrier), or a cross (exited). A missing lane
// has an empty place.
//
// If a request is chosen, active lanes that do not take part have empty boxes. If a warp diverges, the warp
// has one row for each side of the branch.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "analysis/block_index.hpp"
#include "analysis/branch_sides.hpp"
#include "analysis/lanes.hpp"
#include "analysis/memory.hpp"
#include "analysis/shared_request.hpp"
#include "analysis/step_index.hpp"
#include "base/language.hpp"
#include "scene/views/bank_columns.hpp"
#include "scene/views/lane_box.hpp"
#include "scene/views/next_request.hpp"
#include "scene/views/tip_lines.hpp"
#include "words/branch_words.hpp"
#include "words/names.hpp"
#include "words/quantities.hpp"

namespace upsweep {
namespace {

struct Counts {
  std::array<int, 5> lanes{};  // the number of lanes for each LaneState
  int diverged = 0, active_warps = 0, warps = 0;
  int of(LaneState s) const { return lanes[static_cast<int>(s)]; }
};

Counts count(const std::vector<WarpLanes>& warps) {
  Counts c;
  c.warps = static_cast<int>(warps.size());
  for (const WarpLanes& w : warps) {
    bool active = false;
    for (const LaneState s : w.lanes) {
      c.lanes[static_cast<int>(s)]++;
      active = active || s == LaneState::working;
    }
    c.diverged += w.diverged;
    c.active_warps += active;
  }
  return c;
}

// Returns the name of the barrier at which warps without active lanes wait in this step.
const char* next_barrier(const Recording& recording, const Place& place) {
  return recording.step(place.block, place.step).has_barrier ? tr("the barrier") : tr("the next barrier");
}

// Returns the text of the title. `at` is the name of the barrier at which warps wait.
std::string headline(const Counts& c, const char* at) {
  const int present = 32 * c.warps - c.of(LaneState::absent);
  std::string text = tr("{} of {} active", grouped(c.of(LaneState::working)), counted(present, "lane"));
  if (c.of(LaneState::masked) > 0) text += tr(" · {} masked off", grouped(c.of(LaneState::masked)));
  if (c.of(LaneState::waiting) > 0) text += tr(" · {} waiting at {}", grouped(c.of(LaneState::waiting)), at);
  if (c.of(LaneState::exited) > 0) text += tr(" · {} exited", grouped(c.of(LaneState::exited)));
  text += tr(" · {} of {} active, {} diverged", c.active_warps, counted(c.warps, "warp"), c.diverged);
  if (c.diverged > 0 && c.of(LaneState::masked) == 0) text += tr(" in part of the step");
  if (c.active_warps > 0)
    text += tr(" · {} % lane utilisation",
               decimal_text(100.0 * c.of(LaneState::working) / (lanes_of_warp * c.active_warps), 0));
  return text;
}

std::vector<WarpLanes> lanes_at(const Recording& recording, const Place& place) {
  if (recording.trace.steps.empty()) return {};
  return recording.block(grid_index(recording.trace, place.step), place.block)
      .warp_lanes(recording.trace, place.step);
}

std::vector<std::vector<BranchSide>> sides_at(const Recording& recording, const Place& place) {
  if (recording.trace.steps.empty()) return {};
  return branch_sides(recording.trace, place.block, place.step);
}

std::string state_text(LaneState s) {
  constexpr const char* texts[] = {tr_noop("active"), tr_noop("masked off"),
                                   tr_noop("waiting at the barrier"), tr_noop("exited"), tr_noop("absent")};
  return tr(texts[static_cast<int>(s)]);
}

// Returns the number of lanes of a warp that a picture of this run needs. Usually returns 32. If the largest
// block has fewer threads, returns this number of threads, rounded up to a power of two, but at least 8.
int lanes_in_use(const Recording& recording) {
  int lanes = 8;
  for (const Grid& g : recording.trace.grids)
    while (lanes < bank_count && lanes < g.threads) lanes *= 2;
  return lanes;
}

class WarpsPicture {
 public:
  explicit WarpsPicture(const ViewInput& in)
      : p_(in),
        in_(in),
        banks_(in.presented ? BankColumns::presented(p_, bank_count, lanes_in_use(in.recording))
                            : BankColumns(p_, room_beside_banks(in))),
        warps_(lanes_at(in.recording, in.cursor)),
        sides_(sides_at(in.recording, in.cursor)),
        counts_(count(warps_)),
        chosen_(in.recording.trace.steps.empty() ? -1 : chosen_event(in.recording, in.cursor)) {}

  ViewPicture draw() {
    p_.title(of_request() + headline(counts_, next_barrier(in_.recording, in_.cursor)), readout());
    if (warps_.empty()) return std::move(p_).picture();
    lay_out();
    for (int w = 0; w < counts_.warps; w++) warp(w);
    if (legend_ > 0) legend();
    return std::move(p_).picture();
  }

 private:
  const Event* request() const {
    return chosen_ < 0 ? nullptr : &in_.recording.trace.events[static_cast<std::size_t>(chosen_)];
  }
  // Returns true if the lane takes part in the chosen request, or if no request is chosen.
  bool takes_part(int warp, int lane) const {
    const Event* e = request();
    return !e || (e->warp == warp && (e->mask >> lane & 1u) != 0);
  }
  std::string of_request() const {
    const Event* e = request();
    if (!e) return {};
    return tr("{}: {} of warp {} · ", request_text(in_.recording, in_.cursor, chosen_),
              counted(std::popcount(e->mask), "lane"), e->warp);
  }

  std::string readout() const {
    const Id& hover = in_.cursor.hover;
    const AccessId* by = is_lane(hover) ? access_of(hover) : nullptr;
    if (!by || !is_index(by->warp, warps_.size()) || !is_index(by->lane, 32)) {
      const auto divided = std::ranges::find_if(sides_, [](const auto& sides) { return !sides.empty(); });
      if (divided == sides_.end()) return {};
      return both_sides_text(static_cast<int>(divided - sides_.begin()), *divided, in_.recording.trace.text);
    }
    return tr("thread {} · warp {}, lane {} · {}", by->warp * 32 + by->lane, by->warp, by->lane,
              state_text(warps_[by->warp].lanes[by->lane])) +
           (takes_part(by->warp, by->lane) ? "" : tr(", not in this request"));
  }

  // Places all warps in one column, in which lane k is below bank k of the view "Banks". If the warps do not
  // fit, uses two or four columns.
  void lay_out() {
    const float room = p_.height - p_.top - 6;
    const auto warps_per = [&](int columns) { return (counts_.warps + columns - 1) / columns; };
    while (columns_ < 4 && room / static_cast<float>(warps_per(columns_)) < 12 &&
           counts_.warps > 2 * columns_)
      columns_ *= 2;
    rows_ = warps_per(columns_);
    if (in_.presented && columns_ == 1) split_warps(room);
    legend_ = static_cast<float>(rows_ * parts_) * 14 + 26 <= room ? 26.0f : 0.0f;
    pitch_ = std::clamp((room - legend_) / static_cast<float>(rows_ * parts_), 5.0f,
                        in_.presented     ? std::clamp(1.6f * banks_.pitch, 38.0f, 80.0f)
                        : p_.height > 320 ? 52.0f
                                          : 29.0f);
    height_ = pitch_ - (pitch_ < 10 ? 1.0f : pitch_ < 20 ? 2.0f : 3.0f);
    label_ = columns_ == 1 ? banks_.left - p_.margin : 30.0f;
    cell_ = banks_.pitch * static_cast<float>(parts_);
    gap_ = banks_.gap;
    if (columns_ > 1) {
      constexpr float between = 16;
      stripe_ = (p_.width - 2 * p_.margin + between) / static_cast<float>(columns_);
      cell_ = (stripe_ - between - label_) / 32;
      gap_ = cell_ < 8 ? 0.5f : cell_ < 12 ? 1.0f : 2.0f;
    }
    float size = std::min(11.0f, height_ - 1.5f);
    if (in_.presented)
      size = std::min({30.0f, height_ * 0.7f, (cell_ - gap_ - 2) / text_width("31", 1, Face::bold)});
    numbers_ = size >= 9 && text_width("31", size, Face::bold) + 1.9f <= cell_ - gap_ ? size : 0.0f;
  }

  // Splits each warp into two or four rows of lanes, if the lanes' numbers then become much larger.
  void split_warps(float room) {
    const auto size_with = [&](int parts) {
      const float row = (room - 26) / static_cast<float>(rows_ * parts);
      return std::min({30.0f, row * 0.66f,
                       (banks_.pitch * static_cast<float>(parts) - 5) / text_width("31", 1, Face::bold)});
    };
    for (const int parts : {2, 4})
      if (banks_.shown / parts >= 8 && size_with(parts) > 1.3f * size_with(parts_)) parts_ = parts;
  }

  // Returns true if the warp's row is high enough for one row for each side of the branch.
  bool is_divided(int w) const {
    constexpr float least = 4;
    const std::size_t count = sides_[static_cast<std::size_t>(w)].size();
    return count > 1 && parts_ == 1 && height_ >= least * static_cast<float>(count);
  }

  // Draws one row for each side of the branch. These rows replace the warp's row.
  void divided_warp(int w) {
    const auto& sides = sides_[static_cast<std::size_t>(w)];
    const KernelText text(in_.recording.trace.text);
    const float x0 = p_.margin + label_ + stripe_ * static_cast<float>(w / rows_);
    const float y0 = p_.top + pitch_ * static_cast<float>(w % rows_);
    const float pitch = height_ / static_cast<float>(sides.size()), h = pitch - 1;
    const float size = std::min(11.0f, h - 1.5f);
    const float numbers =
        size >= 9 && text_width("31", size, Face::bold) + 1.9f <= cell_ - gap_ ? size : 0.0f;
    const bool named = columns_ == 1 && h >= 9;
    const float end = x0 - (columns_ == 1 ? 12.0f : 8.0f);
    if (!named && height_ >= 8)
      p_.text({end, y0 + height_ / 2}, std::to_string(w), p_.theme.text, 10, Face::bold, Align::right);
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const float y = y0 + pitch * static_cast<float>(i);
      if (named) {
        const std::string name = side_name(condition_of(text, sides, i), sides[i]).brief;
        const float room = label_ - 14;
        p_.text({end, y + h / 2},
                i > 0 ? cut(name, 10, Face::regular, room)
                      : first_fitting(
                            {tr("warp {} · {}", w, name), fmt::format("{} · {}", w, name), std::to_string(w)},
                            10, Face::bold, room),
                p_.theme.text, 10, i > 0 ? Face::regular : Face::bold, Align::right);
      }
      for (int lane = 0; lane < 32; ++lane) {
        const LaneState state = warps_[static_cast<std::size_t>(w)].lanes[static_cast<std::size_t>(lane)];
        if (state == LaneState::absent) continue;
        const bool here = (sides[i].lanes >> lane & 1u) != 0;
        const Box box{x0 + cell_ * static_cast<float>(lane), y, cell_ - gap_, h};
        lane_box(p_, box, here ? LaneState::working : LaneState::masked, std::to_string(lane), numbers,
                 takes_part(w, lane));
        if (here && lane_of(in_.cursor.hover, w) == lane) outline(box);
        p_.target({box.x, y, cell_, pitch}, LaneId{in_.cursor.step, {-1, w, lane, 0}});
      }
    }
  }

  void outline(const Box& box) {
    p_.rect({box.x - 1, box.y - 1, box.w + 2, box.h + 2},
            {.stroke = p_.theme.text, .width = 2, .radius = std::min(5.0f, box.h / 3)});
  }

  void warp(int w) {
    if (is_divided(w)) return divided_warp(w);
    const Theme& t = p_.theme;
    const float x0 = p_.margin + label_ + stripe_ * static_cast<float>(w / rows_);
    const float top = p_.top + pitch_ * static_cast<float>(w % rows_ * parts_);
    if (height_ >= 8) {
      const bool words = columns_ == 1 && p_.width >= 640 && !in_.presented, diverged = warps_[w].diverged;
      p_.text({x0 - (columns_ == 1 ? 12.0f : 8.0f), top + height_ / 2},
              words ? tr("warp {}", w) : std::to_string(w), diverged ? t.text : t.faint_text,
              in_.presented   ? std::min(14.0f, height_)
              : height_ >= 11 ? 11.0f
                              : 10.0f,
              diverged ? Face::bold : Face::regular, Align::right);
    }
    for (int lane = 0; lane < 32; lane++) {
      if (columns_ == 1 && lane >= banks_.shown) break;
      const LaneState state = warps_[w].lanes[lane];
      if (state == LaneState::absent) continue;
      const int in_row = banks_.shown / parts_, across = columns_ == 1 ? lane % in_row : lane;
      const float y = top + (columns_ == 1 ? pitch_ * static_cast<float>(lane / in_row) : 0.0f);
      const Box box{x0 + cell_ * static_cast<float>(across), y, cell_ - gap_, height_};
      lane_box(p_, box, state, std::to_string(lane), numbers_, takes_part(w, lane));
      if (lane_of(in_.cursor.hover, w) == lane) outline(box);
      p_.target({box.x, y, cell_, pitch_}, LaneId{in_.cursor.step, {-1, w, lane, 0}});
    }
  }

  // Draws a legend of the shapes that occur in the picture.
  void legend() {
    float x = p_.margin + label_;
    const float y = p_.top + pitch_ * static_cast<float>(rows_ * parts_) + 10;
    const auto entry = [&](LaneState s, const std::string& what, int lanes, bool chosen) {
      const std::string text = fmt::format("{}: {}", what, grouped(lanes));
      const float size = in_.presented ? 13.0f : 11.0f, end = x + 20 + text_width(text, size, Face::regular);
      if (lanes == 0 || end > p_.width - p_.margin) return;
      lane_box(p_, {x, y - 6, 14, 12}, s, "", numbers_, chosen);
      p_.text({x + 20, y}, text, p_.theme.faint_text, size);
      x = end + 20;
    };
    if (const Event* e = request()) {
      const int taking_part = std::popcount(e->mask);
      entry(LaneState::working, tr("in this request"), taking_part, true);
      entry(LaneState::working, tr("active, not in this request"),
            counts_.of(LaneState::working) - taking_part, false);
    } else {
      entry(LaneState::working, state_text(LaneState::working), counts_.of(LaneState::working), true);
    }
    for (const LaneState s : {LaneState::masked, LaneState::waiting, LaneState::exited})
      entry(s, state_text(s), counts_.of(s), true);
  }

  ViewPen p_;
  const ViewInput& in_;
  const BankColumns banks_;
  const std::vector<WarpLanes> warps_;
  const std::vector<std::vector<BranchSide>> sides_;  // the sides of each warp
  const Counts counts_;
  const int chosen_;  // the index of the chosen request's event, or -1
  // The number of warps side by side, and the number of warps one below another.
  int columns_ = 1, rows_ = 1;
  int parts_ = 1;                 // the number of rows of lanes for each warp
  float pitch_ = 0, height_ = 0;  // the heights of a row, and of the boxes in the row
  // The width of a column of warps, and the width of the labels at the left.
  float stripe_ = 0, label_ = 0;
  // The distance between the left ends of neighbouring lanes, and the gap between their boxes, in dp.
  float cell_ = 0, gap_ = 0;
  float legend_ = 0;   // the height of the legend; 0 without a legend
  float numbers_ = 0;  // the text size of the lanes' numbers; 0 without numbers
};

ViewPicture draw_warps(const ViewInput& in) { return WarpsPicture(in).draw(); }

// Returns an id that contains the lane of the access under the mouse. Returns an empty id if no lane is
// known.
Id warps_sees(const Id& hover) {
  const AccessId* by = access_of(hover);
  if (!by || by->lane < 0) return {};
  const AccessId lane{-1, by->warp, by->lane, 0};
  return is_lane(hover) ? Id(LaneId{-1, lane}) : Id(CellId{.by = lane});
}

float height_of_warps(const Recording& recording) {
  constexpr float title = 40, margin = 16;
  int most = 1;  // the number of warps of the largest block
  for (const Grid& g : recording.trace.grids) most = std::max(most, g.warps());
  const float rows = std::ceil(static_cast<float>(most) / (most > 4 ? 4.0f : 1.0f));
  return std::clamp(title + margin + 20 + rows * 18, 88.0f, 132.0f);
}

const char* meaning_of(LaneState state) {
  switch (state) {
    case LaneState::working: return tr("active: this lane accesses memory or computes in this step");
    case LaneState::masked:
      return tr("masked off: other lanes of its warp are active, but this lane is not active");
    case LaneState::exited: return tr("exited: this thread has returned from the kernel");
    case LaneState::absent: return tr("absent: the block has no such thread");
    case LaneState::waiting: break;
  }
  return "";
}

Lines warps_tip(const Reading& at, const Id& id) {
  const auto* lane = as<LaneId>(id);
  if (!lane) return {};
  const AccessId& by = lane->by;
  const std::vector<WarpLanes> warps = lanes_at(at.recording, at.cursor);
  if (!is_index(by.warp, warps.size()) || !is_index(by.lane, 32)) return {};
  TipLines tip;
  const Grid& grid = at.recording.trace.grid_of(static_cast<std::uint32_t>(at.cursor.step));
  tip.add(tr("Thread {}", thread_text(grid, by.warp * 32 + by.lane)));
  tip.add(tr("warp {}, lane {}", by.warp, by.lane));
  const LaneState state = warps[static_cast<std::size_t>(by.warp)].lanes[static_cast<std::size_t>(by.lane)];
  if (state == LaneState::waiting)
    tip.add(tr("waiting at {}, with its whole warp", next_barrier(at.recording, at.cursor)));
  else tip.lines.emplace_back(meaning_of(state));
  for (std::string& line :
       side_lines(by.lane, sides_at(at.recording, at.cursor)[static_cast<std::size_t>(by.warp)],
                  at.recording.trace.text))
    tip.lines.push_back(std::move(line));
  return std::move(tip.lines);
}

// Returns the effect of a click on a lane. The click goes to the next request of the lane's warp.
Click click_in_warps(const Reading& at, const Id& id) {
  const auto* lane = as<LaneId>(id);
  if (!lane) return {};
  const int event = next_request(at, [&](const Event& e) { return e.warp == lane->by.warp; });
  if (event < 0) return {};
  return GoToRequest{event};
}

}  // namespace

extern const View warps_view{.name = "warps",
                             .title = tr_noop("Warps"),
                             .home = Home::warps,
                             .draw = draw_warps,
                             .tip = warps_tip,
                             .click = click_in_warps,
                             .height = height_of_warps,
                             .sees = warps_sees};

}  // namespace upsweep
