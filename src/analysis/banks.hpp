// Bank conflicts of recorded requests, by the model of trace/requests.hpp.
#pragma once
#include <cstdint>
#include <vector>

#include "trace/requests.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// One wavefront of a request: which lane's words it serves in which bank. Lanes that read the same word are
// served together (a broadcast).
struct Wavefront {
  struct Served {
    int bank;
    std::uint32_t word;   // byte address / 4
    std::uint32_t lanes;  // mask of the lanes served by this word
  };
  std::vector<Served> served;  // by bank
};

// The request as a sequence of wavefronts; the size equals bank_cost().wavefronts. Within a group, a bank's
// words are served in ascending order of their lowest lane (the order inside a request is not observable on
// the hardware; its number of wavefronts is).
std::vector<Wavefront> wavefronts(bool load, int width, std::uint32_t mask, const Addresses& addresses);

// The byte addresses of a recorded request: of a vector access, where each lane's begins.
Addresses addresses_of(const Trace& trace, const Event& event);
// The lanes of a recorded shared-memory request whose accesses lie in shared memory.
std::uint32_t lanes_inside(const Trace& trace, const Event& event);
// The cost of a recorded shared-memory request.
BankCost bank_cost(const Trace& trace, const Event& event);

}  // namespace upsweep
