// Recordings that take longer than a moment: nothing holds the window's thread, everything can be cancelled,
// and whatever fails leaves the session as it was.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <latch>
#include <new>
#include <random>
#include <thread>

#include "machine/gpu/gpu_device.hpp"
#include "panels/chrome.hpp"
#include "scene/theme.hpp"
#include "study/room.hpp"
#include "study/worker.hpp"
#include "support/slow_machine.hpp"
#include "support/timed_session.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

using namespace std::chrono_literals;

// A gate that a machine waits at, looking at its job.
struct Gate {
  std::atomic<bool> open = false;
  std::atomic<int> waiting = 0;
  void wait(Job* job) {
    ++waiting;
    for (double share = 0; !open; share = std::min(0.9, share + 0.01)) {
      if (job) {
        job->check();
        job->set_progress(share);
      }
      std::this_thread::sleep_for(1ms);
    }
    --waiting;
  }
};

// A session on a machine that waits at a gate whenever n is at least `from`.
Session::Start gated(Gate& gate, int from = 8192, const std::string& algorithm = "scan_large") {
  Session::Start s = timed({}, {}, algorithm);
  s.machine = MachineChoice::automatic;
  s.settings.n = 512;
  s.open = [&gate, from](MachineChoice choice) -> std::unique_ptr<Machine> {
    class Gated : public Emulator {
     public:
      Gated(Gate& gate, int from) : gate_(gate), from_(from) {}
      Trace record(const Settings& settings, const std::vector<Value>& input,
                   const RecordOptions& options) override {
        if (settings.n >= from_) gate_.wait(options.job);
        return Emulator::record(settings, input, options);
      }

     private:
      Gate& gate_;
      int from_;
    };
    if (choice == MachineChoice::gpu) throw RequestError("There is no GPU here.");
    return std::make_unique<Gated>(gate, from);
  };
  s.free_memory = [] { return std::int64_t{64} << 30; };
  return s;
}

// Another session, whose functions return after a moment.
Session::Start impatient(Session::Start s) {
  s.moment = 0.001;
  return s;
}

TEST(Worker, DoesTheNewestOrderAndWakesWithoutItsLock) {
  std::atomic<int> woken = 0;
  std::latch begun(1);
  std::atomic<bool> go = false;
  Worker<int, int>* self = nullptr;
  Worker<int, int> worker(
      [&](int order, Job& job) {
        if (order == 1) {
          begun.count_down();
          while (!go) job.check();
        }
        return 10 * order;
      },
      [&] {
        self->busy();  // would never return if its lock were held
        ++woken;
      });
  self = &worker;
  EXPECT_FALSE(worker.busy());
  EXPECT_TRUE(worker.wait(0));
  worker.begin(1);
  begun.wait();
  EXPECT_TRUE(worker.busy());
  EXPECT_FALSE(worker.wait(0.001));
  worker.begin(2);
  worker.begin(3);
  EXPECT_TRUE(worker.wait(60));
  EXPECT_EQ(worker.take(), 30);
  EXPECT_EQ(worker.take(), std::nullopt) << "once";
  go = true;
  worker.begin(1);
  worker.cancel();
  EXPECT_FALSE(worker.busy());
  worker.begin(4);
  EXPECT_TRUE(worker.wait(60));
  EXPECT_EQ(worker.take(), 40);
  while (woken == 0) std::this_thread::sleep_for(1ms);
}

TEST(Worker, ManyOrdersAtRandomTimesEndWithTheNewest) {
  std::mt19937 random(11);
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> wakes = 0;
    Worker<int, int> worker(
        [](int order, Job& job) {
          for (int i = 0; i < order % 7; ++i) {
            job.check();
            std::this_thread::sleep_for(20us);
          }
          return order;
        },
        [&] { ++wakes; });
    int newest = 0, taken = 0;
    for (int i = 1; i <= 40; ++i) {
      if (random() % 4 == 0) worker.cancel();
      worker.begin(newest = i);
      if (random() % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random() % 200));
      if (const auto result = worker.take()) {
        EXPECT_EQ(*result, newest);
        EXPECT_GT(*result, taken);
        taken = *result;
      }
    }
    if (round % 2 == 0) continue;  // ends with work under way
    ASSERT_TRUE(worker.wait(60));
    if (taken < newest) { EXPECT_EQ(worker.take(), newest); }
  }
}

