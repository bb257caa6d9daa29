// Decides which blocks of a launch are recorded in full (are in focus), so that a recording does not become
// too large.
#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>

#include "machine/emulator/merge.hpp"

namespace upsweep {

// Returns the size of a block's recording, in entries of Trace::lanes and Trace::events.
std::uint64_t size_of(const BlockRecording& r);

// Decides which of the blocks [first, first + blocks) are in focus (recorded in full). Block `first` is
// always in focus. A later block is in focus only if the sizes of all blocks from `first` to this block add
// up to at most `room`. Several CPU threads may share one object.
class Focus {
 public:
  Focus(std::uint32_t first, std::uint32_t blocks, std::uint64_t room)
      : first_(first), room_(room), blocks_(blocks) {}

  // Returns whether a block is in focus. While earlier blocks still run, the result may change from true to
  // false.
  bool has(std::uint32_t block) const { return block >= first_ && block - first_ < blocks_; }
  std::uint32_t first() const { return first_; }

  // Must be called when a block that began in focus has ended. `size` is the size of the block's recording.
  void note_end(std::uint32_t block, std::uint64_t size);

 private:
  const std::uint32_t first_;
  const std::uint64_t room_;
  std::atomic<std::uint32_t> blocks_;
  std::mutex mutex_;  // guards all members below
  std::map<std::uint32_t, std::uint64_t>
      ended_;                // for each ended block that is not part of sum_ yet: the size of its recording
  std::uint32_t added_ = 0;  // the number of blocks whose sizes are added to sum_
  std::uint64_t sum_ = 0;
};

// Removes from a block's recording everything that is recorded only for blocks in focus.
void take_out_of_focus(BlockRecording& r);

}  // namespace upsweep
