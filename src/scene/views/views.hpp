// Declares the views. Each view is one struct in its own file. The struct decides what the view draws, its
// place in the window, its tips and the effects of clicks. views.list names all views.
#pragma once
#include <algorithm>
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
  float width, height;                     // the size of the picture in dp
  const LineCounters* measured = nullptr;  // as in Reading
  const Reading* beside = nullptr;         // the other run of a comparison, at its place; or null
  float top = 4;                           // the top of the picture, below the title bar if there is one
  const LensFrame* lens_frame = nullptr;   // see View::shows_lens_frame; if null, the view draws it
  // The picture is shown to an audience. Cells and figures are as large as the room allows.
  bool presented = false;
};

// The texts in a view's title bar. `what` describes the picture, in parts joined by " · ". `readout`
// describes the thing under the mouse or the current step.
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

// The lines of a tip. The first line is the name of the thing.
using Lines = std::vector<std::string>;

// The structs down to SetImageLook are effects of a click, see Click.
struct GoToStep {
  int step;
  bool operator==(const GoToStep&) const = default;
};
// Goes to a warp request, by the index of its event, and to its step.
struct GoToRequest {
  int event;
  bool operator==(const GoToRequest&) const = default;
};
// Goes to a block of the grid that contains the step. If the step is -1, this is the cursor's grid.
struct GoToBlock {
  int step, block;
  bool operator==(const GoToBlock&) const = default;
};
// Goes to a time of the run (see Place::time), and to the block's step at that time. If `grid` is -1, the
// cursor stays at its block.
struct GoToMoment {
  int grid, block;
  std::int64_t time;
  bool operator==(const GoToMoment&) const = default;
};
// Chooses an entry of the view Hazards, goes to its step, and shows the view.
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
// Shows the measured times instead of the view "work".
struct ShowTimes {
  bool operator==(const ShowTimes&) const = default;
};
// Shows a view in its place in the window. `view` is an index into views().
struct ShowView {
  int view;
  bool operator==(const ShowView&) const = default;
};
// Changes how the view Image shows a picture.
struct SetImageLook {
  ImageLook look;
  bool operator==(const SetImageLook&) const = default;
};
using Click = std::variant<std::monostate, GoToStep, GoToRequest, GoToBlock, GoToMoment, GoToFinding,
                           ToggleBarrier, ToggleCounters, ShowTimes, ShowView, SetImageLook>;

// The places of the window in which views are shown. Each place is named after its usual view.
enum class Home : std::uint8_t { tree, memory, banks, warps, source, work, profile, words };
inline constexpr int home_count = 8;

struct Notice {
  std::string text;  // follows the view's title in its tab, such as " 3" for three findings
  bool warns = false;
};

inline constexpr float never_titled = 1e9f;
// The height in dp of a view that is only its title.
inline constexpr float title_height = 40;

// The effect of dragging and of the mouse wheel in a view.
enum class Hand : std::uint8_t {
  clicks,   // dragging and the wheel do nothing; the view only reacts to clicks
  scrubs,   // dragging goes to the step of the target under the mouse; the wheel goes from step to step
  zooms,    // the wheel zooms the tree's columns; dragging moves the tree
  scrolls,  // the wheel scrolls the lines
  its_own,  // the view decides, see View::turn and View::drag
};

