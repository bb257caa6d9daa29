// Tests `upsweep verify` and its parts: the list of cases, the runs on the emulator, and the check that finds
// wrong results.
#include <gtest/gtest.h>

#include <chrono>
#include <ctime>
#include <set>
#include <stop_token>
#include <thread>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "catalogue/ladder.hpp"
#include "measure/run_cost.hpp"
#include "measure/verification.hpp"
#include "support/command_line.hpp"
#include "support/long_tests.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace verify_test {

#ifdef __SANITIZE_ADDRESS__
constexpr int largest_size = 2048;  // with sanitizers, a run takes ten times as long
#else
constexpr int largest_size = INT32_MAX;
#endif

// The default limit for the total cost of an algorithm's cases. `./test --long` has no limit.
constexpr double most_cost = 1 << 17;

std::vector<std::string> correct_names() {
  std::vector<std::string> names;
  for (const Algorithm* a : correct_algorithms(Language::cuda)) names.push_back(a->name);
  return names;
}

class Verified : public testing::TestWithParam<std::string> {};

TEST_P(Verified, GivesWhatItsOracleSaysOnTheEmulator) {
  const Algorithm& a = algorithm(GetParam());
  Verification verification(MachineChoice::emulated);
  std::vector<Case> cases = verification_cases(a, {}, Effort::quick, false);
  std::erase_if(cases, [](const Case& c) { return c.settings.n > largest_size; });
  if (!tries_everything()) {  // leaves out most of the cases
    bool first = true;
    std::erase_if(cases, [&](const Case& c) {
      return cost(a, c.settings) > (1 << 18) ||
             (c.settings.n > (1 << 17) && (a.family == "application" || !std::exchange(first, false)));
    });
    double all = 0;
    for (const Case& c : cases) all += cost(a, c.settings);
    const int of = static_cast<int>(all / most_cost) + 1;  // keeps one of every `of` cases
    int index = 0;
    std::erase_if(cases, [&](const Case&) { return index++ % of != 0; });
  }
  std::size_t heard = 0;
  const Outcome o = verification.run(a, cases, {}, [&](std::size_t done) { heard = done; });
  EXPECT_EQ(heard, cases.size());
  EXPECT_EQ(o.passed, static_cast<std::int64_t>(2 * cases.size()));
  EXPECT_EQ(o.failed, 0);
  for (const CaseFailure& f : o.failures)
    ADD_FAILURE() << in_words(f.mistake) << " n " << f.what.settings.n << " block " << f.what.settings.block
                  << " grid " << f.what.settings.grid << " " << name(f.what.settings.op) << " of "
                  << name(f.what.settings.type) << " seed " << f.what.seed;
}

// Collects the values that the settings take in all cases.
struct Seen {
  std::set<int> n, block;
  std::set<Scalar> types;
  std::set<Operator> operators;
  std::set<std::string> options;
  Seen(const Algorithm& a, const std::vector<Case>& cases) {
    for (const Case& c : cases) {
      n.insert(c.settings.n);
      block.insert(c.settings.block);
      types.insert(c.settings.type);
      operators.insert(c.settings.op);
      for (const Choice& choice : a.choices)
        options.insert(choice.name + "=" + std::string(chosen(a, c.settings, choice.name)));
    }
  }
};

bool quickly_recorded(const Algorithm& a, Settings s, int n) {
  s.n = n;
  s.block = smallest_block(a, s);
  return cost(a, s) <= most_quick_cost / 4;  // other options may cost four times as much
}

