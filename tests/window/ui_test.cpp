// Tests the contents of the window without a screen: keys, layout, tooltips and one frame.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include "base/error.hpp"
#include "panels/chrome.hpp"
#include "panels/help.hpp"
#include "support/long_tests.hpp"
#include "support/made_up_timings.hpp"
#include "support/pictures.hpp"
#include "support/session_start.hpp"
#include "window/frame.hpp"
#include "window/state_file.hpp"
#include "window/window.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace ui_test {

TEST(Keys, NoChordMeansTwoThings) {
  std::set<std::pair<int, int>> seen;
  for (const Binding& b : bindings())
    for (const Chord& c : b.chords) EXPECT_TRUE(seen.insert({c.key, c.mods}).second) << b.keys;
}

// Keyboards have several keys for + and −.
TEST(Keys, TheSizeOfTextHasSeveralKeys) {
  for (const auto& [pressed, argument] : {std::pair{Chord{key::equal, key::control}, 0},
                                          {Chord{key::equal, key::control + key::shift}, 0},
                                          {Chord{key::keypad_plus, key::control}, 0},
                                          {Chord{key::minus, key::control}, 1},
                                          {Chord{key::keypad_minus, key::control}, 1}}) {
    EXPECT_EQ(command_of(pressed, false).action, Action::text_larger) << pressed.key;
    EXPECT_EQ(command_of(pressed, false).argument, argument) << pressed.key;
  }
}

TEST(Keys, EveryActionHasAKeyAndTheHelpListsIt) {
  std::set<Action> with_key;
  for (const Binding& b : bindings()) with_key.insert(b.action);
  for (int a = 1; a <= static_cast<int>(Action::quit); ++a)
    EXPECT_TRUE(with_key.contains(static_cast<Action>(a))) << a;

  for (const auto& [width, height] :
       {std::pair{1280.f, 720.f}, std::pair{1920.f, 1080.f}, std::pair{1024.f, 768.f},
        std::pair{800.f, 600.f}, std::pair{800.f, 450.f}}) {
    const Panel help = help_panel(dark_theme(), width, height, 0);
    expect_words_fit(help.scene, {width, height});
    std::set<std::string> texts;
    for (const Shape& shape : help.scene.shapes)
      if (const auto* text = std::get_if<TextShape>(&shape.what)) {
        texts.insert(text->text);
        EXPECT_GT(text->at.y, 0);
        EXPECT_LT(text->at.y, height) << text->text << " at height " << height;
      }
    for (const Binding& b : bindings()) {
      EXPECT_TRUE(texts.contains(b.keys)) << b.keys;
      EXPECT_TRUE(texts.contains(b.what)) << b.what;
    }
  }
}

TEST(Keys, MovingIsOnButtonsToo) {
  Session s(start(256, "reduce_two_pass_tree"));
  s.set_block(32);
  std::set<Action> on_buttons;
  for (const Panel& panel : {transport_panel(s, dark_theme(), 232, 112, {-1, -1}),
                             status_panel(s, dark_theme(), 232, 112, {-1, -1})})
    for (const Button& b : panel.buttons) {
      on_buttons.insert(b.command.action);
      EXPECT_EQ(button_at(panel, {b.box.x + b.box.w / 2, b.box.y + b.box.h / 2}), &b);
      EXPECT_LE(b.box.x + b.box.w, 232);
      EXPECT_LE(b.box.y + b.box.h, 112);
    }
  for (int a = static_cast<int>(Action::toggle_playing); a <= static_cast<int>(Action::slower); ++a)
    EXPECT_TRUE(on_buttons.contains(static_cast<Action>(a))) << a;
}

TEST(Keys, TextFieldsKeepTheirKeys) {
  EXPECT_EQ(command_of({key::letter('T')}, false).action, Action::theme);
  EXPECT_EQ(command_of({key::letter('T')}, true).action, Action::none);
  EXPECT_EQ(command_of({key::right, key::control}, true).action, Action::none);
  EXPECT_EQ(command_of({key::letter('Q'), key::control}, true).action, Action::quit);
  EXPECT_EQ(command_of({key::f1}, true).action, Action::help);
  EXPECT_EQ(command_of({key::digit(4)}, false).argument, 3);
}

