#include "machine/control_flow.hpp"

namespace upsweep {

void ControlFlow::clear() {
  if (nodes_.empty()) nodes_.emplace_back();
  nodes_.front() = {.key = 0,
                    .parent = root(),
                    .depth = 0,
                    .first_child = root(),
                    .next_sibling = root(),
                    .last_found = root()};
  used_ = 1;
}

ControlFlow::Node ControlFlow::child(Node parent, Key key) {
  Node before = parent->last_found->key < key ? parent->last_found : root();
  Node at = before != root() ? before->next_sibling : parent->first_child;
  while (at != root() && at->key < key) before = at, at = at->next_sibling;
  if (at == root() || at->key != key) {
    if (used_ == nodes_.size()) nodes_.emplace_back();
    const Node fresh = &nodes_[used_++];
    *fresh = {.key = key,
              .parent = parent,
              .depth = parent->depth + 1,
              .first_child = root(),
              .next_sibling = at,
              .last_found = root()};
    at = (before != root() ? before->next_sibling : parent->first_child) = fresh;
  }
  return parent->last_found = at;
}

std::strong_ordering ControlFlow::compare(Node a, Place a_place, Node b, Place b_place) const {
  // Climb from the deeper path until both stand in the same node; the last key climbed through says where
  // each path goes on.
  Key a_key = key(a_place, 0), b_key = key(b_place, 0);
  const auto climb = [](Node& n, Key& k) {
    k = n->key;
    n = n->parent;
  };
  while (a->depth > b->depth) climb(a, a_key);
  while (b->depth > a->depth) climb(b, b_key);
  while (a != b) climb(a, a_key), climb(b, b_key);
  return a_key <=> b_key;
}

}  // namespace upsweep
