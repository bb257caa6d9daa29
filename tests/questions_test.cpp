// Compares the answers to questions with a simple model that reads only the raw events. UPSWEEP_LONG=1 asks
// 100,000 questions instead of 1,500.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>
#include <set>

#include "analysis/barrier_use.hpp"
#include "analysis/step_index.hpp"
#include "analysis/time_line.hpp"
#include "base/error.hpp"
#include "catalogue/data.hpp"
#include "machine/emulator/emulator.hpp"
#include "options/options.hpp"
#include "questions/ask.hpp"
#include "questions/codes.hpp"
#include "study/recording.hpp"
#include "study/shipped.hpp"
#include "support/compile_cases.hpp"
#include "support/long_tests.hpp"
#include "support/question_model.hpp"
#include "support/session_start.hpp"
#include "support/source_file.hpp"
#include "support/taught_runs.hpp"
#include "words/question_words.hpp"

namespace upsweep {
namespace questions_test {

Recording recorded(const std::string& name, int n) {
  const Settings s = start(n, name).settings;
  return make_recording(Emulator().record(s, seeded_data(s, 1), {.blocks = UINT32_MAX}));
}

// Calls f(recording, seed) with random settings of all algorithms, until f returns false.
template <class F>
void each_run(std::uint32_t seed, F f) {
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) { return random() % n; };
  std::vector<const Algorithm*> all;
  for (const Algorithm& a : cuda_algorithms())
    if (!a.is_broken()) all.push_back(&a);
  for (std::size_t turn = 0;; ++turn) {
    const Algorithm& a = *all[turn % all.size()];
    const std::vector<Settings> choices = every_choice(a);
    Settings s = choices[below(choices.size())];
    s.n = 1 + static_cast<int>(below(turn % 2 == 0 ? 200 : 1500));
    s.block = 32 << below(4);
    s.grid = 1 + static_cast<int>(below(6));
    try {
      validate(s);
    } catch (const RequestError&) { continue; }
    if (cost(a, s) > 1 << 17) continue;
    const Recording r = make_recording(Emulator().record(s, seeded_data(s, random()), {.blocks = 4}));
    if (!f(r, random())) return;
  }
}

TEST(Questions, HaveTheAnswersOfAPlainModel) {
  const int wanted = tries_everything() ? 100'000 : 1'500;
  int asked = 0, believed = 0, named = 0;
  std::map<QuestionKind, int> of_kind;
  each_run(7, [&](const Recording& r, std::uint32_t seed) {
    for (const Question& q : questions({r}, {.seed = seed, .count = 20})) {
      ++asked;
      ++of_kind[q.kind];
      const QuestionModel model{r.trace, q};
      const std::string text = describe(r.trace.settings) + ": " + question_text(q, r);
      if (const auto answer = model.answer()) {
        EXPECT_EQ(answer->numbers, q.answer.numbers) << text;
        EXPECT_EQ(answer->value, q.answer.value) << text;
      }
      EXPECT_TRUE(judge(q, q.answer, r.trace.settings.type).right) << text;
      for (std::size_t m = 0; m < q.misreadings.size(); ++m) {
        const Judgement j = judge(q, q.misreadings[m].reply, r.trace.settings.type);
        EXPECT_FALSE(j.right) << text;
        EXPECT_EQ(j.misreading, static_cast<int>(m)) << text;
        EXPECT_FALSE(refutation(q, q.misreadings[m], r).empty());
      }
      // Several misconceptions may lead to the same wrong reply. The program may name any of them.
      const std::map<int, Reply> beliefs = model.believed();
      for (const auto& [misconception, reply] : beliefs) {
        if (reply == q.answer) continue;
        ++believed;
        const int found = judge(q, reply, r.trace.settings.type).misreading;
        if (found < 0) continue;
        const int name = q.misreadings[static_cast<std::size_t>(found)].misconception;
        const auto also = beliefs.find(name);
        named += name == misconception || (also != beliefs.end() && also->second == reply);
      }
      const auto& allowed = q.form == AnswerForm::places ? q.places : q.choices;
      for (const std::int64_t number : q.answer.numbers)
        EXPECT_TRUE(std::ranges::binary_search(allowed, number)) << text;
      EXPECT_FALSE(because_of(q, r).empty()) << text;
    }
    return asked < wanted;
  });
  for (const QuestionKind k : {QuestionKind::value, QuestionKind::written, QuestionKind::active,
                               QuestionKind::bank, QuestionKind::colliding, QuestionKind::wavefronts,
                               QuestionKind::diverged, QuestionKind::waiting, QuestionKind::next_line})
    EXPECT_GE(of_kind[k], tries_everything() ? 20 : 10) << name(k);
  EXPECT_GE(named, 0.8 * believed) << named << " of " << believed;
  EXPECT_GE(believed, wanted / 10);
}

// Returns the misconceptions in the table of docs/questions.md.
std::map<std::string, std::set<int>> documented_misconceptions() {
  const std::string text = source_file("docs/questions.md");
  std::map<std::string, std::set<int>> all;
  std::istringstream lines(text.substr(text.find("| kind | misconceptions |")));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| ") || line.starts_with("| kind")) continue;
    std::istringstream words(line.substr(2));
    std::string kind, bar;
    words >> kind >> bar;
    for (int number; words >> number; words.ignore(1)) all[kind].insert(number);
  }
  return all;
}

