// Merges the actions of single lanes into the requests of their warp.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "machine/emulator/emulated_thread.hpp"

namespace upsweep {

// Records of the lanes of one warp. Each lane's records are adjacent.
using LaneRecords = std::array<std::vector<Record>, 32>;

// Returns the size in bytes of the cell that an access touches. Returns 1 for an action that is not an
// access.
inline std::int64_t cell_bytes(What what) {
  if (!is_access(what.kind())) return 1;
  return is_atomic(what.kind()) ? what.width() : what.width() / what.parts();
}

// The recording of one block. Step numbers count from the grid's first step. Origins and Event::first count
// from the block's first event.
struct BlockRecording {
  Launch* launch = nullptr;
  std::uint32_t block = 0;
  bool in_focus = true;  // if false, only actions for which tells_who_waits() is true become events
  std::vector<Event> events{};
  std::vector<Lane> lanes{};
  std::vector<Value> values{};
  std::vector<Snapshot> snapshots{};
};

// Returns whether an event is recorded even if its block is out of focus (not recorded in full). Returns true
// for fences, and for atomics and volatile accesses to global memory, because these events show how blocks
// wait for each other.
inline bool tells_who_waits(Kind kind, bool is_volatile_access) {
  return kind == Kind::fence || (is_global(kind) && (is_volatile_access || is_atomic(kind)));
}

// The records of one warp that are not part of an event yet.
class Lanes {
 public:
  // Requires that the lanes in `went` have just run, one after another, and have written this log.
  Lanes(std::span<Thread> threads, std::uint32_t went, const ThreadLog& log);
  Lanes(std::span<Thread> threads, const LaneRecords& records);

  // Appends the events of one step. Merges the lanes' records by the convergence rule (control_flow.hpp).
  // Then adds an event for each place at which lanes wait at the barrier that ends the step.
  void merge(std::uint32_t step, BlockRecording& to) {
    merge_records(step, to);
    emit_barriers(step, to);
  }
  void merge_records(std::uint32_t step, BlockRecording& to);
  void emit_barriers(std::uint32_t step, BlockRecording& to) const;
  // Appends the events of all steps that have records, but no events for barriers.
  void merge_all(BlockRecording& to) {
    const auto [first, last] = steps();
    for (std::uint32_t step = first; step <= last; ++step) merge_records(step, to);
  }
  // Returns the first and the last step of the records.
  std::pair<std::uint32_t, std::uint32_t> steps() const;
  // Appends the remaining records to `kept`. Returns the last step of these records, or 0 if no records
  // remain.
  std::uint32_t keep(LaneRecords& kept) const;
  // Removes the merged records from `records`. Requires that this object was made from `records`. Returns the
  // last step of the remaining records, or 0 if no records remain.
  std::uint32_t forget_merged(LaneRecords& records) const;

 private:
  void make_room(std::size_t lane, std::size_t last);
  std::uint32_t heads(std::uint32_t step) const;
  std::uint32_t first_group(std::uint32_t mask) const;
  std::uint32_t first_in_line(std::uint32_t mask) const;
  bool comes_later(int lane, const Record& site) const;
  // The state of the lanes after an event.
  struct Rest {
    std::uint32_t lanes = 0;  // lanes whose next record belongs to the step
    bool together = true;     // whether the next records of all these lanes have the same action and place
  };
  Rest emit(std::uint32_t group, BlockRecording& to);
  void count(std::uint32_t group, const BlockRecording& to) const;
  void touch_atomically(std::uint32_t group, std::vector<Stretch>& touched) const;
  template <bool several_turns>
  Rest take(std::uint32_t group, BlockRecording& to);
  template <bool several_turns, bool stores, bool operates>
  Rest take(std::uint32_t group, BlockRecording& to);
  Rest take_parts(std::uint32_t group, BlockRecording& to);
  Rest skip(std::uint32_t group);
  std::uint32_t stamped(std::uint32_t time, const BlockRecording& to) const;
  void emit_barrier(const Thread& first, std::uint32_t mask, BlockRecording& to) const;
  const Record& head(int lane) const { return *next_[static_cast<std::size_t>(lane)]; }

  std::span<Thread> threads_;
  Warp& warp_;
  // True if this object was made from kept records. The lanes may then have run in several groups, one group
  // after another, so records of one action may have different times.
  bool several_turns_ = false;
  std::uint16_t warp_index_;
  std::uint32_t merged_ = 0;                  // the number of merged events
  std::uint32_t present_ = 0;                 // the lanes with records
  std::array<const Record*, 32> next_, end_;  // for each lane: the next record, and the end of its records
};

}  // namespace upsweep
