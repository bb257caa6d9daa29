#include "scene/step_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/step_index.hpp"
#include "base/language.hpp"
#include "scene/comparison.hpp"
#include "scene/paint.hpp"
#include "words/caption.hpp"
#include "words/compared.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

constexpr float caption_size = 12;  // the em in dp

// Returns the cursor after a move from the step `from` to another step. The result is the same as after
// Session::go_to().
Cursor moved_to(const Recording& r, Cursor cursor, int from, int step, bool keeps_request) {
  const auto grid = [&](int at) -> const Grid& { return r.trace.grid_of(static_cast<std::uint32_t>(at)); };
  cursor.step = step;
  cursor.hover = {};
  cursor.block = std::clamp(cursor.block, 0, grid(step).blocks - 1);
  if (keeps_request) return cursor;
  cursor.request = -1;
  cursor.time = -1;
  cursor.first_line = 0;
  if (from >= 0 && grid(from).first_step != grid(step).first_step)
    cursor.first_element = cursor.element_count = 0;
  return cursor;
}

}  // namespace

int StepPictures::count() const {
  return static_cast<int>(changed ? pairs.size() : recording->trace.steps.size());
}

std::string StepPictures::run_caption() const {
  const std::string run = caption_of_run(*recording, cursor.hides_answer);
  return changed ? run + " · B: " + side_name(*changed, *recording, cursor.hides_answer) : run;
}

std::string StepPictures::step_caption(int step) const {
  return changed ? tr("step {} of {}", grouped(step + 1), grouped(count()))
                 : caption_of_step(*recording, step);
}

Scene StepPictures::draw_view_of(int step, float height_of_view) const {
  const bool is_here = step == cursor_step;
  if (!changed)
    return draw_view(*view, {.recording = *recording,
                             .cursor = moved_to(*recording, cursor, cursor_step, step, is_here),
                             .theme = *theme,
                             .width = width,
                             .height = height_of_view,
                             .measured = measured.get()});
  const StepPair steps = shown_steps(pairs, step);
  const int from = cursor_step < 0 ? -1 : shown_steps(pairs, cursor_step).baseline;
  const Cursor baseline = moved_to(*recording, cursor, from, steps.baseline, is_here);
  Cursor other = moved_to(*changed, cursor, -1, steps.changed, is_here);
  other.time = -1;
  if (other.request >= std::ssize(changed->step(other.block, other.step).requests)) other.request = -1;
  if (changed->trace.text != recording->trace.text) other.first_line = 0;
  return comparison_scene(*view, {*recording, *changed, pairs, step, cursor.hides_answer}, baseline, other,
                          *theme, width, height_of_view);
}

Scene StepPictures::draw(int step) const {
  if (!has_caption) return draw_view_of(step, height);
  const float view_height = std::max(1.0f, height - step_caption_height);
  Painter p(*theme, width, height);
  p.scene.background = theme->background;
  append_moved(p.scene, draw_view_of(step, view_height), 0, 0);
  p.rect({0, view_height, width, step_caption_height}, theme->background);
  p.line({p.margin, view_height + 0.5f}, {width - p.margin, view_height + 0.5f}, theme->line);
  // The step's text is never cut, because this text says which step the picture shows.
  const float y = view_height + step_caption_height / 2, room = width - 2 * p.margin;
  const std::string at = cut(step_caption(step), caption_size, Face::regular, room);
  const float taken = text_width(at, caption_size, Face::regular) + 24;
  p.text({width - p.margin, y}, at, theme->text, caption_size, Face::regular, Align::right);
  if (room > taken)
    p.text({p.margin, y}, cut(run_caption(), caption_size, Face::regular, room - taken), theme->faint_text,
           caption_size);
  return std::move(p.scene);
}

}  // namespace upsweep
