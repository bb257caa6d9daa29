#include "analysis/unrecorded_stores.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "analysis/memory.hpp"

namespace upsweep {
namespace {

// Returns the parameters of a kernel from a text. Returns an empty text if the kernel is not in the text.
std::string_view parameters_of(std::string_view text, std::string_view kernel) {
  constexpr std::string_view beginning = "__global__ void ";
  for (std::size_t at = text.find(beginning); at != text.npos; at = text.find(beginning, at + 1)) {
    const std::string_view rest = text.substr(at + beginning.size());
    if (rest.starts_with(kernel) && rest.substr(kernel.size()).starts_with('('))
      return rest.substr(kernel.size(), rest.find(')') - kernel.size());
  }
  return {};
}

// Returns the type of the parameters through which a kernel stores to cells of this kind. Returns an empty
// text for messages, because all stores of messages are volatile and therefore recorded.
std::string_view type_of_target(Cells cells) {
  switch (cells) {
    case Cells::elements: return "Global<T>";
    case Cells::words: return "Global<unsigned>";
    case Cells::counts: return "Global<Count>";
    case Cells::numbers: return "Global<Number<T>>";
    default: return {};
  }
}

// The stores of one launch to global memory. `lines` has the lines in which any block executes a store.
// `buffers` has, for each line, the buffers to which recorded stores wrote.
struct StoresOfGrid {
  bool counted = false;  // true if the trace has counts of the launch; false if `lines` is not known
  std::set<int> lines;
  std::map<int, std::set<int>> buffers;  // the keys are lines
  // Returns whether the recorded stores show all buffers to which the launch stored.
  bool all_buffers_known() const {
    return counted && std::ranges::all_of(lines, [&](int line) { return buffers.contains(line); });
  }
  bool has(int buffer) const {
    return std::ranges::any_of(buffers, [&](const auto& b) { return b.second.contains(buffer); });
  }
};

std::vector<StoresOfGrid> stores_by_grid(const Trace& trace) {
  std::vector<StoresOfGrid> all(trace.grids.size());
  for (const Count& c : trace.counts) {
    if (c.step >= trace.steps.size()) continue;
    StoresOfGrid& of = all[static_cast<std::size_t>(grid_index(trace, static_cast<int>(c.step)))];
    of.counted = true;
    if (c.kind == Kind::global_store) of.lines.insert(c.line);
  }
  for (const Event& e : trace.events)
    if (e.kind == Kind::global_store) all[e.grid].buffers[e.line].insert(e.buffer);
  return all;
}

}  // namespace

bool may_store(const Trace& trace, int grid, Cells cells) {
  const std::string_view parameters =
      parameters_of(trace.text, trace.grids[static_cast<std::size_t>(grid)].kernel);
  const std::string_view type = type_of_target(cells);
  return parameters.empty() || (!type.empty() && parameters.find(type) != parameters.npos);
}

UnrecordedStores::UnrecordedStores(const Trace& trace) : grids_(trace.buffers.size()) {
  std::set<int> partial;
  for (const BlockRun& run : trace.runs)
    if (!run.in_focus || trace.dropped > 0) partial.insert(run.grid);
  if (partial.empty()) return;
  const std::vector<StoresOfGrid> stores = stores_by_grid(trace);
  for (const int g : partial) {
    const StoresOfGrid& of = stores[static_cast<std::size_t>(g)];
    const bool known = of.all_buffers_known();
    for (int b = trace.roles().first_output(); b < static_cast<int>(grids_.size()); ++b)
      if (known ? of.has(b) : may_store(trace, g, trace.buffers[static_cast<std::size_t>(b)].cells))
        grids_[static_cast<std::size_t>(b)].push_back(g);
  }
}

int UnrecordedStores::last_before(int buffer, int grid) const {
  const std::vector<int>& grids = grids_[static_cast<std::size_t>(buffer)];
  const auto end = std::lower_bound(grids.begin(), grids.end(), grid);
  return end == grids.begin() ? -1 : end[-1];
}

}  // namespace upsweep
