// The view "Profile" shows one bar for the worst bank conflict of each step. If there is enough room, two
// more bars show the lane utilisation and the active lanes of each step. The bars of active lanes go down
// from a line. A click or a drag goes to the step under the mouse.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "analysis/hazard_steps.hpp"
#include "analysis/memory.hpp"
#include "analysis/run_index.hpp"
#include "base/language.hpp"
#include "scene/views/hazard_marks.hpp"
#include "scene/views/tip_lines.hpp"
#include "words/hazard_words.hpp"
#include "words/hidden_answer.hpp"
#include "words/names.hpp"
#include "words/quantities.hpp"
#include "words/wrong_result_words.hpp"

namespace upsweep {
namespace {

class ProfilePicture {
 public:
  explicit ProfilePicture(const ViewInput& in)
      : p_(in),
        in_(in),
        steps_(in.recording.trace.steps),
        run_(in.recording.run()),
        degree_(run_.max_degree()),
        lanes_(run_.max_active_lanes()) {
    p_.scene.background = p_.theme.panel;
    for (const HazardEntry& e : hazard_entries(in.recording, in.cursor)) {
      if (!e.finding && in.recording.wrong && in.recording.wrong->departure) hazards_.insert(e.step);
      if (!e.finding) continue;
      for (const HazardParty& party : {e.finding->party, e.finding->other})
        if (party.event != HazardParty::none) hazards_.insert(static_cast<int>(party.step));
    }
  }

  ViewPicture draw() {
    if (steps_.empty()) return std::move(p_).picture();
    lay_out();
    p_.title(heading(), readout());
    bars();
    phases();
    launches();
    return std::move(p_).picture();
  }

 private:
  void lay_out() {
    if (in_.recording.trace.grids.size() > 1 && p_.height >= 72) {
      launches_ = p_.top + 6;
      p_.top += 16;
    }
    const float bottom = p_.height >= 56 ? p_.height - 20 : p_.height - 2;
    const bool both = bottom - p_.top >= 60 && lanes_ > 0;
    marks_ = bottom - p_.top >= 36 ? 14.0f : 0.0f;
    const float room = bottom - p_.top - marks_;
    down_ = !both ? 0.0f : has_banks() ? std::min(32.0f, room * 0.25f) : room - 2;
    share_ = both && has_banks() ? std::min(32.0f, room * 0.27f) : 0.0f;
    base_ = bottom - down_ - (both ? 2 : 0);
    up_base_ = base_ - share_ - (share_ > 0 ? between : 0.0f);
    // Leaves room at the top for the marks of hazards, which must not cover the label of the highest bar.
    up_ = up_base_ - p_.top - marks_ - (marks_ > 0 && !hazards_.empty() ? 14.0f : 0.0f);
    left_ = p_.margin + (both ? label_width() : 0.0f);
    pitch_ = (p_.width - p_.margin - left_) / static_cast<float>(steps_.size());
    labelled_ = both;
    bottom_ = bottom;
  }

  float x(int step) const { return left_ + pitch_ * static_cast<float>(step); }

  // Returns false for OpenGL, because a run on OpenGL has no shared memory and so no bank conflicts.
  bool has_banks() const { return in_.recording.trace.machine != MachineKind::opengl; }

  std::string heading() const {
    if (!has_banks()) return tr("bars: active lanes") + in_full();
    const Totals& run = in_.recording.facts.totals;
    return tr("the run: {}instructions for {} lanes, used by {} · {}lane utilisation · active lanes{}",
              percent(in_.recording.facts.lane_utilisation, tr(" lane utilisation · ")),
              grouped(run.issued_lanes()), grouped(run.used_lanes()),
              in_.cursor.half_warps ? tr("bars: worst bank conflict with 32 banks · ")
                                    : tr("bars: worst bank conflict · "),
              in_full());
  }

  // Returns `share` as text, such as "25 %", followed by `unit`. Returns an empty text if `share` is nullopt.
  static std::string percent(std::optional<double> share, std::string_view unit) {
    return share ? fmt::format("{} %{}", decimal_text(100 * *share, 0), unit) : std::string();
  }

