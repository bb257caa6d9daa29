// Tests the algorithms that a sweep measures on the CPU, and measurements without a GPU.
#include "measure/processor.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <map>
#include <thread>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/data.hpp"
#include "measure/measure.hpp"
#include "trace/value.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace processor_test {

TEST(Processor, ComputesWhatTheOracleDoes) {
  Processor cpu;
  for (const Scalar type : {Scalar::int32, Scalar::uint32, Scalar::float32, Scalar::float64})
    for (const Operator op :
         {Operator::sum, Operator::product, Operator::min, Operator::max, Operator::affine})
      for (const int n : {1, 2, 7, 1000, (1 << 20) + 5})
        for (const char* name : {"reduce_serial", "scan_large"})
          for (const bool exclusive : {false, true}) {
            Settings s;
            s.n = n;
            s.type = type;
            s.op = op;
            const std::string gives = name == std::string("reduce_serial") ? ""
                                      : exclusive                          ? "exclusive"
                                                                           : "inclusive";
            if (gives.empty() && exclusive) continue;
            s.algorithm = name;
            if (!gives.empty()) s.choices["gives"] = gives;
            const Algorithm& a = algorithm(name);
            if (n > 1000 && (type != Scalar::float32 || op != Operator::sum)) continue;
            ASSERT_TRUE(cpu.prepare(s, {}));
            // The input must equal the input that prepare() makes.
            std::vector<Value> input(static_cast<std::size_t>(n));
            for (std::size_t i = 0; i < input.size(); ++i) {
              const int digit = static_cast<int>(((i * 0x9e3779b97f4a7c15ull) >> 40) % 8);
              const std::string one = op == Operator::affine    ? "1 " + std::to_string(digit)
                                      : op == Operator::product ? "1"
                                                                : std::to_string(digit);
              static std::map<std::pair<std::string, Scalar>, Value> known;
              auto found = known.find({one, type});
              if (found == known.end())
                found = known.emplace(std::pair(one, type), parse_data(one, s, "digits")[0]).first;
              input[i] = found->second;
            }
            for (const Cores cores : {Cores::one, Cores::threads, Cores::par_unseq}) {
              const Result what = result_of(a, s);
              const bool refused = Processor::no_par() || Processor::par_refusal(what, op);
              if (cores == Cores::par_unseq && refused) {
                EXPECT_THROW(cpu.run(s, what, cores, {}), WorkError);
                continue;
              }
              ASSERT_TRUE(cpu.run(s, what, cores, {}));
              const auto width = static_cast<std::size_t>(element_bytes(s));
              std::vector<Value> output(static_cast<std::size_t>(output_size(a, s)));
              for (std::size_t i = 0; i < output.size(); ++i)
                std::memcpy(output[i].data(), cpu.output() + i * width, width);
              EXPECT_FALSE(check(a, s, input, output))
                  << name << " " << gives << " n " << n << " cores " << static_cast<int>(cores);
            }
          }
}

// Checks the results for random data. The sizes cannot be divided equally among threads.
TEST(Processor, RandomDataOfAwkwardSizes) {
  Processor cpu;
  for (const Scalar type :
       {Scalar::int32, Scalar::uint32, Scalar::int64, Scalar::float16, Scalar::float32, Scalar::float64})
    for (const Operator op :
         {Operator::sum, Operator::product, Operator::min, Operator::max, Operator::affine})
      for (const int n : {1, 3, 1021, 20011})
        for (const char* gives : {"", "inclusive", "exclusive"}) {
          Settings s;
          s.n = n;
          s.type = type;
          s.op = op;
          s.algorithm = *gives ? "scan_large" : "reduce_serial";
          if (*gives) s.choices["gives"] = gives;
          const Algorithm& a = algorithm(s.algorithm);
          const auto width = static_cast<std::size_t>(element_bytes(s));
          ASSERT_TRUE(cpu.prepare(s, {}));
          const std::vector<Value> input = random_data(s, 2);
          const std::vector<std::byte> bytes = packed(input, width);
          std::memcpy(cpu.input(), bytes.data(), bytes.size());
          for (const Cores cores : {Cores::one, Cores::threads, Cores::par_unseq}) {
            const Result what = result_of(a, s);
            const bool refused = Processor::no_par() || Processor::par_refusal(what, op);
            if (cores == Cores::par_unseq && refused) continue;
            ASSERT_TRUE(cpu.run(s, what, cores, {}));
            const std::vector<Value> output =
                unpacked({cpu.output(), static_cast<std::size_t>(output_size(a, s)) * width}, width);
            EXPECT_FALSE(check(a, s, input, output))
                << s.algorithm << " " << gives << ", " << name(type) << " " << name(op) << ", n " << n
                << ", cores " << static_cast<int>(cores);
          }
        }
}

