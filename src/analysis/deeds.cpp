#include "analysis/deeds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "analysis/memory.hpp"

namespace upsweep {
namespace {

using Form = Expression::Form;

// What an access touches.
struct Touched {
  int index = -1, buffer = 0, region = 0;
};

class Reader {
 public:
  Reader(const Trace& trace, int block, int step)
      : trace_(trace),
        step_(step),
        range_(step_events(trace, block, step)),
        all_(block_events(trace, grid_index(trace, step), block)),
        places_(cell_places(trace.grid_of(static_cast<std::uint32_t>(std::max(step, 0))).shared,
                            trace.element_bytes())) {}

  std::vector<Deed> read() {
    find_used();
    for (std::size_t i = range_.first; i < range_.last; i++) {
      const Event& e = trace_.events[i];
      if (is_store(e.kind) || is_atomic(e.kind)) store(i);
      if (e.kind == Kind::operation || e.kind == Kind::shuffle) kept(i);
      if (e.kind == Kind::launch) launch(i);
    }
    for (std::size_t i = range_.first; i < range_.last; i++)
      if (is_load(trace_.events[i].kind)) unused_load(i);
    return std::move(out_);
  }

 private:
  Touched touched(const Event& e, std::uint32_t entry) const {
    const std::int64_t address = trace_.lanes[entry].address;
    if (is_global(e.kind)) { return {static_cast<int>(address / cell_bytes(e)), e.buffer, 0}; }
    const int cell = cell_at(places_, address);
    if (cell < 0) return {static_cast<int>(address / trace_.element_bytes()), 0, e.buffer};
    const CellPlace& p = places_[static_cast<std::size_t>(cell)];
    return {p.element, p.buffer, p.region};
  }

  // What an origin names, as seen from a lane: its event, or none for constants and what is not recorded.
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

  // Results that the step itself takes up again: by event and lane; and events of which some lane's is.
  void find_used() {
    for (std::size_t i = range_.first; i < range_.last; i++) {
      const Event& e = trace_.events[i];
      if (!has_lanes(e.kind) || is_load(e.kind)) continue;
      for_each_lane(e, [&](int lane, std::uint32_t at) {
        const Lane& l = trace_.lanes[at];
        const int from = e.kind == Kind::shuffle ? static_cast<int>(l.address & 31) : lane;
        for (const Origin o : {l.left, l.right})
          if (const Event* s = source(o, from); s && static_cast<int>(s->step) == step_) {
            taken_.insert({origin_event(o), from});
            taken_from_.insert(origin_event(o));
          }
      });
    }
  }

