// Tests the results of applications on the command line. A ladder is a list of algorithms for one task; each
// of these algorithms is a rung. Compares every rung of every ladder with plain loops over random data. Also
// tests the tables that --csv writes, and the commands in docs/applications.md.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <sstream>

#include "catalogue/ladder.hpp"
#include "support/command_line.hpp"

namespace upsweep {
namespace ladders_cli_test {

using Floats = std::vector<float>;

// Returns the shortest text that stands for this float and for no other float.
std::string text_of(float x) { return std::isnan(x) ? "nan" : fmt::format("{}", x); }

template <class Numbers>
std::string lines_of(const Numbers& numbers) {
  std::string text;
  for (const auto x : numbers) text += text_of(static_cast<float>(x)) + "\n";
  return text;
}

// Reads a number from JSON: a number, or a text for NaN or an infinity.
float number(const json& j) {
  if (!j.is_string()) return j.get<float>();
  const float inf = std::numeric_limits<float>::infinity();
  return j == "nan" ? std::numeric_limits<float>::quiet_NaN() : j == "inf" ? inf : -inf;
}

// Returns true if two numbers have the same bits, or if both are NaN.
bool same(float x, float y) {
  return (std::isnan(x) && std::isnan(y)) || (x == y && std::signbit(x) == std::signbit(y));
}

Floats special_numbers(std::mt19937& random, int n) {
  const float inf = std::numeric_limits<float>::infinity();
  const float special[] = {std::numeric_limits<float>::quiet_NaN(), -0.0f, 0.0f, inf, -inf, 1e-45f};
  Floats all;
  for (int i = 0; i < n; ++i)
    all.push_back(random() % 3 == 0 ? special[random() % 6] : static_cast<float>(random() % 20) / 2 - 5);
  return all;
}

class Ladders : public CommandLine {
 protected:
  // Calls f(options, method) for every method of a ladder (a list of algorithms for one task).
  template <class F>
  void for_each_method(const std::string& ladder, F f) {
    const auto rungs = rungs_of(ladder);
    ASSERT_GE(rungs.size(), 2u) << ladder;
    for (const Algorithm* rung : rungs) {
      SCOPED_TRACE(ladder + " " + rung->rung);
      f(" --machine emulated --variant method=" + rung->rung + " ", rung->rung);
    }
  }
  json traced(const std::string& line, const std::string& method) {
    const json all = run_json("upsweep trace " + line + " --json");
    EXPECT_TRUE(all["mistake"].is_null()) << all["mistake"];
    EXPECT_TRUE(all["stopped"].is_null()) << all["stopped"];
    EXPECT_EQ(all["variants"]["method"], method);
    return all;
  }
  std::vector<std::string> csv(const std::string& line) {
    EXPECT_EQ(run("upsweep trace " + line + " --csv out.csv").exit_code, 0) << line;
    std::istringstream in(content(folder_ / "out.csv"));
    std::vector<std::string> lines;
    for (std::string l; std::getline(in, l);) lines.push_back(l);
    return lines;
  }
  std::mt19937 random_{11};
};

TEST_F(Ladders, CompactionKeepsInOrder) {
  for (const int n : {1, 67, 300}) {
    const Floats x = special_numbers(random_, n);
    write("x.txt", lines_of(x));
    for_each_method("stream_compaction", [&](const std::string& options, const std::string& method) {
      const auto expect = [&](const std::string& predicate, auto keep) {
        Floats kept;
        for (const float v : x)
          if (keep(v)) kept.push_back(v);
        const json all =
            traced("stream_compaction --input x.txt --predicate '" + predicate + "'" + options, method);
        EXPECT_EQ(all["kept"], kept.size());
        ASSERT_EQ(all["output"].size(), kept.size());
        for (std::size_t i = 0; i < kept.size(); ++i)
          ASSERT_TRUE(same(number(all["output"][i]), kept[i])) << i;
        EXPECT_TRUE(all["shape"].is_null());
      };
      expect("x > 3", [](float v) { return v > 3; });
      if (n == 67) expect("never", [](float) { return false; });
      if (n == 67) expect("x == 0 || x != x", [](float v) { return v == 0 || v != v; });
    });
  }
}

TEST_F(Ladders, SortsAreStable) {
  for (const char* type : {"float32", "int32", "uint32"})
    for (const int n : {1, 131}) {
      const bool real = type == std::string("float32");
      Floats x = special_numbers(random_, n);
      if (!real)
        for (float& v : x)
          v = static_cast<float>(random_() % 9) - (type == std::string("int32") ? 4.0f : 0.0f);
      write("x.txt", lines_of(x));
      std::vector<unsigned> values(x.size()), order(x.size());
      for (unsigned& v : values) v = static_cast<unsigned>(random_());
      std::string text;
      for (const unsigned v : values) text += std::to_string(v) + "\n";
      write("v.txt", text);
      std::iota(order.begin(), order.end(), 0u);
      std::stable_sort(order.begin(), order.end(), [&](unsigned i, unsigned k) {
        if (std::isnan(x[i]) || std::isnan(x[k])) return !std::isnan(x[i]);
        return x[i] < x[k] || (x[i] == x[k] && std::signbit(x[i]) && !std::signbit(x[k]));
      });
      for_each_method("radix_sort", [&](const std::string& options, const std::string& method) {
        const std::string line = std::string("radix_sort --input x.txt --type ") + type + options;
        const json keys = traced(line, method), pairs = traced(line + " --variant keys=pairs", method),
                   given = traced(line + " --variant keys=pairs --values v.txt", method);
        for (std::size_t i = 0; i < order.size(); ++i) {
          ASSERT_TRUE(same(number(keys["output"][i]), x[order[i]])) << i;
          ASSERT_TRUE(same(number(pairs["output"][i][0]), x[order[i]])) << i;
          ASSERT_EQ(pairs["output"][i][1], order[i]) << i;
          ASSERT_EQ(given["output"][i][1], values[order[i]]) << i;
        }
      });
    }
}

TEST_F(Ladders, RecurrencesAreFilters) {
  for (const int n : {1, 37, 500}) {
    std::string text;
    std::vector<double> y;
    for (int i = 0; i < n; ++i) {
      const int a = static_cast<int>(random_() % 181) - 90, b = static_cast<int>(random_() % 2001) - 1000;
      text += fmt::format("{} {}\n", a / 100., b / 10.);
      y.push_back(a / 100. * (y.empty() ? 0 : y.back()) + b / 10.);
    }
    write("x.txt", text);
    for_each_method("linear_recurrence", [&](const std::string& options, const std::string& method) {
      const json all = traced("linear_recurrence --input x.txt --type float32" + options, method);
      ASSERT_EQ(all["output"].size(), y.size());
      for (std::size_t i = 0; i < y.size(); ++i) ASSERT_NEAR(all["output"][i].get<double>(), y[i], 2e-3) << i;
    });
  }
}

TEST_F(Ladders, AllocationsSayWhatFits) {
  for (const int n : {1, 10, 131}) {
    std::vector<int> lengths, starts, fits;
    int end = 0, left = 150;
    for (int i = 0; i < n; ++i) {
      lengths.push_back(static_cast<int>(random_() % 6));
      starts.push_back(end);
      end += lengths.back();
      fits.push_back(end <= 150);
      if (end <= 150) left = 150 - end;
    }
    write("x.txt", lines_of(lengths));
    for_each_method("allocation", [&](const std::string& options, const std::string& method) {
      const json all = traced("allocation --input x.txt --capacity 150" + options, method);
      EXPECT_EQ(all["output"], json(starts));
      EXPECT_EQ(all["fits"], json(fits));
      EXPECT_EQ(all["left"], left);
      EXPECT_EQ(all["variants"]["capacity"], "150");
    });
  }
}

// The threads store 0 or 1, depending on their elements. If some threads store 0 and some store 1, the
// sentence must name both numbers.
TEST_F(Ladders, WordsNameTheNumbersOfAllThreads) {
  write("x.txt", "5 -1 7 0");
  const std::string flags = run("upsweep explain stream_compaction --type int32 --input x.txt --step 1").out;
  EXPECT_NE(flags.find("put 0 or 1 into flags"), std::string::npos) << flags;
  write("x.txt", "5 1 7 2");
  const std::string all = run("upsweep explain stream_compaction --type int32 --input x.txt --step 1").out;
  EXPECT_NE(all.find("put 1 into flags"), std::string::npos) << all;
}

TEST_F(Ladders, HazardsTakeTheSizeOfTheData) {
  for (const char* size : {"summed_area_table --shape 40x30", "summed_area_table --scene --shape 9x5",
                           "allocation --data camp_slots", "allocation --data ramp"}) {
    const Ran ran = run(std::string("upsweep hazards --machine emulated ") + size);
    EXPECT_EQ(ran.exit_code, 0) << size << ran.err;
    EXPECT_EQ(ran.out.substr(0, 17), "No hazards found.") << size << ran.out;
  }
}

TEST_F(Ladders, TablesAreInclusive) {
  for (const auto& [rows, columns] : {std::pair(1, 1), {1, 37}, {37, 1}, {7, 13}})
    for (const int channels : {1, 3}) {
      std::vector<int> x(static_cast<std::size_t>(rows * columns * channels));
      for (int& v : x) v = static_cast<int>(random_() % 512) - 256;
      write("x.txt", lines_of(x));
      json expected = json::array();
      for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) {
          json pixel = json::array();
          for (int k = 0; k < channels; ++k) {
            int sum = 0;
            for (int i = 0; i <= r; ++i)
              for (int j = 0; j <= c; ++j)
                sum += x[static_cast<std::size_t>((i * columns + j) * channels + k)];
            pixel.push_back(sum);
          }
          expected.push_back(channels == 1 ? pixel[0] : pixel);
        }
      for_each_method("summed_area_table", [&](const std::string& options, const std::string& method) {
        const std::string line =
            fmt::format("summed_area_table --type int32 --shape {}x{} --variant channels={} --input x.txt{}",
                        columns, rows, channels, options);
        const json all = traced(line, method);
        EXPECT_EQ(all["output"], expected);
        EXPECT_EQ(all["shape"], (json{rows, columns}));
        const auto table = csv(line);
        ASSERT_EQ(table.size(), static_cast<std::size_t>(rows));
        for (int r = 0; r < rows; ++r) {
          std::string row;
          for (int c = 0; c < columns; ++c)
            for (int k = 0; k < channels; ++k) {
              const json& pixel = expected[static_cast<std::size_t>(r * columns + c)];
              row += (row.empty() ? "" : ",") +
                     (channels == 1 ? pixel : pixel[static_cast<std::size_t>(k)]).dump();
            }
          EXPECT_EQ(table[static_cast<std::size_t>(r)], row);
        }
      });
    }
}

using Lines = std::vector<std::string>;

TEST_F(Ladders, TablesOfNumbersHaveAnIndex) {
  write("x.txt", "3 -0 nan inf 4.5");
  const std::string emulated = " --input x.txt --machine emulated ";
  EXPECT_EQ(csv("stream_compaction --predicate 'x > 3'" + emulated), (Lines{"index,out", "0,inf", "1,4.5"}));
  EXPECT_EQ(csv("stream_compaction --predicate never" + emulated), (Lines{"index,out"}));
  EXPECT_EQ(csv("radix_sort --type float32" + emulated),
            (Lines{"index,key", "0,-0", "1,3", "2,4.5", "3,inf", "4,nan"}));
  EXPECT_EQ(csv("radix_sort --type float32 --variant keys=pairs" + emulated),
            (Lines{"index,key,value", "0,-0,1", "1,3,0", "2,4.5,4", "3,inf,3", "4,nan,2"}));
  write("x.txt", "2 3 0.5 1 0 -4");
  EXPECT_EQ(csv("linear_recurrence" + emulated), (Lines{"index,y", "0,3", "1,2.5", "2,-4"}));
  EXPECT_EQ(csv("scan_blelloch --op affine --block 32" + emulated),
            (Lines{"index,a,b", "0,1,0", "1,2,3", "2,1,2.5"}));
  write("x.txt", "3 5 4");
  EXPECT_EQ(csv("allocation --capacity 9" + emulated),
            (Lines{"index,length,start,fits,left", "0,3,0,1,6", "1,5,3,1,1", "2,4,8,0,1"}));
  EXPECT_EQ(csv("scan_blelloch" + emulated), (Lines{"index,out", "0,0", "1,3", "2,8"}));
  // The recording of a run must give the same table as the run.
  EXPECT_EQ(run("upsweep trace allocation --capacity 9 -o r.upsweep" + emulated).exit_code, 0);
  EXPECT_EQ(csv("r.upsweep"), (Lines{"index,length,start,fits,left", "0,3,0,1,6", "1,5,3,1,1", "2,4,8,0,1"}));
  expect_refusal("upsweep trace scan_blelloch --csv no/such/folder/x.csv", "no/such/folder/x.csv", 1);
}

TEST_F(Ladders, PresetsAreData) {
  const json sausage = run_json("upsweep trace allocation --data sausage --json");
  EXPECT_EQ(sausage["n"], 10);
  EXPECT_EQ(sausage["left"], 39);
  EXPECT_EQ(run_json("upsweep trace allocation --data sausage --n 12 --json")["n"], 12);
  EXPECT_EQ(run_json("upsweep trace stream_compaction --n 9 --data half_kept --json")["kept"], 5);
  EXPECT_EQ(run_json("upsweep trace scan_blelloch --n 4 --data ramp --json")["output"], (json{0, 1, 3, 6}));
  expect_refusal("upsweep trace scan_blelloch --data camp_slots", "an example for allocation");
  expect_refusal("upsweep trace radix_sort --type int32 --data zeros_and_nan", "floating-point type");
  expect_refusal("upsweep trace scan_blelloch --data sausages", "did you mean sausage?");
  expect_refusal("upsweep trace scan_blelloch --data ramp --seed 4", "only one of these options");
  expect_refusal("upsweep trace x.upsweep --data ramp", "leave --data out");
}

TEST_F(Ladders, TheCommandsOfThePageWork) {
  std::istringstream page(content(fs::path(UPSWEEP_SOURCE_DIR) / "docs/applications.md"));
  int commands = 0;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("    upsweep ")) continue;
    const Ran ran = run(line);
    EXPECT_EQ(ran.exit_code, 0) << line << "\n" << ran.err;
    EXPECT_EQ(ran.err, "") << line;
    ++commands;
  }
  EXPECT_EQ(commands, 16);
  for (const char* file : {"kept.csv", "table.csv", "blurred.png", "sorted.csv", "savings.csv", "signal.svg",
                           "slots.csv", "ruler.svg"})
    EXPECT_GT(fs::file_size(folder_ / file), 20u) << file;
}

// docs/applications.md must have a section for each ladder (a list of algorithms for one task), and must name
// all methods of the ladder.
TEST(LaddersPage, NamesAllRungs) {
  const std::string page = content(fs::path(UPSWEEP_SOURCE_DIR) / "docs/applications.md");
  for (const Algorithm& a : algorithms())
    if (!a.ladder.empty()) {
      EXPECT_NE(page.find("`" + a.rung + "`"), std::string::npos) << a.name;
      EXPECT_NE(page.find("upsweep trace " + a.ladder), std::string::npos) << a.name;
    }
}

}  // namespace ladders_cli_test
}  // namespace upsweep
