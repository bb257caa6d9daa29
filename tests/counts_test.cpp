// Tests kernels with buffers of the types Count and Number: the recordings, the sentences about them, and the
// compilation for a GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "analysis/actions.hpp"
#include "analysis/hazards.hpp"
#include "analysis/span.hpp"
#include "analysis/tree.hpp"
#include "analysis/work.hpp"
#include "base/error.hpp"
#include "catalogue/data.hpp"
#include "catalogue/plan.hpp"
#include "emulated/sized_kernels.hpp"
#include "machine/emulator/emulated_thread.hpp"
#include "machine/emulator/emulator.hpp"
#include "machine/gpu/gpu_program.hpp"
#include "machine/gpu/nvrtc.hpp"
#include "support/compile_cases.hpp"
#include "support/long_tests.hpp"
#include "support/ptx.hpp"
#include "support/source_file.hpp"
#include "trace/consistency.hpp"
#include "trace/file.hpp"
#include "trace/value.hpp"
#include "words/action_words.hpp"
#include "words/in_words.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace counts_test {

const Algorithm& kernel(const std::string& name) {
  static std::map<std::string, Algorithm> known;
  if (!known.contains(name)) {
    const std::string file = "tests/sized/" + name + ".cuh";
    known.emplace(name, parse_kernel(name, file, source_file(file)));
  }
  return known.at(name);
}

struct Kind {
  Scalar type;
  Operator op;
};
constexpr Kind kinds[] = {{Scalar::float32, Operator::max},    {Scalar::int64, Operator::sum},
                          {Scalar::float32, Operator::affine}, {Scalar::float16, Operator::min},
                          {Scalar::float64, Operator::affine}, {Scalar::float16, Operator::affine}};
constexpr Kind pairs[] = {{Scalar::int32, Operator::affine},   {Scalar::int64, Operator::affine},
                          {Scalar::uint32, Operator::affine},  {Scalar::float32, Operator::affine},
                          {Scalar::float16, Operator::affine}, {Scalar::float64, Operator::affine}};

Settings settings(const std::string& name, const Kind& kind, int n, int block) {
  return {.algorithm = name, .n = n, .block = block, .type = kind.type, .op = kind.op};
}

Trace recorded(const Settings& s, const Inputs& inputs, const RecordOptions& options = {}) {
  const Trace t = Emulator().record(kernel(s.algorithm), *sized_kernels(s.algorithm), s, inputs, options);
  EXPECT_FALSE(t.stopped) << in_words(t.stopped);
  EXPECT_EQ(in_words(contradiction(t)), "");
  EXPECT_TRUE(unpack(pack(t), "x") == t);
  for (const HazardFinding& f : hazards(t).findings) ADD_FAILURE() << "line " << f.party.line;
  return t;
}

std::vector<Value> random_words(std::mt19937& random, int n) {
  std::vector<Value> all(static_cast<std::size_t>(n));
  for (Value& v : all) v[0] = static_cast<std::uint32_t>(random());
  return all;
}
bool is_marked(const Value& mark) { return mark[0] % 2 != 0; }

TEST(Counts, AScanOfMarksPutsEachMarkedElementInItsPlace) {
  std::mt19937 random(3);
  const int sizes[] = {1, 2, 63, 64, 65, 127, 128, 129, 500, 1000};
  int run = 0;
  for (const int n : sizes)
    for (const int block : {32, 64, 128}) {
      const Kind& kind = kinds[static_cast<std::size_t>(run++) % std::size(kinds)];
      Settings s = settings("compact_marked", kind, n, block);
      if (run % 2) s.choose("layout", "pad32");
      SCOPED_TRACE(describe(s));
      const std::vector<Value> input = random_data(s, random());
      const Contents marks = {random_words(random, n)};
      const Trace t = recorded(s, {input, marks}, {.schedule = run % 5 == 0 ? random() : 0});
      std::vector<Value> expected;
      for (std::size_t i = 0; i < input.size(); ++i)
        if (is_marked(marks[0][i])) expected.push_back(input[i]);
      ASSERT_EQ(t.more_outputs.at(0).at(0), (Value{static_cast<std::uint32_t>(expected.size())}));
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), t.output.begin()));
      const Contents fast =
          Emulator().run_all(kernel(s.algorithm), *sized_kernels(s.algorithm), s, {input, marks});
      EXPECT_EQ(fast[0], t.output);
      EXPECT_EQ(fast[1], t.more_outputs[0]);
    }
}

