// Tests that recordings of format 1 can still be opened. Such a recording contains sentences that say why the
// run was stopped and which driver it used; the reader replaces these sentences by codes.
#include "trace/format_1.hpp"

#include <gtest/gtest.h>

#include "analysis/hazards.hpp"
#include "trace/file.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace format_1_test {

const std::string root = UPSWEEP_SOURCE_DIR;

Stopped stopped(const std::string& sentence) {
  Trace t;
  read_as_codes(sentence, "", t);
  return t.stopped;
}

struct OldStop {
  const char* sentence;
  Stop kind;
  std::vector<std::uint32_t> lines;
};

// Converts a sentence of format 1 into the words that the program uses today.
std::string as_said_today(std::string sentence) {
  const std::pair<std::string, const char*> changed[] = {
      {"nothing that the running threads wait for happens any more.",
       "the running threads wait for something that can no longer happen."},
      {"thread 31 waits for other lanes behind the statement of line 6",
       "after the statement in line 6, thread 31 waits for other lanes"},
      {"lanes of its warp, but", "lanes of its warp. But"},
      {"line 65 at the barrier", "line 65, at the barrier"}};
  for (const auto& [then, now] : changed)
    if (const auto at = sentence.find(then); at != std::string::npos) sentence.replace(at, then.size(), now);
  return sentence;
}

// The sentences that the emulator and the GPU stored in files of format 1, and the code for each sentence.
const OldStop old_stops[] = {
    {"Line 29: thread 0 of block 0 has gone round this loop many times without an end in sight.",
     Stop::endless_loop,
     {29}},
    {"Line 17: thread 5 of block 2 has gone round this loop 1536 times without an end in sight.",
     Stop::endless_loop,
     {17}},
    {"Deadlock: in line 73, thread 0 of block 0 waits for lanes of its warp, but thread 16 waits in line 75.",
     Stop::deadlock,
     {73, 75}},
    {"Deadlock: in line 64, thread 0 of block 3 waits for lanes of its warp, but thread 16 waits in line 65 "
     "at the "
     "barrier of the block.",
     Stop::deadlock,
     {64, 65}},
    {"Deadlock: in line 64, thread 0 of block 0 waits for lanes of its warp.", Stop::deadlock, {64}},
    {"Deadlock: nothing that the running threads wait for happens any more. In block 0, threads 1 to 63 wait "
     "at the "
     "barrier of line 79. In block 0, thread 0 waits in the loop of line 77.",
     Stop::deadlock,
     {79, 77}},
    {"Deadlock: nothing that the running threads wait for happens any more. In block 12, threads 1, 4, 5, 9 "
     "wait at "
     "the warp barrier of line 8. In block 12, thread 31 waits for other lanes behind the statement of line "
     "6.",
     Stop::deadlock,
     {8, 6}},
    {"Deadlock: nothing that the running threads wait for happens any more.", Stop::deadlock, {}},
};

TEST(Format1, SentencesBecomeCodes) {
  for (const OldStop& old : old_stops) {
    const Stopped s = stopped(old.sentence);
    EXPECT_EQ(s.kind, old.kind) << old.sentence;
    std::vector<std::uint32_t> lines;
    for (const StoppedThreads& p : s.places) lines.push_back(p.line);
    EXPECT_EQ(lines, old.lines) << old.sentence;
    // Today's sentence about an endless loop is longer than the old sentence, so the test does not compare
    // these two sentences.
    if (old.kind != Stop::endless_loop) { EXPECT_EQ(in_words(s), as_said_today(old.sentence)); }
  }
  const Stopped misaligned = stopped(
      "Line 20: thread 7 of block 1 accesses 4 elements at once from number 6 on; a GPU does that only where "
      "4 begin "
      "together, at a multiple of their size in memory.");
  EXPECT_EQ(misaligned.kind, Stop::misaligned);
  EXPECT_EQ(misaligned.places.at(0), (StoppedThreads{Wait::none, 20, 0, 1, {7}}));
  EXPECT_EQ(misaligned.elements, 4u);
  EXPECT_EQ(misaligned.first_element, 6);
  const Stopped waits = stopped(
      "Deadlock: in line 39, thread 3 of block 7 waits for what nobody will write: every other thread waits "
      "too, or "
      "has ended.");
  ASSERT_EQ(waits.places.size(), 1u);
  EXPECT_EQ(waits.places[0], (StoppedThreads{Wait::value, 39, 0, 7, {3}}));
  EXPECT_FALSE(stopped(""));
  EXPECT_EQ(stopped("It was cut short.").kind, Stop::unknown);
}

