// Sorts the rows and nodes of a tree.
#include <algorithm>
#include <bit>
#include <cstdint>

#include "analysis/tree_draft.hpp"

namespace upsweep {
namespace {

// Sets TreeNode::final for the last node of each element of shared memory, if the output has the same value
// in the same column.
void mark_final(Tree& tree) {
  const auto output =
      std::find_if(tree.rows.rbegin(), tree.rows.rend(), [](const TreeRow& r) { return r.output; });
  if (output == tree.rows.rend()) return;
  std::vector<bool> seen(static_cast<std::size_t>(tree.columns));
  for (auto row = tree.stored.rbegin(); row != tree.stored.rend(); ++row)
    for (TreeNode& node : tree.rows[static_cast<std::size_t>(*row)].nodes) {
      if (node.element < 0 || node.element >= tree.columns) continue;
      if (seen[static_cast<std::size_t>(node.element)]) continue;
      seen[static_cast<std::size_t>(node.element)] = true;
      const int stored = node_in(*output, node.element);
      node.final = stored >= 0 && output->nodes[static_cast<std::size_t>(stored)].value == node.value;
    }
}

// Returns how many columns belong to one texel of a buffer that holds partial sums of the input. The result
// is a power of two.
int spread_of(const Trace& trace, int buffer) {
  const auto texels = static_cast<std::uint64_t>(trace.buffers[static_cast<std::size_t>(buffer)].count),
             all = static_cast<std::uint64_t>(trace.buffers[0].count);
  return static_cast<int>(std::bit_ceil((all + texels - 1) / texels));
}

}  // namespace

Tree in_order(const TreeDraft& draft, CancelCheck& check_cancelled) {
  Tree t;
  t.some_sources = draft.some_sources;
  t.columns = draft.trace.grids[static_cast<std::size_t>(draft.grid)].shared.elements;
  std::vector<int> order(draft.rows.size()), place(draft.rows.size());
  for (std::size_t r = 0; r < draft.rows.size(); ++r) order[r] = static_cast<int>(r);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return draft.rows[static_cast<std::size_t>(a)] < draft.rows[static_cast<std::size_t>(b)];
  });
  for (std::size_t k = 0; k < order.size(); ++k) {
    const RowKey& key = draft.rows[static_cast<std::size_t>(order[k])];
    check_cancelled();
    place[static_cast<std::size_t>(order[k])] = static_cast<int>(k);
    TreeRow row;
    row.step = key.step;
    row.label = draft.trace.steps[static_cast<std::size_t>(key.step)];
    row.place = key.place;
    row.index = key.index;
    const bool global = key.place == TreeRow::Place::global || key.place == TreeRow::Place::loaded;
    if (global) {
      const TouchedElements& t = draft.touched.at(key.index);
      const std::int64_t columns = draft.trace.buffers[static_cast<std::size_t>(key.index)].columns;
      row.first = static_cast<int>(t.row * columns + t.first);
      row.apart = static_cast<int>(columns);
      row.width = columns > 0 ? static_cast<int>(t.last - t.first + 1) : 0;
      if (draft.whole_run && columns == 0) {
        row.first = 0;
        row.spread = spread_of(draft.trace, key.index);
      }
    }
    if (key.place == TreeRow::Place::registers)
      row.pitch = draft.over_elements.contains(order[k]) ? 0 : draft.pitch.at(order[k]);
    row.output = key.output;
    if (key.place == TreeRow::Place::shared && key.index == 0) t.stored.push_back(static_cast<int>(k));
    t.rows.push_back(std::move(row));
  }

  std::vector<std::vector<int>> of_row(draft.rows.size());
  for (std::size_t b = 0; b < draft.nodes.size(); ++b)
    of_row[static_cast<std::size_t>(place[static_cast<std::size_t>(draft.nodes[b].row)])].push_back(
        static_cast<int>(b));
  std::vector<TreeNode::Source> at(draft.nodes.size());
  for (std::size_t r = 0; r < of_row.size(); ++r) {
    std::sort(of_row[r].begin(), of_row[r].end(), [&](int a, int b) {
      return draft.nodes[static_cast<std::size_t>(a)].column <
             draft.nodes[static_cast<std::size_t>(b)].column;
    });
    for (std::size_t n = 0; n < of_row[r].size(); ++n)
      at[static_cast<std::size_t>(of_row[r][n])] = {static_cast<int>(r), static_cast<int>(n)};
  }
  for (std::size_t r = 0; r < of_row.size(); ++r) {
    TreeRow& row = t.rows[r];
    row.nodes.reserve(of_row[r].size());
    for (const int b : of_row[r]) {
      check_cancelled();
      const NodeDraft& from = draft.nodes[static_cast<std::size_t>(b)];
      TreeNode node{row.column_of(from.column),
                    draft.trace.values[from.value],
                    from.made.event,
                    from.made.lane,
                    from.operation,
                    false,
                    {}};
      node.sources.reserve(from.sources.size());
      for (const int s : from.sources) node.sources.push_back(at[static_cast<std::size_t>(s)]);
      row.nodes.push_back(std::move(node));
    }
    if (!row.nodes.empty()) t.columns = std::max(t.columns, row.nodes.back().element + 1);
  }
  mark_final(t);
  return t;
}

}  // namespace upsweep
