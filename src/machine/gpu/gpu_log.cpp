#include "machine/gpu/gpu_log.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <tuple>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "trace/kernel_text.hpp"

namespace upsweep {

namespace {

class Reader {
 public:
  Reader(const GpuLog& log, const std::vector<std::string>& kernels, Trace& trace)
      : log_(log), kernels_(kernels), trace_(trace) {}

  void read() {
    read_grids();
    read_steps();
    read_runs();
    read_events();
    read_snapshots();
    read_stops();
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  // Adds the grids. A launch of the host comes first, and all grids that it started (directly or through
  // other grids) follow, in the order in which they began. Leaves out grids that never began because the run
  // was stopped.
  void read_grids() {
    const std::size_t hosts = trace_.grids.size(), all = std::max(log_.grids.size(), hosts);
    std::vector<std::uint64_t> began(all, UINT64_MAX);
    for (const LogRun& r : log_.runs)
      if (r.grid < all) began[r.grid] = std::min<std::uint64_t>(began[r.grid], r.begin);
    std::vector<std::uint32_t> root(all), depth(all);
    for (std::uint32_t g = 0; g < all; ++g) {
      root[g] = g;
      while (root[g] >= hosts && depth[g] <= all) root[g] = log_.grids[root[g]].parent, ++depth[g];
    }
    std::vector<std::uint32_t> order;
    for (std::uint32_t g = 0; g < all; ++g)
      if (began[g] != UINT64_MAX || g == 0) order.push_back(g);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::tuple(root[a], a >= hosts, began[a], a) < std::tuple(root[b], b >= hosts, began[b], b);
    });
    grid_.assign(all, none);
    std::vector<Grid> grids;
    for (const std::uint32_t g : order) {
      grid_[g] = static_cast<std::uint32_t>(grids.size());
      if (g < hosts) {
        grids.push_back(trace_.grids[g]);
        continue;
      }
      const LogGrid& child = log_.grids[g];
      grids.push_back({.kernel = child.kernel < kernels_.size() ? kernels_[child.kernel] : "",
                       .blocks = static_cast<int>(child.blocks),
                       .threads = static_cast<int>(child.threads),
                       .shared = {},
                       .parent = static_cast<int>(child.parent),
                       .depth = static_cast<int>(depth[g])});
    }
    for (Grid& g : grids)
      if (g.parent >= 0) g.parent = static_cast<int>(grid_[static_cast<std::size_t>(g.parent)]);
    trace_.grids = std::move(grids);
  }
  // Converts a grid's index in the log into the grid's index in the trace. Returns `none` if the trace lacks
  // the grid.
  std::uint32_t grid(std::uint32_t raw) const { return raw < grid_.size() ? grid_[raw] : none; }

  // Adds the steps of all grids, and the counts. If the log has no phase for a step, the step gets the phase
  // of the previous step.
  void read_steps() {
    std::vector<std::map<std::uint32_t, const LogCount*>> labels(trace_.grids.size());
    const auto part = [](std::uint64_t key, int shift, std::uint64_t mask) {
      return static_cast<std::uint32_t>(key >> shift & mask);
    };
    for (const LogCount& c : log_.counts) {
      if (c.key == 0) continue;
      const std::uint32_t g = grid(part(c.key, 48, 0xffff) - 1);
      if (g != none && part(c.key, 0, 0xff) == log_step) labels[g][part(c.key, 24, 0xffffff)] = &c;
    }
    for (std::size_t g = 0; g < labels.size(); ++g) {
      Grid& grid = trace_.grids[g];
      grid.first_step = static_cast<std::uint32_t>(trace_.steps.size());
      grid.steps = labels[g].empty() ? 1 : labels[g].rbegin()->first + 1;
      Step label;
      for (std::uint32_t s = 0; s < grid.steps; ++s) {
        const auto known = labels[g].find(s);
        if (known != labels[g].end() && known->second->requests != 0)
          label = {phase(known->second->requests), static_cast<int>(known->second->lanes)};
        trace_.steps.push_back(label);
      }
    }
    for (const LogCount& c : log_.counts) {
      if (c.key == 0) continue;
      const std::uint32_t g = grid(part(c.key, 48, 0xffff) - 1), kind = part(c.key, 0, 0xff);
      if (g == none || kind == log_step) continue;
      trace_.counts.push_back({.step = trace_.grids[g].first_step + part(c.key, 24, 0xffffff),
                               .line = static_cast<std::uint16_t>(part(c.key, 8, 0xffff)),
                               .kind = static_cast<Kind>(kind & log_kind_mask),
                               .detail = static_cast<std::uint8_t>(kind >> log_kind_bits),
                               .requests = c.requests,
                               .lanes = c.lanes,
                               .units = c.units,
                               .ideal = c.ideal});
    }
    std::sort(trace_.counts.begin(), trace_.counts.end(), [](const Count& a, const Count& b) {
      return std::tuple(a.step, a.line, a.kind, a.detail) < std::tuple(b.step, b.line, b.kind, b.detail);
    });
  }

