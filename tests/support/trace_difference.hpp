// Describes the differences between two recordings of the same run.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

inline std::string describe_event(const Trace& t, std::size_t i) {
  if (i >= t.events.size()) return "nothing";
  constexpr const char* kinds[] = {
      "shared load",   "shared store", "global load", "global store", "operation", "barrier", "shared atomic",
      "global atomic", "shuffle",      "vote",        "warp barrier", "fence",     "launch"};
  const Event& e = t.events[i];
  std::string text = fmt::format("{} of buffer {}, {} bytes, block {} step {} warp {} line {} mask {:08x}",
                                 kinds[static_cast<int>(e.kind)], e.buffer, e.width, e.block, e.step, e.warp,
                                 e.line, e.mask);
  if (!has_lanes(e.kind)) return text;
  for_each_lane(e, [&](int lane, std::uint32_t entry) {
    if (entry >= t.lanes.size()) return;
    const Lane& l = t.lanes[entry];
    const Value& v = t.values[entry];
    text += fmt::format("\n      lane {}: address {} left {} right {} value {:08x} {:08x} {:08x} {:08x}",
                        lane, l.address, l.left, l.right, v[0], v[1], v[2], v[3]);
  });
  return text;
}

// Returns a text about the first difference of two recordings. Returns an empty string if settings, inputs,
// text, buffers, grids, steps, events, lane data, snapshots and output are equal. Ignores the times of
// events.
inline std::string difference(const Trace& a, const Trace& b) {
  const auto same_event = [&](std::size_t i) {
    if (i >= a.events.size() || i >= b.events.size()) return false;
    Event x = a.events[i], y = b.events[i];
    x.time = y.time = 0;  // the time may differ from run to run
    if (!(x == y)) return false;
    bool same = true;
    if (has_lanes(x.kind))
      for_each_lane(a.events[i], [&](int, std::uint32_t entry) {
        same = same && a.lanes[entry] == b.lanes[entry] && a.values[entry] == b.values[entry];
      });
    return same;
  };
  for (std::size_t i = 0; i < std::max(a.events.size(), b.events.size()); ++i)
    if (!same_event(i))
      return fmt::format("event {} of {} on {} and {} on {} differs:\n  {}: {}\n  {}: {}", i, a.events.size(),
                         name(a.machine), b.events.size(), name(b.machine), name(a.machine),
                         describe_event(a, i), name(b.machine), describe_event(b, i));
  if (a.lanes != b.lanes || a.values != b.values) return "the lane data differs beyond the events";
  if (a.steps.size() != b.steps.size())
    return fmt::format("{} steps on {}, {} on {}", a.steps.size(), name(a.machine), b.steps.size(),
                       name(b.machine));
  for (std::size_t i = 0; i < a.steps.size(); ++i)
    if (!(a.steps[i] == b.steps[i]))
      return fmt::format("step {} is {} {} on {}, {} {} on {}", i, name(a.steps[i].phase), a.steps[i].stride,
                         name(a.machine), name(b.steps[i].phase), b.steps[i].stride, name(b.machine));
  if (a.snapshots.size() != b.snapshots.size())
    return fmt::format("{} snapshots on {}, {} on {}", a.snapshots.size(), name(a.machine),
                       b.snapshots.size(), name(b.machine));
  for (std::size_t i = 0; i < a.snapshots.size(); ++i) {
    const Snapshot &x = a.snapshots[i], &y = b.snapshots[i];
    if (x.block != y.block || x.step != y.step || x.bytes.size() != y.bytes.size())
      return fmt::format(
          "snapshot {} is of block {} step {}, {} bytes, on {}; of block {} step {}, {} bytes, on {}", i,
          x.block, x.step, x.bytes.size(), name(a.machine), y.block, y.step, y.bytes.size(), name(b.machine));
    for (std::size_t byte = 0; byte < x.bytes.size(); ++byte)
      if (x.bytes[byte] != y.bytes[byte])
        return fmt::format("snapshot {} (step {}) differs in byte {}: {:02x} on {}, {:02x} on {}", i, x.step,
                           byte, x.bytes[byte], name(a.machine), y.bytes[byte], name(b.machine));
  }
  if (a.output != b.output) return "the outputs differ";
  if (a.dropped != b.dropped)
    return fmt::format("{} records dropped on {}, {} on {}", a.dropped, name(a.machine), b.dropped,
                       name(b.machine));
  if (!(a.settings == b.settings) || a.input != b.input || a.file != b.file || a.text != b.text ||
      a.grids != b.grids || a.buffers != b.buffers)
    return "the recorded settings, inputs, texts, grids or buffers differ";
  return "";
}

// Returns one text for each lane. The text contains all actions of the lane, and does not depend on which
// lanes of a warp run together.
inline std::vector<std::string> lane_histories(const Trace& t) {
  std::vector<std::string> all(static_cast<std::size_t>(t.grids.front().threads));
  for (const Event& e : t.events)
    for_each_lane(e, [&](int lane, std::uint32_t entry) {
      std::string& history = all[e.warp * 32u + static_cast<std::size_t>(lane)];
      history += fmt::format("{}:{}:{}", e.step, e.line, static_cast<int>(e.kind));
      if (e.kind != Kind::barrier)
        history += fmt::format("@{}={:x} ", t.lanes[entry].address, fmt::join(t.values[entry], ""));
    });
  return all;
}

}  // namespace upsweep
