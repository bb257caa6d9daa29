// Starts sessions with made-up times, to test the part of the window that shows times.
#pragma once
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "measure/sweep.hpp"
#include "support/made_up_timings.hpp"
#include "support/session_start.hpp"

namespace upsweep {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Returns made-up times in the form that `upsweep bench` writes: every row of a kernel names its algorithm.
inline Timings recorded(std::vector<MadeUp> contenders = usual_contenders()) {
  Timings all = made_up_timings(contenders);
  for (Timing& t : all.rows) {
    t.settings.algorithm = t.contender == Contender::kernel ? t.name : "";
    if (t.variant == "pad32") t.settings.choose("layout", t.variant);
  }
  all.recorded = "made up";
  return all;
}

// Returns the rows that a computer without a GPU plans to measure. Rows of a GPU have the reason why they are
// missing.
inline Timings planned_without_gpu(const SweepRequest& request) {
  Timings all;
  for (const SweepGroup& group :
       plan_sweep(request, {0, std::uint64_t{1} << 40, 0, plain("There is no GPU here."), {}}))
    all.rows.insert(all.rows.end(), group.rows.begin(), group.rows.end());
  return all;
}

// Returns a Session::Start for a session that has these timings. The session calls `measure` to measure.
inline Session::Start timed(std::vector<TimingSource> sources, Sweeper::Measure measure = {},
                            const std::string& algorithm = "scan_blelloch") {
  Session::Start s = start(64, algorithm);
  s.timing.recorded = std::move(sources);
  s.timing.measure = std::move(measure);
  return s;
}

// Calls tick(), as the window does, until the condition is true or 20 s have passed.
template <class Condition>
void tick_until(Session& s, Condition condition) {
  const auto begin = Clock::now();
  while (!condition() && seconds_since(begin) < 20) {
    s.tick(0);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_TRUE(condition());
}

}  // namespace upsweep
