// The view "Source" shows the compiled kernel's text. The lines of the step are highlighted, and show their
// costs in this step. If there is room, other lines show their costs over the whole run. With hardware
// counters, every line shows costs over the whole run, and counts that differ from the prediction.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

#include "analysis/memory.hpp"
#include "analysis/shared_request.hpp"
#include "base/language.hpp"
#include "scene/views/hazard_marks.hpp"
#include "scene/views/next_request.hpp"
#include "scene/views/source_text.hpp"
#include "scene/views/tip_lines.hpp"
#include "words/hidden_answer.hpp"

namespace upsweep {
namespace {

int first_visible(const Cursor& cursor, const std::map<int, Totals>& step, int request_line, int lines,
                  int fit) {
  const int last_start = std::max(1, lines - fit + 1);
  if (cursor.first_line > 0) return std::min(cursor.first_line, last_start);
  if (step.empty()) return 1;
  const int low = step.begin()->first, high = step.rbegin()->first;
  int first = (low + high) / 2 - fit / 2;
  // If not all lines of the step fit, the line of the chosen request is in the middle. Without a chosen
  // request, the step's first line is in the middle.
  if (high - low + 1 > fit) first = (request_line > 0 ? request_line : low) - fit / 2;
  return std::clamp(first, 1, last_start);
}

class SourcePicture {
 public:
  explicit SourcePicture(const ViewInput& in) : p_(in), in_(in), trace_(in.recording.trace) {}

  ViewPicture draw() {
    read();
    lay_out();
    if (in_.measured) measured_summary();
    if (lines_.empty()) {
      p_.sentence(tr("The recording contains no source text."));
      return std::move(p_).picture();
    }
    choose_brevity();
    for (int number = first_; number <= last_; number++) line(number);
    return std::move(p_).picture();
  }

 private:
  // A line that is being drawn. Things to the right of the text, such as the line's costs, reduce `room`.
  struct Row {
    int number;
    float top, y;
    bool active;  // true if the step executes this line
    bool lit;     // true if the mouse is over the line, in any view
    float room;   // the remaining width for the text
    float figures_end;
  };

  const std::string& text_of(int number) const { return lines_[static_cast<std::size_t>(number) - 1]; }

  void read() {
    lines_ = split_lines(shown_text(in_.recording, in_.cursor));
    const auto& by_step = in_.recording.facts.step_lines;
    if (is_index(in_.cursor.step, by_step.size()))
      for (const LineFacts& f : by_step[static_cast<std::size_t>(in_.cursor.step)]) step_[f.line] = f.totals;
    for (const LineFacts& f : in_.recording.facts.lines) run_[f.line] = f.totals;
    const int chosen = chosen_event(in_.recording, in_.cursor);
    const int event = chosen >= 0 ? chosen : request_event(in_.recording, in_.cursor);
    marked_ = marked_lines(in_.recording, in_.cursor);
    request_line_ = event >= 0 ? trace_.events[static_cast<std::size_t>(event)].line : 0;
  }

  void lay_out() {
    const int count = static_cast<int>(lines_.size());
    size_ = p_.width < 520 ? 12.0f : 13.0f;
    pitch_ = p_.height < 320 ? 20.0f : 22.0f;
    summary_y_ = p_.top + pitch_ / 2;
    if (in_.measured) p_.top += pitch_;
    const int fit = std::max(1, static_cast<int>((p_.height - p_.top - 6) / pitch_));
    first_ = first_visible(in_.cursor, step_, request_line_, count, fit);
    last_ = std::min(count, first_ + fit - 1);
    number_end_ = p_.margin + 22;
    code_ = number_end_ + 14;
    end_ = p_.width - p_.margin;
    const int without = trace_.settings.without_barrier;
    std::string what = without > 0 ? tr("no barrier on line {} · ", without) : "";
    if (fit < count) what += tr("lines {}–{} of {} · ", first_, last_, count);
    what += hides_answer(in_.recording, in_.cursor) ? tr("the text that was compiled, without its comments")
                                                    : trace_.file + tr(" · the text that was compiled");
    p_.title(what);
  }

