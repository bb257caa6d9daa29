#include "study/linked_id.hpp"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "analysis/memory.hpp"
#include "analysis/step_index.hpp"

namespace upsweep {
namespace {

class IdLink {
 public:
  IdLink(const LinkedRuns& runs, int block)
      : runs_(runs), block_(block), same_text_(runs.from.trace.text == runs.to.trace.text) {}

  Id operator()(Id id) {
    std::visit([this](auto& thing) { link(thing); }, id);
    return is_lost_ ? Id() : id;
  }

 private:
  template <class Thing>
  void link(Thing& thing) {
    const int before = step_of(Id(thing));
    if constexpr (requires { thing.step; }) {
      if (thing.step >= 0) thing.step = runs_.step(thing.step);
      if (before >= 0 && thing.step < 0) is_lost_ = true;
    }
    if constexpr (requires { thing.by; }) link_access(thing.by);
    if constexpr (requires { thing.cell; }) thing.cell = cell(thing.cell, before);
    if constexpr (std::is_same_v<Thing, LineId> || std::is_same_v<Thing, BarrierId>)
      is_lost_ = is_lost_ || !same_text_;
    if constexpr (std::is_same_v<Thing, FindingId>) is_lost_ = true;  // each run has its own findings
    if constexpr (std::is_same_v<Thing, BlockId> || std::is_same_v<Thing, GridId>)
      is_lost_ = is_lost_ || thing.grid >= std::ssize(runs_.to.trace.grids);
  }

  void link_access(AccessId& by) {
    const AccessId from = by;
    by.event = -1;
    if (!same_text_) by.line = 0;
    if (from.event < 0 || from.event >= std::ssize(runs_.from.trace.events)) return;
    const int step = static_cast<int>(runs_.from.trace.events[static_cast<std::size_t>(from.event)].step);
    const int there = runs_.step(step);
    if (there < 0) return;
    const std::vector<int>& requests = runs_.from.step(block_, step).requests;
    const auto at = std::ranges::find(requests, from.event) - requests.begin();
    const std::vector<int>& others = runs_.to.step(block_, there).requests;
    if (at >= std::ssize(requests) || at >= std::ssize(others)) return;
    const int event = others[static_cast<std::size_t>(at)];
    const Event& e = runs_.to.trace.events[static_cast<std::size_t>(event)];
    if (e.warp != from.warp) return;
    by.event = event;
    by.line = e.line;
  }

  static std::vector<CellPlace> places_of(const Trace& trace, int step) {
    return cell_places(trace.grid_of(static_cast<std::uint32_t>(std::max(0, step))).shared,
                       trace.element_bytes());
  }

  int cell(int cell, int step) {
    const std::vector<CellPlace> places = places_of(runs_.from.trace, step);
    if (cell < 0 || cell >= std::ssize(places)) return -1;
    const CellPlace& p = places[static_cast<std::size_t>(cell)];
    const std::vector<CellPlace> others = places_of(runs_.to.trace, step < 0 ? 0 : runs_.step(step));
    const auto same = std::ranges::find_if(others, [&](const CellPlace& q) {
      return q.region == p.region && q.element == p.element && q.buffer == p.buffer;
    });
    if (p.element >= 0 && same != others.end()) return static_cast<int>(same - others.begin());
    is_lost_ = true;
    return -1;
  }

  const LinkedRuns& runs_;
  const int block_;
  const bool same_text_;
  bool is_lost_ = false;
};

}  // namespace

Id linked_id(const LinkedRuns& runs, int block, const Id& id) { return IdLink(runs, block)(id); }

}  // namespace upsweep
