// Tests peers. A peer is measured beside a kernel, and is either a copy or a function of a library such as
// CUB or NPP. Tests which peers each kernel has, the data of each peer, and the bytes that each peer moves.
// Needs no GPU.
#include "measure/peers.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/messages.hpp"
#include "catalogue/ladder.hpp"
#include "catalogue/plan.hpp"
#include "catalogue/predicate.hpp"
#include "measure/cub.hpp"
#include "measure/npp.hpp"
#include "measure/sweep.hpp"
#include "study/timing_kin.hpp"
#include "support/predicates.hpp"
#include "trace/value.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace peers_test {

constexpr SweepLimits h200() { return {std::uint64_t{139} << 30, std::uint64_t{60} << 30, 132, {}, {}}; }

Candidate candidate(const std::string& name, std::map<std::string, std::string> choices = {}) {
  Candidate c;
  c.settings.algorithm = name;
  fit_kind(algorithm(name), c.settings);
  c.settings.choices = std::move(choices);
  return c;
}

std::vector<SweepRow> rows_of(const std::vector<Candidate>& kernels, int n, bool alone = false) {
  SweepRequest r;
  r.kernels = kernels;
  r.sizes = {n};
  r.peers_alone = alone;
  std::vector<SweepRow> rows;
  for (const SweepGroup& g : plan_sweep(r, h200())) {
    EXPECT_FALSE(g.rows.empty());
    rows.insert(rows.end(), g.rows.begin(), g.rows.end());
  }
  return rows;
}

std::string label(const Timing& t) { return t.variant.empty() ? t.name : t.name + ", " + t.variant; }

// Returns the bytes per element in each row. The key is the label of the row.
std::map<std::string, double> bytes_of(const std::vector<Candidate>& kernels, int n) {
  std::map<std::string, double> bytes;
  for (const SweepRow& t : rows_of(kernels, n)) {
    EXPECT_FALSE(t.missing) << in_words(t.missing);
    EXPECT_TRUE(bytes.emplace(label(t), t.bytes / t.settings.n).second) << label(t) << " twice";
  }
  return bytes;
}

void expect_bytes(const std::vector<Candidate>& kernels, int n, const std::map<std::string, double>& due) {
  const std::map<std::string, double> are = bytes_of(kernels, n);
  std::set<std::string> names, due_names;
  for (const auto& [name, bytes] : are) names.insert(name);
  for (const auto& [name, bytes] : due) due_names.insert(name);
  EXPECT_EQ(names, due_names);
  for (const auto& [name, bytes] : due)
    if (are.contains(name)) { EXPECT_NEAR(are.at(name), bytes, 0.02) << name; }
}

TEST(Peers, OfCompaction) {
  for (const char* name : {"stream_compaction", "stream_compaction_look_back"})
    expect_bytes({candidate(name)}, 1 << 20,
                 {{"cudaMemcpy, 6 bytes an element", 6}, {name, 6}, {"cub::DeviceSelect", 6}});
  for (const SweepRow& t :
       rows_of({candidate("stream_compaction_look_back", {{"predicate", "every"}})}, 5000)) {
    EXPECT_EQ(t.missing, t.contender == Contender::library ? say::cub_positive_alone("every") : Message{});
    EXPECT_NEAR(t.bytes / t.settings.n, 8, 0.01) << label(t);
  }
}

TEST(Peers, OfSorts) {
  expect_bytes({candidate("radix_sort_one_sweep")}, 1 << 20,
               {{"cudaMemcpy", 8}, {"radix_sort_one_sweep", 8}, {"cub::DeviceRadixSort", 8}});
  expect_bytes({candidate("radix_sort_one_sweep", {{"keys", "pairs"}})}, 1 << 20,
               {{"cudaMemcpy, 16 bytes an element", 16},
                {"radix_sort_one_sweep, pairs", 16},
                {"cub::DeviceRadixSort, pairs", 16}});
  expect_bytes({candidate("radix_sort_one_sweep"), candidate("radix_sort_one_sweep", {{"keys", "pairs"}})},
               1000003,
               {{"cudaMemcpy", 8},
                {"cudaMemcpy, 16 bytes an element", 16},
                {"radix_sort_one_sweep", 8},
                {"radix_sort_one_sweep, pairs", 16},
                {"cub::DeviceRadixSort", 8},
                {"cub::DeviceRadixSort, pairs", 16}});
}

