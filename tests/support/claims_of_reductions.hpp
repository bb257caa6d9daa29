// Proves the claims in the opening comments of the reduction kernels (see claims_test.cpp).
#pragma once
#include "support/claims.hpp"

namespace upsweep::claimed {

inline std::vector<Claim> claims_of_reductions() {
  return {
      {"reduce_serial", "One lane of one warp works.",
       [] {
         for (const StepFacts& f : run({"reduce_serial", 100}).facts.steps) EXPECT_LE(f.active_lanes, 1);
       }},
      {"reduce_atomic", "All threads add to one address",
       [] {
         const Recording r = run({"reduce_atomic", 4096});
         EXPECT_EQ(r.facts.totals.global_atomic.lanes, 4 * 64);
         for (const Event& e : r.trace.events)
           if (is_atomic(e.kind))
             for_each_lane(e, [&](int, std::uint32_t at) { EXPECT_EQ(r.trace.lanes[at].address, 0); });
       }},
      {"reduce_fully_unrolled", "the tree needs no loop, no counter and no shift",
       [] {
         const std::string& text = algorithm("reduce_fully_unrolled").text;
         const auto fold = text.find("for (int i = first + all");
         ASSERT_NE(fold, text.npos);
         EXPECT_EQ(text.find("for (", fold + 1), text.npos);
         EXPECT_EQ(text.rfind("for (", fold - 1), text.npos);
       }},
      {"reduce_fully_unrolled", "the kernel still loads the same number of bytes",
       [] {
         const Recording unrolled = run({"reduce_fully_unrolled", 5000}),
                         rolled = run({"reduce_two_pass_tree", 5000});
         EXPECT_EQ(accesses(unrolled, "in", true), accesses(rolled, "in", true));
       }},
      {"reduce_interleaved",
       "Up to stride 32, every warp has a thread that works. From stride 2 on, every warp that works "
       "diverges.",
       [] {
         const Recording r = run({"reduce_interleaved"});
         EXPECT_EQ(of_steps(r, Phase::reduce, diverged), (Numbers{0, 16, 16, 16, 16, 16, 8, 4, 2, 1}));
         EXPECT_EQ(of_steps(r, Phase::reduce, [](const StepFacts& f) { return f.working_warps; }),
                   (Numbers{16, 16, 16, 16, 16, 16, 8, 4, 2, 1}));
       }},
      {"reduce_interleaved", "Up to stride 16, bank conflicts are 2-way",
       [] {
         EXPECT_EQ(of_steps(run({"reduce_interleaved"}), Phase::reduce, degree),
                   (Numbers{2, 2, 2, 2, 2, 1, 1, 1, 1, 1}));
       }},
      {"reduce_strided", "Only one warp diverges, at the last five strides.",
       [] {
         for (const int n : {64, 1024, 2048}) {
           Numbers warps = of_steps(run({"reduce_strided", n}), Phase::reduce, diverged);
           EXPECT_EQ(std::accumulate(warps.begin(), warps.end() - 5, 0), 0) << n;
           EXPECT_EQ(Numbers(warps.end() - 5, warps.end()), (Numbers{1, 1, 1, 1, 1})) << n;
         }
       }},
      {"reduce_strided", "2, 4, 8, ... elements apart",
       [] {
         const Recording r = run({"reduce_strided"});
         for (const Event& e : r.trace.events) {
           const Step& step = r.trace.steps[e.step];
           if (!is_shared(e.kind) || step.phase != Phase::reduce || std::popcount(e.mask) < 2) continue;
           EXPECT_EQ(r.trace.lanes[e.first + 1].address - r.trace.lanes[e.first].address,
                     2 * step.stride * 4);
         }
       }},
      {"reduce_strided", "bank conflicts double from 2-way up to 32-way at stride 16, and then halve",
       [] {
         EXPECT_EQ(of_steps(run({"reduce_strided"}), Phase::reduce, degree),
                   (Numbers{2, 4, 8, 16, 32, 16, 8, 4, 2, 1}));
       }},
      {"reduce_strided",
       "For n = 1,024, this kernel and reduce_interleaved take the same number of wavefronts.",
       [] { EXPECT_EQ(wavefronts(run({"reduce_strided"})), wavefronts(run({"reduce_interleaved"}))); }},
      {"reduce_sequential", "no bank conflicts", [] { EXPECT_EQ(excess(run({"reduce_sequential"})), 0); }},
      {"reduce_sequential", "only the last five strides diverge",
       [] {
         EXPECT_EQ(of_steps(run({"reduce_sequential"}), Phase::reduce, diverged),
                   (Numbers{0, 0, 0, 0, 0, 1, 1, 1, 1, 1}));
       }},
      {"reduce_two_pass_blocked", "With ranges of 32 bytes or more, each load of a warp touches 32 sectors",
       [] {
         for (const int each : {8, 11, 64}) {
           const Recording r = run({"reduce_two_pass_blocked", 256 * each});
           const GlobalTotals& load = r.facts.steps[0].totals.global_load;
           EXPECT_EQ(load.sectors, 32 * load.requests) << each;
         }
       }},
      {"reduce_two_pass_blocked", "one lane of the block works",
       [] {
         EXPECT_EQ(of_steps(run({"reduce_two_pass_blocked", 4096}), Phase::reduce, active, 0), Numbers{4});
       }},
      {"reduce_two_pass", "every T-th element (T is the number of threads in the grid)",
       [] {
         const Recording r = run({"reduce_two_pass", 4096});
         std::map<std::pair<std::uint32_t, int>, std::int64_t> last;  // the key is the block and the thread
         for (const Event& e : r.trace.events)
           if (e.kind == Kind::global_load && e.grid == 0)
             for_each_lane(e, [&](int lane, std::uint32_t at) {
               const std::int64_t address = r.trace.lanes[at].address;
               const auto [before, first] = last.try_emplace({e.block, thread_of(e, lane)}, address);
               if (!first) { EXPECT_EQ(address - before->second, 4 * 64 * 4); }
               before->second = address;
             });
       }},
      {"reduce_two_pass", "A warp's load is coalesced: it covers 32 neighbouring elements.",
       [] {
         const GlobalTotals load = run({"reduce_two_pass", 4096}).facts.steps[0].totals.global_load;
         EXPECT_EQ(load.sectors, load.ideal_sectors);
         EXPECT_EQ(load.sectors, 4 * load.requests);
       }},
      {"reduce_two_pass", "At the end, thread 0 still works alone.",
       [] {
         EXPECT_EQ(of_steps(run({"reduce_two_pass", 4096}), Phase::reduce, active, 0), Numbers{4});
       }},
      {"reduce_two_pass_tree",
       "The tree takes log2(block) steps. In reduce_two_pass, thread 0 makes block - 1 additions "
       "alone.",
       [] {
         for (const int block : {32, 64, 256}) {
           const Case tree{"reduce_two_pass_tree", 1024, block, 1}, serial{"reduce_two_pass", 1024, block, 1};
           EXPECT_EQ(of_steps(run(tree), Phase::reduce, active, 0).size(),
                     static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(block))));
           EXPECT_EQ(of_steps(run(serial), Phase::reduce, operations, 0), Numbers{block - 1});
         }
       }},
      {"reduce_two_pass_tree",
       "The tree does not grow with n. So a larger array makes the tree's share of the work smaller",
       [] {
         for (const char* tree : {"halving", "strided"}) {
           const auto additions = [&](int n) {
             return of_steps(run({"reduce_two_pass_tree", n, 64, 4, {{"tree", tree}}}), Phase::reduce,
                             operations);
           };
           EXPECT_EQ(additions(1000), additions(50000));
         }
       }},
      {"reduce_shuffle", "shared memory carries one value from each warp",
       [] {
         const Recording r = run({"reduce_shuffle", 4096, 128, 1});
         EXPECT_EQ(r.facts.totals.shared_store.requests, 4 + 1);  // 4 in launch 1, and 1 in launch 2
       }},
      {"reduce_shuffle", "For sums of integers, one instruction can add up a whole warp.",
       [] {
         const Case redux{"reduce_shuffle", 1000, 32, 1, {{"within_warp", "redux"}}, Scalar::int32};
         for (const int requests : of_steps(run(redux), Phase::reduce,
                                            [](const StepFacts& f) { return f.totals.shuffle.requests; }))
           EXPECT_EQ(requests, 1);
       }},
      {"reduce_shuffle",
       "a warp makes 32 operations at each stride, while a tree makes 16, 8, 4, 2 and 1 "
       "operations. Both take the same number of instructions.",
       [] {
         const Recording r = run({"reduce_shuffle", 32, 32, 1}), tree = run({"reduce_sequential", 32});
         EXPECT_EQ(Numbers(5, 32), [&] {
           Numbers first = of_steps(r, Phase::reduce, operations, 0);
           first.resize(5);
           return first;
         }());
         EXPECT_EQ(of_steps(tree, Phase::reduce, operations), (Numbers{16, 8, 4, 2, 1}));
         const auto requests = [](const Recording& of) {
           std::map<std::uint32_t, int> by_step;
           for (const Event& e : of.trace.events)
             if (e.kind == Kind::operation && of.trace.steps[e.step].phase == Phase::reduce)
               ++by_step[e.step];
           return by_step;
         };
         for (const auto& [step, count] : requests(r)) EXPECT_EQ(count, 1) << step;
         for (const auto& [step, count] : requests(tree)) EXPECT_EQ(count, 1) << step;
       }},
      {"reduce_vectorized",
       "A load fetches 16 bytes for a lane and 512 bytes for a warp (float16: half of this).",
       [] {
         int wide = 0;
         for (const Event& e : run({"reduce_vectorized", 1 << 14, 128}).trace.events) {
           if (e.kind != Kind::global_load || e.mask != ~0u || e.buffer != 0) continue;
           EXPECT_EQ(e.width, 16);
           ++wide;
         }
         EXPECT_EQ(wide * 512, (1 << 14) * 4);
       }},
      {"reduce_global_in_place", "Every stride reads and writes global memory.",
       [] {
         const Recording r = run({"reduce_global_in_place", 1000});
         EXPECT_FALSE(r.facts.totals.any_shared());
         std::int64_t loads = 0, stores = 0;
         for (const Event& e : r.trace.events) {
           if (r.trace.steps[e.step].phase != Phase::reduce || !is_global(e.kind)) continue;
           (is_load(e.kind) ? loads : stores) += std::popcount(e.mask);
         }
         EXPECT_EQ(loads, 2 * r.work.operations);
         EXPECT_EQ(stores, r.work.operations);
       }},
      {"reduce_global_in_place", "Blocks never touch each other's chunk",
       [] {
         for (const int fold : {1, 4}) {
           const Recording r = run({"reduce_global_in_place", 3000, 64, 4, {{"fold", std::to_string(fold)}}});
           for (const Event& e : r.trace.events)
             if (is_global(e.kind) && e.grid == 0 && e.buffer == 0)
               for_each_lane(e, [&](int, std::uint32_t at) {
                 EXPECT_EQ(r.trace.lanes[at].address / 4 / (fold * 64), static_cast<std::int64_t>(e.block));
               });
         }
       }},
      {"reduce_unrolled",
       "folds 2, 4 or 8 elements, which are blockDim.x apart. So the kernel needs fewer blocks and "
       "fewer barriers",
       [] {
         std::int64_t blocks = INT64_MAX, barriers = INT64_MAX;
         for (const int fold : {1, 2, 4, 8}) {
           const Recording r = run({"reduce_unrolled", 4096, 64, 4, {{"fold", std::to_string(fold)}}});
           EXPECT_EQ(r.trace.grids[0].blocks, 4096 / 64 / fold);
           EXPECT_LT(r.trace.grids[0].blocks, blocks);
           EXPECT_LT(r.facts.totals.barriers, barriers);
           blocks = r.trace.grids[0].blocks;
           barriers = r.facts.totals.barriers;
         }
       }},
      {"reduce_unrolled_warp", "From stride 32 on, only one warp works.",
       [] {
         const Recording r = run({"reduce_unrolled_warp", 256, 256, 1});
         for (std::size_t i = 0; i < r.trace.steps.size(); ++i)
           if (r.trace.steps[i].phase == Phase::reduce && r.trace.steps[i].stride <= 32) {
             EXPECT_EQ(r.facts.steps[i].working_warps, 1);
           }
       }},
      {"reduce_unrolled_warp", "Warps that have ended need not wait at later barriers.",
       [] {
         // The kernel has three barriers: one after the fold, one after stride 128, and one after stride 64.
         const Recording r = run({"reduce_unrolled_warp", 256, 256, 1}),
                         tree = run({"reduce_two_pass_tree", 256, 256, 1});
         const auto first = [](const Recording& of) {
           std::int64_t count = 0;
           for (const Event& e : of.trace.events) count += e.kind == Kind::barrier && e.grid == 0;
           return count / 8;
         };
         EXPECT_EQ(first(r), 3);
         EXPECT_EQ(first(tree), 8);
       }},
      {"reduce_nested",
       "If each block starts its own child grids, blocks * log2(block) child grids follow the first launch. "
       "If "
       "one child grid serves all blocks at each stride, log2(block) child grids follow.",
       [] {
         for (const auto& [children, grids] : {std::pair("per_block", 4 * 6), std::pair("one_child", 6)}) {
           const Recording r = run({"reduce_nested", 512, 64, 4, {{"children", children}}});
           int of_first = 0;
           for (const Grid& g : r.trace.grids) {
             int root = g.parent;
             while (root > 0 && r.trace.grids[static_cast<std::size_t>(root)].parent >= 0)
               root = r.trace.grids[static_cast<std::size_t>(root)].parent;
             of_first += root == 0;
           }
           EXPECT_EQ(of_first, grids) << children;
         }
       }},
  };
}

}  // namespace upsweep::claimed
