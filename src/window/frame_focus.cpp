// Replaces the mouse by the keyboard. F6 goes from panel to panel, the arrow keys go from thing to thing in a
// panel, Enter clicks, and PgUp and PgDn turn the wheel. The simulated mouse stays over the thing with the
// focus, so the keyboard can do everything that a mouse can do.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/language.hpp"
#include "panels/missing_field.hpp"
#include "scene/paint.hpp"
#include "window/frame.hpp"
#include "window/imgui_compat.hpp"

namespace upsweep {
namespace {

Point centre(const Box& b) { return {b.x + b.w / 2, b.y + b.h / 2}; }

// Returns how far the box `to` is from the box `from` in this direction. A distance at right angles to the
// direction counts three times. Returns a negative number if `to` is not in this direction.
float distance(const Box& from, const Box& to, Point direction) {
  const Point a = centre(from), b = centre(to);
  const float along = (b.x - a.x) * direction.x + (b.y - a.y) * direction.y,
              across = std::abs((b.x - a.x) * direction.y) + std::abs((b.y - a.y) * direction.x);
  return along > 0.5f ? along + 3 * across : -1;
}

}  // namespace

float scaled_text(float scale, float text_scale, int width, int height) {
  constexpr float least_width = 800, least_height = 500;
  const float most =
      std::min(static_cast<float>(width) / least_width, static_cast<float>(height) / least_height);
  return std::min(scale * text_scale, std::max(scale, most));
}

std::vector<Frame::FocusArea> Frame::focus_areas() const {
  std::vector<FocusArea> all;
  const Box window{0, 0, width_, height_};
  const auto add = [&](std::string name, const Panel& panel, float x, float y) {
    FocusArea area{std::move(name), {}};
    for (const Button& b : panel.buttons) {
      const Box there{b.box.x + x, b.box.y + y, b.box.w, b.box.h};
      // A button that covers the whole window never gets the focus.
      const bool is_all = there.w >= width_ - 1 && there.h >= height_ - 1;
      if (b.command.action != Action::none && window.contains(centre(there)) && !is_all)
        area.boxes.push_back(there);
    }
    if (!area.boxes.empty()) all.push_back(std::move(area));
  };
  if (session_.looks.help) {
    add(tr("Help"), help_, 0, 0);
    return all;
  }
  if (layout_[Part::top_bar].h > 0) {
    FocusArea bar{tr("Top bar"), {}};
    for (const ScreenPlace& p : bar_.places())
      if (p.box.y + p.box.h <= top_bar_height * scale_ + 1)
        bar.boxes.push_back({p.box.x / scale_, p.box.y / scale_, p.box.w / scale_, p.box.h / scale_});
    if (!bar.boxes.empty()) all.push_back(std::move(bar));
  }
  if (session_.looks.cards) {
    add(tr("Start page"), cards_, 0, top_bar_height);
    return all;
  }
  const auto at = [&](std::string name, const Panel& panel, const Box& box) {
    if (box.w > 0 && box.h > 0) add(std::move(name), panel, box.x, box.y);
  };
  add(tr("Message"), sentence_, 0, layout_.message);
  at(tr("Presentation"), caption_, layout_.caption);
  at(tr("Lesson"), lesson_.panel, layout_.lesson);
  at(tr("Question"), question_, layout_.question);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const Box& box = box_of(slot);
    if (box.w <= 0 || box.h <= 0 || !recording_in(slot)) continue;
    FocusArea view{tr(views()[static_cast<std::size_t>(view_in(slot))].title), {}};
    if (is_changed(slot)) view.name += tr(", changed run");
    for (const Scene::Target& t : drawn_[slot].scene.targets) {
      const Box there{box.x + t.box.x, box.y + t.box.y, t.box.w, t.box.h};
      if (there.w > 0 && there.h > 0 && box.contains(centre(there))) view.boxes.push_back(there);
    }
    if (!view.boxes.empty()) all.push_back(std::move(view));
  }
  add(tr("Views"), view_keys_, 0, 0);
  add(tr("Comparison"), comparison_, 0, 0);
  at(tr("About the algorithm"), purpose_, layout_[Part::purpose]);
  FocusArea times{tr("Timing"), {}};
  for (const auto& [name, box] : timing_.places())
    if (name.starts_with("button ")) times.boxes.push_back(box);
  if (!times.boxes.empty()) all.push_back(std::move(times));
  at(tr("Steps"), transport_, layout_[Part::transport]);
  at(tr("Status"), status_, layout_[Part::status]);
  return all;
}

