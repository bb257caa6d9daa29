// Allocates GPU memory for the recorder's log, and copies the log from this memory.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/job.hpp"
#include "machine/gpu/gpu_device.hpp"
#include "machine/gpu/gpu_log.hpp"

namespace upsweep {

// Throws Cancelled if the job is cancelled.
inline void expect_wanted(const Job* job) {
  if (job != nullptr) job->check();
}

// The capacity of a recorder's log. The default is enough for several blocks of 1,024 threads and 1,024
// elements. If a run needs more, the run is recorded again with a larger log.
struct Capacity {
  std::uint64_t words = 32u << 20;
  std::uint32_t events = 256u << 10, counts = 16u << 10, runs = 256, grids = 0, snapshots = 256;

  std::size_t bytes() const {
    return words * 4 + events * sizeof(LogEvent) + counts * sizeof(LogCount) + runs * sizeof(LogRun) +
           grids * sizeof(LogGrid) + snapshots * sizeof(LogSnapshot);
  }
};

// The recorder's memory on the GPU.
class RecorderMemory {
 public:
  Log prepare(const Capacity& room) {
    Log log{};
    events_.reserve_filled(room.events * sizeof(LogEvent), 0xff);
    pool_.reserve(room.words * 4);
    counts_.reserve_filled(room.counts * sizeof(LogCount), 0);
    runs_.reserve(room.runs * sizeof(LogRun));
    grids_.reserve(room.grids * sizeof(LogGrid));
    snapshots_.reserve(room.snapshots * sizeof(LogSnapshot));
    stops_.reserve(most_stops * sizeof(LogStop));
    log.events = at<LogEvent>(events_);
    log.pool = at<unsigned>(pool_);
    log.counts = at<LogCount>(counts_);
    log.runs = at<LogRun>(runs_);
    log.grids = at<LogGrid>(grids_);
    log.snapshots = at<LogSnapshot>(snapshots_);
    log.stops = at<LogStop>(stops_);
    log.pool_capacity = room.words;
    log.event_capacity = room.events;
    log.count_capacity = room.counts;
    log.run_capacity = room.runs;
    log.grid_capacity = room.grids;
    log.snapshot_capacity = room.snapshots;
    log.stop_capacity = most_stops;
    return log;
  }

  GpuLog read(const Log& state, const Job* job) const {
    GpuLog log;
    log.state = state;
    const auto words = state.next & ((1ull << log_pool_bits) - 1);
    copy(events_, std::min<std::uint64_t>(state.next >> log_pool_bits, state.event_capacity), log.events,
         job);
    copy(pool_, std::min<std::uint64_t>(words, state.pool_capacity), log.pool, job);
    copy(counts_, state.count_capacity, log.counts, job);
    copy(runs_, std::min(state.runs_known, state.run_capacity), log.runs, job);
    copy(grids_, std::min(state.grids_known, state.grid_capacity), log.grids, job);
    copy(snapshots_, std::min(state.snapshots_known, state.snapshot_capacity), log.snapshots, job);
    copy(stops_, std::min(state.stops_known, state.stop_capacity), log.stops, job);
    return log;
  }

 private:
  static constexpr unsigned most_stops = 4096;
  template <class T>
  static T* at(const Buffer& b) {
    return reinterpret_cast<T*>(b.address());
  }
  template <class T>
  static void copy(const Buffer& from, std::uint64_t count, std::vector<T>& to, const Job* job) {
    expect_wanted(job);
    to.resize(count);
    from.read(to.data(), count * sizeof(T));
  }
  Buffer events_, pool_, counts_, runs_, grids_, snapshots_, stops_;
};

}  // namespace upsweep
