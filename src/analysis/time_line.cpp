#include "analysis/time_line.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "analysis/cancellable.hpp"
#include "analysis/mark_names.hpp"
#include "analysis/memory.hpp"

namespace upsweep {
namespace {

using MomentOf = TimeLine::Moment::Of;

// Returns true for volatile accesses and atomics of global memory. Kernels use these accesses if other blocks
// may access the same memory at the same time.
bool is_for_others(const Event& e) {
  return is_global(e.kind) && (is_atomic(e.kind) || (e.flags & is_volatile) != 0);
}
bool touches_marks(const Trace& trace, const Event& e) { return is_signal(trace.cells_of(e)); }
std::uint32_t mark_in(const Trace& trace, const Event& e, std::uint32_t entry) {
  const Cells cells = trace.cells_of(e);
  const int word = is_message(cells) ? mark_of_message(cells, trace.element_bytes()) : 0;
  return trace.values[entry][static_cast<std::size_t>(word)];
}
std::int64_t marked_cell(const Trace& trace, const Event& e, std::uint32_t entry) {
  return trace.lanes[entry].address / cell_bytes(e);
}

// A key for a cell of global memory. Each grid has its own keys, even for the same cell.
struct CellName {
  int grid = 0, buffer = 0;
  std::int64_t cell = 0;
  bool operator==(const CellName&) const = default;
};
struct CellNameHash {
  std::size_t operator()(const CellName& c) const {
    const auto place = static_cast<std::uint64_t>(c.grid) << 40 ^ static_cast<std::uint64_t>(c.buffer) << 32;
    return static_cast<std::size_t>((place ^ static_cast<std::uint64_t>(c.cell)) * 0x9E3779B97F4A7C15u);
  }
};

class TimeLineBuilder {
 public:
  TimeLineBuilder(const Trace& trace, const Job* job) : trace_(trace), check_(job) {}

  TimeLine build() {
    line_.is_clocked = !trace_.clock.empty();
    make_rows();
    line_.protocols.resize(trace_.grids.size());
    find_buffers();
    for (std::uint32_t r = 0; r < line_.rows.size(); ++r) publish(r);
    find_final_marks();
    for (std::uint32_t r = 0; r < line_.rows.size(); ++r) read(r);
    sort_rows();
    for (std::uint32_t r = 0; r < line_.rows.size(); ++r) finish(r);
    sort_moments();
    if (std::ranges::any_of(line_.protocols, [](const auto& p) { return p.status >= 0; }))
      line_.mark_names = mark_names(trace_.text);
    return std::move(line_);
  }

 private:
  std::uint64_t time(std::size_t event) const { return line_.time_of(trace_, event); }

  // Makes a row for each block that ran or has events. The run of a block on a GPU has times only if the
  // GPU's clock was recorded. On the emulator, the run of a block always has times.
  void make_rows() {
    const bool runs_are_timed = line_.is_clocked || trace_.machine != MachineKind::gpu;
    std::size_t event = 0;
    const std::vector<Event>& events = trace_.events;
    const auto take_events = [&](TimeLine::Row& row) {
      const std::size_t first = event, talk = talk_.size();
      std::uint64_t from = UINT64_MAX, to = 0;
      while (event < events.size() && events[event].grid == row.grid &&
             static_cast<int>(events[event].block) == row.block) {
        check_();
        from = std::min(from, time(event));
        to = std::max(to, time(event));
        if (is_for_others(events[event]) || events[event].kind == Kind::launch)
          talk_.push_back(static_cast<std::uint32_t>(event));
        ++event;
      }
      ranges_.emplace_back(talk, talk_.size());
      if (event == first) return;
      if (!row.is_timed) row.begin = from, row.end = to;
      row.begin = std::min(row.begin, from);
      row.end = std::max(row.end, to);
      row.is_timed = true;
    };
    const auto before = [](const Event& e, int grid, std::uint32_t block) {
      return std::pair<int, std::uint32_t>(e.grid, e.block) < std::pair(grid, block);
    };
    const auto blocks_before = [&](int grid, std::uint32_t block) {
      while (event < events.size() && before(events[event], grid, block)) {
        TimeLine::Row row;
        row.grid = events[event].grid;
        row.block = static_cast<int>(events[event].block);
        take_events(row);
        line_.rows.push_back(row);
      }
    };
    for (const BlockRun& run : trace_.runs) {
      check_();
      blocks_before(run.grid, run.block);
      TimeLine::Row row;
      row.grid = run.grid;
      row.block = static_cast<int>(run.block);
      row.sm = run.sm;
      row.is_timed = runs_are_timed;
      if (runs_are_timed) row.begin = run.begin, row.end = run.end;
      take_events(row);
      line_.rows.push_back(row);
    }
    blocks_before(INT32_MAX, UINT32_MAX);
    for (const TimeLine::Row& row : line_.rows) line_.end = std::max(line_.end, row.end);
  }

