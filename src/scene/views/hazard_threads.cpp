// Draws threads that wait, the iterations of an endless loop, and the lanes of a shuffle.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <vector>

#include "base/language.hpp"
#include "scene/views/hazard_drawing.hpp"
#include "scene/views/hazard_marks.hpp"
#include "scene/views/source_text.hpp"
#include "scene/wrap.hpp"
#include "words/incident_words.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

// Draws one horizontal time line for each group of threads, and one vertical bar for each place where threads
// wait.
class WaitingDrawing : HazardPen {
 public:
  WaitingDrawing(Painter& p, const ViewInput& in, const Box& box, const HazardFinding& f, const Incident& i)
      : HazardPen(
            p, in, box, f, i,
            size_in(box, 42, 2.0f + 3.2f * static_cast<float>(std::min<std::size_t>(i.groups.size(), 4)))) {
    for (const ThreadGroup& g : i.groups)
      if (g.wait != Wait::none && std::ranges::find(bars_, g.line) == bars_.end() && bars_.size() < most_bars)
        bars_.push_back(g.line);
  }

  void draw() {
    if (i.groups.empty()) {
      say({box.x, box.y + size}, tr("The recording does not say which threads waited."), box.w, t.faint_text,
          size);
      return;
    }
    const std::size_t rows = std::min(i.groups.size(), most_rows);
    float label = 0;
    for (std::size_t r = 0; r < rows; ++r)
      label = std::max(label, text_width(group_name(trace, f, i.groups[r]), size, Face::bold));
    label = std::min(label + size, box.w * 0.36f);
    from_ = box.x + label;
    to_ = box.x + box.w - size;
    const float head = size * 1.9f;
    pitch_ = std::min((box.h - head) / static_cast<float>(rows), size * 4.4f);
    const float bottom = box.y + head + pitch_ * static_cast<float>(rows);
    for (std::size_t b = 0; b < bars_.size(); ++b) {
      const float x = bar_x(bars_[b]);
      p.rect({x - size * 0.2f, box.y + head - size * 0.3f, size * 0.4f, bottom - box.y - head + size * 0.3f},
             {.fill = t.text, .radius = 2});
      bar_label(b, {x, box.y + head * 0.42f});
    }
    for (std::size_t r = 0; r < rows; ++r)
      row(i.groups[r], box.y + head + pitch_ * (static_cast<float>(r) + 0.5f), label,
          r + 1 == rows ? i.groups.size() - rows : 0);
  }

 private:
  static constexpr std::size_t most_rows = 4, most_bars = 3;

  float bar_x(int line) const {
    const auto at = static_cast<float>(std::ranges::find(bars_, line) - bars_.begin());
    const auto count = static_cast<float>(bars_.size());
    return from_ + (to_ - from_) * (count == 1 ? 0.72f : 0.4f + 0.5f * at / std::max(1.0f, count - 1));
  }

  void bar_label(std::size_t b, Point at) const {
    const int line = bars_[b];
    const auto group = std::ranges::find_if(
        i.groups, [&](const ThreadGroup& g) { return g.line == line && g.wait != Wait::none; });
    const bool barrier = group != i.groups.end() && group->wait == Wait::barrier;
    const float room =
        bars_.size() == 1 ? box.w * 0.5f : (to_ - from_) * 0.4f / static_cast<float>(bars_.size() - 1) - size;
    const std::string text =
        first_fitting({tr("{}, line {}", barrier ? "__syncthreads()" : source_line(trace.text, line), line),
                       tr("line {}", line)},
                      small(), Face::mono, room);
    const float half = std::min(text_width(text, small(), Face::mono), room) / 2;
    at.x = std::clamp(at.x, box.x + half, box.x + box.w - half);
    p.text(at, cut(text, small(), Face::mono, room), t.text, small(), Face::mono, Align::centre);
    p.target({at.x - half, at.y - size * 0.7f, 2 * half, size * 1.4f}, LineId{-1, line});
  }

