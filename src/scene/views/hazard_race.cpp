// Draws a race: the two accesses, the cell, the missing order, and the results of both orders.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/language.hpp"
#include "scene/views/hazard_drawing.hpp"
#include "scene/views/hazard_marks.hpp"
#include "scene/wrap.hpp"
#include "trace/value.hpp"
#include "words/hazard_words.hpp"
#include "words/incident_words.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

class RaceDrawing : HazardPen {
 public:
  RaceDrawing(Painter& p, const ViewInput& in, const Box& box, const HazardFinding& f, const Incident& i)
      : HazardPen(p, in, box, f, i, text_size(box)), orders_(*i.orders) {
    // The upper access in the drawing is the access that must come first according to the kernel's text. If
    // the text does not define the order, the upper access is the access that came first in this run.
    const bool party_first = orders_.required == TwoOrders::Required::party_first;
    upper_ = party_first ? &f.party : &f.other;
    lower_ = party_first ? &f.other : &f.party;
  }

  void draw() {
    const float gap = size * 1.8f;
    if (is_wide(box)) {
      const float left = std::floor((box.w - gap) * 0.56f);
      accesses({box.x, box.y, left, std::min(box.h, size * 15)});
      results({box.x + left + gap, box.y, box.w - left - gap, std::min(box.h, size * 15)});
    } else {
      const float upper = std::floor(std::min((box.h - gap) * 0.42f, size * 11));
      accesses({box.x, box.y, box.w, upper});
      results({box.x, box.y + upper + gap, box.w, std::min(box.h - upper - gap, size * 15)});
    }
  }

 private:
  static bool is_wide(const Box& b) { return b.w >= 480 && b.w > 2.1f * b.h; }
  static float text_size(const Box& b) {
    return is_wide(b) ? std::clamp(std::min(b.w / 56, b.h / 9.5f), 11.5f, 34.0f)
                      : std::clamp(std::min(b.w / 34, b.h / 24), 11.5f, 30.0f);
  }

  const IncidentAccess& access(const HazardParty* party) const {
    return party == &f.party ? i.party : i.other;
  }
  static bool writes(const IncidentAccess& a) { return a.how != IncidentAccess::How::reads; }
  const OrderResult& result(const HazardParty* first) const {
    return first == &f.party ? orders_.party_first : orders_.other_first;
  }

  // --- the accesses, the cell and the missing order

  void accesses(const Box& at) const {
    const std::string name = cell_text(trace, f), held = contents();
    const float name_size = size, value_size = size * 1.15f;
    const float cell_width = std::clamp(
        std::max(text_width(name, name_size, Face::mono), text_width(held, value_size, Face::bold)) +
            size * 1.6f,
        size * 5, at.w * 0.36f);
    const float reach = size * 2.6f, width = at.w - cell_width - reach;
    const bool two_lines = at.h >= size * 7.6f;
    const float height = two_lines ? size * 2.9f : size * 1.75f;
    const float lower = at.y + at.h - height;
    access_box({at.x, at.y, width, height}, *upper_, two_lines);
    access_box({at.x, lower, width, height}, *lower_, two_lines);
    missing({at.x, at.y + height, width, lower - at.y - height});

    const float cell_height = std::min(size * 4.2f, at.h);
    const Box cell{at.x + at.w - cell_width, at.y + (at.h - cell_height) / 2, cell_width, cell_height};
    link(at.x + width, at.y + height / 2, cell, cell_height * 0.22f, access(upper_));
    link(at.x + width, lower + height / 2, cell, cell_height * 0.78f, access(lower_));
    p.rect(cell, {.fill = t.cell, .stroke = t.conflict, .width = stroke() * 1.3f, .radius = 5});
    const float middle = cell.x + cell.w / 2;
    p.text({middle, cell.y + cell.h * 0.32f}, cut(name, name_size, Face::mono, cell.w - 6), t.text, name_size,
           Face::mono, Align::centre);
    p.text({middle, cell.y + cell.h * 0.7f}, cut(held, value_size, Face::bold, cell.w - 6), t.text,
           value_size, Face::bold, Align::centre);
    hazard_mark(p, t, {cell.x + cell.w, cell.y}, size);
  }

