// The view "Registers" shows one shuffle of a warp. The upper row contains each lane's value before the
// shuffle. The lower row contains the value that each lane receives, with an arrow from the lane that had the
// value.
//
// A third row shows the results of the operation that uses the received values. For a vote, the view shows
// the answers of the lanes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "analysis/memory.hpp"
#include "analysis/shared_request.hpp"
#include "analysis/step_index.hpp"
#include "base/language.hpp"
#include "scene/views/bank_columns.hpp"
#include "scene/views/tip_lines.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

const char* call_of(const Event& e) {
  if (e.kind == Kind::vote) {
    constexpr const char* votes[] = {"__ballot_sync", "__any_sync", "__all_sync"};
    return votes[std::min<int>(e.detail, 2)];
  }
  constexpr const char* shuffles[] = {"__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync",
                                      "__reduce_add_sync"};
  return shuffles[std::min<int>(e.detail, 4)];
}

class RegistersPicture {
 public:
  explicit RegistersPicture(const ViewInput& in)
      : p_(in),
        in_(in),
        trace_(in.recording.trace),
        lanes_(p_),
        number_(shuffle_event(in.recording, in.cursor)) {}

  ViewPicture draw() {
    if (number_ < 0) {
      p_.title("");
      const bool any =
          in_.recording.facts.totals.shuffle.requests + in_.recording.facts.totals.vote.requests > 0;
      p_.sentence(any ? tr("No shuffle or vote in this step.") : tr("This run has no shuffles or votes."));
      return std::move(p_).picture();
    }
    read();
    lay_out();
    if (numbered_) lane_numbers();
    if (all_) sum_bracket();
    else arrows();
    row(0, tr("holds"), gives_, {});
    row(1, event().kind == Kind::vote ? tr("answers") : tr("takes"), takes_, {});
    if (rows_ == 3)
      row(2, tr("after {}", operation_sign(operator_of(trace_.settings, cells()))), after_, after_lanes_);
    p_.title(heading() + notes(), readout());
    return std::move(p_).picture();
  }

 private:
  using Texts = std::array<std::string, 32>;

  const Event& event() const { return trace_.events[static_cast<std::size_t>(number_)]; }
  bool active(int lane) const { return (event().mask >> lane & 1u) != 0; }
  Cells cells() const { return trace_.cells_of(event()); }
  std::string text(const Value& v) const { return short_text(v, trace_.settings, cells(), 6); }
  std::string exact(const Value& v) const { return exact_text(v, trace_.settings, cells()); }

  // Returns the value that this lane had in the event to which `o` refers. Returns nullopt if the recording
  // does not contain the value.
  std::optional<Value> value_of(Origin o, int lane) const {
    if (o == 0 || origin_event(o) >= trace_.events.size()) return {};
    const Event& e = trace_.events[origin_event(o)];
    if (!has_lanes(e.kind) || (e.mask >> lane & 1u) == 0 || origin_part(o) >= e.parts) return {};
    return trace_.values[entry_of(e, lane, is_atomic(e.kind) ? 0 : origin_part(o))];
  }

  void read() {
    const Event& e = event();
    all_ = e.kind == Kind::shuffle && static_cast<Shuffle>(e.detail) == Shuffle::reduce_add;
    from_.fill(-1);
    if (e.kind == Kind::vote) return read_vote();
    std::vector<Origin> given;  // where the values come from (event and part); no duplicates
    for_each_lane(e, [&](int lane, std::uint32_t at) {
      const Lane& l = trace_.lanes[at];
      const int source = all_ ? lane : static_cast<int>(l.address & 31);
      from_[lane] = source;
      takes_[lane] = text(trace_.values[at]);
      exact_takes_[lane] = exact(trace_.values[at]);
      if (!all_) gives_[source] = takes_[lane];
      if (std::find(given.begin(), given.end(), l.left) == given.end()) given.push_back(l.left);
    });
    for (int lane = 0; lane < 32; lane++)
      for (const Origin o : given)
        if (const auto v = value_of(o, lane); v && gives_[lane].empty() && active(lane))
          gives_[lane] = text(*v);
    for (int lane = 0; lane < 32; lane++)
      if (active(lane) && gives_[lane].empty()) gives_[lane] = "?", some_unknown_ = true;
    find_operation();
  }

