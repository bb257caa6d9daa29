// Tests threads that compute data for the window, so that the window does not wait. Some of these threads
// compute the data that a view needs to draw a step.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "analysis/key_pass.hpp"
#include "scene/views/views.hpp"
#include "study/compared_facts.hpp"
#include "study/view_finder.hpp"
#include "support/pictures.hpp"
#include "support/session_start.hpp"

namespace upsweep {
namespace background_test {

std::shared_ptr<const Recording> sorted_keys(int n, int block) {
  const Settings s{.algorithm = "radix_sort", .n = n, .block = block, .type = Scalar::uint32};
  return std::make_shared<const Recording>(make_recording(Emulator().record(s, random_data(s, 1), {})));
}

const View& keys() { return views()[static_cast<std::size_t>(view_index("keys"))]; }

TEST(ViewFinder, FindsThePassesOfALargeSort) {
  std::atomic<int> woken = 0;
  ViewFinder finder([&] { ++woken; });
  const auto large = sorted_keys(1 << 13, 256);
  ASSERT_GE(large->trace.lanes.size(), std::size_t{1} << 16);
  Cursor at;
  at.step = static_cast<int>(large->trace.steps.size()) / 2;
  EXPECT_FALSE(keys().is_ready(*large, at));
  if (!finder.is_ready(keys(), large, at, 0)) {
    finder.wait(60);
    EXPECT_TRUE(finder.tick());
  }
  EXPECT_TRUE(finder.is_ready(keys(), large, at, 0));
  EXPECT_TRUE(large->has_key_pass(at.block, at.step));
  ASSERT_TRUE(large->key_pass(at.block, at.step));
  EXPECT_EQ(large->key_pass(at.block, at.step)->size, 1 << 13);
  at.step -= 1;
  EXPECT_TRUE(finder.is_ready(keys(), large, at, 60)) << "it waits up to 60 s";
}

TEST(ViewFinder, DoesNotWaitForSmallSorts) {
  const auto small = sorted_keys(50, 32);
  ViewFinder finder([] { FAIL() << "there was nothing to compute"; });
  for (int step = 0; step < static_cast<int>(small->trace.steps.size()); ++step) {
    Cursor at;
    at.step = step;
    EXPECT_TRUE(finder.is_ready(keys(), small, at, 0));
  }
}

TEST(ViewFinder, IsCancelledByTheNextPlace) {
  std::atomic<int> begun = 0, cancelled = 0;
  static std::atomic<int>*begun_of = nullptr, *cancelled_of = nullptr;
  begun_of = &begun;
  cancelled_of = &cancelled;
  View slow = keys();
  slow.is_ready = [](const Recording&, const Cursor&) { return false; };
  slow.find = [](const Recording&, const Cursor&, const Job& job) {
    ++*begun_of;
    try {
      while (true) {
        job.check();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    } catch (const Cancelled&) {
      ++*cancelled_of;
      throw;
    }
  };
  const auto small = sorted_keys(50, 32);
  {
    ViewFinder finder([] {});
    for (int step = 0; step < 4; ++step)
      for (int again = 0; again < 3; ++again) {
        Cursor at;
        at.step = step;
        EXPECT_FALSE(finder.is_ready(slow, small, at, 0.02));
      }
  }
  EXPECT_EQ(begun, 4) << "a place is not searched again while it is under way";
  EXPECT_EQ(cancelled, 4);
}

TEST(ViewFinder, SaysWhyItFailedAndTriesAnotherPlace) {
  View failing = keys();
  failing.is_ready = [](const Recording&, const Cursor&) { return false; };
  failing.find = [](const Recording&, const Cursor& at, const Job&) {
    if (at.step == 1) throw std::runtime_error("The keys are lost.");
  };
  const auto small = sorted_keys(50, 32);
  ViewFinder finder([] {});
  for (const int step : {0, 1, 2, 1}) {
    Cursor at;
    at.step = step;
    EXPECT_FALSE(finder.is_ready(failing, small, at, 60));
    EXPECT_TRUE(finder.tick());
    EXPECT_EQ(finder.failure(), step == 1 ? "The keys are lost." : "") << step;
    EXPECT_FALSE(finder.is_ready(failing, small, at, 60));
    EXPECT_FALSE(finder.tick()) << "the failed place is not tried again";
    EXPECT_EQ(finder.failure(), step == 1 ? "The keys are lost." : "") << step;
  }
  const Scene failed = draw_view(keys(), {*small, Cursor{}, dark_theme(), 800, 400},
                                 Around{.waits = true, .failure = finder.failure()});
  EXPECT_TRUE(says(failed, "could not be computed: The keys are lost."));
  EXPECT_FALSE(says(failed, "Computing this view"));
}

// While another thread computes the data of a view, the window must draw a sentence instead of computing the
// data.
TEST(ViewFinder, TheWindowDrawsASentenceMeanwhile) {
  const auto large = sorted_keys(1 << 13, 256);
  const Scene waiting = draw_view(keys(), {*large, Cursor{}, dark_theme(), 800, 400}, Around{.waits = true});
  EXPECT_FALSE(large->has_key_pass(0, 0)) << "nothing was computed";
  EXPECT_TRUE(says(waiting, "Computing this view"));
}

TEST(ComparedFacts, AreNotOrderedAgainIfTheyCannotBeFound) {
  const auto recording = sorted_keys(50, 32);
  const Settings compared = recording->trace.settings;
  for (const bool fails : {false, true}) {
    std::atomic<int> orders = 0;
    ComparedFacts facts([] {},
                        [&](const ComparedFacts::Order&, Job&) {
                          ++orders;
                          if (fails) throw std::runtime_error("it cannot be found");
                          return SharedCost{.wavefronts = 5};
                        });
    for (int round = 0; round < 60; ++round) {
      facts.follow(recording, compared);
      facts.tick();
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    EXPECT_EQ(facts.compared_cost().has_value(), !fails);
    EXPECT_EQ(facts.shown_cost(), shared_cost(recording->facts.totals));
    EXPECT_EQ(orders, 1) << fails;
  }
}

}  // namespace background_test
}  // namespace upsweep
