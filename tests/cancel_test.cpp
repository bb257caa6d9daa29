// Tests that a recording on the emulator reports its progress, and ends soon after the user cancels it.
#include <gtest/gtest.h>

#include <chrono>
#include <ctime>
#include <optional>
#include <random>
#include <thread>

#include "catalogue/data.hpp"
#include "machine/emulator/emulator.hpp"
#include "support/long_tests.hpp"

namespace upsweep {
namespace cancel_test {

#ifdef __SANITIZE_ADDRESS__
constexpr int smaller = 16;  // the size of each array is divided by this number
constexpr double slower = 20;
#else  // ThreadSanitizer
constexpr int smaller = 256;
constexpr double slower = 100;
#endif

// Returns the CPU time of all threads of this process in seconds. CPU time does not depend on other programs.
double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Work {
  const char* name;
  Settings settings;
  RecordOptions options{};
};
const Work works[] = {
    {"blocks apart", {.algorithm = "scan_large", .n = (1 << 20) / smaller, .block = 256}},
    {"all in focus",
     {.algorithm = "scan_large", .n = (1 << 18) / smaller, .block = 64},
     {.blocks = UINT32_MAX}},
    {"blocks that talk", {.algorithm = "scan_decoupled_lookback", .n = (1 << 19) / smaller, .block = 256}},
    {"one thread", {.algorithm = "reduce_serial", .n = (1 << 20) / smaller, .block = 32}},
    {"a schedule", {.algorithm = "reduce_two_pass", .n = (1 << 16) / smaller, .block = 64}, {.schedule = 3}},
};

// Two CPU threads of the emulator record each run. After the user cancels, both threads together may use at
// most 0.3 s of CPU time. On a slow computer, they may use a quarter of the CPU time of the whole recording.
TEST(Cancel, ActsSoonWhereverTheRecordingIs) {
  std::mt19937 random(1);
  const int times = tries_everything() ? 6 : 1;  // how many times each run is cancelled
  Emulator emulator({.threads = 2});
  for (const Work& work : works) {
    SCOPED_TRACE(work.name);
    const std::vector<Value> input = seeded_data(work.settings, 1);
    const double begin = cpu_seconds();
    const Trace whole = emulator.record(work.settings, input, work.options);
    const double all = cpu_seconds() - begin;
    int cancelled = 0;
    // On a busy computer, every recording may end before the thread `other` cancels the recording. In this
    // case, the test tries again.
    for (int time = 0; time < times || (cancelled == 0 && time < 20); ++time) {
      Job job;
      RecordOptions options = work.options;
      options.job = &job;
      const double wait = all * std::uniform_real_distribution<double>(0, 1)(random);
      double cancelled_at = 0;
      std::jthread other([&] {
        for (const double from = cpu_seconds(); cpu_seconds() - from < wait && job.progress() < 1;)
          std::this_thread::sleep_for(std::chrono::microseconds(200));
        cancelled_at = cpu_seconds();
        job.cancel();
      });
      bool ended_early = false;
      try {
        EXPECT_EQ(emulator.record(work.settings, input, options).events.size(), whole.events.size());
      } catch (const Cancelled&) { ended_early = true; }
      const double ended_at = cpu_seconds();
      other.join();
      cancelled += ended_early;
      if (ended_early) { EXPECT_LT(ended_at - cancelled_at, std::max(0.3 * slower, all / 4)); }
    }
    EXPECT_GT(cancelled, 0);
    EXPECT_TRUE(emulator.record(work.settings, input, work.options) == whole)
        << "the cancelled runs had no effect";
  }
}

TEST(Cancel, BeforeTheBeginningLeavesNothingToDo) {
  Emulator emulator;
  Job job;
  job.cancel();
  const Settings s{.algorithm = "scan_blelloch", .n = 64, .block = 32};
  EXPECT_THROW(emulator.record(s, seeded_data(s, 1), {.job = &job}), Cancelled);
  EXPECT_EQ(emulator.run(s, seeded_data(s, 1)), emulator.record(s, seeded_data(s, 1)).output);
}

TEST(Cancel, ProgressIsTheShareOfBlocksThatHaveEnded) {
  for (const char* name : {"scan_large", "scan_decoupled_lookback", "reduce_single_pass", "scan_blelloch"}) {
    SCOPED_TRACE(name);
    const bool many = std::string(name) != "scan_blelloch";
    const Settings s{.algorithm = name, .n = many ? (1 << 18) / smaller : 64, .block = many ? 64 : 32};
    Job job;
    std::vector<double> seen;
    {
      std::jthread watch([&](const std::stop_token& over) {
        while (!over.stop_requested()) {
          seen.push_back(job.progress());
          std::this_thread::sleep_for(std::chrono::microseconds(100));
        }
      });
      Emulator().record(s, seeded_data(s, 1), {.job = &job});
    }
    EXPECT_EQ(job.progress(), 1);
    for (const double share : seen) {
      EXPECT_GE(share, 0);
      EXPECT_LE(share, 1);
    }
  }
}

}  // namespace cancel_test
}  // namespace upsweep
