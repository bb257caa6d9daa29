// Tests the hazard analysis on hand-made recordings and on recorded runs.
#include "analysis/hazards.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "support/hazard_script.hpp"
#include "words/hazard_words.hpp"

namespace upsweep {
namespace hazards_test {

// Returns a line such as "shared race 12 10" for each finding. The line contains "(since Volta)" if the race
// cannot happen in lockstep.
std::string found(const Hazards& h) {
  std::string text;
  for (const HazardFinding& f : h.findings)
    text += std::string(name(f.kind)) + " " + std::to_string(f.party.line) +
            (f.other.line ? " " + std::to_string(f.other.line) : "") + (f.lockstep ? "" : " (since Volta)") +
            "\n";
  return text;
}
std::string found(Script& s) { return found(hazards(s.trace())); }
std::string first_in_words(Script& s) { return what_happens(s.t, hazards(s.trace()).findings.at(0)); }

ByLane shifted(int by) {
  return [=](int lane) { return (lane + by) % 64; };
}

TEST(Races, ABarrierOrdersWhatABlockDoes) {
  for (const bool with_barrier : {true, false}) {
    Script s;
    for (int w = 0; w < 2; ++w) s.write(0, w, all, 10, [=](int l) { return 32 * w + l; });
    if (with_barrier) s.barriers(0, 11);
    for (int w = 0; w < 2; ++w) s.read(0, w, all, 12, [=](int l) { return (32 * w + l + 32) % 64; });
    EXPECT_EQ(found(s), with_barrier ? "" : "shared race 12 10\n");
  }
}

TEST(Races, AReadBeforeAStoreNeedsABarrierToo) {
  for (const bool with_barrier : {true, false}) {
    Script s;
    for (int w = 0; w < 2; ++w) s.write(0, w, all, 9, [=](int l) { return 32 * w + l; });
    s.barriers(0, 10);
    for (int w = 0; w < 2; ++w) s.read(0, w, all, 12, at(5));
    if (with_barrier) s.barriers(0, 13);
    s.write(0, 0, one(5), 14, at(5));
    EXPECT_EQ(found(s), with_barrier ? "" : "shared race 14 12\n");
  }
}

TEST(Races, WithinAWarpLockstepOrdersWhatIndependentLanesDoNot) {
  Script s;
  s.write(0, 0, all, 10, own);
  s.read(0, 0, all, 11, shifted(1));
  s.write(0, 0, all, 12, own);
  const Hazards h = hazards(s.trace());
  EXPECT_EQ(found(h),
            "shared race 11 10 (since Volta)\nuninitialised read 11\nshared race 12 11 (since Volta)\n");
  EXPECT_EQ(h.findings[0].advice, Advice::sync_block) << "a block may have several warps";

  Script synchronised;
  synchronised.write(0, 0, all, 10, own);
  synchronised.syncwarp(0, 0, all, 11);
  synchronised.read(0, 0, all, 12, [](int l) { return (l + 1) % 32; });
  synchronised.syncwarp(0, 0, all, 13);
  synchronised.write(0, 0, all, 14, own);
  EXPECT_EQ(found(synchronised), "");
}

TEST(Races, AWarpBarrierOrdersTheLanesOfItsMaskAlone) {
  Script s;
  s.write(0, 0, all, 10, own);
  s.syncwarp(0, 0, 0xffff, 11);
  s.read(0, 0, one(0), 12, at(15));
  s.read(0, 0, one(1), 13, at(16));
  EXPECT_EQ(found(s), "shared race 13 10 (since Volta)\n");
}

TEST(Races, WarpBarriersOfDifferentLanesAddUp) {
  Script s;
  s.write(0, 0, one(9), 10, at(9));
  s.syncwarp(0, 0, one(9) | one(4), 11);
  s.syncwarp(0, 0, one(4) | one(2), 12);
  s.read(0, 0, one(2), 13, at(9));
  EXPECT_EQ(found(s), "");
}

TEST(Races, AShuffleOrdersNoMemory) {
  Script s;
  s.write(0, 0, all, 10, own);
  s.shuffle(0, 0, all, 11, [](int l) { return l ^ 1; });
  s.read(0, 0, all, 12, [](int l) { return l ^ 1; });
  EXPECT_EQ(found(s), "shared race 12 10 (since Volta)\n");
}

TEST(Races, LanesOfOneRequestCollideUnderEitherModel) {
  Script s;
  s.write(0, 0, all, 10, at(3));
  EXPECT_EQ(found(s), "shared race 10 10\n");
  Script same_value;
  same_value.write(0, 0, all, 10, at(3), at(7));
  EXPECT_EQ(found(same_value), "");
}

TEST(Races, AllReadersCountNotOnlyTheLast) {
  Script s(1, 96);
  s.write(0, 0, one(0), 8, at(3));
  s.barriers(0, 9);
  s.read(0, 1, all, 10, at(3));
  s.read(0, 2, all, 11, at(3));
  s.read(0, 0, one(0), 12, at(3));
  s.write(0, 0, one(0), 13, at(3));
  EXPECT_EQ(found(s), "shared race 13 11\nshared race 13 10\n");
}

TEST(Races, BlocksShareGlobalMemoryInNoOrder) {
  Script s(2);
  s.store(Script::out, 0, 0, all, 10, own);
  s.load(Script::out, 1, 0, one(3), 11, at(4));
  EXPECT_EQ(found(s), "global race 11 10\n");
  Script launched(2);
  launched.store(Script::out, 0, 0, all, 10, own);
  launched.launch();
  launched.load(Script::out, 1, 0, one(3), 11, at(4));
  EXPECT_EQ(found(launched), "");
}

enum Leave { nothing, first_fence, second_fence, device_scope, volatile_flag };
class Publication : public testing::TestWithParam<Leave> {};

// The threads of a block write sums. Then thread 0 sets a flag, thread 0 of another block waits for this
// flag, and the threads of the other block read the sums. Each case of the test leaves out or weakens one
// part of this protocol (see Leave).
TEST_P(Publication, NeedsFencesOnBothSidesAndAFlag) {
  const Leave left_out = GetParam();
  const Scope scope = left_out == device_scope ? Scope::block : Scope::device;
  const int how = left_out == volatile_flag ? 0 : is_volatile;
  Script s(2);
  for (int w = 0; w < 2; ++w) s.store(Script::sums, 0, w, all, 10, [=](int l) { return 32 * w + l; });
  s.barriers(0, 11);
  if (left_out != first_fence) s.fence(0, 0, one(0), 12, scope);
  s.load(Script::flags, 1, 0, one(0), 20, at(2), 0, how);
  s.store(Script::flags, 0, 0, one(0), 13, at(2), at(1), how);
  s.load(Script::flags, 1, 0, one(0), 20, at(2), 1, how);
  if (left_out != second_fence) s.fence(1, 0, one(0), 21, scope);
  s.barriers(1, 22);
  for (int w = 0; w < 2; ++w) s.load(Script::sums, 1, w, all, 23, [=](int l) { return 63 - 32 * w - l; });
  std::string expected = left_out == nothing ? "" : "global race 23 10\n";
  if (left_out == volatile_flag) expected = "global race 13 20\nglobal race 20 13\n" + expected;
  const std::string text = found(s);
  if (left_out == volatile_flag) {
    EXPECT_NE(text.find("global race 13 20\n"), std::string::npos) << text;
    EXPECT_NE(text.find("global race 23 10\n"), std::string::npos) << text;
  } else {
    EXPECT_EQ(text, expected);
  }
}
INSTANTIATE_TEST_SUITE_P(, Publication,
                         testing::Values(nothing, first_fence, second_fence, device_scope, volatile_flag));

TEST(Races, EveryThreadsFenceBeforeTheBarrierPublishesToo) {
  for (const bool with_fence : {true, false}) {
    Script s(2);
    for (int w = 0; w < 2; ++w) {
      s.store(Script::sums, 0, w, all, 10, [=](int l) { return 32 * w + l; });
      if (with_fence || w == 0) s.fence(0, w, all, 11);
    }
    s.barriers(0, 12);
    s.store(Script::flags, 0, 0, one(0), 13, at(2), at(1), is_volatile);
    s.load(Script::flags, 1, 1, one(3), 20, at(2), 1, is_volatile);
    s.fence(1, 1, one(3), 21);
    s.load(Script::sums, 1, 1, one(3), 22, at(40));
    EXPECT_EQ(found(s), with_fence ? "" : "global race 22 10\n");
  }
}

TEST(Races, WhoSawAnotherValueOfTheFlagKnowsNothing) {
  Script s(2);
  s.store(Script::sums, 0, 0, one(0), 10, at(0));
  s.fence(0, 0, one(0), 11);
  s.store(Script::flags, 0, 0, one(0), 12, at(0), at(1), is_volatile);
  s.load(Script::flags, 1, 0, one(0), 20, at(0), 0, is_volatile);
  s.fence(1, 0, one(0), 21);
  s.load(Script::sums, 1, 0, one(0), 22, at(0));
  EXPECT_EQ(found(s), "global race 22 10\n");
}

// Each block stores its sum and then increases a counter. The last block that increases the counter reads all
// sums.
//
// On a GPU, an atomic is recorded after it has happened, so two atomics may be recorded in the wrong order.
// If `overtaken` is true, the recording contains two atomics in the wrong order.
TEST(Races, TheLastBlockKnowsAllOthers) {
  for (const bool overtaken : {false, true})
    for (const bool with_fence : {true, false}) {
      Script s(3, 32);
      s.t.machine = overtaken ? MachineKind::gpu : MachineKind::emulated;
      for (std::uint32_t b = 0; b < 3; ++b) {
        s.store(Script::sums, b, 0, one(0), 10, at(static_cast<int>(b)));
        if (with_fence) s.fence(b, 0, one(0), 11);
      }
      s.atomic(Script::flags, 0, 0, 0, 12, 0, 0, 1);
      if (overtaken) {
        s.atomic(Script::flags, 2, 0, 0, 12, 0, 2, 3);
        s.fence(2, 0, one(0), 13);
        s.atomic(Script::flags, 1, 0, 0, 12, 0, 1, 2);
      } else {
        s.atomic(Script::flags, 1, 0, 0, 12, 0, 1, 2);
        s.atomic(Script::flags, 2, 0, 0, 12, 0, 2, 3);
        s.fence(2, 0, one(0), 13);
      }
      s.barriers(2, 14);
      s.load(Script::sums, 2, 0, 7, 15, own);
      EXPECT_EQ(found(s), with_fence ? "" : "global race 15 10\n") << overtaken;
    }
}

TEST(Races, BlocksOutOfFocusPassOnWhatTheyWereTold) {
  Script s(3, 32);
  s.t.runs = {{.grid = 0, .block = 0}, {.grid = 0, .block = 1, .in_focus = false}, {.grid = 0, .block = 2}};
  s.store(Script::sums, 0, 0, one(0), 10, at(0));
  s.fence(0, 0, one(0), 11);
  s.store(Script::flags, 0, 0, one(0), 12, at(0), at(1), is_volatile);
  s.load(Script::flags, 1, 0, one(0), 20, at(0), 1, is_volatile);
  s.fence(1, 0, one(0), 21);
  s.store(Script::flags, 1, 0, one(0), 22, at(1), at(1), is_volatile);
  s.load(Script::flags, 2, 0, one(0), 20, at(1), 1, is_volatile);
  s.fence(2, 0, one(0), 21);
  s.load(Script::sums, 2, 0, one(0), 23, at(0));
  EXPECT_EQ(found(s), "");
}

TEST(Races, AtomicsDoNotRaceWithEachOtherButWithPlainAccesses) {
  Script s(2);
  s.atomic(Script::flags, 0, 0, 0, 10, 0, 0, 1);
  s.atomic(Script::flags, 1, 0, 0, 10, 0, 1, 2);
  EXPECT_EQ(found(s), "");
  s.load(Script::flags, 1, 1, one(0), 11, at(0), 2);
  EXPECT_EQ(found(s), "global race 11 10\n");
}

TEST(Races, ChildrenSeeWhatTheirLaunchSays) {
  for (const ChildLaunch how : {ChildLaunch::tail, ChildLaunch::fire_and_forget}) {
    const bool tail = how == ChildLaunch::tail;
    Script s;
    s.store(Script::out, 0, 0, one(0), 10, at(0));
    s.store(Script::out, 0, 1, one(0), 11, at(1));
    const int child = s.child(0, 0, 0, 0, how, 12);
    s.load(Script::out, 0, 0, one(0), 20, at(0));
    s.load(Script::out, 0, 0, one(0), 21, at(1));
    EXPECT_EQ(found(s), tail ? "" : "global race 21 11\n");
    if (tail) continue;
    // The parent reads out[5] without waiting for its child.
    s.store(Script::out, 0, 0, one(5), 22, at(5));
    s.grid(0);
    s.load(Script::out, 0, 0, one(0), 13, at(5));
    EXPECT_EQ(found(s), "global race 21 11\nglobal race 13 22\n");
    // A later tail launch waits for the parent and the child.
    s.child(0, 0, 0, 0, ChildLaunch::tail, 14);
    s.load(Script::out, 0, 0, one(0), 30, at(5));
    s.load(Script::out, 0, 0, one(0), 31, at(1));
    EXPECT_EQ(found(s), "global race 21 11\nglobal race 13 22\n");
    EXPECT_EQ(child, 1);
  }
}

TEST(Barriers, MustBeReachedByAllThreadsAtOnePlace) {
  Script left;
  left.barrier(0, 0, 10);
  left.read(0, 1, one(0), 5, at(0));
  left.write(0, 0, one(0), 11, at(0));
  EXPECT_EQ(found(left), "uninitialised read 5\ndivergent barrier 10\nshared race 11 5\n");
  Script elsewhere;
  elsewhere.barrier(0, 0, 10, 0xffff);
  elsewhere.barrier(0, 0, 20, 0xffff0000);
  elsewhere.barrier(0, 1, 10);
  elsewhere.write(0, 0, one(0), 21, at(0));
  EXPECT_EQ(found(elsewhere), "divergent barrier 10 20\n");
  EXPECT_EQ(first_in_words(elsewhere),
            "Thread 0 waits at the barrier in line 10, but thread 16 waits at the barrier in line 20.");
}

TEST(Shuffles, TakeFromLanesThatTakePart) {
  Script s;
  s.shuffle(0, 0, 0xff, 10, [](int l) { return l ^ 1; });
  EXPECT_EQ(found(s), "");
  s.shuffle(0, 0, 0xff, 11, [](int l) { return l ^ 8; });
  EXPECT_EQ(found(s), "absent lane 11\n");
}

TEST(Reads, OfWhatNobodyWrote) {
  Script s(2);
  s.write(0, 0, one(0), 10, at(0));
  s.read(0, 0, one(0), 11, at(1));
  s.load(Script::in, 0, 0, one(0), 12, at(1));
  s.load(Script::flags, 0, 0, one(0), 13, at(1));
  s.load(Script::sums, 0, 0, one(0), 14, at(1));
  s.read(1, 0, one(0), 15, at(0));  // each block has its own shared memory
  const Hazards h = hazards(s.trace());
  EXPECT_EQ(found(h), "uninitialised read 11\nuninitialised read 14\nuninitialised read 15\n");
  EXPECT_EQ(what_happens(s.t, h.findings[1]),
            "Thread 0 of block 0 reads sums[1], which no thread wrote before.");
}

TEST(Reads, OfScratchAreNotJudgedWhereStoresAreNotRecorded) {
  Script s(2);
  s.t.runs = {{.grid = 0, .block = 0}, {.grid = 0, .block = 1, .in_focus = false}};
  s.load(Script::sums, 0, 0, one(0), 14, at(1));
  EXPECT_EQ(found(s), "");
}

TEST(Bounds, NameThreadCellAndMemory) {
  Script s;
  s.store(
      Script::out, 0, 1, all, 10, [](int l) { return 32 + l + 1; }, own, is_outside);
  const Hazards h = hazards(s.trace());
  ASSERT_EQ(h.findings.size(), 1u);
  EXPECT_EQ(h.findings[0].kind, Hazard::out_of_bounds);
  EXPECT_EQ(what_happens(s.t, h.findings[0]), "Thread 63 writes out[64], beyond the last of 64 cells.");
  EXPECT_EQ(h.findings[0].count, 1u);
}

TEST(Findings, FoldByKindAndLinesAndKeepTheWidestExample) {
  Script s(1, 64);
  s.write(0, 0, all, 10, own);
  s.read(0, 0, one(1), 12, at(2));
  for (int l = 0; l < 5; ++l) s.read(0, 1, one(l), 12, at(l));
  const Hazards h = hazards(s.trace());
  ASSERT_EQ(h.findings.size(), 1u);
  EXPECT_EQ(h.findings[0].count, 6u);
  EXPECT_TRUE(h.findings[0].lockstep);
  EXPECT_EQ(cell_text(s.t, h.findings[0]), "temp[0]");
  EXPECT_EQ(what_happens(s.t, h.findings[0]),
            "Thread 0 writes temp[0] in line 10, thread 32 reads it in line 12, and nothing orders the "
            "two accesses.");
  Hazards twice = h;
  add(twice, h);
  ASSERT_EQ(twice.findings.size(), 1u);
  EXPECT_EQ(twice.findings[0].count, 12u);
}

TEST(Stops, NameTheirLines) {
  Script s;
  s.t.stopped = {.kind = Stop::endless_loop, .places = {{Wait::none, 17, 0, 0, {0}}}, .rounds = 1536};
  EXPECT_EQ(found(s), "endless loop 17\n");
  EXPECT_EQ(first_in_words(s),
            "The loop of line 17 never ends, because the loop does not change the values that its condition "
            "reads. Thread 0 of block 0 ran 1,536 iterations.");
  EXPECT_EQ(hazards(s.t).findings[0].advice, Advice::end_loop);
  s.t.stopped.kind = Stop::round_limit;
  EXPECT_EQ(found(s), "endless loop 17\n");
  EXPECT_EQ(first_in_words(s),
            "The run was stopped after 1,536 iterations of the loop of line 17, in thread 0 of block 0. "
            "--rounds raises the limit.");
  EXPECT_EQ(hazards(s.t).findings[0].advice, Advice::raise_rounds);
  s.t.stopped.kind = Stop::launch_limit;
  EXPECT_EQ(found(s), "endless launches 17\n");
  EXPECT_EQ(first_in_words(s),
            "The run was stopped, because its threads had launched 1,536 grids. Thread 0 of block 0 launches "
            "another "
            "grid in line 17.");
  s.t.stopped = {.kind = Stop::deadlock,
                 .places = {{Wait::barrier, 79, 0, 0, {1, 2, 3}}, {Wait::loop, 77, 0, 0, {0}}}};
  EXPECT_EQ(found(s), "deadlock 79 77\n");
  EXPECT_EQ(first_in_words(s),
            "Deadlock: the running threads wait for something that can no longer happen. In block 0, threads "
            "1 to 3 wait at the barrier of line 79. In block 0, thread 0 waits in the loop of line 77.");
  s.t.stopped = {.kind = Stop::deadlock};
  EXPECT_EQ(found(s), "deadlock 0\n");
}

// Regression test: a misaligned access was reported as an endless loop, with the advice to change the loop's
// condition.
TEST(Stops, AMisalignedAccessIsNoEndlessLoop) {
  Script s;
  s.t.stopped = {
      .kind = Stop::misaligned, .places = {{Wait::none, 20, 0, 0, {0}}}, .elements = 4, .first_element = 1};
  EXPECT_EQ(found(s), "misaligned access 20\n");
  const Hazards h = hazards(s.t);
  EXPECT_EQ(h.findings[0].advice, Advice::align);
  EXPECT_EQ(advice_text(s.t, h.findings[0]),
            "Let every vector access begin at an element whose index is a multiple of 4.");
}

}  // namespace hazards_test
}  // namespace upsweep
