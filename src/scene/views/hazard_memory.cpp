// Draws wrong accesses to memory: an access out of bounds, an uninitialised read, and a misaligned vector
// access. Also draws a wrong result: each element with its expected value.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/global_state.hpp"
#include "analysis/memory.hpp"
#include "base/language.hpp"
#include "scene/views/hazard_drawing.hpp"
#include "scene/views/hazard_marks.hpp"
#include "trace/value.hpp"
#include "words/hazard_words.hpp"
#include "words/incident_words.hpp"
#include "words/names.hpp"
#include "words/wrong_result_words.hpp"

namespace upsweep {
namespace {

class MemoryDrawing : HazardPen {
 public:
  MemoryDrawing(Painter& p, const ViewInput& in, const Box& box, const HazardFinding& f, const Incident& i)
      : HazardPen(p, in, box, f, i, size_in(box, 40, 9.5f)) {}

  // Draws the accessed cell outside the memory, and the nearest cells inside the memory. A line between them
  // marks the end (or the beginning) of the memory.
  void end() {
    const float y = access(), height = std::min(size * 2.6f, box.y + box.h - y - size * 1.6f);
    if (height < size * 1.2f) return;
    const bool before = f.cell < 0;
    const std::int64_t edge = before ? 0 : f.cells, away = before ? -f.cell : f.cell - f.cells + 1;
    const auto inside = static_cast<int>(std::min<std::int64_t>(f.cells, 4));
    const float width = std::min(size * 7, box.w / static_cast<float>(inside + 3)), gap = 3;
    // Draws the cells from left to right, in the order of their addresses.
    float x = box.x;
    const auto cell = [&](std::int64_t index, bool outside) {
      const Box at{x, y, width - gap, height};
      HazardFinding named = f;
      named.cell = index;
      named.element = -1;
      if (outside) {
        p.rect(at, {.fill = t.conflict_soft, .stroke = t.conflict, .width = stroke() * 1.3f, .radius = 4});
        hazard_mark(p, t, {at.x + at.w, at.y}, size);
      } else {
        p.rect(at, {.fill = t.cell, .stroke = t.cell_stroke, .width = 1, .radius = 4});
      }
      const std::string name = outside ? cell_text(trace, f) : cell_text(trace, named);
      p.text({at.x + at.w / 2, at.y + at.h / 2}, cut(name, small(), Face::mono, at.w - 4),
             outside ? t.text : t.faint_text, small(), Face::mono, Align::centre);
      if (outside) accessed_ = at.x + at.w / 2;
      x += width;
    };
    const auto boundary = [&] {
      p.rect({x - gap / 2 - stroke(), y - size * 0.6f, stroke() * 2, height + size * 1.2f},
             {.fill = t.text, .radius = 1});
      const std::string text = before ? tr("begins here") : tr("ends here: {}", counted(f.cells, "cell"));
      const float half = text_width(text, small(), Face::regular) / 2;
      p.text({std::clamp(x, box.x + half, box.x + box.w - half), y + height + size * 1.3f}, text, t.text,
             small(), Face::regular, Align::centre);
    };
    const auto far = [&] {
      if (away <= 1) return;
      p.text({x + width / 2 - gap, y + height / 2}, "…", t.faint_text, size, Face::bold, Align::centre);
      x += width;
    };
    if (before) {
      cell(f.cell, true);
      far();
      boundary();
    }
    for (int k = 0; k < inside; ++k) cell(before ? edge + k : edge - inside + k, false);
    if (!before) {
      boundary();
      far();
      cell(f.cell, true);
    }
    link(y);
  }

  // Draws the cell, the thread that reads the cell, and the missing store.
  void unwritten() {
    const float y = access(), height = std::min(size * 3.2f, box.y + box.h - y - size * 0.4f);
    if (height < size * 1.4f) return;
    const std::string name = cell_text(trace, f);
    const float width = std::max(text_width(name, size, Face::mono) + size * 1.6f, size * 7);
    const Box at{box.x + std::min(size * 2, box.w - width), y, std::min(width, box.w), height};
    p.rect(at, {.fill = t.cell, .stroke = t.conflict, .width = stroke() * 1.3f, .radius = 4, .hatch = false});
    hazard_mark(p, t, {at.x + at.w, at.y}, size);
    p.text({at.x + at.w / 2, at.y + at.h * 0.34f}, cut(name, size, Face::mono, at.w - 4), t.text, size,
           Face::mono, Align::centre);
    p.text({at.x + at.w / 2, at.y + at.h * 0.72f}, "?", t.conflict, size * 1.1f, Face::bold, Align::centre);
    accessed_ = at.x + at.w / 2;
    const float from = at.x + at.w + size * 1.2f, to = from + size * 5;
    const float room = box.x + box.w - to - size * 0.6f;
    dashed_line(p, {to, at.y + at.h * 0.55f}, {from - size * 0.8f, at.y + at.h * 0.55f}, t.conflict,
                stroke());
    say({to + size * 0.6f, at.y + at.h * 0.36f}, tr("no thread has written this cell"), room, t.conflict,
        size, Face::bold);
    say({to + size * 0.6f, at.y + at.h * 0.8f}, tr("CUDA does not define the value of the cell."), room,
        t.faint_text, small());
    link(y);
  }

