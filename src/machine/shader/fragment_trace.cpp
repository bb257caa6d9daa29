#include "machine/shader/fragment_trace.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

#include "trace/requests.hpp"

namespace upsweep {
namespace {

Kind kind_of(FragmentEvent::Kind k) {
  return k == FragmentEvent::Kind::fetch       ? Kind::global_load
         : k == FragmentEvent::Kind::operation ? Kind::operation
                                               : Kind::global_store;
}

// Returns the value of the pass's parameter `stride`, or 0 if the pass has no such parameter.
int stride_of(const PlannedLaunch& launch, const KernelSignature& pass) {
  const auto found = std::ranges::find(pass.names, "stride");
  if (found == pass.names.end()) return 0;
  return static_cast<int>(launch.arguments[static_cast<std::size_t>(found - pass.names.begin())].number);
}

}  // namespace

struct FragmentTrace::Together {
  FragmentEvent event;  // the event of the lowest lane
  int buffer = 0;       // an index into Trace::buffers; not used (0) for an operation
  std::uint32_t mask = 0;
  std::array<FragmentEvent, 32> of_lane{};
  std::array<int, 32> index{};  // for each lane: 1 + the event's index in its fragment
  bool outside = false;         // true if a lane's texel is not in the buffer

  bool is_access() const { return event.kind() != FragmentEvent::Kind::operation; }
  template <class F>
  void for_each(F f) const {
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
      f(static_cast<std::size_t>(std::countr_zero(rest)));
  }
};

FragmentTrace::FragmentTrace(Trace& trace, const RecordOptions& options) : trace_(trace), options_(options) {
  trace_.grids.clear();
  trace_.span = 0;
  for (const GlobalBuffer& b : trace_.buffers) depths_.emplace_back(static_cast<std::size_t>(b.count));
}

void FragmentTrace::begin_pass(const PlannedLaunch& launch, const KernelSignature& pass) {
  end_pass();
  arguments_ = pass_arguments(pass, launch);
  block_ = 0;
  trace_.grids.push_back({.kernel = launch.kernel,
                          .blocks = launch.blocks,
                          .threads = launch.threads,
                          .shared = launch.shared,
                          .first_step = static_cast<std::uint32_t>(trace_.steps.size()),
                          .steps = 1});
  trace_.steps.push_back({Phase(std::string_view(pass.name)), stride_of(launch, pass)});
  trace_.operating.push_back(0);
}

void FragmentTrace::end_pass() {
  std::ranges::sort(counts_, {}, [](const Count& c) { return std::tuple(c.line, c.kind); });
  trace_.counts.insert(trace_.counts.end(), counts_.begin(), counts_.end());
  counts_.clear();
}

void FragmentTrace::add(const DrawnEvents& drawn, std::int64_t count) {
  const int threads = trace_.grids.back().threads;
  for (std::int64_t first = 0; first < count; first += threads)
    add_block(drawn, static_cast<std::size_t>(first),
              static_cast<int>(std::min<std::int64_t>(threads, count - first)));
}

void FragmentTrace::add_block(const DrawnEvents& drawn, std::size_t first, int threads) {
  BlockRun run{.grid = static_cast<std::uint16_t>(trace_.grids.size() - 1), .block = block_, .begin = time_};
  run.in_focus = block_ >= options_.first_block && block_ - options_.first_block < options_.blocks;
  for (int warp = 0; 32 * warp < threads; ++warp)
    add_warp(drawn, first + static_cast<std::size_t>(32 * warp), std::min(32, threads - 32 * warp), warp,
             run.in_focus);
  run.end = time_;
  trace_.runs.push_back(run);
  ++block_;
}

void FragmentTrace::add_warp(const DrawnEvents& drawn, std::size_t first, int lanes, int warp,
                             bool in_focus) {
  std::array<std::size_t, 32> next{};
  // depth[lane][i + 1] and made[lane][i + 1] describe the value that event i of the lane's fragment produced.
  // `depth` is the length of the longest chain of operations that led to the value. `made` names the event of
  // the trace that produced the value.
  std::array<std::array<std::uint32_t, most_fragment_events + 1>, 32> depth{};
  std::array<std::array<Origin, most_fragment_events + 1>, 32> made{};
  const auto upcoming = [&](std::size_t lane) -> const FragmentEvent* {
    if (next[lane] == most_fragment_events) return nullptr;
    const FragmentEvent& e = drawn[next[lane]][first + lane];
    return e.kind() == FragmentEvent::Kind::none ? nullptr : &e;
  };
  std::uint32_t operating = 0;
  for (;;) {
    // The lanes whose next event has the lowest line go on first. So lanes reconverge after a branch.
    const FragmentEvent* earliest = nullptr;
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(lanes); ++lane)
      if (const FragmentEvent* e = upcoming(lane); e && (!earliest || e->line() < earliest->line()))
        earliest = e;
    if (!earliest) break;
    Together t{.event = *earliest};
    if (t.is_access())
      t.buffer = t.event.kind() == FragmentEvent::Kind::write
                     ? arguments_.target
                     : arguments_.textures.at(static_cast<std::size_t>(t.event.which()));
    const auto texels = static_cast<std::int64_t>(depths_[static_cast<std::size_t>(t.buffer)].size());
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(lanes); ++lane) {
      const FragmentEvent* e = upcoming(lane);
      if (!e || e->what != earliest->what) continue;
      t.mask |= 1u << lane;
      t.of_lane[lane] = *e;
      t.index[lane] = static_cast<int>(++next[lane]);
      const bool inside = e->place >= 0 && e->place < texels;
      std::uint32_t& here = depth[lane][next[lane]];
      const auto left = static_cast<std::size_t>(e->left()), right = static_cast<std::size_t>(e->right());
      if (!t.is_access()) {
        here = std::max(depth[lane][left], depth[lane][right]) + 1;
        operating |= 1u << lane;
      } else if (!inside) {
        t.outside = true;
      } else if (t.event.kind() == FragmentEvent::Kind::fetch) {
        here = depths_[static_cast<std::size_t>(t.buffer)][static_cast<std::size_t>(e->place)];
      } else {
        depths_[static_cast<std::size_t>(t.buffer)][static_cast<std::size_t>(e->place)] = depth[lane][left];
      }
      trace_.span = std::max<std::int64_t>(trace_.span, here);
      if (next[lane] == most_fragment_events && e->some_lost()) ++trace_.dropped;
    }
    count(t);
    if (in_focus) record(t, warp, made);
  }
  trace_.operating.back() += static_cast<std::uint32_t>(std::popcount(operating));
}

