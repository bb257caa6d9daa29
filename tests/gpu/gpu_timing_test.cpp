// Tests the measurement of times on a GPU. Compares the measured times with CUDA events that this test
// records, and tests failures. Needs a GPU: run by `./test --gpu`.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <set>
#include <thread>

#include "base/messages.hpp"
#include "catalogue/plan.hpp"
#include "machine/gpu/gpu_device.hpp"
#include "machine/gpu/gpu_program.hpp"
#include "measure/gpu_bench.hpp"
#include "measure/measure.hpp"
#include "trace/value.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

SweepRequest sweep(std::vector<const char*> names, std::vector<int> sizes) {
  SweepRequest r;
  for (const char* name : names) {
    Candidate c;
    c.settings.algorithm = name;
    r.kernels.push_back(c);
  }
  r.sizes = std::move(sizes);
  return r;
}

constexpr Scalar all_types[] = {Scalar::int32,   Scalar::uint32,  Scalar::int64,
                                Scalar::float16, Scalar::float32, Scalar::float64};

const Timing* row(const Timings& all, const std::string& name, int n) {
  for (const Timing& t : all.rows)
    if (t.name == name && t.settings.n == n) return &t;
  return nullptr;
}

// Measures the time of a kernel without the code of measure/, with its own memory, module, stream and events.
double by_hand(const Settings& s, int runs) {
  const Device device;
  const Stream stream(Stream::apart);
  const Algorithm& a = algorithm(s.algorithm);
  const Plan planned = plan(a, s);
  const Compiled compiled = compile(program(a, s, Mode::fast), architecture_for(device.architecture()));
  const Module module(compiled.image);
  std::vector<Buffer> buffers(planned.buffers.size());
  for (std::size_t b = 0; b < buffers.size(); ++b)
    buffers[b].reserve_filled(
        static_cast<std::size_t>(planned.buffers[b].count) *
            static_cast<std::size_t>(cell_bytes(planned.buffers[b].cells, element_bytes(s))),
        0);
  check(driver().cuCtxSynchronize(), MessageId::filling_memory);
  // Each run is queued behind a command that clears this memory. Clearing takes the GPU longer than the CPU
  // needs to queue the run, so the GPU never waits for the CPU during the run.
  Buffer ahead;
  ahead.reserve(std::size_t{1} << 29);
  int number = 0;  // the number of the current run
  const auto queue = [&] {
    ++number;
    for (std::size_t b = 2; b < buffers.size(); ++b)
      if (planned.buffers[b].cells == Cells::words)
        check(driver().cuMemsetD8Async(buffers[b].address(), 0,
                                       static_cast<std::size_t>(planned.buffers[b].count) * 4, stream),
              MessageId::clearing_memory);
    for (const PlannedLaunch& l : planned.launches) {
      std::vector<DeviceAddress> addresses(l.arguments.size());
      std::vector<int> numbers(l.arguments.size());
      std::vector<void*> parameters;
      for (std::size_t i = 0; i < l.arguments.size(); ++i) {
        const int b = l.arguments[i].buffer;
        if (b >= 0) addresses[i] = buffers[static_cast<std::size_t>(b)].address();
        numbers[i] = l.arguments[i].is_run ? number : static_cast<int>(l.arguments[i].number);
        parameters.push_back(b >= 0 ? static_cast<void*>(&addresses[i]) : &numbers[i]);
      }
      launch(module.function(compiled.lowered_name.at(l.kernel)), l.grid_dim(), l.block_dim(), l.shared.bytes,
             stream, parameters.data());
    }
  };
  std::vector<double> seconds;
  for (int run = -2; run < runs; ++run) {
    void *begin = nullptr, *end = nullptr;
    check(driver().cuEventCreate(&begin, 0), MessageId::timing_on_gpu);
    check(driver().cuEventCreate(&end, 0), MessageId::timing_on_gpu);
    check(driver().cuMemsetD8Async(ahead.address(), 0, std::size_t{1} << 29, stream),
          MessageId::clearing_memory);
    queue();  // not measured, because the GPU still writes the cleared memory from L2 to DRAM
    check(driver().cuEventRecord(begin, stream), MessageId::timing_on_gpu);
    queue();
    check(driver().cuEventRecord(end, stream), MessageId::timing_on_gpu);
    check(driver().cuStreamSynchronize(stream), MessageId::running_kernel);
    float milliseconds = 0;
    check(driver().cuEventElapsedTime(&milliseconds, begin, end), MessageId::timing_on_gpu);
    if (run >= 0) seconds.push_back(1e-3 * static_cast<double>(milliseconds));
    release(driver().cuEventDestroy_v2(begin));
    release(driver().cuEventDestroy_v2(end));
  }
  return spread_of(seconds).median;
}

