#include "panels/presentation_layout.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "panels/view_rows.hpp"
#include "scene/comparison.hpp"

namespace upsweep {
namespace {

constexpr float least_presented_width = 800, least_presented_height = 450;
// The height of the question as a fraction of the window's height.
constexpr float presented_question = 0.45f;
// The heights in logical pixels of the parts around the views. In a low window, these heights are smaller.
constexpr float caption_height = 40, sentence_height = 84, controls_height = 30, steps_height = 20,
                paired_steps_height = 34;

}  // namespace

float presentation_scale(int width, int height) {
  return std::max(1.0f, std::min(static_cast<float>(width) / least_presented_width,
                                 static_cast<float>(height) / least_presented_height));
}

std::vector<int> presented_views(const Looks& looks, const Recording& recording) {
  std::vector<int> shown;
  const auto add = [&](int view) {
    if (view >= 0 && view < static_cast<int>(views().size()) && shown.size() < most_presented &&
        std::find(shown.begin(), shown.end(), view) == shown.end())
      shown.push_back(view);
  };
  if (looks.chosen >= 0) {
    add(looks.chosen);
  } else {
    const int first = shown_view(Home::tree, looks, recording);
    const bool has_requests = has_something(view_index("banks"), recording);
    // `lanes` is the view below the first view: requests to shared memory, or shuffles. If `lanes` shows
    // requests, the view "Shared memory" replaces the tree as the first view.
    const int lanes = shown_view(Home::banks, looks, recording);
    if (first != 0 || !has_requests) add(first);
    else add(lanes == view_index("banks") ? shown_view(Home::memory, looks, recording) : first);
    // A comparison shows one view of each run, because there is no room for more views.
    if (first == 0 && has_something(lanes, recording) && !looks.comparing) add(lanes);
  }
  for (const int view : looks.added) add(view);
  return shown;
}

WindowLayout presentation_layout(float width, float height, const Looks& looks, const Recording& recording,
                                 float banner, bool with_words) {
  WindowLayout w;
  const float small = std::min(1.0f, height / least_presented_height);
  const bool compares = looks.comparing && !looks.timing_large;
  std::vector<int> shown = presented_views(looks, recording);
  const bool no_words =
      !with_words || std::find(shown.begin(), shown.end(), view_index("words")) != shown.end();
  const float steps = (compares ? paired_steps_height : steps_height) * small,
              controls = controls_height * small,
              sentence = looks.asking                      ? presented_question * height
                         : compares                        ? low_differences_height * small
                         : no_words && !looks.timing_large ? 0.0f
                                                           : sentence_height * small;
  const float bottom = height - controls - steps - sentence;
  w.caption = {0, 0, width, caption_height * small};
  w.message = w.caption.h;
  w.bottom = {0, bottom, width, height - bottom};
  if (looks.asking) w.question = {0, bottom, width, sentence};
  else if (compares) w.differences = {0, bottom, width, sentence};
  else w[Home::words] = {0, bottom, width, sentence};
  w[Home::profile] = {0, bottom + sentence, width, steps};
  w[Part::transport] = {0, height - controls, width, controls};

  Box area{0, w.caption.h + banner, width, 0};
  area.h = std::max(0.0f, bottom - area.y);
  if (looks.timing_large) {
    w.timing = area;
    return w;
  }
  Point apart;  // the distance from a baseline's view to the same view of the changed run
  if (compares) {
    const float names = std::min(side_name_height, area.h / 2);
    // A single wide view keeps its width, so the changed run is below the baseline. Other views of the
    // changed run are at the right of the baseline.
    const bool below = shown.size() == 1 && needs_width(shown[0]);
    if (below) area.h /= 2;
    else area.w = (width - between_views) / 2;
    apart = below ? Point{0, area.h} : Point{area.w + between_views, 0};
    w.names[0] = {0, area.y, area.w, names};
    if (!below) w.column_line = area.w + between_views / 2;
    area.y += names;
    area.h -= names;
    w.names[1] = {apart.x, w.names[0].y + apart.y, area.w, names};
  }
  const auto all = view_rows(std::move(shown), area, recording);
  const auto beside = [&](const Box& b) {
    return compares ? Box{b.x + apart.x, b.y + apart.y, b.w, b.h} : Box{};
  };
  w.large_view = all[0].view;
  w.large = all[0].box;
  w.changed_large = beside(w.large);
  for (std::size_t i = 1; i < all.size(); ++i) {
    w.added_views[i - 1] = all[i].view;
    w.added[i - 1] = all[i].box;
    w.changed_added[i - 1] = beside(all[i].box);
  }
  return w;
}

}  // namespace upsweep
