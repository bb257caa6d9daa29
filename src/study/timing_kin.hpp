// Says which measured rows can be compared with the times of a kernel.
#pragma once
#include "catalogue/catalogue.hpp"
#include "timing/timings.hpp"

namespace upsweep {

// Returns the kind of result that these settings compute, or null if this program does not know the
// algorithm.
const Result* known_result(const Settings& s);

// Returns whether times of two results can be compared. Scans are compared with scans, reductions with
// reductions, and each application only with itself.
bool is_akin(const Result* x, const Result* y);
// Returns whether a row has the type and the operator of the settings.
bool is_same_kind(const Timing& t, const Settings& s);

// Returns whether a row is a peer of the chosen kernel. There are two kinds of peers:
// - A copy. A copy without a variant moves n elements. A copy with a variant moves another number of bytes,
//   so it is a peer only if a measured kernel with the same kind of result moves as many bytes.
// - A library (CUB or NPP) or the CPU that computes the same kind of result from the same data. If a library
//   or the CPU was measured only with the other kind of scan (inclusive or exclusive), the other scan is the
//   peer.
bool is_peer(const Timings& all, const Timing& t, const Settings& s);

}  // namespace upsweep
