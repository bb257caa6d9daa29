#include "scene/request.hpp"

#include <algorithm>
#include <bit>

#include "analysis/memory.hpp"
#include "scene/names.hpp"
#include "scene/pattern.hpp"

namespace upsweep {
namespace {

// Which group of lanes each wavefront serves. Wavefronts of one group follow each other; where the rule
// served two neighbouring groups together (fewer groups than the lanes would make), a group is twice as wide.
std::vector<int> groups_of(const Event& e, const BankCost& cost, const std::vector<Wavefront>& waves) {
  int lanes_per_group = 32 * 4 / e.width;
  const auto group_mask = [](int lanes, int group) {
    return (lanes == 32 ? ~0u : (1u << lanes) - 1) << (lanes * group % 32);
  };
  int groups = 0;
  for (int g = 0; g < 32 / lanes_per_group; g++) groups += (e.mask & group_mask(lanes_per_group, g)) != 0;
  if (groups > cost.groups) lanes_per_group *= 2;
  std::vector<int> of;
  for (const Wavefront& w : waves) {
    const std::uint32_t lanes = w.served.empty() ? 1 : w.served[0].lanes;
    of.push_back(std::countr_zero(lanes) / lanes_per_group);
  }
  return of;
}

}  // namespace

std::vector<int> shared_requests(const Trace& trace, int block, int step) {
  std::vector<int> out;
  const EventRange range = step_events(trace, block, step);
  for (std::size_t i = range.first; i < range.last; i++)
    if (is_shared(trace.events[i].kind)) out.push_back(static_cast<int>(i));
  return out;
}

Request chosen_request(const Recording& recording, const Cursor& cursor) {
  const Trace& trace = recording.trace;
  Request r;
  r.event = request_event(recording, cursor);
  if (r.event < 0) return r;
  const std::vector<int> all = shared_requests(trace, cursor.block, cursor.step);
  r.of = static_cast<int>(all.size());
  r.number = static_cast<int>(std::find(all.begin(), all.end(), r.event) - all.begin()) + 1;

  const Event& e = trace.events[r.event];
  r.cost = bank_cost(trace, e);
  r.waves = wavefronts(is_load(e.kind), e.width, e.mask, addresses_of(trace, e));
  const std::vector<int> group = groups_of(e, r.cost, r.waves);
  std::array<int, bank_count> words{};
  for (std::size_t w = 0; w < r.waves.size(); w++) {
    r.extra.push_back(w > 0 && group[w] == group[w - 1]);
    if (!r.extra.back()) words = {};
    for (const Wavefront::Served& s : r.waves[w].served) words[s.bank]++;
    for (int bank = 0; bank < bank_count; bank++) r.words[bank] = std::max(r.words[bank], words[bank]);
  }
  return r;
}

std::vector<Place> places(const Trace& trace) {
  const SharedShape& shape = trace.grids.front().shared;
  std::vector<Place> out(static_cast<std::size_t>(shape.buffers) * shape.cells_per_buffer);
  for (int b = 0; b < shape.buffers; b++) {
    for (int c = 0; c < shape.cells_per_buffer; c++) out[b * shape.cells_per_buffer + c].buffer = b;
    for (std::size_t i = 0; i < shape.cell.size(); i++)
      out[b * shape.cells_per_buffer + shape.cell[i]].element = static_cast<int>(i);
  }
  return out;
}

std::string access_text(const Trace& trace, const Event& event) {
  std::vector<int> threads, indices;
  int buffer = 0;
  const std::vector<Place> all = is_shared(event.kind) ? places(trace) : std::vector<Place>{};
  for_each_lane(event, [&](int lane, std::uint32_t entry) {
    const std::size_t index = trace.lanes[entry].address / trace.element_bytes();
    threads.push_back(thread_of(event, lane));
    if (index < all.size()) buffer = all[index].buffer;
    indices.push_back(index < all.size() ? all[index].element : static_cast<int>(index));
  });
  const std::string index = index_text(threads, indices);
  if (is_shared(event.kind)) return element_name(trace, buffer, index);
  return (event.buffer == 0 ? "in[" : "out[") + index + "]";
}

}  // namespace upsweep
