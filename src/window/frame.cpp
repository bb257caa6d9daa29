#include "window/frame.hpp"

#include <algorithm>
#include <cmath>

#include "base/language.hpp"
#include "panels/comparison_panel.hpp"
#include "panels/help.hpp"
#include "panels/lesson_layout.hpp"
#include "panels/missing_field.hpp"
#include "panels/presentation_layout.hpp"
#include "panels/purpose_panel.hpp"
#include "panels/question_panel.hpp"
#include "panels/saved_files.hpp"
#include "window/export_work.hpp"
#include "window/imgui_compat.hpp"
#include "window/picture_clipboard.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

constexpr double look_at_export = 0.05;  // the seconds between two checks of a running export
constexpr double tip_delay = 0.4;        // the seconds that the mouse must rest before a tooltip appears
constexpr std::uint64_t first_chart = 1ull << 63;  // views have smaller drawing numbers, charts larger ones

// Returns true if the left mouse button or the wheel was used in this frame. In this case, another frame is
// needed.
bool mouse_is_busy() {
  return ImGui::IsMouseClicked(0) || ImGui::IsMouseReleased(0) || ImGui::GetIO().MouseWheel != 0;
}

}  // namespace

float display_scale(float asked, float content_scale, int pixel_height) {
  if (asked > 0) return asked;
  if (content_scale <= 1 && pixel_height >= 2000) return 2;
  return std::max(1.0f, content_scale);
}

Frame::Frame(Session& session, GLFWwindow* window, const std::string& progress)
    : session_(session),
      progress_(progress),
      player_(session, progress_),
      toolkit_(window),
      drawn_(slots),
      motions_(slots) {
  std::string notices;
  for (const auto* source : {&renderer_.notices(), &toolkit_.notices()})
    for (const std::string& sentence : *source) notices += (notices.empty() ? "" : " ") + sentence;
  if (!notices.empty() && session_.banner().text.empty()) session_.complain(notices);
}

Frame::~Frame() = default;

Frame::Outcome Frame::draw(int width, int height, float scale, double seconds, std::span<const Chord> keys) {
  Outcome outcome;
  outcome.heard = !keys.empty() || compat::input_waits();
  session_.tick(seconds);
  follow_lessons();
  quit_ = take_keys(keys);
  follow_language();
  follow_lessons();  // called again, because a key may have opened a lesson whose run is already available

  scale_ = session_.looks.presentation ? presentation_scale(width, height)
                                       : scaled_text(scale, session_.looks.text_scale, width, height);
  enlarged_ = session_.looks.presentation ? 1 : scale_ / scale;
  width_ = static_cast<float>(width) / scale_;
  height_ = static_cast<float>(height) / scale_;
  toolkit_.begin(width, height, scale_, theme());
  const Settings asked_for = session_.settings();
  if (!session_.looks.presentation)
    bar_.draw(session_, toolkit_, {theme(), width_, top_bar_height, scale_}, keys);
  bar_.exported = tr(exported_view().title);
  bar_.handouts = handouts();
  bar_.recent = &recent_;
  recent_.follow(session_);
  if (const auto command = bar_.take_command()) press(*command);
  const Point before = mouse_;
  point();
  // The bar was drawn before point() handled the mouse. If a click has changed the settings, the bar still
  // shows the old settings, so another frame must follow at once.
  const bool bar_is_late = session_.settings() != asked_for;
  outcome.heard = outcome.heard || mouse_ != before || mouse_is_busy();
  still_ = mouse_ == before ? still_ + seconds : 0;
  if (mouse_ != before) tip_is_off_ = false;
  follow_steps(seconds);
  const Point pixels{mouse_.x * scale_, mouse_.y * scale_};
  const bool moved = std::abs(pixels.x - pixel_mouse_.x) + std::abs(pixels.y - pixel_mouse_.y) > 0.5f;
  pixel_mouse_ = pixels;
  follow_presentation(seconds, (moved && mouse_.x >= 0) || mouse_is_busy());
  lay_out();

  renderer_.begin_kept(width, height, theme().background);
  draw_views();
  renderer_.show();
  toolkit_.end();
  draw_overlays();
  continue_export();

  outcome.quit = quit_;
  outcome.again_in =
      moved_ || frames_to_window_ > 0 || compat::input_waits() || bar_is_late ? 0 : session_.next_tick_in();
  const auto also_in = [&](double seconds) {
    outcome.again_in = outcome.again_in < 0 ? seconds : std::min(outcome.again_in, seconds);
  };
  if (export_runs_) also_in(look_at_export);
  if (const double look = player_.next_tick_in(); look >= 0) also_in(look);
  if (still_ < tip_delay && mouse_.x >= 0) also_in(tip_delay - still_ + 0.01);
  if (const double change = presentation_changes_in(); change >= 0) also_in(change);
  return outcome;
}

