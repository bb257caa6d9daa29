#include "analysis/actions.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "analysis/cancellable.hpp"
#include "analysis/expressions.hpp"
#include "analysis/memory.hpp"
#include "analysis/step_chains.hpp"
#include "analysis/step_stores.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

using Form = Expression::Form;

class Reader {
 public:
  Reader(const Trace& trace, int block, int step, const Job* job)
      : check_cancelled_(job),
        trace_(trace),
        in_focus_(in_focus(trace, grid_index(trace, step), block)),
        step_(trace, block, step),
        stores_(trace, step_.block_events(), step_.events()),
        chains_(step_, check_cancelled_) {
    used_.resize(step_.entries());
    taken_.resize(step_.entries());
    marked_.resize(step_.entries());
    taken_from_.resize(step_.events().last - step_.events().first);
  }

  std::vector<StepAction> read() {
    find_used();
    for (std::size_t i = step_.events().first; i < step_.events().last; i++) {
      check_cancelled_();
      const Kind kind = trace_.events[i].kind;
      if (is_store(kind) || is_atomic(kind)) store(i);
      else if (kind == Kind::operation || kind == Kind::shuffle) kept(i);
      else if (kind == Kind::launch) launch(i);
      else if (kind == Kind::fence) fence(i);
    }
    for (std::size_t i = step_.events().first; i < step_.events().last; i++)
      if (is_load(trace_.events[i].kind)) unused_load(i);
    if (order_matters_) sort_by_event();
    return std::move(out_);
  }

 private:
  // Finds the results that other events of the same step use. Notes these results in taken_, and the events
  // that have such results in taken_from_.
  void find_used() {
    for (std::size_t i = step_.events().first; i < step_.events().last; i++) {
      check_cancelled_();
      const Event& e = trace_.events[i];
      if (!has_lanes(e.kind) || is_load(e.kind)) continue;
      for_each_lane(e, [&](int lane, std::uint32_t at) {
        const Lane& l = trace_.lanes[at];
        const int from = e.kind == Kind::shuffle ? static_cast<int>(l.address & 31) : lane;
        for (const Origin o : {l.left, l.right})
          if (const Event* s = step_.source(o, from); s && step_.holds(*s)) {
            taken_[step_.local(*s, from)] = true;
            taken_from_[origin_event(o) - step_.events().first] = true;
          }
      });
    }
  }

  // Returns the expression of one lane's value. Follows the value back through the lane's registers to the
  // reads from which the value was computed.
  Expression expression(Origin origin, int lane, std::size_t store_event, const Value& value, int depth) {
    Expression x;
    const Event* s = step_.source(origin, lane);
    if (!s) {
      x.value = value;
      x.form = origin == 0 ? Form::constant : Form::other;
      return x;
    }
    const Event& e = *s;
    const std::uint32_t event = origin_event(origin),
                        entry = entry_of(e, lane, StepEvents::part_of(e, origin));
    if (is_load(e.kind) || is_atomic(e.kind)) {
      const TouchedCell at = step_.touched(e, entry);
      x.form = is_shared(e.kind) ? Form::element : Form::input;
      x.indices = {at.index};
      x.buffer = at.buffer;
      x.region = at.region;
      x.cells = trace_.cells_of(e);
      x.earlier = step_.is_after(e);
      x.old = is_shared(e.kind) && !x.earlier &&
              stores_.overwritten(event, store_event, thread_of(e, lane), trace_.lanes[entry].address,
                                  check_cancelled_);
      if (step_.holds(e)) used_[step_.local(e, lane)] = true;
    } else if (step_.is_after(e)) {
      x.form = Form::kept;
    } else if (e.kind == Kind::operation && depth < 3) {
      if (const Chain& chain = chains_.at(e, lane); chain.is_fold()) return fold(chain, e, lane, store_event);
      x.form = Form::operation;
      x.cells = trace_.cells_of(e);
      const Lane& l = trace_.lanes[entry];
      x.operands.push_back(operand(l.left, l.right, e, entry, lane, store_event, depth + 1));
      x.operands.push_back(operand(l.right, l.left, e, entry, lane, store_event, depth + 1));
    } else if (e.kind == Kind::shuffle) {
      x.form = Form::shuffle;
      x.how = static_cast<Shuffle>(e.detail);
      x.lanes = {static_cast<int>(trace_.lanes[entry].address)};
      x.takers = {lane};
    } else {
      x.form = Form::other;
    }
    return x;
  }

