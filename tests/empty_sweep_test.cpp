// Tests sweeps (measurements of a list of rows) that measure nothing: the former times must stay.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "study/timing_source.hpp"
#include "support/timed_session.hpp"

namespace upsweep {
namespace empty_sweep_test {

// Measures made-up times. Waits until `may_end` is true. If `works` is false, no row has a time.
struct MadeUpMeasure {
  std::atomic<bool> may_end = true, works = false;
  Sweeper::Measure function() {
    return [this](const SweepRequest& r, const std::function<void(const SweepProgress&)>&, std::stop_token) {
      while (!may_end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      Timings all = planned_without_gpu(r);
      for (Timing& t : all.rows)
        if (works) t.missing = {}, t.seconds = made_up_spread(1e-3);
      return all;
    };
  }
};

void sweep(Session& s) {
  s.measure_times();
  tick_until(s, [&] { return !s.timing.measuring(); });
}

TEST(EmptySweep, ShowsTheFormerSource) {
  MadeUpMeasure made_up;
  Session s(
      timed({source_of("one", recorded()), source_of("two", recorded())}, made_up.function(), "radix_sort"));
  s.next_timings();
  ASSERT_EQ(s.timing.source()->name, "two");
  sweep(s);
  EXPECT_EQ(s.error(), "Nothing was measured here. There is no GPU here.");
  EXPECT_EQ(s.timing.source()->name, "two");
  Session without_times(timed({}, made_up.function(), "radix_sort"));
  sweep(without_times);
  EXPECT_TRUE(without_times.timing.source()->live) << "the only source says why it is empty";
}

TEST(EmptySweep, KeepsTheTimesOfAnEarlierSweep) {
  MadeUpMeasure made_up;
  Session s(timed({source_of("one", recorded())}, made_up.function(), "radix_sort"));
  made_up.works = true;
  sweep(s);
  const std::size_t rows = s.timing.source()->timings->rows.size();
  made_up.works = false;
  sweep(s);
  ASSERT_TRUE(s.timing.source()->live);
  EXPECT_EQ(s.timing.source()->timings->rows.size(), rows);
  EXPECT_GT(s.timing.source()->timings->rows.at(0).seconds.count, 0);
}

TEST(EmptySweep, KeepsTheSourceThatWasChosenMeanwhile) {
  MadeUpMeasure made_up;
  Session s(
      timed({source_of("one", recorded()), source_of("two", recorded())}, made_up.function(), "radix_sort"));
  made_up.may_end = false;
  s.measure_times();
  s.next_timings();
  s.next_timings();
  ASSERT_EQ(s.timing.source()->name, "two");
  made_up.may_end = true;
  tick_until(s, [&] { return !s.timing.measuring(); });
  EXPECT_EQ(s.timing.source()->name, "two");
}

}  // namespace empty_sweep_test
}  // namespace upsweep
