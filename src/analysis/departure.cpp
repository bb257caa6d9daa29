#include "analysis/departure.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/value_history.hpp"

namespace upsweep {
namespace {

constexpr std::size_t most_lanes = 1 << 23;  // a run with more entries in Trace::lanes is not compared
// The largest number of leaves (ValueHistory::Leaf) that one search looks at. After this number, the search
// ends with the best place that it has found.
constexpr std::size_t most_leaves = 1 << 22;
// Returns the index of the buffer that holds the result.
std::size_t output_buffer(const Trace& trace) {
  return static_cast<std::size_t>(trace.roles().first_output());
}

class DepartureFinder {
 public:
  DepartureFinder(const Trace& wrong, const Trace& right, const Job* job)
      : wrong_(wrong), right_(right), job_(job), w_(wrong, job), r_(right, job) {}

  std::optional<Departure> find(std::size_t index) {
    const CellKey out = ValueHistory::global_cell(wrong_.buffers[output_buffer(wrong_)].name,
                                                  static_cast<std::int64_t>(index));
    judge({out, w_.stores(out).size(), r_.stores(out).size(), {}});
    while (!pending_.empty() && budget_ > 0) {
      if (job_) job_->check();
      const Question next = pending_.back();
      pending_.pop_back();
      judge(next);
    }
    return found_;
  }

 private:
  // A question: does the cell hold the correct value when `reader` reads it? At that time, the wrong run has
  // made `wrong_stores` stores to the cell, and the correct run has made `right_stores` stores.
  //
  // Without `reader`, the question is about the end of the run. The cell is then a cell of the output, or a
  // cell from which a missing value should have been computed.
  struct Question {
    CellKey cell;
    std::size_t wrong_stores, right_stores;
    std::optional<LaneEntry> reader;
  };
  using Stored = ValueHistory::Stored;
  using Leaf = ValueHistory::Leaf;

  void judge(const Question& q) {
    const auto all_wrong = w_.stores(q.cell), all_right = r_.stores(q.cell);
    const Stored* w = q.wrong_stores > 0 ? &all_wrong[q.wrong_stores - 1] : nullptr;
    const Stored* r = q.right_stores > 0 ? &all_right[q.right_stores - 1] : nullptr;
    if (w && r && w->contents == r->contents) return;  // both values are sums of the same elements
    if (!w) return note_read(q, w, r);
    const Stored* numbered = q.wrong_stores <= all_right.size() ? &all_right[q.wrong_stores - 1] : nullptr;
    if (numbered && numbered->contents == w->contents) return note_read(q, w, r);
    const auto same = std::find_if(all_right.begin(), all_right.end(),
                                   [&](const Stored& s) { return s.contents == w->contents; });
    if (same != all_right.end()) {
      // The correct run stores this value in the cell at another time. In the wrong run, the value may have
      // been computed from wrong values, written too late, or read at the wrong time.
      if (!followed_.insert(w->by.entry).second) return;
      if (numbered && follow(*w, numbered, true)) return;
      const bool late = q.wrong_stores > static_cast<std::size_t>(same - all_right.begin()) + 1;
      if (late) note_write(*w, r);
      else note_read(q, w, r);
      return;
    }
    if (all_right.empty() && r_.ever_stored(w->contents))
      return;  // the correct run stores this value in another cell, and stores nothing in this cell
    if (!followed_.insert(w->by.entry).second) return;
    // The correct run never stores this value in this cell. The wrong store is the k-th store to the cell.
    // First compares the wrong store with the correct run's last store before the read, and then with the
    // correct run's k-th store. If the correct run computed both values from other cells, the last call of
    // follow() looks for sources with values that the correct run never stores there.
    if (r && follow(*w, r, true)) return;
    const std::size_t number = std::min(q.wrong_stores, all_right.size());
    if (number > 0 && follow(*w, &all_right[number - 1], true)) return;
    follow(*w, r, false);
  }

  // Looks at the cells from which the wrong value `w` was computed, and adds a question about each cell that
  // is wrong. If no cell is wrong, notes that the two runs first differ in the store of `w`.
  //
  // If `from_same_cells` is true and the correct run computed `r` from other cells, does nothing and returns
  // false. Otherwise, returns true.
  bool follow(const Stored& w, const Stored* r, bool from_same_cells) {
    const auto of_wrong = leaves(w_, w), of_right = r ? leaves(r_, *r) : std::vector<Leaf>{};
    if (!of_wrong || !of_right) {
      note_write(w, r);
      return true;
    }
    std::map<std::pair<std::uint64_t, std::int64_t>, const Leaf*> right;
    for (const Leaf& leaf : *of_right) right[{leaf.cell.memory, leaf.cell.index}] = &leaf;
    std::vector<Question> differing, never_right;
    std::size_t common = 0;
    for (const Leaf& leaf : *of_wrong) {
      const auto same = right.find({leaf.cell.memory, leaf.cell.index});
      const Leaf* other = same == right.end() ? nullptr : same->second;
      common += other != nullptr;
      if (other && other->contents == leaf.contents) continue;
      const auto stores = r_.stores(leaf.cell);
      const Question q{leaf.cell, leaf.stores, other ? other->stores : stores.size(), leaf.read};
      if (other) differing.push_back(q);
      if (leaf.stores > 0 && !is_right(stores, leaf.contents)) never_right.push_back(q);
    }
    const bool same_cells = common == of_wrong->size() && common == of_right->size();
    if (from_same_cells && !same_cells) return false;
    const std::vector<Question>& next = from_same_cells ? differing : never_right;
    if (next.empty()) note_write(w, r);
    pending_.insert(pending_.end(), next.begin(), next.end());
    return true;
  }