TEST(SlowRecording, ASmallerOneStandsInAndTheRealOneFollows) {
  Gate gate;
  Session s(impatient(gated(gate)));
  s.settle(60);
  s.go_to(3);
  EXPECT_EQ(s.set_n(1 << 20), Answer::begun);
  EXPECT_EQ(s.settings().n, 1 << 20);
  EXPECT_EQ(s.recording().trace.settings.n, 512) << "until now the picture before";
  EXPECT_FALSE(s.progress()) << "for the first moments nothing is said";
  tick_until(s, [&] { return s.recording().trace.settings.n != 512; });
  const Settings shown = s.recording().trace.settings;
  EXPECT_EQ(shown.algorithm, "scan_large");
  EXPECT_LE(shown.n, 4096);
  EXPECT_GT(shown.n, 512);
  tick_until(s, [&] { return s.progress() && s.progress()->share > 0.2; });
  EXPECT_EQ(s.progress()->n, 1 << 20);
  EXPECT_EQ(s.progress()->shown_n, shown.n);
  EXPECT_GT(s.next_tick_in(), 0) << "it is looked after";
  EXPECT_TRUE(s.step_by(+1)) << "what stands in can be walked through";
  gate.open = true;
  s.settle(60);
  EXPECT_EQ(s.recording().trace.settings.n, 1 << 20);
  EXPECT_FALSE(s.progress());
  EXPECT_LT(s.next_tick_in(), 0);
  EXPECT_EQ(s.banner().text, "");
}

TEST(SlowRecording, CancellingBringsBackWhatWasThere) {
  Gate gate;
  Session s(impatient(gated(gate)));
  s.settle(60);
  s.go_to(4);
  const auto recording = s.shared_recording();
  const Cursor cursor = s.cursor();
  const Settings settings = s.settings();
  for (const bool early : {true, false}) {
    SCOPED_TRACE(early);
    s.set_n(1 << 22);
    s.set_type(Scalar::int32);
    s.set_data({DataSource::Kind::seed, 17, {}});
    if (!early) {
      tick_until(s, [&] { return s.shared_recording() != recording; });
      s.step_by(2);
    }
    EXPECT_TRUE(s.cancel());
    EXPECT_FALSE(s.cancel()) << "there is nothing left";
    EXPECT_FALSE(s.recording_under_way());
    EXPECT_EQ(s.shared_recording(), recording);
    EXPECT_EQ(s.cursor(), cursor);
    EXPECT_EQ(s.settings(), settings);
    EXPECT_EQ(s.data().seed, 3u);
    s.settle(1);
    EXPECT_EQ(s.shared_recording(), recording) << "nothing comes late";
  }
  EXPECT_NE(s.set_n(600), Answer::refused);
  s.settle(60);
  EXPECT_EQ(s.recording().trace.settings.n, 600);
}

TEST(SlowRecording, TheFirstPictureDoesNotWaitEither) {
  Gate gate;
  Session::Start begin = impatient(gated(gate));
  begin.settings.n = 1 << 20;
  begin.patience = 0.001;
  Session s(begin);
  EXPECT_TRUE(s.recording_under_way());
  EXPECT_LE(s.recording().trace.settings.n, 4096);
  EXPECT_EQ(s.settings().n, 1 << 20);
  gate.open = true;
  s.settle(60);
  EXPECT_EQ(s.recording().trace.settings.n, 1 << 20);

  gate.open = false;
  Session other(begin);
  EXPECT_TRUE(other.cancel());
  EXPECT_EQ(other.settings(), other.recording().trace.settings) << "the smaller one is what is left";
}

TEST(SlowRecording, ClosingCancelsIt) {
  Gate gate;
  {
    Session s(impatient(gated(gate)));
    s.settle(60);
    s.set_n(1 << 22);
    while (gate.waiting == 0) std::this_thread::sleep_for(1ms);
  }
  EXPECT_FALSE(gate.open) << "it was not waited for";
}

