// What pointing, clicks, the wheel and drags over the views do to the session.
#include <algorithm>
#include <cmath>

#include "analysis/memory.hpp"
#include "study/session.hpp"

namespace upsweep {
namespace {

constexpr int fewest_columns = 8;  // of the tree, zoomed in as far as it goes

bool touches(const Trace& trace, const std::vector<CellPlace>& places, const Event& e, int cell) {
  bool found = false;
  if (is_shared(e.kind))
    for_each_lane(
        e, [&](int, std::uint32_t entry) { found |= cell_at(places, trace.lanes[entry].address) == cell; });
  return found;
}

}  // namespace

bool Session::hover(const Id& id) {
  Cursor next = cursor_;
  next.hover = id;
  return place(next);
}

// A click takes the reader to what was clicked: a step, a request, the step that made a node, the request
// that touches a cell (the next one each time, or else the step that wrote it last), a line's or a warp's
// request.
void Session::click(const Id& id) {
  const Trace& trace = recording_->trace;
  const auto choose_event = [&](int event) {
    const int step = static_cast<int>(trace.events.at(static_cast<std::size_t>(event)).step);
    if (step != cursor_.step) go_to(step);
    const auto requests = requests_of(step);
    const auto at = std::find(requests.begin(), requests.end(), event);
    cursor_.request = at == requests.end() ? -1 : static_cast<int>(at - requests.begin());
  };
  // The next request of this step, after the chosen one and round again, that fits; -1 if none does.
  const auto next_request = [&](auto fits) {
    const auto requests = requests_of(cursor_.step);
    const int count = static_cast<int>(requests.size());
    for (int k = 1; k <= count; ++k) {
      const int at = (cursor_.request + k) % count;
      if (fits(trace.events[static_cast<std::size_t>(requests[static_cast<std::size_t>(at)])]))
        return requests[static_cast<std::size_t>(at)];
    }
    return -1;
  };

  playing_ = false;
  switch (id.what) {
    case Id::What::step:
    case Id::What::node:
      if (id.step >= 0) go_to(id.step);
      return;
    case Id::What::request:
      if (id.event >= 0) choose_event(id.event);
      return;
    case Id::What::cell: {
      const int grid = grid_index(trace, cursor_.step);
      const auto places =
          cell_places(trace.grids[static_cast<std::size_t>(grid)].shared, trace.element_bytes());
      const int event = next_request([&](const Event& e) { return touches(trace, places, e, id.cell); });
      if (event >= 0) return choose_event(event);
      const EventRange block = block_events(trace, grid, cursor_.block);
      for (std::size_t i = block.last; i-- > block.first;) {
        const Event& e = trace.events[i];
        if (static_cast<int>(e.step) < cursor_.step && !is_load(e.kind) &&
            touches(trace, places, e, id.cell)) {
          go_to(static_cast<int>(e.step));
          return;
        }
      }
      return;
    }
    case Id::What::lane: {
      if (id.event >= 0) return choose_event(id.event);
      const int event = next_request([&](const Event& e) { return e.warp == id.warp; });
      if (event >= 0) choose_event(event);
      return;
    }
    case Id::What::line: {
      const int event = next_request([&](const Event& e) { return e.line == id.line; });
      if (event >= 0) return choose_event(event);
      const auto at = std::find_if(trace.events.begin(), trace.events.end(), [&](const Event& e) {
        return e.line == id.line && static_cast<int>(e.step) > cursor_.step;
      });
      if (at != trace.events.end()) go_to(static_cast<int>(at->step));
      return;
    }
    case Id::What::block:
      if (id.step >= 0 && id.grid != grid_index(trace, cursor_.step)) go_to(id.step);
      go_to_block(id.block);
      return;
    case Id::What::grid:
      if (id.step >= 0) go_to(id.step);
      return;
    case Id::What::counters: return toggle_counters();
    case Id::What::barrier: toggle_barrier(id.line); return;
    case Id::What::timing:  // the tab of the times; points of charts are pinned by the frame
      looks.timing = 1;
      return;
    case Id::What::none:
    case Id::What::bank:
    case Id::What::view:
    case Id::What::handle: return;
  }
}

void Session::zoom_tree(float factor, float at) {
  const int columns = tree_at(*recording_, cursor_).columns;
  const int shown = cursor_.element_count == 0 ? columns : cursor_.element_count;
  const int wanted = static_cast<int>(std::lround(static_cast<float>(shown) * factor));
  const int next = std::clamp(wanted == shown ? shown + (factor > 1 ? 1 : -1) : wanted,
                              std::min(fewest_columns, columns), columns);
  if (next == columns) return show_whole_tree();
  const float fixed = static_cast<float>(cursor_.first_element) + at * static_cast<float>(shown);
  const int first = static_cast<int>(std::lround(fixed - at * static_cast<float>(next)));
  cursor_.first_element = std::clamp(first, 0, columns - next);
  cursor_.element_count = next;
}

void Session::pan_tree(float columns) {
  if (cursor_.element_count == 0) return;
  pan_ += columns;
  const float whole = std::trunc(pan_);
  pan_ -= whole;
  cursor_.first_element = std::clamp(cursor_.first_element + static_cast<int>(whole), 0,
                                     tree_at(*recording_, cursor_).columns - cursor_.element_count);
}

void Session::show_whole_tree() {
  cursor_.first_element = cursor_.element_count = 0;
  pan_ = 0;
}

void Session::scroll_source(int lines, int first_visible) {
  const int count =
      static_cast<int>(std::count(recording_->trace.text.begin(), recording_->trace.text.end(), '\n'));
  const int from = cursor_.first_line > 0 ? cursor_.first_line : first_visible;
  cursor_.first_line = std::clamp(from + lines, 1, std::max(1, count));
}

}  // namespace upsweep