// First, one launch of a radix sort reads the keys. Then each of four passes reads and writes the keys; if
// keys have values, each pass also reads and writes the values.
TEST(Peers, ASortAlsoSaysTheBytesOfAllPasses) {
  for (const bool pairs : {false, true}) {
    int sorts = 0;
    for (const SweepRow& t :
         rows_of({candidate("radix_sort_one_sweep", {{"keys", pairs ? "pairs" : "alone"}}),
                  candidate("scan_large")},
                 1 << 20)) {
      const bool is_sort = t.contender == Contender::kernel && t.result == Result::sorting;
      sorts += is_sort;
      if (is_sort) {
        EXPECT_EQ(t.bytes_of_all_passes, (pairs ? 17. : 9.) * 4 * t.settings.n);
      } else {
        EXPECT_EQ(t.bytes_of_all_passes, 0) << t.name;
      }
    }
    EXPECT_EQ(sorts, 1);
  }
}

TEST(Peers, OfRecurrences) {
  for (const char* name : {"linear_recurrence", "linear_recurrence_look_back"})
    expect_bytes({candidate(name)}, 1 << 20,
                 {{"cudaMemcpy", 16},
                  {"cudaMemcpy, 12 bytes an element", 12},
                  {name, 12},
                  {"cub::DeviceScan, maps", 16}});
}

TEST(Peers, OfTables) {
  for (const Scalar type : {Scalar::int32, Scalar::float32}) {
    Candidate c = candidate("summed_area_table_single_pass");
    c.settings.type = type;
    c.settings.columns = 3840;
    std::map<std::string, double> due = {{"cudaMemcpy", 8}, {"summed_area_table_single_pass", 8}};
    if (type == Scalar::int32) {
      due["cudaMemcpy, 5 bytes an element"] = 5;
      due["nppiIntegral_8u32s, uint8"] = 5;
    }
    expect_bytes({c}, 3840 * 2160, due);
    for (const SweepRow& t : rows_of({c}, 3840 * 2160))
      if (t.contender != Contender::copy) { EXPECT_EQ(t.settings.columns, 3840) << t.name; }
    c.settings.choices["channels"] = "3";
    due = {{"cudaMemcpy, 24 bytes an element", 24},
           {"cudaMemcpy", 8},
           {"summed_area_table_single_pass, channels=3", 24}};
    expect_bytes({c}, 3840 * 2160, due);
  }
}

TEST(Peers, OfAllocations) {
  expect_bytes({candidate("allocation")}, 1 << 12,
               {{"cudaMemcpy", 8}, {"cudaMemcpy, 12 bytes an element", 12}, {"allocation", 12}});
}

// The window may show a library beside a kernel only if both have the same result and the same data.
TEST(Peers, StandOnlyBesideTheirKernels) {
  std::set<std::string> libraries;
  for (const Algorithm* a : correct_algorithms()) {
    const Candidate c = candidate(a->name);
    const Result& result = result_of(*a, c.settings);
    for (const SweepRow& t : rows_of({c}, 1 << 12)) {
      if (t.contender == Contender::library) {
        EXPECT_EQ(t.result, result) << a->name << ": " << label(t);
        libraries.insert(label(t));
      }
      EXPECT_EQ(t.settings.type, c.settings.type);
      EXPECT_EQ(t.settings.op, c.settings.op);
    }
  }
  for (const char* name : {"cub::DeviceReduce", "cub::DeviceScan", "cub::DeviceSelect",
                           "cub::DeviceRadixSort", "cub::DeviceScan, maps"})
    EXPECT_TRUE(libraries.contains(name)) << name;
}

