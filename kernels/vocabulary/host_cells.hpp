// Defines the cells of a kernel's memory on the emulator. Elements, counts and numbers have an origin and a
// depth (see Tracked). Words and messages are cells, too.
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "machine/emulator/emulated_thread.hpp"

namespace upsweep::host {

// An element's bits, for any type. Only functions such as the operator (Run::combine) use the type. So each
// kernel is compiled once for each size of an element, but not for each type.
using TwoBytes = std::uint16_t;
using FourBytes = std::uint32_t;
using EightBytes = std::uint64_t;
struct SixteenBytes {
  std::uint64_t low, high;
};

// A value. `origin` is 1 + the index of this thread's record that produced the value, or 0 for a constant.
// `depth` is the number of operations in the longest chain that led to the value.
template <class N>
struct Tracked {
  using Number = N;
  N value;
  Origin origin = 0;
  std::uint32_t depth = 0;
};

// A count, for example of kept elements. Counts are always added, even if the elements have another operator.
// A count has an origin and a depth (see Tracked), like an element.
struct Count {
  using Number = std::uint32_t;
  Number value = 0;
  Origin origin = 0;
  std::uint32_t depth = 0;
  Count() = default;
  Count(int constant) : value(static_cast<Number>(constant)) {}  // NOLINT: a kernel's text says Count c = 0
  Count(Number v, Origin o, std::uint32_t d) : value(v), origin(o), depth(d) {}
  operator int() const { return static_cast<int>(value); }  // NOLINT: a count may be an index
};
// A sum of counts must be recorded, so a kernel computes it by op().
template <std::same_as<Count> C>
C operator+(C, C) = delete;

// One of the two numbers in an element that is a pair. Like an element, it has an origin and a depth (see
// Tracked).
template <class N>
struct PartOfPair {
  using Number = N;
  N value;
  Origin origin = 0;
  std::uint32_t depth = 0;
};
template <class N>
struct HalfAsMany;  // the type with half as many bytes as N
template <>
struct HalfAsMany<TwoBytes> {
  using Bytes = TwoBytes;  // never used, because no pair has two bytes
};
template <>
struct HalfAsMany<FourBytes> {
  using Bytes = TwoBytes;
};
template <>
struct HalfAsMany<EightBytes> {
  using Bytes = FourBytes;
};
template <>
struct HalfAsMany<SixteenBytes> {
  using Bytes = EightBytes;
};
template <class T>
using Number = PartOfPair<typename HalfAsMany<typename T::Number>::Bytes>;

template <class N>
Value bits(const N& number) {
  static_assert(sizeof(N) <= sizeof(Value));
  Value v{};
  std::memcpy(v.data(), &number, sizeof number);
  return v;
}
template <class N>
N from_words(const std::uint32_t* words) {
  N number;
  std::memcpy(&number, words, sizeof number);
  return number;
}
template <class N>
N from_bits(const Value& v) {
  return from_words<N>(v.data());
}

// Describes a cell of memory: a word (a plain number) or a tracked value (a value with an origin). If an
// event computes or passes on a tracked value, the event has the `flags` (Event::flags).
template <class C>
struct CellTraits {
  using Number = C;
  static constexpr bool tracked = false;
  static constexpr std::uint8_t flags = 0;
  static const Number& number(const C& cell) { return cell; }
  static Origin origin(const C&) { return 0; }
  static std::uint32_t depth(const C&) { return 0; }
  static C make(const Number& number, Origin, std::uint32_t) { return number; }
};
template <class C, std::uint8_t event_flags>
struct TrackedTraits {
  using Number = typename C::Number;
  static constexpr bool tracked = true;
  static constexpr std::uint8_t flags = event_flags;
  static const Number& number(const C& cell) { return cell.value; }
  static Origin origin(const C& cell) { return cell.origin; }
  static std::uint32_t depth(const C& cell) { return cell.depth; }
  static C make(const Number& number, Origin origin, std::uint32_t depth) { return {number, origin, depth}; }
};
template <class N>
struct CellTraits<Tracked<N>> : TrackedTraits<Tracked<N>, 0> {};
template <>
struct CellTraits<Count> : TrackedTraits<Count, is_count> {};
template <class N>
struct CellTraits<PartOfPair<N>> : TrackedTraits<PartOfPair<N>, is_number> {};

// An element or a count, with a word that marks the message. One access sends the element and the word to
// other blocks, so a block that reads the word also has the element.
template <class T>
struct Message {
  T value;
  int mark;
};
// In memory, the mark follows the element. No launch has messages with elements of 16 bytes.
template <class N>
struct MessageBits {
  static constexpr auto mark = static_cast<std::size_t>(mark_of_message(sizeof(N)));
  std::uint32_t words[2 * mark];
};
template <class C>
struct CellTraits<Message<C>> {
  using N = typename C::Number;
  using Number = MessageBits<N>;
  static constexpr bool tracked = true;
  static constexpr std::uint8_t flags = 0;
  static Number number(const Message<C>& m) {
    Number bits{};
    std::memcpy(bits.words, &m.value.value, sizeof(N));
    if constexpr (sizeof(N) <= most_message_element)
      bits.words[Number::mark] = static_cast<std::uint32_t>(m.mark);
    return bits;
  }
  static Origin origin(const Message<C>& m) { return m.value.origin; }
  static std::uint32_t depth(const Message<C>& m) { return m.value.depth; }
  static Message<C> make(const Number& bits, Origin origin, std::uint32_t depth) {
    return {{from_words<N>(bits.words), origin, depth}, static_cast<int>(bits.words[Number::mark])};
  }
};

// The largest word, of at most 8 bytes, that divides a cell of `bytes` bytes into equal parts.
template <std::size_t bytes>
using WordOf =
    std::conditional_t<bytes == 1, std::uint8_t,
                       std::conditional_t<bytes == 2, std::uint16_t,
                                          std::conditional_t<bytes == 4, std::uint32_t, std::uint64_t>>>;

// These functions read and write a cell of memory. Global memory is accessed in whole words, because blocks
// in other CPU threads may access the same cell at the same time. On x86-64, such accesses take no extra
// time.
template <bool shared, class N>
[[gnu::always_inline]] inline N read_cell(const std::byte* from) {
  N number;
  if constexpr (shared) {
    std::memcpy(&number, from, sizeof number);
  } else {
    using Word = WordOf<sizeof(N)>;
    Word words[sizeof(N) / sizeof(Word)];
    for (Word& word : words) {
      word = __atomic_load_n(reinterpret_cast<const Word*>(from), __ATOMIC_RELAXED);
      from += sizeof word;
    }
    std::memcpy(&number, words, sizeof number);
  }
  return number;
}
template <bool shared, class N>
[[gnu::always_inline]] inline void write_cell(std::byte* to, const N& number) {
  if constexpr (shared) {
    std::memcpy(to, &number, sizeof number);
  } else {
    using Word = WordOf<sizeof(N)>;
    Word words[sizeof(N) / sizeof(Word)];
    std::memcpy(words, &number, sizeof number);
    for (const Word word : words) {
      __atomic_store_n(reinterpret_cast<Word*>(to), word, __ATOMIC_RELAXED);
      to += sizeof word;
    }
  }
}

}  // namespace upsweep::host