TEST_P(Verified, IsTriedInEveryWayThatItAllows) {
  const Algorithm& a = algorithm(GetParam());
  for (const bool on_gpu : {false, true}) {
    const std::vector<Case> cases = verification_cases(a, {}, Effort::quick, on_gpu);
    for (const Case& c : cases) ASSERT_NO_THROW(validate(c.settings));
    const Seen seen(a, cases);
    for (std::size_t t = 0; t < std::size(scalar_names); ++t)
      EXPECT_EQ(seen.types.contains(static_cast<Scalar>(t)), a.allows(static_cast<Scalar>(t)));
    for (std::size_t o = 0; o < std::size(operator_names); ++o)
      EXPECT_EQ(seen.operators.contains(static_cast<Operator>(o)), a.allows(static_cast<Operator>(o)));
    std::size_t options = 0;
    for (const Choice& c : a.choices)
      for (const Option& o : c.options)
        options += c.name == method_choice ? o.name == a.rung
                                           : std::none_of(a.flaws.begin(), a.flaws.end(),
                                                          [&](const Flaw& f) { return f.option == o.name; });
    EXPECT_EQ(seen.options.size(), options);
    const bool bounded = !a.many_blocks && a.elements_per_thread;
    const int largest = bounded ? largest_in_block(a) : a.largest.value_or(INT32_MAX);
    for (const int n :
         {1, 2, 3, 31, 32, 33, 127, 255, 256, 1000, 1023, 1024, 1025, 2047, 65535, 65537, (1 << 20) + 7})
      if (on_gpu || n > largest || quickly_recorded(a, cases.front().settings, n))
        EXPECT_EQ(seen.n.contains(n), n <= largest) << n;
    for (const int block : {32, 64, 128, 256, 512, 1024}) {
      const bool allowed = block >= a.least_threads && block <= a.most_threads;
      if (a.many_blocks || !allowed) {
        EXPECT_EQ(seen.block.contains(block), allowed) << block << (on_gpu ? " on a GPU" : "");
      }
    }
    EXPECT_GE(seen.block.size(), 2u);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Verified, testing::ValuesIn(correct_names()),
                         [](const auto& info) { return info.param; });

TEST(Verification, TriesEveryCombinationIfAskedTo) {
  const Algorithm& a = algorithm("reduce_unrolled");  // this kernel requires 2^k threads in a block
  Fixed fixed;
  fixed.n = 100;
  EXPECT_EQ(verification_cases(a, fixed, Effort::full, false).size(), std::size(scalar_names) * 4 * 4 * 6);
  EXPECT_EQ(verification_cases(a, fixed, Effort::usual, false).size(), std::size(scalar_names) * 4 * 4);
  fixed.type = Scalar::float64;
  fixed.op = Operator::min;
  fixed.block = 64;
  fixed.choices = {{"fold", "4"}};
  fixed.seed = 17;
  for (const Effort effort : {Effort::quick, Effort::usual, Effort::full}) {
    const std::vector<Case> one = verification_cases(a, fixed, effort, false);
    ASSERT_EQ(one.size(), 1u);
    const Settings expected{.algorithm = "reduce_unrolled",
                            .n = 100,
                            .block = 64,
                            .type = Scalar::float64,
                            .op = Operator::min,
                            .choices = {{"fold", "4"}}};
    EXPECT_EQ(one[0].settings, expected);
    EXPECT_EQ(one[0].seed, 17u);
  }
  fixed.op = Operator::affine;
  EXPECT_THROW(verification_cases(a, fixed, Effort::quick, false), RequestError);
}

TEST(Verification, SeesWrongResults) {
  Verification verification(MachineChoice::emulated);
  int broken = 0;
  for (const Algorithm& a : cuda_algorithms()) {
    const bool wrong =
        std::any_of(a.flaws.begin(), a.flaws.end(), [](const Flaw& f) { return f.kind == "wrong result"; });
    if (!wrong) continue;
    ++broken;
    Fixed fixed;
    fixed.type = Scalar::int32;
    fixed.op = Operator::sum;
    std::vector<Case> cases = verification_cases(a, fixed, Effort::quick, false);
    std::erase_if(cases, [](const Case& c) { return c.settings.n > 5000; });
    const Outcome o = verification.run(a, cases, {});
    EXPECT_GT(o.failed, 0) << a.name;
    EXPECT_EQ(o.passed + o.failed, static_cast<std::int64_t>(2 * cases.size())) << a.name;
    ASSERT_FALSE(o.failures.empty());
    EXPECT_EQ(o.failures[0].mistake.id, MessageId::wrong_element);
  }
  EXPECT_GT(broken, 0);
}

TEST(Verification, StopsWhenAskedTo) {
  Verification verification(MachineChoice::emulated);
  const Algorithm& a = algorithm("scan_blelloch");
  std::stop_source stop;
  const std::vector<Case> cases = verification_cases(a, {}, Effort::usual, false);
  const Outcome o = verification.run(a, cases, stop.get_token(), [&](std::size_t done) {
    if (done >= 10) stop.request_stop();
  });
  EXPECT_GE(o.passed, 20);
  EXPECT_LT(o.passed, static_cast<std::int64_t>(cases.size()));
  EXPECT_EQ(o.failed, 0);
}

// This verification has one case, which takes many seconds. A stop must take effect before the end of the
// case.
TEST(Verification, StopsWithinACase) {
  Verification verification(MachineChoice::emulated);
  const Algorithm& a = algorithm("scan_decoupled_lookback");
  Case large;
  large.settings.algorithm = a.name;
  large.settings.n = 1 << 20;
  large.settings.block = 64;
  validate(large.settings);
  std::stop_source stop;
  const std::jthread waits([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    stop.request_stop();
  });
  const std::clock_t begin = std::clock();
  const Outcome o = verification.run(a, {large}, stop.get_token());
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 3);
  EXPECT_EQ(o.passed + o.failed, 0);
}