  // A label in the log is 1 + an index into phase_names, or log_phase() of a phase's name in the kernel's
  // text. Returns the phase for a label that is not 0.
  Phase phase(std::uint64_t label) {
    if (label <= std::size(phase_names)) return Phase(phase_names[label - 1]);
    if (own_phases_.empty())
      for (const std::string_view name : named_phases(trace_.text))
        own_phases_[log_phase(name.data(), static_cast<unsigned>(name.size()))] = Phase(name);
    const auto found = own_phases_.find(label);
    return found == own_phases_.end() ? Phase("unknown") : found->second;
  }

  void read_runs() {
    std::uint64_t first = UINT64_MAX, last = 0;
    for (const LogRun& r : log_.runs) {
      first = std::min<std::uint64_t>(first, r.begin);
      last = std::max<std::uint64_t>({last, r.begin, r.end});
    }
    began_ = first;
    for (const LogRun& r : log_.runs)
      if (grid(r.grid) != none)
        trace_.runs.push_back({.grid = static_cast<std::uint16_t>(grid(r.grid)),
                               .sm = static_cast<std::uint16_t>(r.sm),
                               .block = r.block,
                               .in_focus = r.in_focus != 0,
                               .begin = r.begin - first,
                               .end = (r.end == 0 ? last : r.end) - first});
    std::sort(trace_.runs.begin(), trace_.runs.end(), [](const BlockRun& a, const BlockRun& b) {
      return std::tuple(a.grid, a.block) < std::tuple(b.grid, b.block);
    });
  }

  // Returns the index of the region of a block's shared memory that contains this byte.
  static std::uint8_t region(const SharedShape& shape, std::uint32_t byte) {
    std::size_t r = 0;
    while (r < shape.more.size() && shape.more[r].first <= byte) ++r;
    return static_cast<std::uint8_t>(r);
  }

