// Tests the OpenGL scan on the command line, on Mesa's software driver or on a GPU.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "support/command_line.hpp"
#include "support/long_tests.hpp"

namespace upsweep {
namespace opengl_cli_test {

class OpenGlCommandLine : public CommandLine {
 protected:
  void SetUp() override {
    const Ran ran = run("upsweep trace scan_opengl_hybrid --n 1 --json");
    if (ran.err.find("No OpenGL 3.3") != std::string::npos) GTEST_SKIP() << ran.err;
  }
};

TEST_F(OpenGlCommandLine, TracesRunningSums) {
  std::mt19937 random(3);
  for (const int n : {1, 2, 65, 1000, 4097})
    for (const char* steps : {"0", "4", "20"}) {
      std::string numbers;
      std::vector<std::int64_t> sums;
      for (int i = 0; i < n; ++i) {
        const int x = static_cast<int>(random() % 2001) - 1000;
        numbers += std::to_string(x) + " ";
        sums.push_back((i > 0 ? sums.back() : 0) + x);
      }
      write("numbers.txt", numbers);
      const json trace = run_json(
          std::string("upsweep trace scan_opengl_hybrid --type int32 --input numbers.txt --json --variant "
                      "reduce_steps=") +
          steps);
      EXPECT_EQ(trace["machine"], "opengl");
      EXPECT_EQ(trace["output"].get<std::vector<std::int64_t>>(), sums) << n << " " << steps;
    }
}

TEST_F(OpenGlCommandLine, RecordingsAreKeptAndDrawn) {
  EXPECT_EQ(run("upsweep trace scan_opengl_hybrid --n 100 -o a.upsweep").exit_code, 0);
  const json kept = run_json("upsweep trace a.upsweep --json");
  EXPECT_EQ(kept["machine"], "opengl");
  const Ran drawn = run("upsweep render a.upsweep --view tree -o a.svg");
  EXPECT_EQ(drawn.exit_code, 0) << drawn.err;
  EXPECT_NE(content(folder_ / "a.svg").find("down-sweep"), std::string::npos);
  EXPECT_EQ(run("upsweep hazards scan_opengl_hybrid --n 100").exit_code, 0);
  const Ran counted = run("upsweep counters scan_opengl_hybrid --n 100");
  EXPECT_NE(counted.out.find("OpenGL has no hardware counters"), std::string::npos) << counted.out;
}

TEST_F(OpenGlCommandLine, IsVerifiedAndMeasured) {
  const Ran verified = run("upsweep verify --algorithm scan_opengl_hybrid --quick");
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  EXPECT_NE(verified.out.find("On OpenGL on "), std::string::npos) << verified.out;
  EXPECT_NE(verified.out.find(", 0 failed"), std::string::npos) << verified.out;
  // By default, the runs are warm, because on the CPU a cold run needs long to flush the cache.
  const json all = run_json(
      std::string("CUDA_VISIBLE_DEVICES= upsweep bench --algorithm scan_opengl_hybrid --n 2^16 --json ") +
      (tries_everything() ? "--seconds 0.1" : "--seconds 0.01 --warm"));
  const auto row =
      std::ranges::find(all["rows"], "scan_opengl_hybrid", [](const json& r) { return r["name"]; });
  ASSERT_NE(row, all["rows"].end());
  EXPECT_EQ((*row)["contender"], "kernel");
  EXPECT_GE((*row)["seconds"]["count"], 5) << *row;
  EXPECT_GT((*row)["seconds"]["median"], 0);
}

TEST_F(CommandLine, MachinesRefuseTheOtherLanguage) {
  for (const char* machine : {"emulated", "gpu"})
    expect_refusal(std::string("upsweep trace scan_opengl_hybrid --machine ") + machine,
                   "fragment shaders: give --machine opengl");
  expect_refusal("upsweep trace scan_blelloch --machine opengl", "give --machine gpu or emulated");
  expect_refusal("upsweep verify --algorithm scan_blelloch --machine opengl", "CUDA C++");
  expect_refusal("upsweep bench --algorithm scan_blelloch --machine opengl", "CUDA C++");
  expect_refusal("upsweep trace scan_opengl_hybrid --schedule 3", "leave --schedule out");
  expect_refusal("upsweep trace scan_opengl_hybrid --type float64",
                 "choose one of these: int32, uint32, float32");
  expect_refusal("upsweep trace scan_opengl_hybrid --op affine",
                 "choose one of these: sum, product, min, max");
}

TEST_F(CommandLine, WithoutOpenGlASentenceSaysSo) {
  expect_refusal("__EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent upsweep trace scan_opengl_hybrid",
                 "No OpenGL 3.3 context");
}

}  // namespace opengl_cli_test
}  // namespace upsweep
