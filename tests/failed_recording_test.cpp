// Tests recordings that fail. Each failure must be reported in a sentence, and must leave the session
// unchanged.
#include <gtest/gtest.h>

#include <new>

#include "base/error.hpp"
#include "machine/gpu/gpu_device.hpp"
#include "study/room.hpp"
#include "support/gated_session.hpp"
#include "support/slow_machine.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace failed_recording_test {

TEST(FailedRecording, WhatDoesNotFitIntoMemoryIsRefusedAtOnce) {
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
  EXPECT_NE(s.error().find("GB of memory, but only 8.6 GB are free: choose at most n = "), std::string::npos)
      << s.error();
  EXPECT_EQ(s.set_n(INT64_MIN), Answer::refused);
}

TEST(FailedRecording, TheLargestNThatTheRefusalNamesFits) {
  for (const Algorithm* a : correct_algorithms(Language::cuda)) {
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

// Each step of a recording takes 1,645 to 2,215 bytes of memory (measured), even if only one thread works. In
// these kernels, one thread does all work in n - 1 steps, so their recordings need much memory.
TEST(FailedRecording, AThreadAloneNeedsMoreMemory) {
  for (const char* name : {"reduce_serial", "scan_sequential"})
    for (const int n : {1 << 16, 100000, 1 << 22}) {
      Settings s;
      s.algorithm = name;
      s.n = n;
      s.block = smallest_block(algorithm(name), s);
      EXPECT_GT(recording_bytes(s), 2215. * n) << name;
      EXPECT_LT(recording_bytes(s), 10000. * n) << name;
      try {
        expect_room(s, 3 << 20);
        FAIL();
      } catch (const RequestError& e) {
        EXPECT_NE(in_words(e).find("but only 4 MB are free: choose at most n = 1,024."), std::string::npos)
            << in_words(e);
      }
    }
}

// If a shape, a picture or a list of numbers decides n, users cannot choose n. Therefore the advice must name
// a limit for the shape, the picture or the list.
TEST(FailedRecording, TheAdviceForLackOfMemoryNamesWhatTheUserChose) {
  using Kind = DataSource::Kind;
  for (const char* name : {"summed_area_table", "summed_area_table_single_pass"})
    for (const int columns : {1, 1000, 5'000'000})
      for (const auto& [kind, says] : {std::pair(Kind::seed, "choose a shape of at most"),
                                       {Kind::picture, "use a picture of at most"},
                                       {Kind::typed, "give at most"},
                                       {Kind::file, "give at most"}}) {
        Settings s{.algorithm = name, .n = 5'000'000, .block = 256, .columns = columns};
        validate(s);
        try {
          expect_room(s, 64 << 20, {.kind = kind, .text = "file"});
          FAIL();
        } catch (const RequestError& e) {
          EXPECT_NE(in_words(e).find(says), std::string::npos) << in_words(e);
        }
      }
}

TEST(FailedRecording, MemoryThatEndsBecomesASentence) {
  Session::Start begin = start(64);
  begin.open = [](MachineChoice) -> std::unique_ptr<Machine> {
    return std::make_unique<SlowMachine>([count = 0](Job*) mutable {
      if (++count > 1) throw std::bad_alloc();
    });
  };
  Session s(begin);
  const auto before = s.shared_recording();
  EXPECT_EQ(s.set_choice("layout", "pad32"), Answer::refused);
  EXPECT_EQ(s.error(), "There is not enough memory to record n = 64: choose a smaller n.");
  EXPECT_EQ(s.shared_recording(), before);
  EXPECT_EQ(s.settings().choice("layout"), "none");
}

TEST(FailedRecording, IsStoppedBeforeItTakesAllMemory) {
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

TEST(FailedRecording, AChoiceIsNotForgottenWhenTheRunWasStopped) {
  Session s(start(1024, "scan_decoupled_lookback"));
  const auto barriers = s.recording().barriers;
  bool stopped = false;
  for (const int line : barriers) {
    if (s.settings().without_barrier != line) s.toggle_barrier(line);
    EXPECT_EQ(s.set_choice("gives", "exclusive"), Answer::shown);
    stopped = stopped || s.recording().trace.stopped;
    ASSERT_EQ(s.settings().choices.at("gives"), "exclusive");
    s.set_type(Scalar::int32);
    EXPECT_EQ(s.settings().choices.at("gives"), "exclusive") << line;
    s.set_type(Scalar::float32);
    s.set_choice("gives", "inclusive");
  }
  EXPECT_TRUE(stopped) << "none of these runs was stopped: another kernel must show it";

  Session other(start(64, "bug_missing_shift_assign"));
  other.set_n(300);
  EXPECT_NE(other.error(), "") << "it was stopped";
  EXPECT_EQ(other.recording().trace.settings.n, 300);
  other.set_algorithm("scan_large");
  EXPECT_EQ(other.settings().n, 300) << "n was chosen by hand, so it stays";
}

TEST(FailedRecording, AChoiceWhoseRecordingFailsLaterIsTakenBack) {
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
  EXPECT_EQ(s.set_choice("layout", "pad32"), Answer::begun);
  EXPECT_EQ(s.settings().choice("layout"), "pad32");
  s.settle(60);
  EXPECT_EQ(s.error(), "It was too warm.");
  EXPECT_EQ(s.settings().choice("layout"), "none");
  fails = false;
  s.set_n(128);
  s.settle(60);
  EXPECT_EQ(s.recording().trace.settings.n, 128);
  EXPECT_EQ(s.recording().trace.settings.choice("layout"), "none") << "the choice that failed is forgotten";
}

TEST(FailedRecording, AfterTheGpuWasLostTheEmulatorTakesOver) {
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
    EXPECT_EQ(s.banner().text, "The GPU was lost, so the emulator ran the kernel. The GPU fell off the bus.");
    EXPECT_EQ(s.machine(), MachineChoice::emulated);
    s.set_machine(MachineChoice::automatic);
    EXPECT_EQ(s.recording().trace.machine, MachineKind::emulated);
    EXPECT_EQ(s.error(), "");
    EXPECT_EQ(s.set_machine(MachineChoice::gpu), Answer::refused);
    EXPECT_EQ(s.error(), "The GPU was lost: start Upsweep again to use the GPU.");
    EXPECT_EQ(s.machine(), MachineChoice::automatic);
    EXPECT_EQ(opened, 1) << "the lost machine is not opened again";
  }
}

TEST(FailedRecording, WithoutAGpuASentenceSaysSoAndNothingIsLost) {
  Session s(start());
  s.go_to(5);
  s.set_machine(MachineChoice::gpu);
  s.settle(5);
  EXPECT_EQ(s.error(), "There is no GPU here.");
  EXPECT_EQ(s.recording().trace.machine, MachineKind::emulated);
  EXPECT_EQ(s.cursor().step, 5);
  EXPECT_EQ(s.machine(), MachineChoice::emulated);
  s.set_machine(MachineChoice::automatic);
  EXPECT_EQ(s.error(), "");
  s.set_n(128);
  EXPECT_FALSE(s.recording_under_way());
  EXPECT_EQ(s.recording().trace.settings.n, 128);
}

}  // namespace failed_recording_test
}  // namespace upsweep
