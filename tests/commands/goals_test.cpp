// Tests the script that compares measured times with the goals. Here the script runs a made-up program that
// measures nothing.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/messages.hpp"
#include "support/command_line.hpp"
#include "timing/timings.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace goals_test {

class Goals : public CommandLine {
 protected:
  Timing row(Contender contender, const char* name, const char* variant, int n, double bytes,
             double seconds) {
    Timing t;
    t.contender = contender;
    t.name = name;
    t.variant = variant;
    t.settings.n = n;
    t.bytes = bytes;
    t.seconds = spread_of(std::vector{seconds});
    return t;
  }

  // Writes one file of made-up times for each line of the table of goals. When the script starts the made-up
  // program, this program copies one of these files. In each file, the kernel takes as long as cudaMemcpy,
  // and the library's function (the peer) takes `faster` times as long.
  void write_recordings(double faster) {
    const auto file = [&](const char* name, std::vector<int> sizes, const char* peer, const char* variant) {
      Timings all;
      all.device = "NVIDIA H200";
      for (const int n : sizes) {
        all.rows.push_back(row(Contender::copy, "cudaMemcpy", "", n, 8. * n, 1e-3));
        all.rows.push_back(row(Contender::kernel, name, "", n, 8. * n, 1e-3));
        all.rows.push_back(row(Contender::library, peer, variant, n, 8. * n, 1e-3 * faster));
      }
      if (std::string(name) == "radix_sort") all.rows[1].bytes_of_all_passes = 4 * all.rows[1].bytes;
      write(fmt::format("{}{}.json", name, variant), to_json(all, in_words));
    };
    const std::vector<int> small = {1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 28};
    file("stream_compaction", {1 << 28}, "cub::DeviceSelect", "");
    file("radix_sort", {1 << 28, 1 << 20}, "cub::DeviceRadixSort", "");
    file("radix_sort", {1 << 28}, "cub::DeviceRadixSort", "pairs");
    file("linear_recurrence", {1 << 26}, "cub::DeviceScan", "maps");
    file("summed_area_table", {1 << 28, 3840 * 2160}, "nppiIntegral_8u32s", "uint8");
    file("scan_lookback_vectorized", small, "cub::DeviceScan", "");
    file("reduce_vectorized", {1 << 22}, "cub::DeviceReduce", "");
    write("program",
          "#!/bin/bash\n"
          "echo \"$*\" >>asked\n"
          "case \"$*\" in *pairs*) v=pairs;; *recurrence*) v=maps;; *area*) v=uint8;; *) v=;; "
          "esac\n"
          "[[ \"$*\" =~ --algorithm\\ ([a-z_]+) ]]\n"
          "cp \"${BASH_REMATCH[1]}$v.json\" \"${!#}\"\n");
  }
  Ran compare(const std::string& caches = "warm", const std::string& names = "") {
    return run("chmod +x program; '" UPSWEEP_SOURCE_DIR "/scripts/goals.sh' made ./program '" + caches +
               "' '" + names + "'");
  }
};

TEST_F(Goals, AreMet) {
  write_recordings(6);
  const Ran ran = compare("warm cold");
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("Goals missed: 0. Lines with something that was not measured: 0."),
            std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("6.000 ok 1.25"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("1.000 ok 0.85"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("all passes move 32.0 bytes an element, at 4.000 of the copy's bandwidth"),
            std::string::npos)
      << ran.out;
  EXPECT_EQ(content(folder_ / "made/goals.txt"), ran.out);
  const std::string asked = content(folder_ / "asked");
  for (const char* part : {"--cold", "--warm", "method=one_sweep", "keys=pairs", "--shape 16384x16384",
                           "--shape 3840x2160", "--n 2^26"})
    EXPECT_NE(asked.find(part), std::string::npos) << part;
}

TEST_F(Goals, AreMissed) {
  write_recordings(1.1);
  const Ran ran = compare();
  EXPECT_EQ(ran.exit_code, 2) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("1.100 MISSED 1.25"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("1.100 ok 0.95"), std::string::npos) << ran.out;
}

TEST_F(Goals, AreComparedForSomeKernels) {
  write_recordings(6);
  const Ran ran = compare("cold", "keys reduce");
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  const std::string asked = content(folder_ / "asked");
  EXPECT_EQ(std::count(asked.begin(), asked.end(), '\n'), 6) << asked;
  EXPECT_NE(ran.out.find("radix_sort, 2^28 keys"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("radix_sort, 2^28 pairs"), std::string::npos) << ran.out;
  EXPECT_EQ(compare("cold", "keys everything").exit_code, 1);
}

TEST_F(Goals, AWrongResultAndAMissingRowAreImpossibleToMiss) {
  write_recordings(6);
  nlohmann::json wrong = nlohmann::json::parse(content(folder_ / "linear_recurrencemaps.json"));
  wrong["rows"][1]["seconds"] = nullptr;
  wrong["rows"][1]["missing"] = "Wrong result: out[0] is 301, expected 0.";
  write("linear_recurrencemaps.json", wrong.dump());
  nlohmann::json lacking = nlohmann::json::parse(content(folder_ / "stream_compaction.json"));
  lacking["rows"].erase(2);
  write("stream_compaction.json", lacking.dump());
  const Ran ran = compare();
  EXPECT_EQ(ran.exit_code, 1) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("NOT MEASURED: linear_recurrence: Wrong result: out[0] is 301, expected 0."),
            std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("NOT MEASURED: a row is missing"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("not measured: 2."), std::string::npos) << ran.out;
  write("program", "#!/bin/bash\necho 'No GPU can be used.' >&2\nexit 1\n");
  const Ran none = compare();
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_NE(none.err.find("No GPU can be used."), std::string::npos) << none.err;
}

}  // namespace goals_test
}  // namespace upsweep