// Tests an array that is too large for one call of a parallel algorithm. The second call must go on where the
// first call ended.
TEST(Processor, ParUnseqGoesOnWhereItsLastPartEnded) {
  if (Processor::no_par()) GTEST_SKIP() << in_words(Processor::no_par());
  Processor cpu;
  Settings s;
  s.n = (1 << 24) + 13;
  for (const Scalar type : {Scalar::int32, Scalar::float64})  // float32 would round these large sums
    for (const Result& what : {Result::reduction, Result::inclusive_scan, Result::exclusive_scan}) {
      s.type = type;
      ASSERT_TRUE(cpu.prepare(s, {}));
      const int results = what == Result::reduction ? 1 : s.n;
      const auto bytes = static_cast<std::size_t>(results) * static_cast<std::size_t>(scalar_bytes(type));
      ASSERT_TRUE(cpu.run(s, what, Cores::one, {}));
      const std::vector<std::byte> due(cpu.output(), cpu.output() + bytes);
      ASSERT_TRUE(cpu.run(s, what, Cores::par_unseq, {}));
      EXPECT_EQ(std::memcmp(due.data(), cpu.output(), bytes), 0) << name(type) << " " << what.name;
    }
}

TEST(Measure, TheCpuIsMeasuredWhereThereIsNoGpu) {
  SweepRequest r;
  r.kernels = {{.settings = {.algorithm = "reduce_vectorized"}}, {.settings = {.algorithm = "scan_large"}}};
  r.sizes = {1 << 10, 1 << 12};
  r.seconds = 0.001;
  std::size_t last = 0, calls = 0;
  const Timings t = measure(r, [&](const SweepProgress& p) {
    EXPECT_GE(p.done, last);
    EXPECT_LE(p.done, p.all);
    last = p.done;
    ++calls;
  });
  EXPECT_GT(calls, 4u);
  EXPECT_FALSE(t.processor.empty());
  EXPECT_EQ(t.date.size(), 20u) << t.date;
  int measured = 0;
  for (const Timing& row : t.rows) {
    EXPECT_NE(row.seconds.count > 0, static_cast<bool>(row.missing)) << row.name;
    if (row.contender == Contender::processor) {
      measured += !row.missing;
      if (!row.missing) EXPECT_GE(row.seconds.count, 5);
      else EXPECT_EQ(row.missing, Processor::no_par());
    } else if (why_no_gpu()) {
      EXPECT_EQ(row.missing, why_no_gpu());
      EXPECT_EQ(row.settings.n, 1 << 10) << "said once";
    }
  }
  EXPECT_EQ(measured, Processor::no_par() ? 8 : 12);
}

TEST(Measure, WhatWouldTakeTheCpuTooLongIsLeftOut) {
  SweepRequest r;
  r.kernels = {{.settings = {.algorithm = "reduce_vectorized", .type = Scalar::float16}}};
  r.sizes = powers_of_two(1 << 10, 1 << 24);
  r.seconds = 0.001;
  r.longest_processor_run = 2e-3;  // 2^24 elements take at least 20 ms
  int measured = 0, left_out = 0;
  for (const Timing& t : measure(r).rows) {
    if (t.name != "std::accumulate" || !t.variant.empty()) continue;
    EXPECT_EQ(left_out, 0) << "said once, and last";
    measured += !t.missing;
    left_out += t.missing.id == MessageId::takes_too_long_to_wait;
  }
  EXPECT_EQ(left_out, 1);
  EXPECT_GT(measured, 0);
}

// Each measurement would take 5 s. A benchmark in bench/ checks that cancelling takes less than 0.2 s.
TEST(Measure, CancelDoesNotWaitForTheMeasurement) {
  SweepRequest r;
  r.kernels = {{.settings = {.algorithm = "scan_large"}}};
  r.sizes = powers_of_two(1 << 10, 1 << 24);
  r.seconds = 5;
  std::stop_source stop;
  std::chrono::steady_clock::time_point asked;
  std::jthread asker([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    asked = std::chrono::steady_clock::now();
    stop.request_stop();
  });
  const Timings t = measure(r, {}, stop.get_token());
  asker.join();
  EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::seconds(2));
  EXPECT_FALSE(t.rows.empty());
}

}  // namespace processor_test
}  // namespace upsweep
