// The view "Work and steps" shows the counted operations and steps beside the results of the algorithm's
// formulas. The view also shows the parallelism, and the costs of memory requests in this step and in the
// whole run.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/run_index.hpp"
#include "base/language.hpp"
#include "scene/charts/chart_axes.hpp"
#include "scene/views/tip_lines.hpp"
#include "words/names.hpp"
#include "words/quantities.hpp"

namespace upsweep {

extern const View work_view;

namespace {

// The parts of this view that react to the mouse.
enum class WorkRow {
  operations,
  steps,
  span,
  parallelism,
  shared_load,
  shared_store,
  global_load,
  global_store,
  issued_requests,
  issued_operations
};

constexpr float line_size = 13, small_size = 11;

class WorkPicture {
 public:
  explicit WorkPicture(const ViewInput& in) : p_(in), in_(in), r_(in.recording) {}

  ViewPicture draw() {
    p_.title(tr("from the recording"));
    pitch_ = p_.height >= 340 ? 22.0f : p_.height >= 260 ? 20.0f : 17.0f;
    summary();
    p_.top += pitch_ * 0.5f;
    if (p_.height - p_.top >= 4 * pitch_) tables();
    if (p_.height - p_.top >= 84) curve();
    return std::move(p_).picture();
  }

 private:
  void row_target(WorkRow row) {
    p_.target({p_.margin, p_.top, p_.width - 2 * p_.margin, pitch_},
              OwnId{work_view.name, static_cast<int>(row)});
  }

  // Draws a name, a counted number and its unit. Adds the formula's result if `expected` is not negative.
  void line(WorkRow row, std::string_view name, const std::string& number,
            std::initializer_list<std::string> units, double counted, double expected) {
    const Theme& t = p_.theme;
    const float y = p_.top + pitch_ / 2, end = p_.width - p_.margin;
    p_.text({p_.margin, y}, name, t.faint_text, line_size);
    float x = p_.margin + 92;
    for (const char* each : {tr("work"), tr("steps"), tr("span"), tr("parallelism")})
      x = std::max(x, p_.margin + text_width(each, line_size, Face::regular) + 10);
    p_.text({x, y}, number, t.text, line_size, Face::bold);
    x += std::max(60.0f, text_width(number, line_size, Face::bold) + 12);
    const auto add = [&](std::initializer_list<std::string> ways, Colour colour) {
      const std::string words =
          cut(first_fitting(ways, line_size, Face::regular, end - x), line_size, Face::regular, end - x);
      p_.text({x, y}, words, colour, line_size);
      x += text_width(words, line_size, Face::regular) + 16;
    };
    add(units, t.faint_text);
    const std::string formula = expected >= 0 ? grouped(static_cast<std::int64_t>(expected)) : "";
    if (expected >= 0 && counted == expected) add({tr("✓ equals the formula"), tr("✓ formula"), "✓"}, t.good);
    else if (expected >= 0)
      add({tr("the formula gives ") + formula, tr("formula: ") + formula}, t.faint_text);
    row_target(row);
    p_.top += pitch_;
  }

  void summary() {
    const Work& w = r_.work;
    const Noun noun = operation_noun(r_.trace.settings.op);
    const std::string additions = counted_noun(w.operations, noun.one, noun.many);
    line(WorkRow::operations, tr("work"), grouped(w.operations),
         {r_.is_part ? tr("{} so far", additions) : additions}, static_cast<double>(w.operations),
         r_.expected_operations);
    line(WorkRow::steps, tr("steps"), grouped(w.steps), {tr("that compute")}, w.steps, r_.expected_steps);
    if (!w.span)
      return line(WorkRow::span, tr("span"), "?", {tr("not every block was recorded in full")}, 0, -1);
    line(WorkRow::span, tr("span"), grouped(*w.span), {tr("in the longest chain"), tr("longest chain")},
         static_cast<double>(*w.span), r_.expected_span);
    const double average = w.average().value_or(0);
    line(WorkRow::parallelism, tr("parallelism"),
         average < 1000 ? fmt::format("{:.1f}", average) : grouped(std::llround(average)),
         w.peak ? std::initializer_list<std::string>{tr("work / span · peak: {}",
                                                        counted(*w.peak, noun.one, noun.many)),
                                                     tr("average · peak {}", grouped(*w.peak))}
                : std::initializer_list<std::string>{tr("work / span"), tr("average")},
         0, -1);
  }