  void read_vote() {
    const Event& e = event();
    for_each_lane(e, [&](int lane, std::uint32_t at) {
      const std::uint32_t result = trace_.values[at][0];
      const bool ballot = static_cast<Vote>(e.detail) == Vote::ballot;
      if (ballot) gives_[lane] = (result >> lane & 1u) != 0 ? tr("yes") : tr("no");
      takes_[lane] = ballot ? "" : result != 0 ? tr("yes") : tr("no");
      ballot_ = result;
      yes_ += ballot && (result >> lane & 1u) != 0;
    });
  }

  // Finds the first later operation, in the same step and warp, that uses a value that the shuffle returned.
  void find_operation() {
    const EventRange range = step_events(trace_, in_.cursor.block, in_.cursor.step);
    for (std::size_t i = static_cast<std::size_t>(number_) + 1; i < range.last && after_lanes_ == 0; i++) {
      const Event& e = trace_.events[i];
      if (e.kind != Kind::operation || e.warp != event().warp) continue;
      for_each_lane(e, [&](int lane, std::uint32_t at) {
        const Lane& l = trace_.lanes[at];
        const auto own = origin_of(static_cast<std::uint32_t>(number_));
        if (l.left != own && l.right != own) return;
        after_lanes_ |= 1u << lane;
        after_[lane] = text(trace_.values[at]);
        exact_after_[lane] = exact(trace_.values[at]);
      });
    }
  }

  std::string heading() const {
    const Event& e = event();
    std::string text = tr("warp {} · {}", e.warp, call_of(e));
    if (e.kind == Kind::vote) {
      const int lanes = std::popcount(e.mask);
      if (static_cast<Vote>(e.detail) == Vote::ballot)
        text += tr(" · {} of {} vote yes: 0x{:08x}", yes_, counted(lanes, "lane"), ballot_);
    } else {
      int moved = 0;
      for (int lane = 0; lane < 32; lane++) moved += active(lane) && from_[lane] != lane;
      text +=
          all_ ? tr(" · every lane gets the sum of all lanes")
               : tr(" · {} of {} take another lane's value", moved, counted(std::popcount(e.mask), "lane"));
    }
    return tr("{} · {} · line {}", request_text(in_.recording, in_.cursor, number_), text, e.line);
  }

  // Returns notes that explain signs such as "?", which replace values.
  std::string notes() const {
    return std::string(some_shortened_ ? tr(" · …: too long to show") : "") +
           (some_unknown_ ? tr(" · ?: not recorded") : "");
  }

  std::string readout() const {
    const int lane = hovered();
    if (lane < 0 || !active(lane)) return {};
    std::string text = tr("thread ") + thread_text(trace_.grids[event().grid], thread_of(event(), lane));
    if (event().kind == Kind::vote) return text + tr(" says ") + gives_[lane];
    if (!all_) text += tr(" takes {} from lane {}", exact_takes_[lane], from_[lane]);
    else text += tr(" gets {}", exact_takes_[lane]);
    if ((after_lanes_ >> lane & 1u) != 0) text += tr(" and computes {} from it", exact_after_[lane]);
    return text;
  }

  int hovered() const { return lane_of(in_.cursor.hover, event().warp); }

  void lay_out() {
    rows_ = after_lanes_ != 0 && p_.height >= 120 ? 3 : 2;
    const float numbers = p_.height >= 104 ? 18.0f : 0.0f, room = p_.height - p_.top - numbers - 8;
    numbered_ = numbers > 0;
    box_ = std::clamp(room * 0.2f, 13.0f, 26.0f);
    const float gap_after = rows_ == 3 ? std::clamp(room * 0.12f, 4.0f, 26.0f) : 0;
    const float between = std::clamp(room - box_ * static_cast<float>(rows_) - gap_after, 4.0f, 150.0f);
    y_[0] = p_.top + numbers;
    y_[1] = y_[0] + box_ + between;
    y_[2] = y_[1] + box_ + gap_after;
    text_ = std::min(12.0f, box_ - 2);
    const float widest = lanes_.pitch - lanes_.gap - 2;
    const auto fit = [&](const Texts& all) {
      return std::all_of(all.begin(), all.end(),
                         [&](const std::string& t) { return text_width(t, text_, Face::bold) <= widest; });
    };
    while (text_ > 8.5f && !(fit(gives_) && fit(takes_) && fit(after_))) text_ -= 0.5f;
  }

