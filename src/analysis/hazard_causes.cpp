// Finds the hazards that follow from a race. The advice for these hazards is to remove the race first.
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/hazard_notes.hpp"

namespace upsweep {
namespace {

bool within_block(const HazardNote& n) { return is_race(n.kind) && n.apart <= Apart::block; }

bool same_memory(const HazardNote& a, const HazardNote& b) {
  return a.shared == b.shared && a.buffer == b.buffer && (!a.shared || a.party.grid == b.party.grid);
}

// Returns whether the read is one of the race's own accesses. In this case, the race decides whether the read
// comes too early.
bool is_part_of(const HazardNote& read, const HazardNote& race) {
  return read.kind == Hazard::uninitialised_read && same_memory(read, race) &&
         (read.party.line == race.party.line || read.party.line == race.other.line);
}

class Causes {
 public:
  Causes(const Trace& trace, const KernelText& text) : trace_(trace), text_(text) {}

  // Returns whether the hazard `f` may follow from an earlier race. This is possible if the values of the
  // race decide which cells the accesses of `f` use. In a sort, for example, wrong values may send two keys
  // to the same place, and leave another place without a key.
  bool may_follow(const HazardFinding& f, const HazardFinding& race) {
    if (is_race(f.kind))
      return after(f.party, race) && after(f.other, race) &&
             (depends(f.party, race) || depends(f.other, race));
    if (f.kind == Hazard::uninitialised_read && any_store_depends(f, race)) return true;
    // A hazard that stopped the run has no step, but comes after every race, because it is the end of the
    // run.
    const bool stop = f.party.event == HazardParty::none && f.party.thread < 0;
    return (stop || after(f.party, race)) && (depends(f.party, race) || (stop && depends(f.other, race)));
  }

 private:
  static bool after(const HazardParty& p, const HazardNote& race) {
    if (p.line == 0 || p.grid != race.party.grid) return p.grid > race.party.grid;
    return p.step >= std::max(race.party.step, race.other.step);
  }
  bool depends(const HazardParty& p, const HazardNote& race) const {
    return text_.accesses_depend(p.line, race.party.line) || text_.accesses_depend(p.line, race.other.line);
  }

  // Returns whether the race decides where threads store to the memory that was read.
  bool any_store_depends(const HazardFinding& read, const HazardFinding& race) {
    return std::ranges::any_of(stores_to(read), [&](const HazardParty& store) {
      return store.grid <= read.party.grid && after(store, race) && depends(store, race);
    });
  }
  // Returns the stores to the memory that was read: for each line, only the last store.
  const std::vector<HazardParty>& stores_to(const HazardFinding& read) {
    const std::tuple key(read.shared, read.shared ? read.party.grid : 0, read.buffer);
    const auto [found, fresh] = stores_.try_emplace(key);
    if (!fresh) return found->second;
    std::map<std::pair<std::uint32_t, int>, std::uint32_t> last;
    for (const Event& e : trace_.events)
      if (is_store(e.kind) && is_shared(e.kind) == read.shared && e.buffer == read.buffer &&
          (!read.shared || e.grid == read.party.grid)) {
        std::uint32_t& step = last[{e.grid, e.line}];
        step = std::max<std::uint32_t>(step, e.step);
      }
    for (const auto& [place, step] : last)
      found->second.push_back({.line = place.second, .grid = place.first, .step = step});
    return found->second;
  }

  const Trace& trace_;
  const KernelText& text_;
  std::map<std::tuple<bool, std::uint32_t, int>, std::vector<HazardParty>> stores_;
};

// Returns whether a hazard may follow from a race. Returns false for races, for divergent barriers, and for
// reads that a missing barrier explains, because other code handles these hazards. Also returns false for a
// deadlock of too many blocks.
bool may_be_consequence(const HazardFinding& f) {
  return !is_race(f.kind) && !needs_barrier(f) && f.kind != Hazard::divergent_barrier &&
         f.advice != Advice::fewer_blocks;
}

}  // namespace

std::vector<std::pair<HazardFinding*, const HazardFinding*>> find_causes(const Trace& trace,
                                                                         std::vector<HazardFinding>& findings,
                                                                         const KernelText& text) {
  std::vector<std::pair<HazardFinding*, const HazardFinding*>> found;
  std::vector<HazardFinding*> in_order;
  for (HazardFinding& f : findings)
    if (is_race(f.kind)) in_order.push_back(&f);
  std::ranges::stable_sort(in_order, {}, [](const HazardFinding* f) {
    const auto [first, last] = std::minmax(f->party.step, f->other.step);
    return std::tuple(f->party.grid, last, first);
  });
  for (HazardFinding& f : findings)
    if (may_be_consequence(f)) in_order.push_back(&f);
  Causes causes(trace, text);
  std::vector<const HazardFinding*> races;
  for (HazardFinding* f : in_order) {
    const auto cause = std::ranges::find_if(races, [&](const HazardFinding* race) {
      return is_part_of(*f, *race) || causes.may_follow(*f, *race);
    });
    if (cause == races.end()) {
      if (within_block(*f)) races.push_back(f);
      continue;
    }
    f->advice = Advice::race_first;
    f->cause = (*cause)->other.line;
    f->other_cause = (*cause)->party.line;
    found.emplace_back(f, *cause);
  }
  return found;
}

void advise_as_cause(HazardFinding& f, const HazardFinding& cause) {
  f.interval = cause.interval;
  f.second = cause.second;
  f.warp_barrier = cause.warp_barrier;
  f.branch = cause.branch;
  f.branch_is_loop = cause.branch_is_loop;
  if (is_part_of(f, cause)) f.advice = cause.advice;
}

}  // namespace upsweep
