// Runs every correct kernel of the catalogue on the emulator. Each kernel must have the steps and operations
// that its opening comment states, access only its own memory, read only cells that were written, and need
// every barrier.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <random>
#include <vector>

#include "analysis/hazards.hpp"
#include "analysis/memory.hpp"
#include "analysis/span.hpp"
#include "analysis/work.hpp"
#include "base/error.hpp"
#include "catalogue/data.hpp"
#include "catalogue/plan.hpp"
#include "catalogue/result.hpp"
#include "machine/emulator/emulator.hpp"
#include "support/compile_cases.hpp"
#include "support/long_tests.hpp"
#include "support/sanitizers.hpp"
#include "support/source_file.hpp"
#include "trace/consistency.hpp"
#include "trace/file.hpp"
#include "words/hazard_words.hpp"

namespace upsweep {
namespace every_kernel_test {

constexpr RecordOptions all_blocks{.blocks = UINT32_MAX};

// Returns a random word for each element of the input. If the elements are bytes of pixels, returns random
// bytes.
std::vector<Value> random_words(const Settings& s, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Value> data(static_cast<std::size_t>(input_size(s)));
  for (Value& v : data) v[0] = static_cast<std::uint32_t>(random()) & (pixels_are_bytes(s) ? 0xff : ~0u);
  return data;
}

// Calls f(settings, recording) for valid settings of the algorithm. All runs compute sums of integers,
// because runs with other types and operators would find no further bugs. Returns the number of runs.
template <class F>
int for_each_run(const Algorithm& a, const std::vector<int>& sizes, F f) {
  const int largest = sanitized ? 128 : 4096;
  const std::vector<int> blocks = sanitized ? std::vector{32, 96, 256} : std::vector{32, 64, 96, 256, 512};
  constexpr int each = sanitized ? 3 : 1;  // only one of every `each` combinations is run
  const double most_cost = tries_everything() ? 1 << 20 : 1 << 15;
  const int rest = tries_everything() ? 4 : 16;  // beyond `most_cost`, only one of `rest` combinations is run
  Emulator emulator;
  int possible = 0, runs = 0;
  double spent = 0;
  for (Settings s : every_choice(a))
    for (const int n : sizes)
      for (const int block : blocks)
        for (const int grid : {1, 3, 16}) {
          if (s.type == Scalar::float32) s.type = Scalar::uint32;
          s.n = n;
          s.block = block;
          s.grid = grid;
          if (n > largest || (!a.uses_grid && grid > 1)) continue;
          if (n / block > 64) continue;  // runs with more blocks would find no further bugs
          try {
            validate(s);
          } catch (const RequestError&) { continue; }
          // Leaves out runs with many operations, because they take seconds and would find no further bugs.
          if (const auto promised = promise(a, s);
              promised && promised->operations > (promised->at_most ? 1 << 16 : 1 << 18))
            continue;
          // All combinations would take long if an algorithm has many choices. After this total cost and at
          // least 12 runs, only a part of the further combinations is run.
          if (possible++ % (spent > most_cost && runs >= 12 ? rest * each : each) != 0) continue;
          spent += cost(a, s);
          SCOPED_TRACE(fmt::format("{}, a grid of {}", describe(s), grid));
          const Trace trace =
              emulator.record(s, random_words(s, static_cast<unsigned>(n + block)), all_blocks);
          EXPECT_FALSE(trace.stopped);
          EXPECT_EQ(trace.dropped, 0u);
          f(s, trace);
          ++runs;
          if (testing::Test::HasFailure()) return runs;
        }
  return runs;
}

std::vector<std::string> correct_kernels() {
  std::vector<std::string> names;
  for (const Algorithm* a : correct_algorithms(Language::cuda)) names.push_back(a->name);
  return names;
}

class EveryKernel : public testing::TestWithParam<std::string> {};

std::int64_t operations(const Trace& trace) {
  std::int64_t count = 0;
  for (const Event& e : trace.events)
    count += applications(e.kind, e.detail, 1, static_cast<std::uint64_t>(std::popcount(e.mask)));
  return count;
}

// The emulator counts the span (the length of the longest chain of dependent operations) during the run.
// Expects that this span equals the span that is computed from the events.
void expect_span_of_events(const Trace& trace) {
  const auto followed = span_of_events(trace);
  ASSERT_TRUE(followed);
  EXPECT_EQ(followed->length, trace.span);
  EXPECT_EQ(followed->operating, trace.operating);
}

TEST_P(EveryKernel, AppliesItsOperatorAsOftenAsItSays) {
  const Algorithm& a = algorithm(GetParam());
  const int runs =
      for_each_run(a, {1, 2, 4, 8, 32, 64, 128, 512, 1024, 4096}, [&](const Settings& s, const Trace& trace) {
        const auto promised = promise(a, s);
        ASSERT_TRUE(promised);
        if (promised->at_most) {
          EXPECT_LE(operations(trace), promised->operations);
          if (promised->steps) EXPECT_LE(work(trace).steps, *promised->steps) << describe(s);
          if (promised->span) EXPECT_LE(trace.span, *promised->span) << describe(s);
          return expect_span_of_events(trace);
        }
        EXPECT_EQ(operations(trace), promised->operations);
        if (promised->steps) EXPECT_EQ(work(trace).steps, *promised->steps) << describe(s);
        if (promised->span) EXPECT_EQ(trace.span, *promised->span) << describe(s);
        const auto is_power = [](int x) { return std::has_single_bit(static_cast<unsigned>(x)); };
        if (is_power(s.block) && is_power(s.grid)) EXPECT_TRUE(promised->steps) << describe(s);
        expect_span_of_events(trace);
      });
  EXPECT_GE(runs, sanitized ? 3 : 10);
}

// Records which bytes of a buffer have been written.
struct Written {
  std::vector<bool> bytes;
  // Returns true if the `count` bytes from `first` on have been written.
  bool read(std::int64_t first, int count) const {
    for (std::int64_t b = first; b < first + count; ++b)
      if (!bytes[static_cast<std::size_t>(b)]) return false;
    return true;
  }
  void write(std::int64_t first, int count) {
    for (std::int64_t b = first; b < first + count; ++b) bytes[static_cast<std::size_t>(b)] = true;
  }
};

class Memories {
 public:
  explicit Memories(const Trace& trace) : trace_(trace) {
    for (const GlobalBuffer& b : trace.buffers) {
      const std::int64_t bytes = b.count * cell_bytes(b.cells, trace.element_bytes());
      global_.push_back(
          {std::vector<bool>(static_cast<std::size_t>(bytes), global_.empty() || b.cells == Cells::words)});
    }
  }
  Written& of(const Event& e) {
    if (is_global(e.kind)) return global_.at(e.buffer);
    Written& w = shared_[{e.grid, e.block}];
    w.bytes.resize(trace_.grids.at(e.grid).shared.bytes);
    return w;
  }

