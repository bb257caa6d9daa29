#include "words/result_words.hpp"

#include <fmt/format.h>

#include <vector>

#include "base/language.hpp"
#include "trace/value.hpp"
#include "words/names.hpp"

namespace upsweep {

std::string mean_text(const Recording& r) {
  if (!r.mean) return {};
  Settings numbers = r.trace.settings;
  numbers.type = Scalar::float64;
  Value mean{};
  set_scalar(mean, numbers.type, 0, *r.mean);
  return tr("The mean is {}: {} divided by {}.", short_text(mean, numbers, 12),
            exact_text(r.trace.output[0], r.trace.settings), counted(r.trace.settings.n, "element"));
}

std::string other_scan_text(const Recording& r) {
  if (!r.other_scan) return {};
  const Settings& s = r.trace.settings;
  std::vector<Value> other = r.trace.output;
  const bool exclusive = r.other_scan->is_exclusive;
  if (exclusive) {
    other.erase(other.begin());
    other.push_back(r.other_scan->total);
  } else {
    other.pop_back();
    other.insert(other.begin(), r.other_scan->identity);
  }
  constexpr std::size_t few = 8;
  std::string numbers;
  for (std::size_t i = 0; i < other.size(); ++i) {
    if (other.size() > few && i == few / 2) numbers += "… ";
    if (other.size() <= few || i < few / 2 || i + few / 2 >= other.size())
      numbers += short_text(other[i], s, 9) + " ";
  }
  numbers.pop_back();
  return exclusive ? tr("For the inclusive scan, drop the first element and append the total {}: {}.",
                        short_text(r.other_scan->total, s, 9), numbers)
                   : tr("For the exclusive scan, drop the last element and put the identity {} first: {}.",
                        short_text(r.other_scan->identity, s, 9), numbers);
}

}  // namespace upsweep
