// From what single lanes did to what their warp requested.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "machine/emulator/emulated_thread.hpp"

namespace upsweep {

// Records of the lanes of one warp, each lane's in a row.
using LaneRecords = std::array<std::vector<Record>, 32>;

// How far the addresses of neighbouring cells lie apart; 1 where a record has no cell.
inline std::int64_t cell_bytes(What what) {
  if (!is_access(what.kind())) return 1;
  return is_atomic(what.kind()) ? what.width() : what.width() / what.parts();
}

// What one block did. Steps count from the grid's first, origins and Event::first from the block's own.
struct BlockRecording {
  Launch* launch = nullptr;
  std::uint32_t block = 0;
  bool in_focus = true;  // else only what tells how blocks wait for each other
  std::vector<Event> events{};
  std::vector<Lane> lanes{};
  std::vector<Value> values{};
  std::vector<Snapshot> snapshots{};
};

// The records of one warp that are not yet part of an event.
class Lanes {
 public:
  // `went` have just run, one after another, and left this log.
  Lanes(std::span<Thread> threads, std::uint32_t went, const ThreadLog& log);
  Lanes(std::span<Thread> threads, const LaneRecords& records);

  // Appends the events of one step: the lanes' records merged by the convergence rule (control_flow.hpp),
  // then an event for each place where lanes wait at the barrier that ends the step.
  void merge(std::uint32_t step, BlockRecording& to) {
    merge_records(step, to);
    emit_barriers(step, to);
  }
  void merge_records(std::uint32_t step, BlockRecording& to);
  void emit_barriers(std::uint32_t step, BlockRecording& to) const;
  // The events of all steps that there are records of; without barriers.
  void merge_all(BlockRecording& to) {
    const auto [first, last] = steps();
    for (std::uint32_t step = first; step <= last; ++step) merge_records(step, to);
  }
  // Steps that the records belong to: from the first to the last.
  std::pair<std::uint32_t, std::uint32_t> steps() const;
  // Appends what is left to `kept`; gives its last step, or 0.
  std::uint32_t keep(LaneRecords& kept) const;
  // Removes what is merged from `records`, from which these lanes were made. Gives the last step of what
  // is left, or 0.
  std::uint32_t forget_merged(LaneRecords& records) const;

 private:
  void make_room(std::size_t lane, std::size_t last);
  std::uint32_t heads(std::uint32_t step) const;
  std::uint32_t first_group(std::uint32_t mask) const;
  std::uint32_t first_in_line(std::uint32_t mask) const;
  bool comes_later(int lane, const Record& site) const;
  // What an event leaves behind of its lanes.
  struct Rest {
    std::uint32_t lanes = 0;  // whose next record still belongs to the step
    bool together = true;     // they all stand at one site
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
  bool several_turns_ = false;  // of the warp: its records differ in time
  std::uint16_t warp_index_;
  std::uint32_t merged_ = 0;                  // events
  std::uint32_t present_ = 0;                 // lanes that have records
  std::array<const Record*, 32> next_, end_;  // of those
};

}  // namespace upsweep