  std::string readout() const {
    const auto* hover = as<StepId>(in_.cursor.hover);
    const int s = hover ? hover->step : in_.cursor.step;
    if (s < 0 || s >= static_cast<int>(in_.recording.facts.steps.size())) return {};
    const StepFacts& f = in_.recording.facts.steps[s];
    const std::int64_t wavefronts = f.totals.shared_load.wavefronts + f.totals.shared_store.wavefronts;
    return tr("step {} of {} · {} · {}", grouped(s + 1), grouped(std::ssize(steps_)),
              step_text(in_.recording.trace, steps_[s]), counted(f.active_lanes, "active lane")) +
           (has_banks() && f.lane_utilisation()
                ? " · " + percent(f.lane_utilisation(), tr(" lane utilisation"))
                : "") +
           (has_banks() ? " · " + counted(wavefronts, "wavefront") : "");
  }

  // Returns a text such as " in the 4 blocks recorded in full". Lanes are counted only in such blocks.
  // Returns an empty text if all blocks were recorded in full.
  std::string in_full() const {
    const std::size_t all = in_.recording.trace.runs.size();
    return run_.in_focus() >= all ? ""
                                  : tr(" in the {} recorded in full",
                                       counted(static_cast<std::int64_t>(run_.in_focus()), "block"));
  }

  // Draws the bars of each step. If the bars would be closer than least_pitch, one bar stands for several
  // steps.
  void bars() {
    const int count = static_cast<int>(steps_.size());
    const int together =
        pitch_ < least_pitch ? static_cast<int>(least_pitch / std::max(pitch_, 1e-3f)) + 1 : 1;
    int begin = 0;
    for (const int worst : in_.recording.worst_steps(together)) {
      const int end = std::min(begin + together, count);
      const bool now = in_.cursor.step >= begin && in_.cursor.step < end;
      bar(now ? in_.cursor.step : worst, x(begin), pitch_ * static_cast<float>(end - begin), together == 1);
      begin = end;
    }
  }

  void bar(int s, float left, float width, bool apart) {
    const Theme& t = p_.theme;
    const StepFacts& f = in_.recording.facts.steps[s];
    const bool now = s == in_.cursor.step, conflict = f.max_degree > 1;
    const float gap = !apart ? 0.0f : width < 12 ? 1.0f : width < 30 ? 2.0f : 6.0f;
    const Box slot{left + gap / 2, p_.top, width - gap, bottom_ - p_.top};
    const StepId id{s};
    if (in_.cursor.hover == Id(id))
      p_.rect({left, p_.top, width, slot.h}, {.fill = faded(t.ghost_text, 0.25f), .radius = 4});
    if (now) p_.rect({left, p_.top, width, slot.h}, {.fill = t.now_soft, .radius = 4});

    // A bar of full height is the run's worst bank conflict, or a 4-way conflict if the run has no worse
    // conflict. So a run without conflicts has only low bars.
    const float scale = up_ / static_cast<float>(std::max(degree_, 4));
    const float h = f.max_degree > 0 ? std::max(3.0f, scale * static_cast<float>(f.max_degree)) : 2.0f;
    const Colour quiet = mix(t.panel, t.ghost_text, 0.7f);
    const Colour fill = f.max_degree == 0 ? t.line
                        : now             ? (conflict ? t.conflict : t.now)
                        : conflict        ? mix(t.panel, t.conflict, 0.55f)
                                          : quiet;
    // The bar of a conflict also has hatching, so that readers see the conflict without colours.
    if (has_banks())
      p_.rect({slot.x, up_base_ - h, slot.w, h},
              {.fill = fill,
               .stroke = conflict ? (now ? t.on_now : t.conflict) : Colour{0, 0, 0, 0},
               .radius = std::min(3.0f, h / 2),
               .hatch = conflict},
              id);
    if (marks_ > 0 && conflict) {
      const std::string text = tr("{}-way", f.max_degree), brief = std::to_string(f.max_degree);
      for (const auto& [form, size] : {std::pair(text, 11.0f), {text, 9.0f}, {brief, 11.0f}, {brief, 9.0f}})
        if (text_width(form, size, Face::bold) + 3 <= width) {
          p_.text({slot.x + slot.w / 2, up_base_ - h - 8}, form, t.conflict, size, Face::bold, Align::centre);
          break;
        }
    }
    if (const auto utilisation = f.lane_utilisation(); share_ > 0 && utilisation)
      share(*utilisation, slot, now, id);
    if (down_ > 0) {
      const float lanes = std::max(f.active_lanes > 0 ? 2.0f : 0.0f,
                                   down_ * static_cast<float>(f.active_lanes) / static_cast<float>(lanes_));
      p_.rect({slot.x, base_ + 2, slot.w, lanes},
              {.fill = now ? t.now : mix(t.panel, t.ghost_text, 0.45f), .radius = std::min(3.0f, lanes / 2)},
              id);
      const std::string count = grouped(f.active_lanes);
      if (lanes >= 13 && text_width(count, 9, Face::regular) + 4 <= slot.w)
        p_.text({slot.x + slot.w / 2, base_ + 8.5f}, count, now ? t.on_now : t.faint_text, 9,
                now ? Face::bold : Face::regular, Align::centre);
    }
    if (hazards_.count(s) > 0) hazard_mark(p_, t, {slot.x + slot.w / 2, p_.top + 7}, 14);
    p_.target({left, 0, width, p_.height}, id);
  }