struct View {
  const char* name;   // on the command line: "tree"
  const char* title;  // in the window: "Tree"
  Home home;
  ViewPicture (*draw)(const ViewInput&);
  // tip() returns the lines of an id's tip, and click() the effect of a click on the id. Each kind of id
  // belongs to one view, which handles its ids in all views that show them. For other ids, both functions
  // return nothing.
  Lines (*tip)(const Reading&, const Id&) = nullptr;
  Click (*click)(const Reading&, const Id&) = nullptr;
  // Returns whether the view has anything to show for a recording. Null means always.
  bool (*has_something)(const Recording&) = nullptr;
  // Returns whether this view is the default in its place instead of the usual view. Null means never.
  bool (*comes_first)(const Recording&) = nullptr;
  // Returns the height in dp that the view needs in a column of views. Null means that the view gets the
  // height that the other views do not need.
  float (*height)(const Recording&) = nullptr;
  // Returns why the view has nothing to show in the whole launch that contains a step, as a sentence, or an
  // empty text if it has something. In a column of views, a view without content is only its title with this
  // sentence. Null means that the view always has something.
  std::string (*why_nothing)(const Recording&, int step) = nullptr;
  // Returns the text that is added to this view's title in the tabs of other views. Null means no text.
  Notice (*notice)(const Reading&) = nullptr;
  float titled_from = titled_height;  // dp; a view of smaller height has no title bar
  // Converts the id under the mouse to the id with which this view is drawn. All ids that look the same in
  // this view become equal, and ids that the view does not show become empty. So the view is drawn again only
  // if its picture changes. Null means that the id is not converted.
  Id (*sees)(const Id& hover) = nullptr;
  Hand hand = Hand::clicks;
  // For Hand::its_own: the effect of turning the wheel over an id (one tick upwards is 1), and of dragging
  // from one id to another. For other hands, both are null.
  Click (*turn)(const Reading&, const Id&, float ticks) = nullptr;
  Click (*drag)(const Reading&, const Id& from, const Id& to) = nullptr;
  // Whether a picture of this view in a file shows the last step if no step was chosen.
  bool shows_the_end = false;
  // Whether the picture depends on Place::time.
  bool shows_time = false;
  // Whether the window draws the picture with depth of field for this view, see ViewInput::lens_frame.
  bool shows_lens_frame = false;
  // For a view whose facts may take longer than one frame to compute. is_ready() returns whether draw() can
  // draw this place at once. If not, the window calls find() in another thread, and draws a sentence
  // meanwhile. find() throws Cancelled if the job is cancelled. For other views, both are null.
  bool (*is_ready)(const Recording&, const Cursor&) = nullptr;
  void (*find)(const Recording&, const Cursor&, const Job&) = nullptr;
  // Returns the motion from the previous step's picture to draw()'s picture. Null means that nothing moves.
  Motion (*motion)(const ViewInput&) = nullptr;
  // The label of a button at the right end of the title bar. A view without a button has null.
  const char* button = nullptr;
  Id button_id = {};
};

// The view that shows what blocks do over time.
inline constexpr std::string_view time_view = "blocks";

// Returns all views, in the order of the keys that show them.
std::span<const View> views();
// Returns -1 for an unknown name.
int view_index(std::string_view name);
bool has_something(int view, const Recording& recording);

// Returns whether has(facts) is true for any step of the launch that contains `step`. If kernels launch
// kernels, the steps of the launches alternate, so all steps of the recording are examined.
template <class F>
bool any_step_of_launch(const Recording& r, int step, F has) {
  const Trace& t = r.trace;
  const bool nested = std::ranges::any_of(t.grids, [](const Grid& g) { return g.parent >= 0; });
  const Grid& grid = t.grid_of(static_cast<std::uint32_t>(std::max(step, 0)));
  const auto all = std::span(r.facts.steps);
  return std::ranges::any_of(nested ? all : all.subspan(grid.first_step, grid.steps), has);
}

// Functions for View::sees.
inline Id sees_nothing(const Id&) { return {}; }
template <class T>
Id sees_only(const Id& hover) {
  return is<T>(hover) ? hover : Id();
}
// Returns the id of the lane that made the access under the mouse, or an empty id.
inline Id sees_lane(const Id& hover) {
  const AccessId* by = access_of(hover);
  return by && by->lane >= 0 ? Id(LaneId{-1, {-1, by->warp, by->lane, 0}}) : Id();
}

// The tabs and buttons of a title bar. In an exported file a view has no tabs and no buttons.
struct Around {
  std::span<const int> alternatives = {};  // other views that can be shown in this place; each has a tab
  bool times = false;                      // the times can also be shown in this place; a tab shows them
  bool button = false;                     // the view's button is shown
  bool pressed = false;                    // the view's button is on
  bool waits = false;                      // the view is not ready, see View::is_ready
  std::string_view failure = {};           // why View::find failed, as a sentence; the view waits no longer
};

// Draws a view with its title bar.
Scene draw_view(const View& view, const ViewInput& in, const Around& around = {});

// Returns the view's motion from the step before the cursor's step, for a picture that draw_view() draws. It
// is empty if nothing moves.
Motion motion_of(const View& view, ViewInput in);

// Returns the left and the right end of the view's name in its title bar.
std::pair<float, float> place_of_name(const View& view, const Reading& at, const Around& around, float width);

// Returns the part of `hover` on which the picture of draw_view() depends. If this part is equal for two ids,
// draw_view() draws equal pictures.
Id seen_in(const View& view, const Around& around, const Id& hover);

// Returns the tip of an id, or no lines if the id has no tip.
Lines tip_of(const Reading& at, const Id& id);
Click click_on(const Reading& at, const Id& id);

}  // namespace upsweep
