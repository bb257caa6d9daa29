// Cells of a kernel's memory on the emulator: elements (which know their origin and depth), words and
// messages.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "machine/emulator/emulated_thread.hpp"

namespace upsweep::host {

// An element's bits, for any type. Only the operator knows their meaning (Run::combine), so a kernel is
// compiled once for each size of an element, not once for each type.
using TwoBytes = std::uint16_t;
using FourBytes = std::uint32_t;
using EightBytes = std::uint64_t;
struct SixteenBytes {
  std::uint64_t low, high;
};

// A value, the number of the record that produced it (counted in this thread's run; 0 for a constant), and the
// value's depth (see Thread::apply).
template <class N>
struct Tracked {
  using Number = N;
  N value;
  Origin origin = 0;
  std::uint32_t depth = 0;
};

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

// A cell of memory: an element, which is tracked, or a word, which is a plain number.
template <class C>
struct CellTraits {
  using Number = C;
  static constexpr bool tracked = false;
  static const Number& number(const C& cell) { return cell; }
  static Origin origin(const C&) { return 0; }
  static std::uint32_t depth(const C&) { return 0; }
  static C make(const Number& number, Origin, std::uint32_t) { return number; }
};
template <class N>
struct CellTraits<Tracked<N>> {
  using Number = N;
  static constexpr bool tracked = true;
  static const Number& number(const Tracked<N>& cell) { return cell.value; }
  static Origin origin(const Tracked<N>& cell) { return cell.origin; }
  static std::uint32_t depth(const Tracked<N>& cell) { return cell.depth; }
  static Tracked<N> make(const Number& number, Origin origin, std::uint32_t depth) {
    return {number, origin, depth};
  }
};

// An element and a word that marks it. Blocks pass both to each other as one: a block that sees the mark
// also has the element.
template <class T>
struct Message {
  T value;
  int mark;
};
// In memory, the element is before the mark. No launch has messages with elements of 16 bytes.
template <class N>
struct MessageBits {
  static constexpr auto mark = static_cast<std::size_t>(mark_of_message(sizeof(N)));
  std::uint32_t words[2 * mark];
};
template <class N>
struct CellTraits<Message<Tracked<N>>> {
  using Number = MessageBits<N>;
  static constexpr bool tracked = true;
  static Number number(const Message<Tracked<N>>& m) {
    Number bits{};
    std::memcpy(bits.words, &m.value.value, sizeof(N));
    if constexpr (sizeof(N) <= most_message_element)
      bits.words[Number::mark] = static_cast<std::uint32_t>(m.mark);
    return bits;
  }
  static Origin origin(const Message<Tracked<N>>& m) { return m.value.origin; }
  static std::uint32_t depth(const Message<Tracked<N>>& m) { return m.value.depth; }
  static Message<Tracked<N>> make(const Number& bits, Origin origin, std::uint32_t depth) {
    return {{from_words<N>(bits.words), origin, depth}, static_cast<int>(bits.words[Number::mark])};
  }
};

// The largest type in which memory is moved in one piece, for cells of this many bytes.
template <std::size_t bytes>
using WordOf = std::conditional_t<bytes == 2, std::uint16_t,
                                  std::conditional_t<bytes == 4, std::uint32_t, std::uint64_t>>;

// Reads a cell from memory, or writes it. Global memory is accessed in whole words, because blocks that run
// in other CPU threads may access the same cell at the same time. On x86-64 this costs nothing.
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
