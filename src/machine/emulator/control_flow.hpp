// Keeps a tree of the statements that the lanes of one warp execute, and orders the lanes' accesses by the
// convergence rule.
//
// The convergence rule: a warp runs in lockstep and reconverges at the end of every structured statement.
// Lanes reconverge after an if and its else, at the beginning of every iteration of a loop (also after
// `continue`), and after the loop. Lanes that left the loop by `break` wait after the loop. A lane that has
// returned does not take part any more.
//
// The place of an access in a lane's run is a path. The path lists all ifs and loops around the access, the
// outermost first, and then the access itself. Each entry is a position in the text and, for a loop, the
// iteration. Lanes with equal paths issue one request together. If paths differ, the first different entries
// decide which lane issues first. Every lane's own run follows this order. So a merge of the lanes' runs in
// this order produces the warp's requests. If one line has several accesses in one expression, their requests
// follow the order in which each lane executed these accesses.
//
// The keywords of a kernel's text tell the emulator where statements begin and end
// (kernels/vocabulary/host.hpp).
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

// A tree of the statements in which the lanes of one warp have recorded an action. Each node is an if, or one
// iteration of a loop. While a lane executes a statement, the lane's stack holds an object (Open) for it. A
// statement gets a node when a lane first records an action in the statement.
class ControlFlow {
 public:
  // The place of a statement and the index of an iteration, in one number. Nodes with the same parent are
  // ordered by their keys. Only the root has the key 0.
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
  // A statement that a lane is executing. A run that is not recorded makes no nodes, so this object itself
  // serves as the statement's node.
  struct Open : Statement {
    Open* around;
    Node node;    // null until the lane records an action in the statement, or in the loop's iteration
    Node before;  // for a loop: the node of an earlier iteration; null if no earlier iteration has a node
  };

  ControlFlow() { clear(); }
  ControlFlow(const ControlFlow&) = delete;  // nodes point to each other
  ControlFlow& operator=(const ControlFlow&) = delete;

  // Returns the statement that stands for the whole kernel.
  Open* root() { return &root_; }

  // Returns the node of a statement. Makes the node if the node does not exist.
  Node find(Open& open) {
    if (open.node != nullptr) return open.node;
    if (open.before == nullptr) open.before = enter(find(*open.around), open.key & ~Key{UINT32_MAX});
    return open.before = open.node = open.before->key == open.key ? open.before : iteration(open);
  }
  // Begins the next iteration of the loop. The evaluation of the loop's condition belongs to the new
  // iteration.
  [[gnu::always_inline]] void begin_iteration(Open& open) {
    ++open.key;
    if (open.node != nullptr) open.before = open.node;
    Item* const known = open.before != nullptr ? item(open.before)->next_trip : nullptr;
    open.node = known != nullptr && known->key == open.key ? known : nullptr;
  }

  // Compares the order of two accesses. `a` and `b` are the nodes of the innermost statements around the
  // accesses. The result is `equal` only if both the nodes and the places are equal.
  static std::strong_ordering compare(Node a, TextPlace a_place, Node b, TextPlace b_place);

  void clear();                                       // removes all nodes and frees their memory
  std::size_t kept() const { return nodes_.size(); }  // the number of nodes

 private:
  struct Item : Statement {
    Item *first_child,
        *next_sibling;  // the first child, and the next child of the parent, in the order of the text
    // The child that was found last, because the next search usually needs this child again.
    Item* last_found;
    Item* next_trip;  // for a loop: the next iteration with a node; null if no later iteration has a node
  };
  static Item* item(Node node) { return static_cast<Item*>(node); }
  // Returns the child of `parent` with this key. Makes the child if the child does not exist. For a loop, the
  // child is the node of the loop's first iteration.
  Node enter(Node parent, Key key) {
    Item* const above = item(parent);
    Item* likely = above->last_found;
    if (likely->key == key) return likely;
    likely = likely->next_sibling;
    if (likely->key == key) return above->last_found = likely;
    return child(above, key);
  }
  Node child(Item* parent, Key key);
  // Returns the node of the loop's current iteration. The search begins at the node of an earlier iteration.
  Node iteration(const Open& open);
  Item* made(Item&& item);

  Open root_{};
  std::deque<Item> nodes_;  // all nodes; kept for the next block, because most blocks take the same paths
};

}  // namespace upsweep