TEST(Keys, DigitsChooseAViewAndGiveItBack) {
  Session s(start());
  const int count = static_cast<int>(views().size());
  const auto key_of = [](int k) {
    return Chord{key::digit(1) + k % 9, k < 9 ? 0 : k < 18 ? key::shift : key::control};
  };
  for (int k = 0; k < count; ++k) {
    perform(s, command_of(key_of(k), false));
    EXPECT_EQ(s.looks.chosen, k);
    EXPECT_EQ(key_of_view(k), (k < 9 ? "" : k < 18 ? "Shift " : "Ctrl ") + std::to_string(k % 9 + 1));
  }
  perform(s, command_of(key_of(count - 1), false));
  EXPECT_EQ(s.looks.chosen, -1);
  perform(s, {Action::present, 0});
  perform(s, {Action::help, 0});
  perform(s, {Action::escape, 0});
  EXPECT_FALSE(s.looks.help);
  EXPECT_TRUE(s.looks.presentation);
  perform(s, {Action::escape, 0});
  EXPECT_FALSE(s.looks.presentation);
}

// --- layout

bool overlap(const Box& a, const Box& b) {
  return a.x < b.x + b.w - 0.01f && b.x < a.x + a.w - 0.01f && a.y < b.y + b.h - 0.01f &&
         b.y < a.y + a.h - 0.01f;
}

std::vector<Box> boxes_of(const WindowLayout& w) {
  std::vector<Box> all(w.homes.begin(), w.homes.end());
  all.insert(all.end(), w.parts.begin(), w.parts.end());
  return all;
}

void expect_sound(const WindowLayout& w, float width, float height) {
  const std::vector<Box> boxes = boxes_of(w);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Box& a = boxes[i];
    if (a.w == 0) continue;
    ASSERT_FALSE(w.timing.w > 0 && overlap(a, w.timing)) << i;
    ASSERT_GE(a.x, -0.01f);
    ASSERT_GE(a.y, -0.01f);
    ASSERT_LE(a.x + a.w, width + 0.01f) << i;
    ASSERT_LE(a.y + a.h, height + 0.01f) << i;
    for (std::size_t k = i + 1; k < boxes.size(); ++k)
      ASSERT_FALSE(boxes[k].w > 0 && overlap(a, boxes[k])) << i << " and " << k;
    for (const Splitter& s : w.splitters) ASSERT_FALSE(overlap(a, s.box)) << i;
  }
}

void expect_legible(const WindowLayout& w) {
  EXPECT_GE(w[Home::tree].h, 172);
  EXPECT_GE(w[Home::memory].h, 103.9f);
  EXPECT_GE(w[Home::banks].h, 79.9f);
  EXPECT_GE(w[Home::warps].h, 73.9f);
  EXPECT_GE(w[Home::source].h, 160);
  EXPECT_GE(std::max(w[Home::work].h, w.timing.h), 150);
  EXPECT_GE(w[Home::tree].w, 560);
  EXPECT_GE(w[Home::source].w, 320);
  EXPECT_GE(w[Home::profile].w, 560);
}

constexpr std::pair<float, float> sizes[] = {{1280, 720}, {1920, 1080}, {3840, 2160}};

TEST(Layout, NothingOverlapsAndEverythingIsLegible) {
  Session s(start(1024));
  for (const auto& [width, height] : sizes)
    for (const PreferredHeights& preferred_heights :
         {PreferredHeights{}, preferred_heights_of(s.recording()), PreferredHeights{400, 400, 400}}) {
      const WindowLayout w = window_layout(width, height, Looks{}, preferred_heights);
      expect_sound(w, width, height);
      expect_legible(w);
      EXPECT_GE(w[Home::tree].h, w[Home::memory].h);
      EXPECT_NEAR(w[Home::tree].w / width, 0.66, 0.02);
    }
}

TEST(Layout, AChosenViewFillsTheLeft) {
  for (const auto& [width, height] : sizes)
    for (int chosen = 0; chosen < static_cast<int>(views().size()); ++chosen) {
      Looks looks;
      looks.chosen = chosen;
      const WindowLayout w = window_layout(width, height, looks, {});
      expect_sound(w, width, height);
      const Box& box = w.large;
      EXPECT_EQ(w.large_view, chosen);
      for (const Box& other : boxes_of(w)) EXPECT_FALSE(other.w > 0 && other.h > 0 && overlap(box, other));
      EXPECT_GT(box.w, width * 0.6f);
      EXPECT_GT(box.h, height * 0.6f);
      EXPECT_GT(w[Part::top_bar].h, 0);
      EXPECT_GT(w[Part::transport].w, 0);
    }
}

