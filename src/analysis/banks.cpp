#include "analysis/banks.hpp"

#include <algorithm>

namespace upsweep {
namespace {

// A word that a group of lanes accesses, and the lanes that access it.
struct Word {
  std::uint32_t word;
  std::uint32_t lanes;
  int next;  // the index of the bank's next word, or -1; the words are sorted by lowest lane
};

// The different words that one group of lanes accesses, listed by bank. These are at most 128 words, because
// a group has at most 32 lanes, and a lane accesses at most 4 words.
struct Group {
  std::array<int, bank_count> first, last, count;
  std::array<Word, 128> words;
  int size = 0;
  int degree = 0;

  Group() {
    first.fill(-1);
    last.fill(-1);
    count.fill(0);
  }

  void ask(int lane, std::uint32_t word, std::uint32_t banks) {
    const std::uint32_t bank = word % banks;
    for (int w = first[bank]; w >= 0; w = words[w].next)
      if (words[w].word == word) {
        words[w].lanes |= 1u << lane;
        return;
      }
    words[size] = {word, 1u << lane, -1};
    (first[bank] < 0 ? first[bank] : words[last[bank]].next) = size;
    last[bank] = size++;
    degree = std::max(degree, ++count[bank]);
  }
};

// Calls f(group) for every group of lanes that has an active lane, in ascending order of the lanes.
template <class F>
void for_each_group(bool load, int width, std::uint32_t mask, const Addresses& addresses,
                    const BankModel& model, F f) {
  const int lanes = lanes_per_group(load, width, mask, addresses, model);
  for (int begin = 0; begin < 32; begin += lanes) {
    std::uint32_t active = lanes == 32 ? mask : mask & (((1u << lanes) - 1) << begin);
    if (active == 0) continue;
    Group group;
    for (; active != 0; active &= active - 1) {
      const int lane = std::countr_zero(active);
      for (int byte = 0; byte < width; byte += 4)
        group.ask(lane, (addresses[lane] + byte) / 4, static_cast<std::uint32_t>(model.banks));
    }
    f(group);
  }
}

}  // namespace

std::vector<Wavefront> wavefronts(bool load, int width, std::uint32_t mask, const Addresses& addresses,
                                  const BankModel& model) {
  std::vector<Wavefront> all;
  for_each_group(load, width, mask, addresses, model, [&](const Group& group) {
    const std::size_t begin = all.size();
    all.resize(begin + group.degree);
    for (int bank = 0; bank < bank_count; ++bank) {
      std::size_t turn = begin;  // index into `all`: the wavefront that serves the bank's next word
      for (int w = group.first[bank]; w >= 0; w = group.words[w].next)
        all[turn++].served.push_back({bank, group.words[w].word, group.words[w].lanes});
    }
  });
  return all;
}

Addresses addresses_of(const Trace& trace, const Event& event) {
  Addresses addresses{};
  for (std::uint32_t m = event.mask; m != 0; m &= m - 1) {
    const int lane = std::countr_zero(m);
    addresses[lane] = static_cast<std::uint32_t>(trace.lanes[entry_of(event, lane)].address);
  }
  return addresses;
}

std::uint32_t lanes_inside(const Trace& trace, const Event& event) {
  if ((event.flags & is_outside) == 0) return event.mask;
  const std::int64_t size = trace.grids[event.grid].shared.bytes;
  std::uint32_t inside = event.mask;
  for (std::uint32_t m = event.mask; m != 0; m &= m - 1) {
    const int lane = std::countr_zero(m);
    const std::int64_t address = trace.lanes[entry_of(event, lane)].address;
    if (address < 0 || address + event.width > size) inside &= ~(1u << lane);
  }
  return inside;
}

BankCost bank_cost(const Trace& trace, const Event& event, const BankModel& model) {
  return bank_cost(is_load(event.kind), event.width, lanes_inside(trace, event), addresses_of(trace, event),
                   model);
}

}  // namespace upsweep
