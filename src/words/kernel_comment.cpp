#include "words/kernel_comment.hpp"

#include <algorithm>

namespace upsweep {

KernelComment read_comment(std::string_view text) {
  KernelComment comment;
  std::string* open = nullptr;  // the field to which the next line belongs if that line begins no new field
  for (int number = 0; text.starts_with("//"); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string plain(text.substr(2, end - 2));
    std::erase(plain, '`');  // code has backquotes in the file, but not in the result
    std::string_view line = plain;
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool goes_on = line.starts_with("   ");
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (number == 0) {
      comment.title = line;
    } else if (goes_on) {
      if (open) *open += " " + std::string(line);
    } else {
      const std::size_t gap = std::min(line.find(' '), line.size());
      const std::string_view field = line.substr(0, gap);
      open = field == "Idea" ? &comment.idea : field == "Watch" ? &comment.watch : nullptr;
      if (field == "Source") open = &comment.source;
      line.remove_prefix(std::min(line.find_first_not_of(' ', gap), line.size()));
      if (open) *open = line;
    }
  }
  return comment;
}

}  // namespace upsweep
