#include "trace/consistency.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <tuple>

#include "base/messages.hpp"

namespace upsweep {
namespace {

constexpr std::int64_t farthest = std::int64_t{1} << 48;  // the largest offset of an access, in bytes
// The largest number allowed for a count. With this limit, no sum of counts overflows.
constexpr std::uint64_t most_counted = std::uint64_t{1} << 44;
constexpr std::int64_t most_shared = 228 << 10;               // bytes per block; no GPU allows more
constexpr std::size_t most_text = 1 << 16, most_line = 1000;  // characters
constexpr std::int64_t most_silent_blocks = 1 << 20;  // blocks without a BlockRun, in all launches together
// The largest number of steps is the number of events, counts and launches together, plus this number. In a
// real trace, only a few steps have no event and no count.
constexpr std::size_t more_steps = 1024;
// The largest number of pairs of launches in which one launch waits for the other. A tail launch may wait for
// all launches before it, but a GPU keeps only a few thousand launches pending.
constexpr std::size_t most_waits = 1 << 24;
// The analysis stores many numbers for each warp (see warps_of_block()), even for warps without events. A
// file may cause at most most_empty_warps such numbers, plus warps_per_event numbers for each event.
constexpr std::uint64_t most_empty_warps = 1 << 26, warps_per_event = 64;
constexpr std::size_t most_phases = 255;     // a file cannot hold more
constexpr std::size_t most_grids = 1 << 16;  // Event::grid cannot hold a larger index

// Thrown and caught only within this file.
struct Contradiction {
  Message what;
};

template <class Maker, class... Arguments>
void expect(bool holds, const Maker& what, Arguments&&... arguments) {
  if (!holds) throw Contradiction{what(std::forward<Arguments>(arguments)...)};
}

std::int64_t bytes_of(Cells cells, const Trace& t) { return cell_bytes(cells, t.element_bytes()); }

// Returns whether an enumeration has this value; `last` is the enumeration's last value.
template <class E>
bool known(E e, E last) {
  return static_cast<unsigned>(e) <= static_cast<unsigned>(last);
}

bool detail_known(Kind kind, std::uint8_t detail) {
  const auto upto = [&](auto last) { return detail <= static_cast<std::uint8_t>(last); };
  switch (kind) {
    case Kind::shared_atomic:
    case Kind::global_atomic: return upto(Atomic::compare_and_swap);
    case Kind::shuffle: return upto(Shuffle::reduce_add);
    case Kind::vote: return upto(Vote::all);
    case Kind::fence: return upto(Scope::device);
    case Kind::launch: return upto(ChildLaunch::fire_and_forget);
    default: return true;
  }
}

class Check {
 public:
  explicit Check(const Trace& trace) : t(trace) {}

  void all() {
    settings();
    buffers();
    grids();
    steps();
    runs();
    events();
    clock();
    tail_launches();
    snapshots();
    counts();
    stop();
  }

 private:
  void settings() const {
    const Settings& s = t.settings;
    expect(s.n >= 1, say::bad_size, s.n);
    expect(s.block >= 1 && s.block <= 1024, say::bad_block, s.block);
    expect(static_cast<std::size_t>(s.type) < std::size(scalar_names), say::unknown_type);
    expect(known(s.op, Operator::own), say::unknown_operator);
    expect(s.grid >= 1 && s.without_barrier >= 0, say::negative_settings);
    expect(s.columns >= 0 && (s.columns == 0 || s.n % s.columns == 0), say::ragged_data, s.n, s.columns);
    expect(!s.algorithm.empty(), say::no_algorithm);
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= t.text.size(); ++i)
      if (i == t.text.size() || t.text[i] == '\n') {
        expect(i - begin <= most_line && i <= most_text, say::long_text);
        begin = i + 1;
      }
    expect(t.state.size() <= most_text, say::long_text);
    expect(t.input.size() >= static_cast<std::size_t>(s.n), say::other_input, s.n, t.input.size());
    expect(t.dropped < most_counted, say::too_much_dropped);
  }

