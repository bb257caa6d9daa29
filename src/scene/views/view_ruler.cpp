// The view "Ruler" shows how a kernel divides a capacity among requests (lengths). The ruler goes from 0 to
// the capacity. Above the ruler, each request is a step of a staircase.
//
// A request appears when its start and its flag (true if the request fits) are stored. The remaining capacity
// and the first request that does not fit appear when all outputs are stored.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/language.hpp"
#include "scene/charts/chart_axes.hpp"
#include "scene/views/tip_lines.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

constexpr const char* ruler_name = "ruler";

bool has_allotment(const Recording& r) { return r.allotment.has_value(); }

// Finds the outputs that have been stored by the end of a step.
class StoredOutputs {
 public:
  StoredOutputs(const Recording& r, int step) {
    const Trace& t = r.trace;
    const int output = t.roles().first_output();
    const auto has_all = [&](int buffer, std::size_t size) {
      return is_index(buffer, t.buffers.size()) &&
             t.buffers[static_cast<std::size_t>(buffer)].count == static_cast<std::int64_t>(size);
    };
    if (!has_allotment(r) || !has_all(output, t.output.size()) || !has_all(output + 1, t.output.size()) ||
        !has_all(output + 2, 1))
      return;
    starts_ = &r.global(output, step).cells;
    fits_ = &r.global(output + 1, step).cells;
    is_done_ = std::ranges::all_of(*starts_, &GlobalState::Cell::known) &&
               std::ranges::all_of(*fits_, &GlobalState::Cell::known) &&
               r.global(output + 2, step).cells.front().known;
  }
  bool has(std::size_t i) const { return !starts_ || ((*starts_)[i].known && (*fits_)[i].known); }
  bool is_done() const { return is_done_; }
  std::int64_t count() const {
    return starts_ ? std::ranges::count_if(*starts_, &GlobalState::Cell::known) : 0;
  }

 private:
  // Both pointers are null if the recording does not contain the whole output.
  const std::vector<GlobalState::Cell>*starts_ = nullptr, *fits_ = nullptr;
  bool is_done_ = true;
};

// Returns a text such as "39 inches", or "39" if the unit is unknown.
std::string amount(const Allotment& a, double number) {
  const auto whole = static_cast<std::int64_t>(number);
  return a.unit.empty() ? grouped(whole) : counted(whole, a.unit, a.units);
}

// Returns lines about a request: the name, the length, and the place. Leaves out the place until the step
// that stores the request's outputs.
Lines lines_of_request(const Recording& r, int step, std::size_t i) {
  const double start = request_start(r.trace, i), length = request_length(r.trace, i);
  const auto whole = [](double x) { return grouped(static_cast<std::int64_t>(x)); };
  const std::string name = tr("Request {}", grouped(static_cast<std::int64_t>(i)));
  if (!StoredOutputs(r, step).has(i)) return {name, tr("length ") + whole(length), tr("no start yet")};
  return {name, tr("start ") + whole(start), tr("length ") + whole(length),
          tr("end ") + whole(start + length),
          request_fits(r.trace, i)     ? tr("fits")
          : r.allotment->misfit() == i ? tr("the first request that does not fit")
                                       : tr("does not fit")};
}

class RulerPicture {
 public:
  explicit RulerPicture(const ViewInput& in)
      : p_(in), in_(in), r_(in.recording), stored_(in.recording, in.cursor.step) {}

  ViewPicture draw() && {
    if (!has_allotment(r_)) {
      p_.sentence(tr("So far, this run allocates nothing."));
      return std::move(p_).picture();
    }
    p_.title(tr("each request starts at the end of the previous request"), readout());
    if (p_.height - p_.top < 48 || p_.width < 160) return std::move(p_).picture();
    lay_out();
    p_.text({p_.margin, p_.top + 8}, cut(verdict(), 13, Face::regular, p_.width - 2 * p_.margin),
            requests().misfit() && stored_.is_done() ? p_.theme.conflict : p_.theme.text);
    if (staircase_ > 0) staircase();
    ruler();
    return std::move(p_).picture();
  }

