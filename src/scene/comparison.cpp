#include "scene/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/language.hpp"
#include "words/compared.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

Colour colour_of(bool is_changed, const Theme& t) { return is_changed ? t.now : t.conflict; }

const StepFacts* facts_of(const Recording& r, int step) {
  return step < 0 ? nullptr : &r.facts.steps[static_cast<std::size_t>(step)];
}

double wavefronts_of(const Recording& r, int step) {
  const StepFacts* f = facts_of(r, step);
  return f ? static_cast<double>(f->totals.shared_load.wavefronts + f->totals.shared_store.wavefronts) : 0;
}

class DifferencesTable {
 public:
  DifferencesTable(const ComparedRuns& runs, std::span<const MoreOfRun> more, const Theme& theme, float width,
                   float height)
      : p_(theme, width, height), runs_(runs), more_(more) {
    p_.scene.background = theme.panel;
    small_ = height < differences_height ? 10.0f : 11.0f;
    large_ = height < differences_height ? 12.0f : 14.0f;
  }

  Scene draw() && {
    const Theme& t = p_.theme;
    p_.line({0, 0.5f}, {p_.width, 0.5f}, t.line);
    const float names = p_.height * 0.2f, step = p_.height * 0.5f, run = p_.height * 0.8f;
    constexpr float label = 96;
    p_.text({p_.margin, step}, tr("this step"), t.faint_text, small_ + 1);
    p_.text({p_.margin, run}, tr("the whole run"), t.faint_text, small_ + 1);
    const float left = p_.margin + label;
    std::vector<Column> columns = all_columns();
    fit(columns, p_.width - p_.margin - left);
    const float pitch = (p_.width - p_.margin - left) / static_cast<float>(columns.size());
    float x = left;
    for (const Column& c : columns) {
      p_.text({x, names}, cut(c.name, small_, Face::regular, pitch - 6), t.faint_text, small_);
      if (c.in_steps) both(x, step, c.step[0], c.step[1]);
      both(x, run, c.run[0], c.run[1]);
      x += pitch;
    }
    return std::move(p_.scene);
  }

 private:
  // One column of the table: a quantity with its values in the baseline and in the changed run.
  struct Column {
    std::string name;
    bool in_steps = false;
    std::string step[2] = {}, run[2] = {};
    bool differs() const { return step[0] != step[1] || run[0] != run[1]; }
  };

  std::vector<Column> all_columns() const {
    std::vector<Column> all;
    for (const Quantity& q : compared_quantities()) {
      Column c{tr(q.name), q.in_steps};
      const StepPair now = runs_.now();
      for (const bool is_changed : {false, true}) {
        const Recording& r = is_changed ? runs_.changed : runs_.baseline;
        if (const StepFacts* f = facts_of(r, is_changed ? now.changed : now.baseline); q.in_steps && f)
          c.step[is_changed] = quantity_text(q, q.of_step(*f));
        c.run[is_changed] = quantity_text(q, q.of_run(r));
      }
      all.push_back(std::move(c));
    }
    for (const MoreOfRun& m : more_) all.push_back({m.name, false, {}, {m.baseline, m.changed}});
    return all;
  }

  float width_of(const std::string& baseline, const std::string& changed) const {
    if (baseline == changed) return text_width(baseline, large_, Face::regular);
    return text_width(baseline, large_, Face::bold) + text_width(changed, large_, Face::bold) +
           text_width("→", small_, Face::regular) + 10;
  }

  // Removes columns until the numbers of the remaining columns do not overlap. First removes, from right to
  // left, the columns whose numbers are equal in both runs.
  void fit(std::vector<Column>& columns, float room) const {
    const auto too_wide = [&] {
      const float pitch = room / static_cast<float>(columns.size());
      return std::ranges::any_of(columns, [&](const Column& c) {
        return std::max(width_of(c.step[0], c.step[1]), width_of(c.run[0], c.run[1])) + 8 > pitch;
      });
    };
    while (columns.size() > 1 && too_wide()) {
      auto last =
          std::find_if(columns.rbegin(), columns.rend(), [](const Column& c) { return !c.differs(); });
      columns.erase(last == columns.rend() ? columns.end() - 1 : last.base() - 1);
    }
  }

