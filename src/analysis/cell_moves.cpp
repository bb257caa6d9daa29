#include "analysis/cell_moves.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "analysis/memory.hpp"
#include "analysis/step_chains.hpp"

namespace upsweep {
namespace {

class StepMoves {
 public:
  StepMoves(const Trace& trace, int block, int step, std::size_t most)
      : trace_(trace),
        step_(trace, block, step),
        places_(cell_places(trace.grid_of(static_cast<std::uint32_t>(std::max(step, 0))).shared,
                            trace.element_bytes())),
        most_(most),
        examinable_(64 * most) {}

  std::vector<CellMove> find() {
    std::map<int, Store> last;  // for each cell: the last store to this cell
    for (std::size_t i = step_.events().first; i < step_.events().last; ++i) {
      const Event& e = trace_.events[i];
      if (e.kind != Kind::shared_store && e.kind != Kind::shared_atomic) continue;
      for_each_cell(e, [&](int lane, std::uint32_t entry, std::uint32_t) {
        const int cell = cell_at(places_, trace_.lanes[entry].address);
        if (cell >= 0) last[cell] = {static_cast<std::uint32_t>(i), entry, lane, cell};
      });
      if (last.size() > examinable_) return {};
    }
    std::vector<Store> stores;
    for (const auto& [cell, store] : last) stores.push_back(store);
    std::ranges::sort(stores, {}, [](const Store& s) { return std::pair(s.event, s.entry); });
    for (const Store& s : stores) {
      follow(s);
      if (moves_.size() > most_ || examinable_ == 0) return {};
    }
    return std::move(moves_);
  }

 private:
  struct Store {
    std::uint32_t event = 0, entry = 0;
    int lane = 0, cell = -1;
  };

  // Adds a move for each read of this step from which the stored value was computed. The search always ends,
  // because it goes from each event only to earlier events.
  void follow(const Store& store) {
    struct Use {
      Origin origin;
      int lane;
      std::uint32_t user;
    };
    const std::size_t first = moves_.size();
    std::vector<Use> open{{trace_.lanes[store.entry].left, store.lane, store.event}};
    while (!open.empty() && moves_.size() <= most_) {
      const Use use = open.back();
      open.pop_back();
      if (use.lane < 0 || use.lane > 31) continue;
      const Event* e = step_.source(use.origin, use.lane);
      const std::uint32_t event = origin_event(use.origin);
      if (!e || !step_.holds(*e) || event >= use.user) continue;
      if (examinable_ == 0) return;
      --examinable_;
      const std::uint32_t entry = entry_of(*e, use.lane, StepEvents::part_of(*e, use.origin));
      const Lane& l = trace_.lanes[entry];
      if (e->kind == Kind::shared_load) {
        const CellMove move{cell_at(places_, l.address), store.cell, trace_.values[entry]};
        const bool is_new = std::find(moves_.begin() + static_cast<std::ptrdiff_t>(first), moves_.end(),
                                      move) == moves_.end();
        if (move.from >= 0 && move.from != move.to && is_new) moves_.push_back(move);
      } else if (e->kind == Kind::operation) {
        open.push_back({l.right, use.lane, event});
        open.push_back({l.left, use.lane, event});
      } else if (e->kind == Kind::shuffle && static_cast<Shuffle>(e->detail) != Shuffle::reduce_add) {
        open.push_back({l.left, static_cast<int>(l.address), event});
      }
    }
  }

  const Trace& trace_;
  const StepEvents step_;
  const std::vector<CellPlace> places_;
  const std::size_t most_;
  std::size_t examinable_;
  std::vector<CellMove> moves_;
};

}  // namespace

std::vector<CellMove> cell_moves(const Trace& trace, int block, int step, std::size_t most) {
  return StepMoves(trace, block, step, most).find();
}

}  // namespace upsweep
