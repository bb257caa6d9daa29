#include "analysis/block_protocol.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>

#include "analysis/memory.hpp"

namespace upsweep {
namespace {

// Returns whether the event accesses words in global memory, alone or as parts of messages. Kernels use such
// words as marks, for example for the status of a tile.
bool touches_marks(const Trace& trace, const Event& e) {
  return is_global(e.kind) && is_signal(trace.cells_of(e));
}
std::uint32_t mark(const Trace& trace, const Event& e, std::uint32_t entry) {
  const Cells cells = trace.cells_of(e);
  const int word = is_message(cells) ? mark_of_message(cells, trace.element_bytes()) : 0;
  return trace.values[entry][static_cast<std::size_t>(word)];
}
int cell(const Trace& trace, const Event& e, std::uint32_t entry) {
  return static_cast<int>(trace.lanes[entry].address / cell_bytes(e));
}
bool is_seen_by_others(const Event& e) { return is_atomic(e.kind) || (e.flags & is_volatile) != 0; }

EventRange grid_events(const Trace& trace, int grid) {
  return {block_events(trace, grid, 0).first, block_events(trace, grid + 1, 0).first};
}

// Finds two buffers: the status buffer, in which blocks store to the most words (at least two), and the
// counter from which blocks draw their numbers.
void find_buffers(const Trace& trace, EventRange range, BlockProtocol& talk) {
  std::map<int, std::set<std::int64_t>> stored;
  for (std::size_t i = range.first; i < range.last; i++) {
    const Event& e = trace.events[i];
    if (!touches_marks(trace, e) || !is_seen_by_others(e)) continue;
    if (is_atomic(e.kind) && static_cast<Atomic>(e.detail) == Atomic::add) talk.counter = e.buffer;
    if (is_store(e.kind))
      for_each_lane(e, [&](int, std::uint32_t at) { stored[e.buffer].insert(trace.lanes[at].address); });
  }
  std::size_t most = 1;
  for (const auto& [buffer, words] : stored)
    if (words.size() > most) {
      most = words.size();
      talk.status = buffer;
    }
}

// Finds the names of values in the kernel's text. For example, "const unsigned sum_known = 1, prefix_known =
// 2;" names two values.
void find_names(const Trace& trace, BlockProtocol& talk) {
  constexpr std::string_view beginning = "const unsigned ";
  const std::string_view text = trace.text;
  for (std::size_t at = text.find(beginning); at != text.npos; at = text.find(beginning, at + 1)) {
    std::string_view list = text.substr(at + beginning.size());
    const std::size_t end = list.find_first_of(";\n");
    if (end == list.npos || list[end] != ';') continue;
    list = list.substr(0, end);
    for (std::size_t sign = list.find(" = "); sign != list.npos; sign = list.find(" = ", sign + 1)) {
      std::uint32_t value = 0;
      const char* digits = list.data() + sign + 3;
      if (std::from_chars(digits, list.data() + list.size(), value).ec != std::errc()) continue;
      const std::size_t before = list.find_last_of(" ,", sign - 1);
      std::string name(list.substr(before + 1, sign - before - 1));  // if `before` is npos, before + 1 is 0
      std::replace(name.begin(), name.end(), '_', ' ');
      talk.names[value] = name;
    }
  }
}

void note_event(const Trace& trace, const Event& e, const BlockProtocol& talk, BlockProtocol::Block& b) {
  b.first = std::min(b.first, e.time);
  b.last = std::max(b.last, e.time);
  if (!touches_marks(trace, e) || !is_seen_by_others(e)) return;
  if (e.buffer == talk.counter && is_atomic(e.kind) && b.number < 0) {
    b.number = static_cast<int>(trace.values[e.first][0]);
    b.drawn = e.time;
  }
  if (e.buffer == talk.status && is_store(e.kind))
    for_each_lane(e, [&](int, std::uint32_t at) {
      b.tile = cell(trace, e, at);
      b.changes.push_back({e.time, mark(trace, e, at)});
    });
}

void note_reads(const Trace& trace, EventRange range, const BlockProtocol& talk, BlockProtocol::Block& b) {
  for (std::size_t i = range.first; i < range.last; i++) {
    const Event& e = trace.events[i];
    if (!touches_marks(trace, e) || !is_load(e.kind) || e.buffer != talk.status) continue;
    for_each_lane(e, [&](int, std::uint32_t at) {
      const int tile = cell(trace, e, at);
      b.reads++;
      if (tile >= b.tile || mark(trace, e, at) != talk.final_value) return;
      if (b.oldest >= 0 && (talk.one_state ? tile > b.oldest : tile < b.oldest)) return;
      b.oldest = tile;
      b.found = e.time;
    });
  }
}

}  // namespace

BlockProtocol block_protocol(const Trace& trace, int grid) {
  BlockProtocol talk;
  if (std::none_of(trace.buffers.begin(), trace.buffers.end(),
                   [](const GlobalBuffer& b) { return is_signal(b.cells); }))
    return talk;
  const EventRange all = grid_events(trace, grid);
  find_buffers(trace, all, talk);
  if (!talk) return talk;
  find_names(trace, talk);
  std::vector<EventRange> ranges;
  talk.first = UINT32_MAX;
  for (std::size_t i = all.first; i < all.last;) {
    BlockProtocol::Block b;
    b.block = static_cast<int>(trace.events[i].block);
    b.first = UINT32_MAX;
    const EventRange range = block_events(trace, grid, b.block);
    for (std::size_t k = range.first; k < range.last; k++) note_event(trace, trace.events[k], talk, b);
    std::sort(b.changes.begin(), b.changes.end(), [](auto& x, auto& y) { return x.time < y.time; });
    for (const auto& change : b.changes) talk.final_value = std::max(talk.final_value, change.value);
    talk.first = std::min(talk.first, b.first);
    talk.last = std::max(talk.last, b.last);
    talk.blocks.push_back(std::move(b));
    ranges.push_back(range);
    i = range.last;
  }
  talk.one_state = std::all_of(talk.blocks.begin(), talk.blocks.end(), [&](const BlockProtocol::Block& b) {
    return std::all_of(b.changes.begin(), b.changes.end(),
                       [&](const BlockProtocol::Change& c) { return c.value == talk.final_value; });
  });
  if (talk.status >= 0)
    for (std::size_t k = 0; k < ranges.size(); k++)
      if (talk.blocks[k].tile >= 0) note_reads(trace, ranges[k], talk, talk.blocks[k]);
  std::stable_sort(
      talk.blocks.begin(), talk.blocks.end(),
      [](const BlockProtocol::Block& a, const BlockProtocol::Block& b) { return a.tile < b.tile; });
  std::set<std::uint32_t> values;
  for (const BlockProtocol::Block& b : talk.blocks) {
    for (const auto& change : b.changes) values.insert(change.value);
    if (b.oldest < 0 || b.tile <= 0) continue;
    ++talk.looked_back;
    talk.distance += b.distance();
    talk.farthest = std::max<std::int64_t>(talk.farthest, b.distance());
  }
  talk.values.assign(values.begin(), values.end());
  return talk;
}

}  // namespace upsweep