 private:
  static constexpr float small = 11, notes_height = 16;
  static constexpr float two_lines = 36;  // the room in dp for the sentence and for the capacity's name
  const Allotment& requests() const { return *r_.allotment; }
  double start(std::size_t i) const { return request_start(r_.trace, i); }
  double length(std::size_t i) const { return request_length(r_.trace, i); }
  bool fits(std::size_t i) const { return request_fits(r_.trace, i); }

  std::string verdict() const {
    const Allotment& a = requests();
    const auto count = static_cast<std::int64_t>(a.size());
    if (!stored_.is_done()) {
      std::string text =
          tr("{stored} of {starts_are} stored so far.", fmt::arg("stored", grouped(stored_.count())),
             fmt::arg("starts_are", counted(count, "start is", "starts are")));
      if (stored_.count() > 0 || labelled_) return text;
      constexpr std::size_t most = 100;  // at most this many lengths fit into a line
      for (std::size_t i = 0; i < std::min(a.size(), most); ++i)
        text += (i == 0 ? tr(" Lengths: ") : tr(", ")) + grouped(static_cast<std::int64_t>(length(i)));
      return text + (a.size() > most ? " …" : "");
    }
    if (const auto i = a.misfit()) {
      const std::string needed = amount(a, length(*i)),
                        rest = grouped(static_cast<std::int64_t>(a.capacity() - start(*i)));
      const std::string why = a.fits_again() || *i + 1 >= a.size()
                                  ? ""
                                  : tr(" This length also moves all later starts, so no later request fits.");
      return tr("Request {request} needs {length}, but only {rest} {are} left.{why}",
                fmt::arg("request", grouped(static_cast<std::int64_t>(*i))), fmt::arg("length", needed),
                fmt::arg("rest", rest), fmt::arg("are", rest == "1" ? tr("is") : tr("are")),
                fmt::arg("why", why));
    }
    return tr("{} of {}. {} left.",
              count == 1 ? tr("The request fits: it takes {}", amount(a, a.total()))
                         : tr("All {} requests fit: they take {}", grouped(count),
                              grouped(static_cast<std::int64_t>(a.total()))),
              amount(a, a.capacity()), amount(a, a.left()) + (a.left() == 1 ? tr(" is") : tr(" are")));
  }

  std::optional<std::size_t> hovered() const {
    const auto* own = as<OwnId>(in_.cursor.hover);
    const bool mine = own && own->view == ruler_name && is_index(own->thing, requests().size());
    return mine ? std::optional(static_cast<std::size_t>(own->thing)) : std::nullopt;
  }

  std::string readout() const {
    const auto i = hovered();
    if (!i) return {};
    std::string text;
    for (const std::string& line : lines_of_request(r_, in_.cursor.step, *i))
      text += (text.empty() ? "" : " · ") + line;
    return text;
  }

  void lay_out() {
    const Allotment& a = requests();
    const float room = p_.height - p_.top;
    bar_height_ = std::clamp(room * 0.16f, 18.0f, 44.0f);
    const bool has_ticks = room >= 76;
    bar_ = p_.height - (has_ticks ? 26.0f : 6.0f) - bar_height_;
    // The y at which the staircase may begin: below the sentence and the capacity's name.
    const float top = p_.top + 40;
    notes_ = a.misfit() ? notes_height : 0;
    staircase_ = bar_ - 10 - notes_ - top >= 36 ? top : 0;
    // The ruler ends a little after the capacity, or at the end of the last request. If the requests are much
    // longer than the capacity, the ruler shows only some of the requests that do not fit. A note says how
    // many requests are not shown.
    const double unit = std::max(1.0, a.capacity());
    double high = 1.02 * unit;
    shown_ = a.size();
    if (a.misfit()) {
      high = std::max(a.total(), 1.06 * unit);
      if (high > 2 * unit && staircase_ > 0) high = 1.3 * unit;
      shown_ = std::min(a.size(), std::max(a.before(r_.trace, high), *a.misfit() + 1));
    }
    if (staircase_ > 0) {
      const float height = bar_ - 10 - notes_ - top;
      rows_ = std::min(shown_, static_cast<std::size_t>(height / 3));
      row_ = std::min(24.0f, height / static_cast<float>(rows_));
      labelled_ = row_ >= 13 && rows_ == shown_;
    }
    const std::string last = grouped(static_cast<std::int64_t>(shown_) - 1);
    const float names = labelled_ ? text_width(tr("request ") + last, small, Face::regular) + 12 : 0;
    x_ = {0, high, p_.margin + names, p_.width - p_.margin, false};
  }

