// The view "Moves" draws an arrow from each element of the input to the element's known place in the output.
// The arrow is pale until the step that stores the element. Dropped elements are grey. Numbers that the
// kernel computes for each element, such as flags and places, are below the input.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <ranges>

#include "analysis/count_rows.hpp"
#include "analysis/known_moves.hpp"
#include "analysis/memory.hpp"
#include "base/language.hpp"
#include "scene/views/flow.hpp"
#include "scene/views/tip_lines.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

bool only_moves(const Recording& r) { return r.only_moves && !r.trace.buffers.empty(); }

class MovesPicture {
 public:
  explicit MovesPicture(const ViewInput& in)
      : p_(in),
        in_(in),
        r_(in.recording),
        trace_(in.recording.trace),
        pointed_(as<ElementId>(in.cursor.hover)),
        known_(in.recording, in.cursor.step) {}

  ViewPicture draw() {
    // If the recording does not contain all moves, shows only the part of the arrays with recorded moves.
    const bool all = known_.complete() || known_.moves().arrived == 0;
    from_ = all ? Moves::Range{0, known_.input_size() - 1} : known_.moves().from;
    to_ = all ? Moves::Range{0, known_.output_size() - 1} : known_.moves().to;
    rows_ = count_rows(r_, in_.cursor.step);
    add_places();
    lay_out();
    p_.title(heading(), readout());
    if (breadth_ < 24 || bottom_ - upper_ < 24) return std::move(p_).picture();
    names();
    if (pitch_ >= least_cell) {
      arrows(1);
      cells();
    } else {
      arrows(elements_of_arrow());
      strips();
    }
    counts();
    caption();
    return std::move(p_).picture();
  }

 private:
  static constexpr float least_cell = 5;            // dp; narrower cells are drawn as strips of colours
  static constexpr std::int64_t most_arrows = 240;  // the largest number of arrows between strips

  Id id_of(std::int64_t input) const {
    ElementId id{static_cast<int>(input), {}};
    if (const Moves::Arrival* a = known_.arrival(input)) id.by = access_in_block(in_, a->event, a->lane);
    return id;
  }
  bool is_pointed(std::int64_t input) const { return pointed_ && pointed_->input == input; }
  std::string text(const Value& v, int room) const { return short_text(v, trace_.settings, room); }

  // --- texts

  std::string crossing_text() const {
    const Moves& moves = known_.moves();
    if (moves.arrived == 0) return known_.kept() == 0 ? tr("no element is kept") : tr("no arrow is recorded");
    if (moves.crossings == 0)
      return known_.complete() ? tr("order kept: no two arrows cross") : tr("no two recorded arrows cross");
    const std::int64_t pairs = moves.arrived * (moves.arrived - 1) / 2;
    return tr("{} of {} of arrows cross", grouped(moves.crossings), counted(pairs, "pair"));
  }

  std::string heading() const {
    const auto kept = known_.all_arrived() ? known_.kept() : std::nullopt;
    std::string text = kept ? tr("{} of {} kept", grouped(*kept), counted(known_.input_size(), "element"))
                            : tr("{} from in to out", counted(known_.input_size(), "element"));
    if (known_.all_arrived() && !captioned_) text += " · " + crossing_text();
    if (!known_.complete() && known_.moves().arrived > 0)
      text += tr(" · elements {} to {}", grouped(from_.first), grouped(from_.last));
    if (pitch_of_cells() < least_cell && elements_of_arrow() > 1)
      text += tr(" · one of {} is drawn", counted(elements_of_arrow(), "arrow"));
    return text;
  }

