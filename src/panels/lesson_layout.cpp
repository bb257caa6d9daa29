#include "panels/lesson_layout.hpp"

#include <algorithm>

#include "panels/presentation_layout.hpp"
#include "panels/view_rows.hpp"

namespace upsweep {
namespace {

constexpr float least_lesson = 360, most_lesson = 520, share_of_lesson = 0.3f;

}  // namespace

WindowLayout lesson_layout(float width, float height, const Looks& looks, const Recording& recording,
                           const PreferredHeights& preferred_heights, float banner) {
  const float lesson = std::clamp(width * share_of_lesson, std::min(least_lesson, width / 2), most_lesson);
  const float room = width - lesson;
  if (looks.presentation) {
    Looks without_question = looks;
    without_question.asking = false;
    WindowLayout w = presentation_layout(room, height, without_question, recording, banner, false);
    w.lesson = {room, 0, lesson, height};
    return w;
  }
  WindowLayout w = window_layout(room, height, looks, preferred_heights, banner);
  w[Part::top_bar].w = width;
  w.lesson = {room, top_bar_height, lesson, height - top_bar_height};
  if (looks.chosen < 0 || looks.comparing || looks.timing_large) return w;
  // The chosen views replace all other views.
  const float top = w.header + banner;
  for (const Home home : {Home::tree, Home::memory, Home::banks, Home::warps, Home::source, Home::work})
    w[home] = {};
  w.timing = {};
  w.column_line = 0;
  w.splitters.clear();
  const auto all = view_rows(presented_views(looks, recording),
                             {0, top, room, std::max(0.0f, w.bottom.y - top)}, recording);
  w.large_view = all[0].view;
  w.large = all[0].box;
  for (std::size_t i = 1; i < all.size(); ++i) {
    w.added_views[i - 1] = all[i].view;
    w.added[i - 1] = all[i].box;
  }
  return w;
}

}  // namespace upsweep