  // Returns whether one of `stores` stores `contents`. `stores` has the correct run's stores to one cell. If
  // `stores` is empty, returns whether the correct run stores `contents` in any cell.
  bool is_right(std::span<const Stored> stores, std::uint64_t contents) const {
    if (stores.empty()) return r_.ever_stored(contents);
    return std::any_of(stores.begin(), stores.end(), [&](const Stored& s) { return s.contents == contents; });
  }

  std::optional<std::vector<Leaf>> leaves(const ValueHistory& history, const Stored& of) {
    auto found = history.leaves(of.by, budget_);
    budget_ -= found ? std::min(budget_, found->size() + 1) : budget_;
    return found;
  }

  // Notes that a thread reads a cell that has no value, or a value that is correct only at another time. If
  // the question has no reader, notes the end of the block that should have stored the correct value.
  void note_read(const Question& q, const Stored* w, const Stored* r) {
    Departure d = q.reader ? at(wrong_, *q.reader) : end(r);
    if (q.reader) d.how = Departure::How::reads;
    else if (r) ask_for_leaves(*r);
    d.written = w != nullptr;
    if (r) expect(d, *r);
    note(d, q.reader ? wrong_.events[q.reader->event].time : UINT32_MAX);
  }

  // Handles a store that only the correct run makes. Adds questions about the cells from which the missing
  // value should have been computed.
  void ask_for_leaves(const Stored& missing) {
    if (!followed_missing_.insert(missing.by.entry).second) return;
    if (const auto of_right = leaves(r_, missing))
      for (const Leaf& leaf : *of_right)
        pending_.push_back({leaf.cell, w_.stores(leaf.cell).size(), leaf.stores, {}});
  }

  void note_write(const Stored& w, const Stored* r) {
    Departure d = at(wrong_, w.by);
    if (r) expect(d, *r);
    note(d, wrong_.events[w.by.event].time);
  }

  void expect(Departure& d, const Stored& r) {
    d.expected = right_.values[r.by.entry];
    d.has_expected = true;
  }

  // Returns true if the correct run has the same number at this place, but as a sum of other elements. The
  // numbers are then equal by chance. Such a place is the result only if the search finds no other place.
  static bool is_same_number(const Departure& d) {
    return d.how != Departure::How::ends && d.has_expected && d.got == d.expected;
  }
  void note(const Departure& d, std::uint32_t time) {
    if (found_ && std::tuple(is_same_number(*found_), found_->step, time_) <=
                      std::tuple(is_same_number(d), d.step, time))
      return;
    found_ = d;
    time_ = time;
  }

  static Departure at(const Trace& trace, const LaneEntry& access) {
    const Event& e = trace.events[access.event];
    Departure d{.step = e.step, .line = e.line, .grid = e.grid, .block = e.block};
    d.thread = thread_of(e, access.lane);
    d.shared = is_shared(e.kind);
    d.buffer = e.buffer;
    d.got = trace.values[access.entry];
    const std::int64_t address = trace.lanes[access.entry].address, bytes = cell_bytes(e);
    d.cell = address / bytes;
    if (!d.shared) return d;
    const SharedShape& shape = trace.grids[e.grid].shared;
    if (d.buffer > 0 && static_cast<std::size_t>(d.buffer) <= shape.more.size())
      d.cell = (address - shape.more[static_cast<std::size_t>(d.buffer) - 1].first) / bytes;
    const auto moved = std::find(shape.cell.begin(), shape.cell.end(), static_cast<std::uint32_t>(d.cell));
    if (d.buffer == 0 && moved != shape.cell.end() && moved - shape.cell.begin() != d.cell)
      d.element = moved - shape.cell.begin();
    return d;
  }

  // Returns a Departure at the last event of the block that should have written the missing value. If the
  // block has no event, the Departure is at the last event of the run.
  Departure end(const Stored* missing) const {
    Departure d;
    if (missing) d = at(right_, missing->by);
    const Event* last = nullptr;
    for (const bool same_block : {true, false}) {
      for (const Event& e : wrong_.events)
        if ((!same_block || (missing && e.grid == d.grid && e.block == d.block)) &&
            (!last || e.time > last->time))
          last = &e;
      if (last) break;
    }
    d.how = Departure::How::ends;
    if (!last) return d;
    d.step = last->step;
    d.line = last->line;
    d.grid = last->grid;
    d.block = last->block;
    return d;
  }

  const Trace &wrong_, &right_;
  const Job* job_;
  ValueHistory w_, r_;
  std::vector<Question> pending_;
  std::unordered_set<std::uint32_t> followed_, followed_missing_;  // the entries of followed stores
  std::size_t budget_ = most_leaves;
  std::optional<Departure> found_;
  std::uint32_t time_ = 0;
};

}  // namespace

bool is_comparable(const Trace& trace) {
  return trace.dropped == 0 && trace.lanes.size() <= most_lanes &&
         trace.buffers.size() > output_buffer(trace) &&
         std::all_of(trace.runs.begin(), trace.runs.end(), [](const BlockRun& r) { return r.in_focus; });
}

std::optional<Departure> first_departure(const Trace& wrong, const Trace& right, std::size_t index,
                                         const Job* job) {
  return DepartureFinder(wrong, right, job).find(index);
}

bool is_written(const Trace& trace, std::size_t index) {
  return std::any_of(trace.events.begin(), trace.events.end(), [&](const Event& e) {
    if (!is_global(e.kind) || is_load(e.kind) || e.buffer != output_buffer(trace)) return false;
    bool found = false;
    for_each_lane(e, [&](int, std::uint32_t entry) {
      const std::int64_t address = trace.lanes[entry].address;
      found |= address >= 0 && address / cell_bytes(e) == static_cast<std::int64_t>(index);
    });
    return found;
  });
}

}  // namespace upsweep
