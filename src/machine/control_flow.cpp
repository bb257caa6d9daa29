#include "machine/control_flow.hpp"

#include <tuple>

namespace upsweep {

ControlFlow::Node ControlFlow::child(Node parent, Place place, std::uint32_t iteration, Node hint) {
  const auto key = std::tie(place, iteration);
  const auto key_of = [&](Node n) { return std::tie(nodes_[n].place, nodes_[n].iteration); };
  // Start at the hint if it does not lie beyond what is looked for, else at the first child.
  Node before = root;
  if (hint != root && key_of(hint) <= key) before = hint;
  Node at = before != root ? before : nodes_[parent].first_child;
  while (at != root && key_of(at) < key) before = at, at = nodes_[at].next_sibling;
  if (at == root || key_of(at) != key) {
    const Node fresh = static_cast<Node>(nodes_.size());
    nodes_.push_back({.parent = parent,
                      .place = place,
                      .iteration = iteration,
                      .depth = nodes_[parent].depth + 1,
                      .next_sibling = at});
    (before != root ? nodes_[before].next_sibling : nodes_[parent].first_child) = fresh;
    at = fresh;
  }
  nodes_[parent].last_found = at;
  return at;
}

std::strong_ordering ControlFlow::compare(Node a, Place a_place, Node b, Place b_place) const {
  // Climb from the deeper path until both stand in the same node; what was climbed through says where each
  // path goes on.
  std::uint32_t a_iteration = 0, b_iteration = 0;
  const auto climb = [this](Node& n, Place& place, std::uint32_t& iteration) {
    place = nodes_[n].place;
    iteration = nodes_[n].iteration;
    n = nodes_[n].parent;
  };
  while (nodes_[a].depth > nodes_[b].depth) climb(a, a_place, a_iteration);
  while (nodes_[b].depth > nodes_[a].depth) climb(b, b_place, b_iteration);
  while (a != b) climb(a, a_place, a_iteration), climb(b, b_place, b_iteration);
  return std::tie(a_place, a_iteration) <=> std::tie(b_place, b_iteration);
}

}  // namespace upsweep
