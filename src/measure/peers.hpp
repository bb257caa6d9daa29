// The peers of the kernels: what CUB, NPP and the CPU compute.
#pragma once
#include <span>
#include <string_view>

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
  bool pairs = false;  // sorts keys with values beside them

  // Returns whether this is a peer of a kernel that computes this result with these settings.
  bool computes(const Result& what, const Settings& s) const;
};
std::span<const Peer> peers();
// Returns the peer whose row this is, or null if the contender is not one of the peers.
const Peer* peer_of(const Timing& row);

// Returns those settings that determine the result of a peer, without those that determine how a kernel
// computes it.
Settings peer_settings(const Result& what, const Settings& s);

// Returns whether the settings choose to sort values beside the keys.
inline bool sorts_pairs(const Settings& s) { return s.choice("keys") == "pairs"; }
// Returns the predicate that the settings choose, or an empty text if it is the default.
std::string predicate_beside_default(const Settings& s);

}  // namespace upsweep
