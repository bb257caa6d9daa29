// Records the memory accesses and the shuffles of kernels on a GPU. A kernel accesses memory through a view, which records every read and write. A shuffle
// records the values that lanes take from other lanes.
#pragma once
#include "gpu_warps.cuh"

// A count, for example of kept elements. Counts are always added, even if the elements have another operator. Like an element, a count has an origin (the event that produced it).
struct Count {
  unsigned value;
  upsweep::Origin origin;
  Count() = default;
  __device__ Count(int constant) : value(static_cast<unsigned>(constant)), origin(0) {}
  __device__ Count(unsigned v, upsweep::Origin o) : value(v), origin(o) {}
  __device__ operator int() const { return static_cast<int>(value); }
};

namespace upsweep {

// One of the two numbers in an element that is a pair. Like an element, it has an origin: the event that made it.
template <class N>
struct PartOfPair {
  N value;
  Origin origin;
};

}  // namespace upsweep

template <class T>
using Number = upsweep::PartOfPair<upsweep::Number>;

namespace upsweep {

template <class V>
constexpr unsigned stored_bytes<Tracked<V>> = sizeof(V);
template <>
constexpr unsigned stored_bytes<Count> = sizeof(unsigned);
template <class N>
constexpr unsigned stored_bytes<PartOfPair<N>> = sizeof(N);

// ---- memory ----

// An index, and the line of the kernel's text in which the index stands.
struct At {
  long long index;
  int line;
  __device__ constexpr At(int i, int line = __builtin_LINE()) : index(i), line(line) {}
  __device__ constexpr At(unsigned i, int line = __builtin_LINE()) : index(i), line(line) {}
  __device__ constexpr At(long long i, int line = __builtin_LINE()) : index(i), line(line) {}
  __device__ At(Count i, int line = __builtin_LINE()) : index(static_cast<int>(i)), line(line) {}
};

// Describes the cells of a view. T is the type of a cell, and can be const or volatile. Elements, counts and parts of pairs have an origin (the event that
// produced them). A word is a plain number without an origin. A message is an element with a word, or a count with a word.
template <class T>
struct Cells {
  using Value = T;
  using Stored = T;
  static constexpr bool constant = false, careful = false, words = true;
  static __device__ Stored stored(Value v) { return v; }
  static __device__ Origin origin(Value) { return 0; }
  static __device__ Value value(Stored s, Origin) { return s; }
};
template <class T, class V>
struct TrackedCells {
  using Value = T;
  using Stored = V;
  static constexpr bool constant = false, careful = false, words = false;
  static __device__ Stored stored(Value v) { return v.value; }
  static __device__ Origin origin(Value v) { return v.origin; }
  static __device__ Value value(Stored s, Origin o) { return {s, o}; }
};
template <class V>
struct Cells<Tracked<V>> : TrackedCells<Tracked<V>, V> {};
template <>
struct Cells<Count> : TrackedCells<Count, unsigned> {};
template <class N>
struct Cells<PartOfPair<N>> : TrackedCells<PartOfPair<N>, N> {};
template <class T>
struct Cells<Message<T>> {
  using V = typename Cells<T>::Stored;
  using Value = Message<T>;
  using Stored = MessageBits<V>;
  static constexpr bool constant = false, careful = false, words = false;
  static __device__ Stored stored(Value m) { return packed(Message<V>{m.value.value, m.mark}); }
  static __device__ Origin origin(Value m) { return m.value.origin; }
  static __device__ Value value(Stored s, Origin o) {
    const Message<V> m = unpacked(s);
    return {{m.value, o}, m.mark};
  }
};
// A pixel that is one byte. A load turns the byte into an element.
template <class T>
struct BytePixel;
template <class V>
struct Cells<BytePixel<Tracked<V>>> {
  using Value = Tracked<V>;
  using Stored = unsigned char;
  static constexpr bool constant = false, careful = false, words = false;
  static __device__ Value value(Stored s, Origin o) { return {static_cast<V>(s), o}; }
};
template <class T>
struct Cells<const T> : Cells<T> {
  static constexpr bool constant = true;
};
template <class T>
struct Cells<volatile T> : Cells<T> {
  static constexpr bool careful = true;
};

// Cells of shared or global memory.
template <class T, bool shared>
struct View {
  using Of = Cells<T>;
  using Value = typename Of::Value;
  using Stored = typename Of::Stored;
  Stored* cells;    // cell 0
  long long count;  // the number of cells from cell 0 to the end of the memory
  unsigned buffer;  // global: the index of the buffer; shared: the byte at which cell 0 begins

