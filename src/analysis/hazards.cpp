#include "analysis/hazards.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "analysis/access_checks.hpp"
#include "analysis/happens_before.hpp"
#include "analysis/hazard_notes.hpp"

namespace upsweep {
namespace {

HazardParty party_of(const Trace& trace, std::uint32_t event, int thread) {
  const Event& e = trace.events[event];
  return {event, e.line, e.grid, e.block, e.step, thread};
}

// Notes a divergent barrier in two cases: only some threads of the block reached the barrier, or threads
// reached barriers in different lines.
void check_barrier(const Trace& trace, const HappensBefore::Block& b, HazardNotes& notes) {
  const HappensBefore::Live& live = *b.live;
  int waiting = 0;
  for (const std::uint32_t lanes : live.waiting) waiting += std::popcount(lanes);
  if (waiting == b.threads && !live.several_lines) return;
  int waits = -1, missing = -1, elsewhere = -1;
  for (int t = 0; t < b.threads; ++t) {
    const auto thread = static_cast<std::size_t>(t);
    if ((live.waiting[thread / 32] >> (t % 32) & 1) == 0) {
      if (missing < 0) missing = t;
    } else if (waits < 0) {
      waits = t;
    } else if (elsewhere < 0 && trace.events[live.waiting_event[thread]].line !=
                                    trace.events[live.waiting_event[static_cast<std::size_t>(waits)]].line) {
      elsewhere = t;
    }
  }
  const std::uint32_t at = live.waiting_event[static_cast<std::size_t>(waits)];
  const int line = trace.events[at].line;
  if (elsewhere >= 0) {
    const std::uint32_t other = live.waiting_event[static_cast<std::size_t>(elsewhere)];
    if (HazardNote* n =
            notes.note(Hazard::divergent_barrier, line, trace.events[other].line, Apart::request)) {
      n->party = party_of(trace, at, waits);
      n->other = party_of(trace, other, elsewhere);
    }
  }
  if (missing >= 0)
    if (HazardNote* n = notes.note(Hazard::divergent_barrier, line, 0, Apart::request)) {
      n->party = party_of(trace, at, waits);
      n->other = {.grid = b.grid, .block = b.block, .step = trace.events[at].step, .thread = missing};
    }
}

// Examines the mask of a shuffle, a vote or a warp barrier. Notes a wrong mask if the mask leaves out lanes
// that execute the instruction. Notes absent lanes if the mask names lanes that end without executing the
// instruction.
void check_mask(const Trace& trace, std::uint32_t event, HazardNotes& notes) {
  const Event& e = trace.events[event];
  const int first = e.warp * 32 + std::countr_zero(e.mask);
  if ((e.flags & is_outside) != 0)
    if (HazardNote* n = notes.note(Hazard::wrong_mask, e.line, 0, Apart::request))
      n->party = party_of(trace, event, first);
  if ((e.flags & is_incomplete) == 0) return;
  const int threads = trace.grids[e.grid].threads;
  int other = e.warp * 32;
  while (other + 1 < threads && (e.mask >> other % 32 & 1) != 0) ++other;
  if (HazardNote* n = notes.note(Hazard::absent_lane, e.line, 0, Apart::request)) {
    n->party = party_of(trace, event, first);
    n->other = {.grid = e.grid, .block = e.block, .step = e.step, .thread = other};
  }
}

// Notes lanes that take a value from a lane that does not execute the shuffle.
void check_shuffle(const Trace& trace, std::uint32_t event, HazardNotes& notes) {
  const Event& e = trace.events[event];
  if (e.mask == ~0u || (e.flags & (is_outside | is_incomplete)) != 0 ||
      e.detail == static_cast<std::uint8_t>(Shuffle::reduce_add))
    return;
  for_each_lane(e, [&](int lane, std::uint32_t entry) {
    const std::int64_t from = trace.lanes[entry].address;
    if (from < 0 || from > 31 || (e.mask >> from & 1) != 0) return;
    if (HazardNote* n = notes.note(Hazard::absent_lane, e.line, 0, Apart::request)) {
      n->party = party_of(trace, event, e.warp * 32 + lane);
      n->other = {
          .grid = e.grid, .block = e.block, .step = e.step, .thread = e.warp * 32 + static_cast<int>(from)};
    }
  });
}

// Examines the events in the order of issue. If `text` is null, looks only for races.
//
// `begin` is the share of the job that was done before this call. `share` is the share of the job that this
// call does. The whole job is 1.
void look(const Trace& trace, const std::vector<std::uint32_t>& order, WarpModel model,
          const KernelText* text, HazardNotes& notes, Job* job, double begin, double share) {
  const bool races_only = text == nullptr;
  HappensBefore happens_before(trace, model);
  AccessChecks accesses(trace, happens_before, notes, text);
  Moment now = 0;
  constexpr std::size_t often = 4096;  // the number of events that are examined in about a millisecond
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (job && k % often == 0) {
      job->check();
      job->set_progress(begin + share * static_cast<double>(k) / static_cast<double>(order.size()));
    }
    const std::uint32_t i = order[k];
    const Event& e = trace.events[i];
    if (happens_before.begins(i, ++now)) {
      if (!races_only) check_barrier(trace, happens_before.block_of(i), notes);
      happens_before.release(i);
    }
    if (is_access(e.kind)) accesses.look_at(i, now);
    if (e.kind == Kind::shuffle && !races_only) check_shuffle(trace, i, notes);
    if (!is_access(e.kind) && e.flags != 0 && !races_only) check_mask(trace, i, notes);
    if (!happens_before.ends(i, now)) continue;
    // After a block's last barrier there may be no event that makes begins() return true. So the last barrier
    // is checked when the block ends.
    const HappensBefore::Block& block = happens_before.block_of(i);
    const bool whole = !trace.stopped && trace.dropped == 0 && block.in_focus;
    if (!races_only && whole && block.live->anyone_waits) check_barrier(trace, block, notes);
    happens_before.leave(i);
    accesses.forget(i);
  }
}

}  // namespace

