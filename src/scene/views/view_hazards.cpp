// The view Hazards lists a wrong result and every finding about the run: its kind, its place, what happens
// and what to do. Entries of the current step are highlighted.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "analysis/hazard_steps.hpp"
#include "scene/views/views.hpp"
#include "scene/wrap.hpp"
#include "words/hazard_words.hpp"
#include "words/hidden_answer.hpp"
#include "words/in_words.hpp"
#include "words/names.hpp"
#include "words/wrong_result_words.hpp"

namespace upsweep {
namespace {

constexpr float head_size = 13, text_size = 12, pitch = 18, gap = 12;
const std::vector<HazardFinding> no_findings;

// Breaks a text into at most two lines of width `room`. If two lines are not enough, the second line is cut.
std::vector<std::string> in_two_lines(const std::string& text, float size, float room) {
  std::vector<std::string> lines = wrapped(text, size, Face::regular, room);
  for (std::size_t i = 2; i < lines.size(); ++i) lines[1] += " " + lines[i];
  lines.resize(std::min<std::size_t>(lines.size(), 2));
  for (std::string& line : lines) line = cut(line, size, Face::regular, room);
  return lines;
}

class HazardsPicture {
 public:
  explicit HazardsPicture(const ViewInput& in)
      : p_(in),
        in_(in),
        trace_(in.recording.trace),
        hazards_(in.recording.hazards()),
        findings_(hazards_ ? hazards_->findings : no_findings) {}

  ViewPicture draw() {
    if (hides_answer(in_.recording, in_.cursor)) {
      p_.title("races, barriers, bounds");
      const std::string wrong = in_.recording.mistake ? in_words(in_.recording.mistake) + " " : "";
      p_.sentence(wrong + "Findings are hidden: press F for the answer.");
      return std::move(p_).picture();
    }
    if (!hazards_) {
      p_.title("races, barriers, bounds");
      p_.sentence("Looking for hazards …");
      return std::move(p_).picture();
    }
    p_.title(heading());
    if (findings_.empty() && !in_.recording.mistake) {
      p_.sentence(nothing());
      return std::move(p_).picture();
    }
    const float bottom = p_.height - 6;
    // If room is short, findings lose lines: findings of other steps first, and the advice before the
    // description.
    std::vector<Entry> entries;
    float needed = 0;
    for (const auto& [others, here] : {std::pair{2, 2}, {1, 2}, {0, 2}, {0, 1}, {0, 0}}) {
      entries = entries_of(others, here);
      needed = 0;
      for (const Entry& e : entries) needed += e.height();
      if (needed <= bottom - p_.top) break;
    }
    // `first` is the first entry to show: the smallest number with which the last entry of this step is
    // visible.
    std::size_t first = 0, lit = 0;
    for (std::size_t i = 0; i < entries.size(); ++i)
      if (now(entries[i])) lit = i;
    float used = 0;
    for (std::size_t i = 0; i <= lit; ++i) used += entries[i].height();
    for (; first < lit && used > bottom - p_.top - pitch; ++first) used -= entries[first].height();

    float y = p_.top + 2;
    std::size_t shown = first;
    for (; shown < entries.size(); ++shown) {
      const bool last = shown + 1 == entries.size();
      if (shown > first && y + entries[shown].height() > bottom - (last ? 0 : pitch)) break;
      draw(entries[shown], y);
      y += entries[shown].height();
    }
    std::int64_t hidden = 0, hidden_here = 0;
    for (std::size_t i = 0; i < entries.size(); ++i)
      if (i < first || i >= shown) ++hidden, hidden_here += now(entries[i]);
    if (hidden > 0 && y + pitch / 2 < p_.height)
      p_.text({p_.margin, y + pitch / 2 - 4},
              fmt::format("{} not shown here{}: enlarge this view to see more",
                          counted(hidden, "finding is", "findings are"),
                          hidden_here > 0 ? fmt::format(", {} in this step", grouped(hidden_here)) : ""),
              p_.theme.faint_text, text_size);
    return std::move(p_).picture();
  }

 private:
  struct Entry {
    const HazardFinding* finding;  // null for the wrong result
    std::vector<std::string> what, advice;
    float height() const {
      return pitch * static_cast<float>(1 + what.size() + advice.size()) + (advice.empty() ? gap / 2 : gap);
    }
  };

