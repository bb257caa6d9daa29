#include "analysis/value_history.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "analysis/time_line.hpp"

namespace upsweep {
namespace {

// For a load in a race, find_what_was_read() examines at most this number of stores before the load, and at
// most this number of stores after the load. Without this limit, the search would take quadratic time.
constexpr std::size_t farthest = 128;

// Mixes all bits of a number into all bits of the result (splitmix64).
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

std::uint64_t name_number(const std::string& name) {
  std::uint64_t number = 0;
  for (const char c : name) number = mixed(number ^ static_cast<unsigned char>(c));
  return number;
}

// Returns the number that stands for the first contents of a cell: the contents before any thread writes to
// the cell. For example, the first contents may be an input element.
std::uint64_t unwritten(const CellKey& cell) {
  return mixed(mixed(cell.memory) + static_cast<std::uint64_t>(cell.index));
}

std::uint64_t number_of(const Value& value) {
  std::uint64_t number = 0;
  for (const std::uint32_t part : value) number = mixed(number ^ part);
  return number;
}

// In some kernels, a block takes the index of its tile from a counter. A block may then have another tile in
// each run. Returns one map for each grid, from blocks to tiles. The map has only blocks with a known tile,
// and is empty if two blocks of the grid have the same tile.
std::vector<std::unordered_map<std::uint32_t, std::uint32_t>> tiles_of(const Trace& trace, const Job* job) {
  std::vector<std::unordered_map<std::uint32_t, std::uint32_t>> tiles(trace.grids.size());
  std::vector<bool> is_clear(trace.grids.size(), true);
  const TimeLine line = time_line(trace, job);
  for (std::size_t r = 0; r < line.rows.size(); ++r) {
    const TimeLine::Row& row = line.rows[r];
    if (row.tile < 0) continue;
    const auto grid = static_cast<std::size_t>(row.grid);
    tiles[grid][static_cast<std::uint32_t>(row.block)] = static_cast<std::uint32_t>(row.tile);
    if (r > 0 && line.rows[r - 1].grid == row.grid && line.rows[r - 1].tile == row.tile)
      is_clear[grid] = false;
  }
  for (std::size_t g = 0; g < tiles.size(); ++g)
    if (!is_clear[g]) tiles[g].clear();
  return tiles;
}

}  // namespace

CellKey ValueHistory::global_cell(const std::string& buffer, std::int64_t index) {
  return {name_number(buffer), index};
}

ValueHistory::ValueHistory(const Trace& trace, const Job* job)
    : trace_(trace),
      contents_(trace.lanes.size()),
      state_(trace.lanes.size(), State::unknown),
      before_(trace.lanes.size(), none) {
  for (const Grid& g : trace.grids) places_.push_back(cell_places(g.shared, trace.element_bytes()));
  tiles_ = tiles_of(trace, job);
  for (const GlobalBuffer& b : trace.buffers) names_.push_back(name_number(b.name));
  std::vector<std::uint32_t> order(trace.events.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return trace.events[a].time < trace.events[b].time; });
  const auto each = [&](auto f) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (job && i % 4096 == 0) job->check();
      const Event& e = trace.events[order[i]];
      if (has_lanes(e.kind) && e.kind != Kind::launch) f(order[i], e);
    }
  };
  each([&](std::uint32_t event, const Event& e) {
    if (is_access(e.kind)) note_access(event, e);
  });
  each([&](std::uint32_t, const Event& e) {
    if (is_load(e.kind)) find_what_was_read(e);
  });
  each([&](std::uint32_t event, const Event& e) {
    std::uint32_t entry = e.first;
    for (std::uint32_t m = e.mask; m != 0; m &= m - 1)
      for (int part = 0; part < e.parts; ++part) evaluate({event, std::countr_zero(m), entry++});
  });
  for (auto& [cell, stores] : stores_)
    for (Stored& s : stores) stored_.insert(s.contents = contents_[s.by.entry]);
  for (std::size_t i = 0; !names_.empty() && i < trace.input.size(); ++i)
    stored_.insert(unwritten({names_[0], static_cast<std::int64_t>(i)}));
}

