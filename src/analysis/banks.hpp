// Computes the bank conflicts of recorded requests by the model of trace/requests.hpp.
#pragma once
#include <cstdint>
#include <vector>

#include "trace/requests.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// In one wavefront of a request, each bank serves at most one word. Lanes that read the same word are served
// together (a broadcast).
struct Wavefront {
  struct Served {
    int bank;
    std::uint32_t word;   // the index of the word: byte address / 4
    std::uint32_t lanes;  // mask of the lanes that access this word
  };
  std::vector<Served> served;  // sorted by bank
};

// Returns the wavefronts of a request, as many as bank_cost() counts for the same request. Within a group of
// lanes, a bank serves its words in the order of the lowest lanes that access these words. The hardware's
// counters show only the number of wavefronts, so this order is a choice of Upsweep.
std::vector<Wavefront> wavefronts(bool load, int width, std::uint32_t mask, const Addresses& addresses,
                                  const BankModel& model = {});

// Returns the byte address of each lane in a recorded request. For a vector access, this is the address of
// the lane's first element.
Addresses addresses_of(const Trace& trace, const Event& event);
// Returns the lanes of a recorded shared-memory request whose accesses lie in shared memory.
std::uint32_t lanes_inside(const Trace& trace, const Event& event);
// Returns the cost of a recorded shared-memory request.
BankCost bank_cost(const Trace& trace, const Event& event, const BankModel& model = {});

}  // namespace upsweep