  __device__ long long first() const { return shared ? buffer : 0; }
  __device__ bool holds(long long index, int parts = 1) const { return index >= (shared ? -first() / int(sizeof(Stored)) : 0) && index + parts <= count; }
  __device__ long long address(long long index) const { return first() + index * static_cast<long long>(sizeof(Stored)); }
  __device__ static Request request(Kind kind, unsigned detail, unsigned parts, unsigned where) {
    return {kind,
            detail,
            Of::careful ? is_volatile : 0u,
            parts,
            static_cast<unsigned>(sizeof(Stored)) * (atomic(kind) ? 1 : parts),
            shared ? 0 : where,
            shared ? where : 0};
  }
};

template <class T, bool shared>
struct CellAddress {
  View<T, shared> view;
  At at;
};

template <class T, bool shared>
__device__ __noinline__ typename View<T, shared>::Value load(const View<T, shared>& v, At at) {
  using Of = Cells<T>;
  typename Of::Stored s{};
  if (v.holds(at.index)) {
    if constexpr (Of::careful) s = volatile_load(static_cast<const volatile typename Of::Stored*>(v.cells + at.index));
    else s = v.cells[at.index];
  }
  asm volatile("" ::: "memory");
  if constexpr (Of::careful) my_place() |= waited_bit;
  settle(my_mask(), s);
  const Request r = v.request(shared ? shared_load : global_load, 0, 1, v.buffer);
  return Of::value(s, record(r, v.address(at.index), !v.holds(at.index), at.line, s, 0, 0));
}

template <class T, bool shared>
__device__ __noinline__ void store(const View<T, shared>& v, At at, typename View<T, shared>::Value value) {
  using Of = Cells<T>;
  static_assert(!Of::constant, "A kernel cannot write to a Global<const T>.");
  const typename Of::Stored s = Of::stored(value);
  const Request r = v.request(shared ? shared_store : global_store, 0, 1, v.buffer);
  const unsigned mask = my_mask();
  constexpr bool in_turn = Of::words;  // true for words. A store to a word takes a lock, because an atomic may access the same word
  if (in_turn) lock(mask);
  record(r, v.address(at.index), !v.holds(at.index), at.line, s, Of::origin(value), 0);
  if (v.holds(at.index)) {
    if constexpr (Of::careful) volatile_store(static_cast<volatile typename Of::Stored*>(v.cells + at.index), s);
    else v.cells[at.index] = s;
  }
  asm volatile("" ::: "memory");
  if (in_turn) unlock(mask);
}

// A cell that is not read or assigned yet. The statement that names the cell must also read or assign the
// cell, for example `T x = temp[i]`. With `auto x = temp[i]`, the cell would be read later, so the
// statement does not compile.
template <class T, bool shared>
struct Cell {
  View<T, shared> view;
  At at;
  using Value = typename View<T, shared>::Value;
  __device__ operator Value() && { return load(view, at); }
  __device__ void operator=(Value v) && { store(view, at, v); }
  __device__ void operator=(Cell&& other) && { store(view, at, load(other.view, other.at)); }
  __device__ CellAddress<T, shared> operator&() && { return {view, at}; }
};

// Executes and records an atomic. `change` changes the value at an address and returns the old value. `after` computes the new value.
template <class T, bool shared, class Change, class After>
__device__ inline typename View<T, shared>::Stored change(CellAddress<T, shared> a, Atomic how, Origin given, int line, Change change,
                                                          After after) {
  using Stored = typename View<T, shared>::Stored;
  const View<T, shared>& v = a.view;
  const unsigned mask = my_mask();
  const bool inside = v.holds(a.at.index);
  const long long address = v.address(a.at.index);
  const Request r = v.request(shared ? shared_atomic : global_atomic, how, 2, v.buffer);
  my_place() |= waited_bit;
  lock(mask);
  const Ticket t = begin_event(mask, r, address, !inside, line);
  Stored before{}, then{};
  if (inside) before = change(v.cells + a.at.index), then = after(before);
  settle(mask, before);
  unlock(mask);
  write_lane(t, mask, r, 0, address, before, given, 0);
  write_lane(t, mask, r, 1, address, then, given, 0);
  const Words<Stored> was(before), is(then);
  bool changed = false;
  for (unsigned w = 0; w < Words<Stored>::count; ++w) changed = changed || was.word[w] != is.word[w];
  if (changed) progress();
  __syncwarp(mask);
  return before;
}

// ---- registers ----

// Splits a register's value into the plain value, which a shuffle can exchange, and the origin (the event that produced the value). The event of the shuffle gets the `flags`.
template <class V>
struct Register {
  static constexpr unsigned flags = 0;
  static __device__ V plain(V x) { return x; }
  static __device__ Origin origin(V) { return 0; }
  static __device__ V make(V x, Origin) { return x; }
};
template <class T, class V, unsigned of_value>
struct TrackedRegister {
  static constexpr unsigned flags = of_value;
  static __device__ V plain(T x) { return x.value; }
  static __device__ Origin origin(T x) { return x.origin; }
  static __device__ T make(V x, Origin o) { return {x, o}; }
};
template <class V>
struct Register<Tracked<V>> : TrackedRegister<Tracked<V>, V, 0> {};
template <>
struct Register<Count> : TrackedRegister<Count, unsigned, is_count> {};
template <class N>
struct Register<PartOfPair<N>> : TrackedRegister<PartOfPair<N>, N, is_number> {};

// Returns the value of another lane. If the other lane is outside the warp, returns the calling lane's own value. If the other lane does not take part,
// returns zero (the hardware's result is undefined).
template <class X>
__device__ inline X shuffle(Shuffle how, X x, unsigned source, int line) {
  const unsigned mask = my_mask();
  if (source > 31) source = lane();
  const bool there = mask >> source & 1;
  auto value = Register<X>::plain(x);
  Words<decltype(value)> bits(value);
  for (unsigned& word : bits.word) {
    const unsigned taken = __shfl_sync(mask, word, source);
    word = there ? taken : 0;
  }
  memcpy(&value, bits.word, sizeof value);
  const Origin theirs = __shfl_sync(mask, Register<X>::origin(x), source), given = there ? theirs : 0;
  const Request r = {shuffled, how, Register<X>::flags, 1, sizeof value, 0, 0};
  return Register<X>::make(value, record(r, source, false, line, value, given, 0));
}
template <class X>
__device__ inline X shuffle_index(unsigned, X x, int from, int line = __builtin_LINE()) {
  return shuffle(from_index, x, from & 31, line);
}
template <class X>
__device__ inline X shuffle_up(unsigned, X x, unsigned k, int line = __builtin_LINE()) {
  return shuffle(from_up, x, lane() - k, line);
}
template <class X>
__device__ inline X shuffle_down(unsigned, X x, unsigned k, int line = __builtin_LINE()) {
  return shuffle(from_down, x, lane() + k, line);
}
template <class X>
__device__ inline X shuffle_xor(unsigned, X x, int k, int line = __builtin_LINE()) {
  return shuffle(from_xor, x, lane() ^ k, line);
}
template <class X>
__device__ inline X shuffle_sum(unsigned, X x, int line = __builtin_LINE()) {
  const auto sum = warp_sum(my_mask(), Register<X>::plain(x));
  const Request r = {shuffled, reduce_add, Register<X>::flags, 1, sizeof sum, 0, 0};
  return Register<X>::make(sum, record(r, lane(), false, line, sum, Register<X>::origin(x), 0));
}

__device__ inline unsigned vote(Vote how, bool condition, int line) {
  const unsigned mask = my_mask(), yes = __ballot_sync(mask, condition);
  const unsigned result = how == ballot ? yes : how == any ? yes != 0 : yes == mask;
  record(Request{voted, how, 0, 1, 4, 0, 0}, lane(), false, line, result, 0, 0);
  return result;
}
__device__ inline unsigned vote_ballot(unsigned, bool c, int line = __builtin_LINE()) { return vote(ballot, c, line); }
__device__ inline int vote_any(unsigned, bool c, int line = __builtin_LINE()) { return vote(any, c, line); }
__device__ inline int vote_all(unsigned, bool c, int line = __builtin_LINE()) { return vote(all, c, line); }

}  // namespace upsweep
