// Tests `upsweep bench` on the command line. These tests need no GPU.
#include <fmt/format.h>

#include <map>
#include <set>

#include "support/command_line.hpp"
#include "timing/timings.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace bench_cli_test {

using BenchCommandLine = CommandLine;

TEST_F(BenchCommandLine, MeasuresTheCpuWhereThereIsNoGpu) {
  const json all =
      run_json("CUDA_VISIBLE_DEVICES= upsweep bench --algorithm scan_large --n 2^12 --seconds 0.01 --json");
  EXPECT_EQ(all["format"], "upsweep timings");
  EXPECT_EQ(all["version"], Timings::version);
  int measured = 0;
  for (const json& row : all["rows"]) {
    EXPECT_EQ(row["settings"]["n"], 4096);
    EXPECT_EQ(row["bytes"], 2 * 4096 * 4);
    if (row["contender"] == "processor" && row["missing"].is_string()) {
      EXPECT_EQ(row["variant"], "par_unseq");
      EXPECT_TRUE(row["missing"].get<std::string>().starts_with("Not built")) << row["missing"];
    } else if (row["contender"] == "processor") {
      ++measured;
      EXPECT_EQ(row["name"], "std::inclusive_scan");
      EXPECT_GE(row["seconds"]["count"], 5);
      EXPECT_GT(row["bytes_per_second"], 0);
      EXPECT_EQ(row["missing"], nullptr);
    } else {
      EXPECT_EQ(row["seconds"], nullptr);
      EXPECT_TRUE(row["missing"].get<std::string>().starts_with("No GPU can be used")) << row["missing"];
    }
  }
  EXPECT_TRUE(measured == 2 || measured == 3) << "the third needs TBB";
  EXPECT_EQ(all["rows"].size(), 6u) << "copy, kernel, CUB, CPU three times";
}

TEST_F(BenchCommandLine, PrintsATable) {
  const Ran ran = run("CUDA_VISIBLE_DEVICES= upsweep bench --from 2^10 --to 2^11 --seconds 0.01 --warm");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  for (const char* word : {"GB/s", "median", "quartiles", "us", "2^10", "2^11", "std::accumulate", "threads",
                           "warm", "Not measured: cudaMemcpy", "No GPU can be used", "CPU: "})
    EXPECT_NE(ran.out.find(word), std::string::npos) << word << "\n" << ran.out;
  EXPECT_EQ(ran.out.find("Use the emulator"), std::string::npos) << "the emulator has no times";
}

TEST_F(BenchCommandLine, ARecordingIsShownAsItWasMeasured) {
  Timings t;
  t.device = "NVIDIA H200";
  t.driver = "580.159.04";
  t.processor = "a CPU";
  t.date = "2026-11-21T12:00:00Z";
  t.program = "0.1.0";
  t.launch_overhead = spread_of(std::vector{2.5e-6});
  Timing copy;
  copy.contender = Contender::copy;
  copy.name = "cudaMemcpy";
  copy.settings.n = 1 << 28;
  copy.bytes = 8. * (1 << 28);
  copy.seconds = spread_of(std::vector{507e-6, 508e-6, 509e-6});
  Timing kernel = copy;
  kernel.contender = Contender::kernel;
  kernel.name = kernel.settings.algorithm = "scan_decoupled_lookback";
  kernel.seconds = spread_of(std::vector{635e-6});
  Timing cub = kernel;
  cub.contender = Contender::library;
  cub.name = "cub::DeviceScan";
  cub.seconds = {};
  cub.missing = plain("Not built.");
  t.rows = {copy, kernel, cub};
  write("h200.json", to_json(t, in_words));
  const Ran ran = run("upsweep bench --timings h200.json");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.out,
            "NVIDIA H200, driver 580.159.04\n"
            "CPU: a CPU\n"
            "Recorded in h200.json: 2026-11-21T12:00:00Z, Upsweep 0.1.0\n"
            "Launch overhead: 2.50 us, from the launch of an empty kernel to its end (1 launches)\n"
            "\n"
            "                                               median      quartiles               of the  G "
            "elements      excess\n"
            "   n                           variant  cache      us             us  runs  GB/s     copy       "
            "per s  wavefronts\n"
            "2^28  cudaMemcpy                        cold    508.0  507.5 - 508.5     3  4227  100.0 %       "
            "  528\n"
            "2^28  scan_decoupled_lookback           cold    635.0  635.0 - 635.0     1  3382   80.0 %       "
            "  423           0\n"
            "\n"
            "Not measured: cub::DeviceScan.\n"
            "  Not built.\n");
  t.rows[1].excess_wavefronts = 0;  // the file lacks this number, so Upsweep predicts it
  EXPECT_EQ(run_json("upsweep bench --timings h200.json --json"), json::parse(to_json(t, in_words)));
}