TEST(GpuTiming, AgreesWithEventsWrittenByHand) {
  constexpr int n = 1 << 28;  // much larger than L2, so warm and cold times are almost equal
  for (const char* name :
       {"reduce_vectorized", "scan_decoupled_lookback", "scan_large", "reduce_two_pass_tree"}) {
    SweepRequest r = sweep({name}, {n});
    r.peers = false;
    r.seconds = 0.3;
    const Timings all = measure(r);
    const Timing* t = row(all, name, n);
    ASSERT_TRUE(t && !t->missing) << name << ": " << (t ? in_words(t->missing) : "no row");
    const double hand = by_hand(t->settings, 40);
    std::cout << fmt::format(
        "{}: {:.1f} us (quartiles {:.1f} - {:.1f}, {} runs), by hand {:.1f} us: {:+.2f} %\n", name,
        1e6 * t->seconds.median, 1e6 * t->seconds.lower_quartile, 1e6 * t->seconds.upper_quartile,
        t->seconds.count, 1e6 * hand, 100 * (t->seconds.median / hand - 1));
    EXPECT_NEAR(t->seconds.median / hand, 1, 0.02) << name;
  }
}

TEST(GpuTiming, TheCopyIsNearTheDataSheet) {
  const Timings all = measure(sweep({"reduce_vectorized"}, {1 << 28}));
  ASSERT_FALSE(all.rows.empty());
  const Timing& copy = all.rows[0];
  ASSERT_EQ(copy.contender, Contender::copy) << in_words(copy.missing);
  std::cout << fmt::format("{}: {:.0f} GB/s of {:.0f}; launch overhead {:.2f} us\n", copy.name,
                           1e-9 * copy.bytes_per_second(), 1e-9 * all.memory_bandwidth,
                           1e6 * all.launch_overhead.median);
  EXPECT_GT(copy.bytes_per_second(), 0.7 * all.memory_bandwidth);
  EXPECT_LT(copy.bytes_per_second(), 1.02 * all.memory_bandwidth);
  EXPECT_DOUBLE_EQ(share_of_ceiling(all, copy), 1);
  EXPECT_GT(all.launch_overhead.median, 1e-7);
  EXPECT_LT(all.launch_overhead.median, 2e-5);
}

TEST(GpuTiming, LibrariesComputeTheSameAsASequentialLoop) {
  GpuBench bench;
  const Message no_cub = bench.library_of(Result::sorting).missing(),
                no_npp = bench.library_of(Result::summed_area_table).missing();
  if (no_cub) GTEST_SKIP() << in_words(no_cub);
  const auto expect_right = [&](const Settings& s, const Result& what) {
    const Message mistake = bench.mistake(s, what);
    EXPECT_FALSE(mistake) << name(s.type) << ", n = " << s.n << ", " << what.name << ": "
                          << in_words(mistake);
  };
  for (const int n : {1, 31, 1000, 65537, 1000003}) {
    for (const Scalar type : all_types)
      for (const Result& what : {Result::selection, Result::sorting})
        expect_right({.algorithm = "", .n = n, .type = type}, what);
    for (const Scalar type : {Scalar::int32, Scalar::uint32, Scalar::float32}) {
      expect_right({.algorithm = "", .n = n, .type = type, .choices = {{"keys", "pairs"}}}, Result::sorting);
      expect_right({.algorithm = "", .n = n, .type = type, .op = Operator::affine}, Result::recurrence);
    }
  }
  if (no_npp) GTEST_SKIP() << in_words(no_npp);
  for (const auto& [columns, rows] : {std::pair(1, 1), {7, 5}, {640, 480}, {3840, 270}, {1001, 503}})
    expect_right({.algorithm = "", .n = columns * rows, .type = Scalar::int32, .columns = columns},
                 Result::summed_area_table);
}