void Frame::focus_on(const std::string& area, const Box& box) {
  focus_area_ = area;
  focus_box_ = box;
  const Point at = centre(box);
  toolkit_.point_at(at.x * scale_, at.y * scale_);
  tip_is_off_ = false;
  still_ = 1;  // the mouse counts as unmoved for one second, so that the tooltip appears immediately
}

void Frame::focus_next_area(int by) {
  const std::vector<FocusArea> all = focus_areas();
  if (all.empty()) return;
  const auto count = static_cast<int>(all.size());
  const auto found = std::ranges::find(all, focus_area_, &FocusArea::name);
  const int now = toolkit_.is_pointing() && found != all.end() ? static_cast<int>(found - all.begin())
                  : by > 0                                     ? -1
                                                               : 0;
  const FocusArea& next = all[static_cast<std::size_t>((now + by + count) % count)];
  focus_on(next.name, next.boxes.front());
}

// Handles a key while a thing has the focus. Returns true if the key had an effect.
bool Frame::take_focus_key(const Chord& chord) {
  if (!toolkit_.is_pointing() || bar_.has_keyboard()) return false;
  if (chord.key == key::escape && chord.mods == 0) {
    toolkit_.leave();
    return true;
  }
  if (chord.key == key::enter && chord.mods == 0) {
    toolkit_.click();
    return true;
  }
  if ((chord.key == key::page_up || chord.key == key::page_down) && chord.mods == 0) {
    compat::turn_mouse_wheel(chord.key == key::page_up ? 1.0f : -1.0f);
    return true;
  }
  const bool is_tab = chord.key == key::tab && (chord.mods == 0 || chord.mods == key::shift);
  const Point direction = chord.key == key::right  ? Point{1, 0}
                          : chord.key == key::left ? Point{-1, 0}
                          : chord.key == key::down ? Point{0, 1}
                          : chord.key == key::up   ? Point{0, -1}
                                                   : Point{};
  if (!is_tab && (chord.mods != 0 || (direction.x == 0 && direction.y == 0))) return false;
  for (const FocusArea& area : focus_areas()) {
    if (area.name != focus_area_) continue;
    if (is_tab) {
      // Tab goes to the next box and Shift Tab to the previous box, in the order in which the boxes were
      // drawn. Starts from the box that is nearest to the box with the focus.
      const auto nearest = std::ranges::min_element(area.boxes, {}, [&](const Box& b) {
        return std::hypot(centre(b).x - centre(focus_box_).x, centre(b).y - centre(focus_box_).y);
      });
      const auto count = std::ssize(area.boxes), by = chord.mods == 0 ? std::ptrdiff_t{1} : count - 1;
      focus_on(area.name, area.boxes[static_cast<std::size_t>((nearest - area.boxes.begin() + by) % count)]);
      return true;
    }
    const Box* best = nullptr;
    float least = 0;
    for (const Box& b : area.boxes)
      if (const float d = distance(focus_box_, b, direction); d > 0 && (!best || d < least))
        best = &b, least = d;
    if (best) focus_on(area.name, *best);
    return true;
  }
  return false;
}

// While a field of the top bar is open, Tab goes to the next field.
bool Frame::take_field_key(const Chord& chord) {
  const Field open = bar_.open_field();
  if (open == Field::none || chord.key != key::tab || (chord.mods & ~key::shift) != 0) return false;
  constexpr int fields = static_cast<int>(Field::data) + 1;
  const int by = chord.mods == key::shift ? fields - 1 : 1;
  int next = static_cast<int>(open);
  do next = (next + by) % fields;
  while (!why_no_field(session_.algorithm(), static_cast<Field>(next)).empty());
  bar_.open(static_cast<Field>(next));
  return true;
}

std::string Frame::focused() const {
  if (!toolkit_.is_pointing()) return {};
  std::string text = tip_;
  if (text.empty())
    for (const std::string& line : view_tip_) text += (text.empty() ? "" : tr(". ")) + line;
  return text.empty() ? focus_area_ : fmt::format("{}: {}", focus_area_, text);
}

Box Frame::focus_box() const {
  if (!toolkit_.is_pointing()) return {};
  return {focus_box_.x * scale_, focus_box_.y * scale_, focus_box_.w * scale_, focus_box_.h * scale_};
}

Scene Frame::focus_ring() const {
  Pen p(width_, height_);
  if (toolkit_.is_pointing())
    p.rect({focus_box_.x - 2, focus_box_.y - 2, focus_box_.w + 4, focus_box_.h + 4},
           {.stroke = theme().text, .width = 2, .radius = 4});
  return std::move(p.scene);
}

}  // namespace upsweep
