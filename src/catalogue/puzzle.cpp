#include "catalogue/puzzle.hpp"

#include "base/language.hpp"

namespace upsweep {

std::string puzzle_name(const Algorithm& a) {
  if (!a.is_broken()) return tr(a.title);
  int number = 0;
  for (const Algorithm& each : algorithms()) {
    number += each.is_broken();
    if (each.is_broken() && each.name == a.name) return tr("Bug {}", number);
  }
  return tr("Bug");  // an opened recording may have a kernel that is not in the catalogue
}

std::string puzzle_title(const Algorithm& a) {
  return a.is_broken() ? puzzle_name(a) + tr(": what is wrong here?") : tr(a.title);
}

std::string puzzle_text(const Algorithm& a) {
  if (!a.is_broken()) return {};
  std::string what = tr("the result {}", tr(a.gives));
  if (a.gives == "reduction") what = tr("the sum of all elements");
  if (a.gives == "inclusive scan")
    what = tr("the inclusive scan: each output is the sum of its own element and all elements before it");
  if (a.gives == "exclusive scan")
    what = tr("the exclusive scan: each output is the sum of all elements before its own");
  return tr("This kernel should compute ") + what +
         tr(". But it has a mistake: find the mistake, then press F for the answer.");
}

}  // namespace upsweep
