// The view "Hazards" lists the wrong result and all findings about the run. For one entry, the view draws the
// threads, the cell, the missing order, and a remedy.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "analysis/incidents.hpp"
#include "base/language.hpp"
#include "scene/views/hazard_drawing.hpp"
#include "scene/views/hazard_marks.hpp"
#include "scene/views/views.hpp"
#include "scene/wrap.hpp"
#include "words/hazard_words.hpp"
#include "words/hidden_answer.hpp"
#include "words/in_words.hpp"
#include "words/incident_words.hpp"
#include "words/names.hpp"
#include "words/wrong_result_words.hpp"

namespace upsweep {
namespace {

constexpr float small_row = 22, large_row = 42;  // the heights in dp of an entry in the list

class HazardsPicture {
 public:
  explicit HazardsPicture(const ViewInput& in)
      : p_(in),
        in_(in),
        trace_(in.recording.trace),
        hazards_(in.recording.hazards()),
        entries_(hazard_entries(in.recording, in.cursor)),
        chosen_(chosen()) {}

  ViewPicture draw() {
    if (hides_answer(in_.recording, in_.cursor)) {
      p_.title(tr("races, barriers, bounds"));
      const std::string wrong = in_.recording.mistake ? in_words(in_.recording.mistake) + " " : "";
      p_.sentence(wrong + tr("Findings are hidden: press F for the answer."));
      return std::move(p_).picture();
    }
    if (!hazards_) {
      p_.title(tr("races, barriers, bounds"));
      p_.sentence(tr("Looking for hazards …"));
      return std::move(p_).picture();
    }
    p_.title(heading());
    if (entries_.empty()) {
      p_.sentence(nothing());
      return std::move(p_).picture();
    }
    lay_out();
    if (list_.h > 0) list();
    if (detail_.h > 0) detail();
    return std::move(p_).picture();
  }

 private:
  // Returns the index of the entry that is drawn: the entry that the reader has chosen, or otherwise the
  // first entry with the highest rank.
  //
  // Findings of this step have the highest rank. Findings of other steps follow, and then the wrong result. A
  // race whose two orders give equal results ranks a little lower.
  std::size_t chosen() const {
    if (in_.cursor.finding >= 0 && in_.cursor.finding < std::ssize(entries_))
      return static_cast<std::size_t>(in_.cursor.finding);
    const auto rank = [&](const HazardEntry& e) {
      const bool indifferent = e.incident && e.incident->orders && e.incident->orders->agree();
      return e.finding ? 4 + 2 * now(e) + !indifferent : now(e);
    };
    return static_cast<std::size_t>(std::ranges::max_element(entries_, {}, rank) - entries_.begin());
  }

  bool now(const HazardEntry& e) const { return is_in_step(in_.recording, e, in_.cursor.step); }

  std::string heading() const {
    const bool wrong = static_cast<bool>(in_.recording.mistake);
    const auto findings = static_cast<std::int64_t>(entries_.size()) - wrong;
    if (findings == 0)
      return std::string(tr("races, barriers, bounds: nothing to report")) +
             (wrong ? tr(" · the result is wrong") : "");
    const auto here =
        std::ranges::count_if(entries_, [&](const HazardEntry& e) { return e.finding != nullptr && now(e); });
    return tr("{}{}, {} in this step", wrong ? tr("a wrong result and ") : "", counted(findings, "finding"),
              here == 0 ? tr("none") : grouped(here));
  }

  std::string nothing() const {
    std::string text =
        tr("No hazards: no races, no accesses out of bounds, no uninitialised reads, and no divergent "
           "barriers.");
    if (!hazards_->complete) text += tr(" Some records were dropped, so later events were not checked.");
    else if (std::any_of(trace_.runs.begin(), trace_.runs.end(),
                         [](const BlockRun& r) { return !r.in_focus; }))
      text += tr(" Only the blocks that were recorded in full were checked.");
    return text;
  }

  // Places the list at the left or, in a narrow picture, at the top. A single entry needs no list.
  void lay_out() {
    constexpr float least_detail = 64;
    const Box all{p_.margin - 8, p_.top + 2, p_.width - 2 * p_.margin + 16, p_.height - p_.top - 8};
    if (entries_.size() == 1 && all.h >= least_detail) {
      detail_ = {p_.margin, all.y, all.w - 16, all.h};
    } else if (all.w >= 700 && all.h >= least_detail) {
      list_ = {all.x, all.y, std::clamp(all.w * 0.27f, 220.0f, 380.0f), all.h};
      const float left = list_.x + list_.w + 24;
      detail_ = {left, all.y, p_.width - p_.margin - left, all.h};
    } else if (all.h >= 2.5f * least_detail) {
      const float wanted = small_row * static_cast<float>(entries_.size());
      list_ = {all.x, all.y, all.w, std::min(wanted, std::max(2 * small_row, all.h * 0.25f))};
      detail_ = {p_.margin, all.y + list_.h + 10, all.w - 16, all.h - list_.h - 10};
    } else {
      list_ = all;
    }
  }

  // --- the list

