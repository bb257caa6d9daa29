#include "panels/notes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/language.hpp"
#include "scene/paint.hpp"
#include "scene/wrap.hpp"
#include "words/caption.hpp"
#include "words/hazard_words.hpp"
#include "words/hidden_answer.hpp"
#include "words/kernel_comment.hpp"
#include "words/names.hpp"
#include "words/words.hpp"

namespace upsweep {
namespace {

struct Note {
  std::string heading, text;
  bool main = false;   // true if the note has large letters
  bool warns = false;  // true if the heading has the colour of conflicts
};

std::string clock_text(double seconds) {
  const auto all = static_cast<long long>(seconds);
  return all >= 3600 ? fmt::format("{}:{:02}:{:02}", all / 3600, all / 60 % 60, all % 60)
                     : fmt::format("{}:{:02}", all / 60, all % 60);
}

// Returns the sentences of a step. Leaves out the first sentence, which is the name of the step.
std::string sentences_after_name(const Recording& r, const Place& place) {
  std::vector<std::string> all = sentences(r, place);
  if (all.size() > 1) all.erase(all.begin());
  return fmt::format("{}", fmt::join(all, " "));
}

std::string heading_of(const Recording& r, int step) {
  return capitalised(step_text(r.trace, r.trace.steps.at(static_cast<std::size_t>(step))));
}

std::vector<Note> notes_of(const Session& session) {
  const Recording& r = session.recording();
  std::vector<Note> notes;
  Place here = session.cursor();
  here.hides_answer = false;
  notes.push_back({tr("Now: ") + heading_of(r, here.step), sentences_after_name(r, here), true, false});
  if (here.step + 1 < session.step_count()) {
    Place next = here;
    ++next.step;
    next.request = -1;
    next.block = std::min(next.block, r.trace.grid_of(static_cast<std::uint32_t>(next.step)).blocks - 1);
    notes.push_back({tr("Next: ") + heading_of(r, next.step), sentences_after_name(r, next), false, false});
  } else {
    notes.push_back({tr("Next"), tr("This is the last step."), false, false});
  }
  const KernelComment comment = read_comment(r.shown_text());
  if (has_answer(r)) {
    std::string answer = shown_title(r, false) + tr(".");
    if (!comment.idea.empty()) answer += " " + comment.idea;
    if (const Hazards* found = r.hazards())
      for (std::size_t i = 0; i < std::min<std::size_t>(2, found->findings.size()); ++i)
        answer += " " + capitalised(what_happens(r.trace, found->findings[i])) + tr(".");
    notes.push_back({session.shows_answer() ? tr("What is wrong here (shown)")
                                            : tr("What is wrong here (hidden: press F)"),
                     answer, false, true});
  } else if (!comment.idea.empty()) {
    notes.push_back({tr("Idea"), tr(comment.idea), false, false});
  }
  if (!comment.watch.empty()) notes.push_back({tr("Watch"), tr(comment.watch), false, false});
  return notes;
}

}  // namespace

Scene notes_scene(const Session& session, const Theme& t, float width, float height, double seconds) {
  constexpr float margin = 32, head = 76;
  Pen s(width, height, t.background);
  const Recording& r = session.recording();
  const std::string time = clock_text(seconds),
                    step =
                        tr("step {} of {}",
                           grouped((session.compares() ? session.pair() : session.cursor().step) + 1),
                           grouped(session.compares() ? std::ssize(session.pairs()) : session.step_count()));
  const float time_width = text_width(time, 30, Face::bold);
  s.text({width - margin, 40}, time, t.text, 30, Face::bold, Align::right);
  s.text({width - margin - time_width - 24, 42}, step, t.text, 20, Face::bold, Align::right);
  const float end = width - margin - time_width - 48 - text_width(step, 20, Face::bold);
  s.text({margin, 42}, cut(caption_of_run(r, false), 16, Face::regular, end - margin), t.faint_text, 16);
  s.line({margin, head - 4}, {width - margin, head - 4}, t.line);

  // Draws all notes in the largest letters with which all notes fit. If not all notes fit in the smallest
  // letters, leaves out the last notes.
  const std::vector<Note> notes = notes_of(session);
  const float room = width - 2 * margin;
  struct Line {
    float y;
    std::string text;
    Colour colour;
    float size;
    Face face;
  };
  std::vector<Line> lines;
  for (float size = 22; size >= 12; size -= 1) {
    lines.clear();
    float y = head + 20;
    for (const Note& note : notes) {
      lines.push_back({y, note.heading, note.warns ? t.conflict : t.now, 0.75f * size, Face::bold});
      y += 1.4f * size;
      const float own = note.main ? 1.2f * size : size;
      for (const std::string& line : wrapped(note.text, own, Face::regular, room)) {
        lines.push_back({y, line, note.main ? t.text : mix(t.text, t.faint_text, 0.4f), own, Face::regular});
        y += 1.45f * own;
      }
      y += 0.8f * size;
    }
    if (y <= height) break;
  }
  for (const Line& line : lines)
    if (line.y + line.size <= height) s.text({margin, line.y}, line.text, line.colour, line.size, line.face);
  return std::move(s.scene);
}

}  // namespace upsweep