TEST(Questions, MeetTheMisconceptionsOfTheTable) {
  const auto documented = documented_misconceptions();
  EXPECT_EQ(documented.size(), static_cast<std::size_t>(question_kinds));
  std::map<std::string, std::set<int>> met;
  const auto meet = [&](const std::vector<Question>& all) {
    for (const Question& q : all)
      for (const Misreading& m : q.misreadings) met[std::string(name(q.kind))].insert(m.misconception);
  };
  int asked = 0;
  each_run(11, [&](const Recording& r, std::uint32_t seed) {
    meet(questions({r}, {.seed = seed, .count = 20}));
    return (asked += 20) < 6000;
  });
  const auto ask = [&](Settings s) {
    s.block = std::max(32, s.n / 2);
    const Recording r = make_recording(Emulator().record(s, seeded_data(s, 1)));
    const auto record = [&](const Settings& other) {
      return std::make_shared<const Recording>(make_recording(Emulator().record(other, r.trace.input)));
    };
    meet(questions({r, record}, {.seed = 3, .count = 300}));
  };
  ask({.algorithm = "scan_blelloch", .n = 64});
  ask({.algorithm = "scan_blelloch", .n = 64, .choices = {{"layout", "pad_macro"}}});
  ask({.algorithm = "scan_blelloch", .n = 64, .type = Scalar::float64});
  ask({.algorithm = "scan_hillis_steele", .n = 128});
  meet(questions({taught(algorithm("scan_hillis_steele"))}, {.seed = 3, .count = 300}));
  // These recordings come from a GPU, on which tiles look back further than on the emulator.
  for (const Shipped& s : shipped_recordings())
    if (s.name.find("lookback") != std::string::npos)
      meet(questions({make_recording(open_recording(s.name))},
                     {.kind = QuestionKind::look_back, .count = 50}));
  for (const auto& [kind, misconceptions] : met)
    for (const int m : misconceptions) EXPECT_TRUE(documented.at(kind).contains(m)) << kind << " meets " << m;
  for (const auto& [kind, misconceptions] : documented)
    for (const int m : misconceptions) EXPECT_TRUE(met[kind].contains(m)) << kind << " never met " << m;
}

TEST(Questions, AskHowFarATileLooksBack) {
  const Recording r = taught(algorithm("scan_decoupled_lookback"));
  const std::vector<Question> all =
      questions({r}, {.kind = QuestionKind::look_back, .seed = 1, .count = 100});
  EXPECT_FALSE(all.empty());
  const TimeLine& line = r.time_line();
  for (const Question& q : all) {
    const auto row = std::ranges::find(line.rows, q.about.tile, &TimeLine::Row::tile);
    ASSERT_NE(row, line.rows.end());
    int furthest = 0;
    for (const TimeLine::Look& look : line.looks_of(*row))
      if (look.is_used && look.target != TimeLine::none)
        furthest = std::max(furthest, row->tile - line.rows[look.target].tile);
    EXPECT_EQ(q.answer.numbers.front(), furthest) << "tile " << q.about.tile;
  }
}