void Frame::press(const Command& command) {
  if (command.action == Action::escape && leave_presentation()) return;
  if (press_in_lessons(command) || press_to_share(command)) return;
  if (command.action == Action::field) {
    const auto field = static_cast<Field>(command.argument);
    // A presentation has no list of exports, so this key saves the whole window.
    if (field == Field::save && session_.looks.presentation) return export_as(Export::window_png);
    if (const std::string why = why_no_field(session_.algorithm(), field); !why.empty())
      return session_.complain(why);
    session_.apply({.presentation = false});
    session_.looks.cards = false;
    bar_.open(field);
  } else if (command.action == Action::export_as) {
    export_as(static_cast<Export>(command.argument));
  } else if (command.action == Action::escape && export_runs_) {
    cancel_export();
  } else if (command.action == Action::next_case) {
    // Shows an example, which compares the times of two variants. If the window has too little room for the
    // comparison, the panel of times fills the left side.
    Looks looks = session_.looks;
    if (!looks.timing_large) looks.timing = 1;
    session_.next_case(
        looks.presentation ||
        !has_room_to_compare(
            window_layout(width_, height_, looks, preferred_heights_, sentence_.scene.height).timing));
  } else {
    perform(session_, command);
  }
}

int Frame::view_in(std::size_t slot) const {
  if (is_changed(slot)) slot -= changed_slots;  // both runs show the same views
  if (slot == large_slot) return std::max(0, layout_.large_view);
  if (slot >= added_slots) return std::max(0, layout_.added_views[slot - added_slots]);
  return shown_view(static_cast<Home>(slot), session_.looks, session_.recording());
}

const View* Frame::drawn_in(std::size_t slot) const {
  const int view = drawn_[slot].key.view;
  return view >= 0 ? &views()[static_cast<std::size_t>(view)] : nullptr;
}

Hand Frame::hand_in(std::size_t slot) const {
  const View* view = drawn_in(slot);
  return view ? view->hand : Hand::clicks;
}

std::optional<Frame::Under> Frame::under(Point p) const {
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const Box& box = box_of(slot);
    const bool is_shown = drawn_[slot].key.recording && drawn_[slot].key.recording == recording_in(slot);
    if (is_shown && box.contains(p)) return Under{slot, {p.x - box.x, p.y - box.y}};
  }
  return {};
}

std::shared_ptr<const Recording> Frame::beside(std::size_t slot) const {
  if (!session_.compares()) return nullptr;
  if (shows_pairs(slot)) return session_.changed();
  // In the views of the memory, the banks and the warps, rows and columns must have the same places for both
  // runs, so that readers can compare the pictures.
  const Home home = views()[static_cast<std::size_t>(view_in(slot))].home;
  if (home != Home::memory && home != Home::banks && home != Home::warps) return nullptr;
  return is_changed(slot) ? session_.shared_recording() : session_.changed();
}

void Frame::draw_pairs(std::size_t slot) {
  const Box& box = box_of(slot);
  Drawn& drawn = drawn_[slot];
  Key key;
  key.view = view_in(slot);
  key.recording = session_.shared_recording();
  key.beside = session_.changed();
  key.pair = session_.pair();
  const auto* step = as<StepId>(session_.cursor().hover);
  if (step) key.cursor.hover = *step;
  key.theme = &theme();
  key.width = box.w;
  key.height = box.h;
  if (drawn.number > 0 && drawn.key == key) return;
  const auto& pairs = session_.pairs();
  const auto hovered = step ? std::ranges::find(pairs, step->step, &StepPair::baseline) : pairs.end();
  drawn.scene = pairs_scene(compared_runs(session_),
                            hovered == pairs.end() ? -1 : static_cast<int>(hovered - pairs.begin()), theme(),
                            box.w, box.h);
  drawn.key = std::move(key);
  drawn.number = ++drawings_;
}

void Frame::draw_slot(std::size_t slot) {
  if (shows_pairs(slot)) return draw_pairs(slot);
  const Looks& looks = session_.looks;
  const Box& box = box_of(slot);
  Drawn& drawn = drawn_[slot];
  Key key;
  key.view = view_in(slot);
  const View& view = views()[static_cast<std::size_t>(key.view)];
  key.recording = recording_in(slot);
  key.hazards = key.recording->hazards();
  key.cursor = is_changed(slot) ? session_.changed_cursor() : session_.cursor();
  if (!view.shows_time) key.cursor.time = -1;
  key.theme = &theme();
  key.presented = looks.presentation;
  key.enlarged = enlarged_;
  key.width = box.w;
  key.height = box.h;
  if (!looks.presentation) key.alternatives = alternatives_of(key.view, *key.recording);
  // The title bar in the slot Home::work has a tab that shows the panel of times, unless this panel already
  // fills the left side.
  key.times = slot == static_cast<std::size_t>(Home::work) && !looks.timing_large;
  key.button = view.button && !looks.presentation;
  if (!is_changed(slot)) key.counters = session_.line_counters();
  key.pressed = key.counters != nullptr;
  key.beside = beside(slot);
  if (key.beside) key.pair = session_.pair();
  if (view.shows_lens_frame && !is_changed(slot)) key.lens_frame = session_.lens_frame();
  key.waits = is_changed(slot) ? !session_.is_changed_ready(view) : !session_.is_ready(view);
  if (key.waits) key.failure = session_.view_failure();
  key.cursor.hover = seen_in(view, around_of(key), key.cursor.hover);
  if (drawn.number > 0 && drawn.key == key) return;
  drawn.key = std::move(key);
  drawn.number = ++drawings_;
  with_input(slot, [&](const ViewInput& in) { drawn.scene = draw_view(view, in, around_of(drawn.key)); });
}

