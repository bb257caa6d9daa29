#include "panels/sketch.hpp"

namespace upsweep {

std::vector<std::string> wrapped(const std::string& text, float size, Face face, float room) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t from = 0; from < text.size();) {
    std::size_t to = text.find(' ', from);
    if (to == std::string::npos) to = text.size();
    const std::string word = text.substr(from, to - from);
    const std::string longer = line.empty() ? word : line + " " + word;
    if (!line.empty() && text_width(longer, size, face) > room) {
      lines.push_back(line);
      line = word;
    } else {
      line = longer;
    }
    from = to + 1;
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

}  // namespace upsweep
