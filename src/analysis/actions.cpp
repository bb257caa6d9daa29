#include "analysis/actions.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "analysis/cancellable.hpp"
#include "analysis/memory.hpp"

namespace upsweep {
namespace {

using Form = Expression::Form;

// The cell that an access touches.
struct Touched {
  int index = -1, buffer = 0, region = 0;
};

// A chain of operations that combine values from left to right. Some of the values are loaded.
struct Chain {
  static constexpr std::int64_t most = 1 << 20;  // counts stop here: a chain may double in every round
  std::int64_t values = 0, loads = 0;
  std::pair<bool, int> memory;          // where the loads read: shared or not, and which region or buffer
  bool one_memory = true;               // all loads read `memory`
  int first = 0, last = 0, stride = 0;  // the indices that the loads read, and their distance
  bool even = true;                     // all neighbouring loads are `stride` apart
  Origin first_load = 0, rest = 0;      // rest: the last value that is neither a load nor a constant

  // Appends another chain on the right.
  void append(const Chain& more) {
    // The chain so far is one value that was loaded elsewhere, to which elements are added.
    if (values == 1 && loads == 1 && more.loads > 0 && memory != more.memory) {
      rest = first_load;
      loads = 0;
    }
    if (loads > 0 && more.loads > 0) {
      one_memory = one_memory && more.one_memory && memory == more.memory;
      const int between = more.first - last;
      even = even && more.even && (loads == 1 || stride == between) &&
             (more.loads == 1 || more.stride == between);
      stride = between;
      last = more.last;
    } else if (more.loads > 0) {
      const Chain so_far = std::exchange(*this, more);
      values = so_far.values, rest = so_far.rest;
      loads = 0;
    }
    values = std::min(values + more.values, most);
    loads = std::min(loads + more.loads, most);
    if (more.rest != 0) rest = more.rest;
  }
};

class Reader {
 public:
  Reader(const Trace& trace, int block, int step, const Job* job)
      : heed_(job),
        trace_(trace),
        step_(step),
        range_(step_events(trace, block, step)),
        all_(block_events(trace, grid_index(trace, step), block)),
        places_(cell_places(trace.grid_of(static_cast<std::uint32_t>(std::max(step, 0))).shared,
                            trace.element_bytes())) {
    if (range_.empty()) return;
    const EntryRange entries = lane_entries(trace, range_);
    base_ = entries.first;
    used_.resize(entries.count);
    taken_.resize(entries.count);
    marked_.resize(entries.count);
    chains_.resize(entries.count);
    taken_from_.resize(range_.last - range_.first);
  }

  std::vector<StepAction> read() {
    find_used();
    find_chains();
    for (std::size_t i = range_.first; i < range_.last; i++) {
      heed_();
      const Kind kind = trace_.events[i].kind;
      if (is_store(kind) || is_atomic(kind)) store(i);
      else if (kind == Kind::operation || kind == Kind::shuffle) kept(i);
      else if (kind == Kind::launch) launch(i);
    }
    for (std::size_t i = range_.first; i < range_.last; i++)
      if (is_load(trace_.events[i].kind)) unused_load(i);
    return std::move(out_);
  }

 private:
  Touched touched(const Event& e, std::uint32_t entry) const {
    const std::int64_t address = trace_.lanes[entry].address;
    if (is_global(e.kind)) return {static_cast<int>(address / cell_bytes(e)), e.buffer, 0};
    const int at = cell_at(places_, address);
    if (at < 0) return {static_cast<int>(address / trace_.element_bytes()), 0, e.buffer};
    const CellPlace& p = places_[static_cast<std::size_t>(at)];
    return {p.element, p.buffer, p.region};
  }

  // Returns the event that an origin names, as seen from a lane. Returns null for a constant and for an event
  // that is not recorded.
  const Event* source(Origin o, int lane) const {
    if (o == 0) return nullptr;
    const std::uint32_t event = origin_event(o);
    if (event < all_.first || event >= all_.last) return nullptr;
    const Event& e = trace_.events[event];
    return has_lanes(e.kind) && (e.mask >> lane & 1) != 0 ? &e : nullptr;
  }
  static int part_of(const Event& e, Origin o) {
    return is_atomic(e.kind) ? 0 : std::min<int>(origin_part(o), e.parts - 1);
  }

  // Finds the results that the step itself uses, by event and lane, and the events with such a result.
  void find_used() {
    for (std::size_t i = range_.first; i < range_.last; i++) {
      heed_();
      const Event& e = trace_.events[i];
      if (!has_lanes(e.kind) || is_load(e.kind)) continue;
      for_each_lane(e, [&](int lane, std::uint32_t at) {
        const Lane& l = trace_.lanes[at];
        const int from = e.kind == Kind::shuffle ? static_cast<int>(l.address & 31) : lane;
        for (const Origin o : {l.left, l.right})
          if (const Event* s = source(o, from); s && static_cast<int>(s->step) == step_) {
            taken_[local(*s, from)] = true;
            taken_from_[origin_event(o) - range_.first] = true;
          }
      });
    }
  }

