#include "analysis/key_pass.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <unordered_map>

#include "analysis/block_index.hpp"
#include "analysis/memory.hpp"
#include "analysis/recording.hpp"
#include "analysis/unrecorded_stores.hpp"

namespace upsweep {
namespace {

// Finds the first access to elements in a grid: a load or a store, as `kind` says. Returns the buffer of this
// access, or -1 if there is no such access.
int key_buffer(const Trace& trace, int grid, Kind kind) {
  const auto begin = std::partition_point(trace.events.begin(), trace.events.end(),
                                          [&](const Event& e) { return e.grid < grid; });
  for (auto e = begin; e != trace.events.end() && e->grid == grid; ++e)
    if (e->kind == kind && trace.cells_of(*e) == Cells::elements) return e->buffer;
  return -1;
}

// The launches that move keys through global memory, in the order of the run. A launch moves keys if its
// kernel may store elements. Each of these launches reads the buffer to which the previous launch has stored.
class KeyLaunches {
 public:
  explicit KeyLaunches(const Trace& trace) {
    for (int g = 0; g < static_cast<int>(trace.grids.size()); ++g) {
      next_.push_back(static_cast<int>(all_.size()));
      if (!may_store(trace, g, Cells::elements)) continue;
      const KeyPass::Kind kind = has_phase(trace, g, Phase::split)   ? KeyPass::Kind::split
                                 : has_phase(trace, g, Phase::merge) ? KeyPass::Kind::merge
                                                                     : KeyPass::Kind::digit;
      int number = 0;
      for (const Launch& before : all_) number += before.kind == kind;
      all_.push_back({g, kind, number, key_buffer(trace, g, Kind::global_load),
                      key_buffer(trace, g, Kind::global_store)});
    }
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (all_[i].from < 0) all_[i].from = i == 0 ? 0 : all_[i - 1].to;
      if (all_[i].to < 0 && i + 1 < all_.size()) all_[i].to = all_[i + 1].from;
      if (all_[i].to < 0 && i + 1 == all_.size()) all_[i].to = trace.roles().first_output();
    }
  }

  struct Launch {
    int grid;
    KeyPass::Kind kind;  // if `split`, each block first loads its chunk, and stores its chunk at the end
    int number;          // the launch's index among all launches of this kind
    int from, to;        // indices into Trace::buffers; -1 if the recording does not show the buffer
  };
  // Returns the first launch at or after `grid` that moves keys, or null if there is no such launch.
  const Launch* at(int grid) const {
    const auto next = static_cast<std::size_t>(next_[static_cast<std::size_t>(grid)]);
    return next < all_.size() ? &all_[next] : nullptr;
  }
  const Launch* before(const Launch& launch) const { return &launch == all_.data() ? nullptr : &launch - 1; }
  int count(KeyPass::Kind kind) const {
    return static_cast<int>(
        std::count_if(all_.begin(), all_.end(), [&](const Launch& l) { return l.kind == kind; }));
  }

 private:
  std::vector<Launch> all_;
  std::vector<int> next_;
};

class PassReader {
 public:
  PassReader(const Recording& recording, int block, int step, const Job* job)
      : r_(recording), trace_(recording.trace), launches_(trace_), block_(block), step_(step), job_(job) {}

  std::optional<KeyPass> read() {
    const int grid = grid_index(trace_, step_);
    const KeyLaunches::Launch* launch = launches_.at(grid);
    if (!launch) return {};
    grid_ = launch->grid;
    if (launch->kind == KeyPass::Kind::split) read_chunk(*launch);
    else read_launch(*launch);
    check();
    note_facts();
    note_equal_pair();
    check();
    match();
    thin_out(pass_.before);
    thin_out(pass_.after);
    return std::move(pass_);
  }

 private:
  const Grid& grid() const { return trace_.grids[static_cast<std::size_t>(grid_)]; }
  void check() const {
    if (job_) job_->check();
  }
  const Step& label(int step) const { return trace_.steps[static_cast<std::size_t>(step)]; }
  std::uint32_t order(const KeyPass::Key& k) const {
    return k.element < r_.order.size() ? r_.order[k.element] : 0;
  }

  // --- passes of whole launches

