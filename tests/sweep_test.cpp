// Tests which rows a sweep measures and in which order. Needs no GPU.
#include "measure/sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/messages.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/data.hpp"
#include "measure/cub.hpp"
#include "trace/value.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace sweep_test {

Candidate candidate(const char* name) {
  Candidate c;
  c.settings.algorithm = name;
  return c;
}

SweepLimits h200() { return {std::uint64_t{139} << 30, std::uint64_t{60} << 30, 132, {}, {}}; }

// Returns a request for all algorithms that compute sums of float32 and are not broken on purpose.
SweepRequest everything() {
  SweepRequest r;
  for (const Algorithm* a : correct_algorithms())
    if (a->allows(Scalar::float32) && a->allows(Operator::sum))
      r.kernels.push_back(candidate(a->name.c_str()));
  r.sizes = powers_of_two(1 << 10, 1 << 30);
  return r;
}

std::vector<SweepRow> first_rows(const SweepRequest& r, const SweepLimits& limits) {
  return plan_sweep(r, limits).at(0).rows;
}

TEST(Sweep, PowersOfTwo) {
  EXPECT_EQ(powers_of_two(1 << 10, 1 << 30).size(), 21u);
  EXPECT_EQ(powers_of_two(1, 1), std::vector{1});
  EXPECT_EQ(powers_of_two(3, 9), (std::vector{4, 8}));
  EXPECT_EQ(powers_of_two(1 << 30, INT32_MAX), std::vector{1 << 30});
  EXPECT_TRUE(powers_of_two(5, 7).empty());
}

TEST(Sweep, EverySizeOnceAscendingWithTheCopyFirst) {
  SweepRequest r = everything();
  std::swap(r.sizes.front(), r.sizes.back());
  r.sizes.push_back(r.sizes[3]);
  const std::vector<SweepGroup> groups = plan_sweep(r, h200());
  constexpr Filling fillings[] = {Filling::digits, Filling::halves, Filling::keys};
  ASSERT_EQ(groups.size(), 3 * 21u) << "at each size, sums, selections and sorts have data of their own";
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::vector<SweepRow>& rows = groups[g].rows;
    EXPECT_EQ(groups[g].filling, fillings[g % 3]);
    if (g % 3 < 2) { EXPECT_EQ(rows[0].contender, Contender::copy); }
    for (const Timing& t : rows) {
      EXPECT_EQ(t.settings.n, 1 << (10 + g / 3));
      EXPECT_EQ(t.seconds.count, 0);
      EXPECT_GT(t.bytes, 0);
    }
  }
}

TEST(Sweep, PeersStandBesideTheirKernels) {
  SweepRequest r;
  r.kernels = {candidate("scan_large"), candidate("reduce_vectorized"), candidate("scan_decoupled_lookback"),
               candidate("scan_large")};
  r.kernels[3].settings.choices["gives"] = "exclusive";
  r.sizes = {1 << 20};
  std::vector<std::string> names;
  for (const Timing& t : first_rows(r, h200()))
    names.push_back(t.name + (t.variant.empty() ? "" : " " + t.variant));
  EXPECT_EQ(names,
            (std::vector<std::string>{
                "cudaMemcpy", "reduce_vectorized", "cub::DeviceReduce", "std::accumulate",
                "std::accumulate threads", "std::reduce par_unseq", "scan_large", "scan_decoupled_lookback",
                "cub::DeviceScan", "std::inclusive_scan", "std::inclusive_scan threads",
                "std::inclusive_scan par_unseq", "scan_large exclusive", "cub::DeviceScan exclusive",
                "std::exclusive_scan", "std::exclusive_scan threads", "std::exclusive_scan par_unseq"}));
  r.peers = false;
  EXPECT_EQ(first_rows(r, h200()).size(), 5u);
}

TEST(Sweep, TakesWhatSuitsASizeAndWhatIsAskedForFirst) {
  const auto rows_at = [](const SweepRequest& r) {
    std::map<int, Settings> at;
    for (const SweepGroup& g : plan_sweep(r, h200()))
      for (const SweepRow& t : g.rows)
        if (t.contender == Contender::kernel) at[t.settings.n] = t.settings;
    return at;
  };
  const Algorithm& a = algorithm("scan_lookback_vectorized");
  ASSERT_GT(a.tunings.size(), 1u);
  SweepRequest r;
  r.kernels = {candidate("scan_lookback_vectorized")};
  r.sizes = powers_of_two(1 << 10, 1 << 28);
  for (const auto& [n, s] : rows_at(r)) {
    const auto tuning =
        std::find_if(a.tunings.begin(), a.tunings.end(), [&](const Tuning& x) { return n <= x.most_n; });
    ASSERT_NE(tuning, a.tunings.end());
    EXPECT_EQ(s.choices, tuning->choices) << n;
    EXPECT_EQ(s.block, tuning->threads) << n;
  }
  r.kernels[0].settings.block = 64;
  r.kernels[0].block_given = true;
  for (const char* rows : {"2", "8", "25"}) {
    r.kernels[0].settings.choices = {{"rows", rows}, {"ahead", "0"}};
    for (const auto& [n, s] : rows_at(r)) {
      EXPECT_EQ(s.choices, r.kernels[0].settings.choices) << n;
      EXPECT_EQ(s.block, 64) << n;
    }
  }
}