 private:
  const Trace& trace_;
  std::vector<Written> global_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Written> shared_;
};

TEST_P(EveryKernel, ReadsOnlyWhatIsThereAndWasWritten) {
  const Algorithm& a = algorithm(GetParam());
  const int runs = for_each_run(
      a, {1, 2, 3, 31, 33, 64, 100, 511, 1000, 1025, 2047, 5003}, [&](const Settings&, const Trace& trace) {
        expect_span_of_events(trace);
        std::vector<std::size_t> as_issued(trace.events.size());
        std::iota(as_issued.begin(), as_issued.end(), 0);
        std::stable_sort(as_issued.begin(), as_issued.end(), [&](std::size_t x, std::size_t y) {
          return trace.events[x].time < trace.events[y].time;
        });
        Memories memories(trace);
        for (const std::size_t i : as_issued) {
          const Event& e = trace.events[i];
          if (!is_access(e.kind)) continue;
          ASSERT_FALSE(e.flags & is_outside) << "line " << e.line << " reaches beyond its memory";
          Written& memory = memories.of(e);
          const int bytes = is_atomic(e.kind) ? e.width : e.width / e.parts;
          for_each_lane(e, [&](int lane, std::uint32_t entry) {
            const std::int64_t at = trace.lanes[entry].address;
            if (!is_store(e.kind) && !memory.read(at, bytes))
              ADD_FAILURE() << "line " << e.line << ", block " << e.block << ", warp " << e.warp << ", lane "
                            << lane << " reads byte " << at << ", which no thread wrote";
            if (!is_load(e.kind)) memory.write(at, bytes);
          });
          if (testing::Test::HasFailure()) return;
        }
      });
  EXPECT_GE(runs, sanitized ? 4 : 12);
}

// Elements of 2 bytes share a word of shared memory, and elements of 8 and 16 bytes take several words. The
// analysis must not report a race between elements that share a word. A trace file must preserve every value.
TEST_P(EveryKernel, IsRightForEveryTypeAndOperator) {
  const Algorithm& a = algorithm(GetParam());
  const std::vector<int> sizes = sanitized ? std::vector{33} : std::vector{33, 300};
  Emulator emulator;
  std::uint64_t seed = 0;
  for (Settings s : every_type(a))
    for (const int n : sizes) {
      // To save time, only every second pair of type and operator is run with the second size by default.
      const bool is_odd = (static_cast<int>(s.type) + static_cast<int>(s.op)) % 2 != 0;
      if (is_odd && n != sizes.front() && !tries_everything()) continue;
      s.n = n;
      s.block = std::max(smallest_block(a, s), a.least_threads);
      const std::vector<Value> input = random_data(s, seed++);
      const Trace trace = emulator.record(s, input, all_blocks);
      SCOPED_TRACE(describe(s));
      EXPECT_FALSE(check(a, s, input, trace.output));
      EXPECT_FALSE(check(a, s, input, emulator.run(s, input)));
      EXPECT_EQ(incoherence(trace), std::nullopt);
      EXPECT_FALSE(contradiction(trace));
      for (const HazardFinding& f : hazards(trace).findings) ADD_FAILURE() << what_happens(trace, f);
      EXPECT_TRUE(unpack(pack(trace), "it") == trace);
    }
}

// Returns true if the analysis finds a hazard in at least one run without this barrier.
bool is_needed(const Algorithm& a, int barrier, const std::vector<int>& sizes,
               const std::vector<int>& blocks) {
  Emulator emulator;
  // The small runs of all choices come first, because most of the hazards are in small runs.
  for (const int n : sizes)
    for (const int block : blocks)
      for (Settings s : every_choice(a)) {
        if (s.type == Scalar::float32) s.type = Scalar::uint32;
        s.n = n;
        s.block = block;
        s.grid = 3;
        s.without_barrier = barrier;
        try {
          validate(s);
        } catch (const RequestError&) { continue; }
        if (!hazards(emulator.record(s, random_words(s, 1), all_blocks)).findings.empty()) return true;
      }
  return false;
}

// On the emulator, a kernel needs every barrier, except a barrier with the comment "not needed for the
// result".
TEST_P(EveryKernel, HasNoBarrierToSpare) {
  if (sanitized) GTEST_SKIP();
  const Algorithm& a = algorithm(GetParam());
  for (const int barrier : barrier_lines(a)) {
    SCOPED_TRACE("the barrier of line " + std::to_string(barrier));
    if (text_line(a.text, barrier).find("// not needed for the result") == std::string::npos)
      EXPECT_TRUE(is_needed(a, barrier, {2, 256, 1000, 2000, 5000}, {64, 256, 1024}));
    else  // tries only a few runs, because no hazard ends the search early
      EXPECT_FALSE(is_needed(a, barrier, {256, 2000}, {64, 256}));
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryKernel, testing::ValuesIn(correct_kernels()),
                         [](const auto& info) { return info.param; });

}  // namespace every_kernel_test
}  // namespace upsweep
