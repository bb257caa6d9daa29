// Tests how typed replies are parsed: only numbers and ranges are accepted.
#include <gtest/gtest.h>

#include "questions/kinds.hpp"
#include "study/questioning.hpp"

namespace upsweep {
namespace typed_reply_test {

TEST(TypedReply, IsAListOfNumbersAndRanges) {
  Question q;
  q.form = AnswerForm::places;
  q.places = numbers_between(0, 31);
  using Numbers = std::vector<std::int64_t>;
  EXPECT_EQ(numbers_of_reply(q, "3 1, 2"), (Numbers{1, 2, 3}));
  for (const char* range : {"0-15", "0 - 15", "0- 15", "0 -15"}) {
    EXPECT_EQ(numbers_of_reply(q, range), numbers_between(0, 15)) << range;
    EXPECT_TRUE(names_only_possible(q, range)) << range;
  }
  for (const char* wrong : {"-1", "3 x", "4-", "1 - - 3", "32", "0-32", "3;4"})
    EXPECT_FALSE(names_only_possible(q, wrong)) << wrong;
}

}  // namespace typed_reply_test
}  // namespace upsweep
