#include "panels/purpose_panel.hpp"

#include <string>
#include <utility>
#include <vector>

#include "base/language.hpp"
#include "scene/paint.hpp"
#include "words/hidden_answer.hpp"
#include "words/kernel_comment.hpp"

namespace upsweep {
namespace {

struct Line {
  std::string name, text;
};

KernelComment comment_of(const Recording& r) { return read_comment(r.shown_text()); }

std::vector<Line> lines_of(const Session& session) {
  const Recording& r = session.recording();
  std::vector<Line> lines;
  // While a question is open, the panel hides the algorithm's idea, because the idea could contain the
  // answer.
  if (session.questioning().is_open()) return {{tr("Idea"), tr("hidden until you have answered")}};
  if (session.compares() && session.changed()->trace.settings.algorithm != r.trace.settings.algorithm) {
    for (const Recording* side : {&r, session.changed().get()})
      if (!hides_answer(*side, session.cursor())) {
        lines.push_back({side == &r ? tr("Watch A") : tr("Watch B"), tr(comment_of(*side).watch)});
      } else {
        lines.push_back({side == &r ? tr("Task A") : tr("Task B"), shown_task(*side)});
      }
  } else if (hides_answer(r, session.cursor())) {
    lines.push_back({tr("Task"), shown_task(r)});
  } else {
    const KernelComment comment = comment_of(r);
    lines = {{tr("Idea"), tr(comment.idea)}, {tr("Watch"), tr(comment.watch)}};
  }
  std::erase_if(lines, [](const Line& line) { return line.text.empty(); });
  return lines;
}

}  // namespace

Panel purpose_panel(const Session& session, const Theme& t, float width, float height, Point mouse) {
  constexpr float usual = 12.5f, smallest = 11, above = 1, below = 5;
  Pen s(width, height);
  Panel panel;
  const float margin = margin_of(width), pitch = (height - above - below) / 2;
  float y = above + pitch / 2;
  for (const Line& line : lines_of(session)) {
    const Box box{margin, y - pitch / 2, width - 2 * margin, pitch};
    const float begin = margin + text_width(line.name, usual, Face::bold) + 8, room = width - margin - begin;
    // A long sentence has smaller letters, so that the whole sentence fits.
    float size = usual;
    std::string shown = whole_sentences(line.text, size, Face::regular, room);
    while (text_width(shown, size, Face::regular) > room && size > smallest) size -= 0.5f;
    s.text({margin, y}, line.name, t.text, usual, Face::bold);
    s.text({begin, y}, cut(shown, size, Face::regular, room), box.contains(mouse) ? t.text : t.faint_text,
           size);
    panel.buttons.push_back({box, {Action::choose_view, view_index("about")}, line.text});
    y += pitch;
  }
  panel.scene = std::move(s.scene);
  return panel;
}

}  // namespace upsweep
