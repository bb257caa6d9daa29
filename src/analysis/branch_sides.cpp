#include "analysis/branch_sides.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <span>

#include "analysis/lanes.hpp"
#include "analysis/memory.hpp"

namespace upsweep {
namespace {

// The requests and operations that a warp issues with one mask: their lowest and highest line, and their
// number.
struct Issued {
  std::uint32_t mask = 0;
  int first = 0, last = 0;
  std::int64_t count = 0;
};

void note_line(int line, int& first, int& last) {
  if (line == 0) return;
  first = first == 0 ? line : std::min(first, line);
  last = std::max(last, line);
}

// Divides the masks of `work` into groups. Two masks belong to the same group if they share a lane, or if
// other masks connect them. Returns the joined mask of each group.
std::vector<std::uint32_t> groups_of(std::span<const Issued> work) {
  std::vector<std::uint32_t> groups;
  for (const Issued& w : work) {
    std::uint32_t joined = w.mask;
    std::erase_if(groups, [&](std::uint32_t group) {
      if ((group & joined) == 0) return false;
      joined |= group;
      return true;
    });
    groups.push_back(joined);
  }
  return groups;
}

// Divides the work of the lanes `lanes` into the sides of a branch, and adds these sides to `sides`. If a
// side contains a nested branch, also divides this side.
void divide(std::vector<Issued> work, std::uint32_t lanes, std::vector<BranchSide>& sides) {
  std::vector<Issued> partial;
  for (const Issued& w : work)
    if (w.mask != lanes) partial.push_back(w);
  const std::vector<std::uint32_t> groups = groups_of(partial);
  if (groups.size() < 2) {
    BranchSide side{.lanes = lanes};
    for (const Issued& w : work) {
      note_line(w.first, side.first, side.last);
      note_line(w.last, side.first, side.last);
      side.issued += w.count;
    }
    sides.push_back(side);
    return;
  }
  for (const std::uint32_t group : groups) {
    std::vector<Issued> own;
    for (const Issued& w : partial)
      if ((w.mask & group) != 0) own.push_back(w);
    divide(std::move(own), group, sides);
  }
}

}  // namespace

std::vector<std::vector<BranchSide>> branch_sides(const Trace& trace, int block, int step) {
  const Grid& grid = trace.grids[static_cast<std::size_t>(grid_index(trace, step))];
  // For each warp: its requests and operations, with their masks as keys.
  std::vector<std::map<std::uint32_t, Issued>> work(static_cast<std::size_t>(grid.warps()));
  const EventRange range = step_events(trace, block, step);
  for (std::size_t i = range.first; i < range.last; ++i) {
    const Event& e = trace.events[i];
    if (!is_work(e.kind) || e.mask == 0 || e.warp >= work.size()) continue;
    Issued& issued = work[e.warp].try_emplace(e.mask, Issued{.mask = e.mask}).first->second;
    note_line(e.line, issued.first, issued.last);
    ++issued.count;
  }
  std::vector<std::vector<BranchSide>> sides(work.size());
  for (std::size_t warp = 0; warp < work.size(); ++warp) {
    std::uint32_t lanes = 0;
    std::vector<Issued> all;
    for (const auto& [mask, issued] : work[warp]) {
      lanes |= mask;
      all.push_back(issued);
    }
    divide(std::move(all), lanes, sides[warp]);
    if (sides[warp].size() < 2) sides[warp].clear();
    std::ranges::sort(sides[warp], {}, [](const BranchSide& s) { return std::countr_zero(s.lanes); });
  }
  return sides;
}

BranchCondition condition_of(const KernelText& text, const std::vector<BranchSide>& sides, std::size_t side) {
  const auto& statements = text.statements();
  const BranchSide& own = sides[side];
  if (own.first == 0) return {};
  for (std::size_t i = statements.size(); i-- > 0;) {  // goes backwards, to find inner branches first
    const KernelText::Statement& s = statements[i];
    if (s.kind != KernelText::Statement::Kind::branch || !s.holds(own.first) || !s.holds(own.last)) continue;
    const bool holds_all =
        std::ranges::all_of(sides, [&](const BranchSide& b) { return s.holds(b.first) && s.holds(b.last); });
    if (holds_all) continue;
    return s.else_of == KernelText::none
               ? BranchCondition{s.first, false}
               : BranchCondition{statements[static_cast<std::size_t>(s.else_of)].first, true};
  }
  return {};
}

}  // namespace upsweep
