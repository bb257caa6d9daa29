// The reasons for the costs of one request, in words.
#pragma once
#include <cstdint>
#include <string>

#include "analysis/barrier_use.hpp"
#include "analysis/because.hpp"
#include "analysis/because_global.hpp"
#include "analysis/place.hpp"

namespace upsweep {

// Returns one to three sentences that lead from the distances between the lanes' words to the number of
// wavefronts. For an atomic, a sentence says how many lanes change one address.
std::string reason_text(const Because& b);
// Returns one or two sentences that lead from the distances between the lanes' bytes to the number of
// sectors.
std::string reason_text(const BecauseGlobal& b);

// Returns the reason of the costliest request of a step, or of the chosen one, in one sentence: "Neighbouring
// lanes are 16 words apart, so they use only 2 banks." Returns an empty text if the request costs nothing
// extra, unless padding is the reason for that.
std::string neighbours_text(const Recording& recording, const Place& place);

// Says how much of a warp a request uses: "4 of 32 lanes are active: 12.5 %." The warp issues a request as
// one instruction for any number of lanes, and a second sentence says so unless all are active.
std::string lanes_used_text(int active);

// Returns one to three sentences about what a barrier protects: which thread could read or overwrite a value
// too early without the barrier, and how many accesses the barrier keeps in order.
std::string barrier_text(const Recording& recording, const BarrierUse& use);

}  // namespace upsweep
