// Tests the sentences about a step: its actions, wide accesses, several loads before the first result, the
// iterations of a loop, and the order of a protocol.
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/block_index.hpp"
#include "analysis/memory.hpp"
#include "analysis/rounds.hpp"
#include "analysis/shared_request.hpp"
#include "analysis/step_index.hpp"
#include "support/compile_cases.hpp"
#include "support/drawn_views.hpp"
#include "support/pictures.hpp"
#include "words/words.hpp"

namespace upsweep {
namespace step_words_test {

// Returns the first step of this phase in a launch.
int step_of(const Recording& r, Phase phase, int launch = 0) {
  int step = static_cast<int>(r.trace.grids.at(static_cast<std::size_t>(launch)).first_step);
  while (r.trace.steps.at(static_cast<std::size_t>(step)).phase != phase) ++step;
  return step;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

TEST(StepWords, SayWhatTheBookSays) {
  const Recording r = record("scan_blelloch", 64);
  EXPECT_EQ(
      words(r, at_step(3)),
      "Up-sweep, stride 4. Threads 0–7 each add temp[8t+3] into temp[8t+7]. Neighbouring lanes are 8 words "
      "apart, so the words are in only 4 banks. Words 3 and 35 share bank 3: a 2-way bank conflict. Reading "
      "temp[8t+3] takes 2 wavefronts instead of 1. Each of the step's other 2 requests also takes 2 "
      "wavefronts. In all: 3 excess wavefronts. 8 lanes active, 24 masked off. 56 of 126 additions done.");
  EXPECT_EQ(words(r, at_step(7)).find("Clear. Thread 0 puts the identity 0 into temp[63]."), 0u);
  EXPECT_TRUE(words(r, at_step(8))
                  .starts_with("Down-sweep, stride 32. Thread 0 copies temp[63] to temp[31] and "
                               "adds the previous temp[31] into temp[63]."));
  const Recording h = record("scan_hillis_steele", 40);
  EXPECT_EQ(words(h, at_step(3))
                .find("Scan, stride 2: reading. Threads 2–39 each read temp[t−2]. Nothing is stored"),
            0u);
  EXPECT_NE(words(h, at_step(4)).find("Threads 2–39 had read temp[t−2] in an earlier step."),
            std::string::npos);
}

TEST(StepWords, OneRequestIsNotSeveral) {
  const Recording one = record("reduce_interleaved", 64), more = record("scan_blelloch", 64);
  EXPECT_TRUE(has(words(one, at_step(step_of(one, Phase::store))),
                  "1 sector of 32 bytes, the fewest possible for this request."));
  EXPECT_TRUE(has(words(more, at_step(step_of(more, Phase::store))),
                  "8 sectors of 32 bytes, the fewest possible for these requests."));
}

TEST(StepWords, AWideAccessNamesAllItsElements) {
  const Recording r = record("scan_vector4", 64);
  const std::string load = words(r, at_step(step_of(r, Phase::load)));
  EXPECT_TRUE(has(load, "Threads 0–7 each read in[4t … 4t+3 and 4t+32 … 4t+35].")) << load;
  const std::string offset = words(r, at_step(step_of(r, Phase::offset)));
  EXPECT_TRUE(has(offset, "compute temp[t] + in[4t] and temp[t+8] + in[4t+32] in their registers")) << offset;
  const std::string store = words(r, at_step(step_of(r, Phase::store)));
  EXPECT_TRUE(has(store, "each write 4 values to out[4t … 4t+3 and 4t+32 … 4t+35].")) << store;
}

// In a sentence about several threads, a possessive must be plural: "Threads 0–31 each put their own value".
TEST(StepWords, APossessiveAgreesWithItsSubject) {
  int singular = 0, plural = 0;
  for (const Algorithm* a : correct_algorithms(Language::cuda))
    for (const int n : {31, 64, 200}) {
      Recording r;
      try {
        r = record(a->name, n);
      } catch (const std::exception&) { continue; }  // the algorithm does not accept this size
      for (int step = 0; step < std::ssize(r.trace.steps); ++step) {
        const std::string all = words(r, at_step(step)) + " ";
        for (std::size_t begin = 0, end; (end = all.find(". ", begin)) != all.npos; begin = end + 2) {
          const std::string sentence = all.substr(begin, end - begin);
          const bool many = has(sentence, " each ");
          const bool its = has(sentence, " its own ") || has(sentence, " of its own") ||
                           has(sentence, " in its register"),
                     their = has(sentence, " their own ") || has(sentence, " of their own") ||
                             has(sentence, " in their registers");
          EXPECT_FALSE(many ? its : their) << a->name << ": " << sentence;
          singular += !many && its;
          plural += many && their;
        }
      }
    }
  EXPECT_GT(singular, 10);
  EXPECT_GT(plural, 50);
}

TEST(StepWords, AFenceIsToldInProgramOrder) {
  const Recording r = record("scan_decoupled_lookback", 1024, {}, 3, 128);
  const std::string publish = words(r, at_step(step_of(r, Phase::publish)));
  EXPECT_TRUE(
      has(publish, "writes its own value to prefixes[0], executes a fence, and puts 2 into status[0]."))
      << publish;
  Cursor c = at_step(step_of(r, Phase::look_back));
  c.block = 3;
  const std::string back = words(r, c);
  const std::size_t status = back.find("read status["), prefix = back.find("prefixes[2]"),
                    own = back.find(
                        "into prefixes[3], and executes a fence. The same thread puts 2 into status[3].");
  EXPECT_LT(status, prefix) << back;
  EXPECT_LT(prefix, own) << back;
  EXPECT_NE(own, back.npos) << back;
}

TEST(StepWords, LoadsUnderWayAreCounted) {
  for (const int fold : {2, 4, 8}) {
    Settings s;
    s.choose("fold", std::to_string(fold));
    const Recording r = record("reduce_unrolled", 4096, s, 3, 64);
    const LoadsUnderWay loads = loads_under_way(r.trace, 0, 0);
    EXPECT_EQ(loads.most, fold);
    EXPECT_TRUE(loads.all);
    EXPECT_TRUE(
        has(words(r, at_step(0)),
            fmt::format("Each thread issues {} loads before it uses any of the loaded values.", fold)));
  }
  for (const int in_flight : {1, 2, 4}) {
    Settings s;
    s.choose("in_flight", std::to_string(in_flight));
    const Recording r = record("reduce_vectorized", 1 << 14, s, 3, 64);
    EXPECT_EQ(loads_under_way(r.trace, 0, 0).most, in_flight);
    EXPECT_EQ(loads_under_way(r.trace, 0, 0).bytes, 16);
  }
  const Recording one = record("reduce_serial", 8);
  EXPECT_FALSE(has(words(one, at_step(1)), " loads "));
}

TEST(StepWords, AnUnevenLoopSaysItsFirstAndItsLastRound) {
  const Recording r = record("scan_per_output", 64);
  const Rounds rounds = longest_rounds(r.trace, 0, 0);
  EXPECT_EQ(rounds.count, 63);
  EXPECT_EQ(rounds.first, 63);
  EXPECT_EQ(rounds.last, 1);
  EXPECT_TRUE(has(words(r, at_step(0)), fmt::format("Line {} runs in 63 iterations: 63 of 64 lanes work in "
                                                    "the first iteration, and 1 in the last iteration.",
                                                    rounds.line)));
  EXPECT_EQ(longest_rounds(record("scan_blelloch", 64).trace, 0, 3).count, 0);
}

TEST(StepWords, TheChosenRequestsLanesAreSaidAndMarked) {
  const Recording r = record("scan_per_output", 64);
  Cursor c;
  EXPECT_TRUE(says(draw("warps", r, c, 900, 300), "active: 64"));
  const std::vector<int>& requests = r.step(0, 0).requests;
  for (std::size_t i = 0; i < requests.size(); ++i)
    if (std::popcount(r.trace.events[static_cast<std::size_t>(requests[i])].mask) == 8)
      c.request = static_cast<int>(i);
  ASSERT_GE(c.request, 0);
  const Event& e = r.trace.events[static_cast<std::size_t>(chosen_event(r, c))];
  EXPECT_TRUE(
      has(words(r, c), fmt::format("Request {} of {} is in line {}: 8 of 32 lanes of warp {} take part.",
                                   c.request + 1, requests.size(), e.line, int{e.warp})))
      << words(r, c);
  const Scene scene = draw("warps", r, c, 900, 300);
  EXPECT_TRUE(says(scene, "in this request: 8"));
  EXPECT_TRUE(says(scene, "active, not in this request: 56"));
}

// Splits a text into sentences. A colon, a comma or an index does not end a sentence.
std::vector<std::string> sentences_in(const std::string& text) {
  std::vector<std::string> all(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i > 0 && text[i] == ' ' && text[i - 1] == '.') all.emplace_back();
    else all.back() += text[i];
  }
  return all;
}

TEST(StepWords, ASentenceIsShort) {
  constexpr int most = 24;
  for (const Algorithm* a : correct_algorithms(Language::cuda)) {
    const Recording r = record(a->name, 64, first_settings(*a));
    for (int step = 0; step < static_cast<int>(r.trace.steps.size()); ++step)
      for (const std::string& s : sentences_in(words(r, at_step(step))))
        EXPECT_LE(std::ranges::count(s, ' ') + 1, most) << a->name << ", step " << step + 1 << ": " << s;
  }
}

TEST(StepWords, ActionsThatDifferOnlyInTheirIndicesAreOne) {
  Settings s{.block = 64};
  s.choose("fold", "8");
  const std::string fold = words(record("reduce_unrolled", 4096, s), at_step(0));
  EXPECT_FALSE(has(fold, "like these")) << fold;
  const std::string load = words(record("scan_vector4", 128), at_step(0));
  EXPECT_TRUE(has(load, "each read in[4t … 4t+3 and 4t+64 … 4t+67]")) << load;
}

TEST(StepWords, OneValueIsNotSeveral) {
  const Recording serial = record("reduce_serial", 8), hello = record("nested_hello", 16);
  EXPECT_TRUE(has(words(serial, at_step(0)), "Thread 0 reads in[0]. The value stays in a register."));
  for (const Recording* r : {&serial, &hello})
    for (int step = 0; step < static_cast<int>(r->trace.steps.size()); ++step) {
      const std::string text = words(*r, at_step(step));
      EXPECT_FALSE(has(text, "All 2 lanes") || has(text, "1 different sector")) << text;
    }
}

// Compares the number of different sectors in the sentences with sets of all sectors.
TEST(StepWords, DifferentSectorsAreCounted) {
  int said = 0;
  for (const Algorithm* a : correct_algorithms(Language::cuda)) {
    const Recording r = record(a->name, 300, first_settings(*a));
    for (int step = 0; step < static_cast<int>(r.trace.steps.size()); ++step) {
      std::set<std::pair<int, std::int64_t>> different;
      std::size_t sectors = 0;
      const EventRange range = step_events(r.trace, 0, step);
      for (std::size_t i = range.first; i < range.last; ++i) {
        const Event& e = r.trace.events[i];
        if (e.kind != Kind::global_load) continue;
        std::set<std::int64_t> of_request;
        for_each_lane(
            e, [&](int, std::uint32_t entry) { of_request.insert(r.trace.lanes[entry].address / 32); });
        sectors += of_request.size();
        for (const std::int64_t sector : of_request) different.emplace(e.buffer, sector);
      }
      const std::string text = words(r, at_step(step));
      const bool is_said = different.size() > 1 && sectors >= 2 * different.size();
      said += is_said;
      EXPECT_EQ(has(text, "different sectors"), is_said) << a->name << ", step " << step + 1 << ": " << text;
      if (is_said) EXPECT_TRUE(has(text, fmt::format(" {} different sectors", different.size()))) << text;
    }
  }
  EXPECT_GT(said, 5);
}

// If a block is not recorded in full, the source of a stored value is not known. The sentences must not call
// such a value a constant.
TEST(StepWords, AValueOfUnknownSourceIsNoConstant) {
  const Recording r = record("scan_decoupled_lookback", 1 << 15, {}, 3, 256);
  bool seen = false;
  for (int step = 0; step < static_cast<int>(r.trace.steps.size()); ++step)
    for (const BlockRun& block : r.trace.runs) {
      if (block.in_focus) continue;
      const std::string text = words(r, {.step = step, .block = static_cast<int>(block.block)});
      EXPECT_FALSE(has(text, "the constant") || has(text, "puts the identity")) << text;
      seen = seen || has(text, "a value from a register to prefixes[");
    }
  EXPECT_TRUE(seen);
}

}  // namespace step_words_test
}  // namespace upsweep
