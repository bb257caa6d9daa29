// Compares pictures of the views of applications with golden SVGs, in both themes. The option --update writes
// the golden files again: look at the new files before you commit them.
#include <gtest/gtest.h>

#include "export/export.hpp"
#include "study/data_source.hpp"
#include "support/drawn_views.hpp"
#include "support/pictures.hpp"

namespace upsweep {
namespace application_pictures_test {

// Draws a view at the last step, and compares the picture with the golden file.
void expect_as_committed(const char* view, const Recording& r, Point size) {
  const Cursor cursor = at_end(r);
  for (const Theme* theme : {&dark_theme(), &light_theme()})
    upsweep::expect_as_committed(std::string(view) + (theme->dark ? "-dark" : "-light"),
                                 svg(draw(view, r, cursor, size.x, size.y, *theme)));
}

TEST(GoldenApplications, ImageShowsTheTableOfTheScene) {
  Settings s{.algorithm = "summed_area_table", .n = 12 * 16, .block = 32, .type = Scalar::int32};
  s.columns = 16;
  s.choose("channels", "3");
  const std::vector<Value> input = load({DataSource::Kind::scene}, s);
  expect_as_committed("image", make_recording(Emulator().record(s, input)), {1200, 420});
}

TEST(GoldenApplications, SignalShowsALowPassFilter) {
  const Settings s{.algorithm = "linear_recurrence",
                   .n = 40,
                   .block = 32,
                   .type = Scalar::float32,
                   .op = Operator::affine};
  const Recording r = make_recording(Emulator().record(s, preset_data(s, "low_pass")));
  expect_as_committed("signal", r, {1000, 340});
}

TEST(GoldenApplications, RulerShowsTheRequestThatDoesNotFit) {
  Settings s{.algorithm = "allocation", .n = 10, .block = 32, .type = Scalar::int32};
  s.choose("capacity", "50");
  const Recording r = make_recording(Emulator().record(s, preset_data(s, "sausage")));
  expect_as_committed("ruler", r, {1000, 300});
}

}  // namespace application_pictures_test
}  // namespace upsweep