// Each row is compared with a copy that moves as many bytes. This test leaves out reductions: a copy reads
// and writes every element, so a reduction moves only half as many bytes as a copy of the same elements.
TEST(Peers, ACopyMovesAsManyBytesAsEachRow) {
  for (const Algorithm* a : correct_algorithms())
    for (const int n : {1 << 12, 1 << 20, 3000017}) {
      Timings all;
      for (const SweepRow& t : rows_of({candidate(a->name)}, n)) all.rows.push_back(t);
      for (Timing& t : all.rows) t.seconds = spread_of(std::vector{1e-6});
      for (const Timing& t : all.rows) {
        const Algorithm* kernel = t.contender == Contender::kernel ? a : nullptr;
        if (!kernel || result_of(*a, t.settings) == Result::reduction) continue;
        const Timing* copy = ceiling_of(all, t);
        ASSERT_TRUE(copy) << a->name;
        EXPECT_NEAR(copy->bytes / t.bytes, 1, 0.02) << a->name << ", n = " << n;
      }
    }
}

TEST(Peers, EachPredicateHasItsOwnData) {
  const std::vector<Candidate> kernels = {candidate("stream_compaction_look_back"),
                                          candidate("stream_compaction", {{"predicate", "nonzero"}}),
                                          candidate("stream_compaction", {{"predicate", "positive"}})};
  SweepRequest r;
  r.kernels = kernels;
  r.sizes = {1 << 12, 1 << 13};
  std::map<std::string, int> measured;
  const std::vector<SweepGroup> groups = plan_sweep(r, h200());
  ASSERT_EQ(groups.size(), 4u);
  for (const SweepGroup& g : groups) {
    EXPECT_EQ(g.filling, Filling::halves);
    std::set<std::string> predicates;
    for (const SweepRow& t : g.rows) {
      if (t.contender == Contender::copy) continue;
      predicates.insert(predicate_beside_default(t.settings));
      if (t.contender != Contender::library) continue;
      measured[predicate_beside_default(t.settings)] += !t.missing;
      EXPECT_EQ(t.missing, predicate_beside_default(t.settings).empty() ? Message{}
                                                                        : say::cub_positive_alone("nonzero"));
    }
    EXPECT_EQ(predicates.size(), 1u);
  }
  EXPECT_EQ(measured, (std::map<std::string, int>{{"", 2}, {"nonzero", 0}}));
}

TEST(Peers, KnowTheirRows) {
  std::set<std::pair<std::string, std::string>> known;
  for (const Peer& p : peers()) {
    Timing t;
    t.contender = p.contender;
    t.name = p.name;
    t.variant = p.variant;
    EXPECT_EQ(peer_of(t), &p) << t.name;
    EXPECT_TRUE(known.emplace(t.name, t.variant).second) << t.name;
    t.contender = Contender::kernel;
    EXPECT_EQ(peer_of(t), nullptr);
  }
  Timing other;
  other.contender = Contender::library;
  other.name = "cub::DeviceHistogram";
  EXPECT_EQ(peer_of(other), nullptr) << "a newer recording's";
}

// Tests which functions of libraries and which copies (peers) the window shows for a chosen kernel.
TEST(Peers, AreShownBesideTheChosenKernel) {
  std::vector<Candidate> kernels = {
      candidate("radix_sort_one_sweep"),          candidate("radix_sort_one_sweep", {{"keys", "pairs"}}),
      candidate("stream_compaction_look_back"),   candidate("scan_large"),
      candidate("summed_area_table_single_pass"), candidate("linear_recurrence_look_back")};
  Timings all;
  for (const SweepRow& t : rows_of(kernels, 1 << 20, true)) {
    all.rows.push_back(t);
    all.rows.back().seconds = spread_of(std::vector{1e-6});
  }
  const auto shown = [&](const Candidate& c) {
    std::set<std::string> names;
    for (const Timing& t : all.rows)
      if (is_peer(all, t, c.settings) && t.contender != Contender::processor) names.insert(label(t));
    return names;
  };
  using Names = std::set<std::string>;
  EXPECT_EQ(shown(kernels[0]), (Names{"cudaMemcpy", "cub::DeviceRadixSort"}));
  EXPECT_EQ(shown(kernels[1]),
            (Names{"cudaMemcpy", "cudaMemcpy, 16 bytes an element", "cub::DeviceRadixSort, pairs"}));
  EXPECT_EQ(shown(kernels[2]), (Names{"cudaMemcpy", "cudaMemcpy, 6 bytes an element", "cub::DeviceSelect"}));
  EXPECT_EQ(shown(kernels[3]), (Names{"cudaMemcpy", "cub::DeviceScan"}));
  EXPECT_EQ(shown(kernels[4]), Names{"cudaMemcpy"});
  EXPECT_EQ(shown(kernels[5]),
            (Names{"cudaMemcpy", "cudaMemcpy, 12 bytes an element", "cub::DeviceScan, maps"}));
}