TEST_F(BenchCommandLine, WritesARecordingThatItReads) {
  const Ran ran = run("upsweep bench --n 1000 --seconds 0.01 --algorithm reduce_serial -o mine.json");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const Ran shown = run("upsweep bench --timings mine.json");
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_NE(shown.out.find("Recorded in mine.json"), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find("1,000"), std::string::npos) << shown.out;
}

// In this test, the script record_timings.sh runs a made-up program that measures nothing. At each start,
// this program copies the next file of part-1.json, part-2.json and so on.
TEST_F(BenchCommandLine, ARecordingToShipIsMadeByOneCommand) {
  const auto row = [](Contender contender, const char* name, Scalar type, int n, double seconds) {
    Timing t;
    t.contender = contender;
    t.name = name;
    t.settings.n = n;
    t.settings.type = type;
    t.bytes = 8. * n;
    if (contender == Contender::kernel) t.settings.algorithm = name;
    if (seconds > 0) t.seconds = spread_of(std::vector{seconds});
    else t.missing = plain("Left out.");
    return t;
  };
  const auto kernel = [&](Scalar type, int n, double seconds) {
    return row(Contender::kernel, "scan_blelloch", type, n, seconds);
  };
  using enum Scalar;
  Timings parts[9];
  for (Timings& t : parts) t.device = "NVIDIA H200";
  parts[0].rows = {kernel(float32, 64, 1e-6), kernel(float32, 128, 0), kernel(float32, 256, 0)};
  parts[1].rows = {kernel(int64, 64, 2e-6)};
  parts[2].rows = {kernel(float16, 64, 3e-6),
                   row(Contender::processor, "std::accumulate", float16, 64, 4e-6)};
  parts[3].rows = {kernel(float32, 64, 5e-6), kernel(float32, 128, 6e-6)};
  parts[7].rows = {kernel(int32, 64, 8e-6)};
  parts[8].rows = {kernel(float32, 256, 0), row(Contender::library, "cub::DeviceScan", float32, 64, 7e-6)};
  for (int i = 0; i < 9; ++i) write(fmt::format("part-{}.json", i + 1), to_json(parts[i], in_words));
  write("program",
        "#!/bin/bash\n"
        "[[ $* == *--timings* ]] && exec '" UPSWEEP_BINARY
        "' \"$@\"\n"
        "echo \"$*\" >>asked\n"
        "cp \"part-$(wc -l <asked).json\" \"${!#}\"\n");
  const Ran ran =
      run("chmod +x program; '" UPSWEEP_SOURCE_DIR "/scripts/record_timings.sh' made.json ./program");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.out, "");
  Timings due = parts[0];
  due.rows = {parts[0].rows[0], parts[3].rows[1], parts[0].rows[2], parts[1].rows[0],
              parts[2].rows[0], parts[2].rows[1], parts[7].rows[0], parts[8].rows[1]};
  Timings made = timings_from_json(content(folder_ / "made.json"), "made.json");
  ASSERT_EQ(made.rows.size(), due.rows.size());
  for (std::size_t i = 0; i < due.rows.size(); ++i) {
    const bool predicted = due.rows[i].contender == Contender::kernel && !due.rows[i].missing;
    EXPECT_EQ(made.rows[i].excess_wavefronts >= 0, predicted) << i;
    made.rows[i].excess_wavefronts = due.rows[i].excess_wavefronts;
    EXPECT_EQ(made.rows[i], due.rows[i]) << i;
  }
  EXPECT_EQ(run("wc -l <made.json").out, "1\n");
  const std::string asked = content(folder_ / "asked");
  for (const char* part :
       {"--to 2^30", "int64", "float16", "--all", "uint32", "keys=pairs", "channels=3", "figure all"})
    EXPECT_NE(asked.find(part), std::string::npos) << asked;
}