  void read_launch(const KeyLaunches::Launch& launch) {
    pass_.kind = launch.kind;
    pass_.number = launch.number;
    pass_.count = launches_.count(launch.kind);
    pass_.from.buffer = launch.from;
    pass_.to.buffer = launch.to;
    const KeyLaunches::Launch* before = launches_.before(launch);
    pass_.first_step = before ? end_step(trace_, before->grid) : 0;
    pass_.last_step = end_step(trace_, launch.grid) - 1;
    if (launch.kind == KeyPass::Kind::merge) {
      pass_.run_length = 2 * trace_.grids[0].threads << launch.number;
    } else if (32 % pass_.count == 0 && !trace_.stopped) {
      pass_.bits = 32 / pass_.count;
      pass_.low_bit = pass_.bits * launch.number;
    }
    const std::int64_t all = trace_.settings.n;
    pass_.before = global_keys(launch.from, 0, all, pass_.first_step - 1, -1);
    pass_.after = global_keys(launch.to, 0, all, pass_.last_step, pass_.first_step);
  }

  // --- passes of a block in shared memory

  void read_chunk(const KeyLaunches::Launch& launch) {
    const int begin = static_cast<int>(grid().first_step), end = end_step(trace_, grid_);
    int first = begin, last = end - 1;
    while (first < end && label(first).phase != Phase::compare) ++first;  // the first step of the first split
    while (last > first && label(last).phase == Phase::store) --last;
    // A block stops as soon as its chunk is sorted. The block may store its chunk while other blocks still
    // move keys. So the block's pass ends before this store.
    const int stored = first_store();
    if (stored > first) last = std::min(last, stored - 1);
    const std::int64_t chunk = grid().shared.elements, at = chunk * block_,
                       size = std::clamp<std::int64_t>(trace_.settings.n - at, 0, chunk);
    if (step_ < first) {
      pass_.first_step = begin;
      pass_.last_step = first - 1;
      pass_.from = {launch.from, at};
      pass_.before = global_keys(launch.from, at, size, begin - 1, -1);
      pass_.after = shared_keys(size, first - 1, begin);
    } else if (step_ > last) {
      pass_.kind = KeyPass::Kind::store;
      pass_.first_step = last + 1;
      pass_.last_step = end - 1;
      pass_.to = {launch.to, at};
      pass_.before = shared_keys(size, last, -1);
      pass_.after = global_keys(launch.to, at, size, end - 1, last + 1);
    } else {
      pass_.kind = KeyPass::Kind::split;
      pass_.first_step = step_;
      while (label(pass_.first_step).phase != Phase::compare) --pass_.first_step;
      pass_.last_step = step_;
      while (pass_.last_step < last && label(pass_.last_step + 1).phase != Phase::compare) ++pass_.last_step;
      pass_.low_bit = pass_.number = label(pass_.first_step).stride;
      pass_.bits = 1;
      pass_.count = 32;
      pass_.before = shared_keys(size, pass_.first_step - 1, -1);
      pass_.after = shared_keys(size, pass_.last_step, pass_.first_step);
      read_counts(size);
    }
  }

  // Returns the step in which the block begins to store keys to global memory; -1 if no such store is
  // recorded.
  int first_store() const {
    const EventRange range = block_events(trace_, grid_, block_);
    for (std::size_t i = range.first; i < range.last; ++i) {
      const Event& e = trace_.events[i];
      if (e.kind == Kind::global_store && trace_.cells_of(e) == Cells::elements)
        return static_cast<int>(e.step);
    }
    return -1;
  }

  // Reads the flags from the memory after the step that stores them. Reads the scan of the flags from the
  // memory after the shown step.
  void read_counts(std::int64_t size) {
    int made = pass_.first_step;
    while (made < pass_.last_step && label(made).phase != Phase::split) ++made;
    if (step_ < made || label(made).phase != Phase::split) return;
    pass_.flags = counts(grid().shared.elements, made, size);
    if (step_ == made) return;
    pass_.scan = counts(grid().shared.elements, step_, size);
    pass_.scan_finished = !pass_.scan.empty() && is_final(region_of(Cells::counts, grid().shared.elements));
    if (const auto zeros = counts(1, step_, 1); !zeros.empty()) pass_.zeros = zeros[0];
  }

  // Returns the region that has `count` cells of this kind and does not hold the keys. Returns 0 if there is
  // no such region.
  int region_of(Cells cells, int count) const {
    const auto& more = grid().shared.more;
    const auto found = std::ranges::find_if(more, [&](const SharedRegion& r) {
      return r.cells == cells && r.count == static_cast<std::uint32_t>(count);
    });
    return found == more.end() ? 0 : static_cast<int>(found - more.begin()) + 1;
  }