  void row(const ThreadGroup& g, float y, float label, std::size_t more) const {
    say({box.x, y}, group_name(trace, f, g), label - size * 0.6f, t.text, size, Face::bold);
    const bool waits = g.wait != Wait::none && std::ranges::find(bars_, g.line) != bars_.end();
    const float below = y + size * 1.15f;
    if (waits) {
      const float x = bar_x(g.line) - size * 0.2f;
      arrow(p, {from_, y}, {x, y}, t.now, stroke() * 1.4f);
      for (const int line : bars_)  // these threads never reach the bars further to the right
        if (bar_x(line) > x + size) never(x + size * 0.8f, bar_x(line) - size * 0.4f, y);
    } else {
      const float end = from_ + (to_ - from_) * 0.22f;
      p.line({from_, y}, {end, y}, t.faint_text, stroke() * 1.4f);
      p.cross({end - size * 0.3f, y - size * 0.3f, size * 0.6f, size * 0.6f}, t.conflict, stroke() * 1.2f);
      if (!bars_.empty()) never(end + size * 0.6f, bar_x(bars_.back()) - size * 0.4f, y);
    }
    const std::string does = group_text(g);
    std::string last;
    if (g.wait == Wait::none && f.kind == Hazard::divergent_barrier)
      last = g.line > 0 ? tr("; last recorded line: {}", g.line) : tr(" before any recorded action");
    const std::string others =
        more > 0 ? tr(" · {} not shown", counted(static_cast<std::int64_t>(more), "other group")) : "";
    if (pitch_ < size * 2.4f) return;
    // The text ends before the next bar, because the text must not cross a bar.
    float room = box.x + box.w - from_;
    for (const int line : bars_) room = std::min(room, bar_x(line) - size * 0.5f - from_);
    const std::string text =
        first_fitting({does + last + others, does + others, does}, small(), Face::regular, room);
    say({from_, below}, text, room, waits ? t.faint_text : t.conflict, small());
  }

  void never(float from, float to, float y) const {
    if (to - from < size) return;
    dashed_line(p, {from, y}, {to, y}, t.conflict, stroke());
    if (to - from > size * 4) hazard_mark(p, t, {(from + to) / 2, y}, size * 1.1f);
  }

  std::vector<int> bars_;  // the lines of the kernel's text at which threads wait
  float from_ = 0, to_ = 0, pitch_ = 0;
};

// Draws the text of the loop with an arrow back to the loop's head, and the condition's values in each
// iteration.
class RoundsDrawing : HazardPen {
 public:
  RoundsDrawing(Painter& p, const ViewInput& in, const Box& box, const HazardFinding& f, const Incident& i)
      : HazardPen(p, in, box, f, i, size_in(box, 50, 9)), lines_(split_lines(trace.text)) {}

  void draw() {
    if (!i.loop || i.loop->first_line == 0 || i.loop->last_line > std::ssize(lines_)) {
      say({box.x, box.y + size}, tr("The recording does not say where the loop begins and ends."), box.w,
          t.faint_text, size);
      return;
    }
    const LoopRounds& loop = *i.loop;
    const float gap = size * 1.6f, left = std::floor((box.w - gap) * 0.54f), pitch = size * 1.5f;
    const int fit = std::clamp(static_cast<int>(box.h / pitch), 2, 9);
    const int count = loop.last_line - loop.first_line + 1;
    const float code = box.x + size * 1.8f;
    float y = box.y + pitch / 2;
    const std::size_t indent = lines_[static_cast<std::size_t>(loop.first_line) - 1].find_first_not_of(' ');
    const auto line = [&](int number) {
      const std::string& all = lines_[static_cast<std::size_t>(number) - 1];
      const std::string text = all.substr(std::min({indent, all.find_first_not_of(' '), all.size()}));
      say({code, y}, fmt::format("{}  {}", number, text), box.x + left - code,
          number == loop.first_line ? t.conflict : t.text, small(), Face::mono);
      y += pitch;
    };
    const int shown = std::min(count, fit);
    for (int k = 0; k < shown; ++k) {
      const bool last = k + 1 == shown;
      if (count > fit && k + 2 == shown && shown > 2) {
        say({code, y}, "…", left, t.faint_text, small());
        y += pitch;
      } else {
        line(last ? loop.last_line : loop.first_line + k);
      }
    }
    const float top = box.y + pitch / 2, bottom = y - pitch, back = box.x + size * 0.4f;
    p.line({code - size * 0.4f, bottom}, {back, bottom}, t.conflict, stroke() * 1.2f);
    p.line({back, bottom}, {back, top}, t.conflict, stroke() * 1.2f);
    arrow(p, {back, top}, {code - size * 0.4f, top}, t.conflict, stroke() * 1.2f);
    p.target({box.x, box.y, left, y - box.y - pitch / 2}, LineId{-1, loop.first_line});
    rounds(loop, {box.x + left + gap, box.y, box.w - left - gap, box.h});
  }