  void lane_numbers() {
    const float y = p_.top + 6;
    const int every = lanes_.pitch < 9 ? 4 : lanes_.pitch < 15 ? 2 : 1;
    p_.text({lanes_.left - 12, y}, tr("lane"), p_.theme.ghost_text, lanes_.pitch < 16 ? 9.0f : 10.5f,
            Face::regular, Align::right);
    for (int lane = 0; lane < 32; lane += every)
      p_.text({lanes_.centre(lane), y}, std::to_string(lane), p_.theme.faint_text,
              lanes_.pitch < 16 ? 9.0f : 10.5f, Face::regular, Align::centre);
  }

  void row(int number, const std::string& name, const Texts& texts, std::uint32_t made) {
    const Theme& t = p_.theme;
    const float y = y_[number];
    p_.text({lanes_.left - 12, y + box_ / 2}, p_.width < 640 && name.size() > 7 ? tr("after") : name,
            t.faint_text, 11, Face::regular, Align::right);
    const int source = hovered() >= 0 && active(hovered()) ? from_[hovered()] : -1;
    for (int lane = 0; lane < 32; lane++) {
      const Box box = lanes_.box(lane, y, box_);
      const bool there = active(lane), unused = number == 2 && (made >> lane & 1u) == 0;
      const bool moved = from_[lane] >= 0 && (from_[lane] != lane || all_);
      RectStyle style{.fill = t.cell, .stroke = t.cell_stroke, .width = 1, .radius = 4};
      Colour ink = t.text;
      Face face = Face::regular;
      if (!there || unused) {
        style = {.fill = mix(t.background, t.ghost_text, t.dark ? 0.12f : 0.16f),
                 .stroke = mix(t.background, t.ghost_text, 0.5f),
                 .radius = 4,
                 .hatch = !there};
        ink = t.ghost_text;
      } else if (number == 1 && moved) {
        style.fill = t.now_soft;
        style.stroke = t.now;
      } else if (number == 2) {
        style.fill = style.stroke = t.now;
        ink = t.on_now;
        face = Face::bold;
      } else if (number == 0 && event().kind == Kind::vote && texts[lane] == "yes") {
        style.fill = style.stroke = t.now;
        ink = t.on_now;
        face = Face::bold;
      }
      const LaneId id{in_.cursor.step, {-1, event().warp, lane, event().line}};
      p_.rect(box, style, id);
      p_.text({box.x + box.w / 2, box.y + box.h / 2}, shown(texts[lane], face, box.w), ink,
              std::max(9.0f, text_), face, Align::centre);
      const bool lit = number == 0 ? lane == source || (source < 0 && lane == hovered()) : lane == hovered();
      if (lit)
        p_.rect({box.x - 1, box.y - 1, box.w + 2, box.h + 2}, {.stroke = t.text, .width = 2, .radius = 5});
      p_.target({box.x, box.y, box.w + lanes_.gap, box.h}, id);
    }
  }

  // Returns the text if the text fits into the room. Otherwise, returns the beginning of the text if the text
  // is an affine map (such as "2x+3"), or "…" if the text is a number. A number is never cut, because the
  // first digits would look like another number.
  std::string shown(const std::string& text, Face face, float room) {
    if (text_width(text, text_, face) <= room) return text;
    some_shortened_ = true;
    const auto x = text.find('x');
    // The beginning of the text, up to the sign after the x.
    const std::string start = x == text.npos ? "" : text.substr(0, x + 2);
    return text_width(start + "…", text_, face) <= room ? start + "…" : "…";
  }

