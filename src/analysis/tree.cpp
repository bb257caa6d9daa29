#include "analysis/tree.hpp"

#include <algorithm>
#include <optional>

#include "analysis/memory.hpp"

namespace upsweep {
namespace {

using Place = TreeNode::Source;  // of a node: row and index within it

// One lane of one event.
struct Use {
  std::uint32_t event = 0;
  int lane = 0;
};

class Grower {
 public:
  Grower(const Trace& trace, int block)
      : trace_(trace),
        block_(block),
        element_bytes_(trace.element_bytes()),
        places_(cell_places(trace.grids.front().shared)),
        before_(places_.size()),
        newest_(places_.size()),
        loaded_(trace.lanes.size()),
        node_(trace.lanes.size()),
        visited_(trace.lanes.size()) {
    tree_.columns = trace.grids.front().shared.elements;
  }

  Tree grow() {
    for (std::size_t step = 0; step < trace_.steps.size(); ++step) replay(static_cast<int>(step));
    for (TreeRow& row : tree_.rows)
      for (TreeNode& node : row.nodes) trace_back(node);
    return std::move(tree_);
  }

 private:
  struct Stored {
    int element;
    Use store;
  };
  struct Written {
    Use store;
    std::uint32_t warp;
  };

  std::uint32_t entry(Use use) const { return entry_of(trace_.events[use.event], use.lane); }

  // The stores of one step as rows, and for every load the store it read.
  void replay(int step) {
    std::vector<Stored> shared, output;
    std::vector<std::size_t> touched;  // cells
    const EventRange range = step_events(trace_, block_, step);
    for (std::size_t i = range.first; i < range.last; ++i) {
      const Event& e = trace_.events[i];
      if (!is_shared(e.kind) && e.kind != Kind::global_store) continue;
      for_each_lane(e, [&](int lane, std::uint32_t entry) {
        const Use use{static_cast<std::uint32_t>(i), lane};
        const std::size_t cell = trace_.lanes[entry].address / element_bytes_;
        if (e.kind == Kind::global_store) {
          output.push_back({static_cast<int>(cell), use});
        } else if (cell >= places_.size()) {
          return;  // beyond shared memory
        } else if (e.kind == Kind::shared_load) {
          loaded_[entry] = visible(cell, e);
        } else {
          newest_[cell] = Written{use, e.warp};
          touched.push_back(cell);
          if (places_[cell].element >= 0) shared.push_back({places_[cell].element, use});
        }
      });
    }
    for (const std::size_t cell : touched) before_[cell] = newest_[cell]->store;
    add_row(step, false, shared);
    add_row(step, true, output);
  }

  // The store that a load sees: its own warp's if that is the newest so far (events come warp by warp), else
  // the last of an earlier step, whatever other warps store meanwhile.
  std::optional<Use> visible(std::size_t cell, const Event& load) const {
    const auto& newest = newest_[cell];
    return newest && newest->warp == load.warp ? newest->store : before_[cell];
  }

  void add_row(int step, bool is_output, std::vector<Stored>& stored) {
    if (stored.empty()) return;
    std::stable_sort(stored.begin(), stored.end(), [](auto& a, auto& b) { return a.element < b.element; });
    TreeRow row{step, trace_.steps[step], is_output, {}};
    row.nodes.reserve(stored.size());
    for (std::size_t k = 0; k < stored.size(); ++k) {
      if (k + 1 < stored.size() && stored[k + 1].element == stored[k].element) continue;  // overwritten
      const auto& [element, store] = stored[k];
      const std::uint32_t at = entry(store);
      node_[at] = Place{static_cast<int>(tree_.rows.size()), static_cast<int>(row.nodes.size())};
      row.nodes.push_back({element, trace_.values[at], store.event, store.lane, false, {}});
    }
    tree_.columns = std::max(tree_.columns, row.nodes.back().element + 1);
    tree_.rows.push_back(std::move(row));
  }

  // The nodes whose values went into this one.
  void trace_back(TreeNode& node) {
    ++visit_;
    pending_.clear();
    follow(trace_.lanes[entry({node.event, node.lane})].left, node.lane);
    while (!pending_.empty()) {
      const Use use = pending_.back();
      pending_.pop_back();
      const std::uint32_t at = entry(use);
      if (visited_[at] == visit_) continue;
      visited_[at] = visit_;
      const Kind kind = trace_.events[use.event].kind;
      if (kind == Kind::operation) {
        node.operation = true;
        follow(trace_.lanes[at].right, use.lane);  // taken up after the left
        follow(trace_.lanes[at].left, use.lane);
      } else if (kind == Kind::shared_load && loaded_[at]) {
        const Use store = *loaded_[at];
        const std::uint32_t stored_at = entry(store);
        if (const auto& source = node_[stored_at]) {
          if (std::find(node.sources.begin(), node.sources.end(), *source) == node.sources.end())
            node.sources.push_back(*source);
        } else {
          follow(trace_.lanes[stored_at].left, store.lane);  // padding, or overwritten in its own step
        }
      }
    }
  }

  void follow(Origin origin, int lane) {
    if (origin == 0 || origin > trace_.events.size()) return;
    const Event& e = trace_.events[origin - 1];
    if (e.kind != Kind::barrier && (e.mask >> lane & 1) != 0) pending_.push_back({origin - 1, lane});
  }

  const Trace& trace_;
  int block_;
  std::uint32_t element_bytes_;
  std::vector<CellPlace> places_;
  std::vector<std::optional<Use>> before_;      // by cell: the last store of an earlier step
  std::vector<std::optional<Written>> newest_;  // by cell: the last store so far
  std::vector<std::optional<Use>> loaded_;      // by entry of a load: the store it read
  std::vector<std::optional<Place>> node_;      // by entry of a store: its node
  std::vector<std::uint32_t> visited_;          // by entry: the visit that passed here last
  std::uint32_t visit_ = 0;
  std::vector<Use> pending_;
  Tree tree_;
};

}  // namespace

Tree tree(const Trace& trace, int block) { return Grower(trace, block).grow(); }

std::vector<TreeNode::Source> ancestors(const Tree& tree, TreeNode::Source node) {
  std::vector<std::vector<bool>> seen;
  for (const TreeRow& row : tree.rows) seen.emplace_back(row.nodes.size());
  std::vector<Place> found{node};
  seen[node.row][node.node] = true;
  for (std::size_t next = 0; next < found.size(); ++next) {
    const Place at = found[next];
    for (const Place& source : tree.rows[at.row].nodes[at.node].sources) {
      if (seen[source.row][source.node]) continue;
      seen[source.row][source.node] = true;
      found.push_back(source);
    }
  }
  return found;
}

}  // namespace upsweep