TEST(GpuTiming, CubSelectsAndSorts) {
  SweepRequest r = sweep({}, {1 << 10, 1 << 20, 1 << 27});
  for (const Scalar type : all_types)
    r.kernels.push_back({Settings{.algorithm = "scan_large", .type = type}, false, false});
  r.peers_alone = true;
  r.seconds = 0.05;
  const Timings all = measure(r);
  int rows = 0;
  for (const Timing& t : all.rows) {
    if (t.name != "cub::DeviceSelect" && t.name != "cub::DeviceRadixSort") continue;
    ++rows;
    EXPECT_FALSE(t.missing) << in_words(t.missing) << t.name << ", " << name(t.settings.type)
                            << ", n = " << t.settings.n;
    const double share = share_of_ceiling(all, t);
    std::cout << fmt::format("{} of {}, n = {}: {:.1f} us, {:.0f} GB/s, {:.1f} % of the copy\n", t.name,
                             name(t.settings.type), t.settings.n, 1e6 * t.seconds.median,
                             1e-9 * t.bytes_per_second(), 100 * share);
    EXPECT_GT(share, 0.001) << t.name;
    EXPECT_LT(share, 1.05) << t.name << " cannot be faster than the copy";
  }
  EXPECT_EQ(rows, 2 * 3 * 6);
}

TEST(GpuTiming, MemoryIsFilledAsItIsSaid) {
  GpuBench bench;
  Settings s;
  s.n = 1 << 20;
  for (const Scalar type : all_types) {
    SCOPED_TRACE(name(type));
    s.type = type;
    const auto share = [&](const std::vector<Value>& data, auto holds) {
      return static_cast<double>(std::count_if(data.begin(), data.end(),
                                               [&](const Value& v) { return holds(scalar(v, type)); })) /
             s.n;
    };
    const auto above_0 = [](long double x) { return x > 0; };
    bench.prepare_data(s, bench.data_bytes(s, Result::reduction), 1, 0);
    EXPECT_NEAR(share(bench.input(s), above_0), 0.875, 1e-4) << "digits from 0 to 7";
    bench.prepare_data(s, bench.data_bytes(s, Result::selection), 1, 0, Filling::halves);
    EXPECT_NEAR(share(bench.input(s), above_0), 0.5, 3e-3);
    bench.prepare_data(s, bench.data_bytes(s, Result::reduction), 1, 0, Filling::keys);
    const std::vector<Value> keys = bench.input(s);
    EXPECT_EQ(share(keys, [](long double x) { return std::isfinite(x); }), 1);
    EXPECT_NEAR(share(keys, above_0), type == Scalar::uint32 ? 1 : 0.5, 0.01);
    const bool real = type != Scalar::int32 && type != Scalar::uint32 && type != Scalar::int64;
    if (real) {
      EXPECT_NEAR(share(keys, [](long double x) { return std::abs(x) < 1; }), 0.48, 0.025);
    }
    const std::set<Value> different(keys.begin(), keys.end());
    const double due = type == Scalar::float16 ? 63488 : s.n;  // float16 has 63,488 finite numbers
    EXPECT_GT(static_cast<double>(different.size()), 0.999 * due);
  }
}

TEST(GpuTiming, TheInputsOfMapsArePairs) {
  GpuBench bench;
  Settings s{.n = 1 << 20, .op = Operator::affine};
  bench.prepare_data(s, bench.data_bytes(s, Result::recurrence), 1, 0, Filling::maps);
  for (const Value& v : bench.input(s)) {
    const long double a = scalar(v, s.type, 0), b = scalar(v, s.type, 1);
    ASSERT_TRUE(a >= 0.5 && a < 1 && b >= 0 && b < 8)
        << static_cast<double>(a) << " " << static_cast<double>(b);
  }
}

