// Ladder: a bar per rung with its spread, its time at the bar's end, in the order given. Where the source has
// figures they stand beside ours, each column on its own scale: mostly they come from another GPU, and what
// compares is who beats whom.
#include <fmt/format.h>

#include <algorithm>

#include "scene/chart_axes.hpp"
#include "scene/charts.hpp"
#include "scene/paint.hpp"

namespace upsweep {
namespace {

class LadderPicture {
 public:
  LadderPicture(const Ladder& in, const ChartFrame& frame)
      : p_(frame.theme, frame.width, frame.height), in_(in), hover_(frame.hover) {}

  Scene draw() {
    p_.title(in_.title, heading(), readout());
    if (in_.rungs.empty()) {
      p_.sentence("Nothing was measured yet.");
      return std::move(p_.scene);
    }
    lay_out();
    for (int i = 0; i < shown_; i++) rung(i);
    if (shown_ < static_cast<int>(in_.rungs.size()))
      p_.text({p_.margin, y_of(shown_)},
              cut(fmt::format("and {} more", static_cast<int>(in_.rungs.size()) - shown_), size_,
                  Face::regular, p_.width - 2 * p_.margin),
              p_.theme.faint_text, size_);
    return std::move(p_.scene);
  }

 private:
  struct Column {
    float left = 0, room = 0, numbers = 0;  // of the bars; what the longest number takes
    double most = 0;
    // Of a time; nothing is longer than the longest bar.
    float length(double seconds) const {
      return most > 0 ? static_cast<float>(std::clamp(seconds / most, 0.0, 1.0)) * room : 0;
    }
  };

  static bool was_measured(const Rung& r) { return r.seconds.count > 0 && is_positive(r.seconds.median); }
  // As the sources print them, so that rungs can be compared at a glance.
  static std::string microseconds(double seconds) { return figures_text(seconds * 1e6) + " µs"; }
  static double upper(const Rung& r) {
    return is_positive(r.seconds.upper_quartile) ? std::max(r.seconds.median, r.seconds.upper_quartile)
                                                 : r.seconds.median;
  }
  static double lower(const Rung& r) {
    return is_positive(r.seconds.lower_quartile) ? std::min(r.seconds.median, r.seconds.lower_quartile)
                                                 : r.seconds.median;
  }

  std::string heading() const {
    std::string text = "time in µs, median and quartiles";
    if (!in_.what.empty()) text += " · " + in_.what;
    if (!in_.here.empty()) text += " · " + in_.here;
    return text;
  }

  std::string readout() const {
    if (hover_.what != Id::What::timing || hover_.row < 0 || hover_.row >= static_cast<int>(in_.rungs.size()))
      return {};
    const Rung& r = in_.rungs[static_cast<std::size_t>(hover_.row)];
    std::string text = r.name;
    if (was_measured(r))
      text += fmt::format(" · {} (quartiles {} – {}, {} {})", microseconds(r.seconds.median),
                          microseconds(r.seconds.lower_quartile), microseconds(r.seconds.upper_quartile),
                          r.seconds.count, r.seconds.count == 1 ? "run" : "runs");
    else text += " · " + (r.missing.empty() ? "nothing was measured" : r.missing);
    if (is_positive(r.published)) text += fmt::format(" · published: {}", microseconds(r.published));
    return text;
  }

  void lay_out() {
    const Theme& t = p_.theme;
    bool published = false, named = false;
    float widest = 0;
    for (const Rung& r : in_.rungs) {
      published = published || is_positive(r.published);
      named = named || !r.name.empty();
      widest = std::max(widest, text_width(r.name, 12, r.chosen ? Face::bold : Face::regular));
    }
    const float gap = 12, inner = p_.width - 2 * p_.margin;
    const float names = named ? std::min(widest + gap, inner * 0.34f) : 0;
    const float left = p_.margin + names, room = inner - names;
    // The published column takes a third, or its numbers alone where bars would be too short to compare.
    const float theirs = published ? std::max(room * 0.36f, 76.0f) : 0;
    ours_ = {left, room - theirs - (published ? gap : 0), 0, 0};
    theirs_ = {p_.width - p_.margin - theirs, theirs, 0, 0};
    for (const Rung& r : in_.rungs) {
      if (was_measured(r)) {
        ours_.most = std::max(ours_.most, upper(r));
        ours_.numbers = std::max(ours_.numbers, text_width(microseconds(r.seconds.median), 12, Face::bold));
      }
      if (is_positive(r.published)) {
        theirs_.most = std::max(theirs_.most, r.published);
        theirs_.numbers = std::max(theirs_.numbers, text_width(microseconds(r.published), 12, Face::regular));
      }
    }
    for (Column* c : {&ours_, &theirs_}) {
      c->room -= c->numbers + 10;
      if (c->room < 16) c->room = 0;
    }
    names_ = names - gap;
    first_ = p_.top;
    if (published) {
      const std::string here = in_.here.empty() ? "measured" : in_.here;
      const std::string there =
          in_.published_by.empty() ? "published, own scale" : in_.published_by + ", own scale";
      p_.text({ours_.left, first_ + 6}, cut(here, 11, Face::bold, theirs_.left - ours_.left - gap),
              t.faint_text, 11, Face::bold);
      p_.text({theirs_.left, first_ + 6}, cut(there, 11, Face::bold, theirs), t.faint_text, 11, Face::bold);
      first_ += 18;
    }
    const float room_below = p_.height - 8 - first_;
    const auto count = static_cast<float>(in_.rungs.size());
    pitch_ = std::clamp(room_below / count, 13.0f, 40.0f);
    size_ = pitch_ < 16 ? 10.0f : 12.0f;
    shown_ = static_cast<int>(in_.rungs.size());
    if (pitch_ * count > room_below + 0.5f) shown_ = std::max(0, static_cast<int>(room_below / pitch_) - 1);
  }

