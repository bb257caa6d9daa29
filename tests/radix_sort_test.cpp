// Compares all algorithms for radix sort with std::stable_sort: keys with and without values, all types, and
// many sizes and orders.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "analysis/work.hpp"
#include "catalogue/data.hpp"
#include "catalogue/ladder.hpp"
#include "catalogue/plan.hpp"
#include "machine/emulator/emulator.hpp"
#include "support/look_at.hpp"
#include "support/value_of.hpp"
#include "trace/value.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace radix_sort_test {

constexpr RecordOptions all_blocks{.blocks = UINT32_MAX};

// Returns true if x comes before y in a sort: by value, but -0 is before +0 and NaN is last.
template <class N>
bool comes_before(N x, N y) {
  if constexpr (std::is_floating_point_v<N>) {
    if (std::isnan(x) || std::isnan(y)) return !std::isnan(x);
    return x < y || (x == y && std::signbit(x) && !std::signbit(y));
  } else {
    return x < y;
  }
}

template <class N>
constexpr Scalar type_of = std::is_same_v<N, float>           ? Scalar::float32
                           : std::is_same_v<N, std::uint32_t> ? Scalar::uint32
                                                              : Scalar::int32;

Settings settings(const Algorithm& a, std::size_t n, Scalar type, bool pairs) {
  Settings s{.algorithm = a.name,
             .n = static_cast<int>(n),
             .block = std::max(64, a.least_threads),
             .type = type,
             .choices = {{"keys", pairs ? "pairs" : "alone"}}};
  return s;
}

// Sorts the keys with every algorithm for radix sort, once without values and once with random values.
template <class N>
void expect_sorted(const std::vector<N>& keys) {
  std::vector<std::size_t> places(keys.size());
  std::iota(places.begin(), places.end(), 0);
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t i, std::size_t k) { return comes_before(keys[i], keys[k]); });
  std::mt19937 random(4);
  std::vector<std::uint32_t> given, moved;
  std::vector<N> due;
  for (std::size_t i = 0; i < keys.size(); ++i) given.push_back(static_cast<std::uint32_t>(random()));
  for (const std::size_t i : places) {
    due.push_back(keys[i]);
    moved.push_back(given[i]);
  }
  const std::vector<Value> input = values_of(keys);
  const Contents more = {values_of(given)};
  Emulator emulator;
  for (const Algorithm* a : rungs_of("radix_sort")) {
    SCOPED_TRACE(fmt::format("{} keys of type {}, {}", keys.size(), name(type_of<N>), a->name));
    EXPECT_EQ(emulator.run(settings(*a, keys.size(), type_of<N>, false), input), values_of(due));
    const Contents pairs = emulator.run_all(settings(*a, keys.size(), type_of<N>, true), Inputs(input, more));
    EXPECT_EQ(pairs[0], values_of(due));
    EXPECT_EQ(pairs[1], values_of(moved));
    if (testing::Test::HasFailure()) return;
  }
}

// Sorts the keys in three orders: the given order, the ascending order and the descending order.
template <class N>
void expect_sorted_from_every_order(std::vector<N> keys) {
  expect_sorted(keys);
  std::stable_sort(keys.begin(), keys.end(), comes_before<N>);
  expect_sorted(keys);
  std::reverse(keys.begin(), keys.end());
  expect_sorted(keys);
}

TEST(RadixSort, SortsAwkwardSizesOfEveryType) {
  std::mt19937 random(1);
  const float special[] = {std::numeric_limits<float>::quiet_NaN(),
                           -std::numeric_limits<float>::quiet_NaN(),
                           -0.0f,
                           0.0f,
                           1e-45f,
                           -1e-45f,
                           std::numeric_limits<float>::infinity(),
                           -std::numeric_limits<float>::infinity(),
                           std::numeric_limits<float>::max(),
                           std::numeric_limits<float>::lowest()};
  for (const std::size_t n : {1, 2, 3, 31, 33, 127, 128, 129, 257, 500, 1031}) {
    std::vector<std::int32_t> ints(n);
    std::vector<std::uint32_t> words(n);
    std::vector<float> floats(n);
    for (auto& x : ints) x = static_cast<std::int32_t>(random());
    for (auto& x : words) x = static_cast<std::uint32_t>(random());
    for (auto& x : floats) {
      const auto bits = static_cast<std::uint32_t>(random());
      std::memcpy(&x, &bits, sizeof x);
      if (random() % 3 == 0) x = special[random() % std::size(special)];
    }
    expect_sorted(ints);
    expect_sorted(words);
    expect_sorted(floats);
  }
}