  std::string readout() const {
    if (pointed_ && pointed_->input >= 0 && pointed_->input < known_.input_size()) {
      const auto i = static_cast<std::size_t>(pointed_->input);
      const std::string from = fmt::format("{} = {}", global_name(trace_, 0, pointed_->input),
                                           exact_text(trace_.input[i], trace_.settings));
      if (const Moves::Arrival* a = known_.arrival(pointed_->input); a && known_.is_place_known(*a))
        return fmt::format("{} → {}", from, global_name(trace_, output(), a - known_.moves().output.data()));
      return from + (known_.is_dropped(pointed_->input) ? tr(" · dropped") : "");
    }
    const auto& there = known_.moves().arrived_after;
    if (!is_index(in_.cursor.step, there.size())) return {};
    return tr("{} of {} elements arrived", grouped(there[static_cast<std::size_t>(in_.cursor.step)]),
              grouped(known_.moves().arrived));
  }
  // Returns the number k: a picture with strips shows only every k-th arrow.
  std::int64_t elements_of_arrow() const { return (to_.count() + most_arrows - 1) / most_arrows; }
  int output() const { return trace_.roles().first_output(); }

  // --- layout

  float breadth() const { return p_.width - 2 * p_.margin - names_width; }
  float pitch_of_cells() const {
    return breadth() / static_cast<float>(std::max<std::int64_t>(1, std::max(from_.count(), to_.count())));
  }

  void lay_out() {
    left_ = p_.margin + names_width;
    breadth_ = breadth();
    pitch_ = std::min(64.0f, pitch_of_cells());
    const float room = p_.height - p_.top;
    captioned_ = room >= 150;
    numbered_ = room >= 120 && pitch_ >= least_cell;
    row_ = std::clamp(room * 0.16f, 12.0f, has_count_rows(trace_) ? 20.0f : 30.0f);
    upper_ = p_.top + 4 + (numbered_ ? 14.0f : 0.0f);
    bottom_ = p_.height - 6 - (captioned_ ? 26.0f : 0.0f) - (numbered_ ? 14.0f : 0.0f);
    bottom_ = std::min(bottom_, upper_ + 2 * row_ + std::max(220.0f, breadth_ * 0.5f));
    // Always reserves room for two rows of counts, so that the picture does not move between steps.
    constexpr float least_arrows = 20;
    if (!has_count_rows(trace_)) return;
    const float left = bottom_ - upper_ - 2 * row_ - least_arrows;
    const auto most = static_cast<std::size_t>(std::clamp(left / count_row, 0.0f, 3.0f));
    if (rows_.size() > most) rows_.resize(most);
    tail_ = count_row * static_cast<float>(std::max(rows_.size(), std::min<std::size_t>(most, 2)));
  }

  // Returns the x of the left end of a cell of the input or of the output.
  float x(const Moves::Range& row, std::int64_t cell) const {
    return left_ + pitch_ * static_cast<float>(cell - row.first);
  }
  float centre(const Moves::Range& row, std::int64_t cell) const { return x(row, cell) + pitch_ / 2; }

  void names() {
    for (const auto& [buffer, y] : {std::pair(0, upper_ + row_ / 2), std::pair(output(), bottom_ - row_ / 2)})
      p_.text({p_.margin, y}, cut(buffer_name(trace_, buffer), 13, Face::bold, names_width - 8),
              p_.theme.text, 13, Face::bold);
  }

  // Adds a row with the elements' known places in the output, if the last row does not contain these places.
  void add_places() {
    if (rows_.empty()) return;
    CountRow row{tr("goes to"), std::vector<std::optional<std::uint32_t>>(trace_.input.size())};
    for_each_arrow(1, [&](const Moves::Arrival& a) {
      row.counts[a.from] = static_cast<std::uint32_t>(&a - known_.moves().output.data());
    });
    const auto differs = [&](std::size_t i) {
      return row.counts[i] && row.counts[i] != rows_.back().counts[i];
    };
    if (std::ranges::any_of(std::views::iota(std::size_t{0}, row.counts.size()), differs))
      rows_.push_back(std::move(row));
  }