  // One lane's value, followed back through its registers to where they were read.
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
      used_.insert({event, lane});
    } else if (static_cast<int>(e.step) < step_) {
      x.form = Form::kept;
    } else if (e.kind == Kind::operation && depth < 3) {
      if (is_fold(event, lane)) return fold(event, lane, store_event);
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

  // The leaves of a chain of operations in this step, left to right.
  void leaves(std::uint32_t event, int lane, std::vector<Origin>& out) const {
    constexpr std::size_t most = 1 << 20;
    std::vector<Origin> pending{origin_of(event)};
    while (!pending.empty() && out.size() < most) {
      const Origin o = pending.back();
      pending.pop_back();
      const Event* e = source(o, lane);
      if (e && e->kind == Kind::operation && static_cast<int>(e->step) == step_) {
        const Lane& l = trace_.lanes[entry_of(*e, lane)];
        pending.push_back(l.right);
        pending.push_back(l.left);
      } else {
        out.push_back(o);
      }
    }
  }

  bool is_fold(std::uint32_t event, int lane) const {
    std::vector<Origin> all;
    leaves(event, lane, all);
    if (all.size() < 4) return false;
    int elements = 0;
    std::pair<bool, int> of{false, -1};
    for (const Origin o : all) {
      const Event* e = source(o, lane);
      if (!e || !is_load(e->kind)) continue;
      const Touched at = touched(*e, entry_of(*e, lane, part_of(*e, o)));
      const std::pair<bool, int> kind{is_shared(e->kind), is_shared(e->kind) ? at.region : at.buffer};
      if (elements++ > 0 && kind != of) return false;
      of = kind;
    }
    return elements >= 3;
  }

  Expression fold(std::uint32_t event, int lane, std::size_t store_event) {
    Expression x;
    x.form = Form::fold;
    std::vector<Origin> all;
    leaves(event, lane, all);
    std::vector<int> indices;
    Expression element, rest;
    bool has_rest = false;
    for (const Origin o : all) {
      const Event* e = source(o, lane);
      if (e && is_load(e->kind)) {
        Expression leaf = expression(o, lane, store_event, {}, 3);
        indices.push_back(leaf.indices[0]);
        if (indices.size() == 1) element = std::move(leaf);
      } else if (e) {
        rest = expression(o, lane, store_event, {}, 3);
        has_rest = true;
      }
    }
    int stride = indices[1] - indices[0];
    for (std::size_t i = 2; i < indices.size(); i++)
      if (indices[i] - indices[i - 1] != stride) stride = 0;
    x.indices = {indices[0]};
    x.counts = {static_cast<int>(indices.size())};
    x.strides = {stride};
    x.buffer = element.buffer;
    x.region = element.region;
    element.old = element.earlier = false;
    x.operands.push_back(std::move(element));
    if (has_rest) x.operands.push_back(std::move(rest));
    return x;
  }

  // Whether the thread stored to an address between two events of its step.
  bool overwritten(std::size_t from, std::size_t to, int warp, int lane, std::int64_t address) const {
    for (std::size_t i = from; i < to; i++) {
      const Event& e = trace_.events[i];
      if (e.kind != Kind::shared_store || e.warp != warp || ((e.mask >> lane) & 1u) == 0) continue;
      for (int part = 0; part < e.parts; part++)
        if (trace_.lanes[entry_of(e, lane, part)].address == address) return true;
    }
    return false;
  }

  static std::string shape(const Expression& x) {
    std::string text = fmt::format("{}{}{}{}{}", static_cast<int>(x.form), x.buffer, x.region,
                                   x.earlier ? 'e' : ' ', x.old ? 'o' : ' ');
    for (const Expression& o : x.operands) text += fmt::format("({})", shape(o));
    return text;
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

  // The same instruction issued twice in one step (a loop) makes two deeds: `round` counts per warp.
  void add(const Event& e, int round, int lane, Touched at, const Value& value, const Value& before,
           Expression from) {
    const auto key = std::tuple(e.kind, e.line, round, at.buffer, at.region, shape(from));
    const auto [known, fresh] = known_.try_emplace(key, out_.size());
    if (fresh) {
      Deed d{};
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
      // A vector access is told by its first part.
      if (!is_atomic(e.kind) && at != entry_of(e, lane)) return;
      add(e, round, lane, touched(e, at), trace_.values[value], trace_.values[at],
          expression(trace_.lanes[at].left, lane, i, trace_.values[value], 0));
    });
  }

  // What stays in a register. Lanes that take part in a shuffle for the others' sake are passed over.
  void kept(std::size_t i) {
    const Event& e = trace_.events[i];
    const auto event = static_cast<std::uint32_t>(i);
    if (e.kind == Kind::shuffle && taken_from_.count(event) > 0) return;
    const int round = round_of(e);
    for_each_lane(e, [&](int lane, std::uint32_t at) {
      if (taken_.count({event, lane}) == 0)
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
    // What marks and is looked at again and again is waited for.
    const bool waits = trace_.cells_of(e) != Cells::elements && (e.flags & is_volatile) != 0;
    const int round = round_of(e);
    if (waits && round > 0) {
      for (Deed& d : out_)
        if (d.kind == e.kind && d.line == e.line && d.cells != Cells::elements)
          d.times = std::max(d.times, round + 1);
      return;
    }
    for_each_cell(e, [&](int lane, std::uint32_t at, std::uint32_t value) {
      if (at == entry_of(e, lane) && used_.count({static_cast<std::uint32_t>(i), lane}) == 0)
        add(e, round, lane, touched(e, at), trace_.values[value], {}, {});
    });
  }

  const Trace& trace_;
  const int step_;
  const EventRange range_, all_;
  const std::vector<CellPlace> places_;
  std::vector<Deed> out_;
  std::map<std::tuple<Kind, std::uint16_t, int, int, int, std::string>, std::size_t> known_;
  std::map<std::tuple<int, int, Kind>, int> rounds_;      // per warp, line and kind
  std::set<std::pair<std::uint32_t, int>> used_, taken_;  // event and lane
  std::set<std::uint32_t> taken_from_;
};

}  // namespace

std::vector<Deed> deeds(const Trace& trace, int block, int step) {
  if (step < 0 || step >= static_cast<int>(trace.steps.size())) return {};
  return Reader(trace, block, step).read();
}

}  // namespace upsweep