TEST(Layout, SplittersDragAndStopWhereThingsWouldNoLongerBeLegible) {
  std::mt19937 random(11);
  for (const auto& [width, height] : sizes) {
    Looks looks;
    for (int i = 0; i < 300; ++i) {
      const WindowLayout before = window_layout(width, height, looks, {});
      const Splitter& s = before.splitters.at(random() % before.splitters.size());
      const float by = std::uniform_real_distribution<float>(-400, 400)(random);
      drag(looks, width, height, {}, s, by);
      const WindowLayout after = window_layout(width, height, looks, {});
      expect_sound(after, width, height);
      expect_legible(after);
    }
  }
  Looks looks;
  const WindowLayout before = window_layout(1920, 1080, looks, {});
  drag(looks, 1920, 1080, {}, before.splitters.front(), 24);
  const WindowLayout after = window_layout(1920, 1080, looks, {});
  EXPECT_NEAR(after[Home::tree].h, before[Home::tree].h + 24, 0.1);
  EXPECT_NEAR(after[Home::memory].h, before[Home::memory].h - 24, 0.1);
  EXPECT_NEAR(after[Home::warps].h, before[Home::warps].h, 0.1);
}

TEST(Layout, ATinyWindowKeepsEverythingInside) {
  for (const auto& [width, height] : {std::pair{800.f, 500.f}, std::pair{400.f, 260.f}}) {
    const WindowLayout w = window_layout(width, height, {}, {});
    for (const Box& b : boxes_of(w)) {
      EXPECT_GE(b.w, 0);
      EXPECT_GE(b.h, 0);
      EXPECT_LE(b.y + b.h, height + 0.01f);
    }
  }
}

TEST(Layout, EveryViewHasAPlaceAndKeepsItsAlternatives) {
  Session s(start(256, "reduce_shuffle"));
  s.set_block(64);
  for (int v = 0; v < static_cast<int>(views().size()); ++v) {
    const Home home = views()[static_cast<std::size_t>(v)].home;
    const auto others = alternatives_of(v, s.recording());
    EXPECT_EQ(std::count(others.begin(), others.end(), v), 0);
    for (const int other : others) {
      EXPECT_EQ(views()[static_cast<std::size_t>(other)].home, home);
      Looks looks;
      looks.tabs[static_cast<std::size_t>(home)] = other;
      EXPECT_EQ(shown_view(home, looks, s.recording()), other);
    }
  }
  const auto shown = [&](Home home) {
    return std::string_view(views()[static_cast<std::size_t>(shown_view(home, {}, s.recording()))].name);
  };
  EXPECT_EQ(shown(Home::tree), "tree");
  EXPECT_EQ(shown(Home::banks), "registers") << "where there are more shuffles than shared requests";
  s.set_algorithm("reduce_global_in_place");
  EXPECT_EQ(shown(Home::memory), "global") << "where there is no shared memory";
  s.set_algorithm("nested_hello");
  EXPECT_EQ(shown(Home::tree), "launches") << "where nothing is computed";
  s.set_algorithm("scan_blelloch");
  EXPECT_EQ(shown(Home::memory), "memory");
  EXPECT_EQ(shown(Home::banks), "banks");
}

TEST(Layout, AVeryHighDisplayIsDrawnAtTwice) {
  EXPECT_EQ(display_scale(0, 1, 1080), 1);
  EXPECT_EQ(display_scale(0, 1, 2160), 2);
  EXPECT_EQ(display_scale(0, 1.5f, 2160), 1.5f);
  EXPECT_EQ(display_scale(1, 2, 2160), 1);
}

// --- tooltips

TEST(Tooltip, GivesExactValuesWithTheirOrigin) {
  Session s(start(64));
  s.go_to(3);
  const TreeRow& row = s.recording().tree().rows.at(3);
  const TreeNode& node = row.nodes.front();
  const int line = s.recording().trace.events.at(node.event).line;
  const NodeId id{row.step, 3, node.element, {static_cast<int>(node.event), 0, node.lane, line}};
  const auto lines = tip_of({s.recording(), s.cursor()}, id);
  ASSERT_GE(lines.size(), 3u);
  EXPECT_EQ(lines[0].rfind("temp[7] = ", 0), 0u) << lines[0];
  EXPECT_NE(lines[1].find(" + "), std::string::npos);
}