  // Returns the expression of an operand. A constant operand has no recorded value. But the operation's
  // result may show the value:
  // - If the result equals the other operand, the constant is the identity.
  // - If the operation computed a * x + b for a constant x, and the result is b, then x is 0.
  // - Otherwise, the value is not known, and the form of the expression is `other`.
  Expression operand(Origin origin, Origin other, const Event& operation, std::uint32_t entry, int lane,
                     std::size_t store_event, int depth) {
    if (origin != 0) return expression(origin, lane, store_event, {}, depth);
    Expression x;
    x.cells = trace_.cells_of(operation);
    x.value = x.cells == Cells::elements ? identity(trace_.settings) : Value{};
    Value expected = x.value;  // the result, if this operand is the identity
    if (const Event* from = step_.source(other, lane))
      expected = trace_.values[entry_of(*from, lane, StepEvents::part_of(*from, other))];
    const Scalar type = trace_.settings.type;
    const bool is_expected = x.cells == Cells::numbers
                                 ? scalar(trace_.values[entry], type) == scalar(expected, type, 1)
                                 : trace_.values[entry] == expected;
    x.form = is_expected ? Form::constant : Form::other;
    return x;
  }

  // --- chains of operations

  Expression fold(const Chain& chain, const Event& operation, int lane, std::size_t store_event) {
    Expression x;
    x.form = Form::fold;
    x.cells = trace_.cells_of(operation);
    x.indices = {chain.first};
    x.counts = {static_cast<int>(chain.loads)};
    x.strides = {chain.even ? chain.stride : 0};
    Expression element = expression(chain.first_load, lane, store_event, {}, 3);
    x.buffer = element.buffer;
    x.region = element.region;
    element.old = element.earlier = false;
    x.operands.push_back(std::move(element));
    if (chain.rest != 0) x.operands.push_back(expression(chain.rest, lane, store_event, {}, 3));
    use_loads(operation, lane);
    return x;
  }

  // Marks all loads of a fold as used, so that these loads do not become separate actions. Visits each event
  // only once.
  void use_loads(const Event& operation, int lane) {
    std::vector<const Event*> pending{&operation};
    while (!pending.empty()) {
      const Event& e = *pending.back();
      pending.pop_back();
      const std::size_t at = step_.local(e, lane);
      if (marked_[at]) continue;
      marked_[at] = true;
      if (is_load(e.kind)) used_[at] = true;
      if (e.kind != Kind::operation) continue;
      const Lane& l = trace_.lanes[entry_of(e, lane)];
      for (const Origin o : {l.left, l.right})
        if (const Event* from = step_.source(o, lane); from && step_.holds(*from)) pending.push_back(from);
    }
  }

  // Adds one thread's part of an event to the action of this event, or begins a new action. `round` is the
  // number of times that the warp has already executed the instruction in this step. Each execution becomes a
  // separate action.
  void add(const Event& e, int round, int lane, TouchedCell at, const Value& value, const Value& before,
           Expression from) {
    key_.clear();
    for (const int number : {static_cast<int>(e.kind), int{e.line}, round, at.buffer, at.region})
      put(key_, number);
    put_shape(key_, from);
    if (out_.size() == most_actions && !known_.contains(key_)) return;
    const auto [known, fresh] = known_.try_emplace(key_, out_.size());
    if (fresh) {
      StepAction d{};
      d.kind = e.kind;
      d.line = e.line;
      d.detail = e.detail;
      d.buffer = at.buffer;
      d.region = at.region;
      d.cells = trace_.cells_of(e);
      d.parts = is_atomic(e.kind) ? 1 : e.parts;
      d.from = from;
      d.value = value;
      d.before = before;
      out_.push_back(std::move(d));
      events_.push_back(&e);
    } else {
      append(out_[known->second].from, from);
    }
    out_[known->second].threads.push_back(thread_of(e, lane));
    out_[known->second].indices.push_back(at.index);
  }

  int round_of(const Event& e) { return rounds_[{e.warp, e.line, e.kind}]++; }

  void store(std::size_t i) {
    const Event& e = trace_.events[i];
    const int round = round_of(e);
    const Event* copied = trace_.cells_of(e) == Cells::words && is_store(e.kind)
                              ? stores_.copied_by(i, check_cancelled_)
                              : nullptr;
    for_each_cell(e, [&](int lane, std::uint32_t at, std::uint32_t value) {
      // For a vector access, only the first part is added, because one action shows all parts.
      if (!is_atomic(e.kind) && at != entry_of(e, lane)) return;
      Expression from = expression(trace_.lanes[at].left, lane, i, trace_.values[value], 0);
      if (!in_focus_ && from.form == Form::constant && trace_.cells_of(e) != Cells::words)
        from.form = Form::other;
      if (copied && from.form == Form::constant)
        from =
            expression(origin_of(static_cast<std::uint32_t>(copied - trace_.events.data())), lane, i, {}, 0);
      if (!is_atomic(e.kind) && e.parts > 1) from = all_parts(e, lane, i, std::move(from));
      // An earlier load may decide which constant is stored. So the actions of this step must be sorted by
      // time.
      order_matters_ = order_matters_ || from.form == Form::constant;
      add(e, round, lane, step_.touched(e, at), trace_.values[value], trace_.values[at], std::move(from));
    });
  }