TEST(Sweep, BytesOfEachContender) {
  SweepRequest r;
  r.kernels = {candidate("reduce_vectorized"), candidate("scan_large")};
  r.kernels[1].settings.op = Operator::affine;
  r.kernels[1].settings.type = Scalar::float64;
  r.sizes = {1000};
  for (const SweepGroup& g : plan_sweep(r, h200()))
    for (const Timing& t : g.rows) {
      const bool pairs = t.settings.op == Operator::affine;
      const bool reduces = t.name == "reduce_vectorized" || t.name == "cub::DeviceReduce" ||
                           t.name == "std::accumulate" || t.name == "std::reduce";
      EXPECT_EQ(t.bytes, pairs ? 2000 * 16 : reduces ? 1001 * 4 : 2000 * 4) << t.name;
    }
}

TEST(Sweep, WhatAnAlgorithmCannotTakeIsSaidOnce) {
  SweepRequest r = everything();
  std::map<std::string, std::vector<std::string>> missing;
  std::map<std::string, int> largest;
  for (const SweepGroup& g : plan_sweep(r, h200()))
    for (const Timing& t : g.rows) {
      if (!t.missing) largest[t.name] = t.settings.n;
      else missing[t.name].push_back(in_words(t.missing));
    }
  for (const auto& [name, sentences] : missing) {
    EXPECT_EQ(sentences.size(), 1u) << name;
    EXPECT_TRUE(sentences[0].ends_with('.')) << sentences[0];
  }
  EXPECT_EQ(largest["scan_blelloch"], 2048);
  EXPECT_EQ(largest["scan_per_output"], 4096);
  EXPECT_NE(missing["scan_blelloch"][0].find("at most 2,048"), std::string::npos)
      << missing["scan_blelloch"][0];
  for (const char* name :
       {"reduce_vectorized", "scan_decoupled_lookback", "scan_large", "cudaMemcpy", "cub::DeviceScan"})
    EXPECT_EQ(largest[name], 1 << 30) << name;
}

TEST(Sweep, EveryPlannedKernelIsValid) {
  for (const SweepGroup& g : plan_sweep(everything(), h200()))
    for (const SweepRow& t : g.rows)
      if (t.contender == Contender::kernel && !t.missing) {
        EXPECT_NO_THROW(validate(t.settings)) << t.name;
        EXPECT_LE(bytes_needed(t), h200().device_memory);
        if (algorithm(t.name).uses_grid) { EXPECT_GE(t.settings.grid, 2 * 132); }
      }
}

TEST(Sweep, MemoryEndsASweep) {
  SweepRequest r = everything();
  SweepLimits small = h200();
  small.opengl_memory = 1 << 30;
  small.device_memory = std::uint64_t{1} << 30;
  small.host_memory = std::uint64_t{1} << 26;
  for (const SweepGroup& g : plan_sweep(r, small))
    for (const SweepRow& t : g.rows) {
      const bool host = t.contender == Contender::processor;
      if (!t.missing) {
        EXPECT_LE(bytes_needed(t), host ? small.host_memory : small.device_memory);
      } else if (t.name == "scan_large") {
        EXPECT_EQ(t.settings.n, 1 << 27) << "2^27 floats in and out fill a gibibyte, and the sums need more";
        EXPECT_EQ(in_words(t.missing),
                  "n = 134,217,728 needs 1.0 GiB of memory, and the GPU has 1.0 GiB available.");
      }
    }
}