  // Draws three columns of numbers with their names above. The right end of the last column is at `end`.
  template <class Numbers>
  void columns(float end, float width, std::string_view heading, const std::array<const char*, 3>& names,
               float y, const Numbers& rows) {
    const Theme& t = p_.theme;
    if (!heading.empty())
      p_.text({end, y - pitch_ * 0.8f}, heading, t.faint_text, small_size, Face::bold, Align::right);
    float widest = 0;
    for (const char* name : names) widest = std::max(widest, text_width(name, small_size, Face::regular));
    const float heads = std::max(9.0f, small_size * std::min(1.0f, (width - 4) / widest));
    for (int c = 0; c < 3; c++) {
      const float x = end - width * static_cast<float>(2 - c);
      p_.text({x, y}, cut(names[static_cast<std::size_t>(c)], heads, Face::regular, width - 2), t.faint_text,
              heads, Face::regular, Align::right);
      float at = y + pitch_;
      for (const auto& row : rows) {
        const std::int64_t number = row[static_cast<std::size_t>(c)];
        const bool waste = row[3] > 0 && c > 0 && (c == 2) == excess_last_;
        const std::string words = grouped(number);
        const bool fits = text_width(words, number_size_, Face::bold) <= width - 5;
        p_.text({x, at}, fits ? words : short_count(static_cast<double>(number)),
                waste         ? t.conflict
                : number == 0 ? t.ghost_text
                              : t.text,
                number_size_, waste ? Face::bold : Face::regular, Align::right);
        at += pitch_;
      }
    }
  }

  // The numbers of the three columns, and the excess. If the excess is above 0, one number has the colour of
  // conflicts: the excess wavefronts of shared memory, or the sectors of global memory.
  using Numbers = std::array<std::int64_t, 4>;
  static Numbers numbers(const SharedTotals& s) { return {s.requests, s.wavefronts, s.excess, s.excess}; }
  static Numbers numbers(const GlobalTotals& g) {
    return {g.requests, g.sectors, g.ideal_sectors, g.sectors - g.ideal_sectors};
  }

  // The last number (the excess) is always 0, so that no number has the colour of conflicts. Unused lanes
  // need no colour, because nearly every step has unused lanes.
  static Numbers numbers(const LaneTotals& l) {
    const std::int64_t issued = lanes_of_warp * l.requests;
    return {issued, l.lanes, issued - l.lanes, 0};
  }

  template <class Load, class Store>
  void table(std::string_view title, Load Totals::*load, Store Totals::*store,
             const std::array<const char*, 3>& names, WorkRow first, WorkRow second,
             const std::array<const char*, 2>& rows = {tr("loads"), tr("stores")}) {
    const Theme& t = p_.theme;
    const Totals& step = r_.facts.steps.at(static_cast<std::size_t>(in_.cursor.step)).totals;
    const Totals& run = r_.facts.totals;
    const bool both = p_.width - 2 * p_.margin >= 392;
    const float end = p_.width - p_.margin, label = 72, gap = 24;
    const float width = both ? (end - p_.margin - label - gap) / 6 : (end - p_.margin - label) / 3;
    const float y = p_.top + pitch_ / 2;
    p_.text({p_.margin, y}, title, t.text, small_size, Face::bold);
    p_.line({p_.margin, p_.top + pitch_ - 1}, {end, p_.top + pitch_ - 1}, t.line);
    const std::array<Numbers, 2> here{numbers(step.*load), numbers(step.*store)},
        whole{numbers(run.*load), numbers(run.*store)};
    if (both) columns(end - 3 * width - gap, width, {}, names, y, here);
    columns(end, width, {}, names, y, whole);
    p_.top += pitch_;
    for (const auto& [row, name] : {std::pair{first, rows[0]}, std::pair{second, rows[1]}}) {
      p_.text({p_.margin, p_.top + pitch_ / 2}, name, t.faint_text, line_size);
      row_target(row);
      p_.top += pitch_;
    }
  }