  void buffers() const {
    const BufferRoles roles = t.roles();
    expect(t.buffers.size() >= static_cast<std::size_t>(roles.first_scratch()), say::no_input_and_output);
    expect(t.buffers.size() <= most_buffers, say::many_buffers, t.buffers.size());
    for (const GlobalBuffer& b : t.buffers) {
      expect(known(b.cells, last_cells) && (b.cells != Cells::numbers || pairs()), say::unknown_cells,
             b.name);
      expect(b.count >= 0 && b.count < farthest / 16, say::bad_cell_count, b.name, b.count);
      expect(b.columns >= 0 && (b.columns == 0 || b.count % b.columns == 0), say::ragged_buffer, b.name,
             b.count, b.columns);
    }
    const auto holds = [&](int buffer, const std::vector<Value>& contents, const auto& what) {
      const GlobalBuffer& b = t.buffers[static_cast<std::size_t>(buffer)];
      expect(static_cast<std::int64_t>(contents.size()) == b.count, what, contents.size(), b.count);
    };
    for (int b = 0; b < roles.first_output(); ++b) holds(b, t.contents_before(b), say::other_input_size);
    for (int b = roles.first_output(); b < roles.first_scratch(); ++b)
      holds(b, t.contents_after(b), say::other_output);
  }

  void grids() {
    expect(!t.grids.empty() && t.grids.size() <= most_grids, say::bad_launch_count, t.grids.size());
    std::vector<bool> noted(t.grids.size());
    for (const BlockRun& r : t.runs)
      if (r.grid < noted.size()) noted[r.grid] = true;
    std::uint64_t step = 0;
    std::int64_t blocks = 0, silent = 0;
    for (std::size_t i = 0; i < t.grids.size(); ++i) {
      const Grid& g = t.grids[i];
      expect(g.blocks >= 1 && g.threads >= 1 && g.threads <= 1024, say::bad_launch, i, g.blocks, g.threads);
      across(g.blocks_across, g.blocks, i);
      across(g.threads_across, g.threads, i);
      blocks += g.blocks;
      silent += noted[i] ? 0 : g.blocks;
      expect(blocks <= INT32_MAX && silent <= most_silent_blocks, say::silent_launch, i, g.blocks);
      expect(g.first_step == step, say::steps_out_of_order, i);
      step += g.steps;
      expect(g.parent >= -1 && g.parent < static_cast<int>(i), say::started_by_later, i);
      const int depth = g.parent < 0 ? 0 : t.grids[static_cast<std::size_t>(g.parent)].depth + 1;
      expect(g.depth == depth, say::other_depth, i, g.depth, depth);
      if (g.parent < 0 || g.parent_event == Grid::none) {
        expect(g.parent_event == Grid::none, say::started_twice, i);
      } else {
        expect(g.parent_event < t.events.size() && t.events[g.parent_event].kind == Kind::launch &&
                   t.events[g.parent_event].grid == g.parent,
               say::started_by_nothing, i);
      }
      shared(g.shared, i);
    }
    expect(step == t.steps.size(), say::other_step_count, step, t.steps.size());
    expect(!t.steps.empty(), say::no_steps);
    expect(t.steps.size() <= t.events.size() + t.counts.size() + t.grids.size() + more_steps,
           say::empty_steps, t.steps.size(), t.events.size());
  }

  bool pairs() const { return scalars_per_element(t.settings.op) == 2; }
  // Returns whether shared memory may have cells of this kind.
  bool is_in_shared(Cells c) const {
    return known(c, last_cells) && !is_message(c) && c != Cells::pixels && (c != Cells::numbers || pairs());
  }

  static void across(const Across& a, int count, std::size_t grid) {
    expect(a.y >= 1 && a.z >= 1 && std::int64_t{a.y} * a.z <= count && count % (a.y * a.z) == 0,
           say::ragged_launch, grid, count, a.y, a.z);
  }

