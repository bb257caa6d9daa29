#include "words/hazard_words.hpp"

#include <fmt/format.h>

#include <cctype>

#include "analysis/hazard_steps.hpp"
#include "base/language.hpp"
#include "words/hidden_answer.hpp"
#include "words/in_words.hpp"
#include "words/names.hpp"
#include "words/pattern.hpp"

namespace upsweep {
namespace {

// Returns "thread 3", "thread 3 of block 1" or "thread 3 of block 1 of launch 2 (fold_half)".
std::string thread_text(const Trace& trace, const HazardParty& p, bool with_block, bool with_launch = false) {
  const Grid& grid = trace.grids[p.grid];
  std::string text = tr("thread ") + thread_text(grid, p.thread);
  if (with_block) text = tr("{} of block {}", text, block_text(grid, static_cast<int>(p.block)));
  if (with_launch) text += tr(" of launch {} ({})", grouped(p.grid + 1), trace.grids[p.grid].kernel);
  return text;
}

std::string does(const Trace& trace, const HazardParty& p, bool stores) {
  if (p.event != HazardParty::none && is_atomic(trace.events[p.event].kind)) return tr("changes");
  return stores ? tr("writes") : tr("reads");
}

std::string race_text(const Trace& trace, const HazardFinding& f) {
  const bool with_block = f.apart >= Apart::grid, with_launch = f.apart == Apart::grids;
  const std::string address = cell_text(trace, f);
  if (f.apart == Apart::request)
    return tr("{} and {} write different values to {} at the same time.",
              capitalised(thread_text(trace, f.other, with_block)), thread_text(trace, f.party, with_block),
              address);
  return tr(
      "{thread} {writes} {cell} in line {line}, {other} {reads} it in line {other_line}, and nothing orders "
      "the two accesses.",
      fmt::arg("thread", capitalised(thread_text(trace, f.other, with_block))),
      fmt::arg("writes", does(trace, f.other, f.other_stores)), fmt::arg("cell", address),
      fmt::arg("line", f.other.line), fmt::arg("other", thread_text(trace, f.party, with_block, with_launch)),
      fmt::arg("reads", does(trace, f.party, f.party_stores)), fmt::arg("other_line", f.party.line));
}

// Returns the place where a barrier belongs: "between line 12 and line 14", or for a loop "into the loop of
// line 11, after line 14 or before line 12".
std::string place_of(const LineInterval& i) {
  if (i.next_round)
    return tr("into the loop of line {}, after line {} or before line {}", i.loop, i.from, i.to);
  return tr("between line {} and line {}", i.from, i.to);
}

// Says how to remove the race that causes the hazard.
std::string race_first_text(const Trace& trace, const HazardFinding& f) {
  const std::string race = f.cause == f.other_cause
                               ? tr("Remove the race of line {} first", f.cause)
                               : tr("Remove the race of lines {} and {} first", f.cause, f.other_cause);
  std::string how = tr(".");
  if (f.interval.from != 0) {
    HazardFinding of_race = f;
    of_race.advice = f.interval.from == f.interval.to && !f.interval.next_round ? Advice::split_line
                     : f.branch > 0   ? f.warp_barrier ? Advice::sync_lanes : Advice::split_branch
                     : f.warp_barrier ? Advice::sync_warp
                                      : Advice::sync_block;
    how = tr(": ") + advice_text(trace, of_race);
    how[2] = static_cast<char>(std::tolower(static_cast<unsigned char>(how[2])));
  }
  return race + how + tr(" The values of this race decide which cells the next accesses read or write.");
}

// Returns whether the cell's index is too large to be shown. The emulator replaces an index beyond 2^31 by an
// index near 2^31.
bool is_far(std::int64_t cell) {
  constexpr std::int64_t far = (std::int64_t{1} << 31) - (1 << 20);
  return cell > far || cell < -far;
}

}  // namespace

std::string barrier_place(const HazardFinding& f) {
  return place_of(f.interval) + (f.second.from != 0 ? tr(", and another ") + place_of(f.second) : "");
}

std::string cell_text(const Trace& trace, const HazardFinding& f) {
  if (!f.has_cell) return {};
  const auto buffer = static_cast<std::size_t>(f.buffer);
  if (trace.machine == MachineKind::emulated && is_far(f.cell)) {
    HazardFinding near = f;
    near.cell = 0;
    near.element = -1;
    const std::string name = cell_text(trace, near);
    return name.substr(0, name.find('[')) +
           (f.cell < 0 ? tr("[about -2^31 or less]") : tr("[about 2^31 or more]"));
  }
  const auto inside = [&](std::int64_t cells) { return f.cell >= 0 && f.cell < cells; };
  if (!f.shared) {
    if (buffer >= trace.buffers.size()) return tr("global[{}]", f.cell);
    const GlobalBuffer& b = trace.buffers[buffer];
    return b.name + index_text(f.cell, inside(b.count) ? b.columns : 0);
  }
  const SharedShape& shape = trace.grids[f.party.grid].shared;
  if (buffer > 0 && buffer <= shape.more.size()) {
    const SharedRegion& r = shape.more[buffer - 1];
    return r.name + index_text(f.cell, inside(r.count) ? r.pitch : 0);
  }
  const std::string name = shape.name.empty() ? tr("shared") : shape.name;
  if (shape.columns > 0 && inside(shape.cells_per_buffer))
    return name + (f.element >= 0
                       ? index_text(f.element, shape.columns)
                       : index_text(f.cell, shape.cells_per_buffer / (shape.elements / shape.columns)));
  return f.element >= 0 ? tr("{}[pad({})]", name, f.element) : fmt::format("{}[{}]", name, f.cell);
}

std::string what_happens(const Trace& trace, const HazardFinding& f) {
  const bool with_block = trace.grids[f.party.grid].blocks > 1;
  const std::string who = f.party.thread < 0 ? "" : capitalised(thread_text(trace, f.party, with_block)),
                    other = f.other.thread < 0 ? "" : thread_text(trace, f.other, false);
  switch (f.kind) {
    case Hazard::shared_race:
    case Hazard::global_race: return race_text(trace, f);
    case Hazard::divergent_barrier:
      return f.other.line != 0
                 ? tr("{} waits at the barrier in line {}, but {} waits at the barrier in line {}.", who,
                      f.party.line, other, f.other.line)
                 : tr("{} waits at the barrier in line {}; {} has left the kernel without reaching this "
                      "barrier.",
                      who, f.party.line, other);
    case Hazard::out_of_bounds:
      if (f.cell < 0)
        return tr("{thread} {reads} {cell}, which is before the first cell.", fmt::arg("thread", who),
                  fmt::arg("reads", does(trace, f.party, f.party_stores)),
                  fmt::arg("cell", cell_text(trace, f)));
      return tr("{thread} {reads} {cell}, beyond the last of {cells}.", fmt::arg("thread", who),
                fmt::arg("reads", does(trace, f.party, f.party_stores)),
                fmt::arg("cell", cell_text(trace, f)), fmt::arg("cells", counted(f.cells, "cell")));
    case Hazard::uninitialised_read:
      if (f.other.line != 0)
        return tr("{thread} {reads} {cell} before {other} writes it in line {line}.", fmt::arg("thread", who),
                  fmt::arg("reads", does(trace, f.party, f.party_stores)),
                  fmt::arg("cell", cell_text(trace, f)), fmt::arg("other", other),
                  fmt::arg("line", f.other.line));
      return tr("{thread} {reads} {cell}, which no thread wrote before.", fmt::arg("thread", who),
                fmt::arg("reads", does(trace, f.party, f.party_stores)),
                fmt::arg("cell", cell_text(trace, f)));
    case Hazard::absent_lane:
      if ((trace.events[f.party.event].flags & is_incomplete) != 0)
        return tr("{} waits in line {} for {}, which has already passed that line.", who, f.party.line,
                  other);
      return tr("{} reads from {}, which does not execute the shuffle.", who, other);
    case Hazard::wrong_mask:
      return tr("{} executes line {}, but the mask in this line does not contain this thread.", who,
                f.party.line);
    case Hazard::endless_loop:
    case Hazard::deadlock:
    case Hazard::endless_launches:
    case Hazard::misaligned: return in_words(trace.stopped);
  }
  return {};
}

std::string advice_text(const Trace& trace, const HazardFinding& f) {
  switch (f.advice) {
    case Advice::none: return {};
    case Advice::race_first: return race_first_text(trace, f);
    case Advice::write_alone:
      return tr("Let only one thread write the cell, or let all threads combine their values atomically.");
    case Advice::sync_warp:
      return tr("Put a __syncwarp() {}: since Volta, the lanes of a warp may run separately.",
                barrier_place(f));
    case Advice::sync_block: return tr("Put a __syncthreads() {}.", barrier_place(f));
    case Advice::sync_or_atomic:
      return tr("Put a __syncthreads() {}, or make both accesses atomic.", barrier_place(f));
    case Advice::split_branch:
      if (f.branch_is_loop)
        return tr(
            "Let all threads run the same number of iterations of the loop of line {}, and put a "
            "__syncthreads() {}.",
            f.branch, barrier_place(f));
      return tr("End the branch of line {}, put a __syncthreads() {}, and begin the branch again.", f.branch,
                barrier_place(f));
    case Advice::sync_lanes:
      return tr("Put a __syncwarp() {}. Its mask must contain the lanes that execute the {} of line {}.",
                barrier_place(f), f.branch_is_loop ? tr("loop") : tr("branch"), f.branch);
    case Advice::order_by_flag:
      return tr(
          "These threads take turns with a flag or a lock. To order both accesses, execute a "
          "__threadfence_block() before the flag changes, and after the flag is read.");
    case Advice::split_line:
      return tr("Split line {}: read the value into a variable, put a __syncthreads(), then write the value.",
                f.interval.from);
    case Advice::order_blocks:
      return tr(
          "Blocks run in any order: give each block its own cells, or divide the work into two launches. A "
          "flag can also order the accesses. Then execute a __threadfence() before the flag changes, and "
          "after the flag is read.");
    case Advice::order_grids:
      return tr(
          "Neither of these grids waits for the other grid: use launch_tail() for a grid that needs values "
          "from its parent or from another child.");
    case Advice::move_barrier:
      return tr(
          "Move the barrier out of the branch or loop, so that all threads of the block reach it equally "
          "often.");
    case Advice::do_not_return:
      return tr(
          "No thread should return before the barrier in line {}: a thread without work should skip only the "
          "work.",
          f.party.line);
    case Advice::guard:
      return tr("Execute line {} only if its index is inside the memory, or make the memory larger.",
                f.party.line);
    case Advice::initialise:
      return tr("Write every cell before it is read. If a cell has no element, write the identity.");
    case Advice::shuffle_together:
      return tr(
          "Make sure that all these lanes execute the line together: the lanes in the mask, and the lanes "
          "whose values are read.");
    case Advice::end_loop:
      return tr("In every iteration, let the loop change a value that the loop's condition reads.");
    case Advice::raise_rounds:
      return tr(
          "If the loop only needs more iterations, raise --rounds. Otherwise, let every iteration bring the "
          "loop closer to its end.");
    case Advice::end_launches: return tr("Launch another grid only if work is left for it.");
    case Advice::fewer_blocks:
      return tr(
          "Launch at most as many blocks as can run at the same time, or divide the work into two "
          "launches.");
    case Advice::name_callers:
      return tr(
          "Let the mask contain every lane that executes the line; 0xffffffff contains the whole warp.");
    case Advice::reach_all:
      return tr(
          "Let every thread reach the line in which other threads wait. No thread may wait for a value that "
          "is written only after the wait.");
    case Advice::align:
      return tr("Let every vector access begin at an element whose index is a multiple of {}.",
                trace.stopped.elements);
  }
  return {};
}

std::string_view models_text(const HazardFinding& f) {
  if (f.lockstep && f.independent) return tr("lockstep and independent lanes");
  return f.lockstep ? tr("lockstep (before Volta)") : tr("independent lanes (Volta and later)");
}

std::string hazard_text(const Recording& recording, const Place& place) {
  const Hazards* known = shown_hazards(recording, place);
  if (!known) return {};
  const std::vector<const HazardFinding*> here = findings_of(*known, place.step);
  if (here.empty()) return {};
  std::string what = what_happens(recording.trace, *here[0]);
  what[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(what[0])));
  std::string text = fmt::format("{}: {}", capitalised(std::string(tr(name(here[0]->kind)))), what);
  const auto others = static_cast<std::int64_t>(here.size()) - 1;
  if (others > 0)
    text += tr(" {other_findings_are} in this step.",
               fmt::arg("other_findings_are", counted(others, "other finding is", "other findings are")));
  return text;
}

}  // namespace upsweep