  // Returns the entries. `here` is the number of texts for a finding of this step, and `others` for other
  // findings: 0 for none, 1 for what happens, 2 for what happens and the advice.
  std::vector<Entry> entries_of(int others, int here) const {
    const float room = p_.width - 2 * p_.margin - 16;
    std::vector<Entry> entries;
    if (in_.recording.mistake)
      entries.push_back({nullptr, in_two_lines(wrong_text(in_.recording), text_size, room), {}});
    for (const HazardFinding& f : findings_) {
      Entry e{&f, {}, {}};
      const int lines = now(f) ? here : others;
      if (lines >= 1) e.what = in_two_lines(what_happens(trace_, f), text_size, room);
      if (lines >= 2) e.advice = in_two_lines(advice_text(trace_, f), text_size, room);
      entries.push_back(std::move(e));
    }
    return entries;
  }

  bool now(const HazardFinding& f) const { return is_in_step(f, in_.cursor.step); }

  bool now(const Entry& e) const {
    if (e.finding) return now(*e.finding);
    const auto& wrong = in_.recording.wrong;
    return wrong && wrong->departure && static_cast<int>(wrong->departure->step) == in_.cursor.step;
  }

  std::string heading() const {
    const std::string wrong = in_.recording.mistake ? " · the result is wrong" : "";
    if (findings_.empty()) return "races, barriers, bounds: nothing to report" + wrong;
    const auto here =
        std::count_if(findings_.begin(), findings_.end(), [&](const HazardFinding& f) { return now(f); });
    return fmt::format("{}, {} in this step{}",
                       counted(static_cast<std::int64_t>(findings_.size()), "finding"),
                       here == 0 ? "none" : grouped(here), wrong);
  }

  std::string nothing() const {
    std::string text =
        "No hazards: all accesses are ordered, in bounds and initialised, and every thread reaches every "
        "barrier.";
    if (!hazards_->complete) text += " Some records were dropped, so later events were not checked.";
    else if (std::any_of(trace_.runs.begin(), trace_.runs.end(),
                         [](const BlockRun& r) { return !r.in_focus; }))
      text += " Only the blocks that were recorded in full were checked.";
    return text;
  }

  static std::string lines_text(const HazardFinding& f) {
    if (f.other.line == 0 || f.other.line == f.party.line) return fmt::format("line {}", f.party.line);
    return fmt::format("lines {} and {}", std::min(f.party.line, f.other.line),
                       std::max(f.party.line, f.other.line));
  }

  Id line_id(const HazardParty& party) const {
    return LineId{party.event == HazardParty::none ? in_.cursor.step : static_cast<int>(party.step),
                  party.line};
  }

  // Draws a part of an entry's first line. The part gets a target if it has an id.
  void piece(float& x, float y, const std::string& text, Colour colour, Face face, const Id& id = {}) {
    const float room = p_.width - p_.margin - x;
    const std::string shown = cut(text, head_size, face, room);
    if (shown.empty()) return;
    const float width = text_width(shown, head_size, face);
    p_.text({x, y}, shown, colour, head_size, face);
    if (!is_nothing(id)) {
      p_.target({x - 4, y - pitch / 2, width + 8, pitch}, id);
      p_.line({x, y + 7}, {x + width, y + 7}, faded(colour, 0.4f));
    }
    x += width + 14;
  }

  // Draws the frame of an entry. A click in the frame goes to `id`. The frame is highlighted if the mouse is
  // over line `of_line`.
  void frame(const Entry& e, float top, const Id& id, int of_line) {
    const Theme& t = p_.theme;
    const bool is_now = now(e);
    const Box box{p_.margin - 8, top, p_.width - 2 * p_.margin + 16, e.height() - gap / 3};
    if (!is_nothing(id)) p_.target(box, id);
    if (is_now) p_.rect(box, {.fill = t.now_soft, .radius = 3});
    if (const auto* line = as<LineId>(in_.cursor.hover); line && line->line == of_line)
      p_.rect(box, {.stroke = t.text, .width = 1, .radius = 3});
    p_.rect({box.x, box.y, 3, box.h}, {.fill = is_now ? t.now : t.conflict, .radius = 1});
  }