  void list() {
    const auto count = static_cast<float>(entries_.size());
    row_ = list_.h >= count * large_row && list_.w < 400 ? large_row : small_row;
    const auto fit = static_cast<std::size_t>(std::max(1.0f, list_.h / row_));
    std::size_t shown = std::min(entries_.size(), fit);
    // The last row contains the number of entries that are left out.
    if (shown < entries_.size() && shown > 1) --shown;
    const std::size_t first = chosen_ < shown ? 0 : chosen_ + 1 - shown;
    float y = list_.y;
    for (std::size_t i = first; i < first + shown; ++i, y += row_) row(i, y);
    std::int64_t hidden = 0, hidden_here = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (i < first || i >= first + shown) ++hidden, hidden_here += now(entries_[i]);
    if (hidden > 0 && y + 14 < p_.height)
      p_.text({list_.x + 8, y + 9},
              cut(tr("{findings_are} not shown here{and_in_this_step}",
                     fmt::arg("findings_are", counted(hidden, "finding is", "findings are")),
                     fmt::arg("and_in_this_step",
                              hidden_here > 0 ? tr(", {} in this step", grouped(hidden_here)) : "")),
                  11.5f, Face::regular, list_.w - 8),
              p_.theme.faint_text, 11.5f);
  }

  void row(std::size_t number, float top) {
    const Theme& t = p_.theme;
    const HazardEntry& e = entries_[number];
    const Box box{list_.x, top, list_.w, row_ - 3};
    p_.target(box, e.id());
    if (number == chosen_) p_.rect(box, {.fill = t.now_soft, .radius = 3});
    const auto* line = as<LineId>(in_.cursor.hover);
    const auto* pointed = as<FindingId>(in_.cursor.hover);
    if ((pointed && pointed->entry == e.number) || (line && has_line(e, line->line)))
      p_.rect(box, {.stroke = t.text, .width = 1, .radius = 3});
    p_.rect({box.x, box.y, 3, box.h}, {.fill = number == chosen_ ? t.now : t.conflict, .radius = 1});
    const float x = box.x + 12, room = box.w - 18;
    const std::string kind =
        e.finding ? capitalised(std::string(tr(name(e.finding->kind)))) : tr("Wrong result");
    const std::string lines = e.finding ? lines_text(*e.finding) : tr("output");
    std::string step, cell, current = now(e) ? tr(" · now") : "";
    if (e.step >= 0 && (e.finding ? e.finding->party.event != HazardParty::none : has_departure()))
      step = tr(" · step {}", grouped(e.step + 1));
    if (e.finding && e.finding->has_cell) cell = " · " + cell_text(trace_, *e.finding);
    const auto place = [&](float size, float width) {
      return cut(first_fitting({lines + step + cell + current, lines + step + cell, lines + step, lines},
                               size, Face::regular, width),
                 size, Face::regular, width);
    };
    if (row_ == large_row) {
      p_.text({x, top + 12}, cut(kind, 13, Face::bold, room), t.conflict, 13, Face::bold);
      p_.text({x, top + 28}, place(11.5f, room), t.text, 11.5f);
      return;
    }
    const std::string shown = cut(kind, 12.5f, Face::bold, room);
    p_.text({x, top + box.h / 2}, shown, t.conflict, 12.5f, Face::bold);
    const float used = text_width(shown, 12.5f, Face::bold) + 10;
    p_.text({x + used, top + box.h / 2}, place(11.5f, room - used), t.text, 11.5f);
  }

  bool has_departure() const { return in_.recording.wrong && in_.recording.wrong->departure; }
  bool has_line(const HazardEntry& e, int line) const {
    if (e.finding) return e.finding->party.line == line || e.finding->other.line == line;
    return has_departure() && in_.recording.wrong->departure->line == line;
  }

  static std::string lines_text(const HazardFinding& f) {
    if (f.other.line == 0 || f.other.line == f.party.line) return tr("line {}", f.party.line);
    return tr("lines {} and {}", std::min(f.party.line, f.other.line), std::max(f.party.line, f.other.line));
  }

  // --- the chosen entry: its places, the event, the drawing, and the remedy

  void detail() {
    const HazardEntry& e = entries_[chosen_];
    size_ = std::clamp(std::min(detail_.w / 52, detail_.h / 19), 12.0f, 19.0f);
    const float pitch = std::floor(size_ * 1.45f), gap = std::floor(size_ * 0.9f),
                bottom = detail_.y + detail_.h;
    float y = detail_.y + pitch / 2;
    head(e, y);
    y += pitch / 2;
    std::string what = e.finding ? what_happens(trace_, *e.finding) : wrong_text(in_.recording);
    if (e.finding)
      if (const std::string same = agreement_text(trace_, *e.incident); !same.empty()) what += " " + same;
    const auto lines = [&](const std::string& text) {
      return wrapped(text, size_, Face::regular, detail_.w);
    };
    const std::vector<std::string> sentences = lines(what),
                                   advice = lines(e.finding ? advice_text(trace_, *e.finding) : "");
    constexpr float least_drawing = 92;
    const float told = pitch * static_cast<float>(sentences.size()),
                advised = advice.empty() ? 0 : pitch * static_cast<float>(advice.size()) + gap;
    const bool draws_and_advises = bottom - y - told - gap - advised >= least_drawing,
               draws = bottom - y - told - gap >= least_drawing;
    for (const std::string& line : sentences) {
      if (y + pitch > bottom + 2) break;
      p_.text({detail_.x, y += pitch}, line, p_.theme.text, size_);
    }
    y += pitch / 2;
    if (draws) {
      const float end = draws_and_advises ? bottom - advised : bottom;
      const Box box{detail_.x, y + gap, detail_.w, end - y - gap};
      if (e.finding) draw_hazard(p_, in_, box, *e.finding, *e.incident);
      else draw_wrong_result(p_, in_, box);
      y = end + gap;
      if (!draws_and_advises) return;
    }
    y += pitch / 2;
    for (const std::string& line : advice) {
      if (y + pitch / 2 > bottom + 2) break;
      p_.text({detail_.x, y}, line, p_.theme.faint_text, size_);
      y += pitch;
    }
  }

