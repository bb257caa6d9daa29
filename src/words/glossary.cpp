#include "words/glossary.hpp"

#include <algorithm>

#include "base/language.hpp"
#include "embedded/glossary.hpp"
#include "embedded/glossary_zh.hpp"

namespace upsweep {
namespace {

std::string without_backticks(std::string_view text) {
  std::string plain(text);
  plain.erase(std::remove(plain.begin(), plain.end(), '`'), plain.end());
  return plain;
}

}  // namespace

std::vector<GlossarySection> read_glossary(std::string_view markdown) {
  constexpr std::string_view section = "## ", begin = "- **", middle = "**: ";
  std::vector<GlossarySection> all;
  while (!markdown.empty()) {
    const std::size_t end = std::min(markdown.find('\n'), markdown.size());
    const std::string_view line = markdown.substr(0, end);
    markdown.remove_prefix(std::min(end + 1, markdown.size()));
    if (line.starts_with(section)) all.push_back({std::string(line.substr(section.size())), {}});
    const std::size_t at = line.find(middle);
    if (line.starts_with(begin) && at != line.npos && !all.empty())
      all.back().terms.push_back({without_backticks(line.substr(begin.size(), at - begin.size())),
                                  without_backticks(line.substr(at + middle.size()))});
  }
  return all;
}

std::span<const GlossarySection> glossary() {
  static const std::vector<GlossarySection> english = read_glossary(embedded_glossary("glossary.md")),
                                            chinese = read_glossary(embedded_glossary_zh("glossary.md"));
  return language() == TextLanguage::chinese ? chinese : english;
}

std::span<const GlossarySection> what_the_model_leaves_out() {
  static const std::vector<GlossarySection> english = read_glossary(embedded_glossary("model.md")),
                                            chinese = read_glossary(embedded_glossary_zh("model.md"));
  return language() == TextLanguage::chinese ? chinese : english;
}

}  // namespace upsweep
