// How lanes of one warp converge.
//
// The convergence rule. A warp runs in lockstep and reconverges at the end of every structured statement:
// lanes meet again after an if and its else, at the head of every iteration of a loop (after `continue` too),
// and after the loop (those that broke out wait there); a lane that returned never comes back. So a lane's
// place in its run is a path, outermost first: each enclosing if or loop by its position in the text, each
// loop also by its iteration, and last the position of the access itself. Lanes whose paths are equal issue
// one request together; of lanes that differ, the one whose path comes first, compared step by step, issues
// first. It is a total order that every lane's own run obeys, so merging the lanes' runs along it gives the
// requests, whatever the trip counts, branches and exits. Within one line of one path (several accesses in
// one expression) the lanes' own order decides.
//
// The keywords of a kernel's text report where statements begin and end (kernels/vocabulary/host.hpp).
#pragma once
#include <compare>
#include <cstdint>
#include <vector>

namespace upsweep {

// A position in the kernel's text.
struct Place {
  std::uint16_t line = 0, column = 0;
  auto operator<=>(const Place&) const = default;
};

// All paths taken so far by the lanes of one warp, as a tree: a node is an if, or one iteration of a loop.
class ControlFlow {
 public:
  using Node = std::uint32_t;
  static constexpr Node root = 0;

  // The statement at `place` inside `parent`; for a loop its first evaluation of the condition and first
  // iteration.
  [[gnu::always_inline]] Node enter(Node parent, Place place) {
    return child(parent, key(place, 0), nodes_[parent].last_found);
  }
  // The loop's next evaluation of its condition and next iteration.
  [[gnu::always_inline]] Node next_iteration(Node node) {
    return child(nodes_[node].parent, nodes_[node].key + 1, node);
  }

  // Which of two accesses comes first: each a node and a place directly in it. Equal only for the same node
  // and place.
  std::strong_ordering compare(Node a, Place a_place, Node b, Place b_place) const;

  void clear() { nodes_.assign(1, Item{}); }

 private:
  // Place and iteration as one number that orders siblings.
  using Key = std::uint64_t;
  static Key key(Place place, std::uint32_t iteration) {
    return static_cast<Key>(place.line) << 48 | static_cast<Key>(place.column) << 32 | iteration;
  }
  struct Item {
    Key key = 0;
    Node parent = root;
    std::uint32_t depth = 0;
    Node first_child = root, next_sibling = root;  // siblings in order of their keys; root: none
    Node last_found =
        root;  // the child asked for last: the next one asked for is most often it or its neighbour
  };
  // The child of `parent` with this key, made if new; `hint` is a child to look at first, or root.
  [[gnu::always_inline]] Node child(Node parent, Key key, Node hint) {
    if (hint != root && nodes_[hint].key != key) hint = nodes_[hint].next_sibling;
    if (hint == root || nodes_[hint].key != key) hint = find_or_make(parent, key);
    nodes_[parent].last_found = hint;
    return hint;
  }
  Node find_or_make(Node parent, Key key);

  std::vector<Item> nodes_{1};
};

}  // namespace upsweep
