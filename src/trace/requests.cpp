#include "trace/requests.hpp"

#include <algorithm>
#include <bit>
#include <span>

namespace upsweep {
namespace {

// Returns whether both lanes have the same address in each pair of active lanes l and (l xor `distance`).
bool partners_agree(int distance, std::uint32_t mask, const Addresses& addresses) {
  for (std::uint32_t m = mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(m));
    const std::size_t partner = lane ^ static_cast<std::size_t>(distance);
    if ((mask >> partner & 1) != 0 && addresses[lane] != addresses[partner]) return false;
  }
  return true;
}

// The different addresses of some lanes, ascending. In most requests, the lanes' addresses ascend already.
template <class Address>
class Different {
 public:
  Different(std::uint32_t lanes, const std::array<Address, 32>& addresses) {
    bool ascend = true;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      const Address address = addresses[static_cast<std::size_t>(std::countr_zero(rest))];
      if (count_ > 0 && address <= all_[count_ - 1]) {
        if (address == all_[count_ - 1]) continue;
        ascend = false;
      }
      all_[count_++] = address;
    }
    if (ascend) return;
    std::sort(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(count_));
    count_ = static_cast<std::size_t>(
        std::unique(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(count_)) - all_.begin());
  }
  const Address* begin() const { return all_.data(); }
  const Address* end() const { return all_.data() + count_; }

 private:
  std::array<Address, 32> all_;
  std::size_t count_ = 0;
};

}  // namespace

int lanes_per_group(bool load, int width, std::uint32_t mask, const Addresses& addresses,
                    const BankModel& model) {
  const int lanes = model.lanes * 4 / std::max(width, 4);
  const bool together = model.lanes == 32 && load && width > 4 &&
                        (partners_agree(1, mask, addresses) || partners_agree(2, mask, addresses));
  return together ? 2 * lanes : lanes;
}

BankCost bank_cost(bool load, int width, std::uint32_t mask, const Addresses& addresses,
                   const BankModel& model) {
  if (width <= 4 && model == BankModel())
    if (const int degree =
            ascending_degree(mask, [&](int lane) { return addresses[static_cast<std::size_t>(lane)]; });
        degree > 0)
      return {degree, 1, degree};
  BankCost cost;
  const int lanes = lanes_per_group(load, width, mask, addresses, model);
  for (int begin = 0; begin < 32; begin += lanes) {
    const std::uint32_t active = lanes == 32 ? mask : mask & (((1u << lanes) - 1) << begin);
    if (active == 0) continue;
    // Counts the different words in each bank. Accesses are aligned to their width, so two different accesses
    // touch different words, or the two halves of one word. The variable `behind` makes sure that a word with
    // two accessed halves counts only once.
    std::array<std::uint8_t, bank_count> words{};
    int degree = 0;
    std::uint32_t behind = 0;  // 1 + the index of the last counted word in memory
    for (const std::uint32_t address : Different<std::uint32_t>(active, addresses)) {
      std::uint32_t word = std::max(address / 4, behind);
      for (behind = (address + static_cast<std::uint32_t>(width) + 3) / 4; word < behind; ++word)
        degree = std::max<int>(degree, ++words[word % static_cast<std::uint32_t>(model.banks)]);
    }
    cost.wavefronts += degree;
    cost.groups += 1;
    cost.degree = std::max(cost.degree, degree);
  }
  return cost;
}

SectorCost sector_cost(int width, std::uint32_t mask, const std::array<std::int64_t, 32>& addresses) {
  // Accesses are aligned to their width, so no access is in two sectors, and different accesses do not
  // overlap. So only the different addresses must be counted.
  const Different<std::int64_t> different(mask, addresses);
  const std::span<const std::int64_t> ascending(different.begin(), different.end());
  SectorCost cost;
  cost.ideal = (static_cast<int>(ascending.size()) * width + sector_bytes - 1) / sector_bytes;
  std::int64_t last = -1;
  for (const std::int64_t address : ascending) {
    cost.sectors += address / sector_bytes != last;
    last = address / sector_bytes;
  }
  return cost;
}

}  // namespace upsweep
