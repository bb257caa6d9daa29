// Checks pictures: which words they show, whether the words fit, and whether each picture equals its golden
// file in tests/golden.
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
#include "support/update.hpp"

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

// Expects that all text is legible and inside the picture, that texts do not overlap, and that every target
// has an area and an id.
inline void expect_words_fit(const Scene& scene, Point size) {
  std::vector<Box> boxes;
  const std::vector<TextShape> all = texts(scene);
  for (const TextShape& t : all) {
    const Box b = extent_of(t);
    // A long number in a narrow cell of memory may be smaller than other texts.
    const bool is_number = t.text.find_first_not_of("0123456789.+-ex") == std::string::npos;
    EXPECT_GE(t.size, is_number ? 7.5f : 9) << t.text;
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
    ASSERT_FALSE(is_nothing(t.id));
  }
  EXPECT_LT(scene.shapes.size(), 8000u * std::max(1.0f, size.x / 900));
}

// Describes how two texts differ: states the number of different lines, and shows the first of these lines
// and the line before it. If a line is long, shows only the part around its first difference.
inline std::string difference(const std::string& expected, const std::string& actual) {
  std::istringstream in_expected(expected), in_actual(actual);
  std::string e, a, before, first;
  int differing = 0;
  for (int line = 1;; ++line) {
    const bool has_e = static_cast<bool>(std::getline(in_expected, e));
    const bool has_a = static_cast<bool>(std::getline(in_actual, a));
    if (!has_e && !has_a) break;
    if (!has_e) e = "(no such line)";
    if (!has_a) a = "(no such line)";
    if (has_e && has_a && e == a) {
      if (differing == 0) before = e;
      continue;
    }
    if (++differing > 1) continue;
    std::size_t at = 0;
    while (at < e.size() && at < a.size() && e[at] == a[at]) ++at;
    const std::size_t from = at < 60 ? 0 : at - 60;
    const auto cut = [&](const std::string& text) {
      return (from > 0 ? "..." : "") + text.substr(std::min(from, text.size()), 160);
    };
    first = "line " + std::to_string(line) + ", character " + std::to_string(at + 1) +
            "\n  before:    " + before.substr(0, 160) + "\n  committed: " + cut(e) +
            "\n  drawn now: " + cut(a);
  }
  return std::to_string(differing) + (differing == 1 ? " line differs: " : " lines differ, first ") + first;
}

// Compares `drawn` with tests/golden/NAME.svg. If --update is given, writes `drawn` to this file instead.
inline void expect_as_committed(const std::string& name, const std::string& drawn) {
  const std::filesystem::path path =
      std::filesystem::path(UPSWEEP_SOURCE_DIR) / "tests" / "golden" / (name + ".svg");
  if (update) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << drawn;
    return;
  }
  std::ifstream in(path, std::ios::binary);
  ASSERT_TRUE(in) << path << " is missing. Run this test with --update and look at what it wrote.";
  std::stringstream kept;
  kept << in.rdbuf();
  if (kept.str() != drawn)
    ADD_FAILURE() << path << ": " << difference(kept.str(), drawn)
                  << "\nIf the new picture is right, run this test with --update.";
}

}  // namespace upsweep
