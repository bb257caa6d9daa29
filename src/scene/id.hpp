// Ids say what a shape means: one struct for each kind of thing. When the mouse is over a thing, all shapes
// with its id are highlighted in every view. The view that draws a kind of thing also decides the tip of that
// kind and the effect of a click on it (see View).
#pragma once
#include <string_view>
#include <variant>

namespace upsweep {

// An access to memory: its event, its lane and its line in the kernel's text.
struct AccessId {
  int event = -1;  // index into Trace::events
  int warp = -1, lane = -1;
  int line = 0;  // the line's number, from 1; 0 if the access has no line
  bool operator==(const AccessId&) const = default;
};

struct StepId {
  int step = -1;  // index into Trace::steps
  bool operator==(const StepId&) const = default;
};
// A warp request. `by.lane` is not set.
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
// A cell of shared memory, and the last access to it.
struct CellId {
  int step = -1;
  int cell = -1;     // including padding
  int element = -1;  // -1 for padding
  AccessId by{};
  bool operator==(const CellId&) const = default;
};
// One lane of a warp. If the lane's access is shown, the id also contains the access.
struct LaneId {
  int step = -1;
  AccessId by{};
  bool operator==(const LaneId&) const = default;
};
// A word of shared memory that one wavefront of a request serves; `by.lane` is the lowest lane.
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
// A barrier that can be removed or put back.
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
  int row = -1;  // index into the rows that the chart was given
  bool operator==(const TimeId&) const = default;
};
// A thing that appears in one view only.
struct OwnId {
  std::string_view view;  // the view's name
  int thing = -1;         // a number that the view chose for the thing
  bool operator==(const OwnId&) const = default;
};

using Id = std::variant<std::monostate, StepId, RequestId, NodeId, CellId, LaneId, ServedId, LineId,
                        BarrierId, BankId, BlockId, GridId, ViewId, CountersId, TimesId, TimeId, OwnId>;

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

// The next functions return properties that several kinds of things have.

// If the thing is an access, returns it. Otherwise returns the last access to the thing; null if there is
// none.
inline const AccessId* access_of(const Id& id) {
  return std::visit(
      [](const auto& thing) -> const AccessId* {
        if constexpr (requires { thing.by; }) return &thing.by;
        else return nullptr;
      },
      id);
}
// Returns the line of a thing, or 0.
inline int line_of(const Id& id) {
  return std::visit(
      [](const auto& thing) {
        if constexpr (requires { thing.by; }) return thing.by.line;
        else if constexpr (requires { thing.line; }) return thing.line;
        else return 0;
      },
      id);
}
// Returns the element of shared memory, or the column of the tree, that the thing shows; -1 if it shows none.
inline int element_of(const Id& id) {
  return std::visit(
      [](const auto& thing) {
        if constexpr (requires { thing.element; }) return thing.element;
        else return -1;
      },
      id);
}
// Returns the step that contains the thing, or the step to which a click on it goes; -1 if it has no step.
inline int step_of(const Id& id) {
  return std::visit(
      [](const auto& thing) {
        if constexpr (requires { thing.step; }) return thing.step;
        else return -1;
      },
      id);
}
// If the thing is a lane, returns this lane. Otherwise returns the lane that accessed the thing. Returns -1
// if the lane is not in this warp.
inline int lane_of(const Id& id, int warp) {
  const AccessId* by = access_of(id);
  return by && by->warp == warp && by->lane >= 0 && by->lane < 32 ? by->lane : -1;
}
// Returns whether the thing is itself a lane, and not a thing that a lane accessed.
inline bool is_lane(const Id& id) { return is<LaneId>(id) || is<ServedId>(id); }

}  // namespace upsweep