Hazards hazards(const Trace& trace, Job* job) {
  const std::vector<std::uint32_t> order = issue_order(trace);
  HazardNotes notes;
  std::optional<HazardNotes> in_lockstep;  // empty if warps in lockstep are not examined
  const KernelText text(trace.text);
  look(trace, order, WarpModel::independent, &text, notes, job, 0, 0.5);
  note_stop(trace, notes);
  // A race between lanes in lockstep is also a race between independent lanes. So the events are examined for
  // lockstep only if the first examination found a race.
  if (std::any_of(notes.all().begin(), notes.all().end(),
                  [](const HazardNote& n) { return is_race(n.kind); }))
    look(trace, order, WarpModel::lockstep, nullptr, in_lockstep.emplace(), job, 0.5, 0.5);

  if (job) job->set_progress(1);

  Hazards found;
  found.complete = trace.dropped == 0;
  found.findings = findings_of(trace, notes.all(), text);
  for (HazardFinding& f : found.findings)
    f.lockstep = !is_race(f.kind) || in_lockstep->has(f.kind, f.party.line, f.other.line);
  advise_warp_barriers(trace, found.findings);
  return found;
}

void add(Hazards& all, const Hazards& more) {
  all.complete = all.complete && more.complete;
  for (const HazardFinding& f : more.findings) {
    const auto same = std::find_if(all.findings.begin(), all.findings.end(), [&](const HazardFinding& g) {
      return g.kind == f.kind &&
             std::minmax(g.party.line, g.other.line) == std::minmax(f.party.line, f.other.line);
    });
    if (same == all.findings.end()) {
      all.findings.push_back(f);
    } else {
      same->count += f.count;
      same->lockstep = same->lockstep || f.lockstep;
      same->independent = same->independent || f.independent;
    }
  }
}

}  // namespace upsweep
