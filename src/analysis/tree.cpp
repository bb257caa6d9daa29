#include "analysis/tree.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "analysis/cancellable.hpp"
#include "analysis/memory.hpp"

namespace upsweep {
namespace {

using Placing = TreeRow::Place;
constexpr int output_buffer = 1;

// One lane of one event, and which part of a vector access.
struct Use {
  std::uint32_t event = 0;
  int lane = 0, part = 0;
};

// A node while the tree grows: which row it will stand in, and where.
struct Bud {
  int row = -1;  // index into Grower::rows_
  int column = 0;
  Use made;
  std::uint32_t value = 0;  // entry
  bool operation = false;
  std::vector<int> sources;  // buds
};

// A row's place in the tree.
struct RowKey {
  int step = 0;
  Placing place = Placing::shared;
  int index = 0;
  // What was loaded comes first, the output last.
  auto order() const {
    const int rank = place == Placing::loaded      ? 0
                     : place == Placing::registers ? 1
                     : place == Placing::shared    ? 2
                                                   : 3;
    return std::tuple(step, rank, index == output_buffer && rank == 3, index);
  }
  bool operator<(const RowKey& other) const { return order() < other.order(); }
};

class Grower {
 public:
  Grower(const Trace& trace, int grid, int block, const Job* job)
      : heed_(job),
        trace_(trace),
        grid_(grid),
        block_(block),
        places_(cell_places(trace.grids[static_cast<std::size_t>(grid)].shared, trace.element_bytes())),
        range_(block_events(trace, grid, block)),
        before_(places_.size()),
        newest_(places_.size()) {
    if (range_.empty()) return;
    moves_ = std::any_of(trace.buffers.begin(), trace.buffers.end(),
                         [](const GlobalBuffer& b) { return b.columns > 0; });
    base_ = trace.events[range_.first].first;
    const Event& last = trace.events[range_.last - 1];
    const std::size_t entries =
        last.first - base_ +
        (has_lanes(last.kind) ? static_cast<std::size_t>(std::popcount(last.mask)) * last.parts : 0);
    loaded_.resize(entries);
    node_.assign(entries, none);
    visited_.resize(entries);
    kept_.resize(range_.last - range_.first);
  }

  Tree grow() {
    if (range_.empty()) return empty();
    find_kept();
    for (int step = trace_.grids[static_cast<std::size_t>(grid_)].first_step; step < end_step(trace_, grid_);
         ++step)
      replay(step);
    for (int b = 0, count = static_cast<int>(buds_.size()); b < count; ++b) trace_back(b);
    return harvest();
  }

 private:
  static constexpr int none = -1;
  struct Written {
    Use store;
    std::uint32_t warp;
  };
  struct Stored {
    int column;
    Use store;
    std::uint32_t value;  // entry
  };

  Tree empty() const {
    Tree t;
    t.columns = trace_.grids[static_cast<std::size_t>(grid_)].shared.elements;
    return t;
  }

  std::uint32_t entry(Use use) const { return entry_of(trace_.events[use.event], use.lane, use.part); }
  std::size_t local(Use use) const { return entry(use) - base_; }
  std::size_t local(std::uint32_t entry) const { return entry - base_; }
  int step_of(Use use) const { return static_cast<int>(trace_.events[use.event].step); }

  // The event and lane that an origin names, as seen from a lane; nothing for constants and what was not
  // recorded.
  std::optional<Use> origin(Origin o, int lane) const {
    if (o == 0) return {};
    const std::uint32_t event = origin_event(o);
    if (event < range_.first || event >= range_.last) return {};
    const Event& e = trace_.events[event];
    const int part = origin_part(o);
    if (!has_lanes(e.kind) || (e.mask >> lane & 1) == 0) return {};
    if (is_atomic(e.kind)) return Use{event, lane, 0};
    return part < e.parts ? std::optional(Use{event, lane, part}) : std::nullopt;
  }

  // The lane in whose registers an event's operands were.
  int lane_of_operands(const Event& e, int lane, std::uint32_t at) const {
    const bool moved = e.kind == Kind::shuffle && static_cast<Shuffle>(e.detail) != Shuffle::reduce_add;
    return moved ? static_cast<int>(trace_.lanes[at].address & 31) : lane;
  }

