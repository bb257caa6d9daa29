// An id says which thing a shape shows. Each kind of thing has its own struct. Views highlight the thing
// under the mouse, even if the mouse is in another view. For each kind of thing, one view defines the tips
// and the effects of clicks (see View).
#pragma once
#include <string_view>
#include <variant>

namespace upsweep {

// One lane's access to memory.
struct AccessId {
  int event = -1;  // index into Trace::events
  int warp = -1, lane = -1;
  int line = 0;  // of the kernel's text, from 1; 0 for none
  bool operator==(const AccessId&) const = default;
};

struct StepId {
  int step = -1;  // index into Trace::steps
  bool operator==(const StepId&) const = default;
};
// A warp request. `by` names the request; its lane is not set.
struct RequestId {
  int step = -1;
  AccessId by{};
  bool operator==(const RequestId&) const = default;
};
// A value in the tree of the cursor's block.
struct NodeId {
  int step = -1;
  int row = -1;      // index into Tree::rows
  int element = -1;  // column
  AccessId by{};
  bool operator==(const NodeId&) const = default;
};
// A cell of shared memory. `by` is its last access in the step, or else its last store.
struct CellId {
  int step = -1;
  int cell = -1;     // index that also counts padding
  int element = -1;  // -1 for padding
  AccessId by{};
  bool operator==(const CellId&) const = default;
};
// One lane of a warp: `by.warp` and `by.lane`.
struct LaneId {
  int step = -1;
  AccessId by{};
  bool operator==(const LaneId&) const = default;
};
// A word of shared memory that one wavefront of a request serves. `by.lane` is the lowest lane that accesses
// the word.
struct ServedId {
  int step = -1;
  int cell = -1, element = -1;  // as in CellId
  AccessId by{};
  bool operator==(const ServedId&) const = default;
};
struct LineId {
  int step = -1;
  int line = 0;  // of the kernel's text, from 1
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
  int step = -1;  // the first step of the grid
  int grid = -1, block = -1;
  bool operator==(const BlockId&) const = default;
};
// A launch.
struct GridId {
  int step = -1;  // the first step of the launch
  int grid = -1;
  bool operator==(const GridId&) const = default;
};
// An element of the input, at its place in the step. `by` is the lane that moved the element to this place.
struct ElementId {
  int input = -1;  // its index in the input
  AccessId by{};
  bool operator==(const ElementId&) const = default;
};
// The name of another view in a title bar.
struct ViewId {
  int view = -1;  // index into views()
  bool operator==(const ViewId&) const = default;
};
// The button that shows or hides the hardware's counts.
struct CountersId {
  bool operator==(const CountersId&) const = default;
};
// The tab for the measured times in a title bar.
struct TimesId {
  bool operator==(const TimesId&) const = default;
};
// A measured time in a chart.
struct TimeId {
  int row = -1;  // index into the chart's data: timings, rungs, points or counts
  bool operator==(const TimeId&) const = default;
};
// A pixel of a picture. A target with several rows and columns stands for all these pixels: hit() returns the
// pixel under the mouse.
struct PixelId {
  int row = -1, column = -1;
  int rows = 1, columns = 1;
  bool operator==(const PixelId&) const = default;
};
// A slider in a view. hit() sets the place: from 0 at the left end of the target to slider_end at the right.
inline constexpr int slider_end = 1000;
struct SliderId {
  std::string_view view;  // the view's name
  int slider = -1;        // a number that the view chose for the slider
  int place = -1;
  bool operator==(const SliderId&) const = default;
};
// An entry of the view Hazards, or the mark of its hazard in another view.
struct FindingId {
  int step = -1;   // the step to which a click goes; -1 if the hazard is in no recorded step
  int entry = -1;  // see Place::finding
  bool operator==(const FindingId&) const = default;
};
// A thing that appears in one view only.
struct OwnId {
  std::string_view view;  // the view's name
  int thing = -1;         // a number that the view chose for the thing
  bool operator==(const OwnId&) const = default;
};

using Id = std::variant<std::monostate, StepId, RequestId, NodeId, CellId, LaneId, ServedId, LineId,
                        BarrierId, BankId, BlockId, GridId, ElementId, ViewId, CountersId, TimesId, TimeId,
                        PixelId, SliderId, FindingId, OwnId>;

template <class T>
bool is(const Id& id) {
  return std::holds_alternative<T>(id);
}
// Returns the id as a T, or null if it is not a T.
template <class T>
const T* as(const Id& id) {
  return std::get_if<T>(&id);
}
inline bool is_nothing(const Id& id) { return is<std::monostate>(id); }

// Returns the thing's `by`, or null for kinds that have none.
inline const AccessId* access_of(const Id& id) {
  return std::visit(
      [](const auto& thing) -> const AccessId* {
        if constexpr (requires { thing.by; }) return &thing.by;
        else return nullptr;
      },
      id);
}
// Returns the thing's line in the kernel's text, from 1; 0 if it has none.
inline int line_of(const Id& id) {
  return std::visit(
      [](const auto& thing) {
        if constexpr (requires { thing.by; }) return thing.by.line;
        else if constexpr (requires { thing.line; }) return thing.line;
        else return 0;
      },
      id);
}
// Returns the thing's element of shared memory or column of the tree; -1 if it has none.
inline int element_of(const Id& id) {
  return std::visit(
      [](const auto& thing) {
        if constexpr (requires { thing.element; }) return thing.element;
        else return -1;
      },
      id);
}
// Returns the thing's step. For a block or a launch, this is the launch's first step. Returns -1 for things
// without a step.
inline int step_of(const Id& id) {
  return std::visit(
      [](const auto& thing) {
        if constexpr (requires { thing.step; }) return thing.step;
        else return -1;
      },
      id);
}
// If the thing is a lane, returns this lane; otherwise, returns the lane that accessed the thing. Returns -1
// if this lane is not in `warp`.
inline int lane_of(const Id& id, int warp) {
  const AccessId* by = access_of(id);
  return by && by->warp == warp && by->lane >= 0 && by->lane < 32 ? by->lane : -1;
}
// Returns whether the thing is a lane, or a word that a request serves for lanes.
inline bool is_lane(const Id& id) { return is<LaneId>(id) || is<ServedId>(id); }

}  // namespace upsweep
