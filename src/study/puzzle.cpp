#include "study/puzzle.hpp"

#include "base/language.hpp"
#include "base/messages.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

// Returns the position of a broken algorithm among the broken algorithms of kernels/registry, counted from 1.
// Returns 0 if the algorithm is not broken.
int puzzle_number(const Algorithm& a) {
  int number = 0;
  for (const Algorithm& each : algorithms()) {
    number += each.is_broken();
    if (each.is_broken() && each.name == a.name) return number;
  }
  return 0;
}

Message result_of(const Algorithm& a) {
  if (a.gives == "reduction") return say::puzzle_sum();
  if (a.gives == "inclusive scan") return say::puzzle_inclusive_scan();
  if (a.gives == "exclusive scan") return say::puzzle_exclusive_scan();
  return say::puzzle_result(a.gives);
}

}  // namespace

std::string puzzle_name(const Algorithm& a) {
  if (!a.is_broken()) return tr(a.title);
  const int number = puzzle_number(a);
  return number > 0 ? tr("Bug {}", number) : tr("Bug");
}

Message title_of_puzzle(const Algorithm& a) {
  const int number = puzzle_number(a);
  return number > 0 ? say::puzzle_title(number) : say::nameless_puzzle_title();
}

Message task_of_puzzle(const Algorithm& a) { return say::puzzle_task(result_of(a)); }

std::string puzzle_title(const Algorithm& a) {
  return a.is_broken() ? in_words(title_of_puzzle(a)) : tr(a.title);
}

std::string puzzle_text(const Algorithm& a) { return a.is_broken() ? in_words(task_of_puzzle(a)) : ""; }

}  // namespace upsweep
