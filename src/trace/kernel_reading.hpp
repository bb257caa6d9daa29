// Reads the statements and variables of a kernel's text. After that, find_together() finds out which threads
// take each branch together.
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "trace/kernel_text.hpp"
#include "trace/kernel_tokens.hpp"

namespace upsweep {

class KernelReading {
 protected:
  KernelReading(KernelText& to, std::string_view text) : to_(to), tokens_(kernel_tokens(text)) {}

  struct Variable {
    int scope;
    bool is_volatile = false;  // whether the memory is declared volatile
    bool is_shared = false;    // whether the variable is shared memory
    bool is_number = false;    // whether the variable holds threadIdx.x
    Together together = Together::block;
  };
  struct Range {
    std::size_t begin = 0, end = 0;  // indices into tokens_
  };

  std::string_view at(std::size_t i) const {
    return i < tokens_.size() ? tokens_[i].text : std::string_view();
  }
  bool is_member(std::size_t i) const { return i > 0 && at(i - 1) == "."; }  // such as the x of blockDim.x
  // Returns the variable that a name means in a statement; nullopt if the name is no variable.
  std::optional<int> find(std::string_view name, int statement) const;

  // Finds out which threads take each branch together. Requires that the whole text has been read.
  void find_together();

  KernelText& to_;
  std::vector<KernelToken> tokens_;
  std::vector<Variable> variables_;
  // For each statement: the variables that the statement declares, each with its index in variables_.
  std::vector<std::map<std::string_view, int>> values_;
  std::vector<Range> value_of_change_;
  std::vector<std::pair<int, Range>> conditions_;  // the statement, and the tokens of its condition
  // For each `return`, `break` and `continue`: the statement around the jump, and true for a `return`.
  std::vector<std::pair<int, bool>> jumps_;

 private:
  Together agree(Range r, int statement) const;
  Together agree_on_number(Range r, std::size_t i, std::size_t behind) const;
};

}  // namespace upsweep
