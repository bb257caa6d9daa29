#include "catalogue/catalogue.hpp"
#include "catalogue/data.hpp"
#include "options/options.hpp"
#include "study/teaching.hpp"

namespace upsweep {

RunOptions taught(RunOptions wanted) {
  if (wanted.n || wanted.shape || wanted.input || wanted.image || wanted.algorithm.empty()) return wanted;
  Settings s = understood_as_given(wanted, false).settings;
  const Algorithm& a = algorithm(s.algorithm);
  const bool has_own_n = wanted.data && preset(*wanted.data).n > 0;
  teach(a, s, !has_own_n, wanted.block ? s.block : 32);
  if (const std::optional<Example> example = example_of(a)) {
    if (!has_own_n) s.n = example->n.value_or(s.n);
    if (!wanted.type && example->type) wanted.type = name(s.type = *example->type);
    if (!wanted.data && !wanted.seed && !example->preset.empty() && is_for(preset(example->preset), s))
      wanted.data = example->preset;
    if (!s.choices.contains("predicate") && !example->predicate.empty())
      wanted.predicate = example->predicate;
  }
  wanted.n = std::to_string(s.n);
  if (!wanted.block) wanted.block = std::to_string(s.block);
  if (!wanted.grid && a.uses_grid) wanted.grid = std::to_string(s.grid);
  return wanted;
}

}  // namespace upsweep
