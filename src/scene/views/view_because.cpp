// The view "Because" explains the cost of one request. A table leads from each lane's index to the lane's
// bank or sector, and a sentence gives the reason. If there is room, the view also shows the costs of other
// strides, the active lanes in each step of the phase, and the accesses that barriers protect.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <utility>

#include "analysis/barrier_use.hpp"
#include "analysis/because.hpp"
#include "analysis/because_global.hpp"
#include "analysis/memory.hpp"
#include "analysis/shared_request.hpp"
#include "analysis/step_index.hpp"
#include "base/language.hpp"
#include "scene/views/because_rows.hpp"
#include "scene/views/tip_lines.hpp"
#include "scene/wrap.hpp"
#include "words/because_words.hpp"
#include "words/hidden_answer.hpp"

namespace upsweep {
namespace {

constexpr float prose_pitch = 18, prose_size = 13, section_gap = 14, section_head = 22;
constexpr float card_height = 62, card_gap = 8, least_card = 76, bar_pitch = 18;
constexpr float two_columns = 900;  // dp; if the picture is less wide, the other parts are below the table

// Returns the index of the event to explain: the chosen request, or otherwise the step's most expensive
// request, or otherwise any event that lanes take part in. Returns -1 if the step has no such event.
int explained_event(const Recording& recording, const Place& place) {
  if (recording.trace.steps.empty()) return -1;
  for (const int event : {chosen_event(recording, place), request_event(recording, place),
                          global_event(recording, place), shuffle_event(recording, place)})
    if (event >= 0) return event;
  const StepIndex& step = recording.step(place.block, place.step);
  if (!step.requests.empty()) return step.requests.front();
  const EventRange range = step_events(recording.trace, place.block, place.step);
  for (std::size_t i = range.first; i < range.last; ++i)
    if (has_lanes(recording.trace.events[i].kind)) return static_cast<int>(i);
  return -1;
}

// The view leaves out a barrier if the block makes more than this number of accesses between the previous
// barrier and the next barrier. Otherwise, examining the accesses would take too long.
constexpr std::size_t most_accesses = 50'000;

// A part of the picture below or beside the table.
struct Part {
  float height = 0;
  std::function<void(float x, float y)> draw;
};

class BecausePicture {
 public:
  explicit BecausePicture(const ViewInput& in)
      : p_(in), in_(in), trace_(in.recording.trace), number_(explained_event(in.recording, in.cursor)) {}

  ViewPicture draw() && {
    const bool beside = p_.width >= two_columns;
    width_ = beside ? std::floor((p_.width - 2 * p_.margin - 40) * 0.58f) : p_.width - 2 * p_.margin;
    side_ = beside ? p_.width - 2 * p_.margin - 40 - width_ : width_;
    const float bottom = p_.height - 8;
    if (number_ < 0) {
      p_.title("");
      side_ = p_.width - 2 * p_.margin;
      const std::vector<Part> parts = barriers();
      if (parts.empty()) p_.sentence(tr("No action of this block in this step."));
      below(parts, p_.margin, p_.top + 4, bottom);
      return std::move(p_).picture();
    }
    source_ = request_source(trace_, number_);
    table_ = because_table(in_, number_, source_);
    p_.title(heading());
    const std::vector<Part> others = more();
    if (beside) below(others, p_.margin + width_ + 40, p_.top + 1, bottom);
    left(beside ? std::vector<Part>() : others, bottom);
    return std::move(p_).picture();
  }

 private:
  const Event& event() const { return trace_.events[static_cast<std::size_t>(number_)]; }

  std::string heading() const {
    const Event& e = event();
    const char* verb = is_load(e.kind) ? tr("reads") : is_store(e.kind) ? tr("writes") : tr("changes");
    const std::string what = is_access(e.kind)         ? fmt::format("{} {}", verb, access_text(trace_, e))
                             : e.kind == Kind::shuffle ? tr("takes values from other lanes")
                             : e.kind == Kind::vote    ? tr("votes")
                                                       : tr("computes");
    const std::string number =
        is_request(e.kind) ? request_text(in_.recording, in_.cursor, number_) + " · " : "";
    return tr("{}warp {} {} · line {}{}", number, e.warp, what, e.line,
              in_.cursor.half_warps ? " · " + banks_text(banks_of(in_.cursor)) : "");
  }

  // Draws the parts one below another. Leaves out parts that do not fit.
  void below(const std::vector<Part>& parts, float x, float y, float bottom) {
    for (const Part& part : parts) {
      if (y + part.height > bottom) continue;
      part.draw(x, y);
      y += part.height + section_gap;
    }
  }

