// The order in which a kernel's text requires two accesses of one block. The accesses may have happened in
// another order in a run.
//
// All threads of a block count the same steps, so the access with the earlier step comes first. Within a step
// the round of the loops decides, and then the line.
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
  // An access: its event, and the lane.
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
  // The line at which each step of a block begins: the line of the barrier before it or of its step mark; 0
  // if the block did nothing in the step.
  const std::vector<int>& begins(const Event& e);
  std::vector<int> find_begins(std::size_t first_event) const;
  int line_of_mark(std::uint32_t step, int before) const;
  int round_begun(int from, int to, bool same_line) const;
  int loop_apart(int line, int other) const;
  int rounds_in_step(Access access, int loop);

  const Trace& trace_;
  const KernelText& text_;
  std::map<std::pair<std::uint16_t, std::uint32_t>, std::vector<int>> begins_;  // by grid and block
};

}  // namespace upsweep
