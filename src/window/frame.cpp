#include "window/frame.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "panels/chart_file.hpp"
#include "panels/tooltip.hpp"
#include "window/imgui_compat.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

constexpr float presentation_scale = 1.6f;
constexpr double tip_delay = 0.4;    // seconds the mouse rests before a tip comes
constexpr float click_distance = 4;  // logical pixels a click may wander

}  // namespace

float display_scale(float asked, float content_scale, int pixel_height) {
  if (asked > 0) return asked;
  if (content_scale <= 1 && pixel_height >= 2000) return 2;
  return std::max(1.0f, content_scale);
}

Frame::Frame(Session& session, GLFWwindow* window) : session_(session), toolkit_(window), cache_(slots) {
  std::string notices;
  for (const auto* source : {&renderer_.notices(), &toolkit_.notices()})
    for (const std::string& sentence : *source) notices += (notices.empty() ? "" : " ") + sentence;
  if (!notices.empty() && session_.banner().text.empty()) session_.complain(notices);
}

Frame::Outcome Frame::draw(int width, int height, float scale, double seconds, std::span<const Chord> keys) {
  Outcome outcome;
  outcome.heard = !keys.empty() || compat::input_waits();
  session_.tick(seconds);
  quit_ = take_keys(keys);

  scale_ = scale * (session_.looks.presentation ? presentation_scale : 1);
  width_ = static_cast<float>(width) / scale_;
  height_ = static_cast<float>(height) / scale_;
  wishes_ = wishes_of(session_.recording(), session_.looks);
  layout_ = window_layout(width_, height_, session_.looks, wishes_);
  toolkit_.begin(width, height, scale_, theme());
  if (layout_[Part::top_bar].h > 0)
    bar_.draw(session_, toolkit_, {theme(), width_, layout_[Part::top_bar].h, scale_}, keys);
  const Point before = mouse_;
  point();
  still_ = mouse_ == before ? still_ + seconds : 0;
  layout_ = window_layout(width_, height_, session_.looks, wishes_);

  renderer_.begin_kept(width, height, theme().background);
  draw_views();
  renderer_.show();
  toolkit_.end();
  draw_overlays();

  outcome.quit = quit_;
  outcome.again_in = compat::input_waits() ? 0 : session_.next_tick_in();
  if (still_ < tip_delay && mouse_.x >= 0) {
    const double left = tip_delay - still_ + 0.01;
    outcome.again_in = outcome.again_in < 0 ? left : std::min(outcome.again_in, left);
  }
  return outcome;
}

bool Frame::take_keys(std::span<const Chord> keys) {
  bool quit = false;
  for (const Chord& chord : keys) {
    const Command command = command_of(chord, bar_.has_keyboard());
    if (session_.looks.help && command.action != Action::help && command.action != Action::escape &&
        command.action != Action::quit)
      continue;
    if (command.action == Action::quit) quit = true;
    press(command);
  }
  return quit;
}

void Frame::press(const Command& command) {
  if (command.action == Action::field) {
    session_.looks.presentation = false;
    bar_.open(static_cast<Field>(command.argument));
  } else if (command.action == Action::save_chart) {
    save();
  } else {
    perform(session_, command);
  }
  // A case is shown whole, whatever the window's size.
  if (command.action == Action::next_case &&
      !has_room_to_compare(window_layout(width_, height_, session_.looks, wishes_).timing))
    session_.looks.timing_large = true, session_.looks.chosen = -1;
}

void Frame::save() {
  try {
    session_.tell(
        save_chart(session_.timing, session_.chosen_times(), theme(), std::filesystem::current_path()));
  } catch (const std::exception& e) { session_.complain(in_words(e)); }
}

int Frame::view_in(std::size_t slot) const {
  if (slot == large_slot) return std::max(0, layout_.large_view);
  return shown_view(view_parts[slot], session_.looks, session_.recording());
}

std::optional<Frame::Under> Frame::under(Point p) const {
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const Box& box = box_of(slot);
    if (box.contains(p)) return Under{slot, {p.x - box.x, p.y - box.y}};
  }
  return {};
}