TEST(Tooltip, SaysSomethingAboutEverythingThatReacts) {
  for (const char* algorithm : {"scan_blelloch", "scan_double_buffer", "reduce_interleaved", "reduce_shuffle",
                                "reduce_atomic", "reduce_nested", "scan_decoupled_lookback"}) {
    Session s(start(256, algorithm));
    const int stride = tries_everything() && s.step_count() <= 20 ? 1 : 3;
    for (int step = 0; step < s.step_count(); step += stride) {
      s.go_to(step);
      for (const View& v : views()) {
        const Scene scene = draw_view(v, {s.recording(), s.cursor(), dark_theme(), 900, 300});
        for (const Scene::Target& t : scene.targets) {
          const auto lines = tip_of({s.recording(), s.cursor()}, t.id);
          const bool quiet_line = is<LineId>(t.id);  // a line without costs has no tooltip
          ASSERT_TRUE(!lines.empty() || quiet_line) << v.name << " " << t.id.index() << " step " << step;
          for (const auto& line : lines) ASSERT_FALSE(line.empty());
        }
      }
    }
  }
}

// --- a frame

TEST(WindowImage, IsTheSameEachTimeAndDiffersWhereItShould) {
  WindowOptions o;
  o.machine = MachineChoice::emulated;
  o.step = 3;
  for (const auto& [width, height] : {std::pair{1280, 720}, std::pair{1920, 1080}}) {
    o.width = width;
    o.height = height;
    o.theme = ThemeChoice{.dark = true};
    const Picture first = window_picture(o), second = window_picture(o);
    EXPECT_EQ(first.columns, width);
    EXPECT_EQ(first.values, second.values);
    o.theme = ThemeChoice{.dark = false};
    EXPECT_NE(window_picture(o).values, first.values);
    o.theme = ThemeChoice{.dark = true};
    ++o.step;
    EXPECT_NE(window_picture(o).values, first.values);
    --o.step;
  }
  o.step = 1000;
  EXPECT_THROW(window_picture(o), RequestError);
}

// A window that is smaller than its panels must still be drawn.
TEST(WindowImage, ATinyWindowIsDrawn) {
  WindowOptions o;
  o.machine = MachineChoice::emulated;
  o.settings.algorithm = "reduce_two_pass_blocked";
  o.width = 320;
  o.height = 200;
  EXPECT_EQ(window_picture(o).columns, 320);
}

TEST(WindowImage, ShowsTheTimesInAFile) {
  WindowOptions o;
  o.machine = MachineChoice::emulated;
  o.width = 1280;
  o.height = 720;
  const Picture without = window_picture(o);
  const auto file = std::filesystem::temp_directory_path() / "upsweep-window-image.json";
  std::ofstream(file) << to_json(made_up_timings(), in_words);
  o.timings = file.string();
  const Picture with = window_picture(o), again = window_picture(o);
  EXPECT_NE(with.values, without.values);
  EXPECT_EQ(with.values, again.values);
  std::ofstream(file) << "{";
  EXPECT_THROW(window_picture(o), RequestError);
  std::filesystem::remove(file);
}

TEST(WindowImage, OfAPresentation) {
  WindowOptions o;
  o.machine = MachineChoice::emulated;
  o.step = 3;
  o.width = 1280;
  o.height = 720;
  const Picture usual = window_picture(o);
  o.presentation = true;
  const Picture first = window_picture(o), again = window_picture(o);
  EXPECT_EQ(first.values, again.values);
  EXPECT_NE(first.values, usual.values);
  o.presented = {view_index("tree"), view_index("source"), view_index("memory")};
  EXPECT_NE(window_picture(o).values, first.values);
}

TEST(StateFile, IsJsonWhateverIsTyped) {
  Session s(start());
  s.set_choice("layout", "i \"+ \n");
  LearnerProgress progress;
  const LessonPlayer player(s, progress);
  const std::string line = state_line(s, player, false, {});
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_NE(line.find("\"step\":0"), std::string::npos);
  EXPECT_THROW(StateFile("/nowhere/at/all"), WorkError);
}

}  // namespace ui_test
}  // namespace upsweep