TEST(Sweep, WithoutAGpuOrCub) {
  SweepLimits none = h200();
  none.no_gpu = none.no_opengl = plain("There is no GPU.");
  for (const SweepGroup& g : plan_sweep(everything(), none))
    for (const Timing& t : g.rows)
      if (t.contender != Contender::processor) { EXPECT_EQ(t.missing, none.no_gpu); }
  SweepLimits plain = h200();
  plain.no_library = upsweep::plain("Not built.");
  for (const Timing& t : first_rows(everything(), plain))
    EXPECT_EQ(in_words(t.missing), t.contender == Contender::library ? "Not built." : "") << t.name;
  SweepRequest products = everything();
  for (Candidate& c : products.kernels) c.settings.op = Operator::product;
  for (const Timing& t : first_rows(products, h200()))
    if (t.contender == Contender::library) { EXPECT_EQ(t.missing, say::cub_sums_alone("product")); }
}

TEST(Sweep, SelectionAndSortingStandAloneOnceForEachType) {
  const auto stands_alone = [](const Result& result) {
    return result == Result::selection || result == Result::sorting;
  };
  SweepRequest r = everything();
  std::erase_if(r.kernels, [&](const Candidate& c) {
    return stands_alone(result_of(algorithm(c.settings.algorithm), c.settings));
  });
  for (const Candidate& c : std::vector<Candidate>(r.kernels))
    for (const Operator op : {Operator::sum, Operator::max}) {
      r.kernels.push_back(c);
      r.kernels.back().settings.type = Scalar::float64;
      r.kernels.back().settings.op = op;
    }
  r.sizes = {1 << 20, (1 << 20) + 1};
  const auto alone = [&](const SweepLimits& limits) {
    std::vector<SweepRow> rows;
    for (const SweepGroup& g : plan_sweep(r, limits))
      for (const SweepRow& t : g.rows)
        if (stands_alone(t.result)) rows.push_back(t);
    return rows;
  };
  EXPECT_TRUE(alone(h200()).empty()) << "only where they are asked for";
  r.peers_alone = true;
  int counts[2] = {};
  for (const SweepRow& t : alone(h200())) {
    const bool selects = t.result == Result::selection;
    ++counts[selects];
    EXPECT_EQ(t.contender, Contender::library);
    EXPECT_EQ(t.name, selects ? "cub::DeviceSelect" : "cub::DeviceRadixSort");
    EXPECT_EQ(t.variant, "");
    EXPECT_EQ(t.settings.op, Operator::sum);
    const double n = t.settings.n, width = element_bytes(t.settings);
    EXPECT_EQ(t.bytes, width * (n + (selects ? n - std::round(n / 2) : n)));
    EXPECT_GE(static_cast<double>(bytes_needed(t)), width * n * (selects ? 2 : 3));
    EXPECT_FALSE(t.missing);
  }
  EXPECT_EQ(counts[0], 4) << "two types at two sizes";
  EXPECT_EQ(counts[1], 4);
  for (const SweepGroup& g : plan_sweep(r, h200()))
    for (const SweepRow& t : g.rows)
      if (t.contender != Contender::copy) {
        EXPECT_EQ(g.filling, filling_of(t.result)) << t.name << " on the data of another result";
      }
  SweepLimits none = h200();
  none.no_library = upsweep::plain("Not built.");
  for (const SweepRow& t : alone(none)) EXPECT_EQ(t.missing, none.no_library);
  none.no_gpu = plain("There is no GPU.");
  for (const SweepRow& t : alone(none)) EXPECT_EQ(t.missing, none.no_gpu);
  r.peers = false;
  EXPECT_TRUE(alone(h200()).empty());
}

TEST(Sweep, ParUnseqIsMeasuredWhereItIsBuiltAndRight) {
  SweepRequest r;
  r.kernels = {candidate("reduce_vectorized"), candidate("scan_large")};
  r.sizes = {1 << 10};
  SweepLimits plain = h200();
  plain.no_par = upsweep::plain("Not built.");
  for (const SweepRow& t : first_rows(r, plain))
    EXPECT_EQ(in_words(t.missing), t.variant == "par_unseq" ? "Not built." : "") << t.name;
  for (const Operator op :
       {Operator::sum, Operator::product, Operator::min, Operator::max, Operator::affine}) {
    for (Candidate& c : r.kernels) c.settings.op = op;
    int rows = 0;
    for (const SweepRow& t : first_rows(r, h200()))
      if (t.variant == "par_unseq") {
        ++rows;
        const bool right = t.result == Result::reduction ? op != Operator::affine : op == Operator::sum;
        EXPECT_EQ(!t.missing, right) << t.name << ", " << name(op) << ": " << in_words(t.missing);
        if (!right) { EXPECT_TRUE(in_words(t.missing).ends_with('.')) << in_words(t.missing); }
      }
    EXPECT_EQ(rows, 2);
  }
}