void FragmentTrace::count(const Together& t) {
  const auto line = static_cast<std::uint16_t>(t.event.line());
  const Kind kind = kind_of(t.event.kind());
  auto at = std::ranges::find_if(counts_, [&](const Count& c) { return c.line == line && c.kind == kind; });
  if (at == counts_.end())
    at = counts_.insert(at, {.step = trace_.grids.back().first_step, .line = line, .kind = kind});
  ++at->requests;
  at->lanes += static_cast<std::uint64_t>(std::popcount(t.mask));
  if (!t.is_access()) return;
  const int width = trace_.element_bytes();
  std::array<std::int64_t, 32> addresses{};
  t.for_each([&](std::size_t lane) { addresses[lane] = std::int64_t{t.of_lane[lane].place} * width; });
  const SectorCost cost = sector_cost(width, t.mask, addresses);
  at->units += static_cast<std::uint64_t>(cost.sectors);
  at->ideal += static_cast<std::uint64_t>(cost.ideal);
}

void FragmentTrace::record(const Together& t, int warp,
                           std::array<std::array<Origin, most_fragment_events + 1>, 32>& made) {
  const int width = trace_.element_bytes();
  const auto number = static_cast<std::uint32_t>(trace_.events.size());
  trace_.events.push_back({.kind = kind_of(t.event.kind()),
                           .width = static_cast<std::uint8_t>(width),
                           .buffer = static_cast<std::uint8_t>(t.buffer),
                           .flags = t.outside ? is_outside : std::uint8_t{},
                           .warp = static_cast<std::uint16_t>(warp),
                           .line = static_cast<std::uint16_t>(t.event.line()),
                           .grid = static_cast<std::uint16_t>(trace_.grids.size() - 1),
                           .block = block_,
                           .step = trace_.grids.back().first_step,
                           .mask = t.mask,
                           .first = static_cast<std::uint32_t>(trace_.lanes.size()),
                           .time = time_++});
  t.for_each([&](std::size_t lane) {
    const FragmentEvent& e = t.of_lane[lane];
    trace_.lanes.push_back({t.is_access() ? std::int64_t{e.place} * width : 0,
                            made[lane][static_cast<std::size_t>(e.left())],
                            made[lane][static_cast<std::size_t>(e.right())]});
    trace_.values.push_back({e.bits});
    made[lane][static_cast<std::size_t>(t.index[lane])] = origin_of(number);
  });
}

}  // namespace upsweep
