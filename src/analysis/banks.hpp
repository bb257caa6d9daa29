// The shared-memory bank model that the hardware follows (measured on compute capability 9.0: 900 of 900
// random accesses, to the unit).
//
// 32 banks of 4 bytes; word w lies in bank w mod 32; inactive lanes take no part. A request is cut into
// groups of consecutive lanes: 32 lanes for 4-byte, 16 for 8-byte, 8 for 16-byte accesses. For loads of 8
// and 16 bytes, if over the whole warp every lane whose partner lane (l xor 1) is active has the same
// address as that partner, or the same holds for (l xor 2), two neighbouring groups are served together.
// The degree of a group is the largest number of different words that fall into one bank; the same word is
// broadcast. A request takes the sum of its groups' degrees in wavefronts; what exceeds one wavefront per
// group that has an active lane is excess ("bank conflicts").
// Hardware counters: l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{ld,st}.sum and
// l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{ld,st}.sum.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

inline constexpr int bank_count = 32;
inline int bank_of(std::uint32_t byte_address) { return static_cast<int>(byte_address / 4 % bank_count); }

using Addresses = std::array<std::uint32_t, 32>;  // byte address per lane; inactive lanes are ignored

struct BankCost {
  int wavefronts = 0;
  int groups = 0;  // groups with an active lane: the wavefronts a conflict-free request would take
  int degree = 0;  // the largest degree of a group
  int excess() const { return wavefronts - groups; }
};

// The cost of one warp request. `width` is 4, 8 or 16 bytes; addresses are multiples of it.
BankCost bank_cost(bool load, int width, std::uint32_t mask, const Addresses& addresses);

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
