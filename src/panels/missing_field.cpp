#include "panels/missing_field.hpp"

#include <algorithm>

#include "base/language.hpp"
#include "study/puzzle.hpp"

namespace upsweep {

std::string why_no_field(const Algorithm& a, Field field) {
  const auto missing = [&](const char* what) { return tr("{} has no {} to choose.", puzzle_name(a), what); };
  const Choice* padding = padding_of(a);
  const bool has_own = std::any_of(a.choices.begin(), a.choices.end(), [&](const Choice& c) {
    return &c != padding && c.name != "load_pattern";
  });
  if (field == Field::op && !chooses_operator(a)) return missing(tr("operator"));
  if (field == Field::grid && !a.uses_grid)
    return tr("{} has no grid to choose: n decides the number of blocks.", puzzle_name(a));
  if (field == Field::layout && !padding) return missing(tr("padding"));
  if (field == Field::load_pattern && !a.choice("load_pattern")) return missing(tr("load pattern"));
  if (field == Field::variant && !has_own) return missing(tr("variant"));
  return {};
}

}  // namespace upsweep
