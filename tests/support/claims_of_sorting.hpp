// Proves the claims in the opening comments of the sorting kernels (see claims_test.cpp).
#pragma once
#include <algorithm>
#include <set>

#include "support/claims_of_tables.hpp"

namespace upsweep::claimed {

using Keys = std::map<std::int64_t, std::uint32_t>;  // the key of the map is the address

// Returns the last key that was loaded from (or stored to) each cell of the first region of shared memory.
// Uses only steps with this name and stride.
inline Keys shared_keys(const Recording& r, std::string_view step, int stride, bool load) {
  Keys keys;
  for (const Event& e : r.trace.events)
    if (is_shared(e.kind) && is_load(e.kind) == load && e.buffer == 0 &&
        name(r.trace.steps[e.step].phase) == step && r.trace.steps[e.step].stride == stride)
      for_each_cell(e, [&](int, std::uint32_t at, std::uint32_t v) {
        keys[r.trace.lanes[at].address] = r.trace.values[v][0];
      });
  return keys;
}

// Returns the keys that a launch has stored, in the order of their addresses.
inline std::vector<std::uint32_t> moved_keys(const Recording& r, std::uint32_t launch) {
  Keys keys;
  for (const Event& e : r.trace.events)
    if (e.grid == launch && e.kind == Kind::global_store)
      for_each_cell(e, [&](int, std::uint32_t at, std::uint32_t v) {
        keys[r.trace.lanes[at].address] = r.trace.values[v][0];
      });
  std::vector<std::uint32_t> in_order;
  for (const auto& [address, key] : keys) in_order.push_back(key);
  return in_order;
}

inline std::vector<Claim> claims_of_sorting() {
  return {
      {"radix_sort",
       "For each bit, beginning with the lowest, a split puts the keys whose bit is 0 before the keys whose "
       "bit "
       "is 1, and keeps the order within both groups.",
       [] {
         const Recording r = run({.kernel = "radix_sort", .n = 50, .block = 32, .type = Scalar::uint32});
         int bits = 0;
         for (Keys before; !(before = shared_keys(r, "compare", bits, true)).empty(); ++bits) {
           const Keys after = shared_keys(r, "move", bits, false);
           if (after.empty()) break;  // the chunk is sorted
           std::vector<std::uint32_t> expected, seen;
           for (const auto& [address, key] : before) expected.push_back(key);
           for (const auto& [address, key] : after) seen.push_back(key);
           std::ranges::stable_partition(expected, [&](std::uint32_t key) { return (key >> bits & 1) == 0; });
           EXPECT_EQ(seen, expected) << bits;
         }
         EXPECT_GT(bits, 3);
       }},
      {"radix_sort", "each round of merges halves the number of parts",
       [] {
         const Recording r = run({"radix_sort", 1024, 64});
         ASSERT_EQ(r.trace.grids.size(), 4u);
         for (std::size_t g = 1; g < 4; ++g)
           EXPECT_EQ(2 * r.trace.grids[g].blocks, r.trace.grids[g - 1].blocks);
         EXPECT_EQ(r.trace.grids[3].blocks, 1);
       }},
      {"radix_sort", "Each round of merges reads and writes every key once.",
       [] {
         const Recording r = run({"radix_sort", 1024, 64});
         EXPECT_EQ(global_accesses(r, true), 1 + 3);
         EXPECT_EQ(global_accesses(r, false), 1 + 3);
       }},
      {"radix_sort_digits",
       "The array is sorted in 8 passes. Each pass sorts all keys by one digit of four bits, "
       "beginning with the lowest digit.",
       [] {
         const Recording r =
             run({.kernel = "radix_sort_digits", .n = 1000, .block = 64, .type = Scalar::uint32});
         ASSERT_EQ(r.trace.grids.size(), 3u * 8);
         for (std::uint32_t pass = 0; pass < 8; ++pass) {
           const std::vector<std::uint32_t> keys = moved_keys(r, 3 * pass + 2);
           const std::uint32_t mask = UINT32_MAX >> (28 - 4 * pass);
           EXPECT_EQ(keys.size(), 1000u);
           EXPECT_TRUE(std::ranges::is_sorted(keys, {}, [&](std::uint32_t key) { return key & mask; }))
               << pass;
         }
       }},
      {"radix_sort_digits", "In each pass, every key is read twice and written once",
       [] {
         const Recording r = run({"radix_sort_digits", 1000});
         EXPECT_EQ(accesses(r, "in", true) + accesses(r, "other", true) + accesses(r, "out", true),
                   8 * 2 * 1000);
         EXPECT_EQ(accesses(r, "other", false) + accesses(r, "out", false), 8 * 1000);
       }},
      {"radix_sort_digits",
       "When a warp stores 32 keys, the keys go to at most 16 ranges of neighbouring cells",
       [] {
         const Recording r = run({"radix_sort_digits", 2048});
         std::size_t most = 0;
         for (const Event& e : r.trace.events) {
           if (e.kind != Kind::global_store || r.trace.buffers[e.buffer].name == "counts") continue;
           std::set<std::int64_t> at, begins;
           for_each_lane(e, [&](int, std::uint32_t entry) { at.insert(r.trace.lanes[entry].address); });
           for (const std::int64_t address : at)
             if (!at.contains(address - 4)) begins.insert(address);
           EXPECT_LE(begins.size(), 16u);
           most = std::max(most, begins.size());
         }
         EXPECT_GT(most, 4u);
       }},
      {"radix_sort_one_sweep",
       "To find the keys with the same digit, a warp uses eight ballots for 32 keys: one ballot "
       "for each bit.",
       [] {
         const Recording r = run({"radix_sort_one_sweep", 3000, 256});
         std::map<std::pair<std::uint32_t, int>, int> ballots;
         for (const Event& e : r.trace.events)
           if (e.kind == Kind::vote) ++ballots[{e.step, e.block * 8 + e.warp}];
         EXPECT_FALSE(ballots.empty());
         for (const auto& [place, count] : ballots) EXPECT_EQ(count, 8);
       }},
  };
}

}  // namespace upsweep::claimed