  // Returns the first `size` counts of the region with `count` counts, after a step. A count has no value if
  // this pass has not stored the count yet.
  std::vector<std::optional<std::uint32_t>> counts(int count, int step, std::int64_t size) const {
    std::vector<std::optional<std::uint32_t>> found;
    const int region = region_of(Cells::counts, count);
    for (const Cell& c : memory_after(step)) {
      if (c.region == 0 || c.region != region) continue;
      if (std::ssize(found) == size) break;
      const bool of_pass =
          c.known && c.writer > 0 && static_cast<int>(trace_.events[c.writer - 1].step) >= pass_.first_step;
      found.push_back(of_pass ? std::optional(c.value[0]) : std::nullopt);
    }
    return found;
  }

  // Returns whether a region has its final contents: the pass stores nothing in it after the shown step.
  bool is_final(int region) const {
    const std::vector<Cell> now = memory_after(step_), end = memory_after(pass_.last_step);
    return std::ranges::equal(
        now, end, [&](const Cell& a, const Cell& b) { return a.region != region || a.writer == b.writer; });
  }

  std::vector<Cell> memory_after(int step) const {
    return r_.block(grid_, block_).memory_at(trace_, step_events(trace_, block_, step).last);
  }

  // --- keys in memory after a step, without keys that were stored before step `since`

  std::vector<KeyPass::Key> shared_keys(std::int64_t size, int step, int since) const {
    std::vector<KeyPass::Key> keys(static_cast<std::size_t>(size));
    const int values = region_of(Cells::words, grid().shared.elements);
    for (const Cell& c : memory_after(step)) {
      const bool is_value = c.region > 0 && c.region == values;
      if ((c.region > 0 && !is_value) || c.element < 0 || c.element >= size || !c.known || c.writer == 0)
        continue;
      const Event& e = trace_.events[c.writer - 1];
      if (static_cast<int>(e.step) < since) continue;
      KeyPass::Key& k = keys[static_cast<std::size_t>(c.element)];
      if (is_value) k.value = c.value;
      else k = key_of(c.value, c.writer - 1, c.writer_thread % 32, c.byte);
    }
    return numbered(std::move(keys));
  }

  std::vector<KeyPass::Key> global_keys(int buffer, std::int64_t first, std::int64_t size, int step,
                                        int since) const {
    std::vector<KeyPass::Key> keys(static_cast<std::size_t>(size));
    for_each_stored(buffer, step, since, first, size, [&](std::size_t i, const GlobalState::Cell& c) {
      const std::int64_t at = first + static_cast<std::int64_t>(i);
      const bool is_input = trace_.roles().of(buffer) == BufferRole::input;
      if (c.writer > 0) keys[i] = key_of(c.value, c.writer - 1, c.lane, at * trace_.element_bytes());
      else
        keys[i] = {.known = true,
                   .element = is_input ? static_cast<std::uint32_t>(at) : Moves::none,
                   .key = c.value};
    });
    if (has_values(buffer))
      for_each_stored(buffer + 1, step, since, first, size,
                      [&](std::size_t i, const GlobalState::Cell& c) { keys[i].value = c.value; });
    return numbered(std::move(keys));
  }

  // Returns whether the next buffer holds the values that belong to the keys of this buffer.
  bool has_values(int buffer) const {
    const auto next = static_cast<std::size_t>(buffer) + 1;
    return next < trace_.buffers.size() && trace_.buffers[next].cells == Cells::words &&
           trace_.buffers[next].count == trace_.settings.n;
  }

  static std::vector<KeyPass::Key> numbered(std::vector<KeyPass::Key> keys) {
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i].index = static_cast<std::int64_t>(i);
    return keys;
  }

  template <class F>
  void for_each_stored(int buffer, int step, int since, std::int64_t first, std::int64_t size, F f) const {
    if (buffer < 0 || buffer >= static_cast<int>(trace_.buffers.size())) return;
    check();
    const GlobalState& state = r_.global(buffer, step, job_);
    for (std::size_t i = 0; i < static_cast<std::size_t>(size); ++i) {
      const std::size_t at = static_cast<std::size_t>(first) + i;
      if (at >= state.cells.size()) return;
      const GlobalState::Cell& c = state.cells[at];
      const int stored = c.writer > 0 ? static_cast<int>(trace_.events[c.writer - 1].step) : -1;
      const bool in_time =
          stored >= since || (c.writer == 0 && step >= static_cast<int>(trace_.steps.size()) - 1);
      if (c.known && in_time) f(i, c);
    }
  }

  KeyPass::Key key_of(const Value& value, std::uint32_t event, int lane, std::int64_t byte) const {
    const std::uint32_t entry = entry_at(trace_, trace_.events[event], lane, byte);
    return {.known = true,
            .element = entry == Moves::none ? Moves::none : r_.moves().element[entry],
            .key = value,
            .event = event,
            .lane = lane,
            .arrived = static_cast<int>(trace_.events[event].step) <= step_};
  }