  // Draws rows with one number for each element of the input. If the numbers are too wide, draws only every
  // k-th number. If even one digit is too wide for an element, draws a strip of colours instead.
  void counts() {
    const Theme& t = p_.theme;
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const CountRow& row = rows_[k];
      const float top = upper_ + row_ + count_row * static_cast<float>(k), y = top + count_row / 2;
      p_.text({p_.margin, y}, cut(row.name, 11, Face::regular, names_width - 6), t.faint_text, 11);
      std::uint32_t most = 0;
      for (const auto& count : row.counts) most = std::max(most, count.value_or(0));
      const std::string longest = std::to_string(most);
      const float size = text_width(longest, 11, Face::regular) <= pitch_ - 2 ? 11.0f : 9.0f,
                  width = text_width(longest, size, Face::regular);
      if (pitch_ < least_cell || (longest.size() == 1 && width > pitch_)) {
        strip(from_, top + 2, count_row - 4, [&](std::int64_t i) {
          const auto count = row.counts[static_cast<std::size_t>(i)];
          if (!count) return t.background;
          const float share = static_cast<float>(*count) / static_cast<float>(std::max(1u, most));
          return mix(t.background, t.text, 0.12f + 0.6f * share);
        });
        continue;
      }
      const auto each =
          width <= pitch_ ? std::int64_t{1} : static_cast<std::int64_t>(std::ceil((width + 4) / pitch_));
      for (std::int64_t i = from_.first; i <= from_.last; i += each)
        if (const auto count = row.counts[static_cast<std::size_t>(i)])
          p_.text({centre(from_, i), y}, std::to_string(*count), known_.is_dropped(i) ? t.faint_text : t.text,
                  size, Face::regular, Align::centre);
    }
  }

  // --- the parts of the picture

  Colour colour(std::int64_t input) const {
    return range_colour(p_.theme, static_cast<float>(input - from_.first) /
                                      static_cast<float>(std::max<std::int64_t>(1, from_.count() - 1)));
  }
  Colour dropped() const { return mix(p_.theme.background, p_.theme.ghost_text, 0.45f); }

  // Calls f for every `each`-th cell of the output whose element is known in this step.
  template <class F>
  void for_each_arrow(std::int64_t each, F f) const {
    for (std::int64_t i = to_.first; i <= to_.last; i += each)
      if (const Moves::Arrival& a = known_.moves().output[static_cast<std::size_t>(i)];
          known_.is_place_known(a))
        f(a);
  }

  // Draws every `each`-th arrow. The arrow under the mouse is the topmost arrow.
  void arrows(std::int64_t each) {
    for (const bool there : {false, true})
      for_each_arrow(each, [&](const Moves::Arrival& a) {
        if (known_.arrived(a) == there && !is_pointed(a.from)) arrow(a.from, a);
      });
    if (pointed_ && pointed_->input >= from_.first && pointed_->input <= from_.last)
      if (const Moves::Arrival* a = known_.arrival(pointed_->input); a && known_.is_place_known(*a))
        arrow(pointed_->input, *a);
  }

  void arrow(std::int64_t i, const Moves::Arrival& a) {
    const bool there = known_.arrived(a), now = known_.step_of(a) == in_.cursor.step;
    ArrowStyle style{colour(i), now ? 2.2f : 1.5f, std::clamp(pitch_ / 6, 0.0f, 4.0f)};
    if (pitch_ < least_cell) style = {colour(i), 1, 0};
    if (!there) style.colour = mix(p_.theme.background, style.colour, 0.4f);
    if (is_pointed(i)) style = {p_.theme.text, 2.5f, style.head};
    const std::int64_t to = &a - known_.moves().output.data();
    draw_arrow(p_, {centre(from_, i), upper_ + row_ + tail_ + 1}, {centre(to_, to), bottom_ - row_ - 1},
               Course::down, style, id_of(i));
  }

  void cells() {
    const float lower = bottom_ - row_;
    for (std::int64_t i = from_.first; i <= from_.last; ++i) {
      const bool kept = !known_.is_dropped(i);
      cell(box(from_, i, upper_), i, kept ? colour(i) : dropped(), kept,
           trace_.input[static_cast<std::size_t>(i)]);
    }
    for (std::int64_t i = to_.first; i <= to_.last; ++i) {
      const Moves::Arrival& a = known_.moves().output[static_cast<std::size_t>(i)];
      const Box b = box(to_, i, lower);
      if (known_.arrived(a))
        cell(b, a.from, colour(a.from), true, trace_.output[static_cast<std::size_t>(i)]);
      else p_.rect(b, {.stroke = p_.theme.line, .width = 1, .radius = 3});
      if (known_.is_place_known(a)) p_.target(b, id_of(a.from));
    }
    if (!numbered_) return;
    for (const auto& [row, y] : {std::pair(&from_, upper_ - 9), std::pair(&to_, bottom_ + 9)}) {
      const float widest = text_width(std::to_string(row->last), 10, Face::regular);
      const auto each = static_cast<std::int64_t>(std::ceil((widest + 4) / pitch_));
      for (std::int64_t i = row->first; i <= row->last; i += each)
        p_.text({centre(*row, i), y}, std::to_string(i), p_.theme.faint_text, 10, Face::regular,
                Align::centre);
    }
  }

  Box box(const Moves::Range& row, std::int64_t i, float y) const {
    const float gap = pitch_ > 12 ? 3.0f : 1.0f;
    return {x(row, i) + gap / 2, y, pitch_ - gap, row_};
  }

  void cell(const Box& b, std::int64_t input, Colour c, bool kept, const Value& v) {
    const Theme& t = p_.theme;
    const Id id = id_of(input);
    const float size = std::min(13.0f, row_ - 5);
    std::string shown = text(v, 6);
    if (text_width(shown, size, Face::mono) > b.w - 2) shown = text(v, 3);
    const bool fits = size >= 9 && text_width(shown, size, Face::mono) <= b.w - 2;
    p_.rect(b,
            {.fill = mix(t.background, c, !kept || fits ? 0.18f : 0.75f),
             .stroke = c,
             .width = 1,
             .radius = std::min(3.0f, b.w / 4)},
            id);
    if (fits)
      p_.text({b.x + b.w / 2, b.y + b.h / 2}, shown, kept ? t.text : t.faint_text, size, Face::mono,
              Align::centre);
    if (is_pointed(input))
      p_.rect({b.x - 1, b.y - 1, b.w + 2, b.h + 2}, {.stroke = t.text, .width = 2, .radius = 4});
    p_.target(b, id);
  }

  // Draws a row of cells as one shape. If the row has more cells than pixels, each pixel shows only one of
  // the cells at its place.
  template <class F>
  void strip(const Moves::Range& row, float y, float height, F colour_of) {
    if (row.count() == 0) return;
    const std::int64_t columns = std::clamp<std::int64_t>(
        static_cast<std::int64_t>(breadth_) * row.count() / std::max(from_.count(), to_.count()), 1,
        row.count());
    GridShape grid{
        {left_, y, pitch_ * static_cast<float>(row.count()), height}, static_cast<int>(columns), 1, {}};
    for (std::int64_t c = 0; c < columns; ++c)
      grid.colours.push_back(colour_of(row.first + c * row.count() / columns));
    p_.scene.shapes.push_back({std::move(grid), {}});
  }

  void strips() {
    strip(from_, upper_, row_, [&](std::int64_t i) { return known_.is_dropped(i) ? dropped() : colour(i); });
    strip(to_, bottom_ - row_, row_, [&](std::int64_t i) {
      const Moves::Arrival& a = known_.moves().output[static_cast<std::size_t>(i)];
      return known_.arrived(a) ? colour(a.from) : mix(p_.theme.background, p_.theme.line, 0.6f);
    });
    for_each_arrow(elements_of_arrow(), [&](const Moves::Arrival& a) {
      p_.target({centre(from_, a.from) - 2, upper_, 4, row_}, id_of(a.from));
      p_.target({centre(to_, &a - known_.moves().output.data()) - 2, bottom_ - row_, 4, row_}, id_of(a.from));
    });
  }

  void caption() {
    if (!captioned_) return;
    const bool kept = known_.moves().crossings == 0 && known_.moves().arrived > 0 && known_.all_arrived();
    std::string words;
    if (!known_.complete())
      words = tr("The recording contains arrows only for {}, because only some blocks are recorded in full.",
                 counted(known_.moves().arrived, "element"));
    else if (known_.all_arrived()) words = capitalised(crossing_text()) + tr(".");
    else if (known_.kept())
      words = tr("The place of a kept element is the number of kept elements before it.");
    if (known_.complete() && kept && known_.kept().value_or(known_.input_size()) < known_.input_size())
      words += tr(" Grey elements are dropped.");
    p_.text({left_, p_.height - 16}, cut(words, 14, Face::bold, breadth_),
            kept && known_.complete() ? p_.theme.good : p_.theme.text, 14, Face::bold);
  }

  static constexpr float names_width = 48, count_row = 14;  // count_row is the height of a row of counts
  ViewPen p_;
  const ViewInput& in_;
  const Recording& r_;
  const Trace& trace_;
  const ElementId* pointed_;
  const KnownMoves known_;
  std::vector<CountRow> rows_;  // the visible rows of counts
  float left_ = 0, breadth_ = 0, pitch_ = 0, row_ = 0, upper_ = 0, bottom_ = 0;
  float tail_ = 0;  // the height of the rows of counts
  bool captioned_ = false, numbered_ = false;
  Moves::Range from_, to_;  // the visible elements, and the visible cells of the output
};