  // Operations and shuffles of which a later step takes a lane's result from its register.
  void find_kept() {
    for (std::size_t i = range_.first; i < range_.last; ++i) {
      heed_();
      const Event& e = trace_.events[i];
      if (e.kind == Kind::operation || is_atomic(e.kind)) moves_ = false;
      if (e.kind == Kind::global_load && holds_elements(e)) note_input(e);
      if (!has_lanes(e.kind) || is_load(e.kind) || e.kind == Kind::launch) continue;
      for_each_lane(e, [&](int lane, std::uint32_t at) {
        const Lane& l = trace_.lanes[at];
        for (const Origin o : {l.left, l.right})
          if (const auto from = origin(o, lane_of_operands(e, lane, at)))
            if (const Kind k = trace_.events[from->event].kind;
                (k == Kind::operation || k == Kind::shuffle) && step_of(*from) < static_cast<int>(e.step))
              kept_[from->event - range_.first] = true;
      });
    }
  }

  void note_input(const Event& e) {
    for_each_lane(e, [&](int, std::uint32_t at) {
      const std::int64_t element = trace_.lanes[at].address / cell_bytes(e);
      if (element >= 0) input_first_ = input_known_ ? std::min(input_first_, element) : element;
      input_known_ = input_known_ || element >= 0;
    });
  }

  int row(RowKey key) {
    const auto [at, fresh] = row_of_.try_emplace(key, static_cast<int>(rows_.size()));
    if (fresh) rows_.push_back(key);
    return at->second;
  }

  // Columns of a buffer count from the first element that this block touches; of a two-dimensional one,
  // through the smallest rectangle that holds all that it touches.
  struct Touched {
    std::int64_t row, first, last;  // the first row, and columns
  };
  void note_first(int buffer, std::int64_t element) {
    const std::int64_t columns = trace_.buffers[static_cast<std::size_t>(buffer)].columns;
    const std::int64_t row = columns > 0 ? element / columns : 0,
                       column = columns > 0 ? element % columns : element;
    const auto [at, fresh] = first_.try_emplace(buffer, Touched{row, column, column});
    Touched& t = at->second;
    t = {std::min(t.row, row), std::min(t.first, column), std::max(t.last, column)};
  }

  bool holds_elements(const Event& e) const { return trace_.cells_of(e) != Cells::words; }
  static std::uint64_t key(int buffer, std::int64_t element) {
    return static_cast<std::uint64_t>(buffer) << 48 | static_cast<std::uint64_t>(element);
  }

  // The stores of one step as rows, and for every load the store it read.
  void replay(int step) {
    std::map<RowKey, std::vector<Stored>> stored;
    std::vector<std::size_t> touched;  // cells of shared memory
    std::vector<std::uint64_t> touched_global;
    const EventRange range = step_events(trace_, block_, step);
    for (std::size_t i = range.first; i < range.last; ++i) {
      heed_();
      const Event& e = trace_.events[i];
      if (is_shared(e.kind)) {
        for_each_cell_use(i, [&](Use use, std::uint32_t at, std::uint32_t value) {
          const int cell = cell_at(places_, trace_.lanes[at].address);
          if (cell < 0 || places_[static_cast<std::size_t>(cell)].words) return;
          const auto c = static_cast<std::size_t>(cell);
          if (!is_store(e.kind)) loaded_[local(at)] = visible(newest_[c], before_[c], e);
          if (is_load(e.kind)) return;
          newest_[c] = Written{use, e.warp};
          touched.push_back(c);
          if (places_[c].element >= 0)
            stored[{step, Placing::shared, places_[c].region}].push_back({places_[c].element, use, value});
        });
      } else if (is_global(e.kind) && holds_elements(e)) {
        for_each_cell_use(i, [&](Use use, std::uint32_t at, std::uint32_t value) {
          const std::int64_t element = trace_.lanes[at].address / cell_bytes(e);
          if (element < 0) return;
          const std::uint64_t where = key(e.buffer, element);
          if (!is_store(e.kind))
            if (const auto cell = global_.find(where); cell != global_.end())
              loaded_[local(at)] = visible(cell->second.newest, cell->second.before, e);
          if (is_load(e.kind)) return;
          global_[where].newest = Written{use, e.warp};
          touched_global.push_back(where);
          note_first(e.buffer, element);
          stored[{step, Placing::global, e.buffer}].push_back({static_cast<int>(element), use, value});
        });
      }
    }
    for (const std::size_t cell : touched) before_[cell] = newest_[cell]->store;
    for (const std::uint64_t cell : touched_global) global_[cell].before = global_[cell].newest->store;
    for (auto& [at, nodes] : stored) add_row(at, nodes);
    add_registers(step, range);
  }

