#include "analysis/access_checks.hpp"

#include <algorithm>
#include <bit>

namespace upsweep {

AccessChecks::AccessChecks(const Trace& trace, const HappensBefore& order, HazardNotes& notes,
                           const KernelText* text)
    : trace_(trace),
      order_(order),
      notes_(notes),
      races_only_(text == nullptr),
      element_bytes_(trace.element_bytes()),
      roles_(trace.roles()),
      written_(most_buffers),
      shared_(order.blocks()) {
  if (text != nullptr) text_order_.emplace(trace, *text);
  for (const BlockRun& run : trace.runs) all_in_focus_ = all_in_focus_ && run.in_focus;
  std::size_t buffers = 0;
  for (const Event& e : trace.events) {
    if (!is_global(e.kind)) continue;
    buffers = std::max<std::size_t>(buffers, e.buffer + 1u);
    if (!is_load(e.kind)) written_[e.buffer] = true;
  }
  global_.resize(buffers);
}

void AccessChecks::forget(std::uint32_t event) {
  shared_[order_.block_of(event).index].forget(lists_, pages_);
}

AccessChecks::Extent AccessChecks::extent_of(const Access& a) const {
  const std::int64_t bytes = bytes_of(a);
  if (is_global(a.event.kind))
    return {0, a.event.buffer < trace_.buffers.size() ? trace_.buffers[a.event.buffer].count * bytes : 0};
  const SharedShape& shape = trace_.grids[a.event.grid].shared;
  const auto region = static_cast<std::size_t>(a.event.buffer);
  if (region == 0 || region > shape.more.size()) return {0, shape.bytes_of_buffers(element_bytes_)};
  const SharedRegion& r = shape.more[region - 1];
  return {r.first, r.first + static_cast<std::int64_t>(r.count) * bytes};
}

std::int64_t AccessChecks::cell_of(const Access& a) const {
  std::int64_t first = 0;
  const auto& more = trace_.grids[a.event.grid].shared.more;
  if (is_shared(a.event.kind) && a.event.buffer > 0 && a.event.buffer <= more.size())
    first = more[a.event.buffer - 1u].first;
  const std::int64_t bytes = bytes_of(a), beyond = a.address - first;
  return beyond >= 0 ? beyond / bytes : -((bytes - 1 - beyond) / bytes);
}

inline void AccessChecks::load(Access& a, CellHistory& c) {
  check(a, c.store);
  if (c.meetings != CellHistory::none) [[unlikely]] {
    if (!all_before(a, lists_[c.meetings].seen, c.meetings_mixed))
      for (std::uint32_t i = c.meetings; i != CellHistory::none; i = lists_[i].next)
        if (lists_[i].seen.stored) check(a, lists_[i].seen);
  }
  if (!c.initialised) [[unlikely]]
    note_uninitialised(a);
  // Replaces `last`, the latest read of the cell, by this read. But if both reads belong to one request, only
  // notes whether several lanes read the cell.
  Seen& last = c.read;
  if (last.at == a.now) {
    last.several = last.several || last.thread != a.thread;
    return;
  }
  if (last.at != 0) remember_read(a, c);
  last = {a.now, a.index, a.block.index, static_cast<std::uint16_t>(a.thread), false, false};
}

void AccessChecks::note_uninitialised(const Access& a) {
  if (races_only_) return;
  if (is_global(a.event.kind) && (!all_in_focus_ || is_initialised(roles_.of(a.event.buffer), a.cells)))
    return;
  note(Hazard::uninitialised_read, a);
  constexpr std::size_t most = 1 << 16;
  if (early_reads_.size() < most)
    early_reads_.emplace(
        place_of(a), Seen{a.now, a.index, a.block.index, static_cast<std::uint16_t>(a.thread), false, false});
}

// `a` must be a store. Finds reads of the same cell that ran before `a`, but come after `a` in the kernel's
// text. Such a read found the cell uninitialised, because a barrier between `a` and the read is missing.
void AccessChecks::find_early_reads(const Access& a) {
  auto [it, end] = early_reads_.equal_range(place_of(a));
  while (it != end) {
    const Seen read = it->second;
    const int line = trace_.events[read.event].line, own = a.event.line;
    HazardNote* n = notes_.uninitialised_read(line);
    if (n == nullptr || line == own || read.block != a.block.index || !unordered(a, read, read.thread)) {
      ++it;
      continue;
    }
    const TextOrders order = text_order(read, read.thread, a);
    // The odd bits of TextOrders mean that the line with the smaller number comes first, the even bits that
    // the line with the greater number does.
    constexpr TextOrders smaller_first = 0x1555 << 1, greater_first = 0x1555;
    if ((order & (own < line ? smaller_first : greater_first)) == 0) {
      ++it;  // the kernel's text requires the read to come first
      continue;
    }
    if (n->early++ == 0) {  // the note describes only the first early read
      const Event& e = trace_.events[read.event];
      n->party = {read.event, line, e.grid, e.block, e.step, read.thread};
      n->other = {a.index, own, a.event.grid, a.event.block, a.event.step, a.thread};
      n->party_stores = !is_load(e.kind);
      n->shared = is_shared(a.event.kind);
      n->buffer = a.event.buffer;
      n->cell = cell_of(a);
    }
    if (n->other.line == own) n->orders |= order;
    it = early_reads_.erase(it);
  }
}

// Must be called before the read `a` replaces the cell's last read, `c.read`. Adds the last read to the list
// `c.reads`, because a later store may race with the last read. There are two exceptions:
// - If only the thread of `a` made the last read, the list does not change.
// - If the last read and all reads in the list certainly happened before `a`, the list becomes empty.
// In both cases, `a` is enough: a store that races with an earlier read also races with `a`.
void AccessChecks::remember_read(const Access& a, CellHistory& c) {
  const Seen& last = c.read;
  if (last.block == a.block.index && last.thread == a.thread && !last.several) return;
  if (all_before(a, last, c.reads_mixed)) {
    lists_.clear(c.reads);
    c.reads_mixed = false;
    return;
  }
  lists_.push(c.reads, last, [&](const Seen& old) {
    return old.block == last.block && old.thread == last.thread && old.several == last.several &&
           (!old.several || (trace_.events[old.event].line == trace_.events[last.event].line &&
                             trace_.events[old.event].mask == trace_.events[last.event].mask));
  });
  c.reads_mixed = c.reads_mixed || last.block != a.block.index;
}

inline void AccessChecks::store(Access& a, CellHistory& c) {
  if (!early_reads_.empty()) [[unlikely]]
    find_early_reads(a);
  check(a, c.store);
  if (c.read.at > floor(a, c.read) || c.reads_mixed) {
    check(a, c.read);
    for (std::uint32_t i = c.reads; i != CellHistory::none; i = lists_[i].next) check(a, lists_[i].seen);
  }
  if (c.meetings != CellHistory::none && !all_before(a, lists_[c.meetings].seen, c.meetings_mixed))
    for (std::uint32_t i = c.meetings; i != CellHistory::none; i = lists_[i].next) check(a, lists_[i].seen);
  lists_.clear(c.reads);
  lists_.clear(c.meetings);
  c.reads_mixed = c.meetings_mixed = false;
  c.read = {};
  c.initialised = true;
  c.store = {a.now, a.index, a.block.index, static_cast<std::uint16_t>(a.thread), false, true};
}

// Examines a meeting: an atomic, or a volatile access by which threads may wait for each other (see
// CellHistory). Two meetings do not race with each other, but a meeting may race with a plain access.
void AccessChecks::meet(Access& a, CellHistory& c) {
  check(a, c.store);
  const bool stores = !is_load(a.event.kind);
  if (stores) {
    if (c.read.at > floor(a, c.read) || c.reads_mixed) {
      check(a, c.read);
      for (std::uint32_t i = c.reads; i != CellHistory::none; i = lists_[i].next) check(a, lists_[i].seen);
    }
  }
  // An atomic exchange of an uninitialised cell is no hazard. Kernels may initialise a word by an exchange,
  // and ignore the old value that the exchange returns.
  const bool exchanges = is_atomic(a.event.kind) && static_cast<Atomic>(a.event.detail) == Atomic::exchange;
  if (!c.initialised && !is_store(a.event.kind) && !exchanges) note_uninitialised(a);
  if (stores && !early_reads_.empty()) [[unlikely]]
    find_early_reads(a);
  c.initialised = c.initialised || stores;
  const Seen seen{a.now, a.index, a.block.index, static_cast<std::uint16_t>(a.thread), false, stores};
  if (c.meetings != CellHistory::none) {
    Seen& last = lists_[c.meetings].seen;
    if (last.at == a.now) {
      last.several = last.several || last.thread != seen.thread;
      return;
    }
    if (all_before(a, last, c.meetings_mixed)) {
      lists_.clear(c.meetings);
      c.meetings_mixed = false;
    } else {
      c.meetings_mixed = c.meetings_mixed || last.block != a.block.index;
    }
  }
  lists_.push(c.meetings, seen, [&](const Seen& old) {
    return !old.several && old.block == seen.block && old.thread == seen.thread && old.stored == seen.stored;
  });
}

void AccessChecks::look_at(std::uint32_t index, Moment now) {
  const Event& e = trace_.events[index];
  const HappensBefore::Block& block = order_.block_of(index);
  if (!block.in_focus) return;  // the block's barriers are not recorded
  const bool global = is_global(e.kind);
  const Cells cells = trace_.cells_of(e);
  const bool meets = is_atomic(e.kind) || (is_signal(cells) && (e.flags & is_volatile) != 0);
  Access a{.index = index,
           .event = e,
           .block = block,
           .at = block.live->at.data(),
           .now = now,
           .cells = cells,
           .meets = meets};
  // In shared memory, an access is marked as outside only if it is outside all arrays. But an access beyond
  // the end of one array may be inside the next array. So this function compares each address with the bounds
  // of the accessed array.
  const bool marked = (e.flags & is_outside) != 0;
  const bool may_be_outside = marked || (!global && trace_.grids[e.grid].shared.bytes != 0);
  // If no event writes an input, reads inside this input have no hazards, so these reads are not
  // examined.
  if (global && e.buffer < roles_.inputs && !written_[e.buffer] && !may_be_outside) return;
  const std::int64_t bytes = bytes_of(a);
  const int granule = std::countr_zero(
      static_cast<std::uint64_t>(global ? bytes : std::min(scalar_bytes(trace_.settings.type), 4)));
  MemoryHistory& memory = global ? global_[e.buffer] : shared_[block.index];
  const Extent extent = may_be_outside ? extent_of(a) : Extent{};
  const std::uint32_t stride = is_atomic(e.kind) ? 2 : 1;
  const bool loads = is_load(e.kind);
  std::uint32_t entry = e.first;
  for (std::uint32_t m = e.mask; m != 0; m &= m - 1) {
    a.thread = e.warp * 32 + std::countr_zero(m);
    for (const std::uint32_t end = entry + e.parts; entry < end; entry += stride) {
      a.entry = entry;
      a.address = trace_.lanes[entry].address;
      if (may_be_outside && (a.address < extent.first || a.address + bytes > extent.end)) [[unlikely]] {
        if (!races_only_) note(Hazard::out_of_bounds, a);
        if (marked) continue;
      }
      CellHistory& c = memory.at(static_cast<std::size_t>(a.address) >> granule, pages_);
      if (meets) meet(a, c);
      else if (loads) load(a, c);
      else store(a, c);
    }
  }
}

bool AccessChecks::unordered(const Access& a, const Seen& earlier, int thread) const {
  if (earlier.at == a.now) return thread != a.thread;  // two lanes of one request are not ordered
  return !order_.ordered(earlier.block, thread, earlier.at, a.block, a.thread);
}

void AccessChecks::check_slowly(const Access& a, const Seen& earlier) {
  if (earlier.at == 0) return;
  if (!earlier.several) {
    if (unordered(a, earlier, earlier.thread)) note_race(a, earlier, earlier.thread);
    return;
  }
  const Event& e = trace_.events[earlier.event];
  for (std::uint32_t m = e.mask; m != 0; m &= m - 1) {
    const int lane = std::countr_zero(m);
    for (int part = 0; part < (is_atomic(e.kind) ? 1 : e.parts); ++part)
      if (trace_.lanes[entry_of(e, lane, part)].address == a.address &&
          unordered(a, earlier, e.warp * 32 + lane))
        return note_race(a, earlier, e.warp * 32 + lane);
  }
}

// Returns whether both accesses store the same value. Two such stores are no race, because their order has no
// effect.
bool AccessChecks::same_value(const Access& a, const Seen& earlier, int thread) const {
  const Event& e = trace_.events[earlier.event];
  if (!is_store(e.kind) || !is_store(a.event.kind)) return false;
  for (int part = 0; part < e.parts; ++part) {
    const std::uint32_t entry = entry_of(e, thread % 32, part);
    if (trace_.lanes[entry].address == a.address && trace_.values[entry] == trace_.values[a.entry])
      return true;
  }
  return false;
}

void AccessChecks::note_race(const Access& a, const Seen& earlier, int thread) {
  if (same_value(a, earlier, thread)) return;
  const Event& e = trace_.events[earlier.event];
  const Apart apart = earlier.at == a.now            ? Apart::request
                      : e.grid != a.event.grid       ? Apart::grids
                      : e.block != a.event.block     ? Apart::grid
                      : thread / 32 != a.thread / 32 ? Apart::block
                                                     : Apart::warp;
  const bool shared = is_shared(a.event.kind);
  HazardNote* n =
      notes_.note(shared ? Hazard::shared_race : Hazard::global_race, a.event.line, e.line, apart);
  if (text_order_ && (apart == Apart::warp || apart == Apart::block))
    notes_.latest().orders |= text_order(earlier, thread, a);
  if (n == nullptr) return;
  n->party = {a.index, a.event.line, a.event.grid, a.event.block, a.event.step, a.thread};
  n->other = {earlier.event, e.line, e.grid, e.block, e.step, thread};
  n->party_stores = !is_load(a.event.kind);
  n->other_stores = !is_load(e.kind);
  n->shared = shared;
  n->buffer = a.event.buffer;
  n->cell = cell_of(a);
}

// Compares two accesses of one block, `before` and `a`. Returns one bit of TextOrders. The bit says which
// access comes first in the kernel's text, and which loops begin another iteration between the accesses.
TextOrders AccessChecks::text_order(const Seen& before, int thread, const Access& a) {
  if (compared_[0] == before.event && compared_[1] == a.index) return compared_order_;
  compared_[0] = before.event;
  compared_[1] = a.index;
  const Event &e = trace_.events[before.event], &now = a.event;
  const auto [first_is_earlier, order] =
      text_order_->compare({before.event, thread % 32}, {a.index, a.thread % 32});
  if (e.line == now.line && order == TextOrder::one_round)
    return compared_order_ = is_load(e.kind) || is_load(now.kind) ? load_and_store : same_line;
  return compared_order_ = order_bit(order, (e.line <= now.line) == first_is_earlier);
}

void AccessChecks::note(Hazard kind, const Access& a) {
  HazardNote* n = notes_.note(kind, a.event.line, 0, Apart::request);
  if (n == nullptr) return;
  n->party = {a.index, a.event.line, a.event.grid, a.event.block, a.event.step, a.thread};
  n->party_stores = !is_load(a.event.kind);
  n->shared = is_shared(a.event.kind);
  n->buffer = a.event.buffer;
  n->cell = cell_of(a);
}

}  // namespace upsweep