  void tables() {
    const bool both = p_.width - 2 * p_.margin >= 392;
    const float end = p_.width - p_.margin, label = 72, gap = 24;
    const float width = (end - p_.margin - label - gap) / 6;
    const float y = p_.top + pitch_ / 2;
    if (both)
      p_.text({end - 3 * width - gap, y}, tr("this step"), p_.theme.now, small_size, Face::bold,
              Align::right);
    p_.text({end, y}, r_.is_part ? tr("so far") : tr("whole run"), p_.theme.faint_text, small_size,
            Face::bold, Align::right);
    p_.top += pitch_;
    const Totals& run = r_.facts.totals;
    for (const Numbers& row : {numbers(run.shared_load), numbers(run.shared_store), numbers(run.global_load),
                               numbers(run.global_store)})
      for (const std::int64_t number : row)
        if (text_width(grouped(number), line_size, Face::bold) > width - 5) number_size_ = small_size;
    excess_last_ = true;
    table(in_.cursor.half_warps ? tr("Shared, 32 banks") : tr("Shared"), &Totals::shared_load,
          &Totals::shared_store, {tr("requests"), tr("wavefr."), tr("excess")}, WorkRow::shared_load,
          WorkRow::shared_store);
    excess_last_ = false;
    if (p_.height - p_.top >= 3 * pitch_)
      table(tr("Global"), &Totals::global_load, &Totals::global_store,
            {tr("requests"), tr("sectors"), tr("ideal")}, WorkRow::global_load, WorkRow::global_store);
    if (p_.height - p_.top >= 3 * pitch_)
      table(tr("Lanes"), &Totals::issued_requests, &Totals::issued_operations,
            {tr("issued"), tr("used"), tr("unused")}, WorkRow::issued_requests, WorkRow::issued_operations,
            {tr("requests"), tr("operations")});
  }

  // Draws the operations of each step as bars.
  void curve() {
    const Theme& t = p_.theme;
    const auto& steps = r_.facts.steps;
    const float top = p_.top + 12, base = p_.height - 12, left = p_.margin, room = p_.width - 2 * p_.margin;
    p_.text({left, top + 6}, tr("operations per step"), t.faint_text, small_size);
    const float high = base - top - 20, pitch = room / static_cast<float>(steps.size());
    std::int64_t highest = 1;
    for (const StepFacts& step : steps) highest = std::max(highest, step.totals.operations);
    const auto most = static_cast<double>(highest);
    // If the bars would be too narrow, one bar stands for several steps. This bar shows the current step if
    // the current step is one of these steps, and otherwise the step with the most operations.
    const std::size_t together =
        pitch < 1.5f ? static_cast<std::size_t>(1.5f / std::max(pitch, 1e-3f)) + 1 : 1;
    const float gap = together > 1 ? 0.0f : pitch < 8 ? 1.0f : 3.0f;
    for (std::size_t begin = 0; begin < steps.size(); begin += together) {
      const std::size_t end = std::min(begin + together, steps.size());
      auto i =
          static_cast<std::size_t>(r_.run().busiest_step(static_cast<int>(begin), static_cast<int>(end)));
      if (const auto current = static_cast<std::size_t>(in_.cursor.step); current >= begin && current < end)
        i = current;
      const float width = pitch * static_cast<float>(end - begin);
      const bool now = static_cast<int>(i) == in_.cursor.step;
      const double share = static_cast<double>(steps[i].totals.operations) / most;
      const float h =
          steps[i].totals.operations > 0 ? std::max(2.0f, static_cast<float>(share) * high) : 1.0f;
      const float x = left + pitch * static_cast<float>(begin);
      const StepId id{static_cast<int>(i)};
      p_.rect({x + gap / 2, base - h, width - gap, h},
              {.fill = now                              ? t.now
                       : steps[i].totals.operations > 0 ? mix(t.background, t.ghost_text, 0.7f)
                                                        : t.line,
               .radius = std::min(2.0f, h / 2)},
              id);
      p_.target({x, top + 16, width, base - top - 12}, id);
    }
  }

