// Compares every algorithm for stream compaction and for allocation with a simple loop, on the emulator.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <random>
#include <tuple>
#include <vector>

#include "analysis/hazards.hpp"
#include "base/error.hpp"
#include "catalogue/ladder.hpp"
#include "catalogue/plan.hpp"
#include "machine/emulator/emulator.hpp"
#include "support/value_of.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace compaction_test {

constexpr RecordOptions all_blocks{.blocks = UINT32_MAX};

// A ladder is a list of algorithms (rungs) for one task. Calls f(settings) for every algorithm of the ladder,
// with blocks of 32 and of 128 threads.
template <class F>
void for_each_rung(const std::string& ladder, int n, F f) {
  for (const Algorithm* a : rungs_of(ladder))
    for (const int block : {32, 128}) {
      Settings s{.algorithm = a->name, .n = n, .block = block, .type = Scalar::int32};
      fit_kind(*a, s);
      SCOPED_TRACE(testing::Message() << a->name << ", n = " << n << ", " << block << " threads");
      validate(s);
      f(s);
    }
}

// Runs the kernel. Expects exactly the elements `kept` in the output, in this order.
void expect_kept(const Settings& s, const std::vector<Value>& input, const std::vector<Value>& kept) {
  const Trace trace = Emulator().record(s, input, all_blocks);
  EXPECT_FALSE(trace.stopped);
  ASSERT_EQ(trace.more_outputs.size(), 1u);
  ASSERT_EQ(trace.more_outputs[0].at(0)[0], kept.size());
  EXPECT_TRUE(std::equal(kept.begin(), kept.end(), trace.output.begin()));
}

TEST(Compaction, KeepsWhatALoopKeeps) {
  std::mt19937 random(1);
  for (const int n : {1, 2, 33, 101, 1009}) {
    const auto size = static_cast<std::size_t>(n);
    std::vector<std::vector<std::int32_t>> all(5, std::vector<std::int32_t>(size, -1));
    all[1].assign(size, 1);
    all[2].front() = 2;
    all[3].back() = 3;
    for (auto& x : all[4]) x = static_cast<std::int32_t>(random() % 21) - 10;
    for (const auto& numbers : all) {
      std::vector<std::int32_t> kept;
      std::copy_if(numbers.begin(), numbers.end(), std::back_inserter(kept), [](int x) { return x > 0; });
      for_each_rung("stream_compaction", n,
                    [&](const Settings& s) { expect_kept(s, values_of(numbers), values_of(kept)); });
    }
  }
}

TEST(Compaction, KeepsTheBitsOfEveryType) {
  constexpr float infinite = std::numeric_limits<float>::infinity();
  const std::vector<float> floats = {NAN, -0.0f, 0.0f, infinite, -infinite, 1e-45f, -1e-45f, 3, -NAN, 4.5f};
  const std::vector<double> doubles(floats.begin(), floats.end());
  const std::vector<std::int64_t> longs = {1LL << 40, -1, 0, 5, 4, 6, INT64_MIN, INT64_MAX, 9, 11};
  const auto expect = [](Scalar type, const char* predicate, const auto& numbers, const auto& keep) {
    auto kept = numbers;
    kept.erase(std::remove_if(kept.begin(), kept.end(), [&](auto x) { return !keep(x); }), kept.end());
    for_each_rung("stream_compaction", static_cast<int>(numbers.size()), [&](Settings s) {
      s.type = type;
      s.choices["predicate"] = predicate;
      validate(s);
      expect_kept(s, values_of(numbers), values_of(kept));
    });
  };
  expect(Scalar::float32, "positive", floats, [](float x) { return x > 0; });
  expect(Scalar::float32, "x != x || x == 0", floats, [](float x) { return std::isnan(x) || x == 0; });
  expect(Scalar::float64, "!(x < 4)", doubles, [](double x) { return !(x < 4); });
  expect(Scalar::int64, "x > 3 && x % 2 == 0", longs, [](std::int64_t x) { return x > 3 && x % 2 == 0; });
}

// For each element of the output, returns its index in the input. The origin of a stored value names the
// event that loaded the value.
std::vector<std::int64_t> sources_of_output(const Trace& trace) {
  std::map<std::int64_t, std::int64_t> source;                        // the key is the address in `out`
  std::map<std::tuple<int, int, std::int64_t>, std::int64_t> staged;  // the key is launch, block, address
  const auto source_of = [&](Origin o, int lane) -> std::int64_t {
    const Event& e = trace.events.at(origin_event(o));
    const std::int64_t at = trace.lanes[entry_of(e, lane, origin_part(o))].address;
    if (e.kind == Kind::shared_load) return staged.at({e.grid, static_cast<int>(e.block), at});
    return e.kind == Kind::global_load && trace.buffers[e.buffer].name == "in" ? at / 4 : -1;
  };
  for (const bool shared : {true, false})
    for (const Event& e : trace.events) {
      const bool is_stage =
          e.kind == Kind::shared_store && e.buffer == 0 && trace.grids[e.grid].shared.name == "stage";
      const bool is_output = e.kind == Kind::global_store && trace.buffers[e.buffer].name == "out";
      if (shared ? !is_stage : !is_output) continue;
      for_each_lane(e, [&](int lane, std::uint32_t entry) {
        const Lane& at = trace.lanes[entry];
        const std::int64_t from = source_of(at.left, lane);
        if (shared) staged[{e.grid, static_cast<int>(e.block), at.address}] = from;
        else source[at.address] = from;
      });
    }
  std::vector<std::int64_t> all;
  for (const auto& [address, from] : source) all.push_back(from);
  return all;
}

