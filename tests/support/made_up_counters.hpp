// Makes up counters of a GPU.
#pragma once
#include "machine/gpu/counted.hpp"

namespace upsweep {

// Returns counts that are equal to the predicted counts.
inline Counted as_predicted(const Trace& trace) {
  Counted c = predicted(trace, {});
  c.device = "A GPU";
  for (LinesCount& l : c.lines) {
    l.measured = l.predicted;
    l.agreement = Agreement::same;
  }
  return c;
}

// Returns the predicted counts, with `more` additional wavefronts in the line that has the most wavefronts.
inline Counted with_more_wavefronts(const Trace& trace, std::uint64_t more) {
  Counted c = as_predicted(trace);
  LinesCount* most = &c.lines.front();
  for (LinesCount& l : c.lines)
    if (l.predicted[0] > most->predicted[0]) most = &l;
  (*most->measured)[0] += more;
  most->agreement = Agreement::different;
  return c;
}

}  // namespace upsweep