TEST(SlowRecording, EscapeAndTheButtonCancelIt) {
  Gate gate;
  Session s(impatient(gated(gate)));
  s.settle(60);
  for (const bool by_key : {true, false}) {
    s.set_n(1 << 20);
    tick_until(s, [&] { return s.progress().has_value(); });
    for (const float width : {120.0f, 200.0f})
      for (const float height : {100.0f, 112.0f}) {
        const Panel panel = status_panel(s, dark_theme(), width, height, {-1, -1});
        ASSERT_EQ(panel.buttons.size(), 1u);
        EXPECT_EQ(panel.buttons[0].command.action, Action::cancel);
        bool names_n = false;
        for (const Shape& shape : panel.scene.shapes)
          if (const auto* text = std::get_if<TextShape>(&shape.what)) {
            names_n = names_n || text->text.find("1,048,576") != std::string::npos;
            EXPECT_LE(text_width(text->text, text->size, text->face), width) << text->text;
          }
        EXPECT_TRUE(names_n);
      }
    if (by_key) {
      perform(s, {Action::escape, 0});
    } else {
      const Panel panel = status_panel(s, light_theme(), 200, 112, {-1, -1});
      perform(s, panel.buttons[0].command);
    }
    EXPECT_FALSE(s.recording_under_way());
    EXPECT_EQ(s.settings().n, 512);
  }
}

TEST(SlowRecording, WhatDoesNotFitIntoMemoryIsRefusedAtOnce) {
  Session::Start begin = start(512, "scan_large");
  begin.free_memory = [] { return std::int64_t{8} << 30; };
  Session s(begin);
  const auto before = s.shared_recording();
  for (const char* algorithm : {"scan_large", "scan_decoupled_lookback", "reduce_two_pass"}) {
    s.set_algorithm(algorithm);
    const auto shown = s.shared_recording();
    for (const std::int64_t n : {std::int64_t{1} << 29, std::int64_t{1} << 30, std::int64_t{INT32_MAX},
                                 std::int64_t{1} << 31, std::int64_t{1} << 40, INT64_MAX}) {
      EXPECT_EQ(s.set_n(n), Answer::refused) << n;
      EXPECT_NE(s.error(), "");
      EXPECT_EQ(s.shared_recording(), shown);
      EXPECT_LE(s.settings().n, 4096);
    }
  }
  s.set_n(1 << 30);
  EXPECT_NE(s.error().find("GB of memory, and 8.6 GB are free: choose at most n = "), std::string::npos)
      << s.error();
  EXPECT_EQ(s.set_n(INT64_MIN), Answer::refused);
}

TEST(SlowRecording, TheLargestNThatTheRefusalNamesFits) {
  for (const Algorithm* a : correct_algorithms()) {
    Settings s;
    s.algorithm = a->name;
    s.n = 1 << 20;
    try {
      s.block = smallest_block(*a, s);
      validate(s);
    } catch (const RequestError&) { continue; }
    double before = 0;
    for (s.n = 1 << 10; s.n <= 1 << 28; s.n *= 2) {
      const double bytes = recording_bytes(s);
      EXPECT_GT(bytes, before) << a->name << " " << s.n;
      EXPECT_GT(bytes, 64. * s.n / 2) << a->name << " " << s.n;
      before = bytes;
      if (a->largest && s.n * 2 > *a->largest) break;
    }
    EXPECT_NO_THROW(expect_room(s, INT64_MAX)) << a->name;
  }
  EXPECT_GT(free_memory(), 0);
}

TEST(SlowRecording, MemoryThatEndsBecomesASentence) {
  Session::Start begin = start(64);
  begin.open = [](MachineChoice) -> std::unique_ptr<Machine> {
    return std::make_unique<SlowMachine>([count = 0](Job*) mutable {
      if (++count > 1) throw std::bad_alloc();
    });
  };
  Session s(begin);
  const auto before = s.shared_recording();
  EXPECT_EQ(s.set_layout("pad32"), Answer::refused);
  EXPECT_EQ(s.error(), "There is not enough memory to record n = 64: choose a smaller n.");
  EXPECT_EQ(s.shared_recording(), before);
  EXPECT_EQ(s.settings().layout, "none");
}

