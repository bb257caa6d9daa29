#include "machine/control_flow.hpp"

namespace upsweep {

ControlFlow::Node ControlFlow::find_or_make(Node parent, Key key) {
  Node before = root, at = nodes_[parent].first_child;
  while (at != root && nodes_[at].key < key) before = at, at = nodes_[at].next_sibling;
  if (at != root && nodes_[at].key == key) return at;
  const Node fresh = static_cast<Node>(nodes_.size());
  nodes_.push_back({.key = key, .parent = parent, .depth = nodes_[parent].depth + 1, .next_sibling = at});
  (before != root ? nodes_[before].next_sibling : nodes_[parent].first_child) = fresh;
  return fresh;
}

std::strong_ordering ControlFlow::compare(Node a, Place a_place, Node b, Place b_place) const {
  // Climb from the deeper path until both stand in the same node; the last key climbed through says where
  // each path goes on.
  Key a_key = key(a_place, 0), b_key = key(b_place, 0);
  const auto climb = [this](Node& n, Key& k) {
    k = nodes_[n].key;
    n = nodes_[n].parent;
  };
  while (nodes_[a].depth > nodes_[b].depth) climb(a, a_key);
  while (nodes_[b].depth > nodes_[a].depth) climb(b, b_key);
  while (a != b) climb(a, a_key), climb(b, b_key);
  return a_key <=> b_key;
}

}  // namespace upsweep
