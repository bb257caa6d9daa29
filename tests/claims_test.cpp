// Tests that every claim about a quantity in the opening comment of a kernel has a run that proves the claim.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "support/claims_of_bugs.hpp"
#include "support/claims_of_compaction.hpp"
#include "support/claims_of_reductions.hpp"
#include "support/claims_of_scans.hpp"
#include "support/claims_of_sorting.hpp"
#include "support/claims_of_tables.hpp"

namespace upsweep {
namespace claims_test {

using claimed::Claim;

std::vector<Claim> claims() {
  std::vector<Claim> all;
  for (const auto& some :
       {claimed::claims_of_reductions(), claimed::claims_of_scans(), claimed::claims_of_compaction(),
        claimed::claims_of_tables(), claimed::claims_of_sorting(), claimed::claims_of_bugs()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

std::string comment(const Algorithm& a) { return a.idea + " " + a.watch; }

TEST(Claims, AreTrue) {
  for (const Claim& c : claims()) {
    SCOPED_TRACE(fmt::format("{}: \"{}\"", c.kernel, c.phrase));
    EXPECT_NE(comment(algorithm(c.kernel)).find(c.phrase), std::string::npos) << "the comment has changed";
    c.holds();
  }
}

// Phrases that contain a word of quantity, such as "half", but make no claim that a run could prove.
const char* const states_nothing[] = {
    // names
    "y[j-1]",
    "y[-1] = 0",
    "thread 0",
    "stride s",
    "down to stride 1",
    "blockDim.x * 2",
    "L2",
    ">> 1",
    ">>= 1",
    "The n - 1 swaps",
    "double-buffered scan",
    "32 fragments in a row",
    "Compare fold=1 with fold=4. With fold=4, each thread first adds four elements",
    "With fold=1",
    "If the variant fold is larger than 1, each thread first combines that many elements into one",
    "With ahead=140",
    "GPU Gems 3",
    "the tile 140 places later",
    "no case after the case 32",
    // the order of counts in memory
    "first the counts of digit 0 in all tiles, then the counts of digit 1",
    // what each thread, block or stride does
    "Every thread adds up its share",
    "Every block stores its sum",
    "is added to every sum of the right group",
    "every stride of the tree can be written out",
    "every level is written out",
    "a scan counts the earlier keys whose bit is 0",
    "A group has 32 tiles",
    "every index is",
    "Every output is a reduction",
    "every leaf",
    "At every stride, the last thread",
    "all smaller block sizes",
    "in every run",
    "the index of every number",
    "loads only one",
    "stores only one",
    "lanes with a lower number have the flag 1",
    "gives only the two sums",
    "only applies maps to numbers",
    // halves of arrays and of blocks
    "in half",
    "half the array's length",
    "the upper half of the remaining elements is added to the lower half",
    "the upper half of shared memory holds",
    "computes half of the stride",
    "sums in the lower half grow",
    "half as many threads",
    "half the threads",
    // phrases that follow from other claims
    "Only the numbers are wrong",
    "is combined twice",
    "only the last ranges are shorter",
    "fewer threads are enough to keep the memory busy",
    "the more threads, the longer the queue",
    // rules of CUDA, and what a program may or must do
    "A ballot gives every lane of a warp the flags of all lanes",
    "only if each SM (multiprocessor) has",
    "waits only for threads that have not exited",
    "never pass a pointer",
    "at most 24 levels, and compute capability 3.5 or later",
    "not every thread must work in each iteration",
    "complete only when its child grids are",
    "wait only for lanes of the same warp",
    "Since CUDA 12",
    "never reach the barriers",
    "reads only the first element",
    "In a larger kernel",
};

// Returns a regular expression for words that may be part of a claim about a quantity.
const std::regex& quantity() {
  static const std::regex words(
      R"(\b(\d[\d,]*\w*|twice|half|halves?|quarter|doubles?|fewer|fewest|most|least|less|never|always|every|only|larger|smaller|worst|longest)\b)",
      std::regex::icase);
  return words;
}

TEST(Claims, CoverEveryQuantityInAComment) {
  std::set<std::string> used;
  for (const Algorithm& a : algorithms()) {
    std::string rest = comment(a);
    const auto take = [&](const std::string& phrase) {
      bool found = false;
      for (auto at = rest.find(phrase); at != rest.npos; at = rest.find(phrase)) {
        rest.replace(at, phrase.size(), "#");
        found = true;
      }
      return found;
    };
    for (const Claim& c : claims())
      if (c.kernel == a.name) take(c.phrase);
    for (const char* phrase : states_nothing)
      if (take(phrase)) used.insert(phrase);
    for (std::sregex_iterator m(rest.begin(), rest.end(), quantity()), end; m != end; ++m)
      ADD_FAILURE() << a.name << " claims \""
                    << rest.substr(std::max<std::ptrdiff_t>(0, m->position() - 30), 80)
                    << "\": prove it in a row, or list the phrase";
  }
  for (const char* phrase : states_nothing)
    EXPECT_TRUE(used.contains(phrase)) << phrase << " is in no comment";
}

}  // namespace claims_test
}  // namespace upsweep
