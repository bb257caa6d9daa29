// The view of the findings.
#include <gtest/gtest.h>

#include <string>

#include "analysis/hazards.hpp"
#include "hazard_script.hpp"
#include "scene/draw.hpp"

namespace upsweep {
namespace {

std::string shown_text(const Scene& scene) {
  std::string text;
  for (const Shape& shape : scene.shapes)
    if (const auto* t = std::get_if<TextShape>(&shape.what)) text += t->text + "\n";
  return text;
}

Scene hazards_view(const Recording& r, int step, float height) {
  Cursor cursor;
  cursor.step = step;
  return draw_hazards(
      {.recording = r, .cursor = cursor, .theme = light_theme(), .width = 900, .height = height});
}

TEST(HazardsView, ListsFindingsWithTheirPlaces) {
  Script s;
  s.t.text = "__global__ void test(Global<const T> in) {\n  Shared<T> temp;\n}\n";
  s.write(0, 0, all, 10, own);
  s.read(0, 1, one(3), 12, at(7));
  s.store(Script::out, 0, 1, one(0), 14, at(64), own, is_outside);
  Recording r;
  r.trace = s.trace();
  r.hazards = hazards(r.trace);
  const Scene scene = hazards_view(r, 0, 300);
  const std::string text = shown_text(scene);
  for (const char* part :
       {"Shared race", "lines 10 and 12", "step 1 (load)", "temp[7]", "Out of bounds", "out[64]",
        "lockstep and independent lanes", "Put a __syncthreads() between line 10 and line 12."})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  const auto has = [&](const Id& id) {
    return std::any_of(scene.targets.begin(), scene.targets.end(), [&](const auto& t) { return t.id == id; });
  };
  EXPECT_TRUE(has({.what = Id::What::line, .step = 0, .line = 12}));
  EXPECT_TRUE(has({.what = Id::What::cell, .step = 0, .element = 7, .cell = 7}));
  EXPECT_TRUE(has({.what = Id::What::step, .step = 0}));
  // With little room it says that there is more.
  EXPECT_NE(shown_text(hazards_view(r, 0, 120)).find("1 more finding"), std::string::npos);
}

TEST(HazardsView, SaysSoWhenThereIsNothing) {
  Script s;
  s.write(0, 0, all, 10, own);
  Recording r;
  r.trace = s.trace();
  r.hazards = hazards(r.trace);
  EXPECT_NE(shown_text(hazards_view(r, 0, 300)).find("No hazards"), std::string::npos);
}

}  // namespace
}  // namespace upsweep
