// Lists the peers of the kernels. The peers (CUB, NPP and the CPU) compute the same results as the kernels.
#pragma once
#include <span>
#include <string_view>

#include "base/message.hpp"
#include "catalogue/catalogue.hpp"
#include "measure/processor.hpp"
#include "timing/timings.hpp"

namespace upsweep {

// A peer: the name of its rows, and the result that the peer computes.
struct Peer {
  Contender contender;
  std::string_view name, variant;
  Result result;
  Cores cores = Cores::one;
  bool pairs = false;  // true if the peer sorts pairs of a key and a value

  // Returns whether the peer can be compared with a kernel that computes this result with these settings.
  bool computes(const Result& what, const Settings& s) const;
  // Returns how many bytes a run with these settings reads and writes. For a selection, this number
  // also counts the elements that the selection does not write.
  double bytes(const Settings& s) const;
  // Returns why the peer cannot be measured with these settings. Returns an empty message if the peer can be
  // measured.
  Message refusal(const Settings& s) const;
};
std::span<const Peer> peers();
// Returns whether NPP is the library that computes this result. CUB computes all other results.
inline bool is_of_npp(const Result& what) { return what == Result::summed_area_table; }
// Returns the peer that the row measures. Returns null if the row measures something else.
const Peer* peer_of(const Timing& row);

// Returns the settings that determine the result of a peer. Leaves out the settings that say how a kernel
// computes this result.
Settings peer_settings(const Result& what, const Settings& s);

// Returns the predicate that the settings choose. Returns an empty text for the default predicate.
std::string predicate_beside_default(const Settings& s);

}  // namespace upsweep