  // Finds the status buffer and the counter of each grid. The status buffer is the buffer in which blocks
  // store the most marks (at least two). Blocks take numbers from the counter by atomics.
  void find_buffers() {
    std::map<std::pair<int, int>, std::unordered_set<std::int64_t>> stored;  // key: the grid and the buffer
    for (const std::uint32_t i : talk_) {
      check_();
      const Event& e = trace_.events[i];
      if (!is_access(e.kind) || !touches_marks(trace_, e)) continue;
      if (is_atomic(e.kind) && static_cast<Atomic>(e.detail) == Atomic::add)
        line_.protocols[e.grid].counter = e.buffer;
      if (is_store(e.kind)) {
        auto& cells = stored[{e.grid, e.buffer}];
        for_each_lane(e, [&](int, std::uint32_t at) { cells.insert(trace_.lanes[at].address); });
      }
    }
    std::vector<std::size_t> most(trace_.grids.size(), 1);
    for (const auto& [where, cells] : stored)
      if (const auto grid = static_cast<std::size_t>(where.first); cells.size() > most[grid]) {
        most[grid] = cells.size();
        line_.protocols[grid].status = where.second;
      }
  }

  // Returns the number of the tile to which a mark belongs. In a two-dimensional buffer, each row has the
  // marks of one tile.
  std::int64_t tile_of(int buffer, std::int64_t cell) const {
    const std::int64_t columns = trace_.buffers[static_cast<std::size_t>(buffer)].columns;
    return columns > 0 ? cell / columns : cell;
  }

  // Adds the stores by which a block publishes values. Notes which block first published each cell.
  void publish(std::uint32_t r) {
    TimeLine::Row& row = line_.rows[r];
    const TimeLine::Protocol& protocol = line_.protocols[static_cast<std::size_t>(row.grid)];
    const auto [first, last] = ranges_[r];
    std::sort(talk_.begin() + static_cast<std::ptrdiff_t>(first),
              talk_.begin() + static_cast<std::ptrdiff_t>(last), [&](std::uint32_t a, std::uint32_t b) {
                return std::pair(trace_.events[a].time, a) < std::pair(trace_.events[b].time, b);
              });
    row.first_published = static_cast<std::uint32_t>(line_.published.size());
    std::unordered_map<std::int64_t, TimeLine::Held> without_mark;  // for unmarked cells: the last value
    bool one_tile = true;
    for (std::size_t k = first; k < last; ++k) {
      check_();
      const Event& e = trace_.events[talk_[k]];
      if (!is_store(e.kind)) continue;
      const bool marked = touches_marks(trace_, e);
      TimeLine::Published p{.time = time(talk_[k]), .event = talk_[k], .buffer = e.buffer, .cells = 0};
      for_each_lane(e, [&](int, std::uint32_t at) {
        const std::int64_t cell = marked_cell(trace_, e, at);
        owners_.try_emplace({row.grid, e.buffer, cell}, r);
        if (!marked) without_mark[cell] = {e.buffer, trace_.values[at]};
        if (p.cells++ == 0 || cell < p.cell) p.cell = cell;
        if (marked) p.mark = std::max(p.mark, mark_in(trace_, e, at));
        if (marked && e.buffer == protocol.status) {
          const std::int64_t tile = tile_of(e.buffer, cell);
          if (row.tile < 0 && tile >= 0 && tile < INT32_MAX) row.tile = static_cast<int>(tile);
          one_tile = one_tile && row.tile == tile;
        }
      });
      // Leaves out a store without a mark: other blocks learn of it only from the block's next mark.
      if (!marked && protocol.status >= 0) continue;
      if (p.cells == 1) {
        const auto held = without_mark.find(p.cell);
        if (!marked || is_message(trace_.cells_of(e))) p.held = {e.buffer, trace_.values[e.first]};
        else if (held != without_mark.end()) p.held = held->second;
      }
      line_.published.push_back(p);
    }
    if (!one_tile) row.tile = -1;
    row.published = static_cast<std::uint32_t>(line_.published.size()) - row.first_published;
  }