  // Writes the baseline's number and the changed run's number. If the numbers are equal, writes only one
  // number, in a faint colour.
  void both(float x, float y, const std::string& baseline, const std::string& changed) {
    const Theme& t = p_.theme;
    if (baseline == changed) return p_.text({x, y}, baseline, t.faint_text, large_);
    const std::string left = baseline.empty() ? "–" : baseline, right = changed.empty() ? "–" : changed;
    p_.text({x, y}, left, colour_of(false, t), large_, Face::bold);
    x += text_width(left, large_, Face::bold) + 5;
    p_.text({x, y}, "→", t.faint_text, small_);
    x += text_width("→", small_, Face::regular) + 5;
    p_.text({x, y}, right, colour_of(true, t), large_, Face::bold);
  }

  Painter p_;
  const ComparedRuns& runs_;
  std::span<const MoreOfRun> more_;
  float small_, large_;
};

// Returns the possible notes beside the name of a run, with the longest note first.
std::vector<std::string> notes_of(const ComparedRuns& runs, bool is_changed) {
  const auto step_of = [&](const StepPair& p) { return is_changed ? p.changed : p.baseline; };
  if (step_of(runs.now()) >= 0) return {is_changed ? tr("changed") : tr("baseline")};
  const auto before = runs.pairs.first(static_cast<std::size_t>(runs.pair));
  return {std::ranges::all_of(before, [&](const StepPair& p) { return step_of(p) < 0; })
              ? tr("no step of this run matches, so the first step is shown")
              : tr("no step of this run matches, so the previous step is shown"),
          tr("no matching step")};
}

}  // namespace

Scene side_name_scene(const ComparedRuns& runs, bool is_changed, const Theme& t, float width, float room) {
  const Recording &own = is_changed ? runs.changed : runs.baseline,
                  &other = is_changed ? runs.baseline : runs.changed;
  Painter p(t, width, side_name_height);
  const Colour colour = colour_of(is_changed, t);
  const float y = side_name_height / 2;
  p.rect({p.margin - 8, 5, width - 2 * (p.margin - 8), side_name_height - 9},
         is_changed ? t.now_soft : t.conflict_soft, 4);
  p.text({p.margin, y}, is_changed ? "B" : "A", colour, 15, Face::bold);
  const float x = p.margin + 24, end = width - p.margin - room;
  const int step = is_changed ? runs.now().changed : runs.now().baseline;
  const Face face = step < 0 ? Face::bold : Face::regular;
  const std::vector<std::string> notes = notes_of(runs, is_changed);
  const auto width_of = [&](const std::string& note) { return 12 + text_width(note, 12, face); };
  // If this run has no matching step, a note beside the name says so. The name leaves room for this note.
  const float reserved = step < 0 ? width_of(notes.back()) : 0;
  const std::string name = cut(side_name(own, other, runs.hides_answer), 14, Face::bold, end - x - reserved);
  p.text({x, y}, name, t.text, 14, Face::bold);
  const float after = x + text_width(name, 14, Face::bold);
  const auto note = std::ranges::find_if(notes, [&](const auto& n) { return after + width_of(n) <= end; });
  if (note != notes.end()) p.text({after + 12, y}, *note, step < 0 ? colour : t.faint_text, 12, face);
  return std::move(p.scene);
}

Scene differences_scene(const ComparedRuns& runs, std::span<const MoreOfRun> more, const Theme& theme,
                        float width, float height) {
  return DifferencesTable(runs, more, theme, width, height).draw();
}