TEST_F(CommandLine, VerifyEndsWithTheTally) {
  const Ran one =
      run("upsweep verify --algorithm reduce_sequential --n 33 --block 64 --type int32 --op sum --seed 5 "
          "--machine emulated");
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_TRUE(one.out.starts_with("On the emulator, without and with the recorder")) << one.out;
  EXPECT_TRUE(one.out.ends_with("\n2 passed, 0 failed\n")) << one.out;
  const Ran several = run("upsweep verify --n 5 --exclusive --type float64 --machine emulated --quick");
  EXPECT_EQ(several.exit_code, 0) << several.err;
  EXPECT_NE(several.out.find("scan_blelloch "), std::string::npos) << several.out;
  EXPECT_EQ(several.out.find("reduce_serial "), std::string::npos) << "this algorithm is not a scan";
  EXPECT_TRUE(several.out.ends_with(" passed, 0 failed\n")) << several.out;
  EXPECT_EQ(several.err, "") << "no progress line outside a terminal";
}

TEST_F(CommandLine, AnInterruptedVerificationSaysHowFarItCame) {
  // Interrupts the program only after its first output, because the computer may be slow.
  const Ran ran = run("'" UPSWEEP_BINARY
                      "' verify --full --machine emulated > tally &\n"
                      "until grep -q 'and with the recorder' tally; do sleep 0.1; done\n"
                      "kill -INT $!; wait $!; code=$?; cat tally; exit $code");
  EXPECT_EQ(ran.exit_code, 1) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("Interrupted before the end: "), std::string::npos) << ran.out;
  EXPECT_TRUE(ran.out.ends_with(" passed, 0 failed\n")) << ran.out;
}

TEST_F(CommandLine, SettingsOfAlgorithmsOfTheirOwn) {
  const json folded =
      run_json("upsweep trace reduce_unrolled --n 1000 --variant fold=8 --block 64 --type int32 --json");
  EXPECT_EQ(folded["mistake"], nullptr);
  const json exclusive =
      run_json("upsweep trace scan_large --n 300 --exclusive --type int32 --op max --json");
  EXPECT_EQ(exclusive["output"][0], -2147483648);
  const json inclusive =
      run_json("upsweep trace scan_large --n 300 --inclusive --type int32 --op max --json");
  EXPECT_EQ(inclusive["output"][0], exclusive["output"][1]);
  const json strided = run_json("upsweep trace reduce_two_pass --n 5000 --grid 3 --focus 1:2 --json");
  EXPECT_EQ(strided["mistake"], nullptr);
  const json scheduled = run_json("upsweep trace scan_blelloch --n 100 --schedule 5 --lockstep --json");
  EXPECT_EQ(scheduled["machine"], "emulated");
  EXPECT_EQ(scheduled["mistake"], nullptr);
}