TEST(Counts, TheirOperationsAndTheirSpanAreCounted) {
  std::mt19937 random(3);
  for (const Kind& kind : kinds) {
    const Settings s = settings("compact_marked", kind, 256, 128);
    const Contents marks = {random_words(random, s.n)};
    const Trace t = recorded(s, {random_data(s, 1), marks});
    std::int64_t kept = 0;
    for (const Value& mark : marks[0]) kept += is_marked(mark);
    // The expected operations: an up-sweep and a down-sweep over 256 leaves, a shuffle scan in each of the 4
    // warps of the third launch, the additions of the sums of these warps, and one operation for each marked
    // element.
    constexpr int in_warp = 31 + 30 + 28 + 24 + 16, warps = 4;
    constexpr int after = 128 * warps + 32 * (0 + 1 + 2 + 3) + 31 * warps;
    EXPECT_EQ(work(t).operations, 2 * 255 + warps * in_warp + after + kept);
    const auto followed = span_of_events(t, nullptr);
    ASSERT_TRUE(followed);
    EXPECT_EQ(followed->length, t.span);
    EXPECT_EQ(followed->operating, t.operating);
    EXPECT_GE(t.span, 16);
  }
}

TEST(Counts, ATreeShowsFromWhichCountsEachCountWasAddedUp) {
  Settings s = settings("compact_marked", {Scalar::float64, Operator::affine}, 64, 32);
  s.choose("layout", "pad32");
  const Contents ones = {std::vector<Value>(64, Value{1})};
  const Trace t = recorded(s, {random_data(s, 1), ones});
  const Tree scan = tree(t, 1, 0);
  int sums = 0;
  for (const TreeRow& row : scan.rows)
    for (const TreeNode& node : row.nodes) {
      if (row.label.phase != Phase::up_sweep || !node.operation) continue;
      ++sums;
      EXPECT_EQ(node.sources.size(), 2u);
      EXPECT_EQ(node.value, (Value{2 * static_cast<std::uint32_t>(row.label.stride)}));
      EXPECT_EQ(t.cells_of(t.events[node.event]), Cells::counts);
    }
  EXPECT_EQ(sums, 63);
}

TEST(Counts, AreRanksThatBlocksTellEachOther) {
  std::mt19937 random(9);
  for (int run = 0; run < 18; ++run) {
    const int n = 1 + static_cast<int>(random() % 700), block = 32 << random() % 3;
    const Settings s =
        settings("rank_marked", kinds[static_cast<std::size_t>(run) % std::size(kinds)], n, block);
    SCOPED_TRACE(describe(s));
    const Contents marks = {random_words(random, n)};
    const std::vector<Value> input = random_data(s, random());
    const Trace t = recorded(s, {input, marks}, {.schedule = run % 3 == 2 ? random() : 0});
    EXPECT_EQ(t.output, input);
    std::uint32_t rank = 0, by_digit[4] = {};
    for (std::size_t i = 0; i < marks[0].size(); ++i) {
      ASSERT_EQ(t.more_outputs[0][i], (Value{rank})) << i;
      rank += is_marked(marks[0][i]);
      ++by_digit[marks[0][i][0] % 4];
    }
    for (std::size_t d = 0; d < 4; ++d) EXPECT_EQ(t.more_outputs[1][d], (Value{by_digit[d]}));
    const auto followed = span_of_events(t, nullptr);
    ASSERT_TRUE(followed);
    EXPECT_EQ(followed->length, t.span);
  }
}