const Scene& Frame::scene_in(std::size_t slot) {
  Cached& c = cache_[slot];
  const int number = view_in(slot);
  const View& view = views()[static_cast<std::size_t>(number)];
  const Box& box = box_of(slot);
  // The times are a tab beside the work, where it stands in its own place.
  const bool also = slot < large_slot && view_parts[slot] == Part::work && !session_.looks.timing_large;
  const auto recording = session_.shared_recording();
  const Hazards* hazards = recording->hazards();
  Cursor cursor = session_.cursor();
  if (shows(slot, "words")) cursor.hover = {};  // they say the same wherever the mouse is
  const bool is_source = shows(slot, "source"), offers = is_source && !session_.looks.presentation;
  const auto counters = is_source ? session_.line_counters() : nullptr;
  if (c.view == &view && c.recording == recording && c.hazards == hazards && c.cursor == cursor &&
      c.dark == session_.looks.dark && c.width == box.w && c.height == box.h && c.also == also &&
      c.counters == counters && c.offers_counters == offers)
    return c.scene;
  c.alternatives = session_.looks.presentation ? std::vector<int>{} : alternatives_of(number, *recording);
  c.scene = view.draw({*recording, cursor, theme(), box.w, box.h, c.alternatives, also ? "Timing" : nullptr,
                       offers, counters.get()});
  c.also = also;
  c.offers_counters = offers;
  c.counters = counters;
  c.view = &view;
  c.recording = recording;
  c.hazards = hazards;
  c.cursor = cursor;
  c.dark = session_.looks.dark;
  c.width = box.w;
  c.height = box.h;
  return c.scene;
}

// --- the mouse

void Frame::point() {
  const ImGuiIO& io = ImGui::GetIO();
  tip_ = layout_[Part::top_bar].h > 0 ? bar_.tip() : std::string();
  const bool known = ImGui::IsMousePosValid();
  mouse_ = known ? Point{io.MousePos.x / scale_, io.MousePos.y / scale_} : Point{-1, -1};
  const Box& transport = layout_[Part::transport];
  const Point in_transport{mouse_.x - transport.x, mouse_.y - transport.y};
  transport_ = transport_panel(session_, theme(), transport.w, transport.h, in_transport);
  const Box& status = layout_[Part::status];
  const Point in_status{mouse_.x - status.x, mouse_.y - status.y};
  status_ = status_panel(session_, theme(), status.w, status.h, in_status);
  view_keys_ = view_keys_panel(session_, theme(), layout_, width_, height_, mouse_);

  lay_out_timing();

  const bool ours = known && !io.WantCaptureMouse;
  if (ours || hold_ != Hold::nothing) {
    if (ImGui::IsMouseClicked(0)) grab();
    if (hold_ != Hold::nothing) carry();
    if (ours && io.MouseWheel != 0 && !session_.looks.help) turn_wheel(io.MouseWheel);
  }

  for (const Splitter& s : layout_.splitters)
    if (ours && s.box.contains(mouse_))
      ImGui::SetMouseCursor(s.kind == Splitter::Kind::column ? ImGuiMouseCursor_ResizeEW
                                                             : ImGuiMouseCursor_ResizeNS);
  if (ours)
    for (const auto& [panel, at] : {std::pair{&view_keys_, mouse_}, std::pair{&transport_, in_transport},
                                    std::pair{&status_, in_status}})
      if (const Button* b = button_at(*panel, at)) {
        tip_ = b->tip;
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      }

  if (const Button* b = ours ? timing_.button(mouse_) : nullptr) {
    tip_ = b->tip;
    if (b->command.action != Action::none) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  }
  const bool points = ours && (hold_ == Hold::nothing || hold_ == Hold::timing) && !session_.looks.help;
  session_.timing.hover = points ? timing_.row(mouse_) : -1;

  // Linked hover: whatever is under the mouse in one view lights up in all of them.
  Id id;
  if (ours && hold_ == Hold::nothing && !session_.looks.help)
    if (const auto u = under(mouse_)) id = hit(scene_in(u->slot), u->at);
  session_.hover(id);
}

void Frame::lay_out_timing() {
  timing_.lay_out(session_, theme(), layout_.timing, session_.looks.timing_large, mouse_);
}

void Frame::grab() {
  pressed_at_ = last_at_ = mouse_;
  if (session_.looks.help) return press({Action::help, 0});
  const Box& transport = layout_[Part::transport];
  if (!session_.banner().text.empty())
    if (const Button* b = button_at(sentence_, {mouse_.x, mouse_.y - layout_[Part::top_bar].h}))
      return press(b->command);
  if (const Button* b = button_at(view_keys_, mouse_)) return press(b->command);
  if (const Button* b = button_at(transport_, {mouse_.x - transport.x, mouse_.y - transport.y}))
    return press(b->command);
  const Box& status = layout_[Part::status];
  if (const Button* b = button_at(status_, {mouse_.x - status.x, mouse_.y - status.y}))
    return press(b->command);
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
  pressed_id_ = hit(scene_in(u->slot), u->at);
  pressed_slot_ = u->slot;
  const bool control = pressed_id_.what == Id::What::view || pressed_id_.what == Id::What::barrier;
  hold_ = control                     ? Hold::click
          : shows(u->slot, "profile") ? Hold::profile
          : shows(u->slot, "tree")    ? Hold::tree
                                      : Hold::click;
  if (hold_ == Hold::tree && ImGui::IsMouseDoubleClicked(0)) session_.show_whole_tree();
}