  // Draws the first line: the kind of the entry and the places. Each place reacts to the mouse.
  void head(const HazardEntry& e, float y) {
    const Theme& t = p_.theme;
    float x = detail_.x;
    const auto piece = [&](const std::string& text, Colour colour, Face face, const Id& id = {}) {
      const float room = detail_.x + detail_.w - x;
      if (text_width(text, size_, face) > room && x > detail_.x) return;
      const std::string shown = cut(text, size_, face, room);
      const float width = text_width(shown, size_, face);
      if (shown.empty()) return;
      p_.text({x, y}, shown, colour, size_, face);
      if (!is_nothing(id)) {
        p_.target({x - 4, y - size_ * 0.7f, width + 8, size_ * 1.4f}, id);
        p_.line({x, y + size_ * 0.55f}, {x + width, y + size_ * 0.55f}, faded(colour, 0.4f));
      }
      x += width + size_;
    };
    hazard_mark(p_, t, {x + size_ * 0.5f, y}, size_ * 1.05f);
    x += size_ * 1.5f;
    const Colour step_colour = now(e) ? t.now : t.text;
    const auto step_piece = [&](std::uint32_t step) {
      piece(tr("step {} ({})", grouped(step + 1), step_text(trace_, trace_.steps[step])), step_colour,
            Face::regular, StepId{static_cast<int>(step)});
    };
    if (!e.finding) {
      // Does not repeat "Wrong result", because the text below begins with these words.
      piece(tr("Output"), t.conflict, Face::bold);
      if (!has_departure()) return;
      const Departure& d = *in_.recording.wrong->departure;
      piece(tr("line {}", d.line), t.text, Face::regular, LineId{static_cast<int>(d.step), d.line});
      step_piece(d.step);
      return;
    }
    const HazardFinding& f = *e.finding;
    const bool has_event = f.party.event != HazardParty::none;
    piece(capitalised(std::string(tr(name(f.kind)))), t.conflict, Face::bold);
    piece(lines_text(f), t.text, Face::regular,
          LineId{has_event ? static_cast<int>(f.party.step) : in_.cursor.step, f.party.line});
    if (has_event) step_piece(f.party.step);
    if (f.has_cell) piece(cell_text(trace_, f), t.text, Face::mono, cell_id(f));
    piece(std::string(models_text(f)), t.faint_text, Face::regular);
    if (f.count > 1)
      piece(grouped(static_cast<std::int64_t>(f.count)) + tr(" times"), t.faint_text, Face::regular);
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
  const std::vector<HazardEntry> entries_;
  const std::size_t chosen_;  // the index of the entry that is drawn
  Box list_, detail_;
  float row_ = small_row, size_ = 12;
};

ViewPicture draw_hazards(const ViewInput& in) { return HazardsPicture(in).draw(); }

// Returns the text after the name of the view:
// - the number of entries, if there are visible findings;
// - otherwise ": wrong result", if the result is wrong;
// - otherwise " …" until the search for hazards has ended. If the findings are hidden, the text is empty.
Notice hazards_notice(const Reading& at) {
  const bool hidden = hides_answer(at.recording, at.cursor);
  const Hazards* hazards = shown_hazards(at.recording, at.cursor);
  const bool wrong = static_cast<bool>(at.recording.mistake);
  if (hazards && !hazards->findings.empty())
    return {" " + grouped(static_cast<std::int64_t>(hazards->findings.size()) + wrong), true};
  if (wrong) return {tr(": wrong result"), true};
  return {hazards || hidden ? "" : " …", false};
}

Id hazards_see(const Id& hover) {
  if (const auto* line = as<LineId>(hover)) return LineId{-1, line->line};
  if (const auto* finding = as<FindingId>(hover)) return FindingId{-1, finding->entry};
  return {};
}

}  // namespace

extern const View hazards_view{.name = "hazards",
                               .title = tr_noop("Hazards"),
                               .home = Home::tree,
                               .draw = draw_hazards,
                               .tip = finding_tip,
                               .click = click_on_finding,
                               .notice = hazards_notice,
                               .sees = hazards_see};

}  // namespace upsweep
