#include "app/options.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/data.hpp"
#include "study/teaching.hpp"

namespace upsweep {

RunOptions taught(RunOptions wanted) {
  if (wanted.n || wanted.shape || wanted.input || wanted.image || wanted.algorithm.empty()) return wanted;
  Settings s = understood_as_given(wanted, false).settings;
  const Algorithm& a = algorithm(s.algorithm);
  const bool has_own_n = wanted.data && preset(*wanted.data).n > 0;
  teach(a, s, !has_own_n, wanted.block ? s.block : 32);
  if (const Lesson* lesson = lesson_of(a)) {
    if (!has_own_n) s.n = lesson->n;
    if (!wanted.type && lesson->type) wanted.type = name(s.type = *lesson->type);
    if (!wanted.data && !wanted.seed && !lesson->preset.empty() && is_for(preset(lesson->preset), s))
      wanted.data = lesson->preset;
    if (!s.choices.contains("predicate") && !lesson->predicate.empty()) wanted.predicate = lesson->predicate;
  }
  wanted.n = std::to_string(s.n);
  if (!wanted.block) wanted.block = std::to_string(s.block);
  if (!wanted.grid && a.uses_grid) wanted.grid = std::to_string(s.grid);
  return wanted;
}

}  // namespace upsweep