  // Sorts the events into canonical order: by grid, block, step, warp. The order of the events of one warp
  // does not change.
  void read_events() {
    std::vector<std::uint32_t> order;
    order.reserve(log_.events.size());
    for (std::uint32_t slot = 0; slot < log_.events.size(); ++slot)
      if (log_.events[slot].kind != 0xff && grid(log_.events[slot].grid) != none) order.push_back(slot);
    const auto key = [&](std::uint32_t slot) {
      const LogEvent& e = log_.events[slot];
      return std::tuple(grid(e.grid), e.block, e.step, e.warp, slot);
    };
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) < key(b); });
    event_.assign(log_.events.size(), none);
    for (std::uint32_t i = 0; i < order.size(); ++i) event_[order[i]] = i;
    trace_.dropped = (log_.state.next >> log_pool_bits) - order.size();

    trace_.events.reserve(order.size());
    for (const std::uint32_t slot : order) read_event(slot);
    read_clock(order.size());
    for (std::size_t g = 0; g < log_.grids.size(); ++g)
      if (grid(static_cast<std::uint32_t>(g)) != none && trace_.grids[grid_[g]].parent >= 0) {
        const std::uint32_t slot = log_.grids[g].slot;
        trace_.grids[grid_[g]].parent_event = slot < event_.size() ? event_[slot] : Grid::none;
      }
  }

  // Adds the GPU's clock at each of `count` events. A warp first gets a slot in the log for an event, and
  // then reads the clock. So the clocks of two warps may contradict the order of the slots. In this case, the
  // later slot gets the clock of the earlier slot.
  void read_clock(std::size_t count) {
    trace_.clock.assign(count, 0);
    const auto began = static_cast<std::uint32_t>(began_);
    std::uint64_t now = 0;
    for (std::size_t slot = 0; slot < event_.size(); ++slot) {
      if (event_[slot] == none) continue;
      const std::uint32_t since = log_.events[slot].clock - began - static_cast<std::uint32_t>(now);
      if (since < 1u << 31) now += since;
      trace_.clock[event_[slot]] = static_cast<std::uint32_t>(std::min<std::uint64_t>(now, UINT32_MAX));
    }
  }

  void read_event(std::uint32_t slot) {
    const LogEvent& e = log_.events[slot];
    const auto kind = static_cast<Kind>(e.kind);
    const Grid& g = trace_.grids[grid(e.grid)];
    trace_.events.push_back({.kind = kind,
                             .width = e.width,
                             .buffer = is_shared(kind) ? region(g.shared, e.base) : e.buffer,
                             .detail = e.detail,
                             .flags = e.flags,
                             .parts = e.parts,
                             .warp = e.warp,
                             .line = e.line,
                             .grid = static_cast<std::uint16_t>(grid(e.grid)),
                             .block = e.block,
                             .step = g.first_step + e.step,
                             .mask = e.mask,
                             .first = static_cast<std::uint32_t>(trace_.lanes.size()),
                             .time = slot});
    if (!has_lanes(kind)) return;
    const bool given = is_store(kind) || is_atomic(kind) || kind == Kind::shuffle || kind == Kind::operation;
    const bool two = kind == Kind::operation;
    const unsigned entries = static_cast<unsigned>(std::popcount(e.mask)) * e.parts;
    const unsigned value_bytes = is_atomic(kind) ? e.width : e.width / e.parts;
    const LogShape shape = log_shape(entries, value_bytes, kind != Kind::operation, given, two);
    const std::uint32_t* data = log_.pool.data() + e.first;
    for (unsigned i = 0; i < entries; ++i) {
      Lane lane;
      if (kind != Kind::operation) std::memcpy(&lane.address, data + shape.addresses + 2 * i, 8);
      if (kind == Kind::launch && lane.address >= 0) {
        const std::uint32_t child = grid(static_cast<std::uint32_t>(lane.address));
        lane.address = child == none ? -1 : static_cast<std::int64_t>(child);
      }
      if (given) lane.left = renumbered(data[shape.left + i]);
      if (two) lane.right = renumbered(data[shape.right + i]);
      Value value{};
      std::memcpy(value.data(), data + shape.values + i * log_value_words(value_bytes), value_bytes);
      trace_.lanes.push_back(lane);
      trace_.values.push_back(value);
    }
  }

  // An origin names the event that produced a value. Converts an origin of the log into an origin of the
  // trace. Returns 0 if the trace does not have this event.
  Origin renumbered(std::uint32_t o) const {
    if (o == 0) return 0;
    const std::uint32_t slot = origin_event(o);
    return slot < event_.size() && event_[slot] != none ? origin_of(event_[slot], origin_part(o)) : 0;
  }

  // For each block in focus, adds a snapshot of shared memory for each step that began at a barrier. If a
  // byte was never stored, the snapshot has 0 for this byte, because a GPU does not initialise shared memory.
  void read_snapshots() {
    std::vector<const LogSnapshot*> order;
    for (const LogSnapshot& s : log_.snapshots)
      if (grid(s.grid) != none) order.push_back(&s);
    const auto key = [&](const LogSnapshot* s) { return std::tuple(grid(s->grid), s->block, s->step); };
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) < key(b); });
    auto event = trace_.events.begin();
    std::vector<bool> stored;  // a flag for each byte of the block's shared memory
    std::pair<std::uint32_t, std::uint32_t> block{none, none};
    for (const LogSnapshot* s : order) {
      const Grid& g = trace_.grids[grid(s->grid)];
      const std::uint32_t step = g.first_step + s->step;
      const std::pair here{grid(s->grid), s->block};
      if (here != block) stored.assign(g.shared.bytes, false);
      block = here;
      for (; event != trace_.events.end() &&
             std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>(event->grid, event->block, event->step) <
                 std::tuple(here.first, here.second, step);
           ++event) {
        if (event->grid != here.first || event->block != here.second) continue;
        if (event->kind != Kind::shared_store && event->kind != Kind::shared_atomic) continue;
        const int bytes = is_atomic(event->kind) ? event->width : event->width / event->parts;
        for_each_lane(*event, [&](int, std::uint32_t entry) {
          const std::int64_t at = trace_.lanes[entry].address;
          if (at >= 0 && at + bytes <= static_cast<std::int64_t>(stored.size()))
            std::fill_n(stored.begin() + at, bytes, true);
        });
      }
      Snapshot snapshot{.block = s->block, .step = step, .bytes = std::vector<std::uint8_t>(stored.size())};
      const auto* from = reinterpret_cast<const std::uint8_t*>(log_.pool.data() + s->first);
      for (std::size_t i = 0; i < stored.size(); ++i)
        if (stored[i]) snapshot.bytes[i] = from[i];
      trace_.snapshots.push_back(std::move(snapshot));
    }
  }

  // If the run was stopped, sets the reason. The reason is a loop that ran too long, or threads that waited
  // for ever.
  void read_stops() {
    if (log_.state.want_stop == run_on) return;
    Stopped& stopped = trace_.stopped;
    const auto known_grid = [&](const LogStop& s) { return grid(s.grid) == none ? 0 : grid(s.grid); };
    for (const LogStop& s : log_.stops)
      if (s.why == stopped_for_trips) {
        const bool never_ends = KernelText(trace_.text).never_ends(static_cast<int>(s.line));
        stopped.kind = never_ends ? Stop::endless_loop : Stop::round_limit;
        stopped.places = {{Wait::none, s.line, known_grid(s), s.block, {s.thread}}};
        return;
      }
    stopped.kind = Stop::deadlock;
    // A deadlock can have several reasons. Leaves out threads that wait only for lanes of their own warp,
    // unless all waiting threads do so.
    const bool any = std::any_of(log_.stops.begin(), log_.stops.end(),
                                 [](const LogStop& s) { return s.why != stopped_behind_lanes; });
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>,
             std::vector<std::uint32_t>>
        groups;
    for (const LogStop& s : log_.stops)
      if (!any || s.why != stopped_behind_lanes)
        groups[{known_grid(s), s.block, s.why, s.line}].push_back(s.thread);
    for (auto& [place, threads] : groups) {
      const auto& [grid, block, why, line] = place;
      static constexpr Wait waits[] = {Wait::barrier, Wait::warp_barrier, Wait::loop, Wait::statement};
      std::sort(threads.begin(), threads.end());
      stopped.places.push_back({waits[why], line, grid, block, std::move(threads)});
    }
  }

  const GpuLog& log_;
  const std::vector<std::string>& kernels_;
  Trace& trace_;
  std::map<std::uint64_t, Phase> own_phases_;  // the kernel's own phases; each key is log_phase() of a name
  std::vector<std::uint32_t> grid_;            // a grid's index in the trace, by the grid's index in the log
  std::vector<std::uint32_t> event_;  // an event's index in the trace, by the event's slot in the log
  std::uint64_t began_ = 0;           // the GPU's clock when the first block began
};

}  // namespace

void expect_countable(const Log& state) {
  if (state.overflowed != 0) throw WorkError(say::too_many_events(std::int64_t{log_most_events}));
}

void read_log(const GpuLog& log, const std::vector<std::string>& kernels, Trace& trace) {
  expect_countable(log.state);
  Reader(log, kernels, trace).read();
}

}  // namespace upsweep
