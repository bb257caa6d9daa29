#include "analysis/tree.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "analysis/tree_draft.hpp"

namespace upsweep {
namespace {

using Placing = TreeRow::Place;

// Goes through the steps of a block and adds rows and nodes to the draft.
class TreeBuilder {
 public:
  TreeBuilder(const Trace& trace, int grid, int block, CancelCheck& check_cancelled)
      : d_(trace, grid, block),
        check_cancelled_(check_cancelled),
        places_(cell_places(trace.grids[static_cast<std::size_t>(grid)].shared, trace.element_bytes())),
        before_(places_.size()),
        newest_(places_.size()),
        kept_(d_.range.last - d_.range.first) {}

  Tree build() {
    if (!d_.range.empty()) {
      find_kept();
      const int last = static_cast<int>(d_.trace.events[d_.range.last - 1].step);
      for (int step = static_cast<int>(d_.trace.events[d_.range.first].step); step <= last; ++step)
        replay(step);
      find_sources(d_, check_cancelled_);
    }
    return in_order(d_, check_cancelled_);
  }

 private:
  static constexpr int none = TreeDraft::none;
  struct Written {
    Use store;
    std::uint32_t warp;
  };
  struct Stored {
    int column;
    Use store;
    std::uint32_t value;  // index into Trace::values
  };

  // Sets kept_: finds the operations and shuffles whose results stay in registers until a later step.
  void find_kept() {
    for (std::size_t i = d_.range.first; i < d_.range.last; ++i) {
      check_cancelled_();
      const Event& e = d_.trace.events[i];
      if (e.kind == Kind::operation || is_atomic(e.kind)) d_.moves = false;
      if (e.kind == Kind::global_load && d_.holds_elements(e)) note_input(e);
      if (!has_lanes(e.kind) || is_load(e.kind) || e.kind == Kind::launch) continue;
      for_each_lane(e, [&](int lane, std::uint32_t at) {
        const Lane& l = d_.trace.lanes[at];
        for (const Origin o : {l.left, l.right})
          if (const auto from = d_.origin(o, d_.lane_of_operands(e, lane, at)))
            if (const Kind k = d_.trace.events[from->event].kind;
                (k == Kind::operation || k == Kind::shuffle) && d_.step_of(*from) < static_cast<int>(e.step))
              kept_[from->event - d_.range.first] = true;
      });
    }
  }

  void note_input(const Event& e) {
    for_each_lane(e, [&](int, std::uint32_t at) {
      const std::int64_t element = d_.trace.lanes[at].address / cell_bytes(e);
      if (element >= 0) input_first_ = input_known_ ? std::min(input_first_, element) : element;
      input_known_ = input_known_ || element >= 0;
    });
  }

  static std::uint64_t key(int buffer, std::int64_t element) {
    return static_cast<std::uint64_t>(buffer) << 48 | static_cast<std::uint64_t>(element);
  }

