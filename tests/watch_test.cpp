// Opens each algorithm in the window. The first recording must show what the algorithm's Watch line claims.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "analysis/time_line.hpp"
#include "study/teaching.hpp"
#include "support/session_start.hpp"
#include "support/watched_reductions.hpp"
#include "support/watched_scans.hpp"

namespace upsweep {
namespace watch_test {

using watched::Watched;

// Returns a session that has just opened the algorithm from the list.
std::unique_ptr<Session> opened(const Algorithm& a) {
  auto s =
      std::make_unique<Session>(start(64, a.name == "scan_blelloch" ? "reduce_serial" : "scan_blelloch"));
  s->set_algorithm(a.name);
  s->settle(60);
  return s;
}

TEST(Watch, WhatOpensShowsWhatItIsAbout) {
  std::map<std::string, std::function<void(const Recording&)>> checks;
  for (const auto& some : {watched::watched_in_reductions(), watched::watched_in_scans()})
    for (const Watched& w : some) {
      EXPECT_NO_THROW(algorithm(w.kernel)) << w.kernel;
      EXPECT_TRUE(checks.emplace(w.kernel, w.check).second) << w.kernel << " is here twice";
    }
  for (const Algorithm& a : algorithms()) {
    SCOPED_TRACE(a.name + ": " + a.watch);
    if (a.is_broken()) continue;  // see Teaching.EveryBugShowsAtOnce
    const auto check = checks.find(a.name);
    if (check == checks.end()) {
      ADD_FAILURE() << "what its Watch line claims has no check";
      continue;
    }
    const auto session = opened(a);
    const Recording& r = session->recording();
    if (a.language == Language::glsl && r.trace.machine != MachineKind::opengl) continue;  // no OpenGL
    ASSERT_EQ(r.trace.settings.algorithm, a.name) << session->error();
    SCOPED_TRACE(fmt::format("n = {}, block {}", r.trace.settings.n, r.trace.settings.block));
    EXPECT_LT(r.trace.events.size(), 200'000u) << "the recording is quick";
    check->second(r);
  }
}

// If the user opens a scan with look-back in the window or on the command line, the cursor must be at a block
// and a step that look back.
TEST(Watch, ALookBackOpensWhereABlockLooksBack) {
  int count = 0;
  for (const Algorithm& a : cuda_algorithms()) {
    if (!a.waits_for_blocks() || a.uses_grid || a.is_broken()) continue;
    const auto session = opened(a);
    const Recording& r = session->recording();
    const auto place = place_of_look_back(r);
    if (!place) continue;
    ++count;
    EXPECT_EQ(session->cursor().block, place->block) << a.name;
    EXPECT_EQ(session->cursor().step, place->step) << a.name;
    EXPECT_EQ(r.trace.steps[static_cast<std::size_t>(place->step)].phase, Phase::look_back) << a.name;
    EXPECT_FALSE(r.actions(place->block, place->step).empty()) << a.name;
    const TimeLine& line = r.time_line();
    const int farthest = std::ranges::max(line.rows, {}, &TimeLine::Row::looked_back).looked_back;
    EXPECT_EQ(line.rows[row_of(line, grid_index(r.trace, place->step), place->block)].looked_back, farthest)
        << a.name;
    Session::Start at_once = start();
    at_once.settings = r.trace.settings;
    const Session direct(std::move(at_once));
    EXPECT_EQ(direct.cursor().step, place->step) << a.name;
    EXPECT_EQ(direct.cursor().block, place->block) << a.name;
  }
  EXPECT_GE(count, 3);
  EXPECT_FALSE(place_of_look_back(opened(algorithm("scan_large"))->recording()));
}

}  // namespace watch_test
}  // namespace upsweep