TEST_F(BenchCommandLine, WhatWasMeasuredIsDrawn) {
  ASSERT_EQ(
      run("CUDA_VISIBLE_DEVICES= upsweep bench --from 2^10 --to 2^11 --seconds 0.01 -o mine.json").exit_code,
      0);
  std::set<std::string> pictures;
  for (const char* chart : {"sweep", "full-size", "roofline"})
    for (const char* theme : {"light", "dark"}) {
      const Ran ran =
          run(fmt::format("upsweep render --timings mine.json --view {} --theme {} -o x.svg", chart, theme));
      EXPECT_EQ(ran.exit_code, 0) << ran.err;
      pictures.insert(content(folder_ / "x.svg"));
      EXPECT_NE(content(folder_ / "x.svg").find("std::inclusive_scan"), std::string::npos) << chart;
    }
  EXPECT_EQ(pictures.size(), 6u);
  EXPECT_EQ(run("upsweep render --timings mine.json --view sweep -o x.pdf").exit_code, 0);
  EXPECT_EQ(content(folder_ / "x.pdf").substr(0, 5), "%PDF-");
  expect_refusal("upsweep render --timings mine.json --view tree -o x.svg", "sweep, full-size, roofline");
  expect_refusal("upsweep render --timings mine.json -o x.svg", "--view sweep");
  expect_refusal("upsweep render scan_large --timings mine.json --view sweep -o x.svg",
                 "Leave out the algorithm");
  expect_refusal("upsweep render --timings yours.json --view sweep -o x.svg", "yours.json");
  expect_refusal("upsweep yours.json", "yours.json cannot be read");
}

TEST_F(BenchCommandLine, MistakesAreSentences) {
  expect_refusal("upsweep bench --algorithm scan_blelloc", "scan_blelloch");
  expect_refusal("upsweep bench --algorithm bug_pointer_sum", "broken on purpose");
  expect_refusal("upsweep bench --all --algorithm scan_large", "--all");
  expect_refusal("upsweep bench --cold --warm", "--cold and --warm");
  expect_refusal("upsweep bench --n 2^31", "2^31");
  expect_refusal("upsweep bench --n 0", "not \"0\"");
  expect_refusal("upsweep bench --n many", "many");
  expect_refusal("upsweep bench --n 2^10 --to 2^12", "--from and --to");
  expect_refusal("upsweep bench --from 2^12 --to 2^10", "no power of two");
  expect_refusal("upsweep bench --seconds fast", "--seconds");
  expect_refusal("upsweep bench --seconds 0", "--seconds");
  expect_refusal("upsweep bench --longest-run 3", "--longest-run");
  expect_refusal("upsweep bench --seed 3", "--seed");
  expect_refusal("upsweep bench --machine emulated", "emulator");
  expect_refusal("upsweep bench --machine cpu", "--machine");
  expect_refusal("CUDA_VISIBLE_DEVICES= upsweep bench --machine gpu", "No GPU can be used");
  expect_refusal("upsweep bench --algorithm scan_blelloch --n 5000", "at most 2,048");
  expect_refusal("upsweep bench --algorithm reduce_sequential --op affine", "commutative");
  expect_refusal("upsweep bench --algorithm scan_large --variant block_scan=best", "best");
  expect_refusal("upsweep bench --timings nowhere.json", "nowhere.json");
  expect_refusal("upsweep bench --timings x.json --all", "--timings");
  for (const char* option : {"--predicate 'x > 3'", "--capacity 7", "--identity 0", "--layout pad32"})
    expect_refusal(fmt::format("upsweep bench --timings x.json {}", option), "an earlier measurement");
  expect_refusal("upsweep bench scan_large", "scan_large");
}