void ValueHistory::note_access(std::uint32_t event, const Event& e) {
  std::uint32_t entry = e.first;
  for (std::uint32_t m = e.mask; m != 0; m &= m - 1)
    for (int part = 0; part < e.parts; ++part, ++entry) {
      const auto cell = cell_of(e, trace_.lanes[entry].address);
      if (!cell) continue;
      std::vector<Stored>& stores = stores_[*cell];
      before_[entry] = static_cast<std::uint32_t>(stores.size());
      if (is_store(e.kind) || (is_atomic(e.kind) && part == 1))
        stores.push_back({0, {event, std::countr_zero(m), entry}});
    }
}

// Finds the store whose value each load has read. Usually, this is the last store to the cell before the
// load. In a race, the last store may have another value than the load, because all lanes of a request have
// the same recorded time. In this case, takes the nearest store of the loaded value. If no store has this
// value, sets before_ to 0.
void ValueHistory::find_what_was_read(const Event& e) {
  for_each_lane(e, [&](int lane, std::uint32_t entry) {
    if (before_[entry] == none) return;
    const CellKey cell = *cell_of(e, trace_.lanes[entry].address);
    const auto& stores = stores_.at(cell);
    const std::size_t last = before_[entry];
    const auto held = [&](std::size_t count) {
      if (count == 0) {
        if (!is_global(e.kind) || e.buffer >= trace_.roles().inputs) return false;
        const std::vector<Value>& contents = trace_.contents_before(e.buffer);
        return std::size_t(cell.index) < contents.size() &&
               contents[std::size_t(cell.index)] == trace_.values[entry];
      }
      const LaneEntry& by = stores[count - 1].by;
      const Event& store = trace_.events[by.event];
      const bool own =
          store.grid == e.grid && store.block == e.block && store.warp == e.warp && by.lane == lane;
      return trace_.values[by.entry] == trace_.values[entry] && !(own && count > last);
    };
    if (stores.empty() || held(last)) return;
    before_[entry] = 0;  // used if no store of the loaded value is found below
    for (std::size_t distance = 1; distance <= std::min(stores.size(), farthest); ++distance) {
      if (distance <= last && held(last - distance))
        before_[entry] = static_cast<std::uint32_t>(last - distance);
      else if (last + distance <= stores.size() && held(last + distance))
        before_[entry] = static_cast<std::uint32_t>(last + distance);
      else continue;
      return;
    }
  });
}

std::optional<CellKey> ValueHistory::cell_of(const Event& e, std::int64_t address) const {
  const int bytes = cell_bytes(e);
  if (is_global(e.kind)) {
    if (e.buffer >= names_.size()) return {};
    const std::int64_t index = address < 0 ? -1 : address / bytes;
    if (index < 0 || index >= trace_.buffers[e.buffer].count) return {};
    return CellKey{names_[e.buffer], index};
  }
  const std::vector<CellPlace>& places = places_[e.grid];
  const int cell = cell_at(places, address);
  if (cell < 0) return {};
  const CellPlace& place = places[static_cast<std::size_t>(cell)];
  const std::uint64_t part = static_cast<std::uint64_t>(place.region * 2 + place.buffer);
  const auto tile = tiles_[e.grid].find(e.block);
  const std::uint64_t block = tile == tiles_[e.grid].end() ? e.block : tile->second;
  const std::uint64_t memory = mixed(mixed(e.grid + 1u) ^ mixed(block) * 3 ^ mixed(part) * 5);
  return CellKey{memory, place.element >= 0 ? place.element : -1 - std::int64_t{place.byte}};
}

std::optional<LaneEntry> ValueHistory::producer_of(Origin o, int lane) const {
  if (o == 0) return {};
  const std::uint32_t event = origin_event(o);
  const Event& e = trace_.events[event];
  if ((e.mask >> lane & 1) == 0 || !has_lanes(e.kind)) return {};
  // An atomic returns the value that memory had before the atomic. The atomic's first entry has this value.
  return LaneEntry{event, lane, entry_of(e, lane, is_atomic(e.kind) ? 0 : origin_part(o))};
}