  // Draws the source lines, the table and the reason. If the table shows all of its rows, also draws the
  // other parts that fit below.
  void left(const std::vector<Part>& others, float bottom) {
    const float x = p_.margin;
    const std::vector<Part> lines = source_lines();
    const Part reason = paragraph(reason_of_request(), width_, p_.theme.text, true);
    const float room = bottom - p_.top;
    const float least = lane_table_height(table_, std::min(lane_rows(table_), 3), least_lane_row);
    const float wanted = lane_table_height(table_, lane_rows(table_), least_lane_row);
    float used = 0;
    const auto take = [&](float height, float table) {
      if (used + height + table > room) return false;
      used += height;
      return true;
    };
    const bool has_first = !lines.empty() && take(prose_pitch, least);
    const bool has_reason = take(reason.height + 6, least);
    std::size_t count = has_first ? 1 : 0;
    while (has_first && count < lines.size() && take(prose_pitch, wanted)) ++count;
    std::vector<Part> shown;
    const float roomy = lane_table_height(table_, lane_rows(table_), least_lane_row + 2);
    for (const Part& part : others)
      if (take(part.height + section_gap, roomy)) shown.push_back(part);
    float y = p_.top;
    for (std::size_t i = 0; i < count; ++i, y += prose_pitch) lines[i].draw(x, y);
    const float table = std::min(room - used, lane_table_height(table_, lane_rows(table_), most_lane_row));
    draw_lane_table(p_, table_, {x, y, width_, table});
    y += table;
    if (has_reason) reason.draw(x, y + 6);
    if (has_reason) y += reason.height + 6;
    below(shown, x, y + section_gap, bottom + section_gap);
  }

  // Returns the request's source line, the definition of the index, and the conditions that select lanes.
  std::vector<Part> source_lines() {
    std::vector<Part> all;
    const auto add = [&](int line, const std::string& text) {
      all.push_back({prose_pitch, [this, line, text](float x, float y) {
                       const std::string number = tr("line {}", line);
                       p_.text({x, y + 9}, number, p_.theme.faint_text, 12);
                       const float left = x + 64;
                       const std::string shown = cut(text, 12.5f, Face::mono, x + width_ - left);
                       p_.text({left, y + 9}, shown, p_.theme.text, 12.5f, Face::mono);
                       const float end = left + text_width(shown, 12.5f, Face::mono);
                       const auto* hover = as<LineId>(in_.cursor.hover);
                       if (hover && hover->line == line) p_.line({left, y + 17}, {end, y + 17}, p_.theme.now);
                       p_.target({x, y, end - x, prose_pitch}, LineId{in_.cursor.step, line});
                     }});
    };
    const Event& e = event();
    add(e.line, source_line(shown_text(in_.recording, in_.cursor), e.line));
    const KernelText::Definition& index = source_.definition;
    if (index.line > 0 && index.line != e.line) add(index.line, index.name + " = " + index.value);
    for (const RequestSource::Condition& c : source_.conditions)
      if (!c.meaning.empty() || c.line != e.line)
        add(c.line, c.meaning.empty() ? c.text : c.text + tr(", which is ") + c.meaning);
    return all;
  }

  std::string reason_of_request() const {
    const Event& e = event();
    const std::string lanes = lanes_used_text(std::popcount(e.mask));
    if (is_shared(e.kind))
      return reason_text(because(in_.recording, number_, banks_of(in_.cursor))) + " " + lanes;
    if (is_global(e.kind)) return reason_text(because_global(trace_, number_)) + " " + lanes;
    if (e.kind == Kind::shuffle)
      return tr("A shuffle moves values between the registers of one warp, without memory. ") + lanes;
    return lanes;
  }

  Part paragraph(const std::string& text, float width, Colour colour, bool roomy = false) {
    const float size = roomy ? prose_size : 12.5f;
    std::string unbroken = text;  // keeps a percentage and its sign on one line
    for (std::size_t at = 0; (at = unbroken.find(" %", at)) != unbroken.npos;)
      unbroken.replace(at, 1, "\u00a0");
    std::vector<std::string> lines = wrapped(unbroken, size, Face::regular, width);
    for (std::string& line : lines) line = with_plain_spaces(std::move(line));
    return {prose_pitch * static_cast<float>(lines.size()), [this, lines, colour, size](float x, float y) {
              for (std::size_t i = 0; i < lines.size(); ++i)
                p_.text({x, y + prose_pitch * (static_cast<float>(i) + 0.5f)}, lines[i], colour, size);
            }};
  }