TEST(Counts, NumbersComeFromPairs) {
  std::mt19937 random(5);
  for (const Kind& kind : pairs)
    for (const int n : {1, 2, 31, 32, 33, 100}) {
      const Settings s = settings("recurrence", kind, n, 128);
      SCOPED_TRACE(describe(s));
      const std::vector<Value> input = seeded_data(s, random());
      Value start{};
      set_scalar(start, s.type, 0, 3);
      const Contents starts = {{start}};
      const Trace t = recorded(s, {input, starts}, {.schedule = n == 33 ? random() : 0});
      Value constant{}, prefix = input[0];
      set_scalar(constant, s.type, 1, 3);
      const Combination combine = combination(s);
      for (std::size_t i = 0; i < input.size(); ++i) {
        if (i > 0) prefix = combine(prefix, input[i]);
        if (is_real(s.type)) continue;  // the kernel adds in another order and rounds differently
        const Value y = combine(constant, prefix);
        EXPECT_EQ(scalar(t.output[i], s.type), scalar(y, s.type, 1)) << i;
        EXPECT_EQ(scalar(t.more_outputs[0][i], s.type), scalar(prefix, s.type, 1)) << i;
      }
      // `last` contains the last element of `out`.
      EXPECT_EQ(t.more_outputs[1][0], t.output.back());
      const auto followed = span_of_events(t, nullptr);
      ASSERT_TRUE(followed);
      EXPECT_EQ(followed->length, t.span);
      EXPECT_EQ(Emulator().run_all(kernel("recurrence"), *sized_kernels("recurrence"), s, {input, starts})[0],
                t.output);
    }
}

TEST(Counts, NumbersNeedPairs) {
  const Settings s = settings("recurrence", {Scalar::float32, Operator::sum}, 10, 32);
  try {
    plan(kernel("recurrence"), s);
    ADD_FAILURE() << "no refusal";
  } catch (const RequestError& e) {
    EXPECT_EQ(in_words(e),
              "recurrence works on pairs of numbers: choose the operator affine, which combines pairs.");
  }
}

// Returns the sentences about all steps with this phase and this stride in one launch. The sentences describe
// all actions of block 0.
std::string said(const Trace& t, int grid, Phase phase, int stride = 0) {
  std::string text;
  for (int step = static_cast<int>(t.grids[static_cast<std::size_t>(grid)].first_step);
       step < end_step(t, grid); ++step)
    if (t.steps[static_cast<std::size_t>(step)] == Step{phase, stride})
      for (const StepAction& action : actions(t, 0, step)) text += action_text(t, grid, action) + "\n";
  return text;
}

TEST(Counts, AreAddedInWordsWhateverTheOperatorIs) {
  const Contents marks = {std::vector<Value>(64, Value{1})};
  const Settings s = settings("compact_marked", {Scalar::float32, Operator::max}, 64, 32);
  const Trace t = recorded(s, {seeded_data(s, 1), marks});
  EXPECT_NE(said(t, 1, Phase::up_sweep, 1).find("add temp[2t] into temp[2t+1]"), std::string::npos)
      << said(t, 1, Phase::up_sweep, 1);
  EXPECT_EQ(said(t, 1, Phase::clear).find("identity"), std::string::npos) << said(t, 1, Phase::clear);
  const Settings maps = settings("recurrence", {Scalar::int32, Operator::affine}, 20, 32);
  const Trace r = recorded(maps, seeded_data(maps, 1));
  EXPECT_NE(said(r, 0, "apply").find("put the result of the map temp[t] for start[0] into ys[t]"),
            std::string::npos)
      << said(r, 0, "apply");
}

TEST(Counts, ArePrintedAsWholeNumbers) {
  const Settings s{.type = Scalar::float32, .op = Operator::affine};
  const Value v{7, 0x40000000};
  EXPECT_EQ(exact_text(v, s, Cells::counts), "7");
  EXPECT_EQ(exact_text(v, s, Cells::count_messages), "7");
  EXPECT_EQ(exact_text({0x40000000}, s, Cells::numbers), "2");
  EXPECT_EQ(exact_text({0, 0x40000000}, s, Cells::elements), "2");
  EXPECT_EQ(short_text({4294967295u}, s, Cells::counts, 5), "4.3e9");
  EXPECT_EQ(cell_bytes(Cells::counts, 16), 4);
  EXPECT_EQ(cell_bytes(Cells::numbers, 16), 8);
  EXPECT_EQ(cell_bytes(Cells::count_messages, 16), 8);
}