 private:
  void rounds(const LoopRounds& loop, const Box& at) const {
    // One pair for each row of the drawing: the label and the value, such as "iteration 1" and "stride 32".
    std::vector<std::pair<std::string, std::string>> told;
    const auto number_of = [](std::size_t k, std::size_t kept, std::int64_t count) {
      return k + 1 == kept ? count : static_cast<std::int64_t>(k) + 1;
    };
    if (condition_reads_number(trace, loop))
      for (std::size_t k = 0; k < loop.steps.size(); ++k)
        told.emplace_back(tr("iteration {}", grouped(number_of(k, loop.steps.size(), loop.step_count))),
                          number_text(trace, trace.steps[static_cast<std::size_t>(loop.steps[k])]));
    else
      for (std::size_t k = 0; k < loop.loaded.size(); ++k)
        told.emplace_back(tr("{}. read", grouped(number_of(k, loop.loaded.size(), loop.load_count))),
                          exact_value(trace, loop.loaded[k], trace.cells_of(trace.events[loop.load])));
    const std::vector<std::string> sentence = wrapped(rounds_text(trace, loop), small(), Face::regular, at.w);
    const float text_pitch = small() * 1.45f,
                foot = text_pitch * static_cast<float>(sentence.size()) + size * 0.5f;
    float y = at.y;
    const float pitch =
        std::min(size * 2.2f, (at.h - foot) / std::max(1.0f, static_cast<float>(told.size())));
    if (pitch >= size * 1.35f)
      for (std::size_t k = 0; k < told.size(); ++k, y += pitch) {
        const float label = text_width(told[0].first, small(), Face::regular) + size * 2;
        if (k + 1 == told.size() && told.size() == 4)
          dashed_line(p, {at.x + label + size, y - 3}, {at.x + label + size, y + 3}, t.ghost_text, 1);
        say({at.x, y + pitch / 2}, told[k].first, label, t.faint_text, small());
        const float width =
            std::min(text_width(told[k].second, size, Face::bold) + size * 1.4f, at.w - label);
        chip({at.x + label, y + pitch * 0.1f, width, pitch * 0.8f}, told[k].second, false, size);
      }
    for (const std::string& line : sentence) {
      y += text_pitch;
      if (y < at.y + at.h) say({at.x, y}, line, at.w, t.text, small());
    }
  }

  const std::vector<std::string> lines_;  // the lines of the kernel's text
};

// Draws the 32 lanes of a warp at a shuffle, a vote or a warp barrier.
class LanesDrawing : HazardPen {
 public:
  LanesDrawing(Painter& p, const ViewInput& in, const Box& box, const HazardFinding& f, const Incident& i)
      : HazardPen(p, in, box, f, i, size_in(box, 44, 8)) {}