  // Returns one expression for all values that a lane stores in one vector access. `first` is the expression
  // of the first value. If one vector access also loaded all these values, returns `first`, with its `parts`
  // set. Otherwise, the form of the result is `other`.
  Expression all_parts(const Event& e, int lane, std::size_t store_event, Expression first) {
    const auto origin = [&](int part) { return trace_.lanes[entry_of(e, lane, part)].left; };
    bool together = origin(0) != 0;  // false if several accesses loaded the values
    for (int part = 1; part < e.parts; part++) {
      together = together && origin_event(origin(part)) == origin_event(origin(0)) &&
                 origin_part(origin(part)) == part;
      expression(origin(part), lane, store_event, {}, 0);  // called only to mark loads as used
    }
    if (together && (first.form == Form::input || first.form == Form::element)) first.parts = e.parts;
    else (first = {}).form = Form::other;
    return first;
  }

  // Adds an action for an operation or a shuffle whose result stays in a register. Leaves out lanes whose
  // result this step uses. If this step uses a shuffle's result in any lane, leaves out the whole shuffle.
  void kept(std::size_t i) {
    const Event& e = trace_.events[i];
    const auto event = static_cast<std::uint32_t>(i);
    if (e.kind == Kind::shuffle && taken_from_[i - step_.events().first]) return;
    const int round = round_of(e);
    for_each_lane(e, [&](int lane, std::uint32_t at) {
      if (!taken_[step_.local(e, lane)])
        add(e, round, lane, {}, trace_.values[at], {}, expression(origin_of(event), lane, i, {}, 0));
    });
  }

  void fence(std::size_t i) {
    const Event& e = trace_.events[i];
    order_matters_ = true;
    const int round = round_of(e);
    for (std::uint32_t m = e.mask; m != 0; m &= m - 1) add(e, round, std::countr_zero(m), {}, {}, {}, {});
  }

  // Sorts the actions by their first events. The order matters if the step has fences, loads that wait for
  // another block, or constants that are stored or given to atomics.
  void sort_by_event() {
    std::vector<std::size_t> order(out_.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return events_[i]; });
    std::vector<StepAction> sorted;
    for (const std::size_t i : order) sorted.push_back(std::move(out_[i]));
    out_ = std::move(sorted);
  }

  void launch(std::size_t i) {
    const Event& e = trace_.events[i];
    const int round = round_of(e);
    for_each_lane(e, [&](int lane, std::uint32_t at) {
      add(e, round, lane, {static_cast<int>(trace_.lanes[at].address)}, {}, {}, {});
    });
  }

  void unused_load(std::size_t i) {
    const Event& e = trace_.events[i];
    // A kernel may wait for another block by a volatile load in a loop. All iterations of this loop become
    // one action, and StepAction::times counts the iterations.
    const bool waits = is_signal(trace_.cells_of(e)) && (e.flags & is_volatile) != 0;
    order_matters_ = order_matters_ || waits;
    const int round = round_of(e);
    if (waits && round > 0) {
      for (StepAction& d : out_)
        if (d.kind == e.kind && d.line == e.line && is_signal(d.cells))
          d.times = std::max(d.times, round + 1);
      return;
    }
    for_each_cell(e, [&](int lane, std::uint32_t at, std::uint32_t value) {
      if (at == entry_of(e, lane) && !used_[step_.local(e, lane)])
        add(e, round, lane, step_.touched(e, at), trace_.values[value], {}, {});
    });
  }

  CancelCheck check_cancelled_;
  const Trace& trace_;
  // True if the block is in focus. For a block out of focus, the origins of stored elements are not recorded.
  // So a stored element without an origin is not always a constant.
  const bool in_focus_;
  const StepEvents step_;
  StepStores stores_;
  const StepChains chains_;
  std::vector<StepAction> out_;
  std::vector<const Event*> events_;  // the first event of each action
  bool order_matters_ = false;        // see sort_by_event()
  std::unordered_map<std::string, std::size_t> known_;
  std::string key_;
  // For each warp, line and kind of event: how many such events this step has had until now.
  std::map<std::tuple<int, int, Kind>, int> rounds_;
  // The next three vectors have one element for each entry that the step has in Trace::lanes.
  std::vector<bool> used_;    // whether an expression of the step contains the value that the entry loaded
  std::vector<bool> taken_;   // whether the step itself uses the entry's result
  std::vector<bool> marked_;  // see use_loads()
  std::vector<bool> taken_from_;  // for each event: whether the step uses the event's result in any lane
};

}  // namespace

std::vector<StepAction> actions(const Trace& trace, int block, int step, const Job* job) {
  if (step < 0 || step >= static_cast<int>(trace.steps.size())) return {};
  return Reader(trace, block, step, job).read();
}

}  // namespace upsweep
