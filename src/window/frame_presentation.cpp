// Shows the controls, the pen, the pointer and the black screen of a presentation.
#include <algorithm>
#include <cmath>
#include <limits>

#include "window/frame.hpp"

namespace upsweep {
namespace {

constexpr float stroke_step = 1;             // logical pixels; shorter movements add no point to the stroke
constexpr std::size_t most_pictures = 200;   // the largest number of pictures whose strokes are stored
constexpr std::size_t most_points = 20'000;  // the largest number of points of a stroke

bool same_places(const WindowLayout& a, const WindowLayout& b) {
  return a.large_view == b.large_view && a.large == b.large && a.added_views == b.added_views &&
         a.added == b.added && a.timing == b.timing && a.changed_large == b.changed_large;
}

}  // namespace

// The controls appear when the mouse moves, and stay visible while the mouse is over the controls.
void Frame::follow_presentation(double seconds, bool moved) {
  const bool presents = session_.looks.presentation;
  if (!presents || !presents_) {
    is_pointing_ = false;
    unused_ = std::numeric_limits<double>::infinity();
    hold_ = hold_ == Hold::ink ? Hold::nothing : hold_;
    if (!presents) ink_.clear();
  } else {
    const bool is_over =
        is_pointing_ && (layout_.caption.contains(mouse_) || layout_[Part::transport].contains(mouse_));
    is_pointing_ = is_pointing_ || moved;
    const bool uses = (moved && hold_ != Hold::ink) || is_over;
    unused_ = uses ? 0 : unused_ + seconds;
  }
  presents_ = presents;
}

double Frame::presentation_changes_in() const {
  return session_.looks.presentation ? controls_change_in(unused_, !values_move(session_.looks)) : -1;
}

// Returns the strokes over the shown picture. Returns null if the picture has no strokes.
std::vector<Stroke>* Frame::strokes() {
  Cursor cursor = session_.cursor();
  cursor.hover = {};
  const auto found = std::find_if(ink_.begin(), ink_.end(), [&](const Ink& ink) {
    return ink.recording == session_.shared_recording() && ink.changed == session_.changed() &&
           ink.cursor == cursor && same_places(ink.layout, layout_);
  });
  return found == ink_.end() ? nullptr : &found->strokes;
}

void Frame::begin_stroke() {
  std::vector<Stroke>* shown = strokes();
  if (!shown) {
    if (ink_.size() >= most_pictures) ink_.erase(ink_.begin());
    Cursor cursor = session_.cursor();
    cursor.hover = {};
    ink_.push_back({session_.shared_recording(), session_.changed(), cursor, layout_, {}});
    shown = &ink_.back().strokes;
  }
  shown->push_back({mouse_});
  hold_ = Hold::ink;
}

void Frame::go_on_with_stroke() {
  std::vector<Stroke>* shown = strokes();
  if (!shown || shown->empty()) return;  // the picture has changed
  Stroke& stroke = shown->back();
  const Point last = stroke.back();
  if (stroke.size() < most_points && std::hypot(mouse_.x - last.x, mouse_.y - last.y) >= stroke_step)
    stroke.push_back(mouse_);
}

// Handles the key Escape in a presentation: wipes the strokes over the shown picture. Returns false if there
// is nothing to wipe. In this case, the key has its usual effect.
bool Frame::leave_presentation() {
  if (!session_.looks.presentation || session_.looks.help) return false;
  std::vector<Stroke>* shown = strokes();
  if (!shown || shown->empty()) return false;
  shown->clear();
  if (hold_ == Hold::ink) hold_ = Hold::nothing;
  return true;
}

void Frame::draw_presentation() {
  if (session_.looks.black) {
    Pen s(width_, height_, Colour{0, 0, 0, 255});
    renderer_.draw(s.scene, 0, 0, scale_);
    return;
  }
  if (const std::vector<Stroke>* shown = strokes())
    renderer_.draw(strokes_scene(*shown, theme(), width_, height_), 0, 0, scale_);
  if (is_pointing_ && mouse_.x >= 0)
    renderer_.draw(pointer_scene(mouse_, session_.looks.pen, theme(), width_, height_), 0, 0, scale_);
}

}  // namespace upsweep
