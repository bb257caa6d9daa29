// Tests that users can do everything with the keys alone, and everything with the mouse alone. A click on a
// row of the help must have the same effect as the row's key. In lessons and on the start page, the keys must
// reach every button. Real frames are drawn, but the window is not on a screen.
#include <glad/gl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "panels/help.hpp"
#include "support/long_tests.hpp"
#include "support/session_start.hpp"
#include "support/speaking.hpp"
#include "support/temporary_folder.hpp"
#include "window/frame.hpp"
#include "window/imgui_compat.hpp"
#include "window/state_file.hpp"

namespace upsweep {
namespace every_action_test {

using Json = nlohmann::json;
constexpr int width = 1280, height = 720;

// The tests open two windows for each action and each button. To save time, the tests try only every third
// action and every third button by default.
bool is_tried(std::size_t index) { return index % 3 == 0 || tries_everything(); }

// A state of the window from which the test tries every action. Some actions do nothing in this state.
struct Start {
  const char* name;
  const char* algorithm;
  int n;
  void (*prepare)(Session& s);
  std::vector<Chord> keys;  // the test presses these keys after prepare()
};

const Start starts[] = {
    {"in the middle of a run", "scan_blelloch", 64, [](Session& s) { s.go_to(4); }, {}},
    {"comparing two runs",
     "scan_blelloch",
     64,
     [](Session& s) {
       perform(s, {Action::compare, 0});
     },
     {}},
    {"asking, with a reply",
     "scan_blelloch",
     64,
     [](Session& s) {
       s.go_to(3), perform(s, {Action::ask, 0});
     },
     {{key::digit(1)}}},
    {"a picture", "summed_area_table", 64, [](Session& s) { s.go_to(4); }, {}},
    {"times",
     "scan_large",
     64,
     [](Session& s) {
       perform(s, {Action::timing_large, 0});
     },
     {}},
    {"the second block",
     "scan_large",
     256,
     [](Session& s) {
       perform(s, {Action::block_forward, 0});
     },
     {}},
    {"a part of the tree",
     "scan_blelloch",
     64,
     [](Session& s) { s.apply({.first_element = 8, .element_count = 16}); },
     {}},
};

class EveryAction : public testing::Test {
 protected:
  struct Opened {
    explicit Opened(const Start& at) : context(width, height), session(small(at)), frame(session, nullptr) {
      glEnable(GL_RASTERIZER_DISCARD);        // because these tests look at no pixels
      std::filesystem::current_path(folder);  // some actions save files
      draw();
      at.prepare(session);
      settle();
      draw(at.keys);
    }
    static Session::Start small(const Start& at) {
      Session::Start s = start(at.n, at.algorithm);
      s.settings.block = 32;
      return s;
    }
    void draw(std::vector<Chord> keys = {}) { quits |= frame.draw(width, height, 1, 0, keys).quit; }
    // Waits for the other threads, which make questions and counters. No time passes in the window, so the
    // window plays no steps.
    void settle() {
      const auto waits = [&] {
        const auto counters = session.line_counters();
        return (session.state().asking == true && !session.questioning().is_open()) ||
               (counters && counters->under_way);
      };
      for (int i = 0; i < 4 || (waits() && i < 1000); ++i) {
        draw();
        if (waits()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
    }
    void click(float x, float y) {
      compat::move_mouse(x, y);
      draw();
      compat::hold_mouse(true);
      draw();
      compat::hold_mouse(false);
      draw();
    }
    void click(const Box& b) { click(b.x + b.w / 2, b.y + b.h / 2); }
    // Returns the state of the window, without the position of the mouse.
    Json state() {
      std::string line = state_line(session, frame.player(), frame.has_keyboard(), {});
      for (std::size_t i; (i = line.find(folder.string())) != line.npos;)
        line.erase(i, folder.string().size());
      Json all = Json::parse(line);
      for (const char* field : {"hover", "help"}) all.erase(field);
      all["state"].erase("help");
      all["quits"] = quits;
      all["focus"] = frame.focused();
      return all;
    }
    ~Opened() { std::filesystem::current_path(folder.parent_path()); }
    TemporaryFolder folder;
    Speaking speaking{TextLanguage::english};
    OffscreenContext context;
    Session session;
    Frame frame;
    bool quits = false;
  };

  void SetUp() override {
    folder_before = std::filesystem::current_path();
    try {
      OffscreenContext context(width, height);
    } catch (const WorkError&) { GTEST_SKIP() << "There is no OpenGL here."; }
  }
  void TearDown() override { std::filesystem::current_path(folder_before); }
  std::filesystem::path folder_before;
};

TEST_F(EveryAction, IsTakenByKeysAloneAndByTheMouseAlone) {
  std::vector<const Binding*> silent;  // actions that have changed nothing so far
  for (std::size_t i = 0; i < bindings().size(); ++i)
    if (is_tried(i)) silent.push_back(&bindings()[i]);
  for (const Start& at : starts) {
    SCOPED_TRACE(at.name);
    std::erase_if(silent, [&](const Binding* b) {
      SCOPED_TRACE(b->what);
      Json with_keys;
      bool changes = false;
      {
        Opened w(at);
        const Json before = w.state();
        w.draw({b->chords[0]});
        w.settle();
        with_keys = w.state();
        changes = with_keys != before;
      }
      Opened w(at);
      const auto places = w.frame.places();
      const auto help = std::ranges::find(places, "button Help", &ScreenPlace::name);
      if (help == places.end()) {
        ADD_FAILURE() << "no button opens the help";
        return changes;
      }
      w.click(help->box);
      EXPECT_TRUE(w.session.looks.help);
      if (b->action == Action::help) changes = true;
      const Panel rows = help_panel(dark_theme(), width, height, 0);
      const auto row = std::ranges::find_if(rows.buttons, [&](const Button& r) {
        return r.command.action == b->action && r.command.argument == b->argument && r.box.w < width;
      });
      if (row == rows.buttons.end()) ADD_FAILURE() << "not in the help";
      else w.click(row->box), w.settle();
      if (const Json with_mouse = w.state(); with_mouse != with_keys)
        ADD_FAILURE() << Json::diff(with_keys, with_mouse).dump();
      return changes;
    });
  }
  for (const Binding* b : silent) ADD_FAILURE() << b->what << " changes nothing from any start";
}

const Chord down{key::down}, enter{key::enter};

// A page with buttons. The test opens this page by pressing the keys one after another.
struct LessonStart {
  const char* name;
  std::vector<Chord> keys;
  const char* lesson = nullptr;  // the text of a lesson that is opened first
};
constexpr const char* order_lesson =
    "---\ntitle: An order\nminutes: 5\n---\n"
    "```show\nscan_blelloch --n 8 --step down-sweep:2 --view tree\n```\n"
    "```order\nlines 59-61\nequal 59 60\n```\n";
const LessonStart lesson_starts[] = {
    {"the start page", {{key::f3}}},
    {"the list of lessons", {{key::f2}}},
    {"a question with choices", {{key::f2}, enter, enter}},
    {"a question about a value", {{key::f2}, down, down, down, down, down, down, enter, enter}},
    {"another run than the lesson's run", {{key::f2}, enter, {key::tab}}},
    {"lines that are put in order", {{key::digit(1)}}, order_lesson},
};

class EveryButton : public EveryAction {
 protected:
  struct OpenedLesson : Opened {
    explicit OpenedLesson(const LessonStart& at) : Opened(starts[0]) {
      if (at.lesson) {
        std::ofstream(folder / "order.md") << at.lesson;
        frame.player().open((folder / "order.md").string());
        session.looks.lesson = true;
        settle(), draw();
      }
      for (const Chord& k : at.keys) draw({k}), settle();
    }
    // Returns the buttons of the window. Leaves out fields and views.
    std::vector<ScreenPlace> buttons() const {
      std::vector<ScreenPlace> all = frame.places();
      std::erase_if(all, [](const ScreenPlace& p) {
        return !p.name.starts_with("button ") && !p.name.starts_with("card ");
      });
      return all;
    }
    // Moves the focus to each place that the keys can reach, and calls visit(box, panels, things) there. In a
    // newly opened window, go_to(panels, things) moves the focus to the same place.
    template <class Visit>
    void go_through_all(Visit visit) {
      std::set<std::pair<float, float>> first_boxes;
      for (int panels = 1;; ++panels) {
        go_to(1, 0);
        const Box first = frame.focus_box();
        if (!first_boxes.emplace(first.x, first.y).second) return;
        int things = 0;
        do {
          visit(frame.focus_box(), panels, things++);
          go_to(0, 1);
        } while (frame.focus_box() != first);
      }
    }
    // Presses F6 `panels` times, and then Tab `things` times.
    void go_to(int panels, int things) {
      for (int i = 0; i < panels; ++i) draw({{key::f6}}), draw();
      for (int i = 0; i < things; ++i) draw({{key::tab}}), draw();
    }
    // Returns the state and the learner's reply so far. Leaves out the focus.
    Json result() {
      settle();
      Json all = state();
      all.erase("focus");
      all["order"] =
          session.looks.lesson && frame.player().is_open() ? Json(frame.player().order_reply()) : Json();
      all["places"] = session.questioning().reply().numbers;
      return all;
    }
  };
};

// Some buttons change no state in these tests, because the first step is shown, no answer is chosen, and the
// lesson's other steps are locked. The button Help changes no state, because state() leaves out the help.
bool may_do_nothing(const std::string& button) {
  for (const char* idle : {"First step", "Previous", "Answer", "Step ", "Help"})
    if (button.starts_with(std::string("button ") + idle)) return true;
  return false;
}

TEST_F(EveryButton, OfLessonsIsReachedByTheKeysAndDoesTheSameForKeysAndMouse) {
  std::set<std::string> done;
  for (const LessonStart& at : lesson_starts) {
    SCOPED_TRACE(at.name);
    struct Way {
      int panels = 0, things = 0;
    };
    std::vector<std::pair<ScreenPlace, Way>> ways;
    std::size_t index = 0;
    for (ScreenPlace& p : OpenedLesson(at).buttons())
      if (done.insert(p.name).second && is_tried(index++)) ways.push_back({p, {}});
    EXPECT_FALSE(ways.empty());
    OpenedLesson(at).go_through_all([&](const Box& b, int panels, int things) {
      for (auto& [place, way] : ways)
        if (place.box == b) way = {panels, things};
    });
    for (const auto& [place, way] : ways) {
      SCOPED_TRACE(place.name);
      if (way.panels == 0) {
        ADD_FAILURE() << "is not reached";
        continue;
      }
      Json with_keys;
      {
        OpenedLesson w(at);
        w.go_to(way.panels, way.things);
        w.draw({enter}), w.draw();
        with_keys = w.result();
      }
      OpenedLesson w(at);
      const Json before = w.result();
      w.click(place.box);
      const Json with_mouse = w.result();
      if (with_mouse != with_keys) ADD_FAILURE() << Json::diff(with_keys, with_mouse).dump();
      if (with_mouse == before && !may_do_nothing(place.name)) ADD_FAILURE() << "has no effect";
    }
  }
}

// A narrow window has no space for the rightmost buttons, so these buttons are in the list "More". A row of
// this list has the same effect as the row's key.
TEST_F(EveryAction, IsAlsoInTheListOfButtonsWithoutRoom) {
  const Start enlarged{"large texts", "radix_sort", 64, [](Session& s) { s.looks.text_scale = 1.5f; }, {}};
  const auto place = [](const Opened& w, const std::string& name) -> std::optional<Box> {
    const auto places = w.frame.places();
    const auto found = std::ranges::find(places, name, &ScreenPlace::name);
    return found == places.end() ? std::nullopt : std::optional(found->box);
  };
  // The buttons from right to left, as in the list.
  const std::pair<const char*, Chord> all[] = {{"Help", {key::f1}},
                                               {"Theme", {key::letter('T')}},
                                               {"Present", {key::letter('P')}},
                                               {"Ask", {key::letter('Q')}},
                                               {"Lessons", {key::f2}},
                                               {"Export", {key::letter('S'), key::control}}};
  std::vector<std::pair<const char*, Chord>> left_out;
  {
    Opened w(enlarged);
    ASSERT_TRUE(place(w, "button More"));
    for (const auto& b : all)
      if (!place(w, std::string("button ") + b.first)) left_out.push_back(b);
  }
  ASSERT_FALSE(left_out.empty());
  for (std::size_t i = 0; i < left_out.size(); ++i) {
    SCOPED_TRACE(left_out[i].first);
    Json expected;
    bool help = false;
    {
      Opened w(enlarged);
      w.draw({left_out[i].second}), w.settle();
      expected = w.state();
      help = w.session.looks.help;
    }
    Opened w(enlarged);
    w.click(*place(w, "button More"));
    for (std::size_t down = 0; down < i; ++down) w.draw({{key::down}}), w.draw();
    w.draw({{key::enter}}), w.draw(), w.settle();
    Json is = w.state();
    EXPECT_EQ(w.session.looks.help, help);
    if (is != expected) ADD_FAILURE() << Json::diff(expected, is).dump();
  }
}

TEST_F(EveryAction, ARefusedTextLeavesTheLessonOpen) {
  Opened w(starts[0]);
  w.draw({{key::f2}}), w.settle(), w.draw({{key::enter}}), w.settle();
  ASSERT_TRUE(w.frame.player().is_open());
  w.frame.show_text("upsweep:1?algorithm=nothing&n=8");
  EXPECT_TRUE(w.frame.player().is_open());
  w.frame.show_text("upsweep:1?algorithm=scan_hillis_steele&n=8&view=memory");
  w.settle();
  EXPECT_FALSE(w.frame.player().is_open());
  EXPECT_EQ(w.session.settings().algorithm, "scan_hillis_steele");
  EXPECT_EQ(w.state()["view"], "memory");
}

TEST_F(EveryAction, TheKeysTurnTheWheel) {
  Opened w(starts[0]);
  const auto shown = [&] { return w.session.visible_columns().count; };
  const int all = shown();
  for (int i = 0; i < 40 && !w.frame.focused().starts_with("Tree"); ++i) w.draw({{key::f6}}), w.draw();
  w.draw({{key::page_up}}), w.draw(), w.draw();
  const int zoomed = shown();
  EXPECT_LT(zoomed, all);
  w.draw({{key::page_down}}), w.draw(), w.draw();
  EXPECT_GT(shown(), zoomed);
  EXPECT_EQ(w.session.cursor().step, 4) << "PgUp and PgDn changed the step";
}

}  // namespace every_action_test
}  // namespace upsweep