 private:
  // Draws the thread and its line of code above the cells. Returns the y of the cells' top.
  float access() {
    const bool writes = i.party.how != IncidentAccess::How::reads;
    const std::string who =
        capitalised(party_text(trace, f, f.party)) + " " + upsweep::access_text(trace, i, i.party);
    const std::string code = line_text(f.party.line);
    const float width =
        std::min(box.w, std::max(text_width(who, size, Face::bold), text_width(code, small(), Face::mono)) +
                            size * 1.6f);
    const float height = size * 2.9f;
    thread_ = {box.x, box.y, width, height};
    const Colour ink = writes ? t.on_now : t.text;
    p.rect(thread_, {.fill = writes ? t.now : t.now_soft, .stroke = t.now, .width = stroke(), .radius = 5});
    say({box.x + size * 0.8f, box.y + height * 0.32f}, who, width - size * 1.4f, ink, size, Face::bold);
    say({box.x + size * 0.8f, box.y + height * 0.72f}, code, width - size * 1.4f, ink, small(), Face::mono);
    p.target(thread_, LineId{static_cast<int>(f.party.step), f.party.line});
    return box.y + height + size * 2;
  }

  // Draws an arrow between the thread and the accessed cell. The arrow points to the cell if the thread
  // writes, and to the thread if the thread reads.
  void link(float y) const {
    const bool writes = i.party.how != IncidentAccess::How::reads;
    const float x = std::clamp(accessed_, thread_.x + size, thread_.x + thread_.w - size);
    const Point thread{x, thread_.y + thread_.h + 1}, cell{accessed_, y - 2};
    writes ? arrow(p, thread, cell, t.now, stroke()) : arrow(p, cell, thread, t.now, stroke());
  }

  Box thread_;
  float accessed_ = 0;  // the x of the middle of the accessed cell
};

class ElementsDrawing : HazardPen {
 public:
  ElementsDrawing(Painter& p, const ViewInput& in, const Box& box, float columns, float rows)
      : HazardPen(p, in, box, size_in(box, columns, rows)), in_(in) {}

  // Draws the elements that a vector access touches, and the boundaries at which a vector access may begin.
  void alignment() {
    const auto count = static_cast<std::int64_t>(trace.stopped.elements);
    if (count <= 0) return;
    const std::int64_t first = trace.stopped.first_element;
    const std::int64_t begin = (first >= 0 ? first / count : 0) * count, end = begin + 2 * count;
    const float width = std::min(size * 4, box.w / static_cast<float>(2 * count + 1)),
                y = box.y + size * 2.4f, height = std::min(size * 2.4f, box.h * 0.4f);
    const int line = trace.stopped.places.empty() ? 0 : static_cast<int>(trace.stopped.places[0].line);
    if (line > 0) say({box.x, box.y + size * 0.6f}, line_text(line), box.w, t.text, small(), Face::mono);
    for (std::int64_t e = begin; e < end; ++e) {
      const bool touched = e >= first && e < first + count;
      const Box at{box.x + width * static_cast<float>(e - begin) + 1, y, width - 3, height};
      p.rect(at, {.fill = touched ? t.conflict_soft : t.cell,
                  .stroke = touched ? t.conflict : t.cell_stroke,
                  .width = touched ? stroke() : 1,
                  .radius = 4});
      p.text({at.x + at.w / 2, at.y + at.h / 2}, cut(std::to_string(e), size, Face::regular, at.w),
             touched ? t.text : t.faint_text, size, touched ? Face::bold : Face::regular, Align::centre);
    }
    for (std::int64_t e = begin; e <= end; e += count) {
      const float x = box.x + width * static_cast<float>(e - begin);
      p.line({x, y - size * 0.5f}, {x, y + height + size * 0.5f}, t.good, stroke() * 1.4f);
    }
    hazard_mark(p, t, {box.x + width * static_cast<float>(first - begin) + 2, y}, size);
    say({box.x, y + height + size * 1.6f},
        tr("An access of {} elements must begin at a green line; this access begins at {}.", count,
           grouped(first)),
        box.w, t.faint_text, small());
  }

  void wrong_result() {
    const auto& wrong = in_.recording.wrong;
    if (!wrong || wrong->elements.empty()) return;
    float y = box.y;
    if (wrong->departure && box.h >= size * 8.5f) y = departure(*wrong, *wrong->departure) + size * 1.3f;
    elements(*wrong, y);
  }

