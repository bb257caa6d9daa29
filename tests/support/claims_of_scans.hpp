// Proves the claims in the opening comments of the scan kernels (see claims_test.cpp).
#pragma once
#include "analysis/time_line.hpp"
#include "support/claims.hpp"

namespace upsweep::claimed {

// Calls f(name, recording) for every correct scan.
template <class F>
void for_every_scan(int n, F f) {
  for (const Algorithm& a : cuda_algorithms())
    if (a.family == "scan") f(a.name, run({a.name, n}));
}

inline std::vector<int> requests_of_steps(const Recording& r) {
  std::vector<int> all;
  for (const StepFacts& f : r.facts.steps)
    for (const std::int64_t number : {std::int64_t{f.max_degree}, f.totals.shared_load.requests,
                                      f.totals.shared_store.requests, f.totals.shared_load.wavefronts})
      all.push_back(static_cast<int>(number));
  return all;
}

// In each pass of the OpenGL scan, each fragment writes only its own texel, and all fragments write to the
// same texture.
inline void one_target_a_pass() {
  const Recording r = run({"scan_opengl_hybrid", 333, 96});
  std::map<int, int> target;
  for (const Event& e : r.trace.events) {
    if (e.kind != Kind::global_store) continue;
    EXPECT_EQ(target.try_emplace(e.grid, e.buffer).first->second, e.buffer);
    const int first = static_cast<int>(e.block) * r.trace.grids[e.grid].threads + 32 * e.warp;
    for_each_lane(
        e, [&](int lane, std::uint32_t at) { EXPECT_EQ(r.trace.lanes[at].address, 4 * (first + lane)); });
  }
  EXPECT_EQ(target.size(), r.trace.steps.size());
}

inline std::vector<Claim> claims_of_scans() {
  return {
      {"scan_sequential",
       "no inclusive scan needs fewer than n - 1 operations. An exclusive scan needs only n - 2 "
       "operations, but this loop also adds the last element.",
       [] {
         EXPECT_EQ(run({"scan_sequential", 64}).work.operations, 63);
         EXPECT_EQ(run({"scan_sequential", 64, 0, 4, {{"gives", "exclusive"}}}).work.operations, 63);
         for_every_scan(64, [](const std::string& name, const Recording& r) {
           EXPECT_GE(r.work.operations, 63) << name;
         });
       }},
      {"scan_sequential",
       "Every operation takes one step. Only one lane of one warp is active, which is the worst "
       "case.",
       [] {
         const Recording r = run({"scan_sequential", 64});
         EXPECT_EQ(r.work.steps, r.work.operations);
         EXPECT_EQ(r.work.peak, 1);
         for (const StepFacts& f : r.facts.steps) EXPECT_LE(f.active_lanes, 1);
         for_every_scan(64, [](const std::string& name, const Recording& other) {
           EXPECT_LE(other.work.steps, other.work.operations) << name;
         });
       }},
      {"scan_hillis_steele", "After log2(n) strides, each element holds the sum",
       [] {
         EXPECT_EQ(run({"scan_hillis_steele", 256, 256}).work.steps, 8);
       }},
      {"scan_hillis_steele", "few steps but much work",
       [] {
         const Recording r = run({"scan_hillis_steele"}), serial = run({"scan_sequential"});
         EXPECT_EQ(r.work.steps, 10);
         EXPECT_EQ(r.work.operations, 9217);
         EXPECT_EQ(serial.work.operations, 1023);
       }},
      {"scan_hillis_steele", "each stride takes two barriers",
       [] {
         EXPECT_EQ(barriers_per_warp(run({"scan_hillis_steele", 256, 256})), 2 * 8);
       }},
      {"scan_double_buffer", "each stride takes one barrier instead of two",
       [] {
         EXPECT_EQ(barriers_per_warp(run({"scan_double_buffer", 256, 256})), 8);
       }},
      {"scan_double_buffer", "twice the shared memory",
       [] {
         EXPECT_EQ(run({"scan_double_buffer", 256, 256}).trace.grids[0].shared.bytes,
                   2 * run({"scan_hillis_steele", 256, 256}).trace.grids[0].shared.bytes);
       }},
      {"scan_double_buffer",
       "At every stride, the scan writes every element, even elements that it only copies",
       [] {
         const Recording r = run({"scan_double_buffer", 256, 256});
         std::int64_t stored = 0;
         for (const Event& e : r.trace.events)
           if (e.kind == Kind::shared_store && r.trace.steps[e.step].phase == Phase::scan)
             stored += std::popcount(e.mask);
         EXPECT_EQ(stored, 256 * 8);
       }},
      {"scan_sklansky",
       "This scan and scan_hillis_steele take the same number of steps. But this scan takes about "
       "half the operations and one barrier per stride",
       [] {
         const Recording r = run({"scan_sklansky", 256, 128}), other = run({"scan_hillis_steele", 256, 256});
         EXPECT_EQ(r.work.steps, 8);
         EXPECT_EQ(r.work.steps, other.work.steps);
         EXPECT_EQ(r.work.operations, 128 * 8);
         EXPECT_EQ(other.work.operations, 256 * 8 - 255);
         EXPECT_EQ(barriers_per_warp(r), 8);
         for_every_scan(256, [&](const std::string& name, const Recording& each) {
           EXPECT_GE(each.work.span, r.work.span) << name;
         });
       }},
      {"scan_sklansky", "at the last stride, n/2 threads read the same word",
       [] {
         const Recording r = run({"scan_sklansky", 256, 128});
         std::map<std::int64_t, int> readers;  // the number of readers of each address at the last stride
         const int last = static_cast<int>(r.trace.steps.size()) - 2;
         for (const Event& e : r.trace.events)
           if (static_cast<int>(e.step) == last && e.kind == Kind::shared_load)
             for_each_lane(e, [&](int, std::uint32_t at) { ++readers[r.trace.lanes[at].address]; });
         EXPECT_EQ(std::max_element(readers.begin(), readers.end(),
                                    [](const auto& a, const auto& b) { return a.second < b.second; })
                       ->second,
                   128);
       }},
      {"scan_brent_kung", "few warps diverge",
       [] {
         for (const int n : {64, 1024, 2048})
           for (const StepFacts& f : run({"scan_brent_kung", n}).facts.steps) EXPECT_LE(f.diverged_warps, 1);
       }},
      {"scan_blelloch",
       "Bank conflicts first double with the stride, and then halve. For n = 1,024 or more, conflicts are "
       "up to 32-way.",
       [] {
         const Numbers up{2, 4, 8, 16, 32, 16, 8, 4, 2, 1}, down(up.rbegin(), up.rend());
         const Recording r = run({"scan_blelloch"});
         EXPECT_EQ(of_steps(r, Phase::up_sweep, degree), up);
         EXPECT_EQ(of_steps(r, Phase::down_sweep, degree), down);
         for (const int n : {64, 512}) {
           const Numbers small = of_steps(run({"scan_blelloch", n}), Phase::up_sweep, degree);
           EXPECT_LT(*std::max_element(small.begin(), small.end()), 32) << n;
         }
       }},
      {"scan_blelloch",
       "At each stride of the up-sweep, half of the active lanes stop working. In the down-sweep, these "
       "lanes work again.",
       [] {
         const Numbers up{512, 256, 128, 64, 32, 16, 8, 4, 2, 1}, down(up.rbegin(), up.rend());
         const Recording r = run({"scan_blelloch"});
         EXPECT_EQ(of_steps(r, Phase::up_sweep, active), up);
         EXPECT_EQ(of_steps(r, Phase::down_sweep, active), down);
       }},
      {"scan_blelloch_unrolled", "accesses and conflicts are the same",
       [] {
         EXPECT_EQ(requests_of_steps(run({"scan_blelloch_unrolled", 256, 128})),
                   requests_of_steps(run({"scan_blelloch", 256, 128})));
       }},
      {"scan_blelloch_unrolled", "only the instructions of the loops are gone",
       [] { EXPECT_EQ(algorithm("scan_blelloch_unrolled").text.find("for ("), std::string::npos); }},
      {"scan_blelloch_unrolled", "always has two leaves for each thread of the block",
       [] {
         EXPECT_EQ(run({"scan_blelloch_unrolled", 5, 128}).trace.grids[0].shared.elements, 256);
       }},
      {"scan_vector4", "Most of the work is sequential and needs no barrier",
       [] {
         const Recording r = run({"scan_vector4"});
         const auto sum = [&](Phase phase) {
           const Numbers all = of_steps(r, phase, operations);
           return std::accumulate(all.begin(), all.end(), 0);
         };
         EXPECT_GT(sum(Phase::fold) + sum(Phase::offset), r.work.operations / 2);
       }},
      {"scan_vector4",
       "This kernel and scan_blelloch make the same number of operations. In this kernel, each "
       "group of four takes 6 operations, and the tree takes all other operations.",
       [] {
         const Recording r = run({"scan_vector4"});
         EXPECT_EQ(r.work.operations, run({"scan_blelloch"}).work.operations);
         EXPECT_EQ(of_steps(r, Phase::fold, operations), Numbers{3 * 256});
         EXPECT_EQ(of_steps(r, Phase::offset, operations), Numbers{3 * 256});
       }},
      {"scan_vector4",
       "a quarter of the accesses to global memory, each of 16 bytes. The tree has a quarter of the "
       "leaves, so there are fewer strides, barriers and conflicts",
       [] {
         const Recording r = run({"scan_vector4"}), whole = run({"scan_blelloch"});
         const Totals &four = r.facts.totals, &one = whole.facts.totals;
         EXPECT_EQ(4 * four.global_load.requests, one.global_load.requests);
         EXPECT_EQ(4 * four.global_store.requests, one.global_store.requests);
         for (const Event& e : r.trace.events)
           if (is_global(e.kind)) { EXPECT_EQ(e.width, 16); }
         EXPECT_EQ(4 * r.trace.grids[0].shared.elements, whole.trace.grids[0].shared.elements);
         EXPECT_LT(of_steps(r, Phase::up_sweep, degree).size(),
                   of_steps(whole, Phase::up_sweep, degree).size());
         EXPECT_LT(barriers_per_warp(r), barriers_per_warp(whole));
         EXPECT_LT(excess(r), excess(whole));
       }},
      {"scan_warp_shuffle", "so there are no conflicts. Two barriers in all",
       [] {
         const Recording r = run({"scan_warp_shuffle", 1024, 1024});
         EXPECT_EQ(excess(r), 0);
         EXPECT_EQ(barriers_per_warp(r), 2);
       }},
      {"scan_warp_shuffle",
       "Each warp's scan takes 129 operations on 32 elements, and the scan of the warps' sums takes 129 "
       "more. "
       "One lane alone would need only 31",
       [] {
         for (const int warps : {1, 3, 32}) {
           const Recording r = run({"scan_warp_shuffle", 32 * warps, 32 * warps});
           const Numbers all = of_steps(r, Phase::scan, operations);
           ASSERT_EQ(all.size(), 10u);
           EXPECT_EQ(std::accumulate(all.begin(), all.begin() + 5, 0), warps * 129);
           EXPECT_EQ(std::accumulate(all.begin() + 5, all.end(), 0), 129);
         }
         EXPECT_EQ(run({"scan_sequential", 32}).work.operations, 31);
       }},
      {"scan_reduce_then_scan",
       "Every element is read twice and written once: 3n accesses to global memory, while "
       "scan_large takes about 4n accesses.",
       [] {
         const Recording r = run({"scan_reduce_then_scan", 20000});
         EXPECT_EQ(accesses(r, "in", true), 2 * 20000);
         EXPECT_EQ(accesses(r, "out", false), 20000);
         const Recording large = run({"scan_large", 20000, 256});
         const std::int64_t all =
             accesses(large, "in", true) + accesses(large, "out", true) + accesses(large, "out", false);
         EXPECT_GT(all, 39 * 2000);
         EXPECT_LE(all, 4 * 20000);
       }},
      {"scan_reduce_then_scan", "has a maximum that does not depend on n",
       [] {
         const auto sizes = [](int n) {
           const Recording r = run({"scan_reduce_then_scan", n});
           return std::pair(r.trace.grids[0].blocks, r.trace.buffers[2].count);
         };
         EXPECT_EQ(sizes(300), sizes(20000));
       }},
      {"scan_decoupled_lookback",
       "With wait=chained, no tile publishes its sum: each tile waits for the prefix of the "
       "previous tile.",
       [] {
         for (const std::uint64_t schedule : {0, 1, 2}) {
           const Recording r = run({.kernel = "scan_decoupled_lookback",
                                    .n = 2048,
                                    .block = 64,
                                    .choices = {{"wait", "chained"}},
                                    .schedule = schedule});
           EXPECT_EQ(accesses(r, "sums", false), 0);
           EXPECT_FALSE(r.mistake);
           for (const TimeLine::Row& row : r.time_line().rows) EXPECT_LE(row.looked_back, 1);
         }
       }},
      {"scan_decoupled_lookback", "every element is read once and written once",
       [] {
         for (const char* items : {"1", "7"}) {
           const Recording r = run({"scan_decoupled_lookback", 5000, 64, 4, {{"items", items}}});
           EXPECT_EQ(accesses(r, "in", true), 5000);
           EXPECT_EQ(accesses(r, "out", false), 5000);
         }
       }},
      {"scan_decoupled_lookback",
       "Input and output take 2n accesses to global memory (exclusive: 2n - 1), and no scan needs "
       "fewer accesses.",
       [] {
         for_every_scan(300, [](const std::string& name, const Recording& r) {
           EXPECT_GE(accesses(r, "in", true), 300) << name;
           EXPECT_GE(accesses(r, "out", false), 300) << name;
         });
       }},
      {"scan_decoupled_lookback",
       "Each of these tiles, except the nearest tile, costs one additional operation",
       [] {
         for (const std::uint64_t schedule : {0, 1, 2, 3}) {
           const Recording r = run({.kernel = "scan_decoupled_lookback", .n = 2048, .schedule = schedule});
           std::int64_t sums = 0;  // additions to the prefix in the look-back
           for (const Event& e : r.trace.events)
             sums += e.kind == Kind::operation && r.trace.steps[e.step].phase == Phase::look_back;
           // The expected operations already contain one look-back addition for each of the 32 tiles, except
           // the first tile.
           EXPECT_EQ(r.work.operations - static_cast<std::int64_t>(r.expected_operations), sums - 31);
         }
       }},
      {"scan_decoupled_lookback",
       "If items is odd, the threads fold their parts of the tile without bank conflicts.",
       [] {
         for (const char* items : {"1", "3", "7", "15"}) {
           const Recording r = run({"scan_decoupled_lookback", 2000, 64, 4, {{"items", items}}});
           for (const int most : of_steps(r, Phase::fold, degree)) EXPECT_EQ(most, 1) << items;
         }
       }},
      {"scan_lookback_vectorized",
       "A row is 512 contiguous bytes (256 for float16), which a warp loads in one request.",
       [] {
         for (const Scalar type : {Scalar::float32, Scalar::float16, Scalar::float64}) {
           const Recording r = run({"scan_lookback_vectorized", 1 << 14, 64, 4, {{"rows", "4"}}, type});
           int rows = 0;
           for (const Event& e : r.trace.events) {
             if (e.kind != Kind::global_load || e.buffer != 0) continue;
             EXPECT_EQ(std::popcount(e.mask) * e.width, type == Scalar::float16 ? 256 : 512);
             const std::uint32_t last = e.first + static_cast<std::uint32_t>(32 * e.parts) - 1;
             EXPECT_EQ(r.trace.lanes[last].address - r.trace.lanes[e.first].address,
                       32 * e.width - r.trace.element_bytes());
             ++rows;
           }
           EXPECT_EQ(rows * (type == Scalar::float16 ? 256 : 512), (1 << 14) * r.trace.element_bytes());
         }
       }},
      {"scan_lookback_vectorized", "The more rows, the more loads are in flight.",
       [] {
         for (const int rows : {2, 4, 8}) {
           const Recording r =
               run({"scan_lookback_vectorized", 1 << 14, 64, 4, {{"rows", std::to_string(rows)}}});
           std::map<std::pair<std::uint32_t, int>, int> loads;  // the key is the block and the warp
           for (const Event& e : r.trace.events)
             if (e.kind == Kind::global_load && e.buffer == 0) ++loads[{e.block, e.warp}];
           for (const auto& [warp, count] : loads) EXPECT_EQ(count, rows);
         }
       }},
      {"scan_large",
       "Every element after the first tile is read and written twice: once to scan its tile, and once to add "
       "the sum of all earlier tiles. This takes about 4n accesses to global memory, "
       "although 2n are enough.",
       [] {
         const Recording r = run({"scan_large", 20000, 128});
         EXPECT_EQ(accesses(r, "in", true), 20000);
         EXPECT_EQ(accesses(r, "out", false), 2 * 20000 - 256) << "the first tile has no offset";
         EXPECT_EQ(accesses(r, "out", true), 20000 - 256);
       }},
      {"scan_per_output",
       "Thread t makes t iterations of its loop, all in one step. After each iteration, one more "
       "thread has ended, and the last thread works to the end.",
       [] {
         const Recording r = run({"scan_per_output", 100, 128});
         EXPECT_EQ(r.trace.steps.size(), 1u);
         std::vector<int> working(100);  // the number of working threads in each iteration
         std::map<int, std::size_t> round;
         for (const Event& e : r.trace.events)
           if (e.kind == Kind::operation) working[++round[e.warp]] += std::popcount(e.mask);
         for (int i = 1; i < 100; ++i) EXPECT_EQ(working[static_cast<std::size_t>(i)], 100 - i);
       }},
      {"scan_per_output", "n(n - 1)/2 operations, although n - 1 would be enough",
       [] {
         for (const int n : {2, 33, 300}) {
           EXPECT_EQ(run({"scan_per_output", n}).work.operations, n * (n - 1) / 2);
           EXPECT_EQ(run({"scan_sequential", n}).work.operations, n - 1);
         }
       }},
      {"scan_opengl_hybrid", "each time to half its length",
       [] {
         const Recording r = run({"scan_opengl_hybrid", 1000, 0, 4, {{"reduce_steps", "5"}}});
         Numbers drawn;
         for (const Count& c : r.trace.counts)
           if (c.kind == Kind::global_store && r.trace.steps[c.step].phase == Phase::reduce)
             drawn.push_back(static_cast<int>(c.lanes));
         EXPECT_EQ(drawn, (Numbers{500, 250, 125, 63, 32}));
       }},
      {"scan_opengl_hybrid", "Every pass reads textures and draws one texture", one_target_a_pass},
      {"scan_opengl_hybrid", "it draws only its own texel, so each step is a pass over whole textures",
       one_target_a_pass},
      {"scan_opengl_hybrid",
       "There is no shared memory, no barrier and no scattered write. So every partial sum goes to "
       "global memory and back: for n = 1,024 the passes move 1,516 sectors, while scan_blelloch "
       "moves 256 sectors.",
       [] {
         const Recording r = run({"scan_opengl_hybrid", 1024});
         EXPECT_EQ(r.facts.totals.shared_load.requests + r.facts.totals.shared_store.requests, 0);
         EXPECT_EQ(r.facts.totals.barriers, 0);
         const auto sectors = [](const Recording& of) {
           return of.facts.totals.global_load.sectors + of.facts.totals.global_store.sectors;
         };
         EXPECT_EQ(sectors(r), 1516);
         EXPECT_EQ(sectors(run({"scan_blelloch", 1024})), 256);
       }},
  };
}

}  // namespace upsweep::claimed
