#include "words/shuffle_source.hpp"

#include <algorithm>

#include "base/language.hpp"
#include "words/pattern.hpp"

namespace upsweep {

std::string shuffle_source_text(const Expression& x) {
  if (x.how == Shuffle::reduce_add) return tr("the sum over all lanes");
  const bool one = std::all_of(x.lanes.begin(), x.lanes.end(), [&](int l) { return l == x.lanes[0]; });
  if (x.how == Shuffle::exclusive_or) {
    const int distance = x.lanes[0] ^ x.takers[0];
    for (std::size_t i = 0; i < x.lanes.size(); i++)
      if ((x.lanes[i] ^ x.takers[i]) != distance) return tr("another lane's value");
    return tr("the value of lane t xor {}", distance);
  }
  if (one) return tr("lane {}'s value", x.lanes[0]);
  const auto p = fit(x.takers, x.lanes);
  return p ? tr("the value of lane {}", text(*p)) : tr("another lane's value");
}

}  // namespace upsweep
