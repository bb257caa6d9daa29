#include "app/table.hpp"

#include <algorithm>
#include <string_view>

#include "base/utf8.hpp"
#include "scene/scene.hpp"

namespace upsweep {

// Returns how many columns of a terminal a text takes: two for a Chinese character.
static std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) columns += is_wide(take_character(text)) ? 2 : 1;
  return columns;
}

std::string Table::text() const {
  std::vector<std::size_t> widths(alignment_.size());
  for (const auto& row : rows_)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], columns_of(row[c]));
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) line += "  ";
      const std::string blanks(widths[c] - columns_of(row[c]), ' ');
      line += alignment_[c] == 'R' ? blanks + row[c] : row[c] + blanks;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace upsweep