  // Returns the text in the cell. If one of the accesses reads, the text contains the values before and after
  // the store. Otherwise, the text contains the two values that the cell may have at the end.
  std::string contents() const {
    const auto text = [&](const OrderResult& r) {
      return r.what == OrderResult::What::unwritten ? std::string("·")
             : r.what == OrderResult::What::unknown
                 ? "?"
                 : (i.cells == Cells::words ? grouped(r.value[0])
                                            : short_text(r.value, trace.settings, i.cells, 7));
    };
    if (orders_.reader == TwoOrders::Reader::none)
      return tr("{} or {}", text(orders_.other_first), text(orders_.party_first));
    const bool party_reads = orders_.reader == TwoOrders::Reader::party;
    return fmt::format("{} → {}", text(party_reads ? orders_.party_first : orders_.other_first),
                       text(party_reads ? orders_.other_first : orders_.party_first));
  }

  void access_box(const Box& at, const HazardParty& party, bool two_lines) const {
    const IncidentAccess& a = access(&party);
    const bool stores = writes(a);
    const Colour ink = stores ? t.on_now : t.text;
    p.rect(at, {.fill = stores ? t.now : t.now_soft, .stroke = t.now, .width = stroke(), .radius = 5});
    const float x = at.x + size * 0.7f, room = at.w - size * 1.4f;
    const std::string who =
        capitalised(party_text(trace, f, party)) + " " + upsweep::access_text(trace, i, a);
    const float y = two_lines ? at.y + at.h * 0.32f : at.y + at.h / 2;
    const float used = say({x, y}, who, room, ink, size, Face::bold);
    if (two_lines) say({x, at.y + at.h * 0.72f}, line_text(party.line), room, ink, small(), Face::mono);
    else if (const float left = room - used - size; left > size * 4)
      say({x + used + size, y}, tr("line {}", party.line), left, ink, small());
    p.target(at, LineId{static_cast<int>(party.step), party.line});
  }

  // Draws an arrow. The arrow of a store points to the cell, and the arrow of a read points to the access.
  void link(float x, float y, const Box& cell, float down, const IncidentAccess& a) const {
    const Point box_end{x + 2, y}, cell_end{cell.x - 2, cell.y + down};
    if (!writes(a)) return arrow(p, cell_end, box_end, t.now, stroke());
    arrow(p, box_end, cell_end, t.now, stroke());
  }

  // Draws a dashed line between the two accesses, because their order is missing. Also draws the place where
  // a barrier would help.
  void missing(const Box& at) const {
    const float x = at.x + size * 1.2f;
    if (f.apart != Apart::request) {
      dashed_line(p, {x, at.y + 2}, {x, at.y + at.h - 2}, t.conflict, stroke() * 1.2f);
    }
    const float left = x + size * 1.1f, room = at.x + at.w - left;
    const std::string belongs = missing_barrier_text(f);
    std::vector<std::string> lines;
    if (!belongs.empty()) lines = wrapped(belongs, small(), Face::regular, room);
    const float pitch = small() * 1.45f;
    const bool fits = !lines.empty() && at.h >= pitch * static_cast<float>(lines.size() + 1) + 4 &&
                      std::ranges::all_of(lines, [&](const std::string& l) {
                        return text_width(l, small(), Face::regular) <= room;
                      });
    const std::string without = missing_order_text(f);
    if (!fits) {
      if (at.h >= small() + 2) say({left, at.y + at.h / 2}, without, room, t.conflict, small(), Face::bold);
      return;
    }
    float y = at.y + at.h / 2 - pitch * static_cast<float>(lines.size()) / 2;
    say({left, y}, without, room, t.conflict, small(), Face::bold);
    p.rect({x - size * 0.7f, at.y + at.h / 2 - stroke() * 1.4f + (pitch - small()) / 2, size * 1.4f,
            stroke() * 2.8f},
           {.fill = t.good, .radius = 2});
    for (const std::string& line : lines) say({left, y += pitch}, line, room, t.good, small());
  }

  // --- both orders

  void results(const Box& at) const {
    const float gap = size, height = (at.h - gap) / 2;
    order({at.x, at.y, at.w, height}, *upper_);
    order({at.x, at.y + height + gap, at.w, height}, *lower_);
  }