 private:
  // Draws two parts side by side: the action of the thread in this run, and the action of the same thread in
  // the correct kernel's run. Returns the y of the lower end.
  float departure(const WrongResult& wrong, const Departure& d) const {
    const auto [got, expected] = departure_in_both(trace, wrong);
    const float gap = size * 1.6f, width = (box.w - gap) / 2, height = size * 4.4f;
    const auto side = [&](float x, const std::string& title, const std::string& what, const std::string& code,
                          Colour colour) {
      p.rect({x, box.y, width, height}, {.fill = t.cell, .stroke = colour, .width = stroke(), .radius = 5});
      const float inner = x + size * 0.8f, room = width - size * 1.6f;
      say({inner, box.y + size}, title, room, colour, small(), Face::bold);
      const float fit = std::min(size, size * room / std::max(1.0f, text_width(what, size, Face::bold)));
      say({inner, box.y + size * 2.3f}, what, room, t.text, std::max(10.5f, fit), Face::bold);
      say({inner, box.y + size * 3.5f}, code, room, t.faint_text, small(), Face::mono);
    };
    side(box.x, tr("This run, step {}", grouped(d.step + 1)), got, line_text(d.line), t.conflict);
    hazard_mark(p, t, {box.x + width, box.y}, size);
    side(box.x + width + gap, tr("The right kernel"), expected,
         wrong.right.empty() ? tr("with all its barriers") : wrong.right, t.good);
    p.target({box.x, box.y, width, height}, LineId{static_cast<int>(d.step), d.line});
    return box.y + height;
  }

  // Returns true if a recorded store wrote this element of the output. Also returns true if the recording is
  // too large to search, or if some stores were not recorded.
  bool is_written(std::size_t index) const {
    constexpr std::size_t most_lanes = 1 << 20;
    if (trace.lanes.size() > most_lanes || trace.dropped > 0 ||
        !std::ranges::all_of(trace.runs, [](const BlockRun& r) { return r.in_focus; }))
      return true;
    const int last = static_cast<int>(trace.steps.size()) - 1;
    const auto& cells = in_.recording.global(trace.roles().first_output(), last).cells;
    return index >= cells.size() || cells[index].writer > 0;
  }

  // Draws the first wrong elements of the output, with the expected value below each element.
  void elements(const WrongResult& wrong, float y) const {
    const float pitch = std::min(size * 2.3f, (box.y + box.h - y) / 3);
    if (pitch < size * 1.2f) return;
    const float label = text_width(tr("expected"), size, Face::bold) + size * 1.2f, width = size * 4.6f;
    const auto fit = static_cast<std::size_t>(std::max(1.0f, (box.w - label) / width));
    const std::size_t shown = std::min(wrong.elements.size(), fit);
    const int output = trace.roles().first_output();
    const Cells cells = trace.buffers[static_cast<std::size_t>(output)].cells;
    const auto text = [&](const Value& v) { return short_text(v, trace.settings, cells, 7); };
    say({box.x, y + pitch * 0.5f}, buffer_name(trace, output), label, t.faint_text, size);
    say({box.x, y + pitch * 1.5f}, tr("this run"), label, t.text, size, Face::bold);
    say({box.x, y + pitch * 2.5f}, tr("expected"), label, t.good, size, Face::bold);
    for (std::size_t k = 0; k < shown; ++k) {
      const WrongResult::Element& e = wrong.elements[k];
      const float x = box.x + label + width * static_cast<float>(k), middle = x + width / 2;
      const float h = pitch - 3;
      p.text({middle, y + pitch * 0.5f}, fmt::format("[{}]", e.index), t.faint_text, small(), Face::mono,
             Align::centre);
      p.rect({x + 2, y + pitch, width - 4, h},
             {.fill = t.conflict_soft, .stroke = t.conflict, .width = stroke(), .radius = 4});
      p.text({middle, y + pitch + h / 2},
             cut(is_written(e.index) ? text(trace.output[e.index]) : "·", size, Face::bold, width - 6),
             t.text, size, Face::bold, Align::centre);
      p.rect({x + 2, y + 2 * pitch, width - 4, h},
             {.fill = t.cell, .stroke = t.good, .width = stroke(), .radius = 4});
      p.text({middle, y + 2 * pitch + h / 2}, cut(text(e.expected), size, Face::bold, width - 6), t.text,
             size, Face::bold, Align::centre);
    }
    const float below = y + pitch * 3 + size * 0.9f;
    if (below + size * 0.5f <= box.y + box.h)
      say({box.x, below},
          tr("{} of {} wrong{}.", counted(static_cast<std::int64_t>(wrong.elements.size()), "element"),
             grouped(static_cast<std::int64_t>(trace.output.size())),
             shown < wrong.elements.size() ? tr("; the first {} are shown", shown) : ""),
          box.w, t.faint_text, small());
  }

  const ViewInput& in_;
};

}  // namespace

void draw_memory_end(Painter& p, const ViewInput& in, const Box& box, const HazardFinding& f,
                     const Incident& i) {
  MemoryDrawing(p, in, box, f, i).end();
}
void draw_unwritten(Painter& p, const ViewInput& in, const Box& box, const HazardFinding& f,
                    const Incident& i) {
  MemoryDrawing(p, in, box, f, i).unwritten();
}
void draw_alignment(Painter& p, const ViewInput& in, const Box& box) {
  ElementsDrawing(p, in, box, 44, 8).alignment();
}
void draw_wrong_result(Painter& p, const ViewInput& in, const Box& box) {
  ElementsDrawing(p, in, box, 56, 13.5f).wrong_result();
}

}  // namespace upsweep
