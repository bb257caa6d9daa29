// Compares the emulator with a simple interpreter that runs the lanes of a warp in lockstep. The kernel runs
// random programs, and each warp must do the same as the interpreter.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "emulated/test_kernels.hpp"
#include "machine/emulator/emulator.hpp"
#include "support/emulated_runs.hpp"
#include "support/long_tests.hpp"

namespace upsweep {
namespace interpreter_test {

std::vector<Value> words_of(const std::vector<std::uint32_t>& words) {
  std::vector<Value> values;
  for (const std::uint32_t w : words) values.push_back({w});
  return values;
}

// Runs the same programs as tests/kernels/interpreter.cuh: one warp after another, and each warp in lockstep.
struct Interpreted {
  std::vector<std::uint32_t> x, word;
  std::array<std::uint32_t, 8> counters{};

  Interpreted(const std::vector<std::uint32_t>& program, int blocks, int threads) {
    for (int b = 0; b < blocks; ++b) {
      std::array<std::uint32_t, 8> marks{};
      const std::size_t first = x.size();
      for (int t = 0; t < threads; ++t) {
        const auto me = static_cast<std::uint32_t>(b * threads + t);
        x.push_back(program[me % program.size()]);
        word.push_back(me);
      }
      for (int w = 0; w < threads / 32; ++w)
        warp(program, w, first + 32 * static_cast<std::size_t>(w), marks);
      for (std::size_t me = first; me < x.size(); ++me) word[me] += marks[me & 7];
    }
  }

  void warp(const std::vector<std::uint32_t>& program, int w, std::size_t first,
            std::array<std::uint32_t, 8>& marks) {
    std::uint32_t* const xs = &x[first];
    std::uint32_t* const words = &word[first];
    for (const std::uint32_t instruction : program) {
      const int code = static_cast<int>(instruction), what = code & 15, skip = code >> 9 & 7;
      const std::uint32_t k = static_cast<std::uint32_t>(code) >> 4 & 31;
      std::uint32_t mask = 0;
      for (int lane = 0; lane < 32; ++lane)
        if (skip == 0 || (lane * 5 + w + skip) % (skip + 1) != 0) mask |= 1u << lane;
      const std::vector<std::uint32_t> x_before(xs, xs + 32), words_before(words, words + 32);
      const auto there = [&](std::uint32_t lane) { return (mask >> lane & 1) != 0; };
      const auto x_of = [&](std::uint32_t lane) { return there(lane) ? x_before[lane] : 0; };
      std::uint32_t ballot = 0, sum = 0;
      for (std::uint32_t l = 0; l < 32; ++l) {
        if (!there(l)) continue;
        sum += words_before[l];
        const std::uint32_t v = words_before[l];
        if (what == 5 ? (v >> (k & 7) & 1) != 0 : what == 6 ? v % 64 == k : v % 8 != (k & 7))
          ballot |= 1u << l;
      }
      for (std::uint32_t l = 0; l < 32; ++l) {
        if (!there(l)) continue;
        switch (what) {
          case 0: xs[l] = x_of((k + l) & 31); break;
          case 1: xs[l] += l >= k ? x_of(l - k) : x_before[l]; break;
          case 2: xs[l] += l + k < 32 ? x_of(l + k) : x_before[l]; break;
          case 3: xs[l] = x_of(l ^ k); break;
          case 4: words[l] = (there(l ^ k) ? words_before[l ^ k] : 0) + 1; break;
          case 5: words[l] ^= ballot; break;
          case 6: words[l] = 2 * words[l] + (ballot != 0); break;
          case 7: words[l] = 2 * words[l] + (ballot == mask); break;
          case 8: words[l] += sum; break;
          case 9: {
            std::uint32_t from = (l + 1 + k) & 31;
            while (!there(from)) from = (from + 1) & 31;
            xs[l] += x_before[from];
            break;
          }
          case 10: counters[k & 7] += words[l] & 15; break;
          case 11: marks[k & 7] = std::max(marks[k & 7], words[l] & 255); break;
          case 12: ++counters[0]; break;
          default: break;
        }
      }
    }
  }
};

std::vector<std::uint32_t> random_program(std::mt19937& random, int length) {
  std::vector<std::uint32_t> program;
  for (int i = 0; i < length; ++i) program.push_back(static_cast<std::uint32_t>(random() >> 4));
  return program;
}

TEST(Interpreter, WarpsDoTogetherWhatTheyWouldInLockstep) {
  const Algorithm a = test_kernel("interpreter");
  std::mt19937 random(21);
  Emulator emulator;
  const int programs = tries_everything() ? 60 : 25;
  for (int i = 0; i < programs; ++i) {
    const int length = 1 + static_cast<int>(random() % 60), blocks = 1 + static_cast<int>(random() % 5);
    const int threads = 32 * (1 + static_cast<int>(random() % 3));
    const auto program = random_program(random, length);
    Settings s{.algorithm = a.name, .n = length, .block = threads, .type = Scalar::int32};
    s.grid = blocks;
    const Interpreted expected(program, blocks, threads);
    for (const Way& way : every_way) {
      SCOPED_TRACE(fmt::format("program {}, {} blocks of {}, {}", i, blocks, threads, way.name));
      RecordOptions options = way.options;
      if (options.schedule != 0) options.schedule = random();
      const Trace trace = emulator.record(a, *test_kernels(a.name), s, words_of(program), options);
      ASSERT_FALSE(trace.stopped);
      Replay replay(trace);
      for (std::size_t t = 0; t < expected.x.size(); ++t) {
        const auto at = static_cast<std::int64_t>(4 * t);
        ASSERT_EQ(replay.global(2).at(at)[0], expected.x[t]) << "thread " << t;
        ASSERT_EQ(replay.global(3).at(at)[0], expected.word[t]) << "thread " << t;
      }
      for (const auto& [address, value] : replay.global(4))
        ASSERT_EQ(value[0], expected.counters[static_cast<std::size_t>(address / 4)]);
      if (testing::Test::HasFailure()) return;
    }
  }
}

}  // namespace interpreter_test
}  // namespace upsweep
