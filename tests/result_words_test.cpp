// Tests the sentence about the mean of a correct output. Also tests the conversion of an inclusive scan's
// output to the output of an exclusive scan, and the reverse.
#include "words/result_words.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "catalogue/data.hpp"
#include "machine/emulator/emulator.hpp"
#include "study/recording.hpp"
#include "support/compile_cases.hpp"
#include "support/look_at.hpp"
#include "trace/value.hpp"
#include "words/words.hpp"

namespace upsweep {
namespace result_words_test {

Recording record(const Settings& s, const std::vector<Value>& input) {
  return make_recording(Emulator().record(s, input, {}));
}
Settings settings(const std::string& algorithm, int n) {
  Settings s;
  s.algorithm = algorithm;
  s.n = n;
  s.block =
      std::max(smallest_block(upsweep::algorithm(algorithm), s), upsweep::algorithm(algorithm).least_threads);
  return s;
}

// With the total and the identity, the output of each kind of scan can be converted to the output of the
// other kind.
TEST(ResultWords, EveryScanBecomesTheOtherKind) {
  int scans = 0;
  for (const Algorithm* a : correct_algorithms(Language::cuda))
    for (Settings s : every_choice(*a))
      for (const Operator op : {Operator::sum, Operator::max, Operator::affine})
        for (const int n : {1, 2, 33, 100}) {
          if (sanitized && n % 2 == 0) continue;
          s.op = op;
          s.type = Scalar::int32;
          if (!allowed(s, *a)) continue;
          s.n = n;
          s.block = std::max(smallest_block(*a, s), a->least_threads);
          const Result& result = result_of(*a, s);
          const bool exclusive = result == Result::exclusive_scan;
          if (!exclusive && !(result == Result::inclusive_scan)) continue;
          const std::vector<Value> input = seeded_data(s, static_cast<unsigned>(n));
          const Recording r = record(s, input);
          ASSERT_TRUE(r.other_scan) << describe(s);
          EXPECT_EQ(r.other_scan->is_exclusive, exclusive);
          std::vector<Value> other = r.trace.output;
          if (exclusive) {
            other.erase(other.begin());
            other.push_back(r.other_scan->total);
          } else {
            other.pop_back();
            other.insert(other.begin(), r.other_scan->identity);
          }
          EXPECT_EQ(other, oracle(exclusive ? Result::inclusive_scan : Result::exclusive_scan, s, input))
              << describe(s);
          ++scans;
        }
  EXPECT_GT(scans, 100);
}

TEST(ResultWords, TheTextbookScanInBothForms) {
  const Settings s = settings("scan_blelloch", 8);
  const Recording r = record(s, preset_data(s, "textbook"));
  EXPECT_EQ(other_scan_text(r),
            "For the inclusive scan, drop the first element and append the total 25: 3 4 11 11 15 16 22 25.");
  const std::vector<std::string> last = sentences(r, {.step = static_cast<int>(r.trace.steps.size()) - 1});
  EXPECT_EQ(last.back(), other_scan_text(r));
  EXPECT_NE(sentences(r, {.step = 0}).back(), other_scan_text(r));

  const Settings inclusive = settings("scan_hillis_steele", 16);
  const Recording i = record(inclusive, preset_data(inclusive, "textbook"));
  EXPECT_EQ(
      other_scan_text(i),
      "For the exclusive scan, drop the last element and put the identity 0 first: 0 3 4 11 … 36 40 41 47.");
}

TEST(ResultWords, TheMeanIsTheSumDividedOnce) {
  Settings s = settings("reduce_interleaved", 8);
  for (const Scalar type :
       {Scalar::int32, Scalar::uint32, Scalar::int64, Scalar::float16, Scalar::float32, Scalar::float64}) {
    s.type = type;
    const Recording r = record(s, preset_data(s, "textbook"));
    EXPECT_EQ(r.mean, 25. / 8);
    EXPECT_EQ(mean_text(r), "The mean is 3.125: 25 divided by 8 elements.");
  }
  for (const Operator op : {Operator::max, Operator::product}) {
    s.op = op;
    EXPECT_FALSE(record(s, preset_data(s, "textbook")).mean);
  }
  EXPECT_FALSE(record(settings("scan_blelloch", 8), seeded_data(settings("scan_blelloch", 8), 1)).mean);
  // If the sum overflowed, the words must state no mean, because the mean is computed from the sum.
  s.op = Operator::sum;
  s.type = Scalar::int32;
  std::vector<Value> large(8);
  for (Value& v : large) v[0] = 2000000000;
  const Recording wrapped = record(s, large);
  EXPECT_FALSE(wrapped.mistake);
  EXPECT_FALSE(wrapped.mean);
  EXPECT_EQ(mean_text(wrapped), "");
}

}  // namespace result_words_test
}  // namespace upsweep
