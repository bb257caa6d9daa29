// The view "Both forms" shows the kernel's scan in both forms: inclusive and exclusive. The exclusive scan
// begins with the identity. The other elements of the exclusive scan are the elements of the inclusive scan,
// one place further to the right and without the total.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/language.hpp"
#include "scene/views/views.hpp"
#include "trace/value.hpp"
#include "words/names.hpp"

namespace upsweep {

extern const View forms_view;

namespace {

bool is_scan(const Recording& r) { return r.other_scan.has_value(); }

class FormsPicture {
 public:
  explicit FormsPicture(const ViewInput& in) : p_(in), r_(in.recording) {}

  ViewPicture draw() && {
    if (!is_scan(r_)) {
      p_.sentence(tr("This view needs a scan with a right result."));
      return std::move(p_).picture();
    }
    const bool exclusive = r_.other_scan->is_exclusive;
    p_.title(exclusive ? tr("this run computed the exclusive scan")
                       : tr("this run computed the inclusive scan"));
    const float room = p_.height - p_.top, breadth = p_.width - 2 * p_.margin - names;
    if (room < 40 || breadth < 24) return std::move(p_).picture();
    choose_columns(breadth);
    cell_height_ = std::min(24.0f, room * 0.3f);
    const float upper = p_.top + cell_height_ / 2 + 4,
                lower = std::min(upper + cell_height_ + 44, p_.height - cell_height_ / 2 - 4);
    for (std::size_t c = 0; c + 1 < columns_.size(); ++c)
      if (columns_[c] >= 0 && columns_[c + 1] == columns_[c] + 1) arrow(c, upper, lower);
    row(tr("inclusive"), upper, !exclusive, true);
    row(tr("exclusive"), lower, exclusive, false);
    captions(lower + cell_height_ / 2 + 18);
    return std::move(p_).picture();
  }

 private:
  static constexpr float names = 76, gap = 4, size = 13;

  // Chooses the elements to show: all elements if they fit. Otherwise, chooses the first elements, a gap
  // (stored as -1) and the last two elements.
  void choose_columns(float room) {
    const int n = static_cast<int>(r_.trace.output.size());
    const int fit = std::max(1, static_cast<int>(room / 52));
    width_ = std::min(64.0f, room / static_cast<float>(std::min(n, fit)));
    for (int i = 0; i < std::min(n, fit); ++i) {
      const int left = std::min(n, fit) - i;  // the number of remaining columns, including this column
      columns_.push_back(n <= fit || left > 3 ? i : left == 3 ? -1 : n - left);
    }
  }

  float centre(std::size_t column) const {
    return p_.margin + names + width_ * (static_cast<float>(column) + 0.5f);
  }

  // Returns element i of the inclusive or the exclusive scan.
  Value value(int i, bool inclusive) const {
    const std::vector<Value>& output = r_.trace.output;
    const bool same = inclusive != r_.other_scan->is_exclusive;
    if (same) return output[static_cast<std::size_t>(i)];
    if (inclusive)
      return i + 1 < static_cast<int>(output.size()) ? output[static_cast<std::size_t>(i) + 1]
                                                     : r_.other_scan->total;
    return i > 0 ? output[static_cast<std::size_t>(i) - 1] : r_.other_scan->identity;
  }

  void row(const char* name, float y, bool recorded, bool inclusive) {
    const Theme& t = p_.theme;
    p_.text({p_.margin, y}, name, recorded ? t.text : t.faint_text, size,
            recorded ? Face::bold : Face::regular);
    const int last = static_cast<int>(r_.trace.output.size()) - 1;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const int i = columns_[c];
      const float x = centre(c);
      if (i < 0) {
        p_.text({x, y}, "…", t.faint_text, size, Face::regular, Align::centre);
        continue;
      }
      const bool alone = inclusive ? i == last : i == 0;  // true if only this form contains the number
      p_.rect({x - width_ / 2 + gap / 2, y - cell_height_ / 2, width_ - gap, cell_height_},
              {.fill = alone ? t.now_soft : t.cell,
               .stroke = alone      ? t.now
                         : recorded ? t.faint_text
                                    : t.cell_stroke,
               .width = 1,
               .radius = 3});
      const std::string text = short_text(value(i, inclusive), r_.trace.settings, 6);
      p_.text({x, y}, cut(text, size, Face::mono, width_ - gap), t.text, size, Face::mono, Align::centre);
    }
  }

  // Draws an arrow from an element of the inclusive scan to the element with the same value in the exclusive
  // scan.
  void arrow(std::size_t column, float upper, float lower) {
    const Colour colour = p_.theme.ghost_text;
    const Point from{centre(column), upper + cell_height_ / 2},
        to{centre(column + 1), lower - cell_height_ / 2};
    p_.line(from, {to.x - 2, to.y - 3}, colour);
    p_.triangle(to, {to.x - 7, to.y - 3}, {to.x - 2, to.y - 7}, colour);
  }

  void captions(float y) {
    const auto text = [&](const Value& v) { return short_text(v, r_.trace.settings, 9); };
    for (const std::string& caption :
         {tr("To make this scan inclusive, drop the identity {} and append the total {}.",
             text(r_.other_scan->identity), text(r_.other_scan->total)),
          tr("To make this scan exclusive, put the identity {} first and drop the total {}.",
             text(r_.other_scan->identity), text(r_.other_scan->total))}) {
      if (y + 8 > p_.height) return;
      p_.text({p_.margin, y}, cut(caption, size, Face::regular, p_.width - 2 * p_.margin),
              p_.theme.faint_text, size);
      y += 18;
    }
  }

  ViewPen p_;
  const Recording& r_;
  std::vector<int> columns_;
  float width_ = 0, cell_height_ = 24;
};

ViewPicture draw_forms(const ViewInput& in) { return FormsPicture(in).draw(); }

}  // namespace

extern const View forms_view{.name = "forms",
                             .title = tr_noop("Both forms"),
                             .home = Home::work,
                             .draw = draw_forms,
                             .has_something = is_scan,
                             .sees = sees_nothing};

}  // namespace upsweep