  void arrow(Point from, Point to, Colour colour, float width) {
    p_.line(from, {to.x, to.y - 1}, colour, width);
    const float length = std::max(1.0f, std::hypot(to.x - from.x, to.y - from.y));
    const float dx = (to.x - from.x) / length, dy = (to.y - from.y) / length,
                size = lanes_.pitch < 16 ? 4.0f : 6.0f;
    const Point back{to.x - dx * size, to.y - dy * size};
    p_.triangle(to, {back.x - dy * size * 0.5f, back.y + dx * size * 0.5f},
                {back.x + dy * size * 0.5f, back.y - dx * size * 0.5f}, colour);
  }

  void arrows() {
    if (event().kind == Kind::vote) return;
    const Theme& t = p_.theme;
    const float begin = y_[0] + box_ + 2, end = y_[1] - 2;
    const int lit = hovered();
    for (const bool top : {false, true})
      for (int lane = 0; lane < 32; lane++) {
        if (from_[lane] < 0 || (lane == lit) != top) continue;
        const bool own = from_[lane] == lane;
        const Colour colour = top        ? t.text
                              : own      ? mix(t.line, t.ghost_text, 0.5f)
                              : lit >= 0 ? faded(t.now, 0.5f)
                                         : t.now;
        const Point a{lanes_.centre(from_[lane]), begin}, b{lanes_.centre(lane), end};
        if (own) p_.line(a, b, colour, 1);
        else arrow(a, b, colour, top ? 2.0f : 1.4f);
      }
  }

  // Draws lines from all lanes to one sum, and from the sum to all lanes.
  void sum_bracket() {
    const Theme& t = p_.theme;
    const float begin = y_[0] + box_ + 2, end = y_[1] - 2, middle = (begin + end) / 2;
    const Point centre{(lanes_.x(0) + lanes_.x(32) - lanes_.gap) / 2, middle};
    for (int lane = 0; lane < 32; lane++) {
      if (!active(lane)) continue;
      p_.line({lanes_.centre(lane), begin}, centre, faded(t.now, 0.6f), 1);
      p_.line(centre, {lanes_.centre(lane), end}, faded(t.now, 0.35f), 1);
    }
    const float r = std::min(11.0f, (end - begin) / 2);
    p_.rect({centre.x - r, centre.y - r, 2 * r, 2 * r}, {.fill = t.now, .radius = r});
    if (r >= 8) p_.text(centre, "∑", t.on_now, 12, Face::bold, Align::centre);
  }

  ViewPen p_;
  const ViewInput& in_;
  const Trace& trace_;
  const BankColumns lanes_;
  const int number_;  // index into Trace::events; -1 for none
  bool all_ = false;  // true if the shuffle is a sum over all lanes
  std::array<int, 32> from_{};
  Texts gives_, takes_, after_, exact_takes_, exact_after_;
  std::uint32_t after_lanes_ = 0, ballot_ = 0;
  int yes_ = 0, rows_ = 2;
  bool numbered_ = true;
  bool some_shortened_ = false;  // true if a value is too long for its box
  bool some_unknown_ = false;    // true if a value was not recorded
  float y_[3] = {}, box_ = 20, text_ = 11;
};

ViewPicture draw_registers(const ViewInput& in) { return RegistersPicture(in).draw(); }

bool has_shuffles(const Recording& r) {
  return r.facts.totals.shuffle.requests + r.facts.totals.vote.requests > 0;
}
bool mostly_shuffles(const Recording& r) {
  const Totals& t = r.facts.totals;
  return t.shuffle.requests > t.shared_load.requests + t.shared_store.requests;
}

std::string why_no_shuffles(const Recording& r, int step) {
  const Totals& launch = r.launch_totals(step);
  return launch.shuffle.requests + launch.vote.requests > 0 ? "" : tr("No shuffle or vote in this launch.");
}

}  // namespace

extern const View registers_view{.name = "registers",
                                 .title = tr_noop("Registers"),
                                 .home = Home::banks,
                                 .draw = draw_registers,
                                 .has_something = has_shuffles,
                                 .comes_first = mostly_shuffles,
                                 .height = [](const Recording&) { return 190.0f; },
                                 .why_nothing = why_no_shuffles,
                                 .sees = sees_lane};

}  // namespace upsweep
