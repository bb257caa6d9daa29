// Explains the costs of one request in words.
#pragma once
#include <cstdint>
#include <string>

#include "analysis/barrier_use.hpp"
#include "analysis/because.hpp"
#include "analysis/because_global.hpp"
#include "analysis/place.hpp"

namespace upsweep {

// Returns one to three sentences that explain the number of wavefronts by the distances between the lanes'
// words. For an atomic operation, a sentence says how many lanes change one address.
std::string reason_text(const Because& b);
// Returns one or two sentences that explain the number of sectors by the distances between the lanes' bytes.
std::string reason_text(const BecauseGlobal& b);

// Returns one sentence about the reason for the cost of the chosen request. If no request is chosen, the
// sentence is about the costliest request of the step: "Neighbouring lanes are 16 words apart, so the words
// are in only 2 banks." If the request costs nothing extra, returns a sentence only if padding is the reason.
std::string neighbours_text(const Recording& recording, const Place& place);

// Says how much of a warp a request uses: "4 of 32 lanes are active: 12.5 %." If not all lanes are active, a
// second sentence says that the warp issues one instruction for any number of lanes.
std::string lanes_used_text(int active);

// Returns one to three sentences about what a barrier protects: which thread could read or overwrite a value
// too early without the barrier, and how many accesses the barrier keeps in order.
std::string barrier_text(const Recording& recording, const BarrierUse& use);

}  // namespace upsweep
