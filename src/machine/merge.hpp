// From what single lanes did to what their warp requested.
#pragma once
#include <array>
#include <span>

#include "machine/emulated_thread.hpp"

namespace upsweep {

// One warp's lanes, each with its records that are not yet part of an event.
class Lanes {
 public:
  using Records = std::array<std::span<const Record>, 32>;
  Lanes(std::span<Thread> threads, std::uint32_t block, const Records& records);

  // Appends the events of one step: the lanes' records merged by the convergence rule (control_flow.hpp),
  // then an event for each place where lanes wait at the barrier that ends the step.
  void merge(std::uint32_t step, Trace& trace);
  // What is left.
  std::span<const Record> records(std::size_t lane) const { return {next_[lane], end_[lane]}; }

 private:
  std::uint32_t heads(std::uint32_t step) const;
  std::uint32_t first_group(std::uint32_t mask) const;
  std::uint32_t first_in_line(std::uint32_t mask) const;
  bool comes_later(int lane, const Record& site) const;
  std::uint32_t emit(std::uint32_t group, Trace& trace);
  void emit_barriers(std::uint32_t step, Trace& trace) const;
  const Record& head(int lane) const { return *next_[static_cast<std::size_t>(lane)]; }

  std::span<Thread> threads_;
  std::uint32_t block_;
  std::uint16_t warp_;
  std::array<const Record*, 32> next_{}, end_{};
};

}  // namespace upsweep
