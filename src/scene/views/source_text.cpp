#include "scene/views/source_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>

#include "base/language.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool is_keyword(std::string_view word) {
  static constexpr std::string_view keywords[] = {
      "auto",       "bool",         "break",         "case",       "class",     "const",    "constexpr",
      "continue",   "do",           "double",        "else",       "false",     "float",    "for",
      "if",         "int",          "return",        "static",     "struct",    "switch",   "template",
      "true",       "typename",     "unsigned",      "using",      "void",      "while",    "__global__",
      "__device__", "__shared__",   "__syncthreads", "__syncwarp", "threadIdx", "blockIdx", "blockDim",
      "gridDim",    "__threadfence"};
  return std::find(std::begin(keywords), std::end(keywords), word) != std::end(keywords);
}

}  // namespace

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    for (std::size_t tab; (tab = line.find('\t')) != std::string::npos;) line.replace(tab, 1, "    ");
    lines.push_back(std::move(line));
    begin = end + 1;
  }
  return lines;
}

std::vector<TintedText> tokens(const std::string& line) {
  std::vector<TintedText> out;
  const auto add = [&out](std::string text, Token token) {
    if (!out.empty() && out.back().token == token) out.back().text += text;
    else out.push_back({std::move(text), token});
  };
  for (std::size_t i = 0; i < line.size();) {
    if (line.compare(i, 2, "//") == 0) {
      add(line.substr(i), Token::comment);
      break;
    }
    std::size_t end = i + 1;
    if (is_word(line[i])) {
      while (end < line.size() && is_word(line[end])) end++;
      const std::string word = line.substr(i, end - i);
      const bool number = std::isdigit(static_cast<unsigned char>(line[i])) != 0;
      add(word, number ? Token::number : is_keyword(word) ? Token::keyword : Token::plain);
    } else {
      add(line.substr(i, 1), Token::plain);
    }
    i = end;
  }
  return out;
}

std::string line_cost_text(const Totals& c, bool brief) {
  const std::int64_t requests = c.shared_load.requests + c.shared_store.requests;
  const std::int64_t wavefronts = c.shared_load.wavefronts + c.shared_store.wavefronts;
  const std::int64_t excess = c.shared_load.excess + c.shared_store.excess;
  const std::int64_t global = c.global_load.requests + c.global_store.requests;
  const std::int64_t sectors = c.global_load.sectors + c.global_store.sectors;
  const std::int64_t ideal = c.global_load.ideal_sectors + c.global_store.ideal_sectors;
  std::string text;
  if (requests > 0) {
    text = brief ? tr("{} req  {} wavefr", grouped(requests), grouped(wavefronts))
                 : counted(requests, "request") + "  " + counted(wavefronts, "wavefront");
    if (excess > 0) text += tr("  {} excess", grouped(excess));
  }
  if (global > 0) {
    if (!text.empty()) text = tr("shared {}  ·  global ", text);
    text += brief ? tr("{} req  {} sect", grouped(global), grouped(sectors))
                  : counted(global, "request") + "  " + counted(sectors, "sector");
    if (sectors > ideal) text += tr("  {} excess", grouped(sectors - ideal));
  }
  const std::int64_t atomics = c.shared_atomic.requests + c.global_atomic.requests;
  const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : "  ") + more; };
  if (atomics > 0) add(brief ? tr("{} atomic", grouped(atomics)) : counted(atomics, "atomic request"));
  if (c.shuffle.requests > 0)
    add(brief ? tr("{} shfl", grouped(c.shuffle.requests)) : counted(c.shuffle.requests, "shuffle"));
  if (c.vote.requests > 0) add(counted(c.vote.requests, "vote"));
  if (c.launch.lanes > 0) add(counted(c.launch.lanes, "launch", "launches"));
  if (text.empty() && c.operations > 0)
    text = brief ? tr("{} op", grouped(c.operations)) : counted(c.operations, "operation");
  return text;
}

std::string main_cost_text(const Totals& c, bool with_excess) {
  const std::int64_t wavefronts = c.shared_load.wavefronts + c.shared_store.wavefronts;
  const std::int64_t excess = c.shared_load.excess + c.shared_store.excess;
  const std::int64_t sectors = c.global_load.sectors + c.global_store.sectors;
  const std::int64_t ideal = c.global_load.ideal_sectors + c.global_store.ideal_sectors;
  if (const std::int64_t atomics = c.shared_atomic.requests + c.global_atomic.requests; atomics > 0)
    return tr("{} atomic", grouped(atomics));
  std::string text;
  const auto add = [&](std::int64_t all, const char* what, std::int64_t beyond) {
    if (all == 0) return;
    text += fmt::format("{}{} {}", text.empty() ? "" : "  ", grouped(all), what);
    if (with_excess && beyond > 0) text += tr(", {} excess", grouped(beyond));
  };
  add(wavefronts, tr("wavefr"), excess);
  add(sectors, tr("sect"), sectors - ideal);
  return text.empty() ? line_cost_text(c, true) : text;
}

bool wasteful(const Totals& c) {
  return c.shared_load.excess + c.shared_store.excess > 0 ||
         c.global_load.sectors + c.global_store.sectors >
             c.global_load.ideal_sectors + c.global_store.ideal_sectors;
}

}  // namespace upsweep