  // Draws the lane utilisation of a step as the filled part of a bar. The whole bar stands for all lanes of
  // the warps that issue instructions.
  void share(double utilisation, const Box& slot, bool now, const Id& id) {
    const Theme& t = p_.theme;
    const float h = std::max(1.0f, share_ * static_cast<float>(utilisation)), radius = std::min(3.0f, h / 2);
    p_.rect({slot.x, base_ - share_, slot.w, share_},
            {.fill = mix(t.panel, t.ghost_text, now ? 0.0f : 0.12f),
             .stroke = mix(t.panel, t.ghost_text, 0.35f),
             .width = 1,
             .radius = 3},
            id);
    p_.rect({slot.x, base_ - h, slot.w, h},
            {.fill = now ? t.now : mix(t.panel, t.ghost_text, 0.6f), .radius = radius}, id);
    const bool inside = h >= share_ - h;  // true if the filled part is larger, so that it contains the number
    if (share_ < 12 || std::max(h, share_ - h) < 7) return;
    const std::string text = has_units() ? percent(utilisation, "") : decimal_text(100 * utilisation, 0);
    if (text_width(text, 9, Face::bold) + 2 > slot.w) return;
    p_.text({slot.x + slot.w / 2, inside ? base_ - h / 2 : base_ - (share_ + h) / 2}, text,
            inside ? (now ? t.on_now : t.text) : t.faint_text, 9, now ? Face::bold : Face::regular,
            Align::centre);
  }

  // Returns the width in dp of the labels at the left.
  static float label_width() {
    float width = 102;
    for (const char* label : {tr("n-way conflict"), tr("lane utilisation, %"), tr("active lanes")})
      width = std::max(width, text_width(label, 11, Face::regular) + 10);
    return width;
  }
  // Returns true if there is room for a percent sign at each bar. Otherwise, only the label at the left has
  // the sign.
  bool has_units() const { return text_width("100 %", 9, Face::bold) + 8 <= pitch_; }

