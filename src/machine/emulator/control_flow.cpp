#include "machine/emulator/control_flow.hpp"

namespace upsweep {

void ControlFlow::clear() {
  nodes_ = {};
  nodes_.emplace_back();
  Item* const none = &nodes_.front();
  *none = {{.key = 0, .parent = none, .depth = 0}, none, none, none, nullptr};
  root_ = {{.key = 0, .parent = none, .depth = 0}, nullptr, none, none};
}

ControlFlow::Item* ControlFlow::made(Item&& item) { return &nodes_.emplace_back(item); }

ControlFlow::Node ControlFlow::child(Item* parent, Key key) {
  Item* const none = &nodes_.front();
  Item* before = parent->last_found->key < key ? parent->last_found : none;
  Item* at = before != none ? before->next_sibling : parent->first_child;
  while (at != none && at->key < key) before = at, at = at->next_sibling;
  if (at == none || at->key != key) {
    Item* const fresh =
        made({{.key = key, .parent = parent, .depth = parent->depth + 1}, none, at, none, nullptr});
    at = (before != none ? before->next_sibling : parent->first_child) = fresh;
  }
  return parent->last_found = at;
}

ControlFlow::Node ControlFlow::iteration(const Open& open) {
  Item* const none = &nodes_.front();
  Item* at = item(open.before);
  while (at->next_trip != nullptr && at->next_trip->key <= open.key) at = at->next_trip;
  if (at->key == open.key) return at;
  Item* const fresh =
      made({{.key = open.key, .parent = at->parent, .depth = at->depth}, none, none, none, at->next_trip});
  return at->next_trip = fresh;
}

std::strong_ordering ControlFlow::compare(Node a, TextPlace a_place, Node b, TextPlace b_place) {
  // Goes up from both nodes, first from the deeper node, until both paths meet in one node. Then compares the
  // keys of the two nodes just below this node, because these keys are the outermost keys that differ.
  Key a_key = key(a_place, 0), b_key = key(b_place, 0);
  const auto climb = [](Node& n, Key& k) {
    k = n->key;
    n = n->parent;
  };
  while (a->depth > b->depth) climb(a, a_key);
  while (b->depth > a->depth) climb(b, b_key);
  std::strong_ordering order = a_key <=> b_key;
  for (; a != b; a = a->parent, b = b->parent)
    if (a->key != b->key) order = a->key <=> b->key;
  return order;
}

}  // namespace upsweep
