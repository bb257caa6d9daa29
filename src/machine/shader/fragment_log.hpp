// Describes the events that a fragment draws into textures while a pass is recorded (see
// shaders/pass_recorded.frag).
#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace upsweep {

// The number of render targets for events. OpenGL 3.3 has at least eight render targets, and one of them is
// for the pass's own result.
inline constexpr int most_fragment_events = 7;

// One event, in the form in which a fragment draws it. If a fragment has fewer than most_fragment_events
// events, all fields of the unused events are 0.
struct FragmentEvent {
  enum class Kind : std::uint8_t { none, fetch, operation, write };
  std::uint32_t what = 0;     // bits 0 to 3: the kind; 4 to 7: the texture or the target; from 8: the line
  std::int32_t place = 0;     // the index of the texel that was fetched or written
  std::uint32_t bits = 0;     // the number that was fetched, computed or written
  std::uint32_t origins = 0;  // bits 0 to 7: for left(); 8 to 15: for right(); 31: for some_lost()

  Kind kind() const { return static_cast<Kind>(what & 15); }
  int which() const { return static_cast<int>(what >> 4 & 15); }
  int line() const { return static_cast<int>(what >> 8); }
  // left() and right() return 1 + the index of the event that produced the left or right operand, or 0 if no
  // event produced it. This event belongs to the same fragment.
  int left() const { return static_cast<int>(origins & 255); }
  int right() const { return static_cast<int>(origins >> 8 & 255); }
  // Set only in the last event: true if the fragment had more than most_fragment_events events.
  bool some_lost() const { return origins >> 31 != 0; }
  bool operator==(const FragmentEvent&) const = default;
};

// The events of successive fragments. drawn[k][f] is event k of fragment f.
using DrawnEvents = std::array<std::vector<FragmentEvent>, most_fragment_events>;

}  // namespace upsweep