  void measured_summary() {
    const Box box{p_.margin - 8, summary_y_ - pitch_ / 2, p_.width - 2 * p_.margin + 16, pitch_};
    const float room = p_.width - 2 * p_.margin;
    const std::string words =
        first_fitting({summary(*in_.measured), brief_summary(*in_.measured)}, 12, Face::regular, room);
    p_.text({p_.margin, summary_y_}, cut(words, 12, Face::regular, room), p_.theme.text, 12);
    p_.target(box, CountersId{});
  }

  float text_room(int number) const { return text_width(text_of(number), size_, Face::mono); }

  std::string cost_of_step(int number) const {
    const Totals& c = step_.at(number);
    return of_32_banks(c, brevity_ == 0   ? line_cost_text(c, false)
                          : brevity_ == 1 ? line_cost_text(c, true)
                                          : main_cost_text(c, brevity_ == 2));
  }

  // Adds "32 banks: " to a cost if other views show costs for 16 banks (half_warps). This view always shows
  // costs for 32 banks.
  std::string of_32_banks(const Totals& c, std::string cost) const {
    const bool has_banks = c.shared_load.requests + c.shared_store.requests > 0;
    return in_.cursor.half_warps && has_banks && !cost.empty() ? tr("32 banks: ") + cost : cost;
  }

  // A line's cost can be written in four forms, from long (brevity_ 0) to short (3). Chooses the longest form
  // that fits into every visible line of the step, or the shortest form if none fits.
  void choose_brevity() {
    for (int number = first_; number <= last_; number++)
      if (step_.count(number) > 0) {
        const float room = end_ - code_ - 16 - text_room(number);
        while (brevity_ < 3 && text_width(cost_of_step(number), 11, Face::bold) > room) ++brevity_;
      }
  }

  Box across(const Row& row, float width) const { return {p_.margin - 8, row.top, width, pitch_}; }

  void line(int number) {
    const Theme& t = p_.theme;
    const float top = p_.top + pitch_ * static_cast<float>(number - first_),
                whole = p_.width - 2 * p_.margin + 16;
    Row row{number,       top, top + pitch_ / 2, step_.count(number) > 0, line_of(in_.cursor.hover) == number,
            end_ - code_, end_};
    if (row.active) p_.rect(across(row, whole), {.fill = t.now_soft});
    if (number == request_line_) p_.rect(across(row, 3), {.fill = t.now});
    if (row.lit) p_.rect(across(row, whole), {.stroke = t.text, .width = 1, .radius = 3});
    p_.text({number_end_, row.y}, std::to_string(number), row.active ? t.faint_text : t.ghost_text, size_ - 2,
            Face::mono, Align::right);
    // First draws the button and the costs at the right. The text gets the remaining room.
    const Box barrier_box = barrier(row);
    figures(row);
    code(row);
    p_.target(across(row, whole), LineId{in_.cursor.step, number});
    if (const auto mark = marked_.find(number); mark != marked_.end()) {
      hazard_mark(p_, t, {(number_end_ + code_) / 2, row.y}, 11);
      p_.target({number_end_ - 1, row.top, code_ - number_end_ + 2, pitch_}, mark->second);
    }
    if (barrier_box.w > 0) p_.target(barrier_box, BarrierId{in_.cursor.step, number});
  }

  // Draws a barrier's button. Returns the button's box, or an empty box if there is no button.
  Box barrier(Row& row) {
    const Theme& t = p_.theme;
    const std::vector<int>& barriers = in_.recording.barriers;
    const bool taken_out = row.number == trace_.settings.without_barrier;
    if (!taken_out && std::find(barriers.begin(), barriers.end(), row.number) == barriers.end()) return {};
    const bool pointed = in_.cursor.hover == Id(BarrierId{in_.cursor.step, row.number});
    const std::string word = taken_out ? tr("put back") : tr("take out");
    const float w = text_width(word, 11, Face::regular);
    if (pointed || row.lit || taken_out)
      p_.text({end_, row.y}, word,
              pointed     ? t.now
              : taken_out ? t.conflict
                          : t.faint_text,
              11, taken_out ? Face::bold : Face::regular, Align::right);
    else p_.text({end_, row.y}, "×", t.faint_text, 12, Face::regular, Align::right);
    row.room -= w + 16;
    row.figures_end -= w + 16;
    return {end_ - w - 6, row.top, w + 14, pitch_};
  }