  void shared(const SharedShape& s, std::size_t grid) {
    expect(s.bytes <= most_shared && s.elements >= 0 && s.buffers >= 0 && s.buffers <= 2 &&
               s.cells_per_buffer >= 0 && s.elements <= s.cells_per_buffer && is_in_shared(s.cells) &&
               s.cells != Cells::words && s.cells_per_buffer <= most_shared &&
               s.bytes_of_buffers(t.element_bytes()) <= static_cast<std::int64_t>(s.bytes),
           say::elements_do_not_fit, grid);
    expect(
        s.cell.size() == static_cast<std::size_t>(s.elements) &&
            std::all_of(s.cell.begin(), s.cell.end(),
                        [&](std::uint32_t c) { return c < static_cast<std::uint32_t>(s.cells_per_buffer); }),
        say::elements_beyond_cells, grid);
    expect(s.columns >= 0 && (s.columns == 0 || (s.elements > 0 && s.elements % s.columns == 0)),
           say::ragged_elements, grid, s.elements, s.columns);
    expect(s.more.size() < 256, say::many_regions, grid, s.more.size());
    std::int64_t end = s.bytes_of_buffers(t.element_bytes());
    for (const SharedRegion& r : s.more) {
      const std::int64_t cell = bytes_of(r.cells, t);
      expect(is_in_shared(r.cells) && r.first + r.count * cell <= s.bytes, say::region_does_not_fit, r.name,
             grid);
      expect(r.first >= end && r.first % cell == 0, say::region_out_of_order, r.name, grid);
      end = r.first + r.count * cell;
    }
    for (const SharedRegion& r : s.more)
      expect(r.columns <= r.pitch && (r.pitch == 0 || (r.columns > 0 && r.count % r.pitch == 0)),
             say::ragged_region, r.name, grid, r.columns, r.pitch);
  }

  void steps() const {
    std::set<std::string_view> names(std::begin(phase_names), std::end(phase_names));
    for (std::size_t i = 0; i < t.steps.size(); ++i) {
      expect(t.steps[i].phase.valid() && t.steps[i].stride >= 0, say::bad_step, i);
      if (i == 0 || t.steps[i].phase != t.steps[i - 1].phase) names.insert(t.steps[i].phase.name());
    }
    expect(names.size() <= most_phases, say::many_phases, names.size());
  }

  void events() const {
    expect(t.events.size() < std::size_t{1} << origin_part_shift, say::many_events, t.events.size());
    expect(t.lanes.size() == t.values.size(), say::other_value_count, t.lanes.size(), t.values.size());
    const auto lines = 1 + std::count(t.text.begin(), t.text.end(), '\n');
    std::vector<bool> taken(t.lanes.size());
    std::uint64_t empty_warps = 0;
    std::uint32_t next = 0;  // the index after the last entry of all events so far
    const Event* before = nullptr;
    for (std::size_t i = 0; i < t.events.size(); ++i) {
      const Event& e = t.events[i];
      const int of_value = e.flags & (is_count | is_number);
      const bool has_value = e.kind == Kind::operation || e.kind == Kind::shuffle;
      expect(known(e.kind, Kind::launch) && detail_known(e.kind, e.detail) &&
                 e.flags <= (is_volatile | is_outside | is_incomplete | is_count | is_number) &&
                 (of_value == 0 || (has_value && of_value != (is_count | is_number))) &&
                 (of_value != is_number || pairs()),
             say::unknown_event, i);
      expect(e.grid < t.grids.size(), say::event_beyond_launches, i, e.grid, t.grids.size());
      const Grid& g = t.grids[e.grid];
      expect(e.block < static_cast<std::uint32_t>(g.blocks) && e.warp < g.warps(), say::event_beyond_blocks,
             i, e.block, e.warp, g.blocks, g.warps());
      expect(e.step >= g.first_step && e.step - g.first_step < g.steps, say::event_beyond_steps, i, e.step);
      expect(e.line >= 1 && e.line <= lines, say::event_beyond_lines, i, e.line, lines);
      const int present = std::min(32, g.threads - 32 * e.warp),
                highest = static_cast<int>(std::bit_width(e.mask));
      expect(e.mask != 0 && highest <= present, say::event_beyond_lanes, i);
      const auto place = [](const Event& x) { return std::tuple(x.grid, x.block, x.step, x.warp); };
      expect(!before || place(*before) <= place(e), say::event_out_of_order, i);
      if (!before || before->grid != e.grid || before->block != e.block) empty_warps += warps_of_block(e);
      before = &e;
      if (has_lanes(e.kind)) entries(i, taken);
      // Entries are in the order of their events. A barrier has no entries, but its `first` must fit into
      // this order, too.
      expect(e.first >= next && e.first <= t.lanes.size(), say::entries_shared, i);
      next = e.first + (has_lanes(e.kind) ? static_cast<std::uint32_t>(std::popcount(e.mask)) * e.parts : 0);
    }
    expect(empty_warps <= most_empty_warps + warps_per_event * t.events.size(), say::empty_blocks,
           empty_warps, t.events.size());
  }

