// Finds the sources of a tree's nodes.
#include <utility>

#include "analysis/tree_draft.hpp"

namespace upsweep {
namespace {

// Follows the value of each node back to the nodes from which it was computed.
class SourceFinder {
 public:
  SourceFinder(TreeDraft& draft, CancelCheck& check_cancelled)
      : d_(draft), check_cancelled_(check_cancelled), visited_(draft.entries.count) {}

  void find() {
    // trace_back() adds nodes for loaded elements at the end of `nodes`. These nodes have no sources, so the
    // loop goes only up to the old number of nodes.
    for (int node = 0, count = static_cast<int>(d_.nodes.size()); node < count && !d_.some_sources; ++node)
      trace_back(node);
  }

 private:
  struct Pending {
    Use use;
    bool worked;  // whether an operation or a shuffle used the value on its way to the node
  };

  void trace_back(int node) {
    ++visit_;
    pending_.clear();
    if (visit_of_.size() < d_.nodes.size()) visit_of_.resize(d_.nodes.size() * 2);
    const Use made = d_.nodes[static_cast<std::size_t>(node)].made;
    const Kind kind = d_.trace.events[made.event].kind;
    if (is_atomic(kind)) {
      take_atomic(made, node);
      if (const auto chain = d_.chains.find(node); chain != d_.chains.end())
        for (auto use = chain->second.rbegin(); use != chain->second.rend(); ++use) take_atomic(*use, node);
    } else if (is_store(kind)) {
      follow(d_.trace.lanes[d_.entry(made)].left, made.lane, false);
    } else {
      expand(made, node);
    }
    while (!pending_.empty()) {
      check_cancelled_();
      d_.some_sources = ++looked_ > most_looks_ || found_ > most_found_;
      if (d_.some_sources) return;
      const Pending next = pending_.back();
      pending_.pop_back();
      const std::size_t at = d_.local(next.use);
      if (visited_[at] == visit_) continue;
      visited_[at] = visit_;
      take(next, node);
    }
  }

  // Follows the operand of an atomic. Also adds a source to `node`: the value that the atomic found in
  // memory.
  void take_atomic(Use use, int node) {
    follow(d_.trace.lanes[d_.entry(use)].left, use.lane, true);
    if (const auto& store = d_.loaded[d_.local(use)])
      if (const int source = d_.node_of[d_.local(*store)]; source != none && source != node)
        add_source(node, source);
  }

  void take(const Pending& next, int node) {
    const std::size_t at = d_.local(next.use);
    const Event& e = d_.trace.events[next.use.event];
    switch (e.kind) {
      case Kind::operation:
      case Kind::shuffle:
        if (const int source = d_.node_of[at]; source != none && source != node && earlier(source, node))
          return add_source(node, source);
        return expand(next.use, node);
      case Kind::shared_load:
      case Kind::global_load:
        if (d_.loaded[at]) {
          const Use store = *d_.loaded[at];
          if (const int source = d_.node_of[d_.local(store)]; source != none) return add_source(node, source);
          // A store has no node if it wrote to padding, or if the same step overwrote the stored value. In
          // this case, the search goes on at the value that was stored.
          return follow(d_.trace.lanes[d_.entry(store)].left, store.lane, next.worked);
        }
        if (e.kind != Kind::global_load || !(next.worked || d_.moves) || !d_.holds_elements(e)) return;
        if (const int source = d_.node_of[at]; source != none && source != node && earlier(source, node))
          return add_source(node, source);
        return add_source(node, leaf(next.use));
      default: return;
    }
  }

  // Returns true if `source` is from an earlier step than `node`. Also returns true if both nodes are from
  // the same step, `source` is a value in a register, and `node` is a value in memory.
  bool earlier(int source, int node) const {
    const RowKey &a = d_.rows[static_cast<std::size_t>(d_.nodes[static_cast<std::size_t>(source)].row)],
                 &b = d_.rows[static_cast<std::size_t>(d_.nodes[static_cast<std::size_t>(node)].row)];
    return a.step < b.step ||
           (a.step == b.step && a.place == TreeRow::Place::registers && b.place != TreeRow::Place::registers);
  }

  // Follows the operands of an operation, or the value that a shuffle took.
  void expand(Use use, int node) {
    const Event& e = d_.trace.events[use.event];
    if (e.kind == Kind::shuffle && static_cast<Shuffle>(e.detail) == Shuffle::reduce_add) {
      d_.nodes[static_cast<std::size_t>(node)].operation = true;
      for (int lane = 31; lane >= 0; --lane)
        if ((e.mask >> lane & 1) != 0) follow(d_.trace.lanes[entry_of(e, lane)].left, lane, true);
      return;
    }
    const std::uint32_t at = d_.entry(use);
    const Lane& l = d_.trace.lanes[at];
    if (e.kind == Kind::operation) d_.nodes[static_cast<std::size_t>(node)].operation = true;
    const int lane = d_.lane_of_operands(e, use.lane, at);
    if (e.kind == Kind::operation)
      follow(l.right, lane, true);  // pending_ is a stack: the left operand is followed first
    follow(l.left, lane, true);
  }

  void follow(Origin o, int lane, bool worked) {
    if (const auto use = d_.origin(o, lane)) pending_.push_back({*use, worked});
  }

  void add_source(int node, int source) {
    auto& seen = visit_of_[static_cast<std::size_t>(source)];
    if (seen == visit_) return;
    seen = visit_;
    d_.nodes[static_cast<std::size_t>(node)].sources.push_back(source);
    ++found_;
  }

  // Returns the node of a loaded element. Adds the node if it is new.
  int leaf(Use load) {
    const Event& e = d_.trace.events[load.event];
    const std::int64_t element = d_.trace.lanes[d_.entry(load)].address / cell_bytes(e);
    const int r = d_.row({static_cast<int>(e.step), TreeRow::Place::loaded, e.buffer});
    const auto [at, fresh] = leaf_of_.try_emplace({r, element}, static_cast<int>(d_.nodes.size()));
    if (fresh) {
      d_.note_touched(e.buffer, element);
      d_.nodes.push_back({r, static_cast<int>(element), load, d_.entry(load), false, {}});
      if (visit_of_.size() < d_.nodes.size()) visit_of_.resize(d_.nodes.size() * 2);
    }
    return at->second;
  }

  static constexpr int none = TreeDraft::none;
  TreeDraft& d_;
  CancelCheck& check_cancelled_;
  std::map<std::pair<int, std::int64_t>, int> leaf_of_;  // the node of a loaded element, by row and element
  // Each call of trace_back() has a number (visit_). `visited_` has, for each entry, the last call that took
  // the entry. `visit_of_` has, for each node, the last call that added the node as a source.
  std::vector<std::uint32_t> visited_;
  std::vector<std::uint32_t> visit_of_;
  std::uint32_t visit_ = 0;
  std::vector<Pending> pending_;
  // `looked_` is the number of uses that were followed, and `found_` is the number of sources that were
  // found, for all nodes together. The two constants are the limits for these numbers. The kernels that come
  // with Upsweep stay far below the limits.
  std::size_t looked_ = 0, found_ = 0;
  const std::size_t most_looks_ = (std::size_t{1} << 21) + 16 * d_.entries.count,
                    most_found_ = (std::size_t{1} << 20) + d_.entries.count;
};

}  // namespace

void find_sources(TreeDraft& draft, CancelCheck& check_cancelled) {
  SourceFinder(draft, check_cancelled).find();
}

}  // namespace upsweep
