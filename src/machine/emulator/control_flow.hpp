// The convergence of the lanes of one warp.
//
// The convergence rule. A warp runs in lockstep and reconverges at the end of every structured statement:
// lanes meet again after an if and its else, at the beginning of every iteration of a loop (also after
// `continue`), and after the loop, where lanes that left it by `break` wait. A lane that has returned never
// comes back. So the place of a lane in its run is a path, outermost first: each enclosing if or loop by its
// position in the text, each loop also by its iteration, and last the position of the access itself. Lanes
// with equal paths issue one request together. If paths differ, they are compared step by step, and the lane
// whose path comes first issues first. This is a total order that every single lane's run obeys. So merging
// the lanes' runs in this order gives the requests, whatever the trip counts, branches and exits are. If one
// line of one path has several accesses (in one expression), the lanes' own order decides.
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

// All paths on which the lanes of one warp have done something so far, as a tree. A node is an if, or one
// iteration of a loop. A lane keeps its path itself, in statements on its stack; a statement becomes a node
// when the lane does something in it that is recorded.
class ControlFlow {
 public:
  // The place and the iteration as one number, which orders siblings; 0 only for the root.
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
  // A statement that a lane is in. If nothing is recorded, it is its own node, and its parent is set.
  struct Open : Statement {
    Open* around;
    Node node;    // null before the lane does something in the statement, or in the loop's iteration
    Node before;  // for a loop: the node of an earlier iteration; null in the first
  };

  ControlFlow() { clear(); }
  ControlFlow(const ControlFlow&) = delete;  // nodes point to each other
  ControlFlow& operator=(const ControlFlow&) = delete;

  // The whole kernel.
  Open* root() { return &root_; }

  // Returns the node of a statement, and makes it if it is new.
  Node find(Open& open) {
    if (open.node != nullptr) return open.node;
    if (open.before == nullptr) open.before = enter(find(*open.around), open.key & ~Key{UINT32_MAX});
    return open.before = open.node = open.before->key == open.key ? open.before : iteration(open);
  }
  // Begins the loop's next evaluation of its condition and next iteration.
  [[gnu::always_inline]] void begin_iteration(Open& open) {
    ++open.key;
    if (open.node != nullptr) open.before = open.node;
    Item* const known = open.before != nullptr ? item(open.before)->next_trip : nullptr;
    open.node = known != nullptr && known->key == open.key ? known : nullptr;
  }

  // Returns which of two accesses comes first. Each is given by a node and a place directly in it. They are
  // equal only if path and place are the same.
  static std::strong_ordering compare(Node a, TextPlace a_place, Node b, TextPlace b_place);

  void clear();                                       // also frees its memory
  std::size_t kept() const { return nodes_.size(); }  // nodes

 private:
  struct Item : Statement {
    Item *first_child, *next_sibling;  // statements in the order of the text; null for the root
    Item* last_found;  // the child that was found last, which is usually needed again; null for the root
    Item* next_trip;   // for a loop: the next iteration with a node; null if no later one has a node yet
  };
  static Item* item(Node node) { return static_cast<Item*>(node); }
  // Returns the child of `parent` with this key, and makes it if it is new. For a loop it is the first
  // iteration.
  Node enter(Node parent, Key key) {
    Item* const above = item(parent);
    Item* likely = above->last_found;
    if (likely->key == key) return likely;
    likely = likely->next_sibling;
    if (likely->key == key) return above->last_found = likely;
    return child(above, key);
  }
  Node child(Item* parent, Key key);
  // Returns the node of the loop's iteration, from that of an earlier one.
  Node iteration(const Open& open);
  Item* made(Item&& item);

  Open root_{};
  std::deque<Item> nodes_;  // kept from block to block, because most blocks take the same paths
};

}  // namespace upsweep
