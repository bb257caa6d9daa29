// Finds out which of two accesses of one block comes first in the kernel's text. If a barrier is missing, a
// run may execute the accesses in the opposite order.
//
// All threads of a block execute the same steps, so the access with the earlier step comes first. If both
// accesses are in the same step, the access in the earlier iteration of a loop comes first. If both accesses
// are also in the same iteration, the access in the earlier line comes first.
#pragma once
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "analysis/hazards.hpp"
#include "trace/kernel_text.hpp"
#include "trace/trace.hpp"

namespace upsweep {

class ProgramOrder {
 public:
  // One thread's access: its event, and the lane of the thread.
  struct Access {
    std::uint32_t event;
    int lane;
  };
  struct Order {
    bool first_is_earlier = true;
    TextOrder order = TextOrder::one_round;
  };

  ProgramOrder(const Trace& trace, const KernelText& text) : trace_(trace), text_(text) {}
  // Compares two accesses of one block.
  Order compare(Access first, Access second);

 private:
  // Returns the line at which each step of the event's block begins. This is the line of the barrier before
  // the step, or the line that calls step(). The line is 0 if the block did nothing in the step.
  const std::vector<int>& begins(const Event& e);
  std::vector<int> find_begins(std::size_t first_event) const;
  int line_of_mark(std::uint32_t step, int before) const;
  int round_begun(int from, int to, bool same_line) const;
  int loop_apart(int line, int other) const;
  int rounds_in_step(Access access, int loop);

  const Trace& trace_;
  const KernelText& text_;
  std::map<std::pair<std::uint16_t, std::uint32_t>, std::vector<int>> begins_;  // the keys are grid and block
};

}  // namespace upsweep