TEST(SlowRecording, IsStoppedBeforeItTakesAllMemory) {
  Gate gate;
  std::atomic<std::int64_t> free = std::int64_t{32} << 30;
  Session::Start begin = impatient(gated(gate));
  begin.free_memory = [&] { return free.load(); };
  Session s(begin);
  s.settle(60);
  s.set_n(1 << 20);
  tick_until(s, [&] { return s.progress().has_value(); });
  s.tick(0);
  EXPECT_TRUE(s.recording_under_way());
  free = 1 << 20;
  s.tick(0);
  EXPECT_FALSE(s.recording_under_way());
  EXPECT_NE(s.error().find("nearly all memory is taken"), std::string::npos) << s.error();
  EXPECT_EQ(s.settings().n, 512);
}

// A run that was stopped is shown, and was what was asked for.
TEST(SlowRecording, AChoiceIsNotForgottenWhenTheRunWasStopped) {
  Session s(start(1024, "scan_decoupled_lookback"));
  const auto barriers = s.recording().barriers;
  bool stopped = false;
  for (const int line : barriers) {
    if (s.settings().without_barrier != line) s.toggle_barrier(line);
    EXPECT_EQ(s.set_variant("gives", "exclusive"), Answer::shown);
    stopped = stopped || s.recording().trace.stopped;
    ASSERT_EQ(s.settings().variants.at("gives"), "exclusive");
    s.set_type(Scalar::int32);
    EXPECT_EQ(s.settings().variants.at("gives"), "exclusive") << line;
    s.set_type(Scalar::float32);
    s.set_variant("gives", "inclusive");
  }
  EXPECT_TRUE(stopped) << "none of these runs was stopped: another kernel must show it";

  Session other(start(64, "bug_missing_shift_assign"));
  other.set_n(300);
  EXPECT_NE(other.error(), "") << "it was stopped";
  EXPECT_EQ(other.recording().trace.settings.n, 300);
  other.set_algorithm("scan_large");
  EXPECT_EQ(other.settings().n, 300) << "chosen by hand: stays";
}

TEST(SlowRecording, AChoiceWhoseRecordingFailsLaterIsTakenBack) {
  std::atomic<bool> fails = false;
  Session::Start begin = start(64);
  begin.machine = MachineChoice::gpu;
  begin.open = [&](MachineChoice) -> std::unique_ptr<Machine> {
    return std::make_unique<SlowMachine>([&](Job*) {
      if (!fails) return;
      std::this_thread::sleep_for(20ms);
      throw WorkError("It was too warm.");
    });
  };
  begin.moment = 0.001;
  Session s(begin);
  s.settle(60);
  fails = true;
  EXPECT_EQ(s.set_layout("pad32"), Answer::begun);
  EXPECT_EQ(s.settings().layout, "pad32");
  s.settle(60);
  EXPECT_EQ(s.error(), "It was too warm.");
  EXPECT_EQ(s.settings().layout, "none");
  fails = false;
  s.set_n(128);
  s.settle(60);
  EXPECT_EQ(s.recording().trace.settings.n, 128);
  EXPECT_EQ(s.recording().trace.settings.layout, "none") << "the choice that failed is not wanted any more";
}

