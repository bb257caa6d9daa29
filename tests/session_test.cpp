// Tests the session: moving the cursor, choosing settings, pointing with the mouse, and slow machines.
#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <set>
#include <thread>

#include "analysis/shared_request.hpp"
#include "base/error.hpp"
#include "machine/emulator/emulator.hpp"
#include "support/sanitizers.hpp"
#include "support/session_start.hpp"
#include "support/slow_machine.hpp"

namespace upsweep {
namespace session_test {

std::unique_ptr<Machine> with_slow_gpu(MachineChoice choice) {
  if (choice == MachineChoice::emulated) return std::make_unique<Emulator>();
  return std::make_unique<SlowMachine>(
      [](Job*) { std::this_thread::sleep_for(std::chrono::milliseconds(60)); });
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
    if (is_access(trace.events[i].kind)) all.push_back(static_cast<int>(i));
  std::vector<int> seen;
  while (s.step_request(+1)) seen.push_back(chosen_event(s.recording(), s.cursor()));
  EXPECT_EQ(seen, all);
  std::vector<int> back{chosen_event(s.recording(), s.cursor())};
  while (s.step_request(-1)) {
    if (s.cursor().request < 0) continue;  // the cursor is at a step and at no request
    back.push_back(chosen_event(s.recording(), s.cursor()));
  }
  std::reverse(back.begin(), back.end());
  EXPECT_EQ(back, all);
}

TEST(Session, PaddingShowsTheSameStepWithAndWithoutConflicts) {
  Session s(start(1024));
  for (int step = 0; step < s.step_count(); ++step) {
    s.set_choice("layout", "none");
    s.go_to(step);
    const Step before = s.step();
    const int degree = s.recording().facts.steps.at(static_cast<std::size_t>(step)).max_degree;
    s.set_choice("layout", "pad32");
    EXPECT_EQ(s.error(), "");
    EXPECT_EQ(s.cursor().step, step);
    EXPECT_EQ(s.step(), before);
    EXPECT_LE(s.recording().facts.steps.at(static_cast<std::size_t>(step)).max_degree, std::max(degree, 1));
  }
  s.set_choice("layout", "none");
  s.go_to(6);
  s.step_request(+1);
  s.step_request(+1);
  s.set_choice("layout", "pad32");
  EXPECT_EQ(s.cursor().request, 1);
}

TEST(Session, AnotherAlgorithmOpensAtItsFirstStep) {
  Session s(start());
  s.last();
  s.set_algorithm("scan_hillis_steele");
  EXPECT_EQ(s.error(), "");
  EXPECT_EQ(s.cursor().step, 0);
  EXPECT_EQ(s.recording().title, "Hillis-Steele scan");
  s.last();
  s.set_n(32);
  EXPECT_EQ(s.step().phase, Phase::store) << "the same algorithm keeps its step";
}

TEST(Session, TheBlockFollowsNUntilItCannot) {
  Session s(start(64));
  EXPECT_EQ(s.settings().block, 32);
  s.set_n(1024);
  EXPECT_EQ(s.settings().block, 512);
  s.set_n(100);
  EXPECT_EQ(s.settings().block, 64);  // the user has not chosen a block size, so the smallest is used
  s.set_block(256);
  s.set_n(64);
  EXPECT_EQ(s.settings().block, 256);  // the user has chosen this block size
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
  s.set_choice("layout", "pad32");
  s.set_choice("load_pattern", "neighbours");
  s.set_algorithm("scan_hillis_steele");
  EXPECT_EQ(s.error(), "");
  EXPECT_EQ(s.settings().choice("layout"), "none");
  s.set_algorithm("scan_blelloch");
  EXPECT_EQ(s.settings().choice("layout"), "pad32");
  EXPECT_EQ(s.settings().choice("load_pattern"), "neighbours");
}

TEST(Session, EveryAlgorithmShowsSomethingAtAClick) {
  Session s(start());
  for (const Algorithm& a : cuda_algorithms()) {
    if (!can_be_emulated(start(16, a.name).settings)) continue;
    s.set_algorithm(a.name);
    SCOPED_TRACE(a.name);
    EXPECT_EQ(s.recording().trace.settings.algorithm, a.name) << s.error();
    if (!a.is_broken()) { EXPECT_EQ(s.error(), ""); }
    EXPECT_GE(s.settings().n, 16);
    EXPECT_LE(s.settings().n, 4096);
    EXPECT_GT(s.step_count(), 0);
    int blocks = 0;
    for (const Grid& g : s.recording().trace.grids) blocks = std::max(blocks, g.blocks);
    EXPECT_LE(blocks, 64);
  }
  s.set_algorithm("scan_large");
  EXPECT_GE(s.recording().trace.grids.front().blocks, 3) << "several blocks where there can be several";
  s.set_n(1000);
  s.set_algorithm("scan_decoupled_lookback");
  EXPECT_EQ(s.settings().n, 1000) << "chosen by hand: stays";
}

TEST(Session, VariantsAreWantedOnWhereTheyExist) {
  Session s(start());
  s.set_algorithm("scan_large");
  s.set_choice("block_scan", "brent_kung");
  EXPECT_EQ(s.error(), "");
  EXPECT_EQ(s.settings().choices.at("block_scan"), "brent_kung");
  s.set_algorithm("scan_blelloch");
  EXPECT_EQ(s.settings().choices.count("block_scan"), 0u);
  s.set_algorithm("scan_large");
  EXPECT_EQ(s.settings().choices.at("block_scan"), "brent_kung");
  s.set_choice("block_scan", "none_such");
  EXPECT_NE(s.error(), "");
  EXPECT_EQ(s.settings().choices.at("block_scan"), "brent_kung");
  s.set_grid(2);
  EXPECT_EQ(s.error(), "");
  EXPECT_EQ(s.settings().grid, 2);
}

TEST(Session, ABarrierIsTakenOutAndPutBack) {
  Session s(start(64, "scan_hillis_steele"));
  s.go_to(2);
  s.toggle_barrier();
  EXPECT_EQ(s.error(), "");
  const int line = s.settings().without_barrier;
  EXPECT_GT(line, 0);
  EXPECT_EQ(s.recording().trace.settings.without_barrier, line);
  EXPECT_NE(s.recording().text, s.recording().trace.text) << "the text that ran lacks the barrier";
  s.toggle_barrier();
  EXPECT_EQ(s.settings().without_barrier, 0);
  const BarrierId id{.line = s.recording().barriers.back()};
  s.click(id);
  EXPECT_EQ(s.settings().without_barrier, id.line);
  s.set_algorithm("reduce_atomic");
  EXPECT_EQ(s.settings().without_barrier, 0);
  s.toggle_barrier();
  EXPECT_NE(s.error(), "") << "it has none";
}

TEST(Session, AFormulaThatMakesNoSenseChangesNothing) {
  Session s(start());
  for (const char* formula : {"i +", "0", "i - 1", "i << 40 + x", "i / 2"}) {
    s.set_choice("layout", formula);
    EXPECT_NE(s.error(), "") << formula;
    EXPECT_EQ(s.settings().choice("layout"), "none");
  }
  s.set_choice("layout", "i + (i >> 3)");
  EXPECT_EQ(s.error(), "");
  EXPECT_EQ(s.settings().choice("layout"), "i + (i >> 3)");
  s.next_choice("layout");
  EXPECT_EQ(s.settings().choice("layout"), "none");
}

TEST(Session, EveryLayoutComesAroundUnderOneKey) {
  Session s(start());
  std::vector<std::string> seen;
  do {
    seen.push_back(s.settings().choice("layout"));
    s.next_choice("layout");
  } while (s.settings().choice("layout") != "none");
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
        default: s.click(CellId{.cell = static_cast<int>(x * 1100)});
      }
      const Cursor& c = s.cursor();
      const int columns = s.recording().tree().columns;
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
  for (int i = 0; i < 2; ++i) {  // the step has two requests to cell 7: a read and a write
    s.click(CellId{.cell = 7});
    seen.insert(s.cursor().request);
  }
  EXPECT_EQ(seen, (std::set{1, 2}));
  s.click(CellId{.cell = 0});  // shows the step that wrote the cell
  EXPECT_EQ(s.step().phase, Phase::load);
}

TEST(Session, ASlowMachineLeavesTheOldPictureUntilTheNewOneIsThere) {
  Session::Start slow = start();
  slow.machine = MachineChoice::automatic;
  slow.open = with_slow_gpu;
  slow.patience = slow.moment = 0.001;
  Session s(std::move(slow));
  EXPECT_TRUE(s.recording_under_way());
  EXPECT_EQ(s.recording().trace.machine, MachineKind::emulated);  // the GPU is still recording
  s.settle(5);
  EXPECT_FALSE(s.recording_under_way());
  EXPECT_EQ(s.recording().trace.machine, MachineKind::gpu);
  s.go_to(3);
  const auto before = s.shared_recording();
  s.set_n(128);
  s.set_n(256);
  s.set_choice("layout", "pad32");
  EXPECT_EQ(s.shared_recording(), before);
  s.settle(5);
  EXPECT_EQ(s.recording().trace.settings.n, 256);
  EXPECT_EQ(s.recording().trace.settings.choice("layout"), "pad32");
  EXPECT_EQ(s.step(), (Step{Phase::up_sweep, 4}));
  s.set_n(512);
  s.set_machine(MachineChoice::emulated);  // this recording ends before the GPU's recording
  s.settle(5);
  EXPECT_EQ(s.recording().trace.machine, MachineKind::emulated);
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

}  // namespace session_test
}  // namespace upsweep