TEST(GpuTiming, EveryApplicationIsMeasuredBesideItsPeer) {
  SweepRequest r;
  for (const Algorithm* a : correct_algorithms(Language::cuda)) {
    Settings s{.algorithm = a->name};
    fit_kind(*a, s);
    if (a->family == "application") r.kernels.push_back({s, false, false});
  }
  Settings pairs{.algorithm = "radix_sort_one_sweep", .choices = {{"keys", "pairs"}}},
      table{.algorithm = "summed_area_table_single_pass", .type = Scalar::int32};
  r.kernels.push_back({pairs, false, false});
  r.kernels.push_back({table, false, false});
  r.sizes = {1 << 10, 1 << 20, 1 << 24};
  r.seconds = 0.02;
  for (const Timing& t : measure(r).rows) {
    const bool absent = t.missing.id == MessageId::no_cub || t.missing.id == MessageId::no_npp ||
                        (t.contender == Contender::kernel && t.settings.n > 1 << 10);
    EXPECT_TRUE(!t.missing || absent) << t.name << ", " << t.variant << ": " << in_words(t.missing);
    EXPECT_NE(t.missing.id, MessageId::wrong_result_at) << t.name << ": " << in_words(t.missing);
  }
}

TEST(GpuTiming, EveryAlgorithmIsMeasured) {
  SweepRequest r = sweep({}, {1 << 10, 1 << 16, 1 << 24});
  for (const Algorithm* a : correct_algorithms(Language::cuda)) {
    r.kernels.push_back({Settings{.algorithm = a->name}, false, false});
    fit_kind(*a, r.kernels.back().settings);
  }
  r.seconds = 0.01;
  const Timings all = measure(r);
  for (const Timing& t : all.rows) {
    const bool may_be_missing =
        t.settings.n > 1 << 10 || t.missing.id == MessageId::no_cub || t.missing.id == MessageId::no_tbb;
    EXPECT_TRUE(!t.missing || may_be_missing) << t.name << ": " << in_words(t.missing);
    EXPECT_NE(t.missing.id, MessageId::wrong_result_at) << t.name << ": " << in_words(t.missing);
    EXPECT_NE(t.missing.id, MessageId::gpu_failed) << t.name << ": " << in_words(t.missing);
    if (t.contender == Contender::kernel && !t.missing && algorithm(t.name).family != "application")
      EXPECT_GE(t.excess_wavefronts, 0) << t.name;  // the number is unknown for some applications
    if (t.contender == Contender::kernel && t.settings.n > 1 << 10 && t.missing)
      std::cout << t.name << ", n = " << t.settings.n << ": " << in_words(t.missing) << "\n";
  }
}

TEST(GpuTiming, WarmIsFasterThanCold) {
  SweepRequest r = sweep({"scan_decoupled_lookback"}, {1 << 20});
  r.caches = {Cache::warm, Cache::cold};
  double median[2] = {};
  const Timings all = measure(r);
  for (const Timing& t : all.rows)
    if (t.contender == Contender::copy) median[static_cast<int>(t.cache)] = t.seconds.median;
  std::cout << fmt::format("copy of 4 MiB: warm {:.2f} us, cold {:.2f} us\n", 1e6 * median[0],
                           1e6 * median[1]);
  EXPECT_GT(median[0], 0);
  EXPECT_LT(median[0], median[1]);
}

TEST(GpuTiming, WhatTakesTooLongIsLeftOutAndTheRestGoesOn) {
  SweepRequest r = sweep({"reduce_serial", "reduce_vectorized"}, powers_of_two(1 << 20, 1 << 28));
  r.peers = false;
  const Timings all = measure(r);
  bool left_out = false;
  for (const Timing& t : all.rows)
    left_out |= t.name == "reduce_serial" && t.missing.id == MessageId::takes_too_long_to_cancel;
  EXPECT_TRUE(left_out);
  const Timing* last = row(all, "reduce_vectorized", 1 << 28);
  ASSERT_TRUE(last);
  EXPECT_GT(last->seconds.count, 0) << in_words(last->missing);
}

