// Handles the mouse over the views: pointing, clicking, turning the wheel and dragging.
#include <algorithm>
#include <cmath>

#include "study/intention.hpp"

namespace upsweep {
namespace {

constexpr int fewest_columns = 8;  // the tree cannot be zoomed to fewer columns

}  // namespace

bool Session::hover(const Id& id) {
  changed_hover_ = {};
  Cursor next = cursor_;
  next.hover = id;
  return place(next);
}

void Session::click(const Id& id) {
  if (mark(id)) return;
  const Intention one(*this);
  playing_ = false;
  const auto counters = line_counters();
  carry_out_click(click_on({recording(), cursor_, counters.get()}, id));
}

void Session::carry_out_click(const Click& effect) {
  const Intention one(*this);
  std::visit([this](const auto& wanted) { carry_out(wanted); }, effect);
}

void Session::carry_out(const GoToStep& to) { go_to(to.step); }

void Session::carry_out(const GoToRequest& to) {
  const auto& events = recording().trace.events;
  if (to.event < 0 || to.event >= static_cast<int>(events.size()))
    return;  // the id belongs to another recording
  const int step = static_cast<int>(events[static_cast<std::size_t>(to.event)].step);
  if (step != cursor_.step) go_to(step);
  const std::vector<int>& requests = requests_of(step);
  const auto at = std::find(requests.begin(), requests.end(), to.event);
  cursor_.request = at == requests.end() ? -1 : static_cast<int>(at - requests.begin());
}

void Session::carry_out(const GoToBlock& to) {
  if (to.step >= 0) go_to(to.step);
  go_to_block(to.block);
}

void Session::carry_out(const GoToFinding& to) {
  if (to.step >= 0) go_to(to.step);
  cursor_.finding = to.entry;
  carry_out(ShowView{view_index("hazards")});
}

// Shows a view in its home (a place of the window). If another view of this home is shown large, the new view
// is shown large instead.
void Session::carry_out(const ShowView& shown) {
  const auto home_of = [](int view) { return views()[static_cast<std::size_t>(view)].home; };
  if (shown.view < 0 || shown.view >= static_cast<int>(views().size())) return;
  const Home home = home_of(shown.view);
  if (looks.chosen >= 0 && home_of(looks.chosen) == home) looks.chosen = shown.view;
  looks.tabs[static_cast<std::size_t>(home)] = shown.view;
}

VisibleColumns Session::visible_columns() const {
  return upsweep::visible_columns(cursor_, tree_at(recording(), cursor_).columns);
}

void Session::zoom_tree(float factor, float at) {
  const Intention one(*this);
  const int columns = tree_at(recording(), cursor_).columns;
  const auto [first_shown, shown] = visible_columns();
  const int wanted = static_cast<int>(std::lround(static_cast<float>(shown) * factor));
  const int next = std::clamp(wanted == shown ? shown + (factor > 1 ? 1 : -1) : wanted,
                              std::min(fewest_columns, columns), columns);
  if (next == columns) return show_whole_tree();
  const float fixed = static_cast<float>(first_shown) + at * static_cast<float>(shown);
  const int first = static_cast<int>(std::lround(fixed - at * static_cast<float>(next)));
  cursor_.first_element = std::clamp(first, 0, columns - next);
  cursor_.element_count = next;
}

void Session::pan_tree(float columns) {
  const Intention one(*this);
  const int all = tree_at(recording(), cursor_).columns;
  const auto [first, shown] = visible_columns();
  if (shown == all) return;
  pan_ += columns;
  const float whole = std::trunc(pan_);
  pan_ -= whole;
  cursor_.first_element = std::clamp(first + static_cast<int>(whole), 0, all - shown);
}

void Session::show_whole_tree() {
  const Intention one(*this);
  cursor_.first_element = cursor_.element_count = 0;
  cursor_.image.first_row = cursor_.image.first_column = cursor_.image.column_count = 0;
  pan_ = 0;
}

void Session::scroll_source(int lines, int first_visible) {
  const Intention one(*this);
  const int count =
      static_cast<int>(std::count(recording().trace.text.begin(), recording().trace.text.end(), '\n'));
  const int from = cursor_.first_line > 0 ? cursor_.first_line : first_visible;
  cursor_.first_line = std::clamp(from + lines, 1, std::max(1, count));
}

}  // namespace upsweep