  // Draws the labels at the left, the names of the phases below the bars, and a hairline where a phase
  // begins.
  void phases() {
    const Theme& t = p_.theme;
    if (labelled_) {
      if (has_banks()) p_.text({p_.margin, up_base_ - up_ / 2}, tr("n-way conflict"), t.faint_text, 11);
      if (in_.cursor.half_warps)
        p_.text({p_.margin, up_base_ - up_ / 2 - 13}, tr("32 banks:"), t.faint_text, 11);
      if (share_ > 0)
        p_.text({p_.margin, base_ - share_ / 2},
                has_units() ? tr("lane utilisation") : tr("lane utilisation, %"), t.faint_text, 11);
      p_.text({p_.margin, base_ + 2 + down_ / 2}, tr("active lanes"), t.faint_text, 11);
    }
    p_.line({left_, base_ + 1}, {p_.width - p_.margin, base_ + 1}, t.line);
    if (share_ > 0) p_.line({left_, up_base_ + 1}, {p_.width - p_.margin, up_base_ + 1}, t.line);
    if (p_.height < 56) return;
    const auto current_label = label_of_phase_at(in_.cursor.step);
    float free_from = 0;
    float line = -1;
    for (std::size_t i = 0; i + 1 < run_.phases().size(); i++) {
      const int begin = run_.phases()[i], end = run_.phases()[i + 1];
      if (begin > 0 && x(begin) - line >= 1) {
        line = x(begin);
        p_.line({line, p_.top}, {line, bottom_}, t.line);
      }
      const bool current = in_.cursor.step >= begin && in_.cursor.step < end;
      const Label label = current && current_label ? *current_label : label_of(begin, end, Face::regular);
      // The label of the current phase is always drawn. Another label is left out if it would cover the
      // previous label or the label of the current phase.
      const bool hides = current_label && label.to + 4 > current_label->from && begin <= in_.cursor.step;
      if (!current && (label.from < free_from + 4 || hides)) continue;
      p_.text({(label.from + label.to) / 2, p_.height - 9}, label.text, current ? t.text : t.faint_text, 11,
              current ? Face::bold : Face::regular, Align::centre);
      free_from = label.to;
    }
  }

  // A phase's name, and its place below the bars.
  struct Label {
    std::string text;
    float from, to;
  };
  Label label_of(int begin, int end, Face face) const {
    std::string text = phase_text(steps_[static_cast<std::size_t>(begin)].phase);
    const float w = text_width(text, 11, face), middle = (x(begin) + x(end)) / 2;
    const float at = std::max(p_.margin + w / 2, std::min(middle, p_.width - p_.margin - w / 2));
    return {std::move(text), at - w / 2, at + w / 2};
  }
  std::optional<Label> label_of_phase_at(int step) const {
    for (std::size_t i = 0; i + 1 < run_.phases().size(); i++)
      if (step >= run_.phases()[i] && step < run_.phases()[i + 1])
        return label_of(run_.phases()[i], run_.phases()[i + 1], Face::bold);
    return {};
  }

  // Draws the names of the launches above the bars of their steps. Draws a stronger hairline where a launch
  // begins.
  void launches() {
    if (launches_ == 0) return;
    const Theme& t = p_.theme;
    const Trace& trace = in_.recording.trace;
    float free_from = 0, drawn_to = 0;
    for (int g = 0; g < static_cast<int>(trace.grids.size()); g++) {
      const Grid& grid = trace.grids[static_cast<std::size_t>(g)];
      const int begin = static_cast<int>(grid.first_step), end = end_step(trace, g);
      const float a = x(begin), b = x(end);
      if (b - drawn_to < 1 && g > 0) continue;  // leaves out a launch that is narrower than a pixel
      drawn_to = b;
      const bool current = in_.cursor.step >= begin && in_.cursor.step < end;
      if (g > 0) p_.line({a, launches_ - 8}, {a, bottom_}, mix(t.line, t.ghost_text, 0.8f));
      p_.rect({a + 1, launches_ + 7, std::max(1.0f, b - a - 2), 2}, {.fill = current ? t.now : t.line});
      p_.target({a, launches_ - 8, b - a, 16}, GridId{begin, g});
      const Face face = current ? Face::bold : Face::regular;
      std::string text;
      for (const std::string& form : {fmt::format("{} · {}", grouped(g + 1), configuration_text(grid)),
                                      fmt::format("{} · {}", grouped(g + 1), grid.kernel), grouped(g + 1)})
        if (text.empty() && text_width(form, 10.5f, face) <= b - a - 4) text = form;
      if (text.empty() || a < free_from) continue;
      p_.text({a + 2, launches_}, text, current ? t.text : t.faint_text, 10.5f, face);
      free_from = a + 2 + text_width(text, 10.5f, face);
    }
  }

