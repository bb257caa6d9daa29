// Bank conflicts of recorded requests, by the model of trace/requests.hpp.
#pragma once
#include <cstdint>
#include <vector>

#include "trace/requests.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// One wavefront of a request: for each bank, the word that it serves and the lanes that get it. Lanes that
// read the same word are served together (a broadcast).
struct Wavefront {
  struct Served {
    int bank;
    std::uint32_t word;   // byte address / 4
    std::uint32_t lanes;  // mask of the lanes served by this word
  };
  std::vector<Served> served;  // by bank
};

// Returns the request as a sequence of wavefronts, whose length is bank_cost().wavefronts. Within a group,
// the words of a bank are served in ascending order of their lowest lane. The hardware shows the number of
// wavefronts, but not their order.
std::vector<Wavefront> wavefronts(bool load, int width, std::uint32_t mask, const Addresses& addresses,
                                  const BankModel& model = {});

// Returns the byte addresses of a recorded request. For a vector access they are the addresses of each lane's
// first part.
Addresses addresses_of(const Trace& trace, const Event& event);
// Returns the lanes of a recorded shared-memory request whose accesses lie in shared memory.
std::uint32_t lanes_inside(const Trace& trace, const Event& event);
// Returns the cost of a recorded shared-memory request.
BankCost bank_cost(const Trace& trace, const Event& event, const BankModel& model = {});

}  // namespace upsweep