ViewPicture draw_moves(const ViewInput& in) {
  if (only_moves(in.recording)) return MovesPicture(in).draw();
  ViewPen p(in);
  p.title("");
  p.sentence(tr("This run computes new values instead of moving elements."));
  return std::move(p).picture();
}

// Returns the bits of a number as text, in groups of eight bits.
std::string bits_text(std::uint32_t bits) {
  return fmt::format("{:08b} {:08b} {:08b} {:08b}", bits >> 24, bits >> 16 & 255, bits >> 8 & 255,
                     bits & 255);
}

Lines element_tip(const Reading& at, const Id& id) {
  const auto* pointed = as<ElementId>(id);
  const Recording& r = at.recording;
  const Trace& trace = r.trace;
  if (!pointed || !only_moves(r) || !is_index(pointed->input, trace.input.size())) return {};
  const auto i = static_cast<std::size_t>(pointed->input);
  TipLines tip;
  tip.add("{} = {}", global_name(trace, 0, pointed->input), exact_text(trace.input[i], trace.settings));
  const std::uint32_t place = r.moves().place[i];
  if (place != Moves::none)
    tip.add(tr("At the end, this element is {}.", global_name(trace, trace.roles().first_output(), place)));
  else tip.add(tr("The recording shows no cell of the output that contains this element."));
  if (i < r.order.size()) {
    tip.add(tr("bits        {}", bits_text(trace.input[i][0])));
    tip.add(tr("order bits  {}", bits_text(r.order[i])));
  }
  if (const Event* e = event_of(trace, pointed->by);
      e && is_index(static_cast<int>(e->step), trace.steps.size()))
    tip.add(tr("stored in {} by thread {} of block {}, line {}", step_text(trace, trace.steps[e->step]),
               thread_text(trace.grids[e->grid], thread_of(*e, std::max(0, pointed->by.lane))),
               block_text(trace.grids[e->grid], static_cast<int>(e->block)), e->line));
  return std::move(tip.lines);
}

Click click_on_element(const Reading& at, const Id& id) {
  const auto* pointed = as<ElementId>(id);
  const Event* e = pointed ? event_of(at.recording.trace, pointed->by) : nullptr;
  return e ? Click(GoToBlock{static_cast<int>(e->step), static_cast<int>(e->block)}) : Click();
}

}  // namespace

extern const View moves_view{
    .name = "moves",
    .title = tr_noop("Moves"),
    .home = Home::tree,
    .draw = draw_moves,
    .tip = element_tip,
    .click = click_on_element,
    .has_something = only_moves,
    .comes_first = [](const Recording& r) { return only_moves(r) && r.result == "selection"; },
    .sees = sees_only<ElementId>,
    .shows_the_end = true,
};

}  // namespace upsweep