TEST_F(CommandLine, SettingsThatMakeNoSense) {
  const std::pair<const char*, const char*> requests[] = {
      {"upsweep trace scan_large --inclusive --exclusive", "exclude each other"},
      {"upsweep trace scan_blelloch --inclusive", "computes only an exclusive scan"},
      {"upsweep trace reduce_two_pass --exclusive", "computes only a reduction"},
      {"upsweep trace scan_large --exclusive --variant gives=inclusive", "same choice"},
      {"upsweep trace reduce_unrolled --variant fold", "such as fold=2"},
      {"upsweep trace reduce_shuffle --variant redux", "such as within_warp=redux"},
      {"upsweep trace reduce_unrolled --variant fold=3", "2, 1, 4, 8"},
      {"upsweep trace reduce_unrolled --variant fold=0", "2, 1, 4, 8"},
      {"upsweep trace reduce_unrolled --variant fald=2", "did you mean fold?"},
      {"upsweep trace reduce_unrolled --variant fold=2 --variant fold=4", "more than once"},
      {"upsweep trace scan_blelloch --variant fold=2", "no choice"},
      {"upsweep trace reduce_shuffle --variant within_warp=redux", "int32"},
      {"upsweep trace scan_blelloch --grid 4", "--grid"},
      {"upsweep trace reduce_two_pass --grid 0", "grid of 0"},
      {"upsweep trace reduce_two_pass --grid many", "whole number"},
      {"upsweep trace scan_blelloch --without-barrier 1", "has no barrier; the lines with a barrier are"},
      {"upsweep trace scan_blelloch --without-barrier 0", "at least 1"},
      {"upsweep trace scan_blelloch --without-barrier here", "whole number"},
      {"upsweep trace scan_large --n 3000 --block 32 --focus 999999", "from 0 to 46"},
      {"upsweep hazards scan_large --n 3000 --block 32 --focus 47", "from 0 to 46"},
      {"upsweep explain scan_blelloch --focus 1", "1 block, from 0 to 0"},
      {"upsweep trace scan_blelloch --focus x", "the first block"},
      {"upsweep trace scan_blelloch --focus -1", "the first block"},
      {"upsweep trace scan_blelloch --focus 1:0", "3:2"},
      {"upsweep trace scan_blelloch --schedule x", "whole number"},
      {"upsweep trace scan_blelloch --schedule -3", "at least 0"},
      {"upsweep trace scan_blelloch --schedule 3 --machine gpu", "emulated"},
      {"upsweep trace scan_blelloch --lockstep", "--schedule"},
      {"upsweep trace scan_per_output --n 5000", "4,096"},
      {"upsweep trace reduce_unrolled --block 96", "power of two"},
      {"upsweep verify --quick --full", "exclude each other"},
      {"upsweep verify --algorithm scan_blellock", "scan_blelloch"},
      {"upsweep verify --algorithm scan_blelloch --n 4096", "2,048"},
      {"upsweep verify --algorithm scan_blelloch --n 0", "n = 0"},
      {"upsweep verify --quick --algorithm reduce_serial --n 2147483647", "of memory, but only"},
      {"upsweep verify --algorithm reduce_sequential --op affine", "commutative"},
      {"upsweep verify --type float", "float32"},
      {"upsweep verify --machine tpu", "gpu"},
      {"upsweep verify scan_blelloch", "scan_blelloch"},
  };
  for (const auto& [line, about] : requests) expect_refusal(line, about);
}

}  // namespace verify_test
}  // namespace upsweep
