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
#include <cstddef>
#include <cstdint>
#include <deque>

namespace upsweep {

// A position in the kernel's text.
struct TextPlace {
  std::uint16_t line = 0, column = 0;
  auto operator<=>(const TextPlace&) const = default;
};

// All paths taken so far by the lanes of one warp, as a tree: a node is an if, or one iteration of a loop. A
// lane whose past nobody asks for keeps its path itself, in statements that lie on its stack.
class ControlFlow {
 public:
  // Place and iteration as one number that orders siblings; 0 for the root alone.
  using Key = std::uint64_t;
  static Key key(TextPlace place, std::uint32_t iteration) {
    return static_cast<Key>(place.line) << 48 | static_cast<Key>(place.column) << 32 | iteration;
  }
  struct Statement {
    Key key;
    Statement* parent;
    std::uint32_t depth;
  };
  using Node = Statement*;

  ControlFlow() { clear(); }
  ControlFlow(const ControlFlow&) = delete;  // nodes point to each other
  ControlFlow& operator=(const ControlFlow&) = delete;

  Node root() { return &nodes_.front(); }

  // The statement at `place` inside `parent`; for a loop its first evaluation of the condition and first
  // iteration.
  [[gnu::always_inline]] Node enter(Node parent, TextPlace place) {
    Item* const above = item(parent);
    Item* likely = above->last_found;
    if (likely->key == key(place, 0)) return likely;
    likely = likely->next_sibling;
    if (likely->key == key(place, 0)) return above->last_found = likely;
    return child(above, key(place, 0));
  }
  // The loop's next evaluation of its condition and next iteration.
  [[gnu::always_inline]] Node next_iteration(Node node) {
    Item* const known = item(node)->next_trip;
    return known != nullptr ? known : next_trip(item(node));
  }

  // Which of two accesses comes first: each a node and a place directly in it. Equal only for the same path
  // and place.
  static std::strong_ordering compare(Node a, TextPlace a_place, Node b, TextPlace b_place);

  void clear();                                       // gives its memory back
  std::size_t kept() const { return nodes_.size(); }  // nodes

 private:
  struct Item : Statement {
    Item *first_child, *next_sibling;  // statements in the order of the text; the root: none
    Item* last_found;  // the child sought last, which most often is sought again; the root: none
    Item* next_trip;   // of a loop: the next iteration; null: none yet
  };
  static Item* item(Node node) { return static_cast<Item*>(node); }
  // The child of `parent` with this key, made if new.
  Node child(Item* parent, Key key);
  // The iteration after that one, which nobody has come to before.
  Node next_trip(Item* trip);
  Item* made(Item&& item);

  std::deque<Item> nodes_;  // kept from block to block, since most blocks take the same paths
};

}  // namespace upsweep