  void draw() {
    const Event& e = trace.events[f.party.event];
    const float pitch = std::min(box.w / 32, size * 2.6f), height = std::min(pitch, size * 2.2f);
    const float y = box.y + size * 2.6f, text = std::clamp(pitch * 0.42f, 9.0f, size);
    say({box.x, box.y + size * 0.8f}, line_text(f.party.line), box.w, t.text, small(), Face::mono);
    const int reader = f.party.thread % 32, missing = f.other.thread >= 0 ? f.other.thread % 32 : -1;
    for (int lane = 0; lane < 32; ++lane) {
      const Box at{box.x + pitch * static_cast<float>(lane) + 1, y, pitch - 2, height};
      const bool runs = (e.mask >> lane & 1) != 0;
      const bool wrong = f.kind == Hazard::wrong_mask ? lane == reader : lane == missing;
      p.rect(at,
             {.fill = runs ? t.now_soft : t.cell,
              .stroke = wrong  ? t.conflict
                        : runs ? t.now
                               : t.cell_stroke,
              .width = wrong ? stroke() * 1.4f : 1,
              .radius = 3},
             LaneId{static_cast<int>(e.step), {-1, e.warp, lane, e.line}});
      if (pitch >= 12)
        p.text({at.x + at.w / 2, at.y + at.h / 2}, std::to_string(lane), runs ? t.text : t.faint_text, text,
               wrong ? Face::bold : Face::regular, Align::centre);
      if (wrong) hazard_mark(p, t, {at.x + at.w / 2, at.y + at.h + size * 0.8f}, size);
    }
    if (f.kind == Hazard::absent_lane && missing >= 0 && e.kind == Kind::shuffle) {
      const auto middle = [&](int lane) { return box.x + pitch * (static_cast<float>(lane) + 0.5f); };
      const float above = y - size * 0.7f;
      p.line({middle(missing), y}, {middle(missing), above}, t.conflict, stroke());
      dashed_line(p, {middle(missing), above}, {middle(reader), above}, t.conflict, stroke());
      arrow(p, {middle(reader), above}, {middle(reader), y}, t.conflict, stroke());
    }
    const float legend = y + height + size * 2.2f;
    if (legend + size < box.y + box.h)
      say({box.x, legend},
          tr("Warp {}: the tinted lanes execute line {}; {}.", e.warp, e.line,
             f.kind == Hazard::wrong_mask ? tr("the mask leaves out lane {}", reader)
                                          : tr("lane {} does not execute this line", missing)),
          box.w, t.faint_text, small());
  }
};

class LaunchesDrawing : HazardPen {
 public:
  LaunchesDrawing(Painter& p, const ViewInput& in, const Box& box)
      : HazardPen(p, in, box, size_in(box, 50, 8)) {}

  void draw() {
    std::map<int, std::int64_t> grids;  // the number of grids for each depth
    for (const Grid& g : trace.grids) ++grids[g.depth];
    const float width = std::min(size * 8, box.w / 5 - size * 1.4f),
                height = std::min(size * 3.4f, box.h * 0.5f), y = box.y + size;
    float x = box.x;
    std::size_t drawn = 0;
    for (auto it = grids.begin(); it != grids.end(); ++it) {
      const bool last = std::next(it) == grids.end();
      if (drawn >= 3 && !last) continue;
      if (drawn++ > 0) {
        arrow(p, {x - size * 1.3f, y + height / 2}, {x - 2, y + height / 2}, t.conflict, stroke());
      }
      p.rect({x, y, width, height}, {.fill = t.now_soft, .stroke = t.now, .width = stroke(), .radius = 5});
      p.text({x + width / 2, y + height * 0.32f},
             cut(counted(it->second, "grid"), size, Face::bold, width - 6), t.text, size, Face::bold,
             Align::centre);
      p.text({x + width / 2, y + height * 0.7f},
             cut(tr("depth {}", grouped(it->first)), small(), Face::regular, width - 6), t.faint_text,
             small(), Face::regular, Align::centre);
      x += width + size * 1.4f;
    }
    if (box.h > height + size * 3)
      say({box.x, y + height + size * 1.4f},
          tr("Recorded launches at each depth: threads of a grid launch the grids at the next depth."), box.w,
          t.faint_text, small());
  }
};

}  // namespace

void draw_waiting(Painter& p, const ViewInput& in, const Box& box, const HazardFinding& f,
                  const Incident& i) {
  WaitingDrawing(p, in, box, f, i).draw();
}
void draw_rounds(Painter& p, const ViewInput& in, const Box& box, const HazardFinding& f, const Incident& i) {
  RoundsDrawing(p, in, box, f, i).draw();
}
void draw_lanes(Painter& p, const ViewInput& in, const Box& box, const HazardFinding& f, const Incident& i) {
  LanesDrawing(p, in, box, f, i).draw();
}
void draw_launch_depths(Painter& p, const ViewInput& in, const Box& box) {
  LaunchesDrawing(p, in, box).draw();
}

}  // namespace upsweep
