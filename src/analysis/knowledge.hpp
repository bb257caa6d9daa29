// Stores a set of actions that are known to have happened, as a vector clock. For some threads, the clock has
// the moment until which all actions of the thread are known. To save memory, Knowledge objects share their
// common parts. If blocks wait for each other in a chain, each block of the chain knows only a little more
// than the previous block.
#pragma once
#include <cstdint>
#include <span>
#include <utility>

namespace upsweep {

// The number of an event in the order of issue, counted from 1.
using Moment = std::uint32_t;

// One thread of a block, and the moment until which all actions of this thread are known.
struct Known {
  std::uint32_t who;  // the index of the thread in its block, or `everyone`
  Moment until;
  bool operator==(const Known&) const = default;
};

// A map from each block to the known moments of its threads. The nodes of a map never change: add() makes new
// nodes, and shares all unchanged nodes with the old map. The map is a binary trie over the bits of the
// block's number, as in "Fast mergeable integer maps" (Okasaki, Gill 1998). Every branch has two children.
class Knowledge {
 public:
  static constexpr std::uint32_t everyone = 0;  // all threads of a block

  Knowledge() = default;
  // `known` must be sorted by `who`.
  Knowledge(std::uint32_t block, std::span<const Known> known);
  Knowledge(const Knowledge& k) noexcept : node_(k.node_) { keep(node_); }
  Knowledge(Knowledge&& k) noexcept : node_(std::exchange(k.node_, nullptr)) {}
  Knowledge& operator=(Knowledge k) noexcept {
    std::swap(node_, k.node_);
    return *this;
  }
  ~Knowledge() { drop(node_); }

  // Returns whether the object knows anything about any block.
  explicit operator bool() const { return node_ != nullptr; }
  // Returns whether both objects share one node. Objects with different nodes may still have equal contents.
  bool is(const Knowledge& k) const { return node_ == k.node_; }
  // Returns the moment until which all actions of a thread are known; 0 if nothing is known about the thread.
  Moment until_of(std::uint32_t block, std::uint32_t who) const;

  // Adds the contents of another object. For each thread, keeps the later of the two moments. Takes time in
  // proportion to the number of differences between the objects.
  void add(const Knowledge& more);

 private:
  struct Node;
  struct Branch;
  struct Leaf;
  explicit Knowledge(const Node* node) : node_(node) {}  // takes over one reference to the node
  static Knowledge share(const Node* node) {
    keep(node);
    return Knowledge(node);
  }
  static const Branch& branch(const Node* node);
  static const Leaf& leaf(const Node* node);
  static Knowledge made(std::uint32_t bit, Knowledge zero, Knowledge one);
  static Knowledge made(std::uint32_t block, const Known* known, std::size_t count);
  static Knowledge merged(const Node* a, const Node* b);
  static Knowledge merged(const Leaf& a, const Leaf& b);
  static void keep(const Node* node) noexcept;
  static void drop(const Node* node) noexcept;

  const Node* node_ = nullptr;  // null if nothing is known
};

}  // namespace upsweep
