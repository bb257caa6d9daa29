#include "panels/comparison_panel.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "base/language.hpp"
#include "scene/paint.hpp"
#include "scene/wrap.hpp"
#include "study/timing_choice.hpp"
#include "words/quantities.hpp"

namespace upsweep {
namespace {

// Returns the times of both runs at the largest size that was measured for both runs. Returns an empty list
// if there is no such size.
std::vector<MoreOfRun> times_of(const Session& session) {
  const TimingSource* source = session.timing.source();
  if (!source) return {};
  const Settings &baseline = session.recording().trace.settings, &changed = session.changed()->trace.settings;
  const auto a = largest_row(*source->timings, baseline, changed),
             b = largest_row(*source->timings, changed, baseline);
  if (!a || !b || a->settings.n != b->settings.n || !was_measured(*a) || !was_measured(*b)) return {};
  return {{tr("time, n = {}", size_text(a->settings.n)), time_text(a->seconds.median),
           time_text(b->seconds.median)}};
}

}  // namespace

ComparedRuns compared_runs(const Session& session) {
  return {session.recording(), *session.changed(), session.pairs(), session.pair(),
          session.cursor().hides_answer};
}

Panel comparison_panel(const Session& session, const Theme& t, const WindowLayout& layout, float width,
                       float height, Point mouse) {
  Pen s(width, height);
  Panel panel;
  const auto add = [&](Scene scene, Point at) { append_moved(s.scene, std::move(scene), at.x, at.y); };
  struct Word {
    const char *text, *key, *tip;
    Action action;
    std::size_t side;
  };
  const Word words[] = {
      {tr("Swap"), "Shift Tab", tr("Swap runs A and B. Then the top bar changes the other run   Shift Tab"),
       Action::swap_sides, 0},
      {tr("Close"), "Tab", tr("End the comparison   Tab"), Action::compare, 1}};
  constexpr float room = 120;
  if (session.compares()) {
    const ComparedRuns runs = compared_runs(session);
    for (const bool is_changed : {false, true}) {
      const Box& box = layout.names[is_changed];
      add(side_name_scene(runs, is_changed, t, box.w, room), {box.x, box.y});
    }
    // If a run does not have the shown step, its views show the run's previous step. A transparent box over
    // these views makes the colours faint.
    for (const bool is_changed : {false, true}) {
      if ((is_changed ? runs.now().changed : runs.now().baseline) >= 0) continue;
      const Box& name = layout.names[is_changed];
      const bool is_above = !is_changed && layout.names[1].y > name.y;
      const float top = name.y + name.h, bottom = is_above ? layout.names[1].y : layout.differences.y;
      s.rect({name.x, top, name.w, bottom - top}, faded(t.background, 0.7f));
    }
    s.rect(layout.differences, t.panel);
    add(differences_scene(runs, times_of(session), t, layout.differences.w, layout.differences.h),
        {layout.differences.x, layout.differences.y});
  } else {
    const Box& box = layout.names[1];
    float y = box.y + side_name_height / 2;
    const std::string why =
        session.changed_failure().empty() ? tr("Recording the changed run …") : session.changed_failure();
    for (const std::string& line : wrapped(why, 14, Face::regular, box.w - 48 - room)) {
      s.text({box.x + 24, y}, line, session.changed_failure().empty() ? t.faint_text : t.conflict, 14);
      y += 21;
    }
    s.rect(layout.differences, t.panel);
  }
  for (const Word& word : words) {
    const Box& box = layout.names[word.side];
    const float key = text_width(word.key, 12, Face::regular), text = text_width(word.text, 12, Face::bold),
                end = box.x + box.w - 24, y = box.y + side_name_height / 2;
    const Box button{end - key - 6 - text - 6, box.y + 7, key + text + 18, side_name_height - 13};
    if (button.contains(mouse)) s.rect(button, t.line, 4);
    s.text({end, y}, word.key, t.faint_text, 12, Face::regular, Align::right);
    s.text({end - key - 6, y}, word.text, t.text, 12, Face::bold, Align::right);
    panel.buttons.push_back({button, {word.action, 0}, word.tip});
  }
  panel.scene = std::move(s.scene);
  return panel;
}

}  // namespace upsweep
