// What tests ask of pictures: their words, that these fit, and that they are as committed in tests/golden.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "scene/scene.hpp"

namespace upsweep {

inline std::vector<TextShape> texts(const Scene& scene) {
  std::vector<TextShape> out;
  for (const Shape& s : scene.shapes)
    if (const auto* t = std::get_if<TextShape>(&s.what)) out.push_back(*t);
  return out;
}

inline bool says(const Scene& scene, std::string_view part) {
  for (const TextShape& t : texts(scene))
    if (t.text.find(part) != std::string::npos) return true;
  return false;
}

// Legible, inside the picture, none over another; and every target can be hit.
inline void expect_words_fit(const Scene& scene, Point size) {
  std::vector<Box> boxes;
  const std::vector<TextShape> all = texts(scene);
  for (const TextShape& t : all) {
    const Box b = extent_of(t);
    EXPECT_GE(t.size, 9);
    EXPECT_TRUE(b.x >= -1 && b.x + b.w <= size.x + 1 && b.y >= -1 && b.y + b.h <= size.y + 1) << t.text;
    for (std::size_t i = 0; i < boxes.size(); i++) {
      const Box& o = boxes[i];
      const float across = std::min(b.x + b.w, o.x + o.w) - std::max(b.x, o.x);
      const float down = std::min(b.y + b.h, o.y + o.h) - std::max(b.y, o.y);
      ASSERT_FALSE(across > 1.5f && down > 1.5f)
          << "\"" << t.text << "\" lies over \"" << all[i].text << "\"";
    }
    boxes.push_back(b);
  }
  for (const Scene::Target& t : scene.targets) {
    ASSERT_TRUE(std::isfinite(t.box.x) && std::isfinite(t.box.y) && t.box.w > 0 && t.box.h > 0);
    ASSERT_NE(t.id.what, Id::What::none);
  }
  EXPECT_LT(scene.shapes.size(), 8000u * std::max(1.0f, size.x / 900));
}

inline bool update_golden = false;

// Compares with tests/golden/NAME.svg, or writes it where update_golden says so.
inline void expect_as_committed(const std::string& name, const std::string& drawn) {
  const std::filesystem::path path =
      std::filesystem::path(UPSWEEP_SOURCE_DIR) / "tests" / "golden" / (name + ".svg");
  if (update_golden) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << drawn;
    return;
  }
  std::ifstream in(path, std::ios::binary);
  ASSERT_TRUE(in) << path << " is missing: run this test with --update and look at what it wrote";
  std::stringstream kept;
  kept << in.rdbuf();
  EXPECT_TRUE(kept.str() == drawn) << path
                                   << " differs: run this test with --update and look at the difference";
}

// The main() of tests with golden pictures.
inline int run_picture_tests(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; i++) update_golden = update_golden || std::string_view(argv[i]) == "--update";
  return RUN_ALL_TESTS();
}

}  // namespace upsweep