// The value of an entry was computed from the values of other entries. Calls f for each of these other
// entries.
template <class F>
void ValueHistory::for_each_operand(const LaneEntry& at, F f) const {
  const Event& e = trace_.events[at.event];
  const auto follow = [&](Origin o, int lane) {
    if (const auto producer = producer_of(o, lane)) f(*producer);
  };
  const auto follow_memory = [&](std::uint32_t entry) {
    if (const std::uint32_t count = before_[entry]; count != none && count > 0)
      f(stores_.at(*cell_of(e, trace_.lanes[entry].address))[count - 1].by);
  };
  const Lane& l = trace_.lanes[at.entry];
  switch (e.kind) {
    case Kind::operation: follow(l.left, at.lane); return follow(l.right, at.lane);
    case Kind::shuffle:
      if (static_cast<Shuffle>(e.detail) != Shuffle::reduce_add)
        return follow(l.left, static_cast<int>(l.address) & 31);
      return for_each_lane(e, [&](int lane, std::uint32_t entry) { follow(trace_.lanes[entry].left, lane); });
    case Kind::shared_store:
    case Kind::global_store: return follow(l.left, at.lane);
    case Kind::shared_load:
    case Kind::global_load: return follow_memory(at.entry);
    case Kind::shared_atomic:
    case Kind::global_atomic: {  // its two entries: the memory's values before and after the atomic
      const bool after = at.entry != entry_of(e, at.lane, 0);
      if (!after || static_cast<Atomic>(e.detail) == Atomic::combine) follow_memory(at.entry);
      if (after) follow(trace_.lanes[at.entry - 1].left, at.lane);
      return;
    }
    default: return;
  }
}

// Computes the number that stands for the value of an entry (contents_), and also the numbers of all entries
// from which this value was computed.
void ValueHistory::evaluate(const LaneEntry& root) {
  std::vector<LaneEntry>& stack = pending_;
  stack.assign(1, root);
  while (!stack.empty()) {
    const LaneEntry at = stack.back();
    State& state = state_[at.entry];
    if (state == State::known) {
      stack.pop_back();
      continue;
    }
    const Event& e = trace_.events[at.event];
    const bool number = e.kind == Kind::vote || !is_element(trace_.cells_of(e));
    if (number) {
      contents_[at.entry] = number_of(trace_.values[at.entry]);
      state = State::known;
    } else if (state == State::unknown) {
      state = State::asked;
      for_each_operand(at, [&](const LaneEntry& operand) {
        if (state_[operand.entry] == State::unknown) stack.push_back(operand);
      });
    } else {
      std::uint64_t sum = 0;  // a constant contains no input element
      for_each_operand(at, [&](const LaneEntry& operand) { sum += contents_[operand.entry]; });
      const bool loads = is_load(e.kind) || (is_atomic(e.kind) && at.entry == entry_of(e, at.lane, 0));
      if (loads && (before_[at.entry] == none || before_[at.entry] == 0)) {
        const auto cell = cell_of(e, trace_.lanes[at.entry].address);
        sum = cell ? unwritten(*cell) : number_of(trace_.values[at.entry]);
      }
      contents_[at.entry] = sum;
      state = State::known;
    }
  }
}

std::span<const ValueHistory::Stored> ValueHistory::stores(const CellKey& cell) const {
  const auto found = stores_.find(cell);
  return found == stores_.end() ? std::span<const Stored>{} : std::span<const Stored>(found->second);
}

std::optional<std::vector<ValueHistory::Leaf>> ValueHistory::leaves(const LaneEntry& store,
                                                                    std::size_t most) const {
  std::vector<Leaf> found;
  std::vector<LaneEntry> pending;
  std::unordered_set<std::uint32_t> seen;
  const auto add_leaf = [&](const LaneEntry& at, const Event& e) {
    if (before_[at.entry] == none) return;
    if (const auto cell = cell_of(e, trace_.lanes[at.entry].address))
      found.push_back({*cell, before_[at.entry], contents_[at.entry], at});
  };
  const auto follow = [&](const LaneEntry& operand) {
    if (seen.insert(operand.entry).second) pending.push_back(operand);
  };
  const Event& first = trace_.events[store.event];
  if (is_atomic(first.kind)) {
    if (const auto given = producer_of(trace_.lanes[store.entry - 1].left, store.lane)) follow(*given);
    add_leaf({store.event, store.lane, store.entry - 1}, first);
  } else {
    for_each_operand(store, follow);
  }
  while (!pending.empty()) {
    if (seen.size() > most) return {};
    const LaneEntry at = pending.back();
    pending.pop_back();
    const Event& e = trace_.events[at.event];
    if (is_access(e.kind)) add_leaf(at, e);
    else for_each_operand(at, follow);
  }
  return found;
}

}  // namespace upsweep
