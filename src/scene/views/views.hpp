// Declares the views. Each view is a struct, which is defined in a separate file. The struct defines the
// view's picture, the view's place in the window, the tooltips and the effects of clicks.
//
// views.list contains the names of all views.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/recording.hpp"
#include "base/job.hpp"
#include "scene/cursor.hpp"
#include "scene/motion.hpp"
#include "scene/paint.hpp"
#include "scene/views/line_counters.hpp"

namespace upsweep {

// A recording, and the reader's place in this recording.
struct Reading {
  const Recording& recording;
  const Cursor& cursor;
  const LineCounters* measured = nullptr;  // the hardware's counts; null if no counts are requested
};

struct ViewInput {
  const Recording& recording;
  const Cursor& cursor;
  const Theme& theme;
  float width, height;                     // the size of the picture in dp
  const LineCounters* measured = nullptr;  // see Reading
  // The other run of a comparison, and the place that is shown in that run; null if no runs are compared.
  const Reading* beside = nullptr;
  // The y at which the picture begins: below the title bar, if there is a title bar.
  float top = 4;
  // A finished picture with depth of field, which the view shows (see View::shows_lens_frame). If the pointer
  // is null, the view computes the picture.
  const LensFrame* lens_frame = nullptr;
  // How many times larger than usual a dp is on the screen, because the user has enlarged all texts.
  float enlarged = 1;
  // True if the picture is for an audience. In such a picture, cells and figures are as large as possible.
  bool presented = false;
};

// The texts in a view's title bar. `what` describes the picture. The parts of `what` are joined by " · ".
// `readout` describes the thing under the mouse, or the current step.
struct Heading {
  std::string what, readout;
};

struct ViewPicture {
  Scene scene;
  Heading heading;
};

class ViewPen : public Painter {
 public:
  explicit ViewPen(const ViewInput& in) : Painter(in.theme, in.width, in.height) { top = in.top; }
  void title(std::string what, std::string readout = {}) { heading_ = {std::move(what), std::move(readout)}; }
  ViewPicture picture() && { return {std::move(scene), std::move(heading_)}; }