  std::size_t first(std::size_t row) const { return row * shown_ / rows_; }

  RectStyle style_of_request(std::size_t i, bool odd) const {
    const Theme& t = p_.theme;
    if (requests().misfit() == i) return {.fill = t.conflict_soft, .stroke = t.conflict, .width = 1.5f};
    if (!fits(i)) return {.fill = t.background, .stroke = mix(t.background, t.conflict, 0.6f), .width = 1};
    return {.fill = odd ? mix(t.now_soft, t.now, 0.25f) : t.now_soft, .stroke = t.now, .width = 1};
  }

  // Returns the box between two places of the ruler. The box is at least 1 dp wide.
  Box box_of(double from, double to, float y, float height) const {
    const float a = x_.at(std::min(from, to)), b = x_.at(std::max(from, to));
    return {std::min(a, x_.end - 1), y, std::max(1.0f, b - a), height};
  }

  // Draws a row for each request, from the start to the end of the request. If there are too many requests,
  // one row shows several neighbouring requests.
  void staircase() {
    const Theme& t = p_.theme;
    const auto now = hovered();
    for (std::size_t r = 0; r < rows_; ++r) {
      const std::size_t i = first(r), last = first(r + 1) - 1;
      const float y = staircase_ + row_ * static_cast<float>(r), gap = row_ >= 8 ? 2.0f : 0.0f;
      const bool hover = now && *now >= i && *now <= last;
      if (hover) p_.rect({p_.margin, y, p_.width - 2 * p_.margin, row_}, faded(t.ghost_text, 0.25f));
      const auto misfit = requests().misfit();
      const std::size_t shown_as = misfit && *misfit >= i && *misfit <= last ? *misfit : i;
      RectStyle style = style_of_request(shown_as, r % 2 == 1);
      if (row_ < 8) style = {.fill = style.stroke};
      const bool known = stored_.has(i) && stored_.has(last);
      const Box box = known ? box_of(start(i), start(last) + length(last), y + gap / 2, row_ - gap)
                            : Box{x_.begin - 8, y + gap / 2, 0, row_ - gap};
      if (known) p_.rect(box, style, OwnId{ruler_name, static_cast<int>(i)});
      p_.target({p_.margin, y, p_.width - 2 * p_.margin, row_}, OwnId{ruler_name, static_cast<int>(i)});
      if (labelled_) label(i, box, r == 0);
    }
    if (requests().misfit()) notes();
  }

  // Writes two notes above the ruler. The first note contains the number of requests that start beyond the
  // ruler's end. The second note explains how the ruler draws a request that does not fit.
  void notes() {
    const Theme& t = p_.theme;
    const Allotment& a = requests();
    const float y = bar_ - 4 - notes_ / 2;
    float end = x_.end;
    if (const auto more = static_cast<std::int64_t>(a.size() - shown_); more > 0) {
      const auto start_of = [&](std::size_t i) { return grouped(static_cast<std::int64_t>(start(i))); };
      const std::string first = start_of(shown_), last = start_of(a.size() - 1), count = grouped(more);
      const std::string place = more == 1 ? tr("starts at ") + first : tr("start at {} to {}", first, last);
      // Places the text at the right of the line of the capacity, if there is enough room.
      const std::string text =
          first_fitting({!stored_.is_done() ? count + tr(" more beyond the end →")
                                            : tr("{} more, beyond the end, {} →", count, place),
                         stored_.is_done() ? tr("{} more {} →", count, place) : count + tr(" more →"),
                         count + tr(" more →")},
                        small, Face::regular, end - x_.at(a.capacity()) - 8);
      p_.text({end, y}, text, t.conflict, small, Face::regular, Align::right);
      end -= text_width(text, small, Face::regular) + 24;
    }
    const std::string legend = tr("does not fit");
    if (!stored_.is_done() || *a.misfit() + 1 >= shown_ ||
        x_.begin + 24 + text_width(legend, small, Face::regular) > end)
      return;
    RectStyle style = style_of_request(*a.misfit() + 1, false);
    if (row_ < 8) style = {.fill = style.stroke};
    p_.rect({x_.begin, y - 4, 16, 8}, style);
    p_.text({x_.begin + 22, y}, legend, t.faint_text, small);
  }

