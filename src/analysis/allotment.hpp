// An allocation gives space to requests, one after the other, until the space is used up. An Allotment tells
// where each request starts, and whether the request fits.
#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "trace/trace.hpp"

namespace upsweep {

// The requests that a run of an allocation recorded. Request i is element i of the input.
class Allotment {
 public:
  // Requires is_allotment(trace). The first output has the start of each request. The second output says for
  // each request whether the request fits. The third output has the remaining space.
  Allotment(const Trace& trace, double capacity);

  // The unit of the capacity, in the singular and in the plural: "inch", "inches". Both names are empty if
  // the unit is not known.
  std::string unit{}, units{};

  std::size_t size() const { return size_; }
  double capacity() const { return capacity_; }
  double left() const { return left_; }             // the space that remains: the third output
  double total() const { return total_; }           // the sum of the lengths of all requests
  std::size_t fitting() const { return fitting_; }  // the number of requests that fit
  // Returns the first request that does not fit, or nullopt if all requests fit.
  std::optional<std::size_t> misfit() const { return misfit_; }
  // Returns true if a request fits although an earlier request does not fit. This happens only if lengths are
  // negative or if sums wrap around.
  bool fits_again() const { return fits_again_; }
  // Returns the number of requests before the first request that starts at `place` or later. If the starts do
  // not ascend, returns size().
  std::size_t before(const Trace& trace, double place) const;

 private:
  std::size_t size_ = 0, fitting_ = 0;
  double capacity_ = 0, left_ = 0, total_ = 0;
  std::optional<std::size_t> misfit_;
  bool fits_again_ = false, ascends_ = true;
};

// Returns whether the trace has all outputs that an Allotment needs.
bool is_allotment(const Trace& trace);

// Return the start and the length of one request. A request ends at its start plus its length.
double request_start(const Trace& trace, std::size_t i);
double request_length(const Trace& trace, std::size_t i);
bool request_fits(const Trace& trace, std::size_t i);

}  // namespace upsweep