  // Calls f(use, entry of the address, entry of the value) for every cell that an event touches.
  template <class F>
  void for_each_cell_use(std::size_t event, F f) const {
    const Event& e = trace_.events[event];
    for_each_cell(e, [&](int lane, std::uint32_t at, std::uint32_t value) {
      const int part = is_atomic(e.kind) ? 0 : static_cast<int>(at - entry_of(e, lane));
      f(Use{static_cast<std::uint32_t>(event), lane, part}, at, value);
    });
  }

  // The store that a load sees: its own warp's if that is the newest so far (events come warp by warp), else
  // the last of an earlier step, whatever other warps store meanwhile.
  static std::optional<Use> visible(const std::optional<Written>& newest, const std::optional<Use>& before,
                                    const Event& load) {
    return newest && newest->warp == load.warp ? newest->store : before;
  }

  void add_row(const RowKey& at, std::vector<Stored>& stored) {
    std::stable_sort(stored.begin(), stored.end(), [](auto& a, auto& b) { return a.column < b.column; });
    order_atomics(stored);
    const int r = row(at);
    for (std::size_t k = 0; k < stored.size(); ++k) {
      const bool last = k + 1 == stored.size() || stored[k + 1].column != stored[k].column;
      const auto& [column, store, value] = stored[k];
      if (!last && !is_atomic(trace_.events[store.event].kind)) continue;  // overwritten
      if (!last) {  // an atomic goes into the next one at its address
        chained_.push_back(store);
        continue;
      }
      const int bud = static_cast<int>(buds_.size());
      buds_.push_back({r, column, store, value, false, {}});
      node_[local(store)] = bud;
      if (is_atomic(trace_.events[store.event].kind)) {
        for (const Use& earlier : chained_) node_[local(earlier)] = bud;
        buds_.back().operation = true;
        chains_[bud] = std::move(chained_);
      }
      chained_.clear();
      // What is stored is found in the register that still holds it, too.
      if (const auto from = origin(trace_.lanes[entry(store)].left, store.lane))
        if (node_[local(*from)] == none && step_of(*from) == at.step && is_source(*from))
          node_[local(*from)] = bud;
    }
  }

  // What a thread made, or took from a buffer that nobody here has written.
  bool is_source(Use use) const {
    const Kind k = trace_.events[use.event].kind;
    return k == Kind::operation || k == Kind::shuffle || (k == Kind::global_load && !loaded_[local(use)]);
  }

  // Atomics at one address, of whichever warps, in the order in which they took effect.
  void order_atomics(std::vector<Stored>& stored) const {
    const auto event = [&](const Stored& s) -> const Event& { return trace_.events[s.store.event]; };
    for (auto begin = stored.begin(); begin != stored.end();) {
      const auto end = std::find_if(begin, stored.end(), [&](auto& s) { return s.column != begin->column; });
      if (std::all_of(begin, end, [&](auto& s) { return is_atomic(event(s).kind); }))
        std::stable_sort(begin, end, [&](auto& a, auto& b) { return event(a).time < event(b).time; });
      begin = end;
    }
  }

  // Values that threads take along in registers, and that no memory shows.
  void add_registers(int step, EventRange range) {
    std::map<int, std::vector<Use>> by_thread;
    for (std::size_t i = range.first; i < range.last; ++i) {
      const Event& e = trace_.events[i];
      if (!kept_[i - range_.first]) continue;
      for_each_lane(e, [&](int lane, std::uint32_t at) {
        if (node_[local(at)] == none)
          by_thread[32 * e.warp + lane].push_back({static_cast<std::uint32_t>(i), lane, 0});
      });
    }
    if (by_thread.empty()) return;
    std::size_t most = 1;
    for (const auto& [thread, uses] : by_thread) most = std::max(most, uses.size());
    const int pitch = static_cast<int>(std::bit_ceil(most));
    const int r = row({step, Placing::registers, 0});
    pitch_[r] = pitch;
    std::vector<std::pair<int, Use>> placed;
    for (const auto& [thread, uses] : by_thread)
      for (std::size_t k = 0; k < uses.size(); ++k)
        placed.push_back({thread * pitch + pitch - static_cast<int>(uses.size() - k), uses[k]});
    if (pitch > 1) stand_over_elements(r, placed);
    for (const auto& [column, use] : placed) {
      node_[local(use)] = static_cast<int>(buds_.size());
      buds_.push_back({r, column, use, entry(use), false, {}});
    }
  }

