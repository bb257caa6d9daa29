// Lists the fields of every kind of row in a trace file, with their names. The code that writes trace files
// and the code that reads trace files use these lists.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

inline constexpr bool as_is = false, from_row_to_row = true;

template <class F>
void fields(const Event*, F f) {
  f("kind", &Event::kind, as_is);
  f("width", &Event::width, as_is);
  f("buffer", &Event::buffer, as_is);
  f("detail", &Event::detail, as_is);
  f("flags", &Event::flags, as_is);
  f("parts", &Event::parts, as_is);
  f("warp", &Event::warp, from_row_to_row);
  f("line", &Event::line, as_is);
  f("grid", &Event::grid, as_is);
  f("block", &Event::block, from_row_to_row);
  f("step", &Event::step, from_row_to_row);
  f("mask", &Event::mask, as_is);
  f("time", &Event::time, from_row_to_row);
}
template <class F>
void fields(const Lane*, F f) {
  f("address", &Lane::address, from_row_to_row);  // Packer also stores `left` and `right`, see relative()
}
inline constexpr std::size_t most_own_phases = UINT8_MAX - std::size(phase_names);
struct StepRow {
  std::uint8_t phase = 0;  // an index into phase_names; larger numbers are the recording's own phases
  int stride = 0;
};
template <class F>
void fields(const StepRow*, F f) {
  f("phase", &StepRow::phase, as_is);
  f("stride", &StepRow::stride, as_is);
}
template <class F>
void fields(const BlockRun*, F f) {
  f("grid", &BlockRun::grid, from_row_to_row);
  f("sm", &BlockRun::sm, as_is);
  f("block", &BlockRun::block, from_row_to_row);
  f("in_focus", &BlockRun::in_focus, as_is);
  f("begin", &BlockRun::begin, from_row_to_row);
  f("end", &BlockRun::end, from_row_to_row);
}
template <class F>
void fields(const Count*, F f) {
  f("step", &Count::step, from_row_to_row);
  f("line", &Count::line, as_is);
  f("kind", &Count::kind, as_is);
  f("detail", &Count::detail, as_is);
  f("requests", &Count::requests, as_is);
  f("lanes", &Count::lanes, as_is);
  f("units", &Count::units, as_is);
  f("ideal", &Count::ideal, as_is);
}
struct SnapshotRow {
  std::uint32_t block = 0, step = 0;
  std::uint64_t bytes = 0;
};
template <class F>
void fields(const SnapshotRow*, F f) {
  f("block", &SnapshotRow::block, from_row_to_row);
  f("step", &SnapshotRow::step, from_row_to_row);
  f("bytes", &SnapshotRow::bytes, as_is);
}
struct ByteRow {
  std::uint8_t byte = 0;
};
template <class F>
void fields(const ByteRow*, F f) {
  f("byte", &ByteRow::byte, as_is);
}
struct ClockRow {
  std::uint32_t clock = 0;
};
template <class F>
void fields(const ClockRow*, F f) {
  f("clock", &ClockRow::clock, from_row_to_row);
}
inline constexpr const char* words_of_value[] = {"word 0", "word 1", "word 2",
                                                 "word 3"};  // the words of a Value

// This function does not compile if one of these structs gets a new field. Add the new field to this
// function, and also to fields() above or to Packer and Unpacker.
[[maybe_unused]] inline void every_field_is_known(const Trace& t, const Grid& g, const Event& e,
                                                  const BlockRun& r, const Count& c) {
  [[maybe_unused]] const auto& [t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15, t16,
                                t17, t18, t19, t20, t21, t22, t23, t24, t25, t26, t27] = t;
  [[maybe_unused]] const auto& [s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10] = t.settings;
  [[maybe_unused]] const auto& [g0, g1, g2, g3, g4, g5, g6, g7, g8, g9, g10] = g;
  [[maybe_unused]] const auto& [h0, h1, h2, h3, h4, h5, h6, h7, h8] = g.shared;
  [[maybe_unused]] const auto& [m0, m1, m2, m3, m4, m5] = g.shared.more.front();
  [[maybe_unused]] const auto& [b0, b1, b2, b3] = t.buffers.front();
  [[maybe_unused]] const auto& [p0, p1] = t.steps.front();
  [[maybe_unused]] const auto& [e0, e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, e11, e12, e13] = e;
  [[maybe_unused]] const auto& [l0, l1, l2] = t.lanes.front();
  [[maybe_unused]] const auto& [n0, n1, n2] = t.snapshots.front();
  [[maybe_unused]] const auto& [r0, r1, r2, r3, r4, r5] = r;
  [[maybe_unused]] const auto& [c0, c1, c2, c3, c4, c5, c6, c7] = c;
  [[maybe_unused]] const auto& [w0, w1, w2, w3, w4] = t.stopped;
  [[maybe_unused]] const auto& [f0, f1, f2, f3, f4] = t.stopped.places.front();
}

template <class T>
struct BitsOf {
  using type = std::make_unsigned_t<T>;
};
template <class T>
requires std::is_enum_v<T>
struct BitsOf<T> {
  using type = std::make_unsigned_t<std::underlying_type_t<T>>;
};
template <>
struct BitsOf<bool> {
  using type = std::uint8_t;
};

inline std::uint32_t entries(const Event& e) {
  return has_lanes(e.kind) ? static_cast<std::uint32_t>(std::popcount(e.mask)) * e.parts : 0;
}

// Calls f(entry) for each entry of an event. `existing` is the number of entries in the trace. Skips entries
// that do not exist in the trace.
template <class F>
void for_each_entry(const Event& e, std::size_t existing, F f) {
  const std::size_t last = std::min<std::size_t>(std::size_t{e.first} + entries(e), existing);
  for (std::size_t k = e.first; k < last; ++k) f(k);
}

// An origin contains the index of the event that produced a value. Replaces this index by its distance to
// `event`, the index of the event that uses the value. A second call restores the index. The origin 0 and the
// part of an origin do not change.
inline Origin relative(Origin o, std::uint32_t event) {
  constexpr Origin events = (Origin{1} << origin_part_shift) - 1;
  const Origin from = (event + 1) & events, to = o & events;
  const Origin back = to == 0 ? 0 : to == from ? from : (from - to) & events;
  return (o & ~events) | back;
}

// Calls f(entry, event) for every lane entry of every event.
template <class F>
void for_each_entry(const std::vector<Event>& events, std::size_t existing, F f) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    const std::size_t first = events[i].first, last = std::min(first + entries(events[i]), existing);
    for (std::size_t k = first; k < last; ++k) f(k, static_cast<std::uint32_t>(i));
  }
}

}  // namespace upsweep