  void head(float x, float y, const std::string& name, const std::string& what) {
    p_.text({x, y + 8}, name, p_.theme.text, prose_size, Face::bold);
    const float begin = x + text_width(name, prose_size, Face::bold) + 12;
    p_.text({begin, y + 8}, cut(what, 12, Face::regular, x + side_ - begin), p_.theme.faint_text, 12);
  }

  std::vector<Part> more() {
    std::vector<Part> all = {in_general(), divergence()};
    std::erase_if(all, [](const Part& part) { return part.height == 0; });
    for (Part& part : barriers()) all.push_back(std::move(part));
    return all;
  }

  // --- the costs of other strides

  struct Card {
    std::int64_t apart;
    std::string name, uses, cost;
    bool is_current;
  };

  std::vector<Card> cards() const {
    std::vector<Card> all;
    const Event& e = event();
    const auto add = [&](std::vector<std::int64_t> distances, const std::optional<std::int64_t>& stride,
                         std::int64_t least, auto card) {
      const std::int64_t current = stride ? std::abs(*stride) : -1;
      if (current >= least && std::ranges::find(distances, current) == distances.end())
        distances.push_back(current);
      std::ranges::sort(distances);
      for (const std::int64_t apart : distances)
        if (apart >= least) all.push_back(card(apart, apart == current));
    };
    if (is_shared(e.kind) && !is_atomic(e.kind)) {
      const BankModel model = banks_of(in_.cursor);
      const Because b = because(in_.recording, number_, model);
      std::vector<std::int64_t> distances = {2, 4, 8, 16};
      if (model.banks == 32) distances.push_back(32);
      add(distances, b.stride_words, std::max(1, b.width / 4), [&](std::int64_t apart, bool is_current) {
        const WordsApart w = words_apart(apart, b.width, model);
        return Card{apart, counted(apart, "word"), counted(w.banks, "bank"),
                    w.degree > 1 ? tr("{}-way", w.degree) : tr("no conflict"), is_current};
      });
    } else if (is_global(e.kind) && !is_atomic(e.kind)) {
      const BecauseGlobal g = because_global(trace_, number_);
      std::vector<std::int64_t> distances;
      for (std::int64_t apart = g.width; apart <= std::max(32, 2 * g.width); apart *= 2)
        distances.push_back(apart);
      add(distances, g.stride_bytes, g.width, [&](std::int64_t apart, bool is_current) {
        return Card{apart, counted(apart, "byte"), counted(sectors_apart(apart, g.width), "sector"), "",
                    is_current};
      });
    }
    return all;
  }

  int active_lanes() const { return std::popcount(event().mask); }

  Part in_general() {
    const std::vector<Card> all = cards();
    if (all.empty()) return {};
    const auto count = static_cast<float>(all.size());
    const float most = std::max(1.0f, std::floor((side_ + card_gap) / (least_card + card_gap)));
    const float rows = std::ceil(count / most), columns = std::ceil(count / rows);
    const float width = std::floor((side_ - (columns - 1) * card_gap) / columns);
    const float height = all[0].cost.empty() ? card_height - 16 : card_height;
    return {section_head + rows * (height + card_gap) - card_gap,
            [this, all, columns, width, height](float x, float y) {
              head(x, y, tr("In general"),
                   tr("with 32 active lanes at this distance; this request has {}", active_lanes()));
              for (std::size_t i = 0; i < all.size(); ++i) {
                const auto row = std::floor(static_cast<float>(i) / columns);
                const Box box{x + (static_cast<float>(i) - row * columns) * (width + card_gap),
                              y + section_head + row * (height + card_gap), width, height};
                card(box, all[i]);
              }
            }};
  }

  void card(const Box& box, const Card& c) {
    const Theme& t = p_.theme;
    p_.rect(box, {.fill = c.is_current ? t.now_soft : t.panel,
                  .stroke = c.is_current ? t.now : t.line,
                  .width = c.is_current ? 2.0f : 1.0f,
                  .radius = 5});
    const float x = box.x + 8, room = box.w - 12;
    const Colour colour = c.is_current ? t.text : t.faint_text;
    const std::string name = first_fitting({c.name, grouped(c.apart)}, prose_size, Face::bold, room);
    p_.text({x, box.y + 14}, cut(name, prose_size, Face::bold, room), t.text, prose_size, Face::bold);
    p_.text({x, box.y + 32}, cut(c.uses, 11.5f, Face::regular, room), colour, 11.5f);
    p_.text({x, box.y + 48}, cut(c.cost, 11.5f, Face::regular, room), colour, 11.5f);
  }

  // --- the active lanes in each step of the phase

