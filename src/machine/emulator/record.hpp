// Defines the records of one emulated thread. Each action of the thread has one record. Later the records of
// all lanes of a warp are merged into events.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>

#include "machine/emulator/control_flow.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// Describes an action (its kind, its width and more) by one number. In a kernel's text the number is a
// compile-time constant.
class What {
 public:
  constexpr What() = default;
  constexpr What(Kind kind, std::size_t width, int parts = 1, int detail = 0, bool is_volatile = false)
      : bits_(static_cast<std::uint16_t>(
            static_cast<int>(kind) | detail << 4 | static_cast<int>(std::bit_width(width)) << 7 |
            (static_cast<int>(std::bit_width(static_cast<unsigned>(parts))) - 1) << 10 | is_volatile << 12 |
            (is_volatile || kind == Kind::shared_atomic || kind == Kind::global_atomic || meets(kind))
                << 14)) {}
  constexpr Kind kind() const { return static_cast<Kind>(bits_ & 15); }
  constexpr std::uint8_t detail() const { return bits_ >> 4 & 7; }
  constexpr std::uint8_t width() const {
    const int code = bits_ >> 7 & 7;
    return static_cast<std::uint8_t>(code == 0 ? 0 : 1 << (code - 1));
  }
  constexpr std::uint8_t parts() const { return static_cast<std::uint8_t>(1 << (bits_ >> 10 & 3)); }
  constexpr bool volatile_access() const { return (bits_ & 1 << 12) != 0; }
  // Returns whether the lane's address is outside its memory. For a collective (a shuffle, a vote or a
  // __syncwarp()), returns whether the mask lacks the lane itself.
  constexpr bool outside() const { return (bits_ & outside_bit) != 0; }
  constexpr What outside(bool is) const {
    What w = *this;
    if (is) w.bits_ |= outside_bit;
    return w;
  }
  // Returns true for actions whose order in time matters: volatile accesses, atomics, shuffles, votes and
  // __syncwarp().
  constexpr bool timed() const { return (bits_ & 1 << 14) != 0; }
  constexpr bool is_collective() const { return meets(kind()); }
  bool operator==(const What&) const = default;
  // Returns true for a shuffle, a vote or a __syncwarp() that some lanes in its mask never execute, because
  // these lanes have ended.
  constexpr bool incomplete() const { return (bits_ & incomplete_bit) != 0; }
  constexpr What incomplete(bool is) const {
    What w = *this;
    if (is) w.bits_ |= incomplete_bit;
    return w;
  }
  static constexpr std::uint16_t outside_bit = 1 << 13, incomplete_bit = 1 << 15;

 private:
  static constexpr bool meets(Kind k) {
    return k == Kind::shuffle || k == Kind::vote || k == Kind::warp_barrier;
  }
  std::uint16_t bits_ = 0;
};

// Packs an action, its place in the text and its lane into one word, so that one comparison compares all
// three.
struct Access {
  TextPlace place;
  What what;
  std::uint8_t buffer = 0, lane = 0;
};

// One action of one thread. A vector access has several parts. For each part after the first part, one more
// record follows.
struct Record {
  Value value{};
  // The meaning of `cell` depends on the action:
  // - Access: the index of the cell in its buffer or in shared memory.
  // - Shuffle: the lane that gave the value.
  // - Launch: the child grid, counted from 1.
  // - Operation: the origin of the right operand.
  std::int32_t cell = 0;
  // An origin is 1 + the index of the record that produced the value; 0 means that no record produced the
  // value. The index counts this thread's records. For a shuffle, the index counts the records of the lane
  // that gave the value.
  Origin left = 0;
  std::uint32_t step = 0;
  std::uint32_t time = 0;  // the value of Run::clock at the action
  ControlFlow::Node node = nullptr;
  Access access;
};

// An array of records. push_back() is short enough to be inlined at every access of a kernel, which saves
// 0.03 ms per block. The array grows in small pieces, because grow() also checks whether the run is still
// needed.
class ThreadLog {
 public:
  void push_back(const Record& record) {
    if (end_ == limit_) grow();
    *end_++ = record;
  }
  void clear() {
    end_ = records_.get();
    limit_ = end_ + std::min(capacity_, piece);
  }
  std::size_t size() const { return static_cast<std::size_t>(end_ - records_.get()); }
  const Record* begin() const { return records_.get(); }
  // The offset of the next record in bytes.
  std::ptrdiff_t offset() const {
    return reinterpret_cast<const std::byte*>(end_) - reinterpret_cast<const std::byte*>(records_.get());
  }
  operator std::span<const Record>() const { return {records_.get(), end_}; }

 private:
  static constexpr std::size_t piece = 1 << 14;
  void grow();
  // Frees the records. Their memory comes from realloc(), because realloc() moves the pages of a long log
  // instead of copying them.
  struct Free {
    void operator()(Record* records) const { std::free(records); }
  };
  std::unique_ptr<Record, Free> records_;
  std::size_t capacity_ = 0;
  Record *end_ = nullptr, *limit_ = nullptr;
};

}  // namespace upsweep