// Both runs of a question must have the same data, so all recorded variants must have inputs of one size.
TEST(Questions, CompareRunsWithTheSameData) {
  int recorded = 0;
  for (const Algorithm& a : cuda_algorithms()) {
    if (a.is_broken()) continue;
    SCOPED_TRACE(a.name);
    const Recording r = taught(a);
    const auto record = [&](const Settings& s) {
      const Plan due = plan(s);
      EXPECT_EQ(due.inputs()[0].count, std::ssize(r.trace.input)) << describe(s);
      ++recorded;
      return make_recording(Emulator().record(s, Inputs{r.trace.input, r.trace.more_inputs}));
    };
    for (const Question& q : questions({r, each_once(record)}, {.kind = QuestionKind::compare, .count = 4}))
      EXPECT_NE(q.compared.baseline, q.compared.changed);
  }
  EXPECT_GT(recorded, 20);
}

// The kind and the subject (About) of a question must be enough to ask for the same question again.
TEST(Questions, AreFoundAgainByWhatTheyAreAbout) {
  const auto if_known = [](int number) { return number < 0 ? std::optional<int>() : number; };
  int asked = 0;
  each_run(5, [&](const Recording& r, std::uint32_t seed) {
    for (const Question& q : questions({r}, {.seed = seed, .count = 10})) {
      AskOrder order{.kind = q.kind, .step = q.step, .block = q.about.block};
      order.warp = if_known(q.about.warp);
      order.lane = if_known(q.about.lane);
      if (q.kind == QuestionKind::value) order.element = q.about.element;
      if (q.about.line > 0 && q.kind != QuestionKind::next_line) order.line = q.about.line;
      if (q.about.request > 0) {
        const std::vector<int>& all = r.step(q.about.block, q.step).requests;
        order.request = static_cast<int>(std::ranges::find(all, q.about.event) - all.begin()) + 1;
      }
      const Question again = the_question({r}, order);
      EXPECT_EQ(question_text(again, r), question_text(q, r));
      EXPECT_EQ(again.answer, q.answer) << question_text(q, r);
      ++asked;
    }
    return asked < 500;
  });
  const Recording r = taught(algorithm("scan_blelloch"));
  EXPECT_THROW(the_question({r}, {}), RequestError);
  EXPECT_THROW(the_question({r}, {.kind = QuestionKind::bank}), RequestError);
  EXPECT_THROW(the_question({r}, {.kind = QuestionKind::bank, .step = 2}), RequestError) << "many lanes";
  EXPECT_THROW(the_question({r}, {.kind = QuestionKind::look_back, .step = 2}), RequestError);
}

// AskOrder::request must have the same meaning as the option --request: the number of a request among all
// requests of the step to shared and global memory.
TEST(Questions, CountRequestsAsTheCommandLineDoes) {
  int asked = 0, counted_apart = 0;
  for (const Algorithm& a : cuda_algorithms()) {
    if (a.is_broken()) continue;
    SCOPED_TRACE(a.name);
    const Recording r = taught(a);
    for (int step = 0; step < std::ssize(r.trace.steps); ++step) {
      const std::vector<int>& all = r.step(0, step).requests;
      for (const int event : r.step(0, step).shared) {
        const auto number = static_cast<int>(std::ranges::find(all, event) - all.begin()) + 1;
        AskOrder order{.kind = QuestionKind::wavefronts, .step = step, .block = 0, .request = number};
        try {
          const Question q = the_question({r}, order);
          EXPECT_EQ(q.about.event, event);
          EXPECT_EQ(chosen_request(fmt::to_string(number), r, step, 0), number - 1);
          counted_apart += q.about.request != number;
          ++asked;
        } catch (const RequestError&) {}  // no question about this request is possible
        break;
      }
      // A question about the wavefronts of a request to global memory must be refused.
      for (std::size_t i = 0; i < all.size(); ++i)
        if (!std::ranges::binary_search(r.step(0, step).shared, all[i])) {
          const AskOrder order{
              .kind = QuestionKind::wavefronts, .step = step, .block = 0, .request = static_cast<int>(i) + 1};
          EXPECT_THROW(the_question({r}, order), RequestError);
          break;
        }
    }
  }
  EXPECT_GT(asked, 200);
  EXPECT_GT(counted_apart, 20);
}