  Part divergence() {
    const UtilisationBars bars = utilisation_bars(in_, p_.width >= two_columns ? 14 : 8);
    const std::vector<UtilisationBars::Bar>& all = bars.all;
    if (all.empty()) return {};
    const std::string note = bars.left_out > 0
                                 ? tr("{} of this phase not shown", counted(bars.left_out, "other step"))
                                 : tr("an instruction is issued for all 32 lanes");
    return {section_head + bar_pitch * static_cast<float>(all.size()), [this, all, note](float x, float y) {
              head(x, y, tr("Divergence also costs time"), note);
              float label = 0;
              for (const UtilisationBars::Bar& b : all)
                label = std::max(label, text_width(b.name, 12, Face::bold));
              label = std::min(label, side_ * 0.3f);
              for (std::size_t i = 0; i < all.size(); ++i)
                bar(all[i], {x, y + section_head + bar_pitch * static_cast<float>(i), side_, bar_pitch},
                    label + 12);
            }};
  }

  void bar(const UtilisationBars::Bar& b, const Box& box, float label) {
    const Theme& t = p_.theme;
    const bool now = b.step == in_.cursor.step;
    const std::string share = tr("{:.3g} % of lanes used", 100 * b.share);
    const float right = text_width(tr("78.1 % of lanes used"), 12, Face::bold) + 12, y = box.y + box.h / 2;
    const float room = std::max(10.0f, box.w - label - right);
    p_.text({box.x, y}, cut(b.name, 12, now ? Face::bold : Face::regular, label - 8),
            now ? t.text : t.faint_text, 12, now ? Face::bold : Face::regular);
    p_.rect({box.x + label, y - 5, room, 10}, {.fill = mix(t.background, t.ghost_text, 0.24f), .radius = 3});
    p_.rect({box.x + label, y - 5, std::max(2.0f, room * static_cast<float>(b.share)), 10},
            {.fill = now ? t.now : mix(t.background, t.now, 0.6f), .radius = 3});
    p_.text({box.x + label + room + 12, y}, share, now ? t.text : t.faint_text, 12,
            now ? Face::bold : Face::regular);
    if (in_.cursor.hover == Id(StepId{b.step}))
      p_.rect({box.x - 4, box.y, box.w + 8, box.h}, {.stroke = t.text, .width = 1, .radius = 3});
    p_.target({box.x - 4, box.y, box.w + 8, box.h}, StepId{b.step});
  }

  // --- the accesses that barriers protect

  std::vector<Part> barriers() {
    std::vector<Part> all;
    if (trace_.steps.empty() || !in_focus(trace_, grid_index(trace_, in_.cursor.step), in_.cursor.block))
      return all;
    const auto add = [&](int step, const char* name) {
      if (step < 0) return;
      const auto use = barrier_use(in_.recording, in_.cursor.block, step, most_accesses);
      if (!use) return;
      const Part text = paragraph(barrier_text(in_.recording, *use), side_, p_.theme.text);
      all.push_back({section_head + text.height, [this, text, use, name](float x, float y) {
                       head(x, y, name, tr("line {}", use->line));
                       p_.target({x, y, side_, section_head}, LineId{use->step, use->line});
                       text.draw(x, y + section_head - 2);
                     }});
    };
    add(barrier_before(in_.recording, in_.cursor.block, in_.cursor.step), tr("The barrier before this step"));
    add(barrier_after(in_.recording, in_.cursor.block, in_.cursor.step), tr("The barrier after this step"));
    return all;
  }

  ViewPen p_;
  const ViewInput& in_;
  const Trace& trace_;
  const int number_;  // the explained event, as an index into Trace::events, or -1
  RequestSource source_;
  LaneTable table_;
  float width_ = 0, side_ = 0;  // the widths of the table and of the other parts
};

ViewPicture draw_because(const ViewInput& in) { return BecausePicture(in).draw(); }

Id because_sees(const Id& hover) {
  if (const auto* cell = as<CellId>(hover)) return CellId{.cell = cell->cell, .by = cell->by};
  if (const auto* node = as<NodeId>(hover)) return NodeId{.element = node->element, .by = node->by};
  return is<BankId>(hover) || is<LineId>(hover) || is<StepId>(hover) ? hover : sees_lane(hover);
}

bool has_warps(const Recording& r) { return r.trace.machine != MachineKind::opengl; }

}  // namespace

extern const View because_view{.name = "because",
                               .title = tr_noop("Because"),
                               .home = Home::work,
                               .draw = draw_because,
                               .has_something = has_warps,
                               .sees = because_sees};

}  // namespace upsweep