  // Checks that the clock never decreases in the order of Event::time.
  void clock() const {
    if (t.clock.empty()) return;
    expect(t.clock.size() == t.events.size(), say::other_clock, t.clock.size(), t.events.size());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> order;
    order.reserve(t.events.size());
    for (std::size_t i = 0; i < t.events.size(); ++i) order.emplace_back(t.events[i].time, t.clock[i]);
    std::ranges::sort(order);
    expect(std::ranges::is_sorted(order, {}, [](const auto& at) { return at.second; }), say::clock_runs_back);
  }

  // Returns how many numbers the analysis stores for the warps of an event's block: for each warp, one number
  // per step and one number per lane. Returns 0 if the block is not recorded in full.
  std::uint64_t warps_of_block(const Event& e) const {
    const auto run =
        std::lower_bound(t.runs.begin(), t.runs.end(), e, [](const BlockRun& r, const Event& at) {
          return std::tie(r.grid, r.block) < std::tie(at.grid, at.block);
        });
    const bool noted = run != t.runs.end() && run->grid == e.grid && run->block == e.block;
    if (noted && !run->in_focus) return 0;
    const Grid& g = t.grids[e.grid];
    return (std::uint64_t{g.steps} + 32) * static_cast<unsigned>(g.warps());
  }

  void entries(std::size_t i, std::vector<bool>& taken) const {
    const Event& e = t.events[i];
    expect(e.parts >= 1 && e.parts <= 4 && (!is_atomic(e.kind) || e.parts == 2), say::bad_parts, i, e.parts);
    const auto [first, last] = is_access(e.kind) ? memory_of(i) : std::pair<std::int64_t, std::int64_t>();
    if (is_access(e.kind)) width(i);
    expect(std::uint64_t{e.first} + static_cast<unsigned>(std::popcount(e.mask)) * e.parts <= t.lanes.size(),
           say::entries_beyond_all, i);
    for_each_lane(e, [&](int lane, std::uint32_t entry) {
      expect(!taken[entry], say::entries_shared, i);
      taken[entry] = true;
      const Lane& l = t.lanes[entry];
      int source = lane;
      if (is_access(e.kind)) {
        const bool inside = l.address >= first && l.address < last;
        expect(l.address > -farthest && l.address < farthest && (inside || (e.flags & is_outside) != 0),
               say::event_outside, i, l.address);
        // The first part of an access is aligned to e.width. Both parts of an atomic have the same address.
        const bool begins = is_atomic(e.kind) || (entry - e.first) % e.parts == 0;
        expect(l.address % (begins ? e.width : e.width / e.parts) == 0, say::event_misaligned, i, e.width,
               l.address);
      } else if (e.kind == Kind::shuffle) {
        expect(l.address >= 0 && l.address < 32, say::bad_source_lane, i, l.address);
        source = static_cast<int>(l.address);
      } else if (e.kind == Kind::launch) {
        expect(l.address >= -1 && l.address < static_cast<std::int64_t>(t.grids.size()),
               say::starts_beyond_launches, i, l.address, t.grids.size());
      }
      expect(origin_holds(i, l.left, source) && origin_holds(i, l.right, source), say::value_from_nowhere, i);
    });
  }

  // Checks the width of an access. A load or store touches one cell for each of its parts. An atomic touches
  // only one cell; its two parts are the cell's values before and after the atomic.
  void width(std::size_t i) const {
    const Event& e = t.events[i];
    const bool pair = is_atomic(e.kind);
    expect(e.width == 1 || e.width == 2 || e.width == 4 || e.width == 8 || e.width == 16, say::bad_width, i,
           e.width);
    expect(e.width == (pair ? 1 : e.parts) * bytes_of(t.cells_of(e), t), say::bad_parts_of_width, i, e.parts,
           e.width, bytes_of(t.cells_of(e), t));
  }