  void draw(const Entry& e, float top) {
    if (!e.finding) return draw_wrong_result(e, top);
    const HazardFinding& f = *e.finding;
    const Theme& t = p_.theme;
    const bool is_now = now(f);
    frame(e, top, line_id(f.party), f.party.line);

    float x = p_.margin + 8, y = top + pitch / 2 + 2;
    piece(x, y, capitalised(std::string(name(f.kind))), t.conflict, Face::bold);
    piece(x, y, lines_text(f), t.text, Face::regular, line_id(f.party));
    if (f.party.event != HazardParty::none)
      piece(x, y,
            fmt::format("step {} ({})", f.party.step + 1, step_text(trace_, trace_.steps[f.party.step])),
            is_now ? t.now : t.text, Face::regular, StepId{static_cast<int>(f.party.step)});
    if (f.has_cell) piece(x, y, cell_text(trace_, f), t.text, Face::mono, cell_id(f));
    piece(x, y, std::string(models_text(f)), t.faint_text, Face::regular);
    if (f.count > 1)
      piece(x, y, grouped(static_cast<std::int64_t>(f.count)) + " times", t.faint_text, Face::regular);
    for (const std::string& line : e.what) p_.text({p_.margin + 8, y += pitch}, line, t.text, text_size);
    for (const std::string& line : e.advice)
      p_.text({p_.margin + 8, y += pitch}, line, t.faint_text, text_size);
  }

  void draw_wrong_result(const Entry& e, float top) {
    const Theme& t = p_.theme;
    const auto& wrong = in_.recording.wrong;
    const Departure* d = wrong && wrong->departure ? &*wrong->departure : nullptr;
    const Id line = d ? Id(LineId{static_cast<int>(d->step), d->line}) : Id();
    frame(e, top, line, d ? d->line : -1);
    float x = p_.margin + 8, y = top + pitch / 2 + 2;
    piece(x, y, "Output", t.conflict, Face::bold);  // the text below begins with "Wrong result"
    if (d) {
      piece(x, y, fmt::format("line {}", d->line), t.text, Face::regular, line);
      piece(x, y, fmt::format("step {} ({})", d->step + 1, step_text(trace_, trace_.steps[d->step])),
            now(e) ? t.now : t.text, Face::regular, StepId{static_cast<int>(d->step)});
    }
    for (const std::string& text : e.what) p_.text({p_.margin + 8, y += pitch}, text, t.text, text_size);
  }

  Id cell_id(const HazardFinding& f) const {
    if (!f.shared || f.buffer != 0 || f.cell < 0) return {};
    CellId id{.step = static_cast<int>(f.party.step), .cell = static_cast<int>(f.cell)};
    const auto& cells = trace_.grids[f.party.grid].shared.cell;
    const auto found = std::find(cells.begin(), cells.end(), static_cast<std::uint32_t>(f.cell));
    if (found != cells.end()) id.element = static_cast<int>(found - cells.begin());
    return id;
  }

  ViewPen p_;
  const ViewInput& in_;
  const Trace& trace_;
  const Hazards* hazards_;  // null until the search has ended
  const std::vector<HazardFinding>& findings_;
};

ViewPicture draw_hazards(const ViewInput& in) { return HazardsPicture(in).draw(); }

// Returns the number of findings, plus one for a wrong result. Without findings, or if they are hidden,
// returns
// ": wrong result", "…" during the search, or nothing.
Notice hazards_notice(const Reading& at) {
  const bool hidden = hides_answer(at.recording, at.cursor);
  const Hazards* hazards = shown_hazards(at.recording, at.cursor);
  const bool wrong = static_cast<bool>(at.recording.mistake);
  if (hazards && !hazards->findings.empty())
    return {" " + grouped(static_cast<std::int64_t>(hazards->findings.size()) + wrong), true};
  if (wrong) return {": wrong result", true};
  return {hazards || hidden ? "" : " …", false};
}

}  // namespace

extern const View hazards_view{.name = "hazards",
                               .title = "Hazards",
                               .home = Home::tree,
                               .draw = draw_hazards,
                               .notice = hazards_notice,
                               .sees = sees_only<LineId>};

}  // namespace upsweep
