// Tests that commands refuse bad arguments and files at once, in one sentence, and destroy no existing file.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/command_line.hpp"

namespace upsweep {
namespace hostile_input_test {

TEST_F(CommandLine, SaysAtOnceThatAFileCannotBeWritten) {
  // Without an early check, each of these commands would work for minutes before it fails.
  expect_refusal("upsweep bench --from 2^10 --to 2^26 -o no/such/x.json", "no/such/x.json", 1);
  expect_refusal("upsweep trace scan_decoupled_lookback --n 2^18 -o no/such/x.upsweep", "No such file", 1);
  expect_refusal("upsweep render scan_decoupled_lookback --n 2^18 --view tree -o no/x.svg", "No such file",
                 1);
  expect_refusal("upsweep figure oneflow-ladder -o no/x.svg", "No such file", 1);
  expect_refusal("upsweep trace scan_blelloch -o .", "Is a directory", 1);
  write("kept.svg", "old");
  expect_refusal("chmod 444 kept.svg; upsweep render scan_blelloch --view tree -o kept.svg",
                 "Permission denied", 1);
  EXPECT_EQ(content(folder_ / "kept.svg"), "old");
  EXPECT_EQ(run("upsweep render scan_blelloch --view tree -o .svg && mkdir x && upsweep render scan_blelloch "
                "--view tree "
                "-o x/.svg")
                .exit_code,
            0)
      << "an unusual name is allowed";
}

TEST_F(CommandLine, TakesSizesAsPeopleWriteThem) {
  for (const char* size : {"1024", "2^10", "1Ki", "1,024"}) {
    const std::string n = std::string(" --n '") + size + "'";
    EXPECT_EQ(run_json("upsweep trace scan_blelloch" + n + " --json")["n"], 1024) << size;
    EXPECT_EQ(run("upsweep explain scan_blelloch --step 3" + n).exit_code, 0) << size;
    EXPECT_EQ(run("upsweep verify --algorithm reduce_sequential --block 512 --type int32 --op sum --machine "
                  "emulated" +
                  n)
                  .exit_code,
              0)
        << size;
  }
  EXPECT_EQ(run_json("upsweep trace reduce_two_pass --n 1e3 --json")["n"], 1000);
  expect_refusal("upsweep trace scan_blelloch --n 1e99", "2,147,483,647");
  expect_refusal("upsweep trace scan_blelloch --n 1.5", "such as 1,000, 2^20 or 1e6");
  expect_refusal("upsweep trace scan_blelloch --focus 0:", "--focus \"0:\": give one block");
  expect_refusal("upsweep trace scan_blelloch --focus :", "--focus \":\": give one block");
}

TEST_F(CommandLine, ReadsOnlyFilesOfABoundedSize) {
  // A program cannot know in advance how many bytes come through a pipe. Therefore each command must stop
  // reading at its limit.
  expect_refusal("upsweep trace scan_blelloch --input <(yes 1)", "has more than 512 MB");
  expect_refusal("upsweep banks <(yes 1)", "has more than 64 MB");
  expect_refusal("upsweep bench --timings <(yes 1)", "has more than 64 MB");
  for (const char* command : {"trace scan_blelloch --input", "banks", "bench --timings"})
    expect_refusal(fmt::format("upsweep {} /dev/zero", command), "/dev/zero is not a text file");
  expect_refusal("upsweep trace scan_blelloch --input /proc/self/mem", "/proc/self/mem cannot be read");
  expect_refusal("upsweep banks /proc/self/mem", "/proc/self/mem cannot be read");
}

TEST_F(CommandLine, ShowsWhatCannotBePrinted) {
  write("zero.txt", std::string("1 2\0003 4", 7));
  expect_refusal("upsweep trace reduce_serial --input zero.txt",
                 "zero.txt is not a text file, because the file contains a byte with the value 0");
  write("escape.txt", "1 \x1b[31m");
  expect_refusal("upsweep trace reduce_serial --input escape.txt",
                 "escape.txt is not a text file, because the file contains a byte with the value 27");
  write("delete.txt", "1 \x7f[31m");
  expect_refusal("upsweep trace reduce_serial --input delete.txt", "\"\\x7f[31m\"");
  write("mark.txt",
        "\xEF\xBB\xBF"
        "1 2 3");
  EXPECT_EQ(run_json("upsweep trace reduce_serial --input mark.txt --json")["output"], json({6}));
  write("long.txt", "1 2 " + std::string(100000, '9'));
  expect_refusal("upsweep trace reduce_serial --input long.txt", "999… is outside the range of float32");
  const Ran ran = run("upsweep trace $(head -c 100000 /dev/zero | tr '\\0' x)");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_LT(ran.err.size(), 1000u);
  expect_refusal("upsweep trace $'scan\\033[2J'", "\"scan\\x1b[2J\"");
}

TEST_F(CommandLine, KeepsTheWordsOfLibrariesToItself) {
  const std::string start = "{\"format\":\"upsweep timings\",\"version\":1,\"rows\":[";
  for (const char* number : {"1e999", "-1e999", "1e400000"}) {
    write("j.json", start + number + "]}");
    expect_refusal("upsweep bench --timings j.json", "has a number that is too large");
  }
  for (const char* text : {"[", "{", "\"", "[[[[[[[[[", "{\"format\":1e999}", "nul", "\xff\xfe"}) {
    write("j.json", text);
    EXPECT_EQ(run("upsweep bench --timings j.json").err.find("json.exception"), std::string::npos) << text;
    expect_refusal("upsweep bench --timings j.json", "j.json");
  }
  const std::string render = "upsweep render scan_blelloch --view tree -o ";
  for (const char* broken : {"FONTCONFIG_FILE=/dev/null ", "XDG_CACHE_HOME=/dev/full "})
    for (const char* picture : {"a.pdf", "a.svg", "a.png"}) {
      const Ran ran = run("export " + std::string(broken) + "; " + render + picture);
      EXPECT_EQ(ran.err.find("Fontconfig"), std::string::npos) << ran.err;
      EXPECT_EQ(ran.err.find("shader cache"), std::string::npos) << ran.err;
    }
}

TEST_F(CommandLine, RefusesWithAdviceThatHelps) {
  expect_refusal("upsweep trace radix_sort --json=banana", "--json takes no value.");
  expect_refusal("upsweep trace radix_sort --json=no", "--json takes no value.");
  for (const char* line : {"trace linear_recurrence --grid 0", "trace linear_recurrence --grid -1",
                           "compare linear_recurrence --with grid=0", "trace scan_reduce_then_scan --grid 0"})
    expect_refusal(std::string("upsweep ") + line, "give 1 to 65,536 blocks");
  expect_refusal("upsweep trace scan_opengl_hybrid --schedule 3", "leave --schedule out");
  expect_refusal("upsweep trace scan_opengl_hybrid --schedule 3 --machine opengl", "leave --schedule out");
  expect_refusal("upsweep trace allocation --inclusive", "computes only an allocation");
  expect_refusal("upsweep trace scan_blelloch --n 3000000000", "at most 2,147,483,647");
  expect_refusal("upsweep trace radix_sort_one_sweep --variant rows=5",
                 "has no option \"5\"; the options are");
}

TEST_F(CommandLine, WritesTheSameBytesTwice) {
  for (const char* picture : {"pdf", "svg"}) {
    const std::string render = "upsweep render scan_blelloch --n 256 --view tree -o ";
    EXPECT_EQ(run(render + "a." + picture + "; sleep 1.1; " + render + "b." + picture).exit_code, 0);
    EXPECT_EQ(content(folder_ / ("a." + std::string(picture))),
              content(folder_ / ("b." + std::string(picture))));
    EXPECT_GT(content(folder_ / ("a." + std::string(picture))).size(), 1000u);
  }
}

}  // namespace hostile_input_test
}  // namespace upsweep