  // Returns the bytes that an access may touch if the access is not marked as outside.
  std::pair<std::int64_t, std::int64_t> memory_of(std::size_t i) const {
    const Event& e = t.events[i];
    if (is_global(e.kind)) {
      expect(e.buffer < t.buffers.size(), say::event_beyond_buffers, i, e.buffer, t.buffers.size());
      return {0, t.buffers[e.buffer].count * bytes_of(t.buffers[e.buffer].cells, t)};
    }
    const SharedShape& s = t.grids[e.grid].shared;
    expect(e.buffer <= s.more.size(), say::event_beyond_regions, i);
    if (e.buffer == 0) return {0, s.bytes_of_buffers(t.element_bytes())};
    const SharedRegion& r = s.more[e.buffer - 1u];
    return {r.first, r.first + r.count * bytes_of(r.cells, t)};
  }

  // Checks the limit most_waits. A tail launch waits for its parent p and for earlier descendants of p. So
  // launch i waits for at most i - p launches.
  void tail_launches() const {
    const bool together = std::any_of(t.events.begin(), t.events.end(), [](const Event& e) {
      return e.kind == Kind::launch && e.detail == static_cast<std::uint8_t>(ChildLaunch::fire_and_forget);
    });
    std::size_t waits = 0;
    for (std::size_t i = 0; together && i < t.grids.size(); ++i)
      if (const Grid& g = t.grids[i]; g.parent >= 0) waits += i - static_cast<std::size_t>(g.parent);
    expect(waits <= most_waits, say::many_tail_launches, t.grids.size());
  }

  bool origin_holds(std::size_t event, Origin o, int lane) const {
    if (o == 0) return true;
    if (origin_event(o) >= event) return false;
    const Event &from = t.events[origin_event(o)], &e = t.events[event];
    return has_lanes(from.kind) && from.grid == e.grid && from.block == e.block && from.warp == e.warp &&
           (from.mask >> lane & 1) != 0 && origin_part(o) < from.parts;
  }

  void snapshots() const {
    for (std::size_t i = 0; i < t.snapshots.size(); ++i) {
      const Snapshot& s = t.snapshots[i];
      expect(s.step < t.steps.size(), say::snapshot_beyond_steps, i, s.step, t.steps.size());
      const Grid& g = t.grid_of(s.step);
      expect(s.block < static_cast<std::uint32_t>(g.blocks) && s.bytes.size() == g.shared.bytes,
             say::snapshot_of_other_memory, i);
    }
  }

  void runs() const {
    for (std::size_t i = 0; i < t.runs.size(); ++i) {
      const BlockRun& r = t.runs[i];
      expect(r.grid < t.grids.size() && r.block < static_cast<std::uint32_t>(t.grids[r.grid].blocks),
             say::run_of_no_launch, r.block);
      expect(r.begin <= r.end && r.end < most_counted, say::ended_before_begin, r.block);
      expect(i == 0 || std::tuple(t.runs[i - 1].grid, t.runs[i - 1].block) < std::tuple(r.grid, r.block),
             say::runs_out_of_order);
    }
  }

  void counts() const {
    const auto lines = 1 + std::count(t.text.begin(), t.text.end(), '\n');
    for (std::size_t i = 0; i < t.counts.size(); ++i) {
      const Count& c = t.counts[i];
      expect(c.step < t.steps.size() && c.line >= 1 && c.line <= lines && known(c.kind, Kind::launch) &&
                 detail_known(c.kind, c.detail),
             say::totals_of_nothing);
      expect(std::max({c.requests, c.lanes, c.units, c.ideal}) < most_counted, say::totals_beyond_counting);
      const auto place = [](const Count& x) { return std::tuple(x.step, x.line, x.kind, x.detail); };
      expect(i == 0 || place(t.counts[i - 1]) < place(c), say::totals_out_of_order);
    }
  }

  void stop() const {
    expect(known(t.stopped.kind, Stop::not_resident), say::unknown_stop);
    const auto lines = 1 + std::count(t.text.begin(), t.text.end(), '\n');
    for (const StoppedThreads& p : t.stopped.places)
      expect(known(p.wait, Wait::statement) && p.line <= lines && p.grid < t.grids.size() &&
                 p.block <= INT32_MAX &&
                 std::all_of(p.threads.begin(), p.threads.end(), [](std::uint32_t i) { return i < 1024; }),
             say::stopped_nowhere);
  }

  const Trace& t;
};

}  // namespace

Message contradiction(const Trace& trace) {
  try {
    Check(trace).all();
  } catch (const Contradiction& c) { return c.what; }
  return {};
}

}  // namespace upsweep