  // Follows one lane's value back through its registers to the place from which it was read.
  Expression expression(Origin origin, int lane, std::size_t store_event, const Value& value, int depth) {
    Expression x;
    const Event* s = source(origin, lane);
    if (!s) {
      x.value = value;
      x.form = origin == 0 ? Form::constant : Form::other;
      return x;
    }
    const Event& e = *s;
    const std::uint32_t event = origin_event(origin), entry = entry_of(e, lane, part_of(e, origin));
    if (is_load(e.kind) || is_atomic(e.kind)) {
      const Touched at = touched(e, entry);
      x.form = is_shared(e.kind) ? Form::element : Form::input;
      x.indices = {at.index};
      x.buffer = at.buffer;
      x.region = at.region;
      x.cells = trace_.cells_of(e);
      x.earlier = static_cast<int>(e.step) < step_;
      x.old = is_shared(e.kind) && !x.earlier &&
              overwritten(event, store_event, e.warp, lane, trace_.lanes[entry].address);
      if (is_of_step(e)) used_[local(e, lane)] = true;
    } else if (static_cast<int>(e.step) < step_) {
      x.form = Form::kept;
    } else if (e.kind == Kind::operation && depth < 3) {
      if (is_fold(chains_[local(e, lane)])) return fold(chains_[local(e, lane)], e, lane, store_event);
      x.form = Form::operation;
      const Lane& l = trace_.lanes[entry];
      x.operands.push_back(expression(l.left, lane, store_event, {}, depth + 1));
      x.operands.push_back(expression(l.right, lane, store_event, {}, depth + 1));
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

  // --- many elements, one after the other

  bool is_of_step(const Event& e) const { return static_cast<int>(e.step) == step_; }
  // Returns the position of a lane's first entry in an event, counted from the first entry of this step.
  std::size_t local(const Event& e, int lane) const { return entry_of(e, lane) - base_; }

  // Returns the chain that produced an operand of an operation. An operand that is no operation of this step
  // is a chain of one value. `before` is the index of the operation.
  Chain chain_of(Origin o, int lane, std::size_t before) const {
    const Event* e = source(o, lane);
    if (e && e->kind == Kind::operation && is_of_step(*e) && origin_event(o) < before)
      return chains_[local(*e, lane)];
    Chain one;
    one.values = 1;
    if (e && is_load(e->kind)) {
      const Touched at = touched(*e, entry_of(*e, lane, part_of(*e, o)));
      one.loads = 1;
      one.memory = {is_shared(e->kind), is_shared(e->kind) ? at.region : at.buffer};
      one.first = one.last = at.index;
      one.first_load = o;
    } else if (e) {
      one.rest = o;
    }
    return one;
  }
  void find_chains() {
    for (std::size_t i = range_.first; i < range_.last; i++) {
      heed_();
      const Event& e = trace_.events[i];
      if (e.kind != Kind::operation) continue;
      for_each_lane(e, [&](int lane, std::uint32_t at) {
        Chain chain = chain_of(trace_.lanes[at].left, lane, i);
        chain.append(chain_of(trace_.lanes[at].right, lane, i));
        chains_[at - base_] = chain;
      });
    }
  }

  static bool is_fold(const Chain& c) { return c.values >= 4 && c.loads >= 3 && c.one_memory; }

  Expression fold(const Chain& chain, const Event& operation, int lane, std::size_t store_event) {
    Expression x;
    x.form = Form::fold;
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

  // Marks all loads of a chain as used, because the text about the chain mentions them. Each event is visited
  // only once.
  void use_loads(const Event& operation, int lane) {
    std::vector<const Event*> pending{&operation};
    while (!pending.empty()) {
      const Event& e = *pending.back();
      pending.pop_back();
      const std::size_t at = local(e, lane);
      if (marked_[at]) continue;
      marked_[at] = true;
      if (is_load(e.kind)) used_[at] = true;
      if (e.kind != Kind::operation) continue;
      const Lane& l = trace_.lanes[entry_of(e, lane)];
      for (const Origin o : {l.left, l.right})
        if (const Event* from = source(o, lane); from && is_of_step(*from)) pending.push_back(from);
    }
  }

  // Returns whether the thread stored to an address between two events of its step.
  bool overwritten(std::size_t from, std::size_t to, int warp, int lane, std::int64_t address) {
    if (!stores_known_) {
      stores_known_ = true;
      for (std::size_t i = range_.first; i < range_.last; i++) {
        const Event& e = trace_.events[i];
        if (e.kind != Kind::shared_store) continue;
        for_each_lane(e, [&](int l, std::uint32_t at) {
          stores_[store_key(thread_of(e, l), trace_.lanes[at].address)].push_back(i);
        });
      }
    }
    const auto found = stores_.find(store_key(warp * 32 + lane, address));
    if (found == stores_.end()) return false;
    const auto first = std::lower_bound(found->second.begin(), found->second.end(), from);
    return first != found->second.end() && *first < to;
  }
  static std::uint64_t store_key(int thread, std::int64_t address) {
    return static_cast<std::uint64_t>(thread) << 48 ^ static_cast<std::uint64_t>(address);
  }

  // Appends the bytes of a number to a key of a map.
  static void put(std::string& key, int number) {
    for (int shift = 0; shift < 32; shift += 8) key += static_cast<char>(number >> shift & 0xff);
  }
  static void put_shape(std::string& key, const Expression& x) {
    for (const int number : {static_cast<int>(x.form), x.buffer, x.region, 2 * x.earlier + x.old})
      put(key, number);
    for (const Expression& o : x.operands) {
      key += '(';
      put_shape(key, o);
    }
    key += ')';
  }

  static void append(Expression& to, const Expression& from) {
    const auto join = [](std::vector<int>& a, const std::vector<int>& b) {
      a.insert(a.end(), b.begin(), b.end());
    };
    join(to.indices, from.indices);
    join(to.counts, from.counts);
    join(to.strides, from.strides);
    join(to.lanes, from.lanes);
    join(to.takers, from.takers);
    for (std::size_t i = 0; i < to.operands.size(); i++) append(to.operands[i], from.operands[i]);
  }

  // If a loop issues an instruction twice in one step, these are two actions. `round` counts per warp.
  void add(const Event& e, int round, int lane, Touched at, const Value& value, const Value& before,
           Expression from) {
    key_.clear();
    for (const int number : {static_cast<int>(e.kind), int{e.line}, round, at.buffer, at.region})
      put(key_, number);
    put_shape(key_, from);
    const auto [known, fresh] = known_.try_emplace(key_, out_.size());
    if (fresh) {
      StepAction d{};
      d.kind = e.kind;
      d.line = e.line;
      d.detail = e.detail;
      d.buffer = at.buffer;
      d.region = at.region;
      d.cells = trace_.cells_of(e);
      d.from = from;
      d.value = value;
      d.before = before;
      out_.push_back(std::move(d));
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
    for_each_cell(e, [&](int lane, std::uint32_t at, std::uint32_t value) {
      // The first part stands for the whole vector access.
      if (!is_atomic(e.kind) && at != entry_of(e, lane)) return;
      add(e, round, lane, touched(e, at), trace_.values[value], trace_.values[at],
          expression(trace_.lanes[at].left, lane, i, trace_.values[value], 0));
    });
  }

  // Adds a value that stays in a register. Leaves out lanes that only give a value to a shuffle.
  void kept(std::size_t i) {
    const Event& e = trace_.events[i];
    const auto event = static_cast<std::uint32_t>(i);
    if (e.kind == Kind::shuffle && taken_from_[i - range_.first]) return;
    const int round = round_of(e);
    for_each_lane(e, [&](int lane, std::uint32_t at) {
      if (!taken_[local(e, lane)])
        add(e, round, lane, {}, trace_.values[at], {}, expression(origin_of(event), lane, i, {}, 0));
    });
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
    // If a loop reads a marking word repeatedly, the thread waits for that word.
    const bool waits = trace_.cells_of(e) != Cells::elements && (e.flags & is_volatile) != 0;
    const int round = round_of(e);
    if (waits && round > 0) {
      for (StepAction& d : out_)
        if (d.kind == e.kind && d.line == e.line && d.cells != Cells::elements)
          d.times = std::max(d.times, round + 1);
      return;
    }
    for_each_cell(e, [&](int lane, std::uint32_t at, std::uint32_t value) {
      if (at == entry_of(e, lane) && !used_[local(e, lane)])
        add(e, round, lane, touched(e, at), trace_.values[value], {}, {});
    });
  }

  Heed heed_;
  const Trace& trace_;
  const int step_;
  const EventRange range_, all_;
  const std::vector<CellPlace> places_;
  std::vector<StepAction> out_;
  std::unordered_map<std::string, std::size_t> known_;
  std::string key_;
  std::map<std::tuple<int, int, Kind>, int> rounds_;  // by warp, line and kind
  std::uint32_t base_ = 0;                            // the step's first entry in Trace::lanes
  // The next four vectors have one element for each entry of the step; see local().
  std::vector<bool> used_;        // the entry is a load whose value the step uses
  std::vector<bool> taken_;       // the step itself uses the entry's result
  std::vector<bool> marked_;      // see use_loads()
  std::vector<Chain> chains_;     // the chain that ends with the entry's operation
  std::vector<bool> taken_from_;  // for each event of the step: the step uses the result of some lane
  bool stores_known_ = false;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> stores_;  // to shared memory: see store_key()
};

}  // namespace

std::vector<StepAction> actions(const Trace& trace, int block, int step, const Job* job) {
  if (step < 0 || step >= static_cast<int>(trace.steps.size())) return {};
  return Reader(trace, block, step, job).read();
}

}  // namespace upsweep