// The runs are warm, because each cold run of the OpenGL scan on the CPU needs long to flush the cache.
TEST_F(BenchCommandLine, SettingsChooseAmongThoseThatAreNotNamed) {
  const auto measured = [&](const std::string& options) {
    return run_json("CUDA_VISIBLE_DEVICES= upsweep bench --n 2^10 --seconds 0.001 --warm --json " + options);
  };
  const auto names_of = [](const json& rows) {
    std::set<std::string> kernels;
    for (const json& row : rows["rows"])
      if (row["contender"] == "kernel") kernels.insert(row["name"]);
    return kernels;
  };
  const auto names = [&](const std::string& options) { return names_of(measured(options)); };
  EXPECT_EQ(names(""), (std::set<std::string>{"reduce_vectorized", "scan_lookback_vectorized"}));
  EXPECT_EQ(names("--variant in_flight=2"), std::set<std::string>{"reduce_vectorized"});
  const json every = measured("--all");
  const std::set<std::string> all = names_of(every), affine = names("--all --op affine");
  EXPECT_TRUE(all.contains("reduce_sequential") && all.contains("scan_large"));
  EXPECT_TRUE(!affine.contains("reduce_sequential") && affine.contains("scan_large"));
  expect_refusal("upsweep bench --all --layout pad33", "No algorithm can run with these settings");
  std::set<std::string> variants;
  for (const json& row : every["rows"])
    variants.insert(fmt::format("{} {}", std::string(row["name"]), std::string(row["variant"])));
  for (const char* variant : {"scan_large pad32", "scan_large brent_kung", "reduce_two_pass_tree strided"})
    EXPECT_TRUE(variants.contains(variant)) << variant;
}

TEST_F(BenchCommandLine, AllHasCubsSelectionAndSortingOnce) {
  const std::string bench = "CUDA_VISIBLE_DEVICES= upsweep bench --n 2^10 --seconds 0.001 --warm --json ";
  const auto alone = [&](const json& all) {
    std::map<std::string, double> bytes;
    for (const json& row : all["rows"])
      if (row["name"] == "cub::DeviceSelect" || row["name"] == "cub::DeviceRadixSort") {
        EXPECT_TRUE(bytes.emplace(row["name"], row["bytes"]).second) << row["name"];
        EXPECT_EQ(row["contender"], "library");
        EXPECT_TRUE(row["missing"].is_string());
      }
    return bytes;
  };
  const json all = run_json(bench + "--all --type int64 -o all.json");
  EXPECT_EQ(alone(all), (std::map<std::string, double>{{"cub::DeviceRadixSort", 2 * 1024 * 8},
                                                       {"cub::DeviceSelect", (1024 + 512) * 8}}));
  EXPECT_TRUE(alone(run_json(bench)).empty());
  EXPECT_TRUE(alone(run_json(bench + "--all --op max")).empty());
  EXPECT_EQ(run_json("upsweep bench --timings all.json --json"), all);
}