  void figures(Row& row) {
    const Theme& t = p_.theme;
    const auto run = run_.find(row.number);
    if (!row.active && run == run_.end()) return;
    if (in_.measured) {
      row.room -= run_figures(row, run == run_.end() ? Totals() : run->second);
      return;
    }
    const Totals& c = row.active ? step_.at(row.number) : run->second;
    const std::string text =
        row.active ? cost_of_step(row.number)
                   : first_fitting(
                         {of_32_banks(c, line_cost_text(c, false)), of_32_banks(c, line_cost_text(c, true))},
                         11, Face::bold, row.room - 16 - text_room(row.number));
    const float used = text_width(text, 11, Face::bold) + 16;
    if (text.empty() || (!row.active && used + text_room(row.number) > row.room)) return;
    const Colour colour = row.active ? (wasteful(c) ? t.conflict : t.now) : t.ghost_text;
    p_.text({row.figures_end, row.y}, text, colour, 11, row.active ? Face::bold : Face::regular,
            Align::right);
    row.room -= used;
  }

  // Draws the costs of a line over the whole run, and the counts that differ from the prediction. Uses a
  // brief form if the long form leaves too little room for the text. Returns the used width.
  float run_figures(const Row& row, const Totals& run) {
    const Theme& t = p_.theme;
    const Face face = row.active ? Face::bold : Face::regular;
    const std::string brief = line_cost_text(run, true);
    const float used = measured_figures(row, text_width(brief, 11, face));
    std::string figures = line_cost_text(run, false);
    if (used + text_width(figures, 11, face) + 16 > row.room - text_room(row.number)) figures = brief;
    if (figures.empty()) return used;
    p_.text({row.figures_end - used, row.y}, figures,
            wasteful(run) ? t.conflict
            : row.active  ? t.now
                          : t.faint_text,
            11, face, Align::right);
    return used + text_width(figures, 11, face) + 16;
  }

  // Draws the measured counts of a line. Draws nothing if the counts of all lines agree with the prediction.
  // `beside` is the width of the predicted costs at the left. Returns the used width.
  float measured_figures(const Row& row, float beside) {
    const LineCounters& counters = *in_.measured;
    const bool all_same = std::all_of(counters.entries.begin(), counters.entries.end(),
                                      [](const auto& e) { return e.agreement == Agreement::same; });
    const LineCounters::Entry* entry = all_same ? nullptr : counters.of(row.number);
    if (!entry) return 0;
    const bool different = entry->agreement == Agreement::different;
    const Face face = different ? Face::bold : Face::regular;
    const float most = row.figures_end - p_.margin - 40 - beside - 28;
    std::string text = tr("= measured");
    if (entry->agreement != Agreement::same) text = difference_text(*entry);
    if (text_width(text, 11, face) > most) text = cut(difference_text(*entry, true), 11, face, most);
    p_.text({row.figures_end, row.y}, text, different ? p_.theme.conflict : p_.theme.faint_text, 11, face,
            Align::right);
    return text_width(text, 11, face) + 12;
  }

