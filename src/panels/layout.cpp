#include "panels/layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "panels/question_panel.hpp"
#include "scene/comparison.hpp"

namespace upsweep {
namespace {

constexpr float gap = 8, edge = 24;
// The heights in logical pixels of the two parts at the bottom of the window. The upper part contains the
// sentences (words). The lower part is the strip with the buttons and the view "Profile". In a low window,
// both heights are smaller.
constexpr float words_height = 56, strip_height = 112, low_words = 52, low_strip = 100, low_window = 800;
constexpr float roomy_words = 80;  // the height for the sentences of two runs side by side
constexpr float narrow_words = 78, narrow_window = 1100, narrow_status = 120;
constexpr float transport_width = 232, status_width = 200;
constexpr float least_rows[] = {172, 104, 84, 74};  // the minimum heights of tree, memory, banks and warps
constexpr float least_tree = 100;                   // the minimum height of the tree in a low window
constexpr float least_left = 560, least_right = 320, least_source = 160, least_work = 150;
// A window of at least this size shows the times beside the views by default.
constexpr float roomy_width = 1600, roomy_height = 900;
constexpr float usual_source = 0.56f, source_beside_times = 0.34f;
constexpr Home left_homes[] = {Home::tree, Home::memory, Home::banks, Home::warps};

// Divides `total` in proportion to `ratios`, but each part gets at least its minimum. If the sum of the
// minimums exceeds `total`, divides `total` in proportion to the minimums.
std::vector<float> share(float total, std::span<const float> ratios, std::span<const float> least) {
  const std::size_t count = ratios.size();
  std::vector<float> sizes(count);
  const float needed = std::accumulate(least.begin(), least.end(), 0.0f);
  if (needed >= total) {
    for (std::size_t i = 0; i < count; ++i) sizes[i] = least[i] * total / needed;
    return sizes;
  }
  std::vector<bool> held(count, false);
  for (bool again = true; again;) {
    again = false;
    float left = total, sum = 0;
    for (std::size_t i = 0; i < count; ++i) held[i] ? left -= least[i] : sum += ratios[i];
    for (std::size_t i = 0; i < count; ++i) {
      sizes[i] = held[i] ? least[i] : left * ratios[i] / sum;
      if (!held[i] && sizes[i] < least[i]) held[i] = again = true;
    }
  }
  return sizes;
}

// Returns true if a question is shown below the views. Returns false for a question of a lesson, because the
// lesson shows this question.
bool asks_below(const Looks& looks) { return looks.asking && !(looks.posed && looks.lesson); }

struct Bounds {
  float top, bottom;   // the y of the top and of the bottom of the columns
  float left, right;   // the widths of the columns; right is 0 without a right column
  float words, strip;  // the heights of the two parts at the bottom of the window
};

// Returns the height of the top bar plus the height of the lines about the algorithm, which are below the top
// bar. A tiny window has no room for these lines. A lesson hides these lines, because the lines could contain
// answers.
float header_height(float height, const Looks& looks) {
  constexpr float tiny_window = 400;
  return top_bar_height + (height < tiny_window || looks.lesson ? 0
                           : height < low_window                ? low_purpose_height
                                                                : purpose_height);
}

// Returns true if a message of this height is not higher than the lines about the algorithm.
bool covers_header(float height, const Looks& looks, float banner) {
  return banner <= header_height(height, looks) - top_bar_height;
}

Bounds bounds_of(float width, float height, const Looks& looks, float banner) {
  Bounds f;
  f.top = header_height(height, looks) + (covers_header(height, looks, banner) ? 0 : banner);
  const bool is_roomy = height >= roomy_height && looks.comparing;
  f.words = asks_below(looks)       ? question_height(height)
            : width < narrow_window ? narrow_words
            : height < low_window   ? low_words
            : is_roomy              ? roomy_words
                                    : words_height;
  f.strip = height < low_window ? low_strip : strip_height;
  f.bottom = std::max(f.top, height - f.words - f.strip);
  const float ratios[] = {looks.column, 1 - looks.column}, least[] = {least_left, least_right};
  const auto columns = share(width - gap, ratios, least);
  f.left = columns[0];
  f.right = columns[1];
  return f;
}

// Returns a value for each view on the left, from top to bottom: true if the view shows only its title.
std::array<bool, 4> only_titles(const PreferredHeights& w) {
  return {false, w.memory <= title_height, w.banks <= title_height, w.warps <= title_height};
}

// Returns the minimum heights of the views on the left. In a low window, the tree has a smaller minimum, so
// that there is room for the titles of the other views.
std::array<float, 4> least_heights(float total, const PreferredHeights& w) {
  std::array<float, 4> least = std::to_array(least_rows);
  const auto only_title = only_titles(w);
  float others = 0;
  for (std::size_t i = 1; i < 4; ++i) {
    if (only_title[i]) least[i] = title_height;
    others += least[i];
  }
  least[0] = std::clamp(total - others, least_tree, least[0]);
  return least;
}

// Returns the heights that the reader has chosen by moving splitters. If the reader has moved no splitter,
// returns the heights that the views need, and at least 41 % for the tree.
std::vector<float> row_heights(float total, const Looks& looks, const PreferredHeights& w) {
  const auto least = least_heights(total, w);
  const auto only_title = only_titles(w);
  std::array<float, 4> ratios = std::to_array(looks.rows);
  float titles = 0, others = 0;
  const float wanted[] = {0, w.memory, w.banks, w.warps};
  for (std::size_t i = 1; i < 4; ++i) (only_title[i] ? titles : others) += wanted[i];
  const float room = total - titles;
  const float tree = std::max(room - others, room * 0.41f);
  for (std::size_t i = 0; i < 4; ++i) {
    if (looks.rows[0] <= 0) ratios[i] = i == 0 ? tree : wanted[i] * (room - tree) / others;
    if (only_title[i]) ratios[i] = 0;  // a view that shows only its title gets its least height
  }
  return share(total, ratios, least);
}

void place_left(WindowLayout& w, const Bounds& f, const Looks& looks,
                const PreferredHeights& preferred_heights) {
  const auto heights = row_heights(f.bottom - f.top - 3 * gap, looks, preferred_heights);
  float y = f.top;
  const auto only_title = only_titles(preferred_heights);
  for (std::size_t i = 0; i < 4; ++i) {
    w[left_homes[i]] = {0, y, f.left, heights[i]};
    y += heights[i];
    if (i < 3 && !only_title[i] && !only_title[i + 1])
      w.splitters.push_back({Splitter::Kind::row, static_cast<int>(i), {0, y, f.left, gap}});
    y += gap;
  }
}

// Returns the height of the view "Source" as a fraction of the right column's height. The fraction does not
// depend on the view below, so that the layout does not change if the reader chooses another view there.
float source_share(float width, float height, const Looks& looks) {
  if (looks.source > 0) return looks.source;
  return width >= roomy_width && height >= roomy_height ? source_beside_times : usual_source;
}

void place_right(WindowLayout& w, const Bounds& f, float source, Home large) {
  const float x = f.left + gap, height = f.bottom - f.top;
  w.column_line = f.left + gap / 2;
  w.splitters.push_back({Splitter::Kind::column, 0, {f.left, f.top, gap, height}});
  if (large == Home::source) {
    w[Home::work] = {x, f.top, f.right, height};
  } else if (large == Home::work) {
    w[Home::source] = {x, f.top, f.right, height};
  } else {
    const float ratios[] = {source, 1 - source}, least[] = {least_source, least_work};
    const auto heights = share(height - gap, ratios, least);
    w[Home::source] = {x, f.top, f.right, heights[0]};
    w[Home::work] = {x, f.top + heights[0] + gap, f.right, heights[1]};
    w.splitters.push_back({Splitter::Kind::source, 0, {x, f.top + heights[0], f.right, gap}});
  }
}

// Places the parts at the bottom. The view "Words" (the sentences about the step) is above the buttons, the
// profile and the status.
void place_bottom(WindowLayout& w, const Bounds& f, float width, float height) {
  w.bottom = {0, f.bottom, width, height - f.bottom};
  const float strip = std::max(f.bottom, height - f.strip);
  const float status = width < narrow_window ? narrow_status : status_width;
  w[Home::words] = {0, f.bottom, width, strip - f.bottom};
  w[Part::transport] = {edge, strip, transport_width, height - strip};
  w[Part::status] = {width - edge - status, strip, status, height - strip};
  const float x = edge + transport_width + gap;
  w[Home::profile] = {x, strip, std::max(0.0f, width - edge - status - gap - x), height - strip};
}

// Places the views of two runs side by side, between the top and the bottom of the columns. A low window
// shows no tree, because there is no room above the shared memory.
void place_sides(WindowLayout& w, Bounds f, const PreferredHeights& preferred_heights, float width,
                 float height) {
  const float half = (width - gap) / 2, x = half + gap,
              below = height < low_window ? low_differences_height : differences_height;
  w.names = {Box{0, f.top, half, side_name_height}, {x, f.top, half, side_name_height}};
  w.differences = {0, f.bottom - below, width, below};
  w.column_line = half + gap / 2;
  f.top += side_name_height;
  f.bottom = std::max(f.top, f.bottom - below);
  f.left = half;
  const auto beside = [&](const Box& box) { return box.w > 0 ? Box{x, box.y, box.w, box.h} : Box{}; };
  if (w.large_view >= 0) {
    w.large = {0, f.top, half, f.bottom - f.top};
    w.changed_large = beside(w.large);
  } else if (height < low_window && preferred_heights.memory > title_height) {
    const float wanted[] = {preferred_heights.memory, preferred_heights.banks, preferred_heights.warps};
    const auto heights = share(f.bottom - f.top - 2 * gap, wanted, std::span(least_rows).subspan(1));
    float y = f.top;
    for (std::size_t i = 0; i < 3; ++i) {
      w[left_homes[i + 1]] = {0, y, half, heights[i]};
      y += heights[i] + gap;
    }
  } else {
    place_left(w, f, {}, preferred_heights);
    w.splitters.clear();
  }
  for (const Home home : left_homes) w.changed[static_cast<std::size_t>(home)] = beside(w[home]);
}

}  // namespace

int shown_view(Home home, const Looks& looks, const Recording& recording) {
  const auto all = views();
  const int chosen = looks.tabs[static_cast<std::size_t>(home)];
  if (chosen >= 0 && chosen < static_cast<int>(all.size()) &&
      all[static_cast<std::size_t>(chosen)].home == home && has_something(chosen, recording))
    return chosen;
  int first = -1;
  for (int v = 0; v < static_cast<int>(all.size()); ++v) {
    const View& view = all[static_cast<std::size_t>(v)];
    if (view.home != home) continue;
    if (view.comes_first && view.comes_first(recording)) return v;
    if (first < 0) first = v;
  }
  return first;
}

std::vector<int> alternatives_of(int view, const Recording& recording) {
  const auto all = views();
  std::vector<int> others;
  for (int v = 0; v < static_cast<int>(all.size()); ++v)
    if (v != view && all[static_cast<std::size_t>(v)].home == all[static_cast<std::size_t>(view)].home &&
        has_something(v, recording))
      others.push_back(v);
  return others;
}

PreferredHeights preferred_heights_of(const Recording& recording, const Looks& looks, int step) {
  const auto wish = [&](Home home, float otherwise) {
    const View& view = views()[static_cast<std::size_t>(shown_view(home, looks, recording))];
    if (view.why_nothing && !view.why_nothing(recording, step).empty()) return title_height;
    return view.height ? view.height(recording) : otherwise;
  };
  PreferredHeights w;
  w.memory = wish(Home::memory, w.memory);
  w.banks = wish(Home::banks, w.banks);
  w.warps = wish(Home::warps, w.warps);
  return w;
}

WindowLayout window_layout(float width, float height, const Looks& looks,
                           const PreferredHeights& preferred_heights, float banner) {
  WindowLayout w;
  if (looks.timing_large) w.large_view = -1;
  else if (looks.chosen >= 0 && looks.chosen < static_cast<int>(views().size())) w.large_view = looks.chosen;
  const Home large = w.large_view < 0 ? Home::tree : views()[static_cast<std::size_t>(w.large_view)].home;
  const Bounds f = bounds_of(width, height, looks, banner);
  w.header = header_height(height, looks);
  w.message = covers_header(height, looks, banner) ? top_bar_height : w.header;
  w[Part::top_bar] = {0, 0, width, top_bar_height};
  if (w.header > top_bar_height) w[Part::purpose] = {0, top_bar_height, width, w.header - top_bar_height};
  const Box left{0, f.top, f.left, f.bottom - f.top};
  if (looks.timing_large) w.timing = left;
  else if (looks.comparing) place_sides(w, f, preferred_heights, width, height);
  else if (w.large_view >= 0) w.large = left;
  else place_left(w, f, looks, preferred_heights);
  const bool beside = looks.comparing && !looks.timing_large;
  if (!beside) place_right(w, f, source_share(width, height, looks), large);
  // The measured times replace the view at the lower right. During a question, the times stay hidden, because
  // the panel of the times also shows counts of the whole run, which may be the answer.
  if (!looks.timing_large && !beside && !looks.asking && large != Home::work &&
      shows_timing(width, height, looks))
    std::swap(w.timing, w[Home::work]);
  place_bottom(w, f, width, height);
  if (asks_below(looks)) std::swap(w.question, w[Home::words]);
  if (beside) {
    Box &words = w[Home::words], &others = w.changed[static_cast<std::size_t>(Home::words)];
    words.w = (width - gap) / 2;
    others = {words.w + gap, words.y, words.w, words.h};
  }
  return w;
}

bool shows_timing(float width, float height, const Looks& looks) {
  return looks.timing >= 0 ? looks.timing > 0 : width >= roomy_width && height >= roomy_height;
}

void drag(Looks& looks, float width, float height, const PreferredHeights& preferred_heights,
          const Splitter& splitter, float by, float banner) {
  const WindowLayout w = window_layout(width, height, looks, preferred_heights, banner);
  if (splitter.kind == Splitter::Kind::column) {
    const float total = width - gap,
                left = std::clamp(w.column_line - gap / 2 + by, std::min(least_left, total),
                                  std::max(least_left, total - least_right));
    looks.column = left / total;
  } else if (splitter.kind == Splitter::Kind::source) {
    const float first = w[Home::source].h,
                total = first + std::max(w[Home::work].h, looks.timing_large ? 0 : w.timing.h);
    if (total > least_source + least_work)
      looks.source = std::clamp(first + by, least_source, total - least_work) / total;
  } else {
    // Changes only the heights of the view above the splitter and of the view below the splitter.
    const auto at = static_cast<std::size_t>(splitter.row);
    float heights[4], total = 0;
    for (int i = 0; i < 4; ++i) total += heights[i] = w[left_homes[i]].h;
    const float both = heights[at] + heights[at + 1];
    if (both < least_rows[at] + least_rows[at + 1]) return;
    heights[at] = std::clamp(heights[at] + by, least_rows[at], both - least_rows[at + 1]);
    heights[at + 1] = both - heights[at];
    for (int i = 0; i < 4; ++i) looks.rows[i] = heights[i] / total;
  }
}

}  // namespace upsweep
