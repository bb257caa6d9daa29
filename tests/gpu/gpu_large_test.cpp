// Tests how the GPU checks the results for large arrays. Needs a GPU: run by `./test --gpu`.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "measure/large_check.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

// Returns an algorithm with a mistake: in the text of its kernel, `new_text` replaces `old_text`.
Algorithm with_mistake(const char* name, const std::string& old_text, const std::string& new_text) {
  Algorithm a = algorithm(name);
  const std::size_t at = a.text.find(old_text);
  EXPECT_NE(at, std::string::npos) << name << " has no \"" << old_text << "\"";
  if (at != std::string::npos) a.text.replace(at, old_text.size(), new_text);
  return a;
}

TEST(LargeArrays, RightKernelsAreRight) {
  LargeCheck check;
  std::uint64_t seed = 0;
  for (const char* name :
       {"reduce_vectorized", "scan_lookback_vectorized", "scan_large", "scan_reduce_then_scan"})
    for (std::size_t type = 0; type < std::size(scalar_names); ++type)
      for (std::size_t op = 0; op < std::size(operator_names); ++op) {
        Settings s{.algorithm = name,
                   .n = (1 << 24) + 11,
                   .block = 256,
                   .type = static_cast<Scalar>(type),
                   .op = static_cast<Operator>(op)};
        s.grid = 512;
        try {
          validate(s);
        } catch (const RequestError&) { continue; }
        const Message wrong = check.mistake(s, ++seed);
        EXPECT_FALSE(wrong) << name << " " << operator_names[op] << " of " << scalar_names[type] << ": "
                            << in_words(wrong);
      }
}

TEST(LargeArrays, AMistakeIsFoundAtItsPlace) {
  LargeCheck check;
  const int n = (1 << 24) + 900;
  // With this mistake, a tile does not add the sum of the tiles before it.
  const Algorithm lost = with_mistake("scan_large", "op(offset, x)", "x");
  for (const Operator op : {Operator::sum, Operator::min, Operator::max, Operator::product, Operator::affine})
    for (const Scalar type : {Scalar::int32, Scalar::uint32, Scalar::float32, Scalar::float64}) {
      const Settings s{.algorithm = "scan_large", .n = n, .block = 128, .type = type, .op = op};
      const Message wrong = check.mistake(lost, s, 3);
      ASSERT_TRUE(wrong) << name(op) << " of " << name(type);
      EXPECT_EQ(wrong.id, MessageId::wrong_element);
    }
  for (const char* bug : {"bug_partition_remainder", "bug_missing_fold"}) {
    Settings s{.algorithm = bug, .n = n, .block = 128, .type = Scalar::int32};
    s.grid = 64;
    EXPECT_TRUE(check.mistake(s, 5)) << bug;
  }
}

}  // namespace
}  // namespace upsweep