  // --- facts about all keys

  void note_facts() {
    pass_.size = std::ssize(pass_.before);
    std::uint32_t different = 0;
    for (const std::uint32_t bits : r_.order) different |= bits ^ r_.order[0];
    pass_.varying_bits = static_cast<int>(std::bit_width(different));
    const auto later = [&](const KeyPass::Key& a, const KeyPass::Key& b) { return order(a) > order(b); };
    pass_.known = std::ranges::count_if(
        pass_.before, [&](const KeyPass::Key& k) { return k.known && k.element < r_.order.size(); });
    pass_.in_order =
        pass_.known == pass_.size && std::ranges::adjacent_find(pass_.before, later) == pass_.before.end();
    pass_.stable = equal_keys_in_order(pass_.after, r_.order);
    for (const KeyPass::Key& k : pass_.before)
      if (k.element < r_.order.size()) pass_.digits.push_back(pass_.digit(order(k)));
    std::sort(pass_.digits.begin(), pass_.digits.end());
    pass_.digits.erase(std::unique(pass_.digits.begin(), pass_.digits.end()), pass_.digits.end());
  }

  // Finds the place of each key after the pass.
  void match() {
    std::vector<std::uint32_t> at(r_.order.size(), Moves::none);  // for each element: its index in `after`
    for (const KeyPass::Key& k : pass_.after)
      if (k.known && k.element < at.size()) at[k.element] = static_cast<std::uint32_t>(k.index);
    for (KeyPass::Key& k : pass_.before) {
      k.event = Moves::none;
      k.arrived = false;
      if (!k.known || k.element >= at.size() || at[k.element] == Moves::none) continue;
      KeyPass::Key& moved = pass_.after[at[k.element]];
      moved.place = k.index;
      k.place = moved.index;
      k.event = moved.event;
      k.lane = moved.lane;
      k.arrived = moved.arrived;
      pass_.moved += 1;
    }
    pass_.places_known =
        pass_.moved > 0 && (pass_.scan_finished || std::ranges::all_of(pass_.before, [](const auto& k) {
                              return k.place < 0 || k.arrived;
                            }));
  }

  void note_equal_pair() {
    std::vector<std::uint32_t> elements;
    for (const KeyPass::Key& k : pass_.before)
      if (k.known && k.element < r_.order.size()) elements.push_back(k.element);
    std::sort(elements.begin(), elements.end());
    std::unordered_map<std::uint32_t, std::uint32_t> last;  // for each value: its last element so far
    std::uint32_t farthest = 0;
    for (const std::uint32_t e : elements) {
      const auto before = last.try_emplace(r_.order[e], e).first;
      if (e - before->second > farthest) {
        farthest = e - before->second;
        pass_.equal_pair = {before->second, e};
      }
      before->second = e;
    }
  }

  static void thin_out(std::vector<KeyPass::Key>& keys) {
    const std::int64_t all = std::ssize(keys);
    if (all <= KeyPass::most_keys) return;
    for (std::int64_t i = 0; i < KeyPass::most_keys; ++i)
      keys[static_cast<std::size_t>(i)] = keys[static_cast<std::size_t>(i * all / KeyPass::most_keys)];
    keys.resize(KeyPass::most_keys);
    keys.shrink_to_fit();
  }

  const Recording& r_;
  const Trace& trace_;
  const KeyLaunches launches_;
  const int block_, step_;
  const Job* job_;
  int grid_ = 0;  // index into Trace::grids: the launch that moves the keys
  KeyPass pass_;
};

}  // namespace

std::optional<KeyPass> key_pass(const Recording& recording, int block, int step, const Job* job) {
  const Trace& trace = recording.trace;
  if (recording.order.empty() || trace.buffers.empty() || step < 0 ||
      step >= static_cast<int>(trace.steps.size()))
    return {};
  return PassReader(recording, block, step, job).read();
}

bool equal_keys_in_order(const std::vector<KeyPass::Key>& keys, const std::vector<std::uint32_t>& order) {
  std::unordered_map<std::uint32_t, std::uint32_t>
      last;  // for each value in `order`: the index in the input of the last key with this value
  for (const KeyPass::Key& k : keys) {
    if (!k.known || k.element >= order.size()) continue;
    const auto [before, is_first] = last.try_emplace(order[k.element], k.element);
    if (!is_first && before->second > k.element) return false;
    before->second = k.element;
  }
  return true;
}

}  // namespace upsweep