 private:
  Heading heading_;
};

// The lines of a tooltip. The first line is the name of the thing.
using Lines = std::vector<std::string>;

// The structs from here to SetImageLook are effects of a click, see Click.
struct GoToStep {
  int step;
  bool operator==(const GoToStep&) const = default;
};
// Goes to the warp request with this event, and to the request's step.
struct GoToRequest {
  int event;
  bool operator==(const GoToRequest&) const = default;
};
// Goes to a block of the grid that contains `step`. If `step` is -1, goes to a block of the cursor's grid.
struct GoToBlock {
  int step, block;
  bool operator==(const GoToBlock&) const = default;
};
// Goes to a time of the run (see Place::time), and to the block's step at this time. If `grid` is -1, the
// cursor stays at its block.
struct GoToMoment {
  int grid, block;
  std::int64_t time;
  bool operator==(const GoToMoment&) const = default;
};
// Chooses an entry of the view "Hazards", goes to the entry's step, and shows the view.
struct GoToFinding {
  int step, entry;
  bool operator==(const GoToFinding&) const = default;
};
struct ToggleBarrier {
  int line;
  bool operator==(const ToggleBarrier&) const = default;
};
struct ToggleCounters {
  bool operator==(const ToggleCounters&) const = default;
};
// Shows the measured times instead of the view "Work and steps".
struct ShowTimes {
  bool operator==(const ShowTimes&) const = default;
};
// Shows a view. Each view has a fixed place in the window. `view` is an index into views().
struct ShowView {
  int view;
  bool operator==(const ShowView&) const = default;
};
// Changes how the view "Image" shows a picture.
struct SetImageLook {
  ImageLook look;
  bool operator==(const SetImageLook&) const = default;
};
using Click = std::variant<std::monostate, GoToStep, GoToRequest, GoToBlock, GoToMoment, GoToFinding,
                           ToggleBarrier, ToggleCounters, ShowTimes, ShowView, SetImageLook>;

// The places for views in the window. The name of a place is the name of the view that is usually shown
// there.
enum class Home : std::uint8_t { tree, memory, banks, warps, source, work, profile, words };
inline constexpr int home_count = 8;

struct Notice {
  std::string text;  // a text after the view's title in its tab, such as " 3" for three findings
  bool warns = false;
};

inline constexpr float never_titled = 1e9f;
// The height in dp of a view that shows only its title.
inline constexpr float title_height = 40;

// The effects of dragging and of the mouse wheel in a view.
enum class Hand : std::uint8_t {
  clicks,  // the view reacts only to clicks
  // Dragging goes to the step of the target under the mouse. The wheel goes from step to step.
  scrubs,
  // Dragging moves the tree. The wheel zooms the tree's columns.
  zooms,
  scrolls,  // the wheel scrolls the lines of text
  its_own,  // the functions View::turn and View::drag decide
};

struct View {
  const char* name;   // the name on the command line, such as "tree"
  const char* title;  // the title in the window, such as "Tree"
  Home home;
  ViewPicture (*draw)(const ViewInput&);
  // tip() returns the tooltip of an id, and click() returns the effect of a click on the id. Exactly one view
  // handles each kind of id, even if several views show things with this id.
  //
  // If this view does not handle the id, tip() returns no lines, and click() returns std::monostate.
  Lines (*tip)(const Reading&, const Id&) = nullptr;
  Click (*click)(const Reading&, const Id&) = nullptr;
  // Returns true if the view can show something for a recording. A null pointer means that the view can
  // always show something.
  bool (*has_something)(const Recording&) = nullptr;
  // Returns true if the window shows this view by default in the view's place, instead of the usual view.
  // Null means that the usual view is always the default.
  bool (*comes_first)(const Recording&) = nullptr;
  // Returns the height in dp that the view needs in a column of views. Null means that the view gets the
  // height that the other views do not need.
  float (*height)(const Recording&) = nullptr;
  // Returns a sentence that says why the view has nothing to show for the launch that contains a step.
  // Returns an empty text if the view has something to show. Null means that the view always has something to
  // show.
  //
  // In a column of views, a view with such a sentence shows only its title and the sentence.
  std::string (*why_nothing)(const Recording&, int step) = nullptr;
  // Returns the text that follows this view's title in the tabs of other views. Null means that no text
  // follows.
  Notice (*notice)(const Reading&) = nullptr;
  float titled_from = titled_height;  // dp; a view with a smaller height has no title bar
  // Converts the id under the mouse for this view. Ids with the same effect on the picture become equal, and
  // ids that the view does not show become empty. So the view is drawn again only if its picture changes.
  //
  // Null means that ids are not converted.
  Id (*sees)(const Id& hover) = nullptr;
  Hand hand = Hand::clicks;
  // turn() returns the effect of turning the mouse wheel over an id; one tick upwards is 1. drag() returns
  // the effect of dragging from one id to another id. Both are null unless `hand` is Hand::its_own.
  Click (*turn)(const Reading&, const Id&, float ticks) = nullptr;
  Click (*drag)(const Reading&, const Id& from, const Id& to) = nullptr;
  // True if an exported picture of this view shows the last step by default.
  bool shows_the_end = false;
  // True if the picture depends on Place::time.
  bool shows_time = false;
  // True if the window draws a picture with depth of field for this view, see ViewInput::lens_frame.
  bool shows_lens_frame = false;
  // Some views may need more time than one frame to compute their data. For all other views, both pointers
  // are null. is_ready() returns true if draw() can draw this place immediately.
  //
  // If is_ready() returns false, the window calls find() in another thread, and draws a sentence until find()
  // returns. find() throws Cancelled if the job is cancelled.
  bool (*is_ready)(const Recording&, const Cursor&) = nullptr;
  void (*find)(const Recording&, const Cursor&, const Job&) = nullptr;
  // Returns the motion from the picture of the previous step to the picture of this step. Null means that
  // nothing moves.
  Motion (*motion)(const ViewInput&) = nullptr;
  // The label of the button at the right end of the title bar; null if the view has no button.
  const char* button = nullptr;
  Id button_id = {};
};

// The name of the view that shows the actions of blocks over time.
inline constexpr std::string_view time_view = "blocks";

// Returns all views, in the order of the keyboard keys that show them.
std::span<const View> views();
// Returns the index of a view in views(), or -1 if the name is unknown.
int view_index(std::string_view name);
bool has_something(int view, const Recording& recording);

// Functions for View::sees.
inline Id sees_nothing(const Id&) { return {}; }
template <class T>
Id sees_only(const Id& hover) {
  return is<T>(hover) ? hover : Id();
}
// Returns the id of the lane whose access is under the mouse. Returns an empty id if no lane is known.
inline Id sees_lane(const Id& hover) {
  const AccessId* by = access_of(hover);
  return by && by->lane >= 0 ? Id(LaneId{-1, {-1, by->warp, by->lane, 0}}) : Id();
}

// The tabs and buttons of a title bar. In exported files, title bars have no tabs and no buttons.
struct Around {
  std::span<const int> alternatives = {};  // other views that can replace this view; each has a tab
  bool times = false;                      // true if there is a tab for the measured times
  bool button = false;                     // true if the view's button is visible
  bool pressed = false;                    // true if the view's button is on
  bool waits = false;                      // true if the view is not ready, see View::is_ready
  // A sentence that says why View::find() failed; empty if View::find() has not failed. If the sentence is
  // not empty, the view shows this sentence.
  std::string_view failure = {};
};

// Draws a view with its title bar.
Scene draw_view(const View& view, const ViewInput& in, const Around& around = {});

// Returns the motion from the previous step's picture to the picture that draw_view() draws. Returns an empty
// motion if nothing moves.
Motion motion_of(const View& view, ViewInput in);

// Returns the x of the left end and of the right end of the view's name in its title bar.
std::pair<float, float> place_of_name(const View& view, const Reading& at, const Around& around, float width);

// Returns the id that stands for `hover` in this view (see View::sees). If seen_in() returns the same id for
// two things, draw_view() draws the same picture and the same title bar when the mouse is over either thing.
Id seen_in(const View& view, const Around& around, const Id& hover);

// Returns the tooltip of an id. Returns no lines if the id has no tooltip.
Lines tip_of(const Reading& at, const Id& id);
Click click_on(const Reading& at, const Id& id);

}  // namespace upsweep