TEST(SlowRecording, AfterTheGpuWasLostTheEmulatorTakesOver) {
  for (const MachineChoice choice : {MachineChoice::gpu, MachineChoice::automatic}) {
    std::atomic<bool> lost = false;
    std::atomic<int> opened = 0;
    Session::Start begin = start(64);
    begin.machine = choice;
    begin.open = [&](MachineChoice wanted) -> std::unique_ptr<Machine> {
      if (wanted == MachineChoice::emulated) return std::make_unique<Emulator>();
      ++opened;
      return std::make_unique<SlowMachine>([&](Job*) {
        if (lost) throw LostGpu("The GPU fell off the bus.");
      });
    };
    Session s(begin);
    EXPECT_EQ(s.recording().trace.machine, MachineKind::gpu);
    lost = true;
    EXPECT_EQ(s.set_n(100), Answer::shown);
    EXPECT_EQ(s.recording().trace.machine, MachineKind::emulated);
    EXPECT_EQ(s.recording().trace.settings.n, 100);
    EXPECT_EQ(s.error(), "");
    EXPECT_EQ(s.banner().text, "The GPU was lost, so this ran on the emulator. The GPU fell off the bus.");
    EXPECT_EQ(s.machine(), MachineChoice::emulated);
    s.set_machine(MachineChoice::automatic);
    EXPECT_EQ(s.recording().trace.machine, MachineKind::emulated);
    EXPECT_EQ(s.error(), "");
    EXPECT_EQ(s.set_machine(MachineChoice::gpu), Answer::refused);
    EXPECT_EQ(s.error(), "The GPU was lost: start Upsweep again to use it.");
    EXPECT_EQ(s.machine(), MachineChoice::automatic);
    EXPECT_EQ(opened, 1) << "the dead machine is not tried again";
  }
}

TEST(SlowRecording, CountersWaitForIt) {
  Gate gate;
  std::atomic<int> counted = 0;
  Session::Start begin = impatient(gated(gate));
  begin.count = [&](const Trace& trace, Job&) {
    ++counted;
    return predicted(trace, "");
  };
  Session s(begin);
  s.settle(60);
  s.set_n(1 << 20);
  while (gate.waiting == 0) std::this_thread::sleep_for(1ms);
  s.toggle_counters();
  s.tick(0);
  EXPECT_NE(s.line_counters()->predicted_only.find("A recording is under way"), std::string::npos);
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(counted, 0);
  s.cancel();
  tick_until(s, [&] { return counted == 1; });
}

TEST(SlowRecording, GivenNumbersThatAreManyAreReadElsewhere) {
  Session::Start begin = start();
  begin.moment = 0;
  Session s(begin);
  std::string many;
  for (int i = 0; i < 40000; ++i) many += std::to_string(i % 10) + " ";
  s.set_algorithm("scan_large");
  s.settle(60);
  EXPECT_EQ(s.set_data({DataSource::Kind::typed, 3, many}), Answer::begun);
  s.settle(60);
  EXPECT_EQ(s.error(), "");
  EXPECT_EQ(s.settings().n, 40000);
  EXPECT_EQ(s.recording().trace.input.size(), 40000u);
  EXPECT_EQ(s.set_data({DataSource::Kind::typed, 3, many + "three"}), Answer::begun);
  s.settle(60);
  EXPECT_NE(s.error().find("three"), std::string::npos);
  EXPECT_EQ(s.settings().n, 40000);
  EXPECT_EQ(s.recording().trace.settings.n, 40000);
}

TEST(SlowRecording, ASweepThatCannotBeginLeavesTheNextOneItsChance) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer needs the address space that is taken away here";
#endif
  Sweeper sweeper([](const SweepRequest&, const std::function<void(const SweepProgress&)>&,
                     std::stop_token) { return Timings{}; },
                  {});
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  rlimit none = before;
  long pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  none.rlim_cur = static_cast<rlim_t>(pages) * 4096 + (1 << 20);  // less than a thread's stack
  ASSERT_EQ(setrlimit(RLIMIT_AS, &none), 0);
  // Stacks of threads that have ended are kept: threads that wait use them up.
  std::atomic<bool> end = false;
  std::vector<std::thread> others;
  try {
    while (true)
      others.emplace_back([&] {
        while (!end) std::this_thread::sleep_for(1ms);
      });
  } catch (const std::system_error&) {}
  std::string why;
  try {
    sweeper.begin({});
  } catch (const WorkError& e) { why = in_words(e); }
  end = true;
  for (std::thread& other : others) other.join();
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_NE(why, "");
  EXPECT_TRUE(sweeper.begin({}));
}

}  // namespace
}  // namespace upsweep
