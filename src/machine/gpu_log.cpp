#include "machine/gpu_log.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <tuple>

namespace upsweep {

namespace {

// Entries in canonical order: by block, step and warp; a warp's own entries were begun in the order in which
// it issued them.
std::vector<std::uint32_t> canonical_order(const GpuLog& log) {
  std::vector<std::uint32_t> order(log.entries.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto key = [&](std::uint32_t i) {
    const LogEntry& e = log.entries[i];
    return std::tuple(e.block, e.step, e.warp);
  };
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) < key(b); });
  return order;
}

void read_events(const GpuLog& log, Trace& trace) {
  const auto bytes = static_cast<std::size_t>(trace.element_bytes());
  const std::vector<std::uint32_t> order = canonical_order(log);
  std::vector<Origin> origin(order.size() + 1);  // of 1 + an entry's number; what was dropped has none
  for (std::uint32_t i = 0; i < order.size(); ++i) origin[order[i] + 1] = i + 1;
  const auto renumbered = [&](unsigned o) { return o < origin.size() ? origin[o] : 0; };

  trace.events.reserve(order.size());
  for (const std::uint32_t i : order) {
    const LogEntry& e = log.entries[i];
    const auto kind = static_cast<Kind>(e.kind);
    trace.events.push_back({.kind = kind,
                            .width = static_cast<std::uint8_t>(kind == Kind::barrier ? 0 : bytes),
                            .buffer = static_cast<std::uint8_t>(e.buffer),
                            .warp = static_cast<std::uint16_t>(e.warp),
                            .line = static_cast<std::uint16_t>(e.line),
                            .block = e.block,
                            .step = e.step,
                            .mask = e.mask,
                            .first = static_cast<std::uint32_t>(trace.lanes.size())});
    if (kind == Kind::barrier) continue;  // carries no lane data
    for (std::uint32_t m = e.mask; m != 0; m &= m - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(m));
      trace.lanes.push_back({e.address[lane], renumbered(e.left[lane]), renumbered(e.right[lane])});
      Value value{};
      std::memcpy(value.data(), log.values.data() + (std::size_t{i} * 32 + lane) * bytes, bytes);
      trace.values.push_back(value);
    }
  }
}

// A step that the kernel did not label continues the one before.
void read_steps(const GpuLog& log, Trace& trace) {
  Step label;
  for (const LogStep& s : log.steps) {
    if (s.marked) label = {static_cast<Phase>(s.phase), s.stride};
    trace.steps.push_back(label);
  }
}

// Every step that a barrier opened has a snapshot. Shared memory begins with anything on a GPU; only what was
// stored counts.
void read_snapshots(const GpuLog& log, Trace& trace) {
  const std::size_t bytes = log.steps.empty() ? 0 : log.snapshots.size() * 4 / log.steps.size();
  const auto width = static_cast<std::size_t>(trace.element_bytes());
  std::vector<bool> stored(bytes / width);
  auto event = trace.events.begin();
  for (std::uint32_t step = 0; step < log.steps.size(); ++step) {
    for (; event != trace.events.end() && event->step < step; ++event)
      if (event->kind == Kind::shared_store)
        for_each_lane(*event, [&](int, std::uint32_t entry) {
          const std::size_t cell = trace.lanes[entry].address / width;
          if (cell < stored.size()) stored[cell] = true;
        });
    if (log.steps[step].arrived == 0) continue;
    Snapshot snapshot{.block = 0, .step = step, .bytes = std::vector<std::uint8_t>(bytes)};
    const auto* from = reinterpret_cast<const std::uint8_t*>(log.snapshots.data()) + step * bytes;
    for (std::size_t cell = 0; cell < stored.size(); ++cell)
      if (stored[cell]) std::memcpy(snapshot.bytes.data() + cell * width, from + cell * width, width);
    trace.snapshots.push_back(std::move(snapshot));
  }
}

}  // namespace

void read_log(const GpuLog& log, Trace& trace) {
  read_events(log, trace);
  read_steps(log, trace);
  read_snapshots(log, trace);
  trace.dropped = log.dropped;
}

}  // namespace upsweep
