// Tries smaller sizes before a large size, so that no run takes much longer than the limit.
#pragma once
#include <algorithm>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "measure/sweep.hpp"
#include "timing/timings.hpp"

namespace upsweep {

class Prober {
 public:
  explicit Prober(std::stop_token stop) : stop_(std::move(stop)) {}

  // Returns the seconds of one run of a row. Starts with few elements and never starts a run that might take
  // longer than `longest` seconds. If the row's run would take longer, returns nullopt and sets the row's
  // `missing` to the message that `too_long` returns.
  //
  // `seconds_at(n)` runs the row with n elements, and returns the seconds. `name` distinguishes two ways to
  // run one row.
  template <class TooLong, class F>
  std::optional<double> operator()(Timing& row, const std::string& name, double longest,
                                   const TooLong& too_long, F seconds_at) {
    const int n = row.settings.n;
    const auto [known, fresh] = seen_.try_emplace({name, who(row)});
    auto& [tried, seconds] = known->second;
    if (fresh) tried = std::min(n, first_probe), seconds = seconds_at(tried);
    while (tried < n && !stop_.stop_requested()) {
      const int next = next_probe(tried, seconds, n, longest);
      if (next == 0) break;
      tried = next;
      seconds = seconds_at(tried);
    }
    if (stop_.stop_requested()) return {};
    if (tried == n && seconds <= longest) return seconds;
    row.missing = too_long(tried, 1e3 * seconds, 1e3 * longest);
    return {};
  }

 private:
  // The number of elements of the first run. A kernel, library or CPU that is too slow even at this size is
  // not measured.
  static constexpr int first_probe = 4096;
  std::stop_token stop_;
  // For each contender (a kernel, a library or the CPU): the largest n so far, and the seconds of a run at
  // this n.
  std::map<std::pair<std::string, Who>, std::pair<int, double>> seen_;
};

}  // namespace upsweep
