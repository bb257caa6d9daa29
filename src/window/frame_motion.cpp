// Animates values that move from one step to the next.
#include <utility>

#include "window/frame.hpp"
#include "window/imgui_compat.hpp"

namespace upsweep {

void Frame::with_input(std::size_t slot, const std::function<void(const ViewInput&)>& f) const {
  const Key& key = drawn_[slot].key;
  const Cursor other = !key.beside        ? Cursor()
                       : is_changed(slot) ? session_.cursor()
                                          : session_.changed_cursor();
  const std::optional<Reading> reading =
      key.beside ? std::optional<Reading>(Reading{*key.beside, other}) : std::nullopt;
  f({.recording = *key.recording,
     .cursor = key.cursor,
     .theme = theme(),
     .width = key.width,
     .height = key.height,
     .measured = key.counters.get(),
     .beside = reading ? &*reading : nullptr,
     .lens_frame = key.lens_frame.get(),
     .enlarged = key.enlarged,
     .presented = key.presented});
}

// A second step or a drag ends the running motion. So if a user goes through steps fast, each step is visible
// immediately.
void Frame::follow_steps(double seconds) {
  const Step now{session_.shared_recording(), session_.cursor().step, session_.cursor().block};
  const Step before = std::exchange(step_, now);
  if (now == before) {
    if (moved_) *moved_ += static_cast<float>(seconds / motion_seconds);
    if (moved_ && *moved_ >= 1) moved_.reset();
    return;
  }
  Step next = before;
  ++next.step;
  const bool too_fast = session_.playing() && session_.speed() * motion_seconds > 0.6;
  const bool scrubs = hold_ == Hold::steps || ImGui::GetIO().MouseWheel != 0;
  const bool moves = now == next && !moved_ && values_move(session_.looks) && !too_fast && !scrubs;
  moved_ = moves ? std::optional(0.0f) : std::nullopt;
}

void Frame::add_motion_in(std::size_t slot) {
  const Drawn& drawn = drawn_[slot];
  if (shows_pairs(slot) || drawn.key.waits || drawn.key.view < 0) return;
  auto& [number, motion] = motions_[slot];
  if (number != drawn.number) {
    with_input(slot, [&](const ViewInput& in) { motion = motion_of(*drawn_in(slot), in); });
    number = drawn.number;
  }
  add_motion(moving_, motion, *moved_, box_of(slot).x, box_of(slot).y);
}

}  // namespace upsweep