  void order(const Box& at, const HazardParty& first) const {
    const OrderResult& r = result(&first);
    const bool required = orders_.required == (&first == &f.party ? TwoOrders::Required::party_first
                                                                  : TwoOrders::Required::other_first);
    const std::string begin = tr("If {} is first", party_text(trace, f, first)),
                      then = result_text(trace, f, i, r);
    const std::string tag = required
                                ? r.recorded ? tr("✓ with the barrier · this run") : tr("✓ with the barrier")
                            : r.recorded ? tr("this run")
                                         : "";
    const Colour colour = required ? t.good : t.conflict;
    const float pitch = size * 1.6f;
    p.rect({at.x, at.y, std::max(3.0f, size * 0.22f), at.h}, {.fill = colour, .radius = 1});
    const float x = at.x + size * 0.9f, room = at.w - size * 0.9f;
    if (at.h < 2 * pitch) {  // the box has room for one line only
      const float used = say({x, at.y + at.h / 2}, begin + tr(": "), room * 0.6f, t.text, size * 0.92f);
      say({x + used + 4, at.y + at.h / 2}, then, room - used - 4, colour, size * 0.92f, Face::bold);
      return;
    }
    const float lanes = at.h - 2 * pitch, tag_width = text_width(tag, small(), Face::regular);
    const bool has_tag = tag_width + text_width(begin, size, Face::regular) + size <= room;
    say({x, at.y + pitch / 2}, begin, has_tag ? room - tag_width - size : room, t.text, size);
    if (has_tag && !tag.empty())
      p.text({at.x + at.w, at.y + pitch / 2}, tag, required ? t.good : t.faint_text, small(), Face::regular,
             Align::right);
    const float result_size =
        std::min(size * 1.2f, size * room / std::max(1.0f, text_width(then, size, Face::bold)));
    say({x, at.y + pitch * 1.5f}, then, room, colour, std::max(11.0f, result_size), Face::bold);
    if (lanes >= 2.6f * size) timeline({x, at.y + 2 * pitch, room, std::min(lanes, size * 5)}, first);
  }

  // Draws a row for each thread. Time goes from left to right, so the access of `first` is at the left of the
  // other access.
  void timeline(const Box& at, const HazardParty& first) const {
    const float label =
        std::min(at.w * 0.4f, std::max(text_width(party_text(trace, f, *upper_), small(), Face::regular),
                                       text_width(party_text(trace, f, *lower_), small(), Face::regular)) +
                                  size * 0.8f);
    const float from = at.x + label, to = at.x + at.w, height = std::min(size * 1.55f, at.h / 2 - 4);
    const float slot = (to - from - size * 1.4f) / 2;
    if (slot < size * 3) return;
    int row = 0;
    for (const HazardParty* party : {upper_, lower_}) {
      const float y = at.y + at.h * (row++ == 0 ? 0.27f : 0.77f);
      say({at.x, y}, party_text(trace, f, *party), label - 4, t.faint_text, small());
      arrow(p, {from, y}, {to, y}, t.ghost_text, 1);
      const IncidentAccess& a = access(party);
      const std::string does = does_then(*party, first);
      const float width = std::min(slot, text_width(does, small(), Face::bold) + size * 1.1f);
      const float x = party == &first ? from + size * 0.4f : from + size * 0.4f + slot;
      chip({x, y - height / 2, width, height}, does, writes(a), small());
    }
  }

  // Returns a text about the action of the thread `party` in the order that begins with the thread `first`. A
  // read gets the value that this order produces; a store writes its recorded value.
  std::string does_then(const HazardParty& party, const HazardParty& first) const {
    IncidentAccess a = access(&party);
    const OrderResult& r = result(&first);
    if (a.how == IncidentAccess::How::reads) {
      if (r.what == OrderResult::What::unwritten) return tr("reads ·");
      a.known = r.what == OrderResult::What::value;
      a.value = r.value;
    }
    // In the order that did not happen, the atomic finds a value that was not recorded. So the text contains
    // no value.
    if (a.how == IncidentAccess::How::changes && !r.recorded) return tr("changes the cell");
    return upsweep::access_text(trace, i, a);
  }

  const TwoOrders& orders_;
  const HazardParty *upper_, *lower_;
};

}  // namespace

void draw_race(Painter& p, const ViewInput& in, const Box& box, const HazardFinding& f, const Incident& i) {
  RaceDrawing(p, in, box, f, i).draw();
}

}  // namespace upsweep
