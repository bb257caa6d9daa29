#include "words/hidden_answer.hpp"

#include <algorithm>
#include <cctype>

#include "base/language.hpp"
#include "base/messages.hpp"
#include "words/in_words.hpp"
#include "words/wrong_result_words.hpp"

namespace upsweep {
namespace {

constexpr std::string_view broken_prefix = "bug_", neutral_word = "bug";

bool is_in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Returns the text with the same lines, but without comments and without the blanks before comments.
std::string without_comments(std::string_view text) {
  std::string code;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    line = line.substr(0, line.find("//"));
    code += line.substr(0, line.find_last_not_of(' ') + 1);
    if (end < text.size()) code += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return code;
}

}  // namespace

bool has_answer(const Recording& r) { return r.trace.settings.algorithm.starts_with(broken_prefix); }

bool hides_answer(const Recording& r, const Place& place) { return place.hides_answer && has_answer(r); }

const Hazards* shown_hazards(const Recording& r, const Place& place) {
  return hides_answer(r, place) ? nullptr : r.hazards();
}

std::string shown_text(const Recording& r, const Place& place) {
  const std::string& text = r.shown_text();
  if (!hides_answer(r, place)) return text;
  const std::string code = without_comments(without_name(text));
  return (code.starts_with('\n') ? tr("// The comments are hidden: press F for the answer.") : "") + code;
}

std::string shown_title(const Recording& r, bool hides_answer) {
  if (!hides_answer || !has_answer(r)) return tr(r.title);
  // A kernel that is not in the catalogue has no title as a puzzle. A recording from a file may have such a
  // kernel.
  return in_words(r.puzzle_title ? r.puzzle_title : say::nameless_puzzle_title());
}

std::string shown_task(const Recording& r) { return in_words(r.puzzle); }

std::string shown_wrong_text(const Recording& r, const Place& place) {
  return hides_answer(r, place) ? in_words(r.mistake) : wrong_text(r);
}

std::string shown_stop(const Recording& r, const Place& place) {
  return hides_answer(r, place) ? tr("The run was stopped before its end.") : in_words(r.trace.stopped);
}

std::string without_name(std::string text) {
  for (std::size_t at = 0; (at = text.find(broken_prefix, at)) != text.npos; at += neutral_word.size()) {
    if (at > 0 && is_in_name(text[at - 1])) continue;
    const auto end = std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), is_in_name);
    text.replace(at, static_cast<std::size_t>(end - text.begin()) - at, neutral_word);
  }
  return text;
}

}  // namespace upsweep
