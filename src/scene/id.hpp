// Defines ids. An id names the thing that a shape shows. For each kind of thing, there is one struct, such as
// LaneId. All views highlight the thing under the mouse, even if the mouse is in another view. For each kind
// of thing, one view defines the tooltips and the effects of clicks (see View).
#pragma once
#include <string_view>
#include <variant>

namespace upsweep {

// One lane's access to memory.
struct AccessId {
  int event = -1;  // index into Trace::events
  int warp = -1, lane = -1;
  int line = 0;  // a line of the kernel's text, from 1; 0 if no line is known
  bool operator==(const AccessId&) const = default;
};

struct StepId {
  int step = -1;  // index into Trace::steps
  bool operator==(const StepId&) const = default;
};
// A warp request. `by` contains the event of the request. `by` contains no lane, because the request belongs
// to all lanes of the warp.
struct RequestId {
  int step = -1;
  AccessId by{};
  bool operator==(const RequestId&) const = default;
};
// A value in the tree of the cursor's block.
struct NodeId {
  int step = -1;
  int row = -1;      // index into Tree::rows
  int element = -1;  // a column of the tree
  AccessId by{};
  bool operator==(const NodeId&) const = default;
};
// A cell of shared memory. `by` is the last access to the cell in the step. If the step does not access the
// cell, `by` is the latest earlier store to the cell.
struct CellId {
  int step = -1;
  int cell = -1;     // the index of the cell; padding cells are counted, too
  int element = -1;  // the index of the element in the cell; -1 for padding
  AccessId by{};
  bool operator==(const CellId&) const = default;
};
// One lane of a warp. `by.warp` is the warp's index, and `by.lane` is the lane's index in the warp.
struct LaneId {
  int step = -1;
  AccessId by{};
  bool operator==(const LaneId&) const = default;
};
// A word of shared memory that one wavefront of a request serves. `by.lane` is the lowest lane that accesses
// the word.
struct ServedId {
  int step = -1;
  int cell = -1, element = -1;  // see CellId
  AccessId by{};
  bool operator==(const ServedId&) const = default;
};
struct LineId {
  int step = -1;
  int line = 0;  // a line of the kernel's text, from 1
  bool operator==(const LineId&) const = default;
};
// A barrier that the reader can remove or restore.
struct BarrierId {
  int step = -1;
  int line = 0;
  bool operator==(const BarrierId&) const = default;
};
struct BankId {
  int bank = -1;
  bool operator==(const BankId&) const = default;
};
struct BlockId {
  int step = -1;  // index into Trace::steps: the first step of the grid
  int grid = -1, block = -1;
  bool operator==(const BlockId&) const = default;
};
// A launch.
struct GridId {
  int step = -1;  // index into Trace::steps: the first step of the launch
  int grid = -1;
  bool operator==(const GridId&) const = default;
};
// An element of the input, at the place where the element is in this step. `by` is the lane that moved the
// element to this place.
struct ElementId {
  int input = -1;  // the index of the element in the input
  AccessId by{};
  bool operator==(const ElementId&) const = default;
};
// A name in a title bar: the name of another view.
struct ViewId {
  int view = -1;  // index into views()
  bool operator==(const ViewId&) const = default;
};
// The button that shows or hides the counts of hardware counters.
struct CountersId {
  bool operator==(const CountersId&) const = default;
};
// The tab for the measured times in a title bar.
struct TimesId {
  bool operator==(const TimesId&) const = default;
};
// A measured time in a chart.
struct TimeId {
  int row = -1;  // index into the chart's data: timings, rungs (bars), points or counts
  bool operator==(const TimeId&) const = default;
};
// A pixel of a picture. The target of a picture (the box that reacts to the mouse) has a PixelId with all
// visible rows and columns. For such a target, hit() returns the id of the single pixel under the mouse.
struct PixelId {
  int row = -1, column = -1;
  int rows = 1, columns = 1;
  bool operator==(const PixelId&) const = default;
};
// A slider in a view. hit() sets `place` to the place of the mouse: 0 at the left end of the target, and
// slider_end at the right end.
inline constexpr int slider_end = 1000;
struct SliderId {
  std::string_view view;  // the view's name
  int slider = -1;        // a number that only this view uses for the slider
  int place = -1;
  bool operator==(const SliderId&) const = default;
};
// An entry of the view "Hazards", or the mark that shows this entry's hazard in another view.
struct FindingId {
  int step = -1;   // the step to which a click goes; -1 if the hazard is in no recorded step
  int entry = -1;  // see Place::finding
  bool operator==(const FindingId&) const = default;
};
// A thing that appears in one view only.
struct OwnId {
  std::string_view view;  // the view's name
  int thing = -1;         // a number that only this view uses for the thing
  bool operator==(const OwnId&) const = default;
};

using Id = std::variant<std::monostate, StepId, RequestId, NodeId, CellId, LaneId, ServedId, LineId,
                        BarrierId, BankId, BlockId, GridId, ElementId, ViewId, CountersId, TimesId, TimeId,
                        PixelId, SliderId, FindingId, OwnId>;

template <class T>
bool is(const Id& id) {
  return std::holds_alternative<T>(id);
}
// Returns the id as a T, or null if the id is not a T.
template <class T>
const T* as(const Id& id) {
  return std::get_if<T>(&id);
}
inline bool is_nothing(const Id& id) { return is<std::monostate>(id); }

// Returns the member `by` of the id. Returns null if ids of this kind have no member `by`.
inline const AccessId* access_of(const Id& id) {
  return std::visit(
      [](const auto& thing) -> const AccessId* {
        if constexpr (requires { thing.by; }) return &thing.by;
        else return nullptr;
      },
      id);
}
// Returns the thing's line in the kernel's text, from 1. Returns 0 if the thing has no line.
inline int line_of(const Id& id) {
  return std::visit(
      [](const auto& thing) {
        if constexpr (requires { thing.by; }) return thing.by.line;
        else if constexpr (requires { thing.line; }) return thing.line;
        else return 0;
      },
      id);
}
// Returns the thing's element in shared memory, or the thing's column in the tree. Returns -1 if the thing
// has no element and no column.
inline int element_of(const Id& id) {
  return std::visit(
      [](const auto& thing) {
        if constexpr (requires { thing.element; }) return thing.element;
        else return -1;
      },
      id);
}
// Returns the thing's step. If the thing is a block or a launch, returns the launch's first step. Returns -1
// if the thing has no step.
inline int step_of(const Id& id) {
  return std::visit(
      [](const auto& thing) {
        if constexpr (requires { thing.step; }) return thing.step;
        else return -1;
      },
      id);
}
// If the thing is a lane, returns the index of this lane. Otherwise, returns the index of the lane that
// accessed the thing. Returns -1 if no such lane is known, or if the lane is not in the warp `warp`.
inline int lane_of(const Id& id, int warp) {
  const AccessId* by = access_of(id);
  return by && by->warp == warp && by->lane >= 0 && by->lane < 32 ? by->lane : -1;
}
// Returns true if the thing is a lane, or a word that one wavefront of a request serves (ServedId).
inline bool is_lane(const Id& id) { return is<LaneId>(id) || is<ServedId>(id); }

}  // namespace upsweep