TEST(RadixSort, SortsFewDifferentKeysInEveryOrder) {
  std::mt19937 random(2);
  for (const int different : {1, 2, 7}) {
    std::vector<std::int32_t> ints(700);
    std::vector<float> floats(700);
    for (auto& x : ints) x = static_cast<std::int32_t>(random() % static_cast<unsigned>(different)) - 3;
    for (auto& x : floats) x = 0.25f * static_cast<float>(random() % static_cast<unsigned>(different)) - 0.5f;
    expect_sorted_from_every_order(ints);
    expect_sorted_from_every_order(floats);
  }
  std::vector<std::uint32_t> ascending(700);
  std::iota(ascending.begin(), ascending.end(), 4294967000u);  // the numbers wrap around
  expect_sorted_from_every_order(ascending);
}

// A chunk is split by one bit after another until the chunk is sorted. In the worst case, the keys differ
// only in the highest bit. In this case, every chunk needs all 32 splits, and the kernel reaches the upper
// bounds in its comment.
TEST(RadixSort, StopsWhenAChunkIsSorted) {
  const Algorithm& a = algorithm("radix_sort");
  Emulator emulator;
  const auto splits = [&](const std::vector<std::uint32_t>& keys) {
    const Settings s = settings(a, keys.size(), Scalar::uint32, false);
    const Trace trace = emulator.record(s, values_of(keys), all_blocks);
    EXPECT_EQ(in_words(check(a, s, values_of(keys), trace.output)), "");
    std::int64_t applied = 0;
    for (const Event& e : trace.events)
      applied += applications(e.kind, e.detail, 1, static_cast<std::uint64_t>(std::popcount(e.mask)));
    const int chunk = 2 * s.block, chunks = (s.n + chunk - 1) / chunk;
    EXPECT_EQ(applied % (2 * chunks * (chunk - 1)), 0);
    return std::pair(applied / (2 * chunks * (chunk - 1)), applied == promise(a, s)->operations);
  };
  std::vector<std::uint32_t> keys(256);
  std::iota(keys.begin(), keys.end(), 0);
  EXPECT_EQ(splits(keys), std::pair(std::int64_t{0}, false));
  for (auto& x : keys) x = x * 37 % 8;
  EXPECT_EQ(splits(keys), std::pair(std::int64_t{3}, false));
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = i % 128 < 64 ? 0x80000000u : 0;
  EXPECT_EQ(splits(keys), std::pair(std::int64_t{32}, true));
}

// The kernel's comment claims: "Each round of merges reads and writes every key once."
TEST(RadixSort, MergesReadAndWriteEachKeyOnce) {
  const Algorithm& a = algorithm("radix_sort");
  const int n = 1000, chunk = 128, rounds = 3;
  Settings s = settings(a, n, Scalar::uint32, true);
  std::mt19937 random(5);
  std::vector<std::uint32_t> keys(n);
  for (auto& x : keys) x = static_cast<std::uint32_t>(random()) % 100;
  const Trace trace = Emulator().record(s, values_of(keys), all_blocks);
  ASSERT_EQ(trace.grids.size(), static_cast<std::size_t>(1 + rounds));
  ASSERT_EQ(s.block * 2, chunk);
  std::vector<std::int64_t> loaded(trace.grids.size()), stored(trace.grids.size());
  for (const Event& e : trace.events) {
    if (!is_global(e.kind)) continue;
    (is_load(e.kind) ? loaded : stored)[e.grid] += std::popcount(e.mask);
  }
  for (std::size_t g = 0; g < trace.grids.size(); ++g) {
    EXPECT_EQ(loaded[g], 2 * n) << "a key and a value each, in launch " << g;
    EXPECT_EQ(stored[g], 2 * n) << g;
  }
}

}  // namespace radix_sort_test
}  // namespace upsweep