  static constexpr float least_pitch = 1.5f;  // the smallest distance between bars in dp
  // The gap in dp between the bars of bank conflicts and the bars of lane utilisation below them.
  static constexpr float between = 3;
  ViewPen p_;
  const ViewInput& in_;
  const std::vector<Step>& steps_;
  const RunIndex& run_;
  const int degree_, lanes_;  // the run's worst conflict, and the largest number of active lanes
  std::set<int> hazards_;     // the steps that have findings
  bool labelled_ = false;
  float launches_ = 0;  // the y of the launches' names; 0 if the names are not drawn
  float left_ = 0, pitch_ = 0, bottom_ = 0, marks_ = 0;
  // Bars of conflicts stand on up_base_ and are at most up_ high. Bars of lane utilisation stand on base_ and
  // are at most share_ high. Bars of active lanes go down from base_ and are at most down_ high.
  float up_base_ = 0, up_ = 0, base_ = 0, share_ = 0, down_ = 0;
};

ViewPicture draw_profile(const ViewInput& in) { return ProfilePicture(in).draw(); }

Lines profile_tip(const Reading& at, const Id& id) {
  const Recording& r = at.recording;
  const auto* step = as<StepId>(id);
  if (!step || !is_index(step->step, r.facts.steps.size())) return {};
  const StepFacts& f = r.facts.steps[static_cast<std::size_t>(step->step)];
  TipLines tip;
  tip.add("{}", capitalised(step_text(r.trace, r.trace.steps.at(static_cast<std::size_t>(step->step)))));
  const std::size_t blocks = r.trace.runs.size(), in_full = r.run().in_focus();
  if (const auto utilisation = f.lane_utilisation(); utilisation && r.trace.machine != MachineKind::opengl) {
    tip.add(tr("{} % lane utilisation: {} of the {} lanes in {}", decimal_text(100 * *utilisation, 0),
               counted(f.active_lanes, "active lane"), grouped(std::int64_t{lanes_of_warp} * f.working_warps),
               counted(f.working_warps, "warp")));
    tip.add(
        tr("{requests} and {operations} were issued, each for 32 lanes. In all, they were issued for {lanes} "
           "lanes, and used by {used}.",
           fmt::arg("requests", counted(f.totals.issued_requests.requests, "request")),
           fmt::arg("operations", counted(f.totals.issued_operations.requests, "operation")),
           fmt::arg("lanes", grouped(f.totals.issued_lanes())),
           fmt::arg("used", grouped(f.totals.used_lanes()))));
  }
  tip.add(tr("{} in {}{}", counted(f.active_lanes, "active lane"), counted(f.working_warps, "warp"),
             in_full < blocks ? tr(", counted only in the {} of {} that were recorded in full",
                                   grouped(std::int64_t(in_full)), counted(std::int64_t(blocks), "block"))
                              : ""));
  if (const Hazards* hazards = shown_hazards(r, at.cursor))
    for (const HazardFinding* finding : findings_of(*hazards, step->step))
      tip.add("{}: {}", capitalised(std::string(tr(name(finding->kind)))), what_happens(r.trace, *finding));
  if (!hides_answer(r, at.cursor) && r.wrong && r.wrong->departure &&
      static_cast<int>(r.wrong->departure->step) == step->step)
    tip.lines.push_back(departure_text(r.trace, *r.wrong));
  if (f.totals.operations > 0) {
    const Noun noun = operation_noun(r.trace.settings.op);
    tip.lines.push_back(counted(f.totals.operations, noun.one, noun.many));
  }
  if (f.max_degree > 0) {
    if (f.max_degree > 1)
      tip.add(tr("{}: one bank had to serve {} different words of one request", conflict_name(f.max_degree),
                 f.max_degree));
    else tip.lines.emplace_back(conflict_name(f.max_degree));
    tip.add(tr("loads: {}", cost_text(f.totals.shared_load)));
    tip.add(tr("stores: {}", cost_text(f.totals.shared_store)));
    tip.lines.emplace_back(tr(wavefront_meaning));
  }
  return std::move(tip.lines);
}

Click click_in_profile(const Reading&, const Id& id) {
  const auto* step = as<StepId>(id);
  if (!step || step->step < 0) return {};
  return GoToStep{step->step};
}

}  // namespace

extern const View profile_view{.name = "profile",
                               .title = tr_noop("Profile"),
                               .home = Home::profile,
                               .draw = draw_profile,
                               .tip = profile_tip,
                               .click = click_in_profile,
                               .titled_from = 128,
                               .sees = sees_only<StepId>,
                               .hand = Hand::scrubs};

}  // namespace upsweep
