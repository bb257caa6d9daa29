#include "scene/views/nodes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/language.hpp"
#include "scene/views/tip_lines.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

// Returns the kind of cells from which the node's value was loaded, or into which the value was stored.
Cells cells_of(const Trace& trace, const TreeNode& node) { return trace.cells_of(trace.events[node.event]); }

std::string exact_text(const Trace& trace, const TreeNode& node) {
  return upsweep::exact_text(node.value, trace.settings, cells_of(trace, node));
}

void add_operation(TipLines& tip, const Recording& r, const Tree& tree, const TreeNode& node) {
  const Operator op = operator_of(r.trace.settings, cells_of(r.trace, node));
  std::vector<std::string> operands;
  for (const auto& source : node.sources)
    operands.push_back(exact_text(
        r.trace,
        tree.rows[static_cast<std::size_t>(source.row)].nodes[static_cast<std::size_t>(source.node)]));
  if (!node.operation) {
    tip.lines.emplace_back(operands.empty() ? tr("loaded, or a constant such as the identity")
                                            : tr("copied, not computed"));
  } else if (operands.size() != 2) {
    tip.add(tr("one {}", counted_noun(1, operation_noun(op).one)));
  } else {
    const bool word = op == Operator::min || op == Operator::max;
    const auto sign = operation_sign(op);
    word ? tip.add("{}({}, {})", sign, operands[0], operands[1])
         : tip.add("{} {} {}", operands[0], sign, operands[1]);
  }
}

}  // namespace

Lines node_tip(const Reading& at, const Id& pointed) {
  if (!is<NodeId>(pointed)) return {};
  const NodeId& id = *as<NodeId>(pointed);
  const Trace& trace = at.recording.trace;
  const Tree& tree = tree_at(at.recording, at.cursor);
  if (!is_index(id.row, tree.rows.size())) return {};
  const TreeRow& row = tree.rows[static_cast<std::size_t>(id.row)];
  const int at_node = node_in(row, id.element);
  if (at_node < 0) return {};
  const TreeNode* node = &row.nodes[static_cast<std::size_t>(at_node)];
  TipLines tip;
  tip.add("{} = {}", node_name(trace, row, *node), exact_text(trace, *node));
  add_operation(tip, at.recording, tree, *node);
  tip.add(tr("{} in {} by {}, line {}",
             row.place == TreeRow::Place::loaded      ? tr("loaded")
             : row.place == TreeRow::Place::registers ? tr("computed")
                                                      : tr("stored"),
             step_text(trace, trace.steps.at(static_cast<std::size_t>(row.step))), thread_text(id.by),
             id.by.line));
  if (node->final) tip.add(tr("final: no later step changes this value"));
  constexpr std::size_t most = 20'000;  // the largest number of highlighted nodes
  const auto all = ancestors(tree, {id.row, at_node}, most);
  if (all.size() == most)
    tip.add(tr("made from more than {}; the tree highlights the nearest values",
               counted(static_cast<std::int64_t>(most) - 2, "recorded value")));
  else if (all.size() > 1)
    tip.add(tr("made from {}, highlighted in the tree",
               counted(static_cast<std::int64_t>(all.size()) - 1, "recorded value")));
  return std::move(tip.lines);
}

std::string node_readout(const Reading& at, const TreeRow& row, const TreeNode& node) {
  const Trace& trace = at.recording.trace;
  const Event& e = trace.events[node.event];
  const std::string value = row.step <= at.cursor.step ? " = " + exact_text(trace, node) : std::string();
  return tr("{}{} · {} · thread {} · line {}", node_name(trace, row, node), value,
            step_text(trace, row.label), thread_text(trace.grids[e.grid], thread_of(e, node.lane)), e.line);
}

Click click_on_node(const Reading&, const Id& id) {
  const auto* node = as<NodeId>(id);
  if (!node || node->step < 0) return {};
  return GoToStep{node->step};
}

}  // namespace upsweep