void Frame::lay_out() {
  const Theme& t = theme();
  preferred_heights_ = preferred_heights_of(session_.recording(), session_.looks, session_.cursor().step);
  if (session_.compares()) {
    const PreferredHeights changed =
        preferred_heights_of(*session_.changed(), session_.looks, session_.changed_cursor().step);
    preferred_heights_.memory = std::max(preferred_heights_.memory, changed.memory);
    preferred_heights_.banks = std::max(preferred_heights_.banks, changed.banks);
    preferred_heights_.warps = std::max(preferred_heights_.warps, changed.warps);
  }
  sentence_ = session_.banner().text.empty()
                  ? Panel{}
                  : sentence_panel(session_.banner(), t, width_ - layout_.lesson.w);
  const bool presents = session_.looks.presentation;
  const bool plays = session_.looks.lesson && (!presents || player_.is_open());
  layout_ =
      plays ? lesson_layout(width_, height_, session_.looks, session_.recording(), preferred_heights_,
                            sentence_.scene.height)
      : presents
          ? presentation_layout(width_, height_, session_.looks, session_.recording(), sentence_.scene.height)
          : window_layout(width_, height_, session_.looks, preferred_heights_, sentence_.scene.height);
  const Box &transport = layout_[Part::transport], &status = layout_[Part::status];
  timing_.lay_out(session_, t, layout_.timing, session_.looks.timing_large, mouse_);
  const float opacity = controls_opacity(unused_, !values_move(session_.looks));
  caption_ = presents ? caption_panel(session_, t, layout_, mouse_, opacity) : Panel{};
  transport_ = presents ? controls_panel(session_, t, transport.w, transport.h, within(transport), opacity)
                        : transport_panel(session_, t, transport.w, transport.h, within(transport));
  status_ = presents ? Panel{} : status_panel(session_, t, status.w, status.h, within(status));
  const Box& purpose = layout_[Part::purpose];
  const bool is_covered = sentence_.scene.height > 0 && layout_.message == purpose.y;
  purpose_ = purpose.h > 0 && !is_covered ? purpose_panel(session_, t, purpose.w, purpose.h, within(purpose))
                                          : Panel{};
  const Box& lesson = layout_.lesson;
  lesson_ = {};
  if (lesson.w > 0) {
    lesson_ = lesson_panel(session_, player_, progress_, t, lesson.w, lesson.h, within(lesson),
                           chosen_lesson_, lesson_scroll_);
    lesson_scroll_ = std::min(lesson_scroll_, lesson_.hidden);
  }
  const float below = height_ - top_bar_height;
  cards_ = session_.looks.cards ? cards_panel(t, width_, below, card_pictures_, recent_,
                                              {mouse_.x, mouse_.y - top_bar_height}, chosen_card_)
                                : Panel{};
  const Box& question = layout_.question;
  question_ =
      question.h > 0 ? question_panel(session_, t, question.w, question.h, within(question)) : Panel{};
  view_keys_ = view_keys_panel(session_, t, layout_, width_, height_, mouse_);
  comparison_ =
      layout_.names[0].w > 0 ? comparison_panel(session_, t, layout_, width_, height_, mouse_) : Panel{};
}

// --- drawing