TEST(GpuTiming, CancelActsWithin200Milliseconds) {
  for (const int after : {700, 1100, 1900, 3000}) {  // milliseconds
    SweepRequest r = sweep({"reduce_vectorized", "scan_decoupled_lookback", "reduce_serial", "scan_large"},
                           powers_of_two(1 << 10, 1 << 29));
    r.seconds = 10;
    std::stop_source stop;
    std::chrono::steady_clock::time_point asked;
    std::jthread asker([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(after));
      asked = std::chrono::steady_clock::now();
      stop.request_stop();
    });
    measure(r, {}, stop.get_token());
    asker.join();
    const auto took = std::chrono::steady_clock::now() - asked;
    EXPECT_LT(took, std::chrono::milliseconds(200)) << "after " << after << " ms";
  }
}

TEST(GpuTiming, ASizeBeyondMemoryIsASentence) {
  const Device device;
  Buffer most;
  most.reserve(device.free_memory() - (std::size_t{3} << 30));
  const Timings all = measure(sweep({"scan_large"}, {1 << 20, 1 << 28, 1 << 29}));
  ASSERT_TRUE(row(all, "scan_large", 1 << 20));
  EXPECT_GT(row(all, "scan_large", 1 << 20)->seconds.count, 0);
  const Timing* beyond = row(all, "scan_large", 1 << 28);
  if (!beyond) beyond = row(all, "scan_large", 1 << 29);
  ASSERT_TRUE(beyond);
  EXPECT_EQ(beyond->missing.id, MessageId::gpu_memory_short) << in_words(beyond->missing);
}

// Makes the GPU unusable: a kernel traps, and every later call in its context fails.
void lose_gpu() {
  static const std::string image = [] {
    Program p;
    p.file = "trap";
    p.text = "extern \"C\" __global__ void trap() { asm(\"trap;\"); }";
    return compile(p, "compute_90").image;
  }();
  const Module module(image);
  check(driver().cuLaunchKernel(module.function("trap"), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
        MessageId::running_kernel);
}

// Measures three sizes. At the second size, the GPU becomes unusable when reduce_vectorized is measured.
Timings with_the_gpu_lost() {
  SweepRequest r = sweep({"reduce_vectorized", "scan_large"}, {1 << 12, 1 << 16, 1 << 20});
  r.seconds = 0.01;
  bool lost = false;
  return measure(r, [&](const SweepProgress& p) {
    if (!lost && in_words(p.what).find("65,536") != std::string::npos &&
        in_words(p.what).starts_with("reduce_vectorized"))
      lost = true, lose_gpu();
  });
}

// Runs in its own process, because the GPU becomes unusable for the process.
TEST(GpuTimingDeathTest, ALostGpuIsASentenceAndWhatCanRunGoesOn) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto meet = [] {
    const Timings all = with_the_gpu_lost();
    for (const Timing& t : all.rows)
      std::cerr << t.name << ", n = " << t.settings.n << ": "
                << (!t.missing ? fmt::format("{:.1f} us", 1e6 * t.seconds.median) : in_words(t.missing))
                << "\n";
    const Timing* kept = row(all, "reduce_vectorized", 1 << 12);
    const Timing* culprit = row(all, "reduce_vectorized", 1 << 16);
    const Timing* beside = row(all, "scan_large", 1 << 16);
    const Timing* cpu = row(all, "std::accumulate", 1 << 20);
    std::_Exit(kept && kept->seconds.count > 0 && culprit && culprit->missing.id == MessageId::gpu_lost &&
                       beside && beside->missing && !row(all, "scan_large", 1 << 20) && cpu &&
                       cpu->seconds.count > 0
                   ? 0
                   : 1);
  };
  EXPECT_EXIT(meet(), testing::ExitedWithCode(0), "Not measured: the GPU was lost");
}

// Runs in its own process, because the kernel keeps the GPU busy until the process ends.
TEST(GpuTimingDeathTest, AKernelThatNeverEndsIsASentence) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto meet = [] {
    GpuBench bench;
    Settings s;
    s.algorithm = "bug_missing_shift_assign";
    s.n = 64;
    try {
      bench.mistake(s);
    } catch (const EndlessKernel& e) {
      std::cerr << in_words(e) << "\n";
      std::_Exit(bench.stuck() ? 0 : 1);
    }
    std::_Exit(2);
  };
  EXPECT_EXIT(meet(), testing::ExitedWithCode(0), "did not end within");
}

}  // namespace
}  // namespace upsweep