// A click that was not a drag.
void Frame::click() {
  if (pressed_id_.what != Id::What::view) return session_.click(pressed_id_);
  Looks& looks = session_.looks;
  if (pressed_slot_ == large_slot) looks.chosen = pressed_id_.row;
  looks
      .tabs[static_cast<std::size_t>(part_of_view(views()[static_cast<std::size_t>(pressed_id_.row)].name))] =
      pressed_id_.row;
}

// What happens while the button is held, and when it is let go. By then the mouse may be elsewhere: only a
// held one carries.
void Frame::carry() {
  const Point moved{mouse_.x - last_at_.x, mouse_.y - last_at_.y};
  last_at_ = mouse_;
  if (ImGui::IsMouseDown(0)) {
    if (hold_ == Hold::splitter)
      drag(session_.looks, width_, height_, wishes_, splitter_,
           splitter_.kind == Splitter::Kind::column ? moved.x : moved.y);
    if (hold_ == Hold::profile) scrub();
    if (hold_ == Hold::tree && moved.x != 0) session_.pan_tree(-moved.x / tree_column_width());
    return;
  }
  const float wandered = std::hypot(mouse_.x - pressed_at_.x, mouse_.y - pressed_at_.y);
  if ((hold_ == Hold::tree || hold_ == Hold::click) && wandered <= click_distance) click();
  if (hold_ == Hold::timing && wandered <= click_distance) session_.pin_time(timing_.row(mouse_));
  hold_ = Hold::nothing;
}

// The bar above or below the mouse, wherever the mouse has strayed to since it was pressed.
void Frame::scrub() {
  const Box& box = box_of(pressed_slot_);
  const Scene& scene = scene_in(pressed_slot_);
  const Scene::Target* nearest = nullptr;
  float least = 0;
  for (const Scene::Target& t : scene.targets) {
    if (t.id.what != Id::What::step) continue;
    const float distance = std::abs(t.box.x + t.box.w / 2 - (mouse_.x - box.x));
    if (!nearest || distance < least) nearest = &t, least = distance;
  }
  if (nearest) session_.go_to(nearest->id.step);
}

float Frame::tree_column_width() {
  const Scene::Target *first = nullptr, *last = nullptr;
  for (const Scene::Target& t : scene_in(pressed_slot_).targets) {
    if (t.id.what != Id::What::node) continue;
    if (!first || t.id.element < first->id.element) first = &t;
    if (!last || t.id.element > last->id.element) last = &t;
  }
  if (!first || first->id.element == last->id.element) return box_of(pressed_slot_).w;
  const float centres = last->box.x + last->box.w / 2 - first->box.x - first->box.w / 2;
  return std::max(1.0f, centres / static_cast<float>(last->id.element - first->id.element));
}

void Frame::turn_wheel(float ticks) {
  const auto u = under(mouse_);
  if (!u) return;
  if (shows(u->slot, "tree")) {
    const Cursor& c = session_.cursor();
    const float shown = static_cast<float>(
        c.element_count > 0 ? c.element_count : tree_at(session_.recording(), session_.cursor()).columns);
    const Id id = hit(scene_in(u->slot), u->at);
    const float at = id.element >= 0 ? (static_cast<float>(id.element - c.first_element) + 0.5f) / shown
                                     : u->at.x / box_of(u->slot).w;
    session_.zoom_tree(std::pow(0.8f, ticks), std::clamp(at, 0.0f, 1.0f));
  } else if (shows(u->slot, "source")) {
    int first = 0;
    for (const Scene::Target& t : scene_in(u->slot).targets)
      if (t.id.what == Id::What::line && (first == 0 || t.id.line < first)) first = t.id.line;
    session_.scroll_source(static_cast<int>(std::lround(-3 * ticks)), std::max(1, first));
  } else if (shows(u->slot, "profile")) {
    session_.step_by(ticks > 0 ? -1 : 1);
  }
}

// --- drawing

