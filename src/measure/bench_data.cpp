#include "measure/bench_data.hpp"

#include "catalogue/predicate.hpp"

namespace upsweep {
namespace {

constexpr std::size_t half_of_numbers = 512;

}  // namespace

Filling filling_of(const Result& result) {
  return result == Result::selection    ? Filling::halves
         : result == Result::sorting    ? Filling::keys
         : result == Result::recurrence ? Filling::maps
                                        : Filling::digits;
}

SelectionData selection_data(const Settings& s) {
  const auto [kept, dropped] = examples_of(predicate_of(s), s.type, half_of_numbers);
  SelectionData data;
  for (std::size_t i = 0; i < 2 * half_of_numbers; ++i) {
    const std::vector<Value>& group = dropped.empty() || (i % 2 == 0 && !kept.empty()) ? kept : dropped;
    data.numbers.push_back(group[i / 2 % group.size()]);
  }
  data.kept = kept.empty() ? 0 : dropped.empty() ? 1 : 0.5;
  return data;
}

}  // namespace upsweep