  void label(std::size_t i, const Box& box, bool is_first) {
    const Theme& t = p_.theme;
    const float y = box.y + box.h / 2;
    const std::string number = grouped(static_cast<std::int64_t>(i));
    p_.text({x_.begin - 12, y}, is_first ? tr("request ") + number : number, t.faint_text, small,
            Face::regular, Align::right);
    const auto whole = [](double x) { return grouped(static_cast<std::int64_t>(x)); };
    if (!stored_.has(i))
      return p_.text(
          {x_.begin, y},
          cut(tr("length {} · no start yet", whole(length(i))), small, Face::regular, x_.end - x_.begin),
          t.faint_text, small);
    const Colour colour = requests().misfit() == i ? t.conflict : fits(i) ? t.text : t.faint_text;
    for (const std::string& text : {tr("start {} · length {}", whole(start(i)), whole(length(i))),
                                    fmt::format("{} + {}", whole(start(i)), whole(length(i)))}) {
      const float width = text_width(text, small, Face::regular);
      // Places the text beside the box, or otherwise beside the line of the capacity. The text never crosses
      // this line.
      const float capacity = x_.at(requests().capacity());
      for (const float left : {box.x + box.w + 8, box.x - 8 - width, capacity + 8, capacity - 8 - width}) {
        const float right = left + width;
        if (left < x_.begin || right > x_.end || (left < capacity + 4 && right > capacity - 4) ||
            (left < box.x + box.w + 4 && right > box.x - 4))
          continue;
        p_.text({left, y}, text, colour, small);
        return;
      }
    }
  }

  void ruler() {
    const Theme& t = p_.theme;
    const Allotment& a = requests();
    const float capacity = x_.at(a.capacity());
    p_.rect({x_.begin, bar_, std::max(1.0f, capacity - x_.begin), bar_height_},
            {.fill = t.cell, .stroke = t.cell_stroke, .width = 1});
    pieces();
    if (a.left() > 0 && stored_.is_done()) {
      const Box left = box_of(a.capacity() - a.left(), a.capacity(), bar_, bar_height_);
      p_.rect(left, {.fill = mix(t.background, t.good, 0.12f), .stroke = t.good, .width = 1.5f});
      for (const std::string& text :
           {amount(a, a.left()) + tr(" left"), grouped(static_cast<std::int64_t>(a.left()))})
        if (text_width(text, 13, Face::bold) + 8 <= left.w) {
          p_.text({left.x + left.w / 2, bar_ + bar_height_ / 2}, text, t.good, 13, Face::bold, Align::centre);
          break;
        }
    }
    const float top = staircase_ > 0 ? staircase_ - 4 : bar_ - 4;
    p_.line({capacity, top}, {capacity, bar_ + bar_height_ + 4}, t.text, 2);
    if (staircase_ > 0 || top >= p_.top + two_lines) {
      const std::string text = tr("capacity ") + amount(a, a.capacity());
      const float half = text_width(text, 12, Face::bold) / 2;
      p_.text(
          {std::clamp(capacity, p_.margin + half, std::max(p_.margin + half, p_.width - p_.margin - half)),
           top - 8},
          text, t.text, 12, Face::bold, Align::centre);
    }
    if (p_.height - bar_ - bar_height_ < 20) return;
    float free_from = p_.margin;
    for (const Tick& tick : linear_ticks(x_, 48)) {
      const float x = x_.at(tick.value), half = text_width(tick.name, small, Face::regular) / 2,
                  at = std::clamp(x, p_.margin + half, p_.width - p_.margin - half);
      p_.line({x, bar_ + bar_height_}, {x, bar_ + bar_height_ + 5}, mix(t.line, t.ghost_text, 0.8f));
      if (at - half < free_from || tick.value != std::round(tick.value)) continue;
      p_.text({at, p_.height - 11}, tick.name, t.faint_text, small, Face::regular, Align::centre);
      free_from = at + half + 8;
    }
  }