void Frame::draw_views() {
  const Theme& t = theme();
  renderer_.draw(ground_scene(t, layout_, width_, height_, hold_ == Hold::nothing ? mouse_ : pressed_at_), 0,
                 0, scale_);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const Box& box = box_of(slot);
    if (box.w > 0 && box.h > 0) renderer_.draw(scene_in(slot), box.x, box.y, scale_);
  }
  lay_out_timing();
  timing_.for_each_scene([&](const Scene& scene, float x, float y) { renderer_.draw(scene, x, y, scale_); });
  const Box &transport = layout_[Part::transport], &status = layout_[Part::status];
  transport_ = transport_panel(session_, t, transport.w, transport.h,
                               {mouse_.x - transport.x, mouse_.y - transport.y});
  view_keys_ = view_keys_panel(session_, t, layout_, width_, height_, mouse_);
  renderer_.draw(transport_.scene, transport.x, transport.y, scale_);
  status_ = status_panel(session_, t, status.w, status.h, {mouse_.x - status.x, mouse_.y - status.y});
  renderer_.draw(status_.scene, status.x, status.y, scale_);
  renderer_.draw(view_keys_.scene, 0, 0, scale_);
  if (const auto progress = session_.progress())
    renderer_.draw(progress_scene(progress->share, t, width_), 0, layout_.bottom.y, scale_);
  if (!session_.banner().text.empty()) {
    sentence_ = sentence_panel(session_.banner(), t, width_);
    renderer_.draw(sentence_.scene, 0, layout_[Part::top_bar].h, scale_);
  }
}

void Frame::draw_overlays() {
  if (session_.looks.help) {
    help_ = help_panel(theme(), width_, height_);
    renderer_.draw(help_.scene, 0, 0, scale_);
    return;
  }
  draw_tip();
}

void Frame::draw_tip() {
  if (still_ < tip_delay || hold_ != Hold::nothing || mouse_.x < 0) return;
  std::vector<std::string> lines;
  if (!tip_.empty()) lines = {tip_};
  else if (session_.timing.hover >= 0) lines = timing_.tip(session_);
  else
    lines = tooltip(session_.recording(), session_.cursor(), session_.cursor().hover,
                    session_.line_counters().get());
  if (lines.empty()) return;
  const Scene scene = tip_scene(lines, theme(), 420);
  const float x = std::clamp(mouse_.x + 14, 4.0f, std::max(4.0f, width_ - scene.width - 8));
  const bool above = mouse_.y + 20 + scene.height > height_ - 8;
  const float y = above ? std::max(4.0f, mouse_.y - 12 - scene.height) : mouse_.y + 20;
  renderer_.draw(scene, std::round(x), std::round(y), scale_);
}

std::vector<ScreenPlace> Frame::places() const {
  std::vector<ScreenPlace> all = layout_[Part::top_bar].h > 0 ? bar_.places() : std::vector<ScreenPlace>{};
  const auto add = [&](std::string name, const Box& b) {
    all.push_back({std::move(name), {b.x * scale_, b.y * scale_, b.w * scale_, b.h * scale_}});
  };
  for (std::size_t slot = 0; slot < large_slot; ++slot) {
    add(std::string("view ") + views()[static_cast<std::size_t>(view_in(slot))].name, box_of(slot));
    const Cached& c = cache_[slot];
    for (const Scene::Target& target : c.scene.targets)
      if (target.id.what == Id::What::counters && box_of(slot).w > 0)
        add("counters",
            {box_of(slot).x + target.box.x, box_of(slot).y + target.box.y, target.box.w, target.box.h});
      else if ((target.id.what == Id::What::view || target.id.what == Id::What::timing) && box_of(slot).w > 0)
        add(std::string("tab ") + (target.id.what == Id::What::timing
                                       ? "timing"
                                       : views()[static_cast<std::size_t>(target.id.row)].name),
            {box_of(slot).x + target.box.x, box_of(slot).y + target.box.y, target.box.w, target.box.h});
  }
  if (layout_.large_view >= 0) add("view large", layout_.large);
  for (const auto& [name, box] : timing_.places()) add(name, box);
  const Box& t = layout_[Part::transport];
  for (const Button& b : transport_.buttons)
    add("button " + b.tip, {b.box.x + t.x, b.box.y + t.y, b.box.w, b.box.h});
  const Box& status = layout_[Part::status];
  for (const Button& b : status_.buttons)
    add("button " + b.tip, {b.box.x + status.x, b.box.y + status.y, b.box.w, b.box.h});
  return all;
}

}  // namespace upsweep
