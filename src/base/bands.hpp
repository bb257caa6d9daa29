// Divides work on the rows of a picture among the processor's cores.
#pragma once
#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace upsweep {

// Divides the rows 0 to rows - 1 into bands, at most one for each core of the processor. Calls f(begin, end)
// in parallel, once for each band: a band has the rows from `begin` to `end` - 1.
//
// Returns when f has returned for all bands. f must not throw.
template <class F>
void in_bands(int rows, const F& f) {
  const int bands = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, std::max(rows, 1));
  const auto begin_of = [=](int band) { return static_cast<int>(std::int64_t{rows} * band / bands); };
  std::vector<std::jthread> others;
  for (int band = 1; band < bands; ++band)
    others.emplace_back([&f, begin = begin_of(band), end = begin_of(band + 1)] { f(begin, end); });
  f(0, begin_of(1));
}

}  // namespace upsweep