  ViewPen p_;
  const ViewInput& in_;
  const Recording& r_;
  float pitch_ = 24, number_size_ = line_size;
  bool excess_last_ = true;
};

ViewPicture draw_work(const ViewInput& in) { return WorkPicture(in).draw(); }

// --- tooltips

Lines shared_tip(const char* name, const SharedTotals& t, Kind kind) {
  return {fmt::format("{}: {}", name, cost_text(t)),
          tr("Request: one access of a warp. Wavefront: one pass over the 32 banks. Excess: wavefronts that "
             "bank conflicts add."),
          wavefront_counter(kind),
          fmt::format("and l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{}.sum",
                      kind == Kind::shared_load ? "ld" : "st")};
}

Lines global_tip(const char* name, const GlobalTotals& t, const char* suffix) {
  return {fmt::format("{}: {}, {}", name, counted(t.requests, "request"), counted(t.sectors, "sector")),
          tr("A sector is {} bytes of global memory. The requested bytes need at least {} sectors.", 32,
             grouped(t.ideal_sectors)),
          tr("Hardware: l1tex__t_sectors_pipe_lsu_mem_global_op_{}.sum", suffix)};
}

Lines lanes_tip(const char* name, const LaneTotals& t, const char* meaning) {
  Lines lines{
      tr("{}: issued for {} lanes, used by {}", name, grouped(lanes_of_warp * t.requests), grouped(t.lanes)),
      meaning,
      tr("A warp issues each instruction for all its 32 lanes, but only the active lanes use the "
         "instruction.")};
  if (t.requests > 0)
    lines.push_back(
        tr("Used by {} % of these lanes",
           decimal_text(
               100.0 * static_cast<double>(t.lanes) / static_cast<double>(lanes_of_warp * t.requests), 0)));
  return lines;
}

Lines with_formula(Lines lines, double expected) {
  if (expected >= 0) lines.push_back(tr("The algorithm's formula gives {:g} for this n.", expected));
  return lines;
}

Lines work_tip(const Reading& at, const Id& id) {
  const auto* row = as<OwnId>(id);
  if (!row || row->view != work_view.name) return {};
  const Recording& r = at.recording;
  const Totals& t = r.facts.totals;
  const Noun noun = operation_noun(r.trace.settings.op);
  switch (static_cast<WorkRow>(row->thing)) {
    case WorkRow::operations:
      return with_formula(
          {tr("Work: {}", counted(r.work.operations, noun.one, noun.many)),
           tr("Applications of the operator by all threads together, counted from the recording.")},
          r.expected_operations);
    case WorkRow::steps:
      return with_formula({tr("Steps: {}", r.work.steps), tr("Steps that apply the operator."),
                           tr("A step begins at a barrier, or at a step() mark in the kernel's text.")},
                          r.expected_steps);
    case WorkRow::span:
      if (!r.work.span)
        return {tr("Span: not known"),
                tr("Values cannot be followed through blocks that the GPU did not record in full.")};
      return with_formula(
          {tr("Span: {} one after another", counted(*r.work.span, noun.one, noun.many)),
           tr("The longest chain in which each operation uses the result of the previous operation."),
           tr("With any number of threads, at least this many operations must run one after another.")},
          r.expected_span);
    case WorkRow::parallelism: {
      Lines lines{
          tr("Average parallelism: {}", decimal_text(r.work.average().value_or(0), 2)),
          tr("Work divided by span: the average number of threads that the algorithm can keep busy.")};
      if (r.work.peak)
        lines.push_back(
            tr("Peak parallelism: {} at once, in all blocks together, if each operation runs as early as "
               "possible.",
               counted(*r.work.peak, noun.one, noun.many)));
      return lines;
    }
    case WorkRow::shared_load: return shared_tip(tr("Shared loads"), t.shared_load, Kind::shared_load);
    case WorkRow::shared_store: return shared_tip(tr("Shared stores"), t.shared_store, Kind::shared_store);
    case WorkRow::global_load: return global_tip(tr("Global loads"), t.global_load, "ld");
    case WorkRow::global_store: return global_tip(tr("Global stores"), t.global_store, "st");
    case WorkRow::issued_requests:
      return lanes_tip(tr("Requests"), t.issued_requests,
                       tr("A request is an access, a shuffle, a vote or a launch."));
    case WorkRow::issued_operations:
      return lanes_tip(
          tr("Operations"), t.issued_operations,
          tr("Each operation is one instruction that applies the operator in the active lanes."));
  }
  return {};
}

}  // namespace

extern const View work_view{.name = "work",
                            .title = tr_noop("Work and steps"),
                            .home = Home::work,
                            .draw = draw_work,
                            .tip = work_tip,
                            .sees = sees_nothing};

}  // namespace upsweep