// Reading a damaged file must be safe, even if a sentence in the file is cut off.
TEST(Format1, HalfASentenceIsReadAsFarAsItGoes) {
  for (const OldStop& old : old_stops) {
    const std::string whole = old.sentence;
    for (std::size_t n = 0; n <= whole.size(); ++n) {
      const Stopped s = stopped(whole.substr(0, n));
      EXPECT_EQ(in_words(s).empty(), n == 0);
    }
  }
  EXPECT_EQ(
      stopped("Line 99999999999999999999: thread 1 of block 99999999999 has gone round this loop 3 times.")
          .places[0]
          .line,
      0u);
}

TEST(Format1, TheDriversVersionsBecomeNumbers) {
  Trace t;
  read_as_codes("", "driver for CUDA 13.0, NVRTC 12.9", t);
  EXPECT_EQ(t.driver, 13000u);
  EXPECT_EQ(t.nvrtc, 12090u);
  Trace none;
  read_as_codes("", "580.1", none);
  EXPECT_EQ(none.driver, 0u);
}

TEST(Format1, ARecordingOfADeadlockOpens) {
  const Trace t = read_trace(root + "/tests/data/old/lookback-deadlock-1.0.upsweep");
  EXPECT_EQ(t.stopped.kind, Stop::deadlock);
  ASSERT_EQ(t.stopped.places.size(), 2u);
  EXPECT_EQ(t.stopped.places[0], (StoppedThreads{Wait::lanes, 105, 0, 1, {0}}));
  EXPECT_EQ(t.stopped.places[1], (StoppedThreads{Wait::barrier, 135, 0, 1, {1}}));
  EXPECT_EQ(t.machine, MachineKind::emulated);
  const Hazards h = hazards(t);
  EXPECT_TRUE(std::any_of(h.findings.begin(), h.findings.end(), [](const HazardFinding& f) {
    return f.kind == Hazard::deadlock && f.party.line == 105 && f.other.line == 135;
  }));
  // In the totals, each atomic must have an operation. In this recording, the operation is an addition.
  EXPECT_TRUE(std::any_of(t.counts.begin(), t.counts.end(), [](const Count& c) {
    return c.kind == Kind::global_atomic && c.detail == static_cast<std::uint8_t>(Atomic::add);
  }));
  EXPECT_EQ(unpack(pack(t), "again"), t) << "and is kept as a recording of today";
}

TEST(Format1, AShippedRecordingOfAnEndlessLoopOpens) {
  const Trace t = read_trace(root + "/assets/traces/bug_missing_shift_assign.upsweep");
  EXPECT_EQ(t.stopped.kind, Stop::endless_loop);
  ASSERT_EQ(t.stopped.places.size(), 1u);
  EXPECT_EQ(t.stopped.places[0].line, 30u);
  EXPECT_EQ(t.stopped.rounds, 0u);
  EXPECT_EQ(t.machine, MachineKind::gpu);
  EXPECT_GT(t.driver, 12000u);
  EXPECT_GT(t.nvrtc, 12000u);
  EXPECT_EQ(t.grids[0].shared.name, "temp");
}

}  // namespace format_1_test
}  // namespace upsweep
