// Formats a table of text with aligned columns.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace upsweep {

// The first row is the heading. `alignment` has one letter for each column: R aligns to the right, L to the
// left.
class Table {
 public:
  explicit Table(std::string_view alignment) : alignment_(alignment) {}
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::string text() const;  // every line ends in a newline, and no line ends in spaces

 private:
  std::string alignment_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace upsweep