  void find_final_marks() {
    for (const TimeLine::Row& row : line_.rows) {
      TimeLine::Protocol& protocol = line_.protocols[static_cast<std::size_t>(row.grid)];
      for (const TimeLine::Published& p : line_.published_by(row))
        if (p.buffer == protocol.status) protocol.final_mark = std::max(protocol.final_mark, p.mark);
    }
    for (TimeLine::Protocol& p : line_.protocols) p.one_state = p.status >= 0;
    tells_.resize(trace_.grids.size());
    for (TimeLine::Row& row : line_.rows) {
      TimeLine::Protocol& protocol = line_.protocols[static_cast<std::size_t>(row.grid)];
      for (const TimeLine::Published& p : line_.published_by(row)) {
        tells_[static_cast<std::size_t>(row.grid)] = true;
        row.part = std::min(row.part, p.time);
        if (protocol.status >= 0 && p.buffer != protocol.status) continue;
        if (p.mark == protocol.final_mark) row.whole = std::min(row.whole, p.time);
        else protocol.one_state = false;
      }
    }
  }

  // Adds the reads by which a block gets values of other blocks. Notes the block's atomics and launches.
  void read(std::uint32_t r) {
    TimeLine::Row& row = line_.rows[r];
    const TimeLine::Protocol& protocol = line_.protocols[static_cast<std::size_t>(row.grid)];
    std::vector<TimeLine::Look> looks;
    std::vector<std::vector<TimeLine::Seen>> seen;
    std::unordered_map<CellName, std::size_t, CellNameHash> look_of;  // values: indices into `looks`
    std::unordered_map<std::int64_t, std::size_t> by_cell;  // for a cell with a mark: an index into `looks`
    std::unordered_set<CellName, CellNameHash> known;
    const auto [first, last] = ranges_[r];
    for (std::size_t k = first; k < last; ++k) {
      const std::uint32_t i = talk_[k];
      const Event& e = trace_.events[i];
      if (e.kind == Kind::launch) {
        moment(r, MomentOf::launch, i);
        continue;
      }
      if (is_atomic(e.kind)) {
        moment(r, MomentOf::atomic, i);
        if (e.buffer == protocol.counter && row.number < 0 && touches_marks(trace_, e)) {
          row.number = static_cast<int>(std::min<std::uint32_t>(trace_.values[e.first][0], INT32_MAX));
          row.drawn = time(i);
        }
        continue;
      }
      if (!is_load(e.kind)) continue;
      const bool marked = touches_marks(trace_, e);
      bool is_new = false;
      for_each_lane(e, [&](int, std::uint32_t at) {
        check_();
        const std::int64_t cell = marked_cell(trace_, e, at);
        const auto owner = owners_.find({row.grid, e.buffer, cell});
        const std::uint32_t target = owner == owners_.end() ? TimeLine::none : owner->second;
        if (target == r || (target == TimeLine::none && !marked)) return;
        if (!marked) {
          if (const auto status = by_cell.find(cell); status != by_cell.end()) {
            looks[status->second].held = {e.buffer, trace_.values[at]};
            return;
          }
        }
        const bool has_target = target != TimeLine::none;
        const CellName name{has_target, e.buffer, has_target ? std::int64_t{target} : cell};
        const auto [found, inserted] = look_of.try_emplace(name, looks.size());
        if (inserted) {
          looks.push_back({.target = target, .buffer = e.buffer, .cell = cell, .asked = time(i)});
          looks.back().event = TimeLine::none;
          seen.emplace_back();
        }
        TimeLine::Look& look = looks[found->second];
        if (known.insert({row.grid, e.buffer, cell}).second) ++look.cells;
        if (look.event != i) ++look.requests;
        look.event = i;
        look.cell = std::min(look.cell, cell);
        look.answered = time(i);
        if (!marked || is_message(trace_.cells_of(e))) look.held = {e.buffer, trace_.values[at]};
        else by_cell[cell] = found->second;
        const std::uint32_t mark = marked ? mark_in(trace_, e, at) : 0;
        if (inserted || seen[found->second].back().mark != mark) {
          seen[found->second].push_back({time(i), mark});
          is_new = true;
        }
      });
      if (is_new) moment(r, MomentOf::read, i);
    }
    keep(row, protocol, looks, seen);
  }