// Compares the answers to questions about barriers with the accesses that a barrier orders in a correct run.
TEST(Questions, KnowWhatABarrierIsFor) {
  int asked = 0, needless = 0, kernels = 0;
  for (const Algorithm& a : cuda_algorithms()) {
    if (a.is_broken() || barrier_lines(a).empty()) continue;
    if (kernels++ % 2 == 1 && !tries_everything()) continue;
    SCOPED_TRACE(a.name);
    const Recording r = taught(a);
    const auto record = [&](const Settings& s) {
      return std::make_shared<const Recording>(
          make_recording(Emulator().record(s, r.trace.input, {.blocks = UINT32_MAX, .rounds = 200})));
    };
    for (const Question& q : questions({r, record}, {.kind = QuestionKind::barrier, .count = 20})) {
      std::int64_t reads = 0, overwrites = 0;
      for (const BlockRun& run : r.trace.runs) {
        if (!run.in_focus) continue;
        const Grid& g = r.trace.grids[run.grid];
        for (std::uint32_t k = g.first_step; k < g.first_step + g.steps; ++k)
          if (const auto use = barrier_use(r, static_cast<int>(run.block), static_cast<int>(k));
              use && use->line == q.about.line)
            reads += use->reads, overwrites += use->overwrites;
      }
      const auto due = reads > 0
                           ? (overwrites > 0 ? WithoutBarrier::both : WithoutBarrier::reads_early)
                           : (overwrites > 0 ? WithoutBarrier::overwrites_early : WithoutBarrier::nothing);
      if (text_line(a.text, q.about.line).find("__syncthreads") == std::string::npos)
        continue;  // leaves out warp barriers
      ++asked;
      EXPECT_EQ(because_of(q, r).find("no value"), std::string::npos) << because_of(q, r);
      // If the reason for the answer says that __syncwarp() is enough, all races without the barrier must be
      // between lanes of one warp.
      const bool is_in_warps = !q.misreadings.empty() && q.misreadings.front().misconception == 11;
      if (because_of(q, r).find("__syncwarp() would be enough") != std::string::npos)
        EXPECT_TRUE(is_in_warps) << because_of(q, r);
      // The answer must name what the barrier orders. The only exception is the answer "nothing happens":
      // another barrier or the order within a warp can also order these accesses.
      if (q.answer.numbers.front() != static_cast<std::int64_t>(WithoutBarrier::nothing)) {
        EXPECT_EQ(q.answer.numbers.front(), static_cast<std::int64_t>(due)) << "line " << q.about.line;
        continue;
      }
      // If nothing happens without the barrier, the result must be correct on every schedule.
      Settings without = r.trace.settings;
      without.without_barrier = q.about.line;
      for (const std::uint64_t schedule : {1, 2, 3, 4})
        EXPECT_EQ(Emulator().record(without, r.trace.input, {.schedule = schedule, .rounds = 200}).output,
                  r.trace.output)
            << "line " << q.about.line;
      ++needless;
    }
  }
  EXPECT_GT(asked, 30);
  EXPECT_GT(needless, 0);
}

// If a run has a race, no question may ask for a value that can be different on two schedules.
TEST(Questions, AboutValuesNeedARunWithoutRaces) {
  int with_races = 0;
  for (const Algorithm& a : cuda_algorithms()) {
    if (!a.is_broken()) continue;
    SCOPED_TRACE(a.name);
    const Recording r = taught(a);
    bool races = false;
    for (const HazardFinding& f : r.find_hazards().findings) races = races || is_race(f.kind);
    if (races) { EXPECT_TRUE(questions({r}, {.kind = QuestionKind::value, .count = 3}).empty()); }
    with_races += races;
  }
  EXPECT_GT(with_races, 3);
  EXPECT_FALSE(questions({taught(algorithm("scan_blelloch"))}, {.kind = QuestionKind::value}).empty());
}

