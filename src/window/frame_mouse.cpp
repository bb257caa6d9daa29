// Handles the mouse: finds the thing under the mouse, and handles drags, clicks and the wheel.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "window/frame.hpp"

namespace upsweep {
namespace {

// The largest distance in logical pixels between the press and the release of a click. If the distance is
// larger, the press is not a click.
constexpr float click_distance = 4;
constexpr float least_column = 1e-3f;  // the smallest width of a tree's column, in logical pixels

}  // namespace

void Frame::point() {
  const ImGuiIO& io = ImGui::GetIO();
  tip_ = layout_[Part::top_bar].h > 0 ? bar_.tip() : std::string();
  const bool known = ImGui::IsMousePosValid();
  mouse_ = known ? Point{io.MousePos.x / scale_, io.MousePos.y / scale_} : Point{-1, -1};
  const Point in_transport = within(layout_[Part::transport]), in_status = within(layout_[Part::status]);

  // An exported picture of the window must not highlight the thing under the mouse.
  const bool ours = known && !io.WantCaptureMouse && frames_to_window_ == 0;
  if (ours || hold_ != Hold::nothing) {
    if (ImGui::IsMouseClicked(0)) grab();
    if (hold_ != Hold::nothing) carry();
    if (ours && io.MouseWheel != 0 && !session_.looks.help && !scroll_lesson(io.MouseWheel))
      turn_wheel(io.MouseWheel);
  }

  if (session_.looks.cards) {
    session_.timing.hover = -1;
    if (const Button* b = ours ? button_at(cards_, {mouse_.x, mouse_.y - top_bar_height}) : nullptr) {
      tip_ = b->tip;
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    }
    return hover({}, 0);
  }
  for (const Splitter& s : layout_.splitters)
    if (ours && s.box.contains(mouse_))
      ImGui::SetMouseCursor(s.kind == Splitter::Kind::column ? ImGuiMouseCursor_ResizeEW
                                                             : ImGuiMouseCursor_ResizeNS);
  if (ours)
    for (const auto& [panel, at] :
         {std::pair{&view_keys_, mouse_}, std::pair{&comparison_, mouse_},
          std::pair{&sentence_, Point{mouse_.x, mouse_.y - layout_.message}},
          std::pair{&purpose_, within(layout_[Part::purpose])}, std::pair{&caption_, within(layout_.caption)},
          std::pair{&question_, within(layout_.question)}, std::pair{&lesson_.panel, within(layout_.lesson)},
          std::pair{&transport_, in_transport}, std::pair{&status_, in_status}})
      if (const Button* b = button_at(*panel, at)) {
        tip_ = b->tip;
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      }

  if (const Button* b = ours ? timing_.button(mouse_) : nullptr) {
    tip_ = b->tip;
    if (b->command.action != Action::none) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  }
  const bool draws = session_.looks.pen || session_.looks.black;
  const bool points =
      ours && !draws && (hold_ == Hold::nothing || hold_ == Hold::timing) && !session_.looks.help;
  session_.timing.hover = points ? timing_.row(mouse_) : -1;

  Id id;
  std::size_t slot = 0;
  if (ours && !draws && (hold_ == Hold::nothing || hold_ == Hold::own) && !session_.looks.help)
    if (const auto u = under(mouse_)) {
      id = hit(drawn_[u->slot].scene, u->at);
      slot = u->slot;
      if (const std::size_t own = is_changed(slot) ? slot - changed_slots : slot; own < large_slot)
        exported_slot_ = own;
    }
  hover(id, slot);
}

void Frame::hover(const Id& id, std::size_t slot) {
  hovered_slot_ = slot;
  if (is_changed(slot) && session_.compares()) {
    session_.hover_changed(id);
  } else if (const auto* pair = as<StepId>(id); pair && shows_pairs(slot)) {
    const int step = session_.pairs()[static_cast<std::size_t>(pair->step)].baseline;
    session_.hover(step < 0 ? Id() : Id(StepId{step}));
  } else {
    session_.hover(id);
  }
}

// Performs a click on the thing that was under the mouse when the user pressed the button.
void Frame::click() {
  if (is_changed(pressed_slot_)) {
    if (session_.compares()) session_.click_changed(pressed_id_);
  } else {
    session_.click(pressed_id_);
  }
}

void Frame::grab() {
  pressed_at_ = last_at_ = mouse_;
  if (session_.looks.help) {
    if (const Button* b = button_at(help_, mouse_)) {
      const Command command = b->command;
      const bool is_of_help = command.action == Action::help || command.action == Action::help_page;
      if (!is_of_help) session_.apply({.help = false});
      if (command.action == Action::quit) quit_ = true;
      press(command);
    }
    return;
  }
  if (session_.looks.black) {
    session_.apply({.black = false});
    return;
  }
  if (session_.looks.cards) {
    if (const Button* b = button_at(cards_, {mouse_.x, mouse_.y - top_bar_height})) press(b->command);
    return;
  }
  if (const Button* b = button_at(lesson_.panel, within(layout_.lesson))) return press(b->command);
  if (layout_.lesson.contains(mouse_)) return;
  if (const Button* b = button_at(caption_, within(layout_.caption))) return press(b->command);
  if (const float y = mouse_.y - layout_.message; y >= 0 && y < sentence_.scene.height) {
    if (const Button* b = button_at(sentence_, {mouse_.x, y})) press(b->command);
    return;
  }
  if (const Button* b = button_at(view_keys_, mouse_)) return press(b->command);
  if (const Button* b = button_at(comparison_, mouse_)) return press(b->command);
  if (const Button* b = button_at(purpose_, within(layout_[Part::purpose]))) return press(b->command);
  if (const Button* b = button_at(question_, within(layout_.question))) return press(b->command);
  if (const Button* b = button_at(transport_, within(layout_[Part::transport]))) return press(b->command);
  if (const Button* b = button_at(status_, within(layout_[Part::status]))) return press(b->command);
  if (session_.looks.pen) return begin_stroke();
  if (const Button* b = timing_.button(mouse_)) return press(b->command);
  if (layout_.timing.contains(mouse_)) {
    hold_ = Hold::timing;
    return;
  }
  for (const Splitter& s : layout_.splitters)
    if (s.box.contains(mouse_)) {
      splitter_ = s;
      hold_ = Hold::splitter;
      return;
    }
  const auto u = under(mouse_);
  if (!u) return;
  pressed_id_ = hit(drawn_[u->slot].scene, u->at);
  pressed_slot_ = u->slot;
  const bool control = is<ViewId>(pressed_id_) || is<BarrierId>(pressed_id_);
  const Hand hand = hand_in(u->slot);
  hold_ = control                 ? Hold::click
          : hand == Hand::scrubs  ? Hold::steps
          : hand == Hand::zooms   ? Hold::columns
          : hand == Hand::its_own ? Hold::own
                                  : Hold::click;
  if (hold_ == Hold::columns && ImGui::IsMouseDoubleClicked(0)) session_.show_whole_tree();
}

// Drags while the user holds the button. If the user releases the button near the place of the press,
// performs a click. Does not drag in the frame of the release, because the mouse may have moved far since the
// previous frame.
void Frame::carry() {
  const Point moved{mouse_.x - last_at_.x, mouse_.y - last_at_.y};
  last_at_ = mouse_;
  if (ImGui::IsMouseDown(0)) {
    if (hold_ == Hold::splitter) {
      Looks looks = session_.looks;
      drag(looks, width_, height_, preferred_heights_, splitter_,
           splitter_.kind == Splitter::Kind::column ? moved.x : moved.y, sentence_.scene.height);
      session_.apply({.column = looks.column, .source = looks.source, .rows = std::to_array(looks.rows)});
    }
    if (hold_ == Hold::ink) go_on_with_stroke();
    if (hold_ == Hold::steps) scrub();
    if (hold_ == Hold::own && (moved.x != 0 || moved.y != 0)) drag_in_view();
    if (hold_ == Hold::columns && moved.x != 0) session_.pan_tree(-moved.x / tree_column_width());
    return;
  }
  const float wandered = std::hypot(mouse_.x - pressed_at_.x, mouse_.y - pressed_at_.y);
  const bool clicks = hold_ == Hold::columns || hold_ == Hold::own || hold_ == Hold::click;
  if (clicks && wandered <= click_distance) click();
  if (hold_ == Hold::timing && wandered <= click_distance) session_.pin_time(timing_.row(mouse_));
  hold_ = Hold::nothing;
}

// Goes to the step whose bar has the smallest horizontal distance to the mouse, even if the mouse is outside
// of the view.
void Frame::scrub() {
  const Box& box = box_of(pressed_slot_);
  const StepId* nearest = nullptr;
  float least = 0;
  for (const Scene::Target& t : drawn_[pressed_slot_].scene.targets) {
    const auto* step = as<StepId>(t.id);
    if (!step) continue;
    const float distance = std::abs(t.box.x + t.box.w / 2 - (mouse_.x - box.x));
    if (!nearest || distance < least) nearest = step, least = distance;
  }
  if (!nearest) return;
  if (shows_pairs(pressed_slot_)) session_.go_to_pair(nearest->step);
  else session_.go_to(nearest->step);
}

// Asks the view for the effect of a drag from the pressed id to the id under the mouse, and performs this
// effect. The mouse may be outside of the view.
void Frame::drag_in_view() {
  const View* view = drawn_in(pressed_slot_);
  if (!view || !view->drag) return;
  const Box& box = box_of(pressed_slot_);
  const Id to =
      dragged_to(drawn_[pressed_slot_].scene, {pressed_at_.x - box.x, pressed_at_.y - box.y}, within(box));
  session_.carry_out_click(view->drag({session_.recording(), session_.cursor()}, pressed_id_, to));
}

float Frame::tree_column_width() {
  const Scene::Target *first = nullptr, *last = nullptr;
  for (const Scene::Target& t : drawn_[pressed_slot_].scene.targets) {
    if (!is<NodeId>(t.id)) continue;
    if (!first || element_of(t.id) < element_of(first->id)) first = &t;
    if (!last || element_of(t.id) > element_of(last->id)) last = &t;
  }
  const int columns = first ? element_of(last->id) - element_of(first->id) : 0;
  if (columns == 0) return box_of(pressed_slot_).w;
  const float centres = last->box.x + last->box.w / 2 - first->box.x - first->box.w / 2;
  return std::max(least_column, centres / static_cast<float>(columns));
}

void Frame::turn_wheel(float ticks) {
  const auto u = under(mouse_);
  if (!u) return;
  const Scene& scene = drawn_[u->slot].scene;
  const Hand hand = hand_in(u->slot);
  if (hand == Hand::zooms) {
    const VisibleColumns visible = session_.visible_columns();
    const int element = element_of(hit(scene, u->at));
    const float at = element >= 0 ? (static_cast<float>(element - visible.first) + 0.5f) /
                                        static_cast<float>(visible.count)
                                  : u->at.x / box_of(u->slot).w;
    session_.zoom_tree(std::pow(0.8f, ticks), std::clamp(at, 0.0f, 1.0f));
  } else if (hand == Hand::scrolls) {
    int first = 0;
    for (const Scene::Target& t : scene.targets)
      if (const auto* line = as<LineId>(t.id); line && (first == 0 || line->line < first)) first = line->line;
    session_.scroll_source(static_cast<int>(std::lround(-3 * ticks)), std::max(1, first));
  } else if (hand == Hand::its_own) {
    if (const View* view = drawn_in(u->slot); view && view->turn && !drawn_[u->slot].key.waits)
      session_.carry_out_click(
          view->turn({session_.recording(), session_.cursor()}, hit(scene, u->at), ticks));
  } else if (hand == Hand::scrubs) {
    session_.step_by(ticks > 0 ? -1 : 1);
  }
}

}  // namespace upsweep