void Frame::for_each_scene(const std::function<void(const Scene&, float, float, std::uint64_t)>& f) const {
  const Theme& t = theme();
  f(ground_scene(t, layout_, width_, height_, hold_ == Hold::nothing ? mouse_ : pressed_at_), 0, 0, 0);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const Box& box = box_of(slot);
    if (box.w > 0 && box.h > 0 && recording_in(slot))
      f(drawn_[slot].scene, box.x, box.y, drawn_[slot].number);
  }
  timing_.for_each_scene([&](const Scene& scene, float x, float y, std::uint64_t number) {
    f(scene, x, y, number > 0 ? first_chart + number : 0);
  });
  const Box &transport = layout_[Part::transport], &status = layout_[Part::status];
  f(transport_.scene, transport.x, transport.y, 0);
  f(status_.scene, status.x, status.y, 0);
  f(view_keys_.scene, 0, 0, 0);
  f(caption_.scene, layout_.caption.x, layout_.caption.y, 0);
  f(comparison_.scene, 0, 0, 0);
  if (const auto progress = session_.progress())
    f(progress_scene(progress->share, t, width_), 0, layout_.bottom.y, 0);
  if (layout_.question.h > 0 || lesson_.question.h > 0)
    for (std::size_t slot = 0; slot < changed_slots; ++slot)
      if (const Box& box = box_of(slot); box.w > 0 && box.h > 0 && recording_in(slot))
        f(reply_marks(session_, drawn_[slot].scene, t), box.x, box.y, 0);
  f(question_.scene, layout_.question.x, layout_.question.y, 0);
  f(lesson_.panel.scene, layout_.lesson.x, layout_.lesson.y, 0);
  f(purpose_.scene, 0, layout_[Part::purpose].y, 0);
  if (session_.looks.cards) f(cards_.scene, 0, top_bar_height, 0);
  if (!session_.banner().text.empty()) f(sentence_.scene, 0, layout_.message, 0);
}

void Frame::draw_views() {
  moving_.shapes.clear();
  moving_.width = width_;
  moving_.height = height_;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    if (box_of(slot).w <= 0 || box_of(slot).h <= 0 || !recording_in(slot)) continue;
    draw_slot(slot);
    if (moved_) add_motion_in(slot);
  }
  for_each_scene([&](const Scene& scene, float x, float y, std::uint64_t number) {
    renderer_.draw(scene, x, y, scale_, number);
  });
  // Draws this scene even if it is empty, because the renderer compares the n-th scene of this frame with the
  // n-th scene of the previous frame.
  renderer_.draw(moving_, 0, 0, scale_);
  forget_other_recordings();
}

void Frame::forget_other_recordings() {
  const auto shown = session_.shared_recording();
  for (std::size_t slot = 0; slot < slots; ++slot)
    if (drawn_[slot].key.recording != recording_in(slot) || drawn_[slot].key.beside != beside(slot))
      drawn_[slot] = {};
  if (known_tip_.recording != shown && known_tip_.recording != session_.changed()) {
    known_tip_ = {};
    view_tip_.clear();
  }
}

void Frame::draw_overlays() {
  if (session_.looks.presentation) draw_presentation();
  if (session_.looks.help) {
    help_ = help_panel(theme(), width_, height_, session_.looks.help_page);
    renderer_.draw(help_.scene, 0, 0, scale_);
  } else {
    draw_tip();
  }
  renderer_.draw(focus_ring(), 0, 0, scale_);
}

const Lines& Frame::view_tip() {
  const bool changed = is_changed(hovered_slot_) && session_.compares();
  KnownTip now{changed ? session_.changed() : session_.shared_recording(),
               changed ? nullptr : session_.line_counters(),
               changed ? session_.changed_cursor() : session_.cursor()};
  if (now == known_tip_) return view_tip_;
  known_tip_ = std::move(now);
  const Cursor& cursor = known_tip_.cursor;
  return view_tip_ = tip_of({*known_tip_.recording, cursor, known_tip_.counters.get()}, cursor.hover);
}

void Frame::draw_tip() {
  if (session_.looks.black || (session_.looks.pen && tip_.empty())) return;
  if (still_ < tip_delay || tip_is_off_ || hold_ != Hold::nothing || mouse_.x < 0) return;
  std::vector<std::string> lines;
  // In a button's tooltip, three spaces separate the words from the key.
  if (const auto key = tip_.rfind("   "); key != tip_.npos)
    lines = {tip_.substr(0, key), tr("Key: ") + tip_.substr(key + 3)};
  else if (!tip_.empty()) lines = {tip_};
  else if (session_.timing.hover >= 0) lines = timing_.tip(session_);
  else lines = view_tip();
  if (lines.empty()) return;
  const Scene scene = tip_scene(lines, theme(), 420);
  // A tooltip about a view covers neither the sentences below the views nor the lesson.
  const Box bounds{4, 4, width_ - 12 - (layout_.lesson.contains(mouse_) ? 0 : layout_.lesson.w),
                   layout_.bottom.y - 8};
  std::vector<Box> keep_clear;
  if (const auto u = under(mouse_))
    for (const Box& b : drawn_[u->slot].scene.keep_clear)
      keep_clear.push_back({box_of(u->slot).x + b.x, box_of(u->slot).y + b.y, b.w, b.h});
  const Point at = tip_place(mouse_, scene.width, scene.height, bounds, keep_clear);
  renderer_.draw(scene, std::round(at.x), std::round(at.y), scale_);
}

}  // namespace upsweep