  float y_of(int i) const { return first_ + pitch_ * (static_cast<float>(i) + 0.5f); }

  void rung(int i) {
    const Theme& t = p_.theme;
    const Rung& r = in_.rungs[static_cast<std::size_t>(i)];
    const float y = y_of(i), high = std::min({pitch_ - 4, pitch_ * 0.65f + 2, 24.0f});
    const Id id{.what = Id::What::timing, .row = i};
    const bool lit = hover_ == id;
    if (lit)
      p_.rect({p_.margin - 6, y - pitch_ / 2 + 0.5f, p_.width - 2 * p_.margin + 12, pitch_ - 1},
              {.fill = faded(t.ghost_text, 0.2f), .radius = 4});
    const Face face = r.chosen ? Face::bold : Face::regular;
    p_.text({ours_.left - 12, y}, cut(r.name, size_, face, names_), r.chosen ? t.text : t.faint_text, size_,
            face, Align::right);
    if (was_measured(r)) {
      const float length =
          bar(ours_, y, high, r.seconds.median, r.chosen ? t.now : mix(t.background, t.ghost_text, 0.8f), id);
      const float from = ours_.left + ours_.length(lower(r)), to = ours_.left + ours_.length(upper(r));
      if (to - from >= 1.5f) {
        p_.line({from, y}, {to, y}, t.text, 1.2f);
        for (const float x : {from, to}) p_.line({x, y - high * 0.25f}, {x, y + high * 0.25f}, t.text, 1.2f);
      }
      p_.text({std::max(length, to) + 8, y}, microseconds(r.seconds.median), t.text, size_, face);
    } else {
      const float room = (is_positive(r.published) ? theirs_.left : p_.width - p_.margin) - ours_.left - 12;
      p_.text({ours_.left, y},
              cut(r.missing.empty() ? "not measured yet" : r.missing, size_, Face::regular, room),
              t.faint_text, size_);
    }
    if (is_positive(r.published)) {
      // Outlined and hatched: not ours.
      const float length = theirs_.length(r.published);
      if (theirs_.room > 0)
        p_.rect(
            {theirs_.left, y - high / 2, std::max(2.0f, length), high},
            {.stroke = t.ghost_text, .width = 1, .radius = std::min(3.0f, length / 2), .hatch = length > 6});
      p_.text({theirs_.left + (theirs_.room > 0 ? std::max(2.0f, length) + 8 : 0), y},
              microseconds(r.published), t.faint_text, size_);
    }
    p_.target({p_.margin, y - pitch_ / 2, p_.width - 2 * p_.margin, pitch_}, id);
  }

  // Where it ends.
  float bar(const Column& c, float y, float high, double seconds, Colour colour, const Id& id) {
    if (c.room <= 0) return c.left - 8;
    const float length = std::max(2.0f, c.length(seconds));
    p_.rect({c.left, y - high / 2, length, high}, {.fill = colour, .radius = std::min(3.0f, length / 2)}, id);
    return c.left + length;
  }

  Painter p_;
  const Ladder& in_;
  const Id hover_;
  Column ours_, theirs_;
  float names_ = 0, first_ = 0, pitch_ = 24, size_ = 12;
  int shown_ = 0;
};

}  // namespace

Scene draw_ladder(const Ladder& ladder, const ChartFrame& frame) {
  return LadderPicture(ladder, frame).draw();
}

}  // namespace upsweep
