#include "machine/emulator/focus.hpp"

#include <utility>

namespace upsweep {

std::uint64_t size_of(const BlockRecording& r) {
  std::uint64_t size = r.events.size() + r.lanes.size();
  for (const Snapshot& s : r.snapshots) size += s.bytes.size() / (sizeof(Lane) + sizeof(Value));
  return size;
}

void Focus::note_end(std::uint32_t block, std::uint64_t size) {
  const std::scoped_lock lock(mutex_);
  ended_[block - first_] = size;
  for (auto next = ended_.begin(); next != ended_.end() && next->first == added_; next = ended_.erase(next)) {
    sum_ += next->second;
    if (added_ > 0 && sum_ > room_ && added_ < blocks_) blocks_ = added_;
    ++added_;
  }
}

void take_out_of_focus(BlockRecording& r) {
  BlockRecording few{.launch = r.launch, .block = r.block, .in_focus = false};
  for (const Event& e : r.events) {
    if (!tells_who_waits(e.kind, (e.flags & is_volatile) != 0)) continue;
    few.events.push_back(e);
    few.events.back().first = static_cast<std::uint32_t>(few.lanes.size());
    if (!has_lanes(e.kind)) continue;
    for_each_lane(e, [&](int, std::uint32_t entry) {
      few.lanes.push_back({r.lanes[entry].address, 0, 0});
      few.values.push_back(r.values[entry]);
    });
  }
  r = std::move(few);
}

}  // namespace upsweep
