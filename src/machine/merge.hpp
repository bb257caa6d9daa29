// From what single lanes did to what their warp requested.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "machine/emulated_thread.hpp"

namespace upsweep {

// The records of one warp that are not yet part of an event, each lane's in a row.
class Lanes {
 public:
  Lanes(std::span<Thread> threads, std::uint32_t block, std::span<const Record> records);

  // Appends the events of one step: the lanes' records merged by the convergence rule (control_flow.hpp),
  // then an event for each place where lanes wait at the barrier that ends the step.
  void merge(std::uint32_t step, Trace& trace);
  // Appends what is left to `kept`; gives its last step, or 0.
  std::uint32_t keep(std::vector<Record>& kept) const;

 private:
  std::uint32_t heads(std::uint32_t step) const;
  std::uint32_t first_group(std::uint32_t mask) const;
  std::uint32_t first_in_line(std::uint32_t mask) const;
  bool comes_later(int lane, const Record& site) const;
  // What an event leaves behind of its lanes.
  struct Rest {
    std::uint32_t lanes = 0;  // whose next record still belongs to the step
    bool together = true;     // they all stand at one site
  };
  Rest emit(std::uint32_t group, Trace& trace);
  template <bool stores, bool operates>
  Rest take(std::uint32_t group, Trace& trace);
  void emit_barriers(std::uint32_t step, Trace& trace) const;
  void emit_barrier(const Thread& first, std::uint32_t mask, Trace& trace) const;
  const Record& head(int lane) const { return *next_[static_cast<std::size_t>(lane)]; }

  std::span<Thread> threads_;
  Warp& warp_;
  std::uint32_t block_;
  std::uint16_t warp_index_;
  std::uint32_t present_ = 0;                 // lanes that have records
  std::array<const Record*, 32> next_, end_;  // of those
};

}  // namespace upsweep