  void code(const Row& row) {
    const Theme& t = p_.theme;
    const std::string shown = cut(text_of(row.number), size_, Face::mono, row.room);
    const Colour plain = row.active ? t.text : t.faint_text;
    float x = code_;
    for (const TintedText& s : tokens(shown)) {
      const Colour colour = s.token == Token::comment   ? mix(t.faint_text, t.good, 0.35f)
                            : s.token == Token::keyword ? mix(plain, t.now, 0.75f)
                            : s.token == Token::number  ? mix(plain, t.broadcast, 0.75f)
                                                        : plain;
      p_.text({x, row.y}, s.text, colour, size_, Face::mono);
      x += text_width(s.text, size_, Face::mono);
    }
    if (row.number != trace_.settings.without_barrier) return;
    const std::size_t indent = std::min(shown.find_first_not_of(' '), shown.size());
    const float from = code_ + text_width(shown.substr(0, indent), size_, Face::mono);
    p_.line({from, row.y}, {std::max(from + 8, x), row.y}, t.conflict, 1.5f);
  }

  ViewPen p_;
  const ViewInput& in_;
  const Trace& trace_;
  std::vector<std::string> lines_;
  std::map<int, Totals> step_, run_;  // the costs of each line
  std::map<int, FindingId> marked_;   // the lines that belong to hazards
  int request_line_ = 0, first_ = 1, last_ = 0, brevity_ = 0;
  float size_ = 13, pitch_ = 22, summary_y_ = 0, number_end_ = 0, code_ = 0, end_ = 0;
};

ViewPicture draw_source(const ViewInput& in) { return SourcePicture(in).draw(); }

Id source_sees(const Id& hover) {
  if (is<BarrierId>(hover) || is<CountersId>(hover)) return hover;
  return line_of(hover) > 0 ? Id(LineId{-1, line_of(hover)}) : Id();
}

// --- tooltips

void add_totals(TipLines& tip, const char* when, const Totals& t, Operator op) {
  const SharedTotals shared{t.shared_load.requests + t.shared_store.requests,
                            t.shared_load.wavefronts + t.shared_store.wavefronts,
                            t.shared_load.excess + t.shared_store.excess};
  if (shared.requests > 0) tip.add(tr("{}: shared memory {}", when, cost_text(shared)));
  const std::int64_t requests = t.global_load.requests + t.global_store.requests;
  if (requests > 0)
    tip.add(tr("{}: global memory {}, {} of 32 bytes ({} at best)", when, counted(requests, "request"),
               counted(t.global_load.sectors + t.global_store.sectors, "sector"),
               grouped(t.global_load.ideal_sectors + t.global_store.ideal_sectors)));
  const Noun noun = operation_noun(op);
  if (t.operations > 0) tip.add("{}: {}", when, counted(t.operations, noun.one, noun.many));
}

// Adds the measured counts of a whole run. Adds a predicted count, too, if the measured count differs.
void add_measured(TipLines& tip, const LineCounters& counters, const LineCounters::Entry& e) {
  std::vector<std::string> numbers;
  for (const LineCounters::Number& n : e.numbers)
    numbers.push_back(
        fmt::format("{} {}{}", grouped(n.measured), n.what,
                    n.measured == n.predicted ? "" : tr(" (predicted: {})", grouped(n.predicted))));
  const std::string all = fmt::format("{}", fmt::join(numbers, ", "));
  if (e.lines.size() > 1)
    tip.add(
        tr("measured by {} for lines {} together, because the machine code does not separate these lines: {}",
           counters.device, fmt::join(e.lines, ", "), all));
  else tip.add(tr("measured by {}: {}", counters.device, all));
  if (e.agreement == Agreement::varies)
    tip.lines.emplace_back(
        tr("These counts vary from run to run, because a block that waits longer reads a flag more often."));
  if (e.agreement == Agreement::same)
    tip.lines.emplace_back(tr("All counts are as predicted from the recording."));
}

// Returns a line of the kernel's text without its indentation.
std::string line_of_text(const Reading& at, int line) {
  const auto lines = split_lines(shown_text(at.recording, at.cursor));
  if (!is_index(line - 1, lines.size())) return {};
  const std::string& text = lines[static_cast<std::size_t>(line) - 1];
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

Lines line_tip(const Reading& at, int line) {
  const auto find = [&](const std::vector<LineFacts>& in) {
    const auto found = std::find_if(in.begin(), in.end(), [&](const LineFacts& l) { return l.line == line; });
    return found == in.end() ? nullptr : &*found;
  };
  const LineFacts* run = find(at.recording.facts.lines);
  const std::string text = line_of_text(at, line);
  constexpr std::size_t long_text = 48;  // with more characters, a line may not fit into the view
  if (!run) return text.size() > long_text ? Lines{tr("Line {}", line), text} : Lines{};
  const Operator op = at.recording.trace.settings.op;
  TipLines tip;
  tip.add(tr("Line {}", line));
  if (text.size() > long_text) tip.lines.push_back(text);
  const auto& by_step = at.recording.facts.step_lines;
  const LineFacts* now = is_index(at.cursor.step, by_step.size())
                             ? find(by_step[static_cast<std::size_t>(at.cursor.step)])
                             : nullptr;
  if (now) add_totals(tip, tr("this step"), now->totals, op);
  add_totals(tip, tr("whole run"), run->totals, op);
  if (run->totals.shared_load.requests + run->totals.shared_store.requests > 0)
    tip.lines.emplace_back(tr(wavefront_meaning));
  if (const LineCounters::Entry* e = at.measured ? at.measured->of(line) : nullptr)
    add_measured(tip, *at.measured, *e);
  return std::move(tip.lines);
}

Lines counters_tip(const Reading& at) {
  Lines lines = {tr("Counters for each line")};
  if (at.measured) lines.push_back(summary(*at.measured));
  lines.emplace_back(
      tr("Requests, wavefronts, excess wavefronts and lanes of each line in the whole run, predicted from "
         "the recording. A GPU with CUPTI also measures these counts. Key: W"));
  return lines;
}

Lines barrier_tip(const Trace& trace, int line) {
  return {trace.settings.without_barrier == line ? tr("Put this barrier back") : tr("Take this barrier out"),
          tr("The kernel runs again, and every view shows the new run. Key: X")};
}

Lines source_tip(const Reading& at, const Id& id) {
  if (const auto* line = as<LineId>(id)) return line_tip(at, line->line);
  if (const auto* barrier = as<BarrierId>(id)) return barrier_tip(at.recording.trace, barrier->line);
  return is<CountersId>(id) ? counters_tip(at) : Lines();
}

// Returns the effect of a click. A click on a line goes to the next request of this line in the step. If the
// step has no request of the line, the click goes to the first later step that executes the line.
Click click_in_source(const Reading& at, const Id& id) {
  if (is<CountersId>(id)) return ToggleCounters{};
  if (const auto* barrier = as<BarrierId>(id)) return ToggleBarrier{barrier->line};
  const auto* line = as<LineId>(id);
  if (!line) return {};
  const auto is_there = [&](const Event& e) { return e.line == line->line; };
  if (const int event = next_request(at, is_there); event >= 0) return GoToRequest{event};
  const Trace& trace = at.recording.trace;
  const auto& by_step = at.recording.facts.step_lines;
  for (std::size_t step = static_cast<std::size_t>(at.cursor.step) + 1; step < by_step.size(); ++step)
    if (std::any_of(by_step[step].begin(), by_step[step].end(),
                    [&](const LineFacts& f) { return f.line == line->line; }))
      return GoToStep{static_cast<int>(step)};
  // `by_step` does not contain barriers and fences, so this loop searches the events of the block.
  const EventRange block = block_events(trace, grid_index(trace, at.cursor.step), at.cursor.block);
  for (std::size_t i = block.first; i < block.last; ++i)
    if (const Event& e = trace.events[i]; is_there(e) && static_cast<int>(e.step) > at.cursor.step)
      return GoToStep{static_cast<int>(e.step)};
  return {};
}

}  // namespace

extern const View source_view{.name = "source",
                              .title = tr_noop("Source"),
                              .home = Home::source,
                              .draw = draw_source,
                              .tip = source_tip,
                              .click = click_in_source,
                              .sees = source_sees,
                              .hand = Hand::scrolls,
                              .button = tr_noop("Counters  W"),
                              .button_id = CountersId{}};

}  // namespace upsweep
