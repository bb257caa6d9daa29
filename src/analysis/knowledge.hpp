// What is known to have happened: sets of threads, each until a moment.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

namespace upsweep {

// An event's place in the order of issue, from 1.
using Moment = std::uint32_t;

struct Known {
  std::uint64_t who;  // a thread, a block or a grid, as HappensBefore numbers them
  Moment until;
  bool operator==(const Known&) const = default;
};
// Sorted by `who`; null: nothing.
using Knowledge = std::shared_ptr<const std::vector<Known>>;

// Of entries about the same threads the latest is kept.
Knowledge combined(std::vector<Known> entries);
// All that any of them knows.
Knowledge combined(std::vector<Knowledge> parts);
void add(Knowledge& to, const Knowledge& more);
// Without what is known of one block's own threads until a moment, and with the moment itself instead.
Knowledge folded(const Knowledge& k, std::uint32_t block, Moment until);
// 0 if nothing is known of them.
Moment until_of(const Knowledge& k, std::uint64_t who);

}  // namespace upsweep