#define NEEDS_NVRTC()     \
  if (!nvrtc_available()) \
  GTEST_SKIP() << "libnvrtc is not installed: kernels cannot be compiled for a GPU here."

TEST(Counts, KernelsCompileForAGpu) {
  NEEDS_NVRTC();
  const auto compiles = [](const std::string& name, const Kind& kind, Mode mode) {
    const Settings s = settings(name, kind, 1000, 128);
    SCOPED_TRACE(describe(s));
    EXPECT_EQ(compile(program(kernel(name), s, mode), "compute_90").log, "");
  };
  // To save time, only every third program is also compiled with the recorder. By default, each kernel is
  // compiled for every second kind, and the next kernel for the other kinds.
  int kernels = 0;
  for (const char* name : {"reverse_pairs", "compact_marked", "rank_marked", "recurrence"}) {
    int index = 0;
    for (const Kind& kind : name == std::string("recurrence") ? std::span<const Kind>(pairs) : kinds) {
      const int turn = index++;
      if ((turn + kernels) % 2 == 0 && !tries_everything()) continue;
      compiles(name, kind, Mode::fast);
      if (turn % 3 == 0) compiles(name, kind, Mode::traced);
    }
    ++kernels;
  }
}

// The same kernel twice: with Upsweep's type Count, and in plain CUDA. Both must compile to the same PTX.
constexpr const char* with_counts = R"(// Tally
// Idea        x
// Gives       copy
// Elements    any
// Blocks      any
// Variants    none
// Inputs      in: n, marks: n words
// Outputs     out: n, sums: n counts
// Shared      temp: block counts
// Launches    tally<<<1, block>>>(marks, sums, n)
// Steps       0
// Operations  0
// Watch       x
// Source      x
template <class T>
__global__ void tally(Global<const unsigned> marks, Global<Count> sums, int n) {
  Shared<Count> temp;
  const int t = threadIdx.x;
  Count sum = 0;
  for (int i = t; i < n; i += blockDim.x) sum = op(sum, Count(marks[i] & 1));
  for (int k = 16; k > 0; k /= 2) sum = op(sum, __shfl_down_sync(~0u, sum, k));
  temp[t] = sum;
  __syncthreads();
  const Count of_warp = temp[t];
  if (t % 32 == 0) atomic_op(&sums[t / 32], of_warp);
  if (t == 1) sums[temp[0]] = identity<Count>();
}
)";
constexpr const char* by_hand = R"(
extern "C" __global__ void tally(const unsigned* marks, unsigned* sums, int n) {
  extern __shared__ unsigned temp[];
  const int t = threadIdx.x;
  unsigned sum = 0;
  for (int i = t; i < n; i += blockDim.x) sum = sum + (marks[i] & 1);
  for (int k = 16; k > 0; k /= 2) sum = sum + __shfl_down_sync(~0u, sum, k);
  temp[t] = sum;
  __syncthreads();
  const unsigned of_warp = temp[t];
  if (t % 32 == 0) atomicAdd(&sums[t / 32], of_warp);
  if (t == 1) sums[static_cast<int>(temp[0])] = 0;
}
)";

TEST(Counts, CostNothingOnTheFastMachine) {
  NEEDS_NVRTC();
  const Algorithm a = parse_kernel("tally", "tally.cuh", with_counts);
  Program hand;
  hand.file = "by_hand.cu";
  hand.text = by_hand;
  for (const char* architecture : {"compute_75", "compute_90", "compute_100"}) {
    const std::string expected = ptx_instructions(compile(hand, architecture).image);
    ASSERT_GT(std::count(expected.begin(), expected.end(), '\n'), 30);
    for (const Kind& kind : kinds) {
      const Settings s = settings("tally", kind, 100, 64);
      const std::string fast = ptx_instructions(compile(program(a, s, Mode::fast), architecture).image);
      EXPECT_TRUE(fast == expected) << architecture << " " << describe(s) << "\n" << fast << "\n" << expected;
    }
  }
}

}  // namespace counts_test
}  // namespace upsweep