TEST(Cub, SelectionsAndSortingsAreChecked) {
  for (const Scalar type :
       {Scalar::int32, Scalar::uint32, Scalar::int64, Scalar::float16, Scalar::float32, Scalar::float64}) {
    SCOPED_TRACE(name(type));
    Settings s;
    s.n = 1000;
    s.type = type;
    const std::vector<Value> input = random_data(s, 2);
    const auto number = [&](const Value& v) { return scalar(v, type); };
    std::vector<Value> selected, sorted = input;
    for (const Value& v : input)
      if (number(v) > 0) selected.push_back(v);
    ASSERT_GT(selected.size(), 100u);
    if (type != Scalar::uint32) { ASSERT_LT(selected.size(), 900u); }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](const Value& x, const Value& y) { return number(x) < number(y); });
    EXPECT_FALSE(check(Result::selection, s, input, selected));
    EXPECT_FALSE(check(Result::sorting, s, input, sorted));
    EXPECT_TRUE(check(Result::sorting, s, input, input));
    selected[3] = sorted[0];
    EXPECT_EQ(check(Result::selection, s, input, selected).id, MessageId::wrong_element);
    selected.pop_back();
    EXPECT_EQ(check(Result::selection, s, input, selected),
              say::other_number_of_elements(selected.size(), selected.size() + 1));
    std::vector<Value> sums = oracle(algorithm("scan_sequential"), s, input);
    EXPECT_FALSE(check(Result::inclusive_scan, s, input, sums));
    EXPECT_FALSE(check(Result::reduction, s, input, std::vector<Value>{sums.back()}));
    EXPECT_TRUE(check(Result::exclusive_scan, s, input, sums));
  }
}

TEST(Sweep, RepetitionsFillTheBudget) {
  EXPECT_EQ(repetitions(1e-3, 0, 0.1), 100);
  EXPECT_EQ(repetitions(1e-3, 1e-3, 0.1), 50);
  EXPECT_EQ(repetitions(1, 0, 0.1), 5) << "never fewer, or there is no spread";
  EXPECT_EQ(repetitions(1e-7, 0, 0.1), 200);
  EXPECT_EQ(repetitions(0, 0, 0.1), 200);
}

TEST(Sweep, RotationsReachBeyondTheCache) {
  constexpr std::uint64_t l2 = 50 << 20;
  EXPECT_EQ(rotations(8192, l2), 4);
  EXPECT_EQ(rotations(20 << 20, l2), 3);
  EXPECT_EQ(rotations(40 << 20, l2), 2);
  EXPECT_EQ(rotations(l2, l2), 1);
  EXPECT_EQ(rotations(std::uint64_t{8} << 30, l2), 1);
  EXPECT_EQ(rotations(0, l2), 1);
}

// On the way to n elements, a sweep tries smaller sizes (probes), so that it never starts a long run. If the
// time is at most proportional to the size, every probe must end within the limit for a run.
TEST(Sweep, ProbesNeverTakeLong) {
  for (const double longest_run : {0.08, 1.0})
    for (const double each : {1e-12, 1e-10, 1e-9, 3e-8, 1e-6, 1e-3})
      for (const double fixed : {0.0, 2e-6, 1e-3})
        for (const int n : {4096, 5000, 1 << 20, 1 << 30}) {
          const auto seconds = [&](int size) { return fixed + each * size; };
          int tried = 4096, probes = 1;
          while (tried < n) {
            const int next = next_probe(tried, seconds(tried), n, longest_run);
            if (next == 0) break;
            EXPECT_GT(next, tried);
            EXPECT_LE(next, n);
            EXPECT_LE(seconds(next), longest_run * 1.001);
            tried = next;
            ASSERT_LE(++probes, 40);
          }
          if (seconds(n) < longest_run / 2) { EXPECT_EQ(tried, n) << each << " " << fixed << " " << n; }
          if (seconds(n) > longest_run * 1.001 && n > 4096) { EXPECT_LT(tried, n); }
        }
  EXPECT_EQ(next_probe(4096, 1, 4096, 0.08), 0);
  EXPECT_EQ(next_probe(4096, 1e-6, 4096, 0.08), 4096);
}

TEST(Sweep, NamesOfVariants) {
  Settings s;
  s.algorithm = "scan_large";
  EXPECT_EQ(variant_name(s), "");
  s.choices = {{"gives", "exclusive"}, {"block_scan", "blelloch"}};
  s.choose("layout", "pad32");
  EXPECT_EQ(variant_name(s), "pad32 exclusive");
  s = {};
  s.algorithm = "scan_decoupled_lookback";
  s.choices = {{"items", "7"}};
  EXPECT_EQ(variant_name(s), "items=7");
}

}  // namespace sweep_test
}  // namespace upsweep
