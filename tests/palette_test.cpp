// Tests that the command palette finds every entry by its name, and that each entry does what its text says.
#include "panels/palette.hpp"

#include <gtest/gtest.h>

#include <set>

#include "catalogue/ladder.hpp"
#include "study/compare_presets.hpp"
#include "study/shipped.hpp"
#include "support/session_start.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace palette_test {

TEST(Palette, FindsEverythingFirstByItsWholeName) {
  Session s(start());
  const std::vector<PaletteEntry> all = palette(s, {});
  std::set<std::pair<std::string, std::string>> names;
  for (const PaletteEntry& e : all) {
    EXPECT_TRUE(names.insert({e.name, e.note}).second) << e.name;
    const auto found = found_in_palette(all, e.name, 14);
    ASSERT_FALSE(found.empty());
    EXPECT_TRUE(found.front().name.starts_with(e.name)) << e.name << " " << found.front().name;
  }
  for (const Binding& b : bindings())
    if (b.action != Action::choose_view && b.action != Action::add_view && b.action != Action::undo &&
        b.action != Action::text_larger &&
        !(b.action == Action::field && b.argument == static_cast<int>(Field::find)))
      EXPECT_TRUE(names.contains({capitalised(b.what), b.keys})) << b.what;
}

TEST(Palette, NamesNoMistake) {
  Session s(start());
  const std::vector<PaletteEntry> all = palette(s, {});
  for (const Algorithm& a : algorithms())
    if (a.is_broken()) EXPECT_TRUE(found_in_palette(all, a.title, 14).empty()) << a.title;
  EXPECT_EQ(found_in_palette(all, "bug", 99).size(), 18u);
}

TEST(Palette, EntriesDoWhatTheySay) {
  Session s(start());
  const auto choose = [&](const std::string& typed) {
    const auto found = found_in_palette(palette(s, {}), typed, 14);
    ASSERT_FALSE(found.empty()) << typed;
    if (found.front().command) perform(s, *found.front().command);
    else s.apply(found.front().request);
    s.settle(60);
  };
  choose("next step");
  EXPECT_EQ(s.cursor().step, 1);
  choose("undo");
  EXPECT_EQ(s.cursor().step, 0);
  choose("LANES");
  EXPECT_EQ(s.looks.chosen, view_index("banks"));
  choose("brent");
  EXPECT_EQ(s.settings().algorithm, "scan_brent_kung");
  choose("interleaved, seq");
  ASSERT_TRUE(s.compares());
  EXPECT_EQ(s.changed()->trace.settings.algorithm, "reduce_sequential");
  for (const Shipped& each : shipped_recordings()) {
    if (each.settings.algorithm.starts_with("bug_")) continue;
    const auto found = found_in_palette(palette(s, {}), each.title, 99);
    EXPECT_TRUE(
        std::ranges::any_of(found, [&](const PaletteEntry& e) { return e.request.open == each.name; }));
  }
}

}  // namespace palette_test
}  // namespace upsweep
