// Describes the indices of a request's lanes by a formula of the thread's index. The formula can also be
// written with the numbers of one lane.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "trace/trace.hpp"
#include "words/pattern.hpp"

namespace upsweep {

class LaneFormula {
 public:
  // Returns the formula that all pairs (thread, index) of a block follow exactly. Returns nullopt if there is
  // no such formula, or if there is only one pair.
  static std::optional<LaneFormula> fit(const Dim3& block, const std::vector<int>& threads,
                                        const std::vector<int>& indices);

  // Returns "16t + 7", or "32y + x + 3" in a block of two dimensions.
  std::string text() const;
  // Returns the formula with the numbers of a thread: "16·3 + 7 = 55". Returns only the index, such as "55",
  // if the formula is "t" or a constant.
  std::string with_numbers(int thread) const;

 private:
  LaneFormula(const Dim3& block, const PlacePattern& pattern) : block_(block), pattern_(pattern) {}
  template <class Term>
  std::string sum(Term term) const;

  Dim3 block_;
  PlacePattern pattern_;
};

}  // namespace upsweep
