#include "analysis/knowledge.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <vector>

namespace upsweep {

// A node of the trie is either a branch or a leaf. A leaf stands for one block. The numbers of all blocks
// below a branch have the same bits above `bit`. The numbers below child[0] have 0 in `bit`, and the numbers
// below child[1] have 1.
struct Knowledge::Node {
  mutable std::uint32_t references = 1;
  std::uint32_t bit;     // 0 for a leaf
  std::uint32_t prefix;  // a leaf: the block; a branch: the common bits of its blocks, with all other bits 0
  std::uint32_t count;   // a leaf: the number of its entries

  // Returns whether the other node belongs below this node.
  bool covers(const Node& other) const {
    return bit > other.bit && (other.prefix & ~(bit | (bit - 1))) == prefix;
  }
};

struct Knowledge::Branch : Node {
  const Node* child[2];
};

// A leaf: the knowledge about one block. Its entries, sorted by `who`, are in memory directly after this
// object.
struct Knowledge::Leaf : Node {
  const Known* begin() const { return reinterpret_cast<const Known*>(this + 1); }
  const Known* end() const { return begin() + count; }
};

const Knowledge::Branch& Knowledge::branch(const Node* node) { return *static_cast<const Branch*>(node); }
const Knowledge::Leaf& Knowledge::leaf(const Node* node) { return *static_cast<const Leaf*>(node); }

void Knowledge::keep(const Node* node) noexcept {
  if (node) ++node->references;
}

void Knowledge::drop(const Node* node) noexcept {
  if (!node || --node->references > 0) return;
  if (node->bit != 0)
    for (const Node* child : branch(node).child) drop(child);
  ::operator delete(const_cast<Node*>(node));
}

Knowledge Knowledge::made(std::uint32_t bit, Knowledge zero, Knowledge one) {
  auto* node = new (::operator new(sizeof(Branch))) Branch;
  node->bit = bit;
  node->prefix = zero.node_->prefix & ~(bit | (bit - 1));
  node->count = 0;
  node->child[0] = std::exchange(zero.node_, nullptr);
  node->child[1] = std::exchange(one.node_, nullptr);
  return Knowledge(node);
}

Knowledge Knowledge::made(std::uint32_t block, const Known* known, std::size_t count) {
  auto* node = new (::operator new(sizeof(Leaf) + count * sizeof(Known))) Leaf;
  node->bit = 0;
  node->prefix = block;
  node->count = static_cast<std::uint32_t>(count);
  std::uninitialized_copy_n(known, count, reinterpret_cast<Known*>(node + 1));
  return Knowledge(node);
}

Knowledge::Knowledge(std::uint32_t block, std::span<const Known> known) {
  if (!known.empty()) *this = made(block, known.data(), known.size());
}

Knowledge Knowledge::merged(const Leaf& a, const Leaf& b) {
  constexpr std::size_t few = 96;  // a list with more entries is built on the heap
  Known room[few];
  std::vector<Known> more;
  Known* to = room;
  if (a.count + b.count > few) {
    more.resize(a.count + b.count);
    to = more.data();
  }
  // An entry for `everyone` replaces all entries of single threads whose moments are not later.
  const auto of_everyone = [](const Leaf& l) { return l.begin()->who == everyone ? l.begin()->until : 0; };
  const Moment whole = std::max(of_everyone(a), of_everyone(b));
  Known* end = to;
  if (whole > 0) *end++ = {everyone, whole};
  const Known *x = a.begin() + (of_everyone(a) > 0), *y = b.begin() + (of_everyone(b) > 0);
  while (x != a.end() || y != b.end()) {
    Known next;
    if (y == b.end() || (x != a.end() && x->who < y->who)) next = *x++;
    else if (x == a.end() || y->who < x->who) next = *y++;
    else next = {x->who, std::max(x++->until, y++->until)};
    if (next.until > whole) *end++ = next;
  }
  if (std::equal(to, end, a.begin(), a.end())) return share(&a);
  if (std::equal(to, end, b.begin(), b.end())) return share(&b);
  return made(a.prefix, to, static_cast<std::size_t>(end - to));
}

Knowledge Knowledge::merged(const Node* a, const Node* b) {
  if (a == b) return share(a);
  if (a->bit == b->bit && a->prefix == b->prefix) {
    if (a->bit == 0) return merged(leaf(a), leaf(b));
    const Branch &x = branch(a), &y = branch(b);
    Knowledge zero = merged(x.child[0], y.child[0]), one = merged(x.child[1], y.child[1]);
    if (zero.node_ == x.child[0] && one.node_ == x.child[1]) return share(a);
    if (zero.node_ == y.child[0] && one.node_ == y.child[1]) return share(b);
    return made(a->bit, std::move(zero), std::move(one));
  }
  if (b->covers(*a)) std::swap(a, b);
  if (a->covers(*b)) {
    const Branch& x = branch(a);
    const bool side = (b->prefix & a->bit) != 0;
    Knowledge below = merged(x.child[side], b);
    if (below.node_ == x.child[side]) return share(a);
    Knowledge other = share(x.child[!side]);
    return side ? made(a->bit, std::move(other), std::move(below))
                : made(a->bit, std::move(below), std::move(other));
  }
  const std::uint32_t bit = std::bit_floor(a->prefix ^ b->prefix);
  if ((a->prefix & bit) != 0) std::swap(a, b);
  return made(bit, share(a), share(b));
}

void Knowledge::add(const Knowledge& more) {
  if (more.node_ == nullptr || more.node_ == node_) return;
  *this = node_ ? merged(node_, more.node_) : more;
}

Moment Knowledge::until_of(std::uint32_t block, std::uint32_t who) const {
  const Node* at = node_;
  while (at && at->bit != 0) at = branch(at).child[(block & at->bit) != 0];
  if (!at || at->prefix != block) return 0;
  const Leaf& l = leaf(at);
  const auto found =
      std::lower_bound(l.begin(), l.end(), who, [](const Known& k, std::uint32_t w) { return k.who < w; });
  // A thread's own entry has a later moment than the entry for `everyone`, so the own entry decides.
  if (found != l.end() && found->who == who) return found->until;
  return l.begin()->who == everyone ? l.begin()->until : 0;
}

}  // namespace upsweep
