// Proves the claims in the opening comments of broken kernels (see claims_test.cpp).
#pragma once
#include "analysis/hazards.hpp"
#include "support/claims.hpp"
#include "trace/value.hpp"

namespace upsweep::claimed {

inline std::vector<std::size_t> wrong_places(const Recording& r) {
  return wrong_elements(r.trace.settings, r.trace.input, r.trace.output);
}

// Returns the sum of the input's elements from `from` on.
inline long double sum(const Recording& r, std::size_t from = 0) {
  long double all = 0;
  for (std::size_t i = from; i < r.trace.input.size(); ++i) all += scalar(r.trace.input[i], Scalar::float32);
  return all;
}

inline std::vector<Claim> claims_of_bugs() {
  const auto right = [](Case c) { return [c] { EXPECT_EQ(wrong(run(c)), 0u); }; };
  return {
      {"bug_half_loaded", "The lower half of the output is right. The upper half is right only by luck",
       [] {
         for (const int n : {16, 64, 1000}) {
           const auto places = wrong_places(run({"bug_half_loaded", n}));
           ASSERT_FALSE(places.empty());
           EXPECT_GE(places[0], static_cast<std::size_t>(n / 2)) << n;
         }
       }},
      {"bug_half_stored", "the upper half of the output is never written",
       [] {
         EXPECT_EQ(accesses(run({"bug_half_stored", 512}), "out", false), 256);
       }},
      {"bug_half_stored", "the lower half of the output is right",
       [] {
         EXPECT_EQ(wrong_places(run({"bug_half_stored", 512}))[0], 256u);
       }},
      {"bug_lost_root_clear",
       "each number is too large by the array's total. If the total is 0, the numbers are right, "
       "too.",
       [] {
         const Recording r = run({"bug_lost_root_clear", 100});
         const std::vector<Value> due = oracle(r.trace.settings, r.trace.input);
         for (std::size_t i = 0; i < due.size(); ++i)
           EXPECT_EQ(scalar(r.trace.output[i], Scalar::float32), scalar(due[i], Scalar::float32) + sum(r));
         EXPECT_TRUE(hazards(r.trace).findings.empty());
         Settings s = r.trace.settings;
         std::vector<Value> input = r.trace.input;
         set_scalar(input[7], s.type, 0, scalar(input[7], s.type) - sum(r));
         EXPECT_FALSE(check(s, input, Emulator().run(s, input)));
       }},
      {"bug_missing_breaks",
       "After the first launch of bug_missing_breaks, all sums are right. Each later launch adds "
       "parts of the chunks again.",
       [] {
         const Recording r = run({"bug_missing_breaks", 1000, 64});
         std::vector<long double> first(8);
         for (const Event& e : r.trace.events)
           if (e.grid == 1 && is_store(e.kind) && r.trace.buffers[e.buffer].name == "sums")
             first[e.block] = scalar(r.trace.values[e.first], Scalar::float32);
         EXPECT_EQ(std::accumulate(first.begin(), first.end(), 0.0L), sum(r));
         EXPECT_EQ(wrong(r), 1u);
       }},
      {"bug_missing_breaks", "With blocks of 32 threads the result is right",
       right({"bug_missing_breaks", 1000, 32})},
      {"bug_missing_fold", "right for every n that is a multiple of 8 * blockDim.x",
       [=] {
         for (const int k : {1, 2, 5}) right({"bug_missing_fold", 8 * 64 * k, 64})();
         EXPECT_EQ(
             wrong(run({"bug_missing_fold", 8 * 64 * 2 + 1, 64})) + wrong(run({"bug_missing_fold", 600, 64})),
             1u);
       }},
      {"bug_partition_remainder", "right for every n that is a multiple of the number of threads.",
       [=] {
         for (const int k : {1, 2, 5}) right({"bug_partition_remainder", 4 * 64 * k, 64, 4})();
       }},
      {"bug_partition_remainder", "every range is empty and the sum is 0",
       [] {
         EXPECT_EQ(scalar(run({"bug_partition_remainder", 200, 64, 4}).trace.output[0], Scalar::float32), 0);
       }},
      {"bug_return_before_barrier", "If n is a multiple of the block size, no thread returns early.",
       [] {
         EXPECT_TRUE(hazards(run({"bug_return_before_barrier", 256, 64}).trace).findings.empty());
         EXPECT_FALSE(hazards(run({"bug_return_before_barrier", 255, 64}).trace).findings.empty());
       }},
      {"bug_reverse_overrun", "The result is still right",
       [=] {
         for (const int n : {16, 100, 1000}) right({"bug_reverse_overrun", n})();
       }},
      {"bug_stray_semicolon", "with a stride of 0",
       [] {
         EXPECT_EQ(of_steps(run({"bug_stray_semicolon", 100}), Phase::reduce, operations), Numbers{0});
       }},
      {"bug_stray_semicolon", "the result is the first element",
       [] {
         const Recording r = run({"bug_stray_semicolon", 100});
         EXPECT_EQ(r.trace.output[0], r.trace.input[0]);
       }},
      {"bug_tail_added_twice", "the strides from 32 down to 1 run twice",
       [] {
         const Recording r = run({"bug_tail_added_twice", 256, 128, 1});
         Numbers strides;
         for (const Step& s : r.trace.steps)
           if (s.phase == Phase::reduce) strides.push_back(s.stride);
         strides.resize(13);
         EXPECT_EQ(strides, (Numbers{64, 32, 16, 8, 4, 2, 1, 32, 16, 8, 4, 2, 1}));
       }},
      {"bug_tail_added_twice", "A minimum or a maximum is still right",
       [=] {
         for (const Operator op : {Operator::min, Operator::max})
           right({.kernel = "bug_tail_added_twice", .n = 1000, .op = op})();
         EXPECT_EQ(wrong(run({"bug_tail_added_twice", 1000})), 1u);
       }},
      {"bug_unrolled_index", "With a single block the result is right.",
       right({"bug_unrolled_index", 256, 32})},
      {"bug_unrolled_index",
       "elements in the middle are read up to eight times, and the end of a long array is never read",
       [] {
         const Recording r = run({"bug_unrolled_index", 256 * 20, 32});
         std::vector<int> read(r.trace.input.size());
         for (const Event& e : r.trace.events)
           if (e.kind == Kind::global_load && e.buffer == 0)
             for_each_lane(e, [&](int, std::uint32_t at) {
               ++read[static_cast<std::size_t>(r.trace.lanes[at].address / 4)];
             });
         EXPECT_EQ(*std::max_element(read.begin(), read.end()), 8);
         EXPECT_EQ(read.back(), 0);
       }},
      {"bug_output_never_written", "After the last stride, shared memory holds the right sums.",
       [] {
         const Recording r = run({"bug_output_never_written", 100});
         const std::vector<Value> due = oracle(r.trace.settings, r.trace.input);
         const auto cells = memory_at(r.trace, 0, 0, r.trace.events.size());
         for (std::size_t i = 0; i < due.size(); ++i) EXPECT_EQ(cells[i].value, due[i]) << i;
         EXPECT_EQ(accesses(r, "out", false), 0);
       }},
      {"bug_two_barriers_needed", "If a warp runs in lockstep, all its lanes read before any lane writes.",
       [] {
         for (const std::uint64_t schedule : {1, 2, 3})
           EXPECT_EQ(
               wrong(run(
                   {.kernel = "bug_two_barriers_needed", .n = 32, .schedule = schedule, .lockstep = true})),
               0u);
       }},
      {"bug_volatile_warp", "From stride 32 on, only one warp works",
       [] {
         for (const int lanes : of_steps(run({"bug_volatile_warp", 64}), Phase::reduce, active))
           EXPECT_LE(lanes, 32);
       }},
      {"bug_volatile_warp", "If the lanes run in lockstep, there is no race.",
       [] {
         const Recording r = run({"bug_volatile_warp", 256});
         EXPECT_FALSE(hazards(r.trace).findings.empty());
         for (const HazardFinding& f : hazards(r.trace).findings) EXPECT_FALSE(f.lockstep);
       }},
      {"bug_barrier_in_divergent_loop", "the stride exceeds t",
       [] {
         const Recording r = run({"bug_barrier_in_divergent_loop", 32});
         for (const Event& e : r.trace.events)
           if (e.kind == Kind::operation) {
             EXPECT_LE(r.trace.steps[e.step].stride, std::countr_zero(e.mask));
           }
       }},
  };
}

}  // namespace upsweep::claimed