TEST(Compaction, KeepsTheOrder) {
  const int n = 1000;
  std::mt19937 random(2);
  std::vector<std::int32_t> numbers(n);
  for (auto& x : numbers) x = static_cast<std::int32_t>(random() % 5) - 2;
  std::vector<std::int64_t> expected;
  for (int i = 0; i < n; ++i)
    if (numbers[static_cast<std::size_t>(i)] > 0) expected.push_back(i);
  for_each_rung("stream_compaction", n, [&](const Settings& s) {
    EXPECT_EQ(sources_of_output(Emulator().record(s, values_of(numbers), all_blocks)), expected);
  });
}

TEST(Compaction, IsRightInEverySchedule) {
  std::mt19937 random(3);
  std::vector<std::int32_t> numbers(2500), kept;
  for (auto& x : numbers) x = static_cast<std::int32_t>(random() % 5) - 2;
  std::copy_if(numbers.begin(), numbers.end(), std::back_inserter(kept), [](int x) { return x > 0; });
  for_each_rung("stream_compaction", 2500, [&](const Settings& s) {
    if (s.block > 32) return;
    for (const std::uint64_t schedule : {1, 2, 3}) {
      RecordOptions options = all_blocks;
      options.schedule = schedule;
      const Trace trace = Emulator().record(s, values_of(numbers), options);
      EXPECT_FALSE(trace.stopped);
      ASSERT_EQ(trace.more_outputs[0].at(0)[0], kept.size());
      EXPECT_EQ(std::vector(trace.output.begin(), trace.output.begin() + static_cast<long>(kept.size())),
                values_of(kept));
    }
  });
}

// Computes the allocation in a simple loop, and expects the same outputs from every algorithm for allocation.
template <class N>
void expect_allocated(Scalar type, const std::vector<N>& lengths, int capacity) {
  std::vector<N> starts;
  std::vector<std::uint32_t> fits;
  auto start = N{};
  std::int64_t left = capacity;
  for (const N length : lengths) {
    starts.push_back(start);
    const std::int64_t room = capacity - std::int64_t{start} - std::int64_t{length};
    fits.push_back(room >= 0);
    if (room >= 0) left = std::min(left, room);
    start = static_cast<N>(static_cast<std::uint32_t>(start) + static_cast<std::uint32_t>(length));
  }
  for_each_rung("allocation", static_cast<int>(lengths.size()), [&](Settings s) {
    s.type = type;
    s.choices["capacity"] = std::to_string(capacity);
    validate(s);
    const Trace trace = Emulator().record(s, values_of(lengths), all_blocks);
    EXPECT_EQ(trace.output, values_of(starts));
    ASSERT_EQ(trace.more_outputs.size(), 2u);
    EXPECT_EQ(trace.more_outputs[0], values_of(fits));
    EXPECT_EQ(trace.more_outputs[1], values_of(std::vector{static_cast<std::uint32_t>(left)}));
  });
}

TEST(Allocation, CutsTheSausage) {
  const std::vector<std::int32_t> orders = {3, 5, 2, 7, 28, 4, 3, 0, 8, 1};  // inches of sausage, 61 in all
  for (const int capacity : {0, 1, 10, 44, 45, 60, 61, 62, 100})
    expect_allocated(Scalar::int32, orders, capacity);
  const auto left = [&](int capacity) {
    Settings s{.algorithm = "allocation", .n = 10, .block = 32, .type = Scalar::int32};
    s.choices["capacity"] = std::to_string(capacity);
    return Emulator().record(s, values_of(orders), all_blocks).more_outputs.at(1).at(0)[0];
  };
  EXPECT_EQ(left(100), 39u);
  EXPECT_EQ(left(60), 0u) << "the last order does not fit";
  EXPECT_EQ(left(2), 2u) << "the first order does not fit";
}

TEST(Allocation, HandsOutAsALoopDoes) {
  std::mt19937 random(4);
  for (const int n : {1, 2, 31, 63, 64, 65, 200, 1009}) {
    std::vector<std::uint32_t> lengths(static_cast<std::size_t>(n));
    for (auto& x : lengths) x = random() % 6;
    for (const int capacity : {0, 3, n, 2 * n, 5 * n}) expect_allocated(Scalar::uint32, lengths, capacity);
    // Sums of lengths wrap around if they do not fit into 32 bits.
    for (auto& x : lengths) x = static_cast<std::uint32_t>(random());
    expect_allocated(Scalar::uint32, lengths, 1 << 30);
    expect_allocated(Scalar::int32, std::vector<std::int32_t>(lengths.begin(), lengths.end()), 1 << 30);
  }
}

}  // namespace compaction_test
}  // namespace upsweep