TEST(Shapes, StayWholeRows) {
  Settings s{.algorithm = "summed_area_table_single_pass", .n = 3840 * 2160, .columns = 3840};
  for (const int n : {1, 4096, 65536, 1 << 20, 3840 * 2160}) {
    const Settings some = with_elements(s, n);
    EXPECT_EQ(some.columns, 3840);
    EXPECT_EQ(some.n % 3840, 0);
    EXPECT_EQ(some.n, std::max(1, n / 3840) * 3840);
    EXPECT_NO_THROW(validate(some));
  }
  EXPECT_EQ(settings_to_check(s).n, 65536 / 3840 * 3840);
  s.columns = 0;
  EXPECT_EQ(with_elements(s, 4097).n, 4097);
}

TEST(Npp, HasOneMoreRowAndColumn) {
  const Settings s{.n = 3840 * 2160, .type = Scalar::int32, .columns = 3840};
  EXPECT_EQ(Npp::row_bytes(s), 15872u) << "3,841 numbers, rounded up to a multiple of 512 bytes";
  EXPECT_EQ(Npp::table_bytes(s), 15872u * 2161);
  EXPECT_EQ(Npp::bytes(s), 3840. * 2160 + 4. * 3841 * 2161);
  const Npp npp;
  if (npp.missing()) { EXPECT_TRUE(in_words(npp.missing()).starts_with("NPP")) << in_words(npp.missing()); }
}

TEST(SelectionData, PredicatesKeepHalf) {
  std::vector<const char*> predicates = {"positive",         "nonzero",  "above_3", "odd",
                                         "multiple_of_3",    "every",    "never",   "x > 3 && x % 2 == 0",
                                         "x > 100 || x < 2", "x * x > 9"};
  predicates.insert(predicates.end(), std::begin(awkward_predicates), std::end(awkward_predicates));
  for (const char* predicate : predicates)
    for (const Scalar type :
         {Scalar::int32, Scalar::uint32, Scalar::int64, Scalar::float16, Scalar::float32, Scalar::float64}) {
      SCOPED_TRACE(fmt::format("{} of {}", predicate, name(type)));
      Settings s{.algorithm = "stream_compaction", .type = type, .choices = {{"predicate", predicate}}};
      try {
        validate(s);
      } catch (const RequestError&) { continue; }
      const Predicate keep = predicate_of(s);
      const SelectionData data = selection_data(s);
      ASSERT_EQ(data.numbers.size(), 1024u);
      const auto kept = std::count_if(data.numbers.begin(), data.numbers.end(),
                                      [&](const Value& x) { return keep(type, x); });
      EXPECT_EQ(static_cast<double>(kept) / 1024, data.kept);
      const std::string p = predicate;
      EXPECT_EQ(data.kept, p == "every" ? 1 : p == "never" ? 0 : 0.5);
      if (p == "positive") {
        EXPECT_GE(std::set<Value>(data.numbers.begin(), data.numbers.end()).size(),
                  is_real(type) ? 400u : 100u);
      }
    }
}

}  // namespace peers_test
}  // namespace upsweep