TEST(Questions, ExplainABarrierByTwoWarpsIfItCan) {
  const Recording r = recorded("scan_brent_kung", 128);
  const auto record_other = [&](const Settings& s) {
    return std::make_shared<const Recording>(make_recording(Emulator().record(s, r.trace.input, {})));
  };
  const Question q = the_question({r, record_other}, {.kind = QuestionKind::barrier, .line = 44});
  EXPECT_EQ(because_of(q, r).find("__syncwarp"), std::string::npos) << because_of(q, r);
}

TEST(Questions, WithTheSameTextHaveTheSameAnswer) {
  for (const char* name :
       {"radix_sort_one_sweep", "stream_compaction_look_back", "radix_sort", "scan_blelloch"}) {
    const Recording r = recorded(name, 256);
    std::map<std::string, Reply> answers;
    for (const QuestionKind kind : {QuestionKind::wavefronts, QuestionKind::colliding, QuestionKind::bank,
                                    QuestionKind::active, QuestionKind::value, QuestionKind::written})
      for (const Question& q : questions({r}, {.kind = kind, .count = 1500})) {
        const std::string text = question_text(q, r);
        const auto [before, is_new] = answers.emplace(text, q.answer);
        EXPECT_TRUE(is_new || before->second == q.answer) << name << ": " << text;
      }
    EXPECT_GT(answers.size(), 200u) << name;
  }
}

TEST(Questions, AreTheSameForTheSameSeed) {
  const Recording r = taught(algorithm("scan_blelloch"));
  const auto texts = [&](std::uint32_t seed) {
    std::vector<std::string> all;
    for (const Question& q : questions({r}, {.seed = seed, .count = 12})) all.push_back(question_text(q, r));
    return all;
  };
  EXPECT_EQ(texts(1), texts(1));
  EXPECT_NE(texts(1), texts(2));
  const std::vector<std::string> one = texts(5);
  EXPECT_EQ(std::set<std::string>(one.begin(), one.end()).size(), one.size()) << "no question comes twice";
}

// The part of the run that a question shows must contain nothing about the question's step and later steps.
TEST(Questions, HideWhatComesNext) {
  std::mt19937 random(3);
  for (const Algorithm& a : cuda_algorithms()) {
    const Recording whole = taught(a);
    if (whole.trace.steps.empty()) continue;
    SCOPED_TRACE(a.name);
    const int first = static_cast<int>(random() % whole.trace.steps.size());
    const Trace hidden = before_step(whole.trace, first);
    for (const Event& e : hidden.events) ASSERT_LT(static_cast<int>(e.step), first);
    for (const Snapshot& s : hidden.snapshots) ASSERT_LE(static_cast<int>(s.step), first);
    for (const Value& v : hidden.output) ASSERT_EQ(v, Value{});
    const Recording r = recording_before(whole, first);
    ASSERT_EQ(r.facts.steps.size(), whole.facts.steps.size());
    for (std::size_t k = 0; k < r.facts.steps.size(); ++k) {
      const StepFacts &shown = r.facts.steps[k], &due = whole.facts.steps[k];
      if (static_cast<int>(k) < first)
        EXPECT_EQ(shown.totals.shared_load.wavefronts, due.totals.shared_load.wavefronts);
      else EXPECT_EQ(shown.totals.issued_lanes(), 0);
    }
    for (const View& v : views()) {
      if (v.has_something && !v.has_something(r)) continue;
      const Scene scene = draw(v.name, r, at_step(std::max(0, first - 1)), 900, 500);
      EXPECT_FALSE(scene.shapes.empty()) << v.name;
    }
    EXPECT_FALSE(r.mistake) << "nothing is said about the result";
    EXPECT_FALSE(r.wrong);
  }
}

}  // namespace questions_test
}  // namespace upsweep