  // Sets is_used of one block's looks (see TimeLine::Look), sorts the looks, and adds them to the time line.
  void keep(TimeLine::Row& row, const TimeLine::Protocol& protocol, std::vector<TimeLine::Look>& looks,
            const std::vector<std::vector<TimeLine::Seen>>& seen) {
    const auto tile = [&](const TimeLine::Look& l) {
      return l.target == TimeLine::none ? -1 : line_.rows[l.target].tile;
    };
    const auto mark = [&](std::size_t k) { return seen[k].back().mark; };
    int nearest = -1;  // the nearest earlier tile whose final mark the block read
    for (std::size_t k = 0; k < looks.size(); ++k)
      if (looks[k].buffer == protocol.status && tile(looks[k]) < row.tile && mark(k) == protocol.final_mark)
        nearest = std::max(nearest, tile(looks[k]));
    for (std::size_t k = 0; k < looks.size(); ++k) {
      TimeLine::Look& look = looks[k];
      if (look.cells > 1) look.held = {};
      if (look.buffer != protocol.status || row.tile < 0 || look.target == TimeLine::none) continue;
      look.is_used = tile(look) < row.tile && (protocol.one_state ? mark(k) == protocol.final_mark
                                                                  : tile(look) >= nearest && mark(k) > 0);
      if (look.is_used) row.looked_back = std::max(row.looked_back, row.tile - tile(look));
    }
    std::vector<std::size_t> order(looks.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    const auto distance = [&](const TimeLine::Look& l) {
      return l.target == TimeLine::none ? INT64_MAX : std::abs(std::int64_t{row.tile} - tile(l));
    };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const TimeLine::Look &x = looks[a], &y = looks[b];
      return std::tuple(x.answered, distance(x), x.target, a) <
             std::tuple(y.answered, distance(y), y.target, b);
    });
    row.first_look = static_cast<std::uint32_t>(line_.looks.size());
    row.looks = static_cast<std::uint32_t>(looks.size());
    for (const std::size_t k : order) {
      TimeLine::Look look = looks[k];
      look.first_seen = static_cast<std::uint32_t>(line_.seen.size());
      look.seen = static_cast<std::uint32_t>(seen[k].size());
      line_.seen.insert(line_.seen.end(), seen[k].begin(), seen[k].end());
      if (look.requests > 1 && look.buffer == protocol.status && look.is_used) {
        row.waits_from = std::min(row.waits_from, look.asked);
        row.waits_to = std::max(row.waits_to, look.answered);
      }
      line_.looks.push_back(look);
    }
  }