  // Adds the stores of one step as rows, and finds the store whose value each load read.
  void replay(int step) {
    std::map<RowKey, std::vector<Stored>> stored;
    std::vector<std::size_t> touched;  // the cells of shared memory that the step stores
    std::vector<std::uint64_t> touched_global;
    const EventRange range = step_events(d_.trace, d_.block, step);
    for (std::size_t i = range.first; i < range.last; ++i) {
      check_cancelled_();
      const Event& e = d_.trace.events[i];
      if (is_shared(e.kind)) {
        for_each_cell_use(i, [&](Use use, std::uint32_t at, std::uint32_t value) {
          const int cell = cell_at(places_, d_.trace.lanes[at].address);
          if (cell < 0 || places_[static_cast<std::size_t>(cell)].cells == Cells::words) return;
          const auto c = static_cast<std::size_t>(cell);
          if (!is_store(e.kind)) d_.loaded[d_.local(at)] = visible(newest_[c], before_[c], e);
          if (is_load(e.kind)) return;
          newest_[c] = Written{use, e.warp};
          touched.push_back(c);
          if (places_[c].element >= 0)
            stored[{step, Placing::shared, places_[c].region}].push_back({places_[c].element, use, value});
        });
      } else if (is_global(e.kind) && d_.holds_elements(e)) {
        for_each_cell_use(i, [&](Use use, std::uint32_t at, std::uint32_t value) {
          const std::int64_t element = d_.trace.lanes[at].address / cell_bytes(e);
          if (element < 0) return;
          const std::uint64_t where = key(e.buffer, element);
          if (!is_store(e.kind))
            if (const auto cell = global_.find(where); cell != global_.end())
              d_.loaded[d_.local(at)] = visible(cell->second.newest, cell->second.before, e);
          if (is_load(e.kind)) return;
          global_[where].newest = Written{use, e.warp};
          touched_global.push_back(where);
          d_.note_touched(e.buffer, element);
          stored[{step, Placing::global, e.buffer, e.buffer == first_output_}].push_back(
              {static_cast<int>(element), use, value});
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
    const Event& e = d_.trace.events[event];
    for_each_cell(e, [&](int lane, std::uint32_t at, std::uint32_t value) {
      const int part = is_atomic(e.kind) ? 0 : static_cast<int>(at - entry_of(e, lane));
      f(Use{static_cast<std::uint32_t>(event), lane, part}, at, value);
    });
  }

  // Returns the store whose value a load reads. Events of a step are sorted by warp, not by time. So the
  // result is the newest store only if the load's own warp made this store. Otherwise, the result is the last
  // store of an earlier step, even if another warp stores in this step.
  static std::optional<Use> visible(const std::optional<Written>& newest, const std::optional<Use>& before,
                                    const Event& load) {
    return newest && newest->warp == load.warp ? newest->store : before;
  }

  void add_row(const RowKey& at, std::vector<Stored>& stored) {
    std::stable_sort(stored.begin(), stored.end(), [](auto& a, auto& b) { return a.column < b.column; });
    order_atomics(stored);
    const int r = d_.row(at);
    for (std::size_t k = 0; k < stored.size(); ++k) {
      const bool last = k + 1 == stored.size() || stored[k + 1].column != stored[k].column;
      const auto& [column, store, value] = stored[k];
      // A later store of this step overwrites this value, so the value gets no node.
      if (!last && !is_atomic(d_.trace.events[store.event].kind)) continue;
      if (!last) {  // the next atomic at this address includes the value of this atomic
        chained_.push_back(store);
        continue;
      }
      const int node = static_cast<int>(d_.nodes.size());
      d_.nodes.push_back({r, column, store, value, false, {}});
      d_.node_of[d_.local(store)] = node;
      if (is_atomic(d_.trace.events[store.event].kind)) {
        for (const Use& earlier : chained_) d_.node_of[d_.local(earlier)] = node;
        d_.nodes.back().operation = true;
        d_.chains[node] = std::move(chained_);
      }
      chained_.clear();
      // The register that holds the stored value gets the same node.
      if (const auto from = d_.origin(d_.trace.lanes[d_.entry(store)].left, store.lane))
        if (d_.node_of[d_.local(*from)] == none && d_.step_of(*from) == at.step && is_source(*from))
          d_.node_of[d_.local(*from)] = node;
    }
  }

  // Returns whether a value can be a source. A source is a value that a thread computed, or that a thread
  // loaded from a buffer that this block has not written.
  bool is_source(Use use) const {
    const Kind k = d_.trace.events[use.event].kind;
    return k == Kind::operation || k == Kind::shuffle ||
           (k == Kind::global_load && !d_.loaded[d_.local(use)]);
  }

  // Sorts atomics at one address by the time at which the atomics took effect.
  void order_atomics(std::vector<Stored>& stored) const {
    const auto event = [&](const Stored& s) -> const Event& { return d_.trace.events[s.store.event]; };
    for (auto begin = stored.begin(); begin != stored.end();) {
      const auto end = std::find_if(begin, stored.end(), [&](auto& s) { return s.column != begin->column; });
      if (std::all_of(begin, end, [&](auto& s) { return is_atomic(event(s).kind); }))
        std::stable_sort(begin, end, [&](auto& a, auto& b) { return event(a).time < event(b).time; });
      begin = end;
    }
  }

  // Adds values that threads keep in registers and do not store.
  void add_registers(int step, EventRange range) {
    std::map<int, std::vector<Use>> by_thread;
    for (std::size_t i = range.first; i < range.last; ++i) {
      const Event& e = d_.trace.events[i];
      if (!kept_[i - d_.range.first]) continue;
      for_each_lane(e, [&](int lane, std::uint32_t at) {
        if (d_.node_of[d_.local(at)] == none)
          by_thread[32 * e.warp + lane].push_back({static_cast<std::uint32_t>(i), lane, 0});
      });
    }
    if (by_thread.empty()) return;
    std::size_t most = 1;
    for (const auto& [thread, uses] : by_thread) most = std::max(most, uses.size());
    const int pitch = static_cast<int>(std::bit_ceil(most));
    const int r = d_.row({step, Placing::registers, 0});
    d_.pitch[r] = pitch;
    std::vector<std::pair<int, Use>> placed;
    for (const auto& [thread, uses] : by_thread)
      for (std::size_t k = 0; k < uses.size(); ++k)
        placed.push_back({thread * pitch + pitch - static_cast<int>(uses.size() - k), uses[k]});
    if (pitch > 1) stand_over_elements(r, placed);
    for (const auto& [column, use] : placed) {
      d_.node_of[d_.local(use)] = static_cast<int>(d_.nodes.size());
      d_.nodes.push_back({r, column, use, d_.entry(use), false, {}});
    }
  }

  // Changes a row of registers in which each thread keeps several values. Moves each value to the column of
  // the last element from which the value was computed. Does nothing if a value was computed from no element,
  // or if two values would get the same column.
  void stand_over_elements(int r, std::vector<std::pair<int, Use>>& placed) {
    std::vector<int> columns;
    for (const auto& [column, use] : placed) columns.push_back(last_element(use));
    std::vector<int> sorted = columns;
    std::sort(sorted.begin(), sorted.end());
    if (sorted.front() < 0 || std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return;
    for (std::size_t i = 0; i < placed.size(); ++i) placed[i].first = columns[i];
    d_.over_elements.insert(r);
  }

  // Finds the elements of global memory from which the thread computed this value. Returns the highest index
  // of these elements, counted from input_first_. Returns -1 if there is no element. Does not follow values
  // of other threads.
  int last_element(Use use) {
    std::vector<Use> pending{use};
    std::int64_t last = -1;
    for (std::size_t next = 0; next < pending.size() && next < 64; ++next) {
      const Use at = pending[next];
      const Event& e = d_.trace.events[at.event];
      const Lane& l = d_.trace.lanes[d_.entry(at)];
      if (e.kind == Kind::global_load) last = std::max(last, l.address / cell_bytes(e) - input_first_);
      if (e.kind != Kind::operation) continue;
      for (const Origin o : {l.left, l.right})
        if (const auto from = d_.origin(o, at.lane)) pending.push_back(*from);
    }
    return static_cast<int>(last);
  }

  TreeDraft d_;
  CancelCheck& check_cancelled_;
  const std::vector<CellPlace> places_;
  const int first_output_ = d_.trace.roles().first_output();
  // For each cell of shared memory: the last store before the current step, and the last store so far.
  std::vector<std::optional<Use>> before_;
  std::vector<std::optional<Written>> newest_;
  struct GlobalCell {
    std::optional<Use> before;
    std::optional<Written> newest;
  };
  std::unordered_map<std::uint64_t, GlobalCell> global_;  // for elements of buffers, see key()
  std::vector<bool> kept_;  // for each event: whether a result stays in a register for a later step
  bool input_known_ = false;
  std::int64_t input_first_ = 0;  // the lowest index of an element that the block loads
  std::vector<Use> chained_;      // earlier atomics at the address that add_row() handles now
};

}  // namespace

int node_in(const TreeRow& row, int element) {
  const auto at = std::lower_bound(row.nodes.begin(), row.nodes.end(), element,
                                   [](const TreeNode& n, int e) { return n.element < e; });
  return at == row.nodes.end() || at->element != element ? -1 : static_cast<int>(at - row.nodes.begin());
}

Tree tree(const Trace& trace, int grid, int block) { return tree(trace, grid, block, nullptr); }
Tree tree(const Trace& trace, int grid, int block, const Job* job) {
  CancelCheck check_cancelled(job);
  return TreeBuilder(trace, grid, block, check_cancelled).build();
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
