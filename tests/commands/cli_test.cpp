// Runs the real program on the command line. Tests the JSON, the sentences, and the refusals of invalid
// requests.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "analysis/bank_csv.hpp"
#include "catalogue/data.hpp"
#include "catalogue/ladder.hpp"
#include "scene/views/views.hpp"
#include "support/command_line.hpp"
#include "support/long_tests.hpp"

namespace upsweep {
namespace cli_test {

json shared(int requests, int wavefronts, int excess) {
  return {{"requests", requests}, {"wavefronts", wavefronts}, {"excess", excess}};
}

TEST_F(CommandLine, TraceGivesTheCountersFigures) {
  const std::string line =
      "upsweep trace scan_blelloch --n 1024 --type float32 --load-pattern halves --machine emulated ";
  const json plain = run_json(line + "--layout none --json");
  EXPECT_EQ(plain["algorithm"], "scan_blelloch");
  EXPECT_EQ(plain["n"], 1024);
  EXPECT_EQ(plain["block"], 512);
  EXPECT_EQ(plain["type"], "float32");
  EXPECT_EQ(plain["op"], "sum");
  EXPECT_EQ(plain["layout"], "none");
  EXPECT_EQ(plain["load_pattern"], "halves");
  EXPECT_EQ(plain["machine"], "emulated");
  EXPECT_EQ(plain["device"], "emulator");
  EXPECT_EQ(plain["dropped"], 0);
  EXPECT_EQ(plain["totals"]["shared_load"], shared(212, 987, 775));
  EXPECT_EQ(plain["totals"]["shared_store"], shared(141, 606, 465));
  EXPECT_EQ(plain["totals"]["global_load"],
            json({{"requests", 32}, {"sectors", 128}, {"ideal_sectors", 128}}));
  EXPECT_EQ(plain["totals"]["operations"], 2046);
  EXPECT_EQ(plain["work"]["expected_operations"], 2046);
  EXPECT_EQ(plain["mistake"], nullptr);

  const json padded = run_json(line + "--layout pad32 --json");
  EXPECT_EQ(padded["totals"]["shared_load"], shared(212, 212, 0));
  EXPECT_EQ(padded["totals"]["shared_store"], shared(141, 141, 0));
}

TEST_F(CommandLine, TraceGivesARowPerStep) {
  const json steps = run_json("upsweep trace scan_blelloch --n 1024 --json")["steps"];
  std::vector<int> up, down, strides;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const json& step = steps[i];
    EXPECT_EQ(step["index"], i);
    if (step["phase"] == "up_sweep") up.push_back(step["max_degree"]);
    if (step["phase"] == "down_sweep") down.push_back(step["max_degree"]);
    if (step["phase"] == "up_sweep") strides.push_back(step["stride"]);
    if (step["phase"] == "load" || step["phase"] == "store") { EXPECT_EQ(step["stride"], nullptr); }
  }
  EXPECT_EQ(up, (std::vector{2, 4, 8, 16, 32, 16, 8, 4, 2, 1}));
  EXPECT_EQ(down, std::vector(up.rbegin(), up.rend()));
  EXPECT_EQ(strides, (std::vector{1, 2, 4, 8, 16, 32, 64, 128, 256, 512}));
  EXPECT_EQ(steps[5]["active_lanes"], 32);
  EXPECT_EQ(steps[5]["shared_load"], shared(2, 64, 62));
  EXPECT_EQ(steps[6]["diverged_warps"], 1);
}

TEST_F(CommandLine, TraceGivesARowPerLineOfSharedAccesses) {
  const json trace = run_json("upsweep trace scan_blelloch --n 1024 --json");
  const std::string text = algorithm("scan_blelloch").text;
  std::vector<std::string> source(1);
  std::istringstream in(text);
  while (std::getline(in, source.emplace_back())) {}
  int requests = 0, wavefronts = 0, excess = 0;
  for (const json& line : trace["lines"]) {
    EXPECT_EQ(line["file"], "kernels/scan_blelloch.cuh");
    EXPECT_NE(source.at(line["line"].get<std::size_t>()).find("temp["), std::string::npos) << line;
    EXPECT_GT(line["active_lanes"], 0);
    requests += line["requests"].get<int>();
    wavefronts += line["wavefronts"].get<int>();
    excess += line["excess"].get<int>();
  }
  EXPECT_EQ(requests, 212 + 141);
  EXPECT_EQ(wavefronts, 987 + 606);
  EXPECT_EQ(excess, 775 + 465);
}

TEST_F(CommandLine, OutputIsExact) {
  write("ten.txt", "3 5 2 7 28, 4 3 0 8 1\n");
  EXPECT_EQ(run_json("upsweep trace scan_hillis_steele --input ten.txt --type int32 --json")["output"],
            json({3, 8, 10, 17, 45, 49, 52, 52, 60, 61}));
  write("big.txt", "4294967295 1 5");
  EXPECT_EQ(run_json("upsweep trace scan_hillis_steele --input big.txt --type uint32 --json")["output"],
            json({4294967295u, 0, 5}));
  write("small.txt", "0.1 0.2");
  const std::string text =
      run("upsweep trace scan_hillis_steele --input small.txt --type float32 --json").out;
  EXPECT_NE(text.find("0.1,"), std::string::npos) << "0.1f is written as 0.1, not as the double next to it";
  EXPECT_EQ(run_json("upsweep trace scan_hillis_steele --input small.txt --type float64 --json")["output"][1],
            0.1 + 0.2);
  write("maps.txt", "2 3\n-1 4\n1 0");  // the maps 2x + 3, -x + 4 and x
  EXPECT_EQ(
      run_json("upsweep trace scan_hillis_steele --input maps.txt --op affine --type int32 --json")["output"],
      json({{2, 3}, {-2, 1}, {-2, 1}}));
  write("huge.txt", "3e38 3e38");
  EXPECT_EQ(run_json("upsweep trace scan_hillis_steele --input huge.txt --json")["output"][1], "inf");
}

TEST_F(CommandLine, EverySettingReachesTheTrace) {
  const json t = run_json(
      "upsweep trace scan_blelloch --n 77 --block 96 --type int32 --op max --layout 'i + (i >> 2)' "
      "--load-pattern neighbours --seed 9 --json");
  EXPECT_EQ(t["n"], 77);
  EXPECT_EQ(t["block"], 96);
  EXPECT_EQ(t["type"], "int32");
  EXPECT_EQ(t["op"], "max");
  EXPECT_EQ(t["layout"], "i + (i >> 2)");
  EXPECT_EQ(t["load_pattern"], "neighbours");
  EXPECT_EQ(t["output"].size(), 77u);
  EXPECT_EQ(t["mistake"], nullptr);
  EXPECT_EQ(t["output"][0], -2147483648) << "an exclusive scan begins with the identity";
  const std::string line = "upsweep trace reduce_sequential --n 500 --json --seed ";
  EXPECT_NE(run_json(line + "1")["output"], run_json(line + "2")["output"]);
}

TEST_F(CommandLine, TracePrintsTables) {
  const Ran ran = run("upsweep trace scan_blelloch --n 1024");
  EXPECT_EQ(ran.exit_code, 0);
  for (const char* part :
       {"Blelloch scan", "212         987                      775", "2,046 applications", "up-sweep",
        "T left = temp[ai];", "The output equals the output of a sequential loop."})
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << "\n" << ran.out;
}

TEST_F(CommandLine, ListNamesEveryAlgorithm) {
  const json list = run_json("upsweep list --json");
  const std::string text = run("upsweep list").out;
  std::vector<const Algorithm*> listed;
  for (const Algorithm& a : algorithms())
    if (is_listed(a)) listed.push_back(&a);
  ASSERT_EQ(list.size(), listed.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    EXPECT_EQ(list[i]["name"], listed[i]->name);
    EXPECT_NE(text.find(listed[i]->name + "  "), std::string::npos) << text;
  }
  // The list names the presets of each algorithm, with the types and operators that each preset allows.
  for (std::size_t i = 0; i < list.size(); ++i)
    for (const Preset& p : presets())
      for (const std::string_view type : scalar_names)
        for (const std::string_view op : operator_names) {
          Settings s{.algorithm = listed[i]->name};
          s.type = static_cast<Scalar>(std::ranges::find(scalar_names, type) - std::begin(scalar_names));
          s.op = static_cast<Operator>(std::ranges::find(operator_names, op) - std::begin(operator_names));
          if (!listed[i]->allows(s.type) || !listed[i]->allows(s.op)) continue;
          const bool is_there = std::ranges::any_of(list[i]["presets"], [&](const json& there) {
            const auto allows = [&](const char* kinds, std::string_view kind) {
              return !there.contains(kinds) || std::ranges::find(there[kinds], kind) != there[kinds].end();
            };
            return there["name"] == p.name && allows("types", type) && allows("operators", op);
          });
          EXPECT_EQ(is_there, is_for(p, s)) << listed[i]->name << " " << p.name << " " << type << " " << op;
        }
}

TEST_F(CommandLine, ExplainSaysOneStepOrAll) {
  const Ran all = run("upsweep explain scan_blelloch --n 16");
  const Ran one = run("upsweep explain scan_blelloch --n 16 --step 4");
  EXPECT_EQ(all.exit_code, 0);
  EXPECT_EQ(one.exit_code, 0);
  EXPECT_TRUE(one.out.starts_with("Up-sweep, stride 4.")) << one.out;
  EXPECT_NE(all.out.find("Step 4 of 11. " + one.out), std::string::npos) << all.out;
}

TEST_F(CommandLine, BanksAgreeWithTheHardware) {
  const fs::path measured = UPSWEEP_SOURCE_DIR "/tests/data/bank_wavefronts_h200.csv";
  const Ran ran = run("upsweep banks '" + measured.string() + "'");
  EXPECT_EQ(run("upsweep banks --banks 32 '" + measured.string() + "'").out, ran.out);
  EXPECT_NE(run("upsweep banks --banks 16 '" + measured.string() + "'").out, ran.out);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  std::ifstream csv(measured);
  std::istringstream answers(ran.out);
  std::string row, answer;
  std::getline(csv, row);
  const auto column = [](const std::string& line, const std::string& head, const std::string& name) {
    std::istringstream heads(head), cells(line);
    std::string h, cell;
    while (std::getline(heads, h, ',') && std::getline(cells, cell, ','))
      if (h == name) return cell;
    return std::string("no column " + name);
  };
  const std::string head = row;
  int rows = 0;
  while (std::getline(csv, row)) {
    ASSERT_TRUE(std::getline(answers, answer));
    EXPECT_EQ(answer, column(row, head, "wavefronts") + "," + column(row, head, "conflicts")) << row;
    ++rows;
  }
  EXPECT_EQ(rows, 400);
  EXPECT_FALSE(std::getline(answers, answer)) << "one line a row";
}

TEST_F(CommandLine, DoctorSaysWhatFollows) {
  const Ran ran = run("upsweep doctor");
  EXPECT_EQ(ran.exit_code, 0);
  for (const char* part :
       {"Emulator", "CUDA driver", "libnvrtc", "libnvJitLink", "libcupti", "EGL", "Fonts", "Display"})
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << "\n" << ran.out;
  EXPECT_NE(ran.out.find("The window cannot be opened"), std::string::npos) << "there is no display here\n"
                                                                            << ran.out;
}

// The user can open the window with a picture or with the text of a state. The number of pixels decides n.
TEST_F(CommandLine, TheWindowOpensWithAPictureOrAState) {
  ASSERT_EQ(run("upsweep render scan_blelloch --view tree --size 300x200 -o a.png").exit_code, 0);
  for (const char* line : {"upsweep summed_area_table --image a.png", "upsweep summed_area_table --scene",
                           "upsweep 'upsweep:1?algorithm=scan_blelloch&n=64&step=5'"})
    EXPECT_NE(run(line).err.find("No window can be opened here"), std::string::npos)
        << "there is no display here\n"
        << run(line).err;
}

// To save time, each view is drawn in only two of the three formats by default.
TEST_F(CommandLine, EveryViewIsDrawnInEveryFormat) {
  int index = 0;
  for (const View& view : views()) {
    const bool is_even = index++ % 2 == 0, svg = is_even || tries_everything(),
               pdf = !is_even || tries_everything();
    const std::string line =
        std::string("upsweep render scan_blelloch --view ") + view.name + " --size 640x360 -o ";
    EXPECT_EQ(run(line + "a.png").exit_code, 0) << view.name;
    if (svg) EXPECT_EQ(run(line + "a.svg --theme dark").exit_code, 0) << view.name;
    if (pdf) EXPECT_EQ(run(line + "a.pdf --step 2").exit_code, 0) << view.name;
    const std::string png = content(folder_ / "a.png");
    EXPECT_TRUE(png.starts_with("\x89PNG")) << view.name;
    EXPECT_EQ(png.substr(16, 8), std::string("\0\0\x02\x80\0\0\x01\x68", 8)) << "640 x 360 pixels";
    if (svg) EXPECT_NE(content(folder_ / "a.svg").find("<svg"), std::string::npos) << view.name;
    if (pdf) EXPECT_TRUE(content(folder_ / "a.pdf").starts_with("%PDF")) << view.name;
  }
  EXPECT_EQ(run("upsweep render scan_blelloch --view window --size 1280x720 -o window.png").exit_code, 0);
  EXPECT_TRUE(content(folder_ / "window.png").starts_with("\x89PNG"));
}

TEST_F(CommandLine, RequestsThatMakeNoSense) {
  write("letters.txt", "1 2 drei 4");
  write("nan.txt", "1 nan 2");
  write("inf.txt", "1 inf 2");
  write("empty.txt", "");
  write("two.txt", "1 2");
  write("bad.csv", "op,width_bytes,active_mask,byte_addresses\nld,5,1,0\n");
  const std::pair<const char*, const char*> requests[] = {
      {"upsweep foo", "neither a command nor an algorithm"},
      {"upsweep trase scan_blelloch", "did you mean trace?"},
      {"upsweep trace", "algorithm"},
      {"upsweep trace scan_bleloch", "scan_blelloch"},
      {"upsweep trace scan_blelloch --n 0", "n = 0"},
      {"upsweep trace scan_blelloch --n -5", "n = -5"},
      {"upsweep trace scan_blelloch --n 2049", "2,048"},
      {"upsweep trace scan_hillis_steele --n 1025", "1,024"},
      {"upsweep trace scan_blelloch --n 1024 --block 256", "512"},
      {"upsweep trace scan_blelloch --n 99999999999", "99999999999"},
      {"upsweep trace scan_blelloch --n 99999999999999999999999", "2,147,483,647"},
      {"upsweep trace scan_blelloch --n many", "many"},
      {"upsweep trace scan_blelloch --n ''", "whole number"},
      {"upsweep trace scan_blelloch --n 3.5", "3.5"},
      {"upsweep trace scan_blelloch --n", "--n"},
      {"upsweep trace scan_blelloch --n 8 --n 16", "more than once"},
      {"upsweep trace scan_blelloch --shape 8x8", "one-dimensional"},
      {"upsweep trace scan_blelloch --shape 8", "such as 64x48"},
      {"upsweep trace scan_blelloch --shape 0x4", "such as 64x48"},
      {"upsweep trace scan_blelloch --shape 4x-4", "such as 64x48"},
      {"upsweep trace scan_blelloch --shape 99999x99999", "2,147,483,647"},
      {"upsweep trace scan_blelloch --shape 8x8 --n 3", "make both numbers equal"},
      {"upsweep trace scan_blelloch --block 33", "33"},
      {"upsweep trace scan_blelloch --block x", "x"},
      {"upsweep trace scan_blelloch --type float", "float32"},
      {"upsweep trace scan_blelloch --op plus", "sum"},
      {"upsweep trace scan_blelloch --layout pad33", "pad33"},
      {"upsweep trace scan_blelloch --layout 'i /'", "i /"},
      {"upsweep trace scan_blelloch --layout 7", "same cell"},
      {"upsweep trace scan_hillis_steele --layout pad32", "layout"},
      {"upsweep trace scan_blelloch --load-pattern half", "halves"},
      {"upsweep trace reduce_sequential --op affine", "commutative"},
      {"upsweep trace scan_blelloch --machine tpu", "gpu"},
      {"upsweep trace scan_blelloch --seed blue", "blue"},
      {"upsweep trace scan_blelloch --seed 1 --input two.txt", "--seed"},
      {"upsweep trace scan_blelloch --input missing.txt", "missing.txt"},
      {"upsweep trace scan_blelloch --input .", "cannot be read"},
      {"upsweep trace scan_blelloch --input letters.txt", "drei"},
      {"upsweep trace scan_blelloch --input nan.txt", "nan"},
      {"upsweep trace scan_blelloch --input inf.txt", "inf"},
      {"upsweep trace scan_blelloch --input empty.txt", "empty.txt"},
      {"upsweep trace scan_blelloch --input ''", "--input"},
      {"upsweep trace scan_blelloch --input two.txt --n 3", "--n"},
      {"upsweep trace scan_blelloch --laout pad32", "did you mean --layout?"},
      {"upsweep trace scan_blelloch extra", "extra"},
      {"upsweep --n 8 trace scan_blelloch", "then the options"},
      {"upsweep explain scan_blelloch --step 99", "1 to 15"},
      {"upsweep explain scan_blelloch --step 0", "1 to 15"},
      {"upsweep explain scan_sequential --n 3000 --step 3002", "1 to 3,000"},
      {"upsweep trace scan_blelloch --n 5000", "2,048 elements"},
      {"upsweep trace scan_large --n 5000 --block 4096", "1 to 1,024 threads"},
      {"upsweep trace reduce_sequential --n 2048 --block 512", "at least 1,024 threads"},
      {"upsweep explain scan_blelloch --step 1 --request 0", "1 to 4"},
      {"upsweep explain scan_blelloch --request 1", "needs --step"},
      {"upsweep explain scan_blelloch --step -1", "1 to 15"},
      {"upsweep explain scan_blelloch --step two", "two"},
      {"upsweep render scan_blelloch -o a.png", "--view"},
      {"upsweep render scan_blelloch --view tree", "-o"},
      {"upsweep render scan_blelloch --view tre -o a.png", "did you mean tree?"},
      {"upsweep render scan_blelloch --view tree -o a.gif", "give --steps"},
      {"upsweep render scan_blelloch --view tree -o a", ".png"},
      {"upsweep render scan_blelloch --view tree -o a.png --size 100", "100"},
      {"upsweep render scan_blelloch --view tree -o a.png --size 0x10", "0x10"},
      {"upsweep render scan_blelloch --view tree -o a.png --size 10x10x", "10x10x"},
      {"upsweep render scan_blelloch --view tree -o a.png --scale nan", "nan"},
      {"upsweep render scan_blelloch --view tree -o a.png --theme blue", "light"},
      {"upsweep banks", "CSV"},
      {"upsweep banks missing.csv", "missing.csv"},
      {"upsweep banks .", "cannot be read"},
      {"upsweep banks bad.csv", "bad.csv: Line 2"},
      {"upsweep banks bad.csv --banks 64", "--banks"},
      {"upsweep explain scan_blelloch --banks 8", "--banks"},
      {"upsweep doctor now", "now"},
  };
  for (const auto& [line, about] : requests) expect_refusal(line, about);
  EXPECT_FALSE(fs::exists(folder_ / "a.png"));
  EXPECT_FALSE(fs::exists(folder_ / "a.svg"));
}

TEST_F(CommandLine, WorkThatFails) {
  expect_refusal("upsweep", "The commands need no window", 1);
  expect_refusal("upsweep render scan_blelloch --view tree -o nowhere/a.png", "nowhere/a.png", 1);
  expect_refusal("upsweep render scan_blelloch --view tree -o nowhere/a.svg", "nowhere/a.svg", 1);
  expect_refusal("upsweep render scan_blelloch --view tree -o nowhere/a.pdf", "nowhere/a.pdf", 1);
  expect_refusal("upsweep list > /dev/full", "could not be written", 1);
  expect_refusal("upsweep list >&-", "could not be written", 1);
}

TEST_F(CommandLine, WithoutOpenGlThereIsStillText) {
  for (const char* without :
       {"export MESA_GL_VERSION_OVERRIDE=2.1\n", "export __EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent\n"}) {
    const std::string line = without + std::string("upsweep render scan_blelloch --view tree -o ");
    expect_refusal(line + "a.png", "3.3", 1);
    EXPECT_EQ(run(line + "a.svg").exit_code, 0);
    EXPECT_EQ(run(line + "a.pdf").exit_code, 0);
    EXPECT_NE(run(std::string(without) + "upsweep doctor").out.find("writes SVG and PDF, but no PNG"),
              std::string::npos);
  }
}

TEST_F(CommandLine, AFailedPictureLeavesTheOldOne) {
  write("a.svg", "old");
  EXPECT_EQ(run("ulimit -f 1; upsweep render scan_blelloch --view tree -o a.svg").exit_code, 1);
  EXPECT_EQ(content(folder_ / "a.svg"), "old");
  for (const auto& entry : fs::directory_iterator(folder_))
    EXPECT_EQ(entry.path().string().find(".part"), std::string::npos);
}

TEST_F(CommandLine, AClosedPipeEndsQuietly) {
  for (const char* line :
       {"upsweep list", "upsweep trace scan_blelloch", "upsweep trace scan_blelloch --json",
        "upsweep explain scan_blelloch", "upsweep doctor", "upsweep --help"}) {
    // The reading end of the pipe is closed before the program writes anything.
    const Ran ran = run(std::string("exec 3> >(exec true)\nwait $!\n") + line + " >&3");
    EXPECT_EQ(ran.exit_code, 1) << line;
    EXPECT_EQ(ran.err, "") << line;
  }
}

TEST_F(CommandLine, HelpIsTheDocumentation) {
  const auto page = [](const std::string& name) {
    return content(fs::path(UPSWEEP_SOURCE_DIR "/docs/command-line") / (name + ".md"));
  };
  const std::string settings = page("settings");
  EXPECT_EQ(run("upsweep --help").out, page("upsweep") + settings);
  EXPECT_EQ(run("upsweep list -h").out, page("list"));
  EXPECT_EQ(run("upsweep trace --help").out, page("trace") + settings);
  EXPECT_EQ(run("upsweep render --help").out, page("render") + settings);
  EXPECT_EQ(run("upsweep explain --help").out, page("explain") + settings);
  EXPECT_EQ(run("upsweep banks --help").out, page("banks"));
  EXPECT_EQ(run("upsweep doctor --help").out, page("doctor"));
  EXPECT_EQ(run("upsweep figure --help").out, page("figure"));
  for (const View& view : views())
    EXPECT_NE(page("render").find(std::string(view.name) + (view.name == views().back().name ? ";" : ",")),
              std::string::npos)
        << view.name;
}

TEST_F(CommandLine, AnInterruptionIsASentence) {
  const Ran ran =
      run("timeout --preserve-status -s INT 0.3 '" UPSWEEP_BINARY "' trace radix_sort --n 1000000 --json");
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_EQ(ran.err, "upsweep: Interrupted before the end.\n");
}

}  // namespace cli_test
}  // namespace upsweep