  // Sorts the rows by grid, tile and block, and updates all indices of rows.
  void sort_rows() {
    std::vector<std::uint32_t> order(line_.rows.size()), place(line_.rows.size());
    for (std::uint32_t r = 0; r < order.size(); ++r) order[r] = r;
    const auto key = [&](std::uint32_t r) {
      const TimeLine::Row& row = line_.rows[r];
      return std::tuple(row.grid, row.tile < 0 ? INT32_MAX : row.tile, row.block);
    };
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) < key(b); });
    std::vector<TimeLine::Row> rows;
    rows.reserve(order.size());
    for (std::uint32_t k = 0; k < order.size(); ++k) {
      place[order[k]] = k;
      rows.push_back(line_.rows[order[k]]);
    }
    line_.rows = std::move(rows);
    for (TimeLine::Look& look : line_.looks)
      if (look.target != TimeLine::none) look.target = place[look.target];
    for (TimeLine::Moment& m : line_.moments) m.row = place[m.row];
  }

  void moment(std::uint32_t row, MomentOf of, std::uint32_t event) {
    line_.moments.push_back({time(event), row, of, event});
    line_.has_atomics |= of == MomentOf::atomic;
  }

  // Adds the moments at which a block begins, publishes something, and ends.
  void finish(std::uint32_t r) {
    const TimeLine::Row& row = line_.rows[r];
    if (row.is_timed) {
      line_.moments.push_back({row.begin, r, MomentOf::begin, TimeLine::none});
      line_.moments.push_back({row.end, r, MomentOf::end, TimeLine::none});
      line_.begins.push_back(row.begin);
      line_.ends.push_back(row.end);
    }
    for (const TimeLine::Published& p : line_.published_by(row)) moment(r, MomentOf::publish, p.event);
    if (row.part != UINT64_MAX) line_.parts.push_back(row.part);
    if (row.whole != UINT64_MAX) line_.wholes.push_back(row.whole);
    line_.tellers += tells_[static_cast<std::size_t>(row.grid)];
  }

  void sort_moments() {
    std::ranges::stable_sort(line_.moments, {}, [](const TimeLine::Moment& m) {
      return std::tuple(m.time, m.event != TimeLine::none ? 1 : m.of == MomentOf::begin ? 0 : 2);
    });
    for (auto* times : {&line_.begins, &line_.parts, &line_.wholes, &line_.ends})
      std::sort(times->begin(), times->end());
    for (const TimeLine::Moment& m : line_.moments) ++line_.rows[m.row].moments;
    std::uint32_t next = 0;
    for (TimeLine::Row& row : line_.rows) {
      row.first_moment = next;
      next += std::exchange(row.moments, 0);
    }
    line_.of_rows.resize(line_.moments.size());
    for (std::uint32_t k = 0; k < line_.moments.size(); ++k) {
      TimeLine::Row& row = line_.rows[line_.moments[k].row];
      line_.of_rows[row.first_moment + row.moments++] = k;
    }
  }

  const Trace& trace_;
  CancelCheck check_;
  TimeLine line_;
  std::vector<std::uint32_t> talk_;  // the events that other blocks may notice, block by block
  std::vector<std::pair<std::size_t, std::size_t>> ranges_;           // for each row: a range of `talk_`
  std::unordered_map<CellName, std::uint32_t, CellNameHash> owners_;  // the row that published a cell first
  std::vector<bool> tells_;  // for each grid: whether its blocks publish something
};

}  // namespace

TimeLine time_line(const Trace& trace, const Job* job) { return TimeLineBuilder(trace, job).build(); }

}  // namespace upsweep
