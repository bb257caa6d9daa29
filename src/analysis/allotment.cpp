#include "analysis/allotment.hpp"

#include "trace/value.hpp"

namespace upsweep {

double request_start(const Trace& t, std::size_t i) {
  return static_cast<double>(scalar(t.output[i], t.settings.type));
}

double request_length(const Trace& t, std::size_t i) {
  return static_cast<double>(scalar(t.input[i], t.settings.type));
}

bool request_fits(const Trace& t, std::size_t i) { return t.more_outputs[0][i][0] != 0; }

bool is_allotment(const Trace& t) {
  const std::size_t n = t.output.size();
  return n > 0 && t.input.size() == n && t.more_outputs.size() == 2 && t.more_outputs[0].size() == n &&
         t.more_outputs[1].size() == 1;
}

Allotment::Allotment(const Trace& t, double capacity)
    : size_(t.output.size()), capacity_(capacity), left_(t.more_outputs[1][0][0]) {
  for (std::size_t i = 0; i < size_; ++i) {
    total_ += request_length(t, i);
    const bool fits = request_fits(t, i);
    fitting_ += fits;
    if (!fits && !misfit_) misfit_ = i;
    fits_again_ = fits_again_ || (fits && misfit_);
    ascends_ = ascends_ && (i == 0 || request_start(t, i - 1) <= request_start(t, i));
  }
}

std::size_t Allotment::before(const Trace& t, double place) const {
  if (!ascends_) return size_;
  std::size_t low = 0, high = size_;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (request_start(t, middle) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

}  // namespace upsweep