TEST_F(BenchCommandLine, AShapeIsOneSize) {
  const std::string bench = "CUDA_VISIBLE_DEVICES= upsweep bench --seconds 0.001 --json ";
  const json all = run_json(
      bench + "--algorithm summed_area_table --variant method=single_pass --type int32 --shape 384x216");
  std::map<std::string, int> rows;
  for (const json& row : all["rows"]) {
    EXPECT_EQ(row["settings"]["n"], 384 * 216);
    if (row["contender"] != "copy") { EXPECT_EQ(row["settings"]["columns"], 384) << row["name"]; }
    ++rows[row["name"]];
  }
  EXPECT_EQ(rows, (std::map<std::string, int>{
                      {"cudaMemcpy", 2}, {"summed_area_table_single_pass", 1}, {"nppiIntegral_8u32s", 1}}));
  const json scans = run_json(bench + "--shape 64x32");
  for (const json& row : scans["rows"]) {
    EXPECT_EQ(row["settings"]["n"], 2048);
    EXPECT_FALSE(row["settings"].contains("columns")) << "scans take one row";
  }
  expect_refusal("upsweep bench --shape 384x216 --n 100", "--shape sets the number of elements");
  expect_refusal("upsweep bench --shape 384x216 --to 2^12", "--shape sets the number of elements");
  expect_refusal("upsweep bench --shape 384", "--shape takes the width and the height");
  expect_refusal("upsweep bench --timings x.json --shape 64x32", "--timings");
}

TEST_F(BenchCommandLine, RungsAreMeasuredBesideTheirPeer) {
  const auto names = [&](const std::string& options) {
    std::set<std::string> all;
    const json made =
        run_json("CUDA_VISIBLE_DEVICES= upsweep bench --n 2^10 --seconds 0.001 --json " + options);
    for (const json& row : made["rows"])
      all.insert(fmt::format("{}, {}", std::string(row["name"]), std::string(row["variant"])));
    return all;
  };
  using Names = std::set<std::string>;
  EXPECT_EQ(names("--algorithm radix_sort --variant method=one_sweep --variant keys=pairs"),
            (Names{"cudaMemcpy, 16 bytes an element", "radix_sort_one_sweep, pairs",
                   "cub::DeviceRadixSort, pairs"}));
  EXPECT_EQ(names("--algorithm radix_sort --algorithm radix_sort_one_sweep"),
            (Names{"cudaMemcpy, ", "radix_sort, ", "radix_sort_one_sweep, ", "cub::DeviceRadixSort, "}));
  EXPECT_EQ(names("--algorithm linear_recurrence --variant method=look_back"),
            (Names{"cudaMemcpy, ", "cudaMemcpy, 12 bytes an element", "linear_recurrence_look_back, ",
                   "cub::DeviceScan, maps"}));
  EXPECT_EQ(names("--algorithm stream_compaction --predicate 'x > 3'"),
            (Names{"cudaMemcpy, 6 bytes an element", "stream_compaction, x > 3", "cub::DeviceSelect, "}));
}

TEST_F(BenchCommandLine, RecordingsThatAreNone) {
  write("truncated.json", to_json({}, in_words).substr(0, 60));
  expect_refusal("upsweep bench --timings truncated.json", "incomplete file of measured times");
  write("other.json", "{}");
  expect_refusal("upsweep bench --timings other.json", "not a file of measured times");
  json newer = json::parse(to_json({}, in_words));
  newer["version"] = Timings::version + 1;
  write("newer.json", newer.dump());
  expect_refusal("upsweep bench --timings newer.json", "newer");
}

TEST_F(BenchCommandLine, WhatCannotBeWrittenIsSaid) {
  const Ran ran = run("upsweep bench --n 100 --seconds 0.01 --algorithm reduce_serial -o nowhere/mine.json");
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.err.find("nowhere/mine.json"), std::string::npos) << ran.err;
}

TEST_F(BenchCommandLine, CtrlCKeepsWhatWasMeasured) {
  const Ran ran = run("'" UPSWEEP_BINARY
                      "' bench --algorithm scan_large --to 2^26 --seconds 2 --json > kept.json &\n"
                      "sleep 1.5; kill -INT $!; wait $!");
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  EXPECT_NE(ran.err.find("Interrupted"), std::string::npos) << ran.err;
  const Timings kept = timings_from_json(content(folder_ / "kept.json"), "kept.json");
  EXPECT_FALSE(kept.rows.empty());
}

}  // namespace bench_cli_test
}  // namespace upsweep
