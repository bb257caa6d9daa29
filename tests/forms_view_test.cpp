// Tests the view that shows both forms of a scan, inclusive and exclusive.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <variant>

#include "scene/views/views.hpp"
#include "support/drawn_views.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace forms_view_test {

// The view must show the elements of both scans, the identity, the total, and an arrow for each element that
// moves.
TEST(Forms, ShowEveryNumberInBothScans) {
  for (const char* algorithm : {"scan_blelloch", "scan_hillis_steele"}) {
    const Recording r = record(algorithm, 8);
    const Scene scene = draw("forms", r, at_step(0), 900, 300);
    std::set<std::string> due;
    std::multiset<std::string> shown;
    for (const Value& v : r.trace.output) due.insert(exact_text(v, r.trace.settings));
    due.insert(exact_text(r.other_scan->total, r.trace.settings));
    due.insert(exact_text(r.other_scan->identity, r.trace.settings));
    int arrows = 0;
    for (const Shape& shape : scene.shapes) {
      if (const auto* text = std::get_if<TextShape>(&shape.what); text && text->face == Face::mono)
        shown.insert(text->text);
      arrows += std::holds_alternative<TriangleShape>(shape.what);
    }
    EXPECT_EQ(shown.size(), 16u);
    for (const std::string& number : due) EXPECT_TRUE(shown.contains(number)) << algorithm << " " << number;
    EXPECT_EQ(arrows, 7);
  }
  EXPECT_FALSE(has_something(view_index("forms"), record("reduce_sequential", 64)));
}

// If a picture is at least 200 pixels wide, it must show the total for any number of elements. No box may
// extend beyond the picture's right edge.
TEST(Forms, LeaveOutWhatDoesNotFit) {
  for (const int n : {1, 2, 5, 100, 1000})
    for (const float width : {120.0f, 300.0f, 460.0f, 1272.0f}) {
      const Recording r = record("scan_hillis_steele", n);
      const Scene scene = draw("forms", r, at_step(0), width, 220);
      const std::string total = short_text(r.other_scan->total, r.trace.settings, 6);
      bool last = false;
      for (const Shape& shape : scene.shapes) {
        if (const auto* text = std::get_if<TextShape>(&shape.what)) last = last || text->text == total;
        if (const auto* box = std::get_if<RectShape>(&shape.what)) {
          EXPECT_LE(box->box.x + box->box.w, width) << n;
        }
      }
      EXPECT_TRUE(last || width < 200) << n << " " << width;
    }
}

}  // namespace forms_view_test
}  // namespace upsweep
