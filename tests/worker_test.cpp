// Tests threads that work for the window. An order tells a thread what to do. A new order must replace
// earlier orders, and the user must be able to cancel all work.
#include "study/worker.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <latch>
#include <random>
#include <system_error>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "study/sweeper.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace worker_test {

using namespace std::chrono_literals;

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
        self->busy();  // returns only if the lock is free
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
    if (round % 2 == 0) continue;  // destroys the worker during its work
    ASSERT_TRUE(worker.wait(60));
    if (taken < newest) { EXPECT_EQ(worker.take(), newest); }
  }
}

TEST(Sweeper, ASweepThatCannotBeginLeavesTheNextOneItsChance) {
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
  none.rlim_cur = static_cast<rlim_t>(pages) * 4096 + (1 << 20);  // less memory than a thread's stack
  ASSERT_EQ(setrlimit(RLIMIT_AS, &none), 0);
  // There is no memory for the stack of a new thread. But a new thread could use the stack of a finished
  // thread. Therefore the loop starts waiting threads until no further thread can be started.
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

}  // namespace worker_test
}  // namespace upsweep