Scene pairs_scene(const ComparedRuns& runs, int hover, const Theme& t, float width, float height) {
  Painter p(t, width, height);
  p.scene.background = t.panel;
  const auto count = static_cast<int>(runs.pairs.size());
  double most = 1;
  for (const StepPair& pair : runs.pairs)
    most = std::max(
        {most, wavefronts_of(runs.baseline, pair.baseline), wavefronts_of(runs.changed, pair.changed)});
  const bool low = height < 48;  // true if there is no room for names and counts
  const float label = 28, names = low ? 0.0f : 18.0f;
  const float left = p.margin + label, row = (height - names - 8) / 2,
              pitch = (width - p.margin - left) / static_cast<float>(std::max(1, count));
  for (const bool is_changed : {false, true}) {
    const float base = 6 + row * (is_changed ? 2.0f : 1.0f);
    p.text({p.margin, base - row / 2}, is_changed ? "B" : "A", colour_of(is_changed, t), low ? 11.0f : 13.0f,
           Face::bold);
    p.line({left, base + 0.5f}, {width - p.margin, base + 0.5f}, t.line);
  }
  float free_from = 0;
  for (int i = 0; i < count; ++i) {
    const StepPair pair = runs.pairs[static_cast<std::size_t>(i)];
    const float x = left + pitch * static_cast<float>(i);
    if (i == runs.pair) p.rect({x, 2, pitch, height - names - 2}, t.now_soft, 4);
    else if (i == hover) p.rect({x, 2, pitch, height - names - 2}, faded(t.ghost_text, 0.25f), 4);
    const float gap = pitch < 12 ? pitch * 0.1f : pitch < 30 ? 2.0f : 6.0f;
    for (const bool is_changed : {false, true}) {
      const Recording& r = is_changed ? runs.changed : runs.baseline;
      const int step = is_changed ? pair.changed : pair.baseline;
      const float base = 6 + row * (is_changed ? 2.0f : 1.0f), w = pitch - gap;
      if (step < 0) {  // only the other run has this step, so this row shows a gap
        p.rect({x + gap / 2, base - row + 4, w, row - 5},
               {.stroke = t.line, .width = 1, .radius = 3, .hatch = true});
        continue;
      }
      const double wavefronts = wavefronts_of(r, step);
      const bool conflict = facts_of(r, step)->max_degree > 1;
      const float h =
          wavefronts > 0
              ? std::max(3.0f, (row - (low ? 3.0f : 16.0f)) * static_cast<float>(wavefronts / most))
              : 2.0f;
      const Colour full = colour_of(is_changed, t);
      p.rect({x + gap / 2, base - h, w, h}, {.fill = wavefronts == 0  ? t.line
                                                     : i == runs.pair ? full
                                                                      : mix(t.panel, full, 0.55f),
                                             .stroke = !conflict        ? Colour{0, 0, 0, 0}
                                                       : i == runs.pair ? t.on_now
                                                                        : full,
                                             .width = conflict ? 1.0f : 0.0f,
                                             .radius = std::min(3.0f, h / 2),
                                             .hatch = conflict});
      const std::string text = grouped(static_cast<std::int64_t>(wavefronts));
      if (!low && wavefronts > 0 && text_width(text, 10, Face::regular) <= pitch - 2)
        p.text({x + pitch / 2, base - h - 7}, text, t.faint_text, 10, Face::regular, Align::centre);
    }
    p.target({x, 0, pitch, height}, StepId{i});
    // The name of a phase is drawn at the phase's first step.
    const auto phase_at = [&](int at) {
      const StepPair& q = runs.pairs[static_cast<std::size_t>(at)];
      const Recording& r = q.baseline >= 0 ? runs.baseline : runs.changed;
      return r.trace.steps[static_cast<std::size_t>(q.baseline >= 0 ? q.baseline : q.changed)].phase;
    };
    if (low || (i > 0 && phase_at(i) == phase_at(i - 1))) continue;
    const std::string phase = phase_text(phase_at(i));
    const float w = text_width(phase, 11, Face::regular);
    if (x < free_from || x + w > width) continue;
    p.text({x, height - 9}, phase, t.faint_text, 11);
    free_from = x + w + 8;
  }
  return std::move(p.scene);
}

Scene comparison_scene(const View& view, const ComparedRuns& runs, const Cursor& baseline,
                       const Cursor& changed, const Theme& t, float width, float height) {
  const float below = height < 800 ? low_differences_height : differences_height, half = width / 2;
  Painter p(t, width, height);
  p.scene.background = t.background;
  const Reading sides[] = {{runs.baseline, baseline}, {runs.changed, changed}};
  for (const bool is_changed : {false, true}) {
    const float x = is_changed ? half : 0;
    append_moved(p.scene, side_name_scene(runs, is_changed, t, half, 0), x, 0);
    append_moved(p.scene,
                 draw_view(view, {.recording = sides[is_changed].recording,
                                  .cursor = sides[is_changed].cursor,
                                  .theme = t,
                                  .width = half,
                                  .height = height - side_name_height - below,
                                  .beside = &sides[!is_changed]}),
                 x, side_name_height);
    if ((is_changed ? runs.now().changed : runs.now().baseline) < 0)
      p.rect({x, side_name_height, half, height - side_name_height - below}, faded(t.background, 0.7f));
  }
  p.line({half, 0}, {half, height - below}, t.line);
  p.rect({0, height - below, width, below}, t.panel);
  append_moved(p.scene, differences_scene(runs, {}, t, width, below), 0, height - below);
  return std::move(p.scene);
}

}  // namespace upsweep