  // Draws the requests on the ruler. If the requests would be too narrow or would overlap, draws one box for
  // all requests that fit.
  void pieces() {
    const Theme& t = p_.theme;
    const Allotment& a = requests();
    const bool apart = static_cast<float>(shown_) * 4 <= x_.end - x_.begin && !a.fits_again();
    if (!apart && !stored_.is_done()) return;
    if (!apart) {
      p_.rect(box_of(0, a.capacity() - a.left(), bar_, bar_height_),
              {.fill = t.now_soft, .stroke = t.now, .width = 1});
      const std::string text = counted(static_cast<std::int64_t>(a.fitting()), "request");
      if (text_width(text, 13, Face::bold) + 16 <= x_.at(a.capacity() - a.left()) - x_.begin)
        p_.text({(x_.begin + x_.at(a.capacity() - a.left())) / 2, bar_ + bar_height_ / 2}, text, t.text, 13,
                Face::bold, Align::centre);
      return;
    }
    const auto now = hovered();
    for (std::size_t i = 0; i < shown_; ++i) {
      if (length(i) <= 0 || !stored_.has(i)) continue;
      const Box box = box_of(start(i), start(i) + length(i), bar_, bar_height_);
      RectStyle style = style_of_request(i, i % 2 == 1);
      if (now == i) style.fill = mix(style.fill, t.now, 0.35f);
      p_.rect(box, style, OwnId{ruler_name, static_cast<int>(i)});
      p_.target(box, OwnId{ruler_name, static_cast<int>(i)});
      // The box of the remaining capacity covers the left part of the first request that does not fit. So
      // only the part to the right of the capacity has room for a text.
      const float from = a.misfit() == i ? std::max(box.x, x_.at(a.capacity())) : box.x,
                  to = std::min(box.x + box.w, x_.end);
      const std::string text = grouped(static_cast<std::int64_t>(length(i)));
      if (text_width(text, small, Face::bold) + 6 <= to - from)
        p_.text({(from + to) / 2, bar_ + bar_height_ / 2}, text, fits(i) ? t.text : t.conflict, small,
                Face::bold, Align::centre);
    }
  }

  ViewPen p_;
  const ViewInput& in_;
  const Recording& r_;
  const StoredOutputs stored_;
  Axis x_;
  // The number of visible requests, and the number of rows for these requests.
  std::size_t shown_ = 0, rows_ = 0;
  // The height of a row, and the y of the first row's top. If there are no rows, both numbers are 0.
  float row_ = 0, staircase_ = 0;
  // The y of the ruler's top, and the ruler's height.
  float bar_ = 0, bar_height_ = 0;
  float notes_ = 0;        // the height of the notes above the ruler; 0 without notes
  bool labelled_ = false;  // true if each row has a label
};

ViewPicture draw_ruler(const ViewInput& in) { return RulerPicture(in).draw(); }

Lines ruler_tip(const Reading& at, const Id& id) {
  const auto* own = as<OwnId>(id);
  if (!own || own->view != ruler_name || !has_allotment(at.recording)) return {};
  if (!is_index(own->thing, at.recording.allotment->size())) return {};
  return lines_of_request(at.recording, at.cursor.step, static_cast<std::size_t>(own->thing));
}

Id sees_requests(const Id& hover) {
  const auto* own = as<OwnId>(hover);
  return own && own->view == ruler_name ? hover : Id();
}

}  // namespace

extern const View ruler_view{.name = ruler_name,
                             .title = tr_noop("Ruler"),
                             .home = Home::tree,
                             .draw = draw_ruler,
                             .tip = ruler_tip,
                             .has_something = has_allotment,
                             .comes_first = has_allotment,
                             .sees = sees_requests,
                             .shows_the_end = true};

}  // namespace upsweep
