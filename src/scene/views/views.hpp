// The views. Each is one struct in its own file, which decides what the view draws, its place in the window,
// its tips and the effects of clicks. views.list names all views.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/recording.hpp"
#include "scene/cursor.hpp"
#include "scene/paint.hpp"
#include "scene/views/line_counters.hpp"

namespace upsweep {

// The recording and the reader's place in it.
struct Reading {
  const Recording& recording;
  const Cursor& cursor;
  const LineCounters* measured = nullptr;  // the hardware's counts; null if they are not requested
};

struct ViewInput {
  const Recording& recording;
  const Cursor& cursor;
  const Theme& theme;
  float width, height;                     // dp
  const LineCounters* measured = nullptr;  // as in Reading
  float top = 4;                           // dp; the title bar, if there is one, is above it
};

// The texts in a view's title bar: what the view shows, as parts between " · ", and a readout about the thing
// under the mouse.
struct Heading {
  std::string what, readout;
};

struct ViewPicture {
  Scene scene;
  Heading heading;
};

// The pen of a view.
class ViewPen : public Painter {
 public:
  explicit ViewPen(const ViewInput& in) : Painter(in.theme, in.width, in.height) { top = in.top; }
  void title(std::string what, std::string readout = {}) { heading_ = {std::move(what), std::move(readout)}; }
  ViewPicture picture() && { return {std::move(scene), std::move(heading_)}; }

 private:
  Heading heading_;
};

// The lines of a tip. The first line is the name of the thing.
using Lines = std::vector<std::string>;

// The effect of a click.
struct GoToStep {
  int step;
  bool operator==(const GoToStep&) const = default;
};
// Goes to a warp request, by the index of its event, and to its step.
struct GoToRequest {
  int event;
  bool operator==(const GoToRequest&) const = default;
};
// Goes to a block of the grid of a step; step -1 means the reader's grid.
struct GoToBlock {
  int step, block;
  bool operator==(const GoToBlock&) const = default;
};
struct ToggleBarrier {
  int line;
  bool operator==(const ToggleBarrier&) const = default;
};
struct ToggleCounters {
  bool operator==(const ToggleCounters&) const = default;
};
// Shows the times at the place of the view "work".
struct ShowTimes {
  bool operator==(const ShowTimes&) const = default;
};
// Shows a view in its place of the window, by its index into views().
struct ShowView {
  int view;
  bool operator==(const ShowView&) const = default;
};
using Click = std::variant<std::monostate, GoToStep, GoToRequest, GoToBlock, ToggleBarrier, ToggleCounters,
                           ShowTimes, ShowView>;

// The places of the window for views. Each place is named after the view that it shows first.
enum class Home : std::uint8_t { tree, memory, banks, warps, source, work, profile, words };
inline constexpr int home_count = 8;

struct Notice {
  std::string text;  // such as " 3"
  bool warns = false;
};

inline constexpr float never_titled = 1e9f;

// The effects of dragging and of the wheel in a view.
enum class Hand : std::uint8_t {
  clicks,   // none: the view only reacts to clicks
  scrubs,   // dragging goes to the steps of the targets under the mouse; the wheel moves through the steps
  zooms,    // the wheel zooms the columns; dragging moves them
  scrolls,  // the wheel scrolls the lines
};

struct View {
  const char* name;   // on the command line: "tree"
  const char* title;  // in the window: "Tree"
  Home home;
  ViewPicture (*draw)(const ViewInput&);
  // These two functions return the lines of an id's tip, and the effect of a click on the id. A view handles
  // all ids of its own kinds, in any view that shows them. For other ids, both return nothing.
  Lines (*tip)(const Reading&, const Id&) = nullptr;
  Click (*click)(const Reading&, const Id&) = nullptr;
  // Returns whether the view has anything to show for a recording. Null means always.
  bool (*has_something)(const Recording&) = nullptr;
  // Returns whether this view is shown first in its place, instead of the usual one. Null means never.
  bool (*comes_first)(const Recording&) = nullptr;
  // Returns the height in dp that the view needs in a column of views. Null means the height that the other
  // views leave.
  float (*height)(const Recording&) = nullptr;
  // Returns what the tabs in other views' title bars add to this view's title. Null means nothing.
  Notice (*notice)(const Recording&) = nullptr;
  float titled_from = titled_height;  // the least height in dp of a view with a title bar
  // Returns the id that the view is drawn with instead of Cursor::hover. It is equal for all ids that look
  // the same in this view, and empty for ids that the view does not show. Null means Cursor::hover itself.
  Id (*sees)(const Id& hover) = nullptr;
  Hand hand = Hand::clicks;
  // The label of a button at the right end of the title bar. A view without a button has null.
  const char* button = nullptr;
  Id button_id = {};
};

// Returns all views in the order of their keys.
std::span<const View> views();
// Returns the index into views(), or -1 for an unknown name.
int view_index(std::string_view name);
bool has_something(int view, const Recording& recording);

// Functions for View::sees.
inline Id sees_nothing(const Id&) { return {}; }
template <class T>
Id sees_only(const Id& hover) {
  return is<T>(hover) ? hover : Id();
}
// Returns the lane that made an access.
inline Id sees_lane(const Id& hover) {
  const AccessId* by = access_of(hover);
  return by && by->lane >= 0 ? Id(LaneId{-1, {-1, by->warp, by->lane, 0}}) : Id();
}

// The tabs and buttons of a title bar. A view in an exported file has none.
struct Around {
  std::span<const int> alternatives = {};  // other views that can be shown here; each has a tab
  bool times = false;                      // the times can also be shown here, and have a tab
  bool button = false;                     // the view's button is shown
  bool pressed = false;                    // the button is pressed
};

// Draws a view with its title bar.
Scene draw_view(const View& view, const ViewInput& in, const Around& around = {});

// Returns the part of `hover` that draw_view() depends on. If this part is equal for two ids, both pictures
// are the same.
Id seen_in(const View& view, const Around& around, const Id& hover);

// Returns the tip of an id from the view that handles the id. Empty if the id has no tip.
Lines tip_of(const Reading& at, const Id& id);
// Returns the effect of a click on the id.
Click click_on(const Reading& at, const Id& id);

}  // namespace upsweep
