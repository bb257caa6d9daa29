// Computes the cost of one warp request to memory. For shared memory, a model of the banks computes the cost.
// On compute capability 9.0, the model agreed with the hardware in 900 of 900 random accesses of 4, 8 and 16
// bytes.
//
// There are 32 banks of 4 bytes. Word w lies in bank w mod 32. Inactive lanes take no part.
//
// A request is cut into groups of consecutive lanes: 32 lanes for accesses of 2 and 4 bytes, 16 lanes for 8
// bytes, and 8 lanes for 16 bytes.
//
// For loads of 8 and 16 bytes, two neighbouring groups are served together if the two lanes of each pair have
// the same address. The pairs are either all lanes l and (l xor 1), or all lanes l and (l xor 2). A pair with
// an inactive lane does not count.
//
// The degree of a group is the largest number of different words that lie in one bank. A word that several
// lanes read counts once (a broadcast), even if 2-byte accesses read its two halves.
//
// The number of a request's wavefronts is the sum of the degrees of the request's groups. Without conflicts,
// this number would be the number of groups with an active lane. All further wavefronts are excess wavefronts
// ("bank conflicts"). Hardware counters: l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{ld,st}.sum and
// l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{ld,st}.sum.
//
// For global memory, the cost is the number of 32-byte sectors that a request touches. This number is
// compared with the smallest number of sectors that could hold the request's bytes. Buffers begin on a sector
// boundary, so the sector of a byte follows from the byte's offset in its buffer. Hardware counters:
// l1tex__t_sectors_pipe_lsu_mem_global_op_{ld,st}.sum.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace upsweep {

inline constexpr int bank_count = 32;

// The banks of an architecture. `lanes` is the number of lanes in a group for accesses of at most 4 bytes.
struct BankModel {
  int banks = bank_count, lanes = 32;
  bool operator==(const BankModel&) const = default;
};
// The banks of compute capability 1.x. The first papers about padding measured this hardware. The model is
// not exact: the model broadcasts any number of words at the same time, but this hardware could broadcast
// only one word.
inline constexpr BankModel half_warp_banks{16, 16};

inline int bank_of(std::uint32_t byte_address, const BankModel& model = {}) {
  return static_cast<int>(byte_address / 4) % model.banks;
}

using Addresses = std::array<std::uint32_t, 32>;  // byte address per lane; inactive lanes are ignored

struct BankCost {
  int wavefronts = 0;
  int groups = 0;  // groups with an active lane: the wavefronts of a request without conflicts
  int degree = 0;  // the largest degree of a group
  int excess() const { return wavefronts - groups; }
};

// Returns the cost of one warp request. `width` must be 2, 4, 8 or 16 bytes, and addresses must be multiples
// of `width`.
BankCost bank_cost(bool load, int width, std::uint32_t mask, const Addresses& addresses,
                   const BankModel& model = {});

// Returns the number of neighbouring lanes that are served as one group: 8, 16 or 32. For half_warp_banks,
// the number is 4, 8 or 16.
int lanes_per_group(bool load, int width, std::uint32_t mask, const Addresses& addresses,
                    const BankModel& model = {});

// Returns the degree of a group quickly, in the usual case: at most 4 bytes per lane, and addresses that
// ascend from lane to lane. Returns 0 if the addresses do not ascend.
template <class AddressOf>
int ascending_degree(std::uint32_t mask, AddressOf address_of) {
  std::array<std::uint8_t, bank_count> words{};
  int degree = 0;
  std::int64_t last = -1;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const std::int64_t word = address_of(std::countr_zero(rest)) / 4;
    if (word == last) continue;  // broadcast
    if (word < last) return 0;
    last = word;
    degree = std::max<int>(degree, ++words[static_cast<std::size_t>(word) % bank_count]);
  }
  return degree;
}

inline constexpr int sector_bytes = 32;

struct SectorCost {
  int sectors = 0;  // different sectors touched by the active lanes
  // The number of sectors that the accessed bytes would need if they were adjacent: ceil(bytes / 32).
  int ideal = 0;
};

// Returns the cost of one warp request. Each address is the first byte of a lane's access and must be a
// multiple of `width`.
SectorCost sector_cost(int width, std::uint32_t mask, const std::array<std::int64_t, 32>& addresses);

}  // namespace upsweep