  // Several values of each thread stand below the last element that went into each, where those differ.
  void stand_over_elements(int r, std::vector<std::pair<int, Use>>& placed) {
    std::vector<int> columns;
    for (const auto& [column, use] : placed) columns.push_back(last_element(use));
    std::vector<int> sorted = columns;
    std::sort(sorted.begin(), sorted.end());
    if (sorted.front() < 0 || std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return;
    for (std::size_t i = 0; i < placed.size(); ++i) placed[i].first = columns[i];
    over_elements_[r] = true;
  }

  // The last element of global memory that a thread itself put into a value; -1 if there is none.
  int last_element(Use use) {
    std::vector<Use> pending{use};
    std::int64_t last = -1;
    for (std::size_t next = 0; next < pending.size() && next < 64; ++next) {
      const Use at = pending[next];
      const Event& e = trace_.events[at.event];
      const Lane& l = trace_.lanes[entry(at)];
      if (e.kind == Kind::global_load) last = std::max(last, l.address / cell_bytes(e) - input_first_);
      if (e.kind != Kind::operation) continue;
      for (const Origin o : {l.left, l.right})
        if (const auto from = origin(o, at.lane)) pending.push_back(*from);
    }
    return static_cast<int>(last);
  }

  // An element of a global buffer that went into an operation without a node of its own.
  int leaf(Use load) {
    const Event& e = trace_.events[load.event];
    const std::int64_t element = trace_.lanes[entry(load)].address / cell_bytes(trace_.events[load.event]);
    const int r = row({static_cast<int>(e.step), Placing::loaded, e.buffer});
    const auto [at, fresh] = leaf_of_.try_emplace({r, element}, static_cast<int>(buds_.size()));
    if (fresh) {
      note_first(e.buffer, element);
      buds_.push_back({r, static_cast<int>(element), load, entry(load), false, {}});
      if (visit_of_.size() < buds_.size()) visit_of_.resize(buds_.size() * 2);
    }
    return at->second;
  }

  // --- what went into a node

  struct Pending {
    Use use;
    bool worked;  // an operation or a shuffle lies between it and the node
  };

  void trace_back(int bud) {
    ++visit_;
    pending_.clear();
    if (visit_of_.size() < buds_.size()) visit_of_.resize(buds_.size() * 2);
    const Use made = buds_[static_cast<std::size_t>(bud)].made;
    const Kind kind = trace_.events[made.event].kind;
    if (is_atomic(kind)) {
      take_atomic(made, bud);
      if (const auto chain = chains_.find(bud); chain != chains_.end())
        for (auto use = chain->second.rbegin(); use != chain->second.rend(); ++use) take_atomic(*use, bud);
    } else if (is_store(kind)) {
      follow(trace_.lanes[entry(made)].left, made.lane, false);
    } else {
      expand(made, bud);
    }
    while (!pending_.empty()) {
      heed_();
      const Pending next = pending_.back();
      pending_.pop_back();
      const std::size_t at = local(next.use);
      if (visited_[at] == visit_) continue;
      visited_[at] = visit_;
      take(next, bud);
    }
  }

  // What an atomic was given, and what lay there before this step.
  void take_atomic(Use use, int bud) {
    follow(trace_.lanes[entry(use)].left, use.lane, true);
    if (const auto& store = loaded_[local(use)])
      if (const int source = node_[local(*store)]; source != none && source != bud) add_source(bud, source);
  }

  void take(const Pending& next, int bud) {
    const std::size_t at = local(next.use);
    const Event& e = trace_.events[next.use.event];
    switch (e.kind) {
      case Kind::operation:
      case Kind::shuffle:
        if (const int source = node_[at]; source != none && source != bud && earlier(source, bud))
          return add_source(bud, source);
        return expand(next.use, bud);
      case Kind::shared_load:
      case Kind::global_load:
        if (loaded_[at]) {
          const Use store = *loaded_[at];
          if (const int source = node_[local(store)]; source != none) return add_source(bud, source);
          // Padding, or overwritten in its own step.
          return follow(trace_.lanes[entry(store)].left, store.lane, next.worked);
        }
        if (e.kind != Kind::global_load || !(next.worked || moves_) || !holds_elements(e)) return;
        if (const int source = node_[at]; source != none && source != bud && earlier(source, bud))
          return add_source(bud, source);
        return add_source(bud, leaf(next.use));
      default: return;
    }
  }

  // A register's value counts as a node of its own if it was there before this node's step, or stands in a
  // row above it.
  bool earlier(int source, int bud) const {
    const RowKey &a = rows_[static_cast<std::size_t>(buds_[static_cast<std::size_t>(source)].row)],
                 &b = rows_[static_cast<std::size_t>(buds_[static_cast<std::size_t>(bud)].row)];
    return a.step < b.step ||
           (a.step == b.step && a.place == Placing::registers && b.place != Placing::registers);
  }

  // The operands of an operation, or what a shuffle took.
  void expand(Use use, int bud) {
    const Event& e = trace_.events[use.event];
    if (e.kind == Kind::shuffle && static_cast<Shuffle>(e.detail) == Shuffle::reduce_add) {
      buds_[static_cast<std::size_t>(bud)].operation = true;
      for (int lane = 31; lane >= 0; --lane)
        if ((e.mask >> lane & 1) != 0) follow(trace_.lanes[entry_of(e, lane)].left, lane, true);
      return;
    }
    const std::uint32_t at = entry(use);
    const Lane& l = trace_.lanes[at];
    if (e.kind == Kind::operation) buds_[static_cast<std::size_t>(bud)].operation = true;
    const int lane = lane_of_operands(e, use.lane, at);
    if (e.kind == Kind::operation) follow(l.right, lane, true);  // taken up after the left
    follow(l.left, lane, true);
  }

  void follow(Origin o, int lane, bool worked) {
    if (const auto use = origin(o, lane)) pending_.push_back({*use, worked});
  }

  void add_source(int bud, int source) {
    auto& seen = visit_of_[static_cast<std::size_t>(source)];
    if (seen == visit_) return;
    seen = visit_;
    buds_[static_cast<std::size_t>(bud)].sources.push_back(source);
  }

  // --- rows and nodes in their order

  Tree harvest() {
    Tree t = empty();
    std::vector<int> order(rows_.size()), place(rows_.size());
    for (std::size_t r = 0; r < rows_.size(); ++r) order[r] = static_cast<int>(r);
    std::sort(order.begin(), order.end(), [&](int a, int b) {
      return rows_[static_cast<std::size_t>(a)] < rows_[static_cast<std::size_t>(b)];
    });
    for (std::size_t k = 0; k < order.size(); ++k) {
      const RowKey& key = rows_[static_cast<std::size_t>(order[k])];
      heed_();
      place[static_cast<std::size_t>(order[k])] = static_cast<int>(k);
      TreeRow row;
      row.step = key.step;
      row.label = trace_.steps[static_cast<std::size_t>(key.step)];
      row.place = key.place;
      row.index = key.index;
      const bool global = key.place == Placing::global || key.place == Placing::loaded;
      if (global) {
        const Touched& t = first_.at(key.index);
        const std::int64_t columns = trace_.buffers[static_cast<std::size_t>(key.index)].columns;
        row.first = static_cast<int>(t.row * columns + t.first);
        row.apart = static_cast<int>(columns);
        row.width = columns > 0 ? static_cast<int>(t.last - t.first + 1) : 0;
      }
      if (key.place == Placing::registers)
        row.pitch = over_elements_.count(order[k]) > 0 ? 0 : pitch_.at(order[k]);
      row.output = key.place == Placing::global && key.index == output_buffer;
      if (key.place == Placing::shared && key.index == 0) t.stored.push_back(static_cast<int>(k));
      t.rows.push_back(std::move(row));
    }

    std::vector<std::vector<int>> of_row(rows_.size());
    for (std::size_t b = 0; b < buds_.size(); ++b)
      of_row[static_cast<std::size_t>(place[static_cast<std::size_t>(buds_[b].row)])].push_back(
          static_cast<int>(b));
    std::vector<TreeNode::Source> at(buds_.size());
    for (std::size_t r = 0; r < of_row.size(); ++r) {
      std::sort(of_row[r].begin(), of_row[r].end(), [&](int a, int b) {
        return buds_[static_cast<std::size_t>(a)].column < buds_[static_cast<std::size_t>(b)].column;
      });
      for (std::size_t n = 0; n < of_row[r].size(); ++n)
        at[static_cast<std::size_t>(of_row[r][n])] = {static_cast<int>(r), static_cast<int>(n)};
    }
    for (std::size_t r = 0; r < of_row.size(); ++r) {
      TreeRow& row = t.rows[r];
      row.nodes.reserve(of_row[r].size());
      for (const int b : of_row[r]) {
        heed_();
        const Bud& bud = buds_[static_cast<std::size_t>(b)];
        TreeNode node{row.column_of(bud.column),
                      trace_.values[bud.value],
                      bud.made.event,
                      bud.made.lane,
                      bud.operation,
                      {}};
        node.sources.reserve(bud.sources.size());
        for (const int s : bud.sources) node.sources.push_back(at[static_cast<std::size_t>(s)]);
        row.nodes.push_back(std::move(node));
      }
      if (!row.nodes.empty()) t.columns = std::max(t.columns, row.nodes.back().element + 1);
    }
    return t;
  }

  Heed heed_;
  const Trace& trace_;
  const int grid_, block_;
  const std::vector<CellPlace> places_;
  const EventRange range_;
  std::uint32_t base_ = 0;                      // of the block's entries in Trace::lanes
  std::vector<std::optional<Use>> before_;      // by cell of shared memory: the last store of an earlier step
  std::vector<std::optional<Written>> newest_;  // by cell: the last store so far
  struct GlobalCell {
    std::optional<Use> before;
    std::optional<Written> newest;
  };
  std::unordered_map<std::uint64_t, GlobalCell> global_;  // by buffer and element
  std::vector<std::optional<Use>> loaded_;  // by entry of a load or an atomic: the store it read
  std::vector<int> node_;                   // by entry of a store, an operation or a shuffle: its bud
  std::vector<bool> kept_;                  // by entry: taken from a register by a later step
  std::vector<RowKey> rows_;
  std::map<RowKey, int> row_of_;
  std::map<int, bool> over_elements_;  // rows of registers that do
  // Two-dimensional data, and the block applies no operator: then its input stands in the tree, too.
  bool moves_ = false;
  bool input_known_ = false;
  std::int64_t input_first_ = 0;                         // the first element that the block loads
  std::map<int, int> pitch_;                             // by row of registers
  std::map<int, Touched> first_;                         // by buffer
  std::map<std::pair<int, std::int64_t>, int> leaf_of_;  // by row and element: its bud
  std::vector<Bud> buds_;
  std::vector<Use> chained_;                // atomics at one address
  std::map<int, std::vector<Use>> chains_;  // by bud
  std::vector<std::uint32_t> visited_;      // by entry: the visit that passed here last
  std::vector<std::uint32_t> visit_of_;     // by bud: the visit that named it as a source last
  std::uint32_t visit_ = 0;
  std::vector<Pending> pending_;
};

}  // namespace

int node_in(const TreeRow& row, int element) {
  const auto at = std::lower_bound(row.nodes.begin(), row.nodes.end(), element,
                                   [](const TreeNode& n, int e) { return n.element < e; });
  return at == row.nodes.end() || at->element != element ? -1 : static_cast<int>(at - row.nodes.begin());
}

Tree tree(const Trace& trace, int grid, int block) { return tree(trace, grid, block, nullptr); }
Tree tree(const Trace& trace, int grid, int block, const Job* job) {
  return Grower(trace, grid, block, job).grow();
}

std::vector<TreeNode::Source> ancestors(const Tree& tree, TreeNode::Source node, std::size_t most) {
  const auto key = [](TreeNode::Source at) {
    return static_cast<std::uint64_t>(at.row) << 32 | static_cast<std::uint32_t>(at.node);
  };
  std::vector<TreeNode::Source> found{node};
  std::unordered_set<std::uint64_t> seen{key(node)};
  for (std::size_t next = 0; next < found.size(); ++next) {
    const TreeNode::Source at = found[next];
    for (const TreeNode::Source& source : tree.rows[at.row].nodes[at.node].sources) {
      if (found.size() >= most) return found;
      if (seen.insert(key(source)).second) found.push_back(source);
    }
  }
  return found;
}

}  // namespace upsweep
