// Compares predicted counts with measured counts, which are made up in this test. The counts are compared
// line by line. If the compiler assigns accesses of one line to another line, only the sum over these lines
// is compared.
#include "machine/gpu/counted.hpp"

#include <gtest/gtest.h>

#include "catalogue/data.hpp"
#include "machine/machine.hpp"
#include "support/source_file.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace counted_test {

struct Recorded {
  explicit Recorded(Settings s) : algorithm(upsweep::algorithm(s.algorithm)) {
    trace = open_machine(MachineChoice::emulated)->record(s, random_data(s, 3));
    for (const LinesCount& l : predicted(trace, {}).lines) as_predicted[l.lines.front()] = l.predicted;
  }
  const Algorithm& algorithm;
  Trace trace;
  std::map<int, LineNumbers> as_predicted;

  // For each kind of agreement, returns the number of lines whose counts agree in this way.
  std::map<Agreement, int> agreements(const std::map<int, LineNumbers>& found) const {
    std::map<Agreement, int> all;
    for (const LinesCount& l : beside(algorithm, trace, found)) ++all[l.agreement];
    return all;
  }
};

Settings kernel(const char* name, Scalar type = Scalar::float32, Operator op = Operator::sum) {
  Settings s;
  s.algorithm = name;
  s.n = 200;
  s.block = 64;
  s.type = type;
  s.op = op;
  if (!algorithm(name).many_blocks) s.block = smallest_block(algorithm(name), s);
  return s;
}

TEST(Counted, WhatWasFoundAsPredictedIsTheSameLineByLine) {
  for (const char* name : {"scan_blelloch", "scan_large", "reduce_single_pass"}) {
    const Recorded run(kernel(name));
    ASSERT_GT(run.as_predicted.size(), 3u);
    const auto all = run.agreements(run.as_predicted);
    EXPECT_EQ(all.size(), 1u) << name;
    EXPECT_EQ(all.begin()->first, Agreement::same) << name;
  }
}

TEST(Counted, EveryNumberThatIsOffIsDifferent) {
  const Recorded run(kernel("scan_blelloch"));
  for (const auto& [line, numbers] : run.as_predicted)
    for (std::size_t i = 0; i < line_metric_count; ++i) {
      auto found = run.as_predicted;
      ++found[line][i];
      EXPECT_EQ(run.agreements(found)[Agreement::different], 1)
          << "line " << line << ", " << in_words(line_metrics[i].what);
    }
  auto more = run.as_predicted;
  more[1][4] = 1;  // no access is predicted in this line
  EXPECT_EQ(run.agreements(more)[Agreement::different], 1);
}

TEST(Counted, AccessesThatGoByOtherLinesAreComparedInSum) {
  const Recorded run(kernel("scan_blelloch", Scalar::float16));
  for (const auto& [line, numbers] : run.as_predicted)
    for (const std::size_t memory : {0u, 1u}) {  // 0 is shared memory, and 1 is global memory
      if (numbers[4 + memory] == 0) continue;
      auto found = run.as_predicted;
      for (const std::size_t i : {2 * memory, 2 * memory + 1, 4 + memory, 6 + memory})
        found[0][i] += std::exchange(found[line][i], 0);
      auto all = run.agreements(found);
      EXPECT_EQ(all[Agreement::different], 0) << line;
      ++found[0][4 + memory];
      EXPECT_EQ(run.agreements(found)[Agreement::different], 1) << line;
    }
}

// In a binary search, several lanes may read the same address. NVIDIA's ideal number of sectors counts such
// an address once for each lane. Therefore this number must not be compared for the line of the search.
TEST(Counted, IdealSectorsOfSharedPlacesAreNotCompared) {
  const Recorded run(kernel("stream_compaction_gather_search"));
  int not_compared = 0;
  for (const auto& [line, numbers] : run.as_predicted) {
    auto found = run.as_predicted;
    ++found[line][3];
    const bool same = run.agreements(found)[Agreement::different] == 0;
    EXPECT_EQ(same, text_line(run.algorithm.text, line).find("counts[before") != std::string::npos) << line;
    not_compared += same;
    ++found[line][2];
    EXPECT_EQ(run.agreements(found)[Agreement::different], 1) << line;
  }
  EXPECT_EQ(not_compared, 1);
}

TEST(Counted, AtomicsThatAreTriedAgainVary) {
  struct Case {
    Scalar type;
    Operator op;
    bool varies;
  };
  for (const Case& c :
       {Case{Scalar::float32, Operator::sum, false}, Case{Scalar::float16, Operator::sum, true},
        Case{Scalar::float32, Operator::min, true}, Case{Scalar::int64, Operator::max, false},
        Case{Scalar::int32, Operator::product, true}}) {
    const Recorded run(kernel("reduce_atomic", c.type, c.op));
    auto found = run.as_predicted;
    for (auto& [line, numbers] : found) numbers[5] += 100;
    EXPECT_EQ(run.agreements(found)[Agreement::varies] > 0, c.varies) << static_cast<int>(c.type);
  }
}

}  // namespace counted_test
}  // namespace upsweep
