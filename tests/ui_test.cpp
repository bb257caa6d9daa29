// The window without a window: session, keys, layout, tips, and one frame off-screen.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <random>
#include <set>
#include <thread>

#include "base/error.hpp"
#include "machine/emulator.hpp"
#include "scene/request.hpp"
#include "ui/chrome.hpp"
#include "ui/frame.hpp"
#include "ui/state_file.hpp"
#include "ui/tooltip.hpp"
#include "ui/window.hpp"

namespace upsweep {
namespace {

// A machine that takes its time and calls itself a GPU.
class SlowGpu : public Machine {
 public:
  std::string name() const override { return "gpu"; }
  std::string device() const override { return "a slow one"; }
  Trace record(const Settings& s, const std::vector<Value>& input) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    Trace trace = emulator_.record(s, input);
    trace.machine = "gpu";
    return trace;
  }

 private:
  Emulator emulator_;
};

std::unique_ptr<Machine> with_slow_gpu(MachineChoice choice) {
  if (choice == MachineChoice::emulated) return std::make_unique<Emulator>();
  return std::make_unique<SlowGpu>();
}

std::unique_ptr<Machine> without_gpu(MachineChoice choice) {
  if (choice == MachineChoice::gpu) throw RequestError("There is no GPU here.");
  return std::make_unique<Emulator>();
}

Session::Start start(int n = 64, const std::string& algorithm = "scan_blelloch") {
  Session::Start s;
  s.settings.algorithm = algorithm;
  s.settings.n = n;
  s.settings.block = std::max(32, (n / 2 + 31) / 32 * 32);
  if (algorithm == "scan_hillis_steele" || algorithm == "scan_double_buffer")
    s.settings.block = std::max(32, (n + 31) / 32 * 32);
  s.machine = MachineChoice::emulated;
  s.open = without_gpu;
  return s;
}

TEST(Session, StepsAndStopsAtBothEnds) {
  Session s(start());
  EXPECT_FALSE(s.step_by(-1));
  for (int k = 1; k < s.step_count(); ++k) {
    EXPECT_TRUE(s.step_by(+1));
    EXPECT_EQ(s.cursor().step, k);
  }
  EXPECT_FALSE(s.step_by(+1));
  EXPECT_TRUE(s.first());
  EXPECT_EQ(s.cursor().step, 0);
  EXPECT_TRUE(s.last());
  EXPECT_EQ(s.cursor().step, s.step_count() - 1);
}

TEST(Session, PhasesAreEnteredAtTheirFirstStep) {
  Session s(start());
  std::vector<Phase> phases{s.step().phase};
  while (s.step_phase(+1)) {
    EXPECT_NE(s.step().phase, phases.back());
    EXPECT_NE(s.recording().trace.steps.at(static_cast<std::size_t>(s.cursor().step) - 1).phase,
              s.step().phase);
    phases.push_back(s.step().phase);
  }
  EXPECT_EQ(phases,
            (std::vector{Phase::load, Phase::up_sweep, Phase::clear, Phase::down_sweep, Phase::store}));
  s.last();
  std::vector<Phase> back{s.step().phase};
  while (s.step_phase(-1)) back.push_back(s.step().phase);
  std::reverse(back.begin(), back.end());
  EXPECT_EQ(back, phases);
}

TEST(Session, RequestsAreVisitedInOrderAcrossSteps) {
  Session s(start(256));
  const Trace& trace = s.recording().trace;
  std::vector<int> all;
  for (std::size_t i = 0; i < trace.events.size(); ++i)
    if (is_shared(trace.events[i].kind)) all.push_back(static_cast<int>(i));
  std::vector<int> seen;
  while (s.step_request(+1)) seen.push_back(request_event(s.recording(), s.cursor()));
  EXPECT_EQ(seen, all);
  std::vector<int> back{request_event(s.recording(), s.cursor())};
  while (s.step_request(-1)) back.push_back(request_event(s.recording(), s.cursor()));
  std::reverse(back.begin(), back.end());
  EXPECT_EQ(back, all);
}

TEST(Session, PaddingShowsTheSameStepWithAndWithoutConflicts) {
  Session s(start(1024));
  for (int step = 0; step < s.step_count(); ++step) {
    s.set_layout("none");
    s.go_to(step);
    const Step before = s.step();
    const int degree = s.recording().facts.steps.at(static_cast<std::size_t>(step)).max_degree;
    s.set_layout("pad32");
    EXPECT_EQ(s.error(), "");
    EXPECT_EQ(s.cursor().step, step);
    EXPECT_EQ(s.step(), before);
    EXPECT_LE(s.recording().facts.steps.at(static_cast<std::size_t>(step)).max_degree, std::max(degree, 1));
  }
  s.set_layout("none");
  s.go_to(6);
  s.step_request(+1);
  s.step_request(+1);
  s.set_layout("pad32");
  EXPECT_EQ(s.cursor().request, 1);
}

TEST(Session, AnotherAlgorithmIsShownAtTheSamePhaseWhereItHasOne) {
  Session s(start());
  s.last();
  EXPECT_EQ(s.step().phase, Phase::store);
  s.set_algorithm("scan_hillis_steele");
  EXPECT_EQ(s.error(), "");
  EXPECT_EQ(s.step().phase, Phase::store);
  EXPECT_EQ(s.recording().title, "Hillis-Steele scan");
}

TEST(Session, TheBlockFollowsNUntilItCannot) {
  Session s(start(64));
  EXPECT_EQ(s.settings().block, 32);
  s.set_n(1024);
  EXPECT_EQ(s.settings().block, 512);
  s.set_n(100);
  EXPECT_EQ(s.settings().block, 64);  // the smallest that fits, as it was before
  s.set_block(256);
  s.set_n(64);
  EXPECT_EQ(s.settings().block, 256);  // chosen by hand: stays
  const auto before = s.shared_recording();
  for (const int impossible : {0, -5, 5000, 1 << 30}) {
    s.set_n(impossible);
    EXPECT_NE(s.error(), "") << impossible;
    EXPECT_EQ(s.settings().n, 64);
    EXPECT_EQ(s.shared_recording(), before);
  }
  s.set_n(65);
  EXPECT_EQ(s.error(), "");
  s.set_block(33);
  EXPECT_NE(s.error(), "");
  s.set_n(1024);
  s.set_block(32);
  EXPECT_NE(s.error(), "");
  EXPECT_EQ(s.settings().block, 512);
}

TEST(Session, AnAlgorithmWithoutLayoutsDoesNotForgetTheChosenOne) {
  Session s(start());
  s.set_layout("pad32");
  s.set_load_pattern("neighbours");
  s.set_algorithm("scan_hillis_steele");
  EXPECT_EQ(s.error(), "");
  EXPECT_EQ(s.settings().layout, "none");
  s.set_algorithm("scan_blelloch");
  EXPECT_EQ(s.settings().layout, "pad32");
  EXPECT_EQ(s.settings().load_pattern, "neighbours");
}

TEST(Session, AFormulaThatMakesNoSenseChangesNothing) {
  Session s(start());
  for (const char* formula : {"i +", "0", "i - 1", "i << 40 + x", "i / 2"}) {
    s.set_layout(formula);
    EXPECT_NE(s.error(), "") << formula;
    EXPECT_EQ(s.settings().layout, "none");
  }
  s.set_layout("i + (i >> 3)");
  EXPECT_EQ(s.error(), "");
  EXPECT_EQ(s.settings().layout, "i + (i >> 3)");
  s.next_layout();
  EXPECT_EQ(s.settings().layout, "none");
}

TEST(Session, EveryLayoutComesAroundUnderOneKey) {
  Session s(start());
  std::vector<std::string> seen;
  do {
    seen.push_back(s.settings().layout);
    s.next_layout();
  } while (s.settings().layout != "none");
  EXPECT_EQ(seen, std::vector<std::string>(std::begin(layout_names), std::end(layout_names)));
}

TEST(Session, TypedNumbersDecideN) {
  Session s(start());
  s.set_data({DataSource::Kind::typed, 3, "3 1 7 0 4 1 6 3"});
  EXPECT_EQ(s.error(), "");
  EXPECT_EQ(s.settings().n, 8);
  EXPECT_EQ(s.recording().trace.input.size(), 8u);
  const auto before = s.shared_recording();
  for (const char* text : {"three", "1 2 nan", "", "1e999", "inf"}) {
    s.set_data({DataSource::Kind::typed, 3, text});
    EXPECT_NE(s.error(), "") << text;
    EXPECT_EQ(s.shared_recording(), before);
  }
  s.set_n(16);
  EXPECT_NE(s.error(), "");
  EXPECT_EQ(s.settings().n, 8);
  s.set_data({DataSource::Kind::preset, 3, "ones"});
  s.set_n(16);
  EXPECT_EQ(s.error(), "");
  EXPECT_EQ(s.settings().n, 16);
}

TEST(Session, PlaysAtItsSpeedAndStopsAtTheEnd) {
  Session s(start());
  s.toggle_playing();
  EXPECT_FALSE(s.tick(0.9 / s.speed()));
  EXPECT_EQ(s.cursor().step, 0);
  EXPECT_TRUE(s.tick(0.2 / s.speed()));
  EXPECT_EQ(s.cursor().step, 1);
  s.change_speed(+1);
  s.tick(3 / s.speed());
  EXPECT_EQ(s.cursor().step, 4);
  s.tick(1000);
  EXPECT_EQ(s.cursor().step, s.step_count() - 1);
  EXPECT_FALSE(s.playing());
  s.toggle_playing();
  EXPECT_EQ(s.cursor().step, 0);
  EXPECT_TRUE(s.playing());
}

TEST(Session, ZoomAndPanStayWithinTheTree) {
  std::mt19937 random(7);
  for (const int n : {1, 5, 64, 1000}) {
    Session s(start(n));
    for (int i = 0; i < 400; ++i) {
      const float x = std::uniform_real_distribution<float>(0, 1)(random);
      switch (random() % 3) {
        case 0: s.zoom_tree(0.5f + x, x); break;
        case 1: s.pan_tree((x - 0.5f) * 300); break;
        default: s.click({.what = Id::What::cell, .cell = static_cast<int>(x * 1100)});
      }
      const Cursor& c = s.cursor();
      const int columns = s.recording().tree.columns;
      ASSERT_GE(c.first_element, 0);
      ASSERT_LE(c.first_element + c.element_count, columns);
      ASSERT_TRUE(c.element_count == 0 || c.element_count >= std::min(8, columns));
    }
    s.show_whole_tree();
    EXPECT_EQ(s.cursor().element_count, 0);
  }
}

TEST(Session, ZoomingKeepsWhatIsUnderTheMouse) {
  Session s(start(1024));
  s.zoom_tree(0.25f, 0.5f);
  EXPECT_EQ(s.cursor().element_count, 256);
  EXPECT_EQ(s.cursor().first_element, 384);
  s.zoom_tree(0.5f, 1.0f);
  EXPECT_EQ(s.cursor().first_element + s.cursor().element_count, 640);
}

TEST(Session, AClickOnACellGoesThroughItsRequests) {
  Session s(start(64));
  s.go_to(3);
  const auto requests = shared_requests(s.recording().trace, 0, 3);
  ASSERT_EQ(requests.size(), 3u);
  std::set<int> seen;
  for (int i = 0; i < 2; ++i) {  // cell 7 is read as the right operand and written
    s.click({.what = Id::What::cell, .cell = 7});
    seen.insert(s.cursor().request);
  }
  EXPECT_EQ(seen, (std::set{1, 2}));
  s.click({.what = Id::What::cell, .cell = 0});  // untouched here: to the step that wrote it
  EXPECT_EQ(s.step().phase, Phase::load);
}

TEST(Session, ASlowMachineLeavesTheOldPictureUntilTheNewOneIsThere) {
  Session::Start slow = start();
  slow.machine = MachineChoice::automatic;
  slow.open = with_slow_gpu;
  slow.patience = 0.001;
  Session s(std::move(slow));
  EXPECT_TRUE(s.recording_under_way());
  EXPECT_EQ(s.recording().trace.machine, "emulated");  // stands in at once
  s.settle(5);
  EXPECT_FALSE(s.recording_under_way());
  EXPECT_EQ(s.recording().trace.machine, "gpu");
  s.go_to(3);
  const auto before = s.shared_recording();
  s.set_n(128);
  s.set_n(256);
  s.set_layout("pad32");
  EXPECT_EQ(s.shared_recording(), before);
  s.settle(5);
  EXPECT_EQ(s.recording().trace.settings.n, 256);
  EXPECT_EQ(s.recording().trace.settings.layout, "pad32");
  EXPECT_EQ(s.step(), (Step{Phase::up_sweep, 4}));
  s.set_n(512);
  s.set_machine(MachineChoice::emulated);  // overtakes the one under way
  EXPECT_EQ(s.recording().trace.machine, "emulated");
  s.settle(5);
  EXPECT_EQ(s.recording().trace.machine, "emulated");
}

TEST(Session, WithoutAGpuASentenceSaysSoAndNothingIsLost) {
  Session s(start());
  s.go_to(5);
  s.set_machine(MachineChoice::gpu);
  s.settle(5);
  EXPECT_EQ(s.error(), "There is no GPU here.");
  EXPECT_EQ(s.recording().trace.machine, "emulated");
  EXPECT_EQ(s.cursor().step, 5);
  EXPECT_EQ(s.machine(), MachineChoice::emulated);
  s.set_machine(MachineChoice::automatic);
  s.settle(5);
  EXPECT_EQ(s.error(), "");
  s.set_n(128);  // known to be the emulator now: at once
  EXPECT_FALSE(s.recording_under_way());
  EXPECT_EQ(s.recording().trace.settings.n, 128);
}

TEST(Session, BadBeginningsAreRefused) {
  for (const int n : {0, -1, 100000}) {
    Session::Start s = start();
    s.settings.n = n;
    EXPECT_THROW(Session{std::move(s)}, RequestError) << n;
  }
  Session::Start s = start();
  s.step = 99;
  EXPECT_THROW(Session{std::move(s)}, RequestError);
}

// --- keys

TEST(Keys, NoChordMeansTwoThings) {
  std::set<std::pair<int, int>> seen;
  for (const Binding& b : bindings())
    for (const Chord& c : b.chords) EXPECT_TRUE(seen.insert({c.key, c.mods}).second) << b.keys;
}

TEST(Keys, EveryActionHasAKeyAndTheHelpListsIt) {
  std::set<Action> with_key;
  for (const Binding& b : bindings()) with_key.insert(b.action);
  for (int a = 1; a <= static_cast<int>(Action::quit); ++a)
    EXPECT_TRUE(with_key.contains(static_cast<Action>(a))) << a;

  for (const auto& [width, height] :
       {std::pair{1280.f, 720.f}, std::pair{1920.f, 1080.f}, std::pair{800.f, 450.f}}) {
    const Panel help = help_panel(dark_theme(), width, height);
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
  Session s(start());
  const Panel panel = transport_panel(s, dark_theme(), 232, 112, {-1, -1});
  std::set<Action> on_buttons;
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
  EXPECT_EQ(command_of({GLFW_KEY_T}, false).action, Action::theme);
  EXPECT_EQ(command_of({GLFW_KEY_T}, true).action, Action::none);
  EXPECT_EQ(command_of({GLFW_KEY_RIGHT, GLFW_MOD_CONTROL}, true).action, Action::none);
  EXPECT_EQ(command_of({GLFW_KEY_Q, GLFW_MOD_CONTROL}, true).action, Action::quit);
  EXPECT_EQ(command_of({GLFW_KEY_F1}, true).action, Action::help);
  EXPECT_EQ(command_of({GLFW_KEY_4}, false).argument, 3);
}

TEST(Keys, DigitsChooseAViewAndGiveItBack) {
  Session s(start());
  for (int k = 0; k < static_cast<int>(views().size()); ++k) {
    perform(s, command_of({GLFW_KEY_1 + k}, false));
    EXPECT_EQ(s.looks.chosen, k);
  }
  perform(s, command_of({GLFW_KEY_9}, false));  // no ninth view
  perform(s, command_of({GLFW_KEY_0 + static_cast<int>(views().size())}, false));
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

void expect_sound(const WindowLayout& w, float width, float height) {
  for (std::size_t i = 0; i < w.boxes.size(); ++i) {
    const Box& a = w.boxes[i];
    if (a.w == 0) continue;
    ASSERT_GE(a.x, -0.01f);
    ASSERT_GE(a.y, -0.01f);
    ASSERT_LE(a.x + a.w, width + 0.01f) << i;
    ASSERT_LE(a.y + a.h, height + 0.01f) << i;
    for (std::size_t k = i + 1; k < w.boxes.size(); ++k)
      if (w.boxes[k].w > 0) ASSERT_FALSE(overlap(a, w.boxes[k])) << i << " and " << k;
    for (const Splitter& s : w.splitters) ASSERT_FALSE(overlap(a, s.box)) << i;
  }
}

void expect_legible(const WindowLayout& w) {
  EXPECT_GE(w[Part::tree].h, 176);
  EXPECT_GE(w[Part::memory].h, 103.9f);
  EXPECT_GE(w[Part::banks].h, 79.9f);
  EXPECT_GE(w[Part::warps].h, 73.9f);
  EXPECT_GE(w[Part::source].h, 160);
  EXPECT_GE(w[Part::work].h, 150);
  EXPECT_GE(w[Part::tree].w, 560);
  EXPECT_GE(w[Part::source].w, 320);
  EXPECT_GE(w[Part::profile].w, 560);
}

constexpr std::pair<float, float> sizes[] = {{1280, 720}, {1920, 1080}, {3840, 2160}};

TEST(Layout, NothingOverlapsAndEverythingIsLegible) {
  Session s(start(1024));
  for (const auto& [width, height] : sizes)
    for (const Wishes& wishes : {Wishes{}, wishes_of(s.recording()), Wishes{400, 400, 400}}) {
      const WindowLayout w = window_layout(width, height, Looks{}, wishes);
      expect_sound(w, width, height);
      expect_legible(w);
      EXPECT_GE(w[Part::tree].h, w[Part::memory].h);
      EXPECT_NEAR(w[Part::tree].w / width, 0.66, 0.02);
    }
}

TEST(Layout, AChosenViewFillsTheLeftAndPresentationTheWindow) {
  for (const auto& [width, height] : sizes)
    for (int chosen = 0; chosen < static_cast<int>(views().size()); ++chosen)
      for (const bool presentation : {false, true}) {
        Looks looks;
        looks.chosen = chosen;
        looks.presentation = presentation;
        const WindowLayout w = window_layout(width, height, looks, {});
        expect_sound(w, width, height);
        const Box& box = w.large;
        EXPECT_EQ(w.large_view, chosen);
        for (const Box& other : w.boxes) EXPECT_FALSE(other.w > 0 && other.h > 0 && overlap(box, other));
        EXPECT_GT(box.w, presentation ? width - 1 : width * 0.6f);
        EXPECT_GT(box.h, height * (presentation ? 0.7f : 0.6f));
        EXPECT_EQ(w[Part::top_bar].h > 0, !presentation);
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
  EXPECT_NEAR(after[Part::tree].h, before[Part::tree].h + 24, 0.1);
  EXPECT_NEAR(after[Part::memory].h, before[Part::memory].h - 24, 0.1);
  EXPECT_NEAR(after[Part::warps].h, before[Part::warps].h, 0.1);
}

TEST(Layout, ATinyWindowKeepsEverythingInside) {
  for (const auto& [width, height] : {std::pair{800.f, 500.f}, std::pair{400.f, 260.f}})
    for (const bool presentation : {false, true}) {
      Looks looks;
      looks.presentation = presentation;
      const WindowLayout w = window_layout(width, height, looks, {});
      for (const Box& b : w.boxes) {
        EXPECT_GE(b.w, 0);
        EXPECT_GE(b.h, 0);
        EXPECT_LE(b.y + b.h, height + 0.01f);
      }
    }
}

TEST(Layout, AVeryHighDisplayIsDrawnAtTwice) {
  EXPECT_EQ(display_scale(0, 1, 1080), 1);
  EXPECT_EQ(display_scale(0, 1, 2160), 2);
  EXPECT_EQ(display_scale(0, 1.5f, 2160), 1.5f);
  EXPECT_EQ(display_scale(1, 2, 2160), 1);
}

// --- tips

TEST(Tooltip, GivesExactValuesWithTheirOrigin) {
  Session s(start(64));
  s.go_to(3);
  const TreeRow& row = s.recording().tree.rows.at(3);
  const TreeNode& node = row.nodes.front();
  Id id{.what = Id::What::node, .step = row.step, .warp = 0, .lane = node.lane, .element = node.element};
  id.row = 3;
  id.line = s.recording().trace.events.at(node.event).line;
  const auto lines = tooltip(s.recording(), s.cursor(), id);
  ASSERT_GE(lines.size(), 3u);
  EXPECT_EQ(lines[0].rfind("x[7] = ", 0), 0u) << lines[0];
  EXPECT_NE(lines[1].find(" + "), std::string::npos);
}

TEST(Tooltip, SaysSomethingAboutEverythingThatReacts) {
  for (const char* algorithm : {"scan_blelloch", "scan_double_buffer", "reduce_interleaved"}) {
    Session s(start(256, algorithm));
    for (int step = 0; step < s.step_count(); ++step) {
      s.go_to(step);
      for (const View& v : views()) {
        const Scene scene = v.draw({s.recording(), s.cursor(), dark_theme(), 900, 300});
        for (const Scene::Target& t : scene.targets) {
          const auto lines = tooltip(s.recording(), s.cursor(), t.id);
          const bool quiet_line =
              t.id.what == Id::What::line || t.id.what == Id::What::handle;  // a line that costs nothing
          ASSERT_TRUE(!lines.empty() || quiet_line)
              << v.name << " " << static_cast<int>(t.id.what) << " step " << step;
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
    o.dark = true;
    const Image first = window_image(o), second = window_image(o);
    EXPECT_EQ(first.width, width);
    EXPECT_EQ(first.rgba, second.rgba);
    o.dark = false;
    EXPECT_NE(window_image(o).rgba, first.rgba);
    o.dark = true;
    ++o.step;
    EXPECT_NE(window_image(o).rgba, first.rgba);
    --o.step;
  }
  o.step = 1000;
  EXPECT_THROW(window_image(o), RequestError);
}

TEST(StateFile, IsJsonWhateverIsTyped) {
  Session s(start());
  s.set_layout("i \"+ \n");
  const std::string line = state_line(s, false, {});
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_NE(line.find("\"step\":0"), std::string::npos);
  EXPECT_THROW(StateFile("/nowhere/at/all"), WorkError);
}

}  // namespace
}  // namespace upsweep
