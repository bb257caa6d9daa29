// Packs numbers with zstd. First reorders the numbers' bytes: all lowest bytes come first, then all second
// bytes, and so on. If neighbouring numbers are similar, packs the differences of neighbours instead of the
// numbers.
#pragma once
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace upsweep {

using Bytes = std::vector<std::uint8_t>;

// Returns one zstd frame with a checksum of its content. Throws WorkError if there is not enough memory.
Bytes compressed(std::span<const std::uint8_t> bytes);
// Returns the size that a frame states for its content; -1 if the frame states no size or is no frame.
std::int64_t size_of_content(std::span<const std::uint8_t> frame);
// Fills `content` with the frame's content. Returns false if the frame's content has another size than
// `content`, or if the frame is damaged.
bool decompress(std::span<const std::uint8_t> frame, std::span<std::uint8_t> content);

// Returns the lowest bytes of all numbers, then the second bytes of all numbers, and so on. Zstd packs this
// order of bytes well, because the higher bytes of small numbers are all zero. If `differences` is true,
// replaces each number by its difference from the number before, in zigzag form: the differences 0, -1, 1, -2
// become 0, 1, 2, 3.
template <std::unsigned_integral U>
Bytes spread(std::span<const U> numbers, bool differences) {
  const std::size_t n = numbers.size();
  Bytes bytes(n * sizeof(U));
  U before = 0;
  for (std::size_t i = 0; i < n; ++i) {
    U x = numbers[i];
    if (differences) {
      const U d = static_cast<U>(x - before);
      before = x;
      x = static_cast<U>(static_cast<U>(d << 1) ^
                         static_cast<U>(U{0} - static_cast<U>(d >> (sizeof(U) * 8 - 1))));
    }
    for (std::size_t k = 0; k < sizeof(U); ++k) bytes[k * n + i] = static_cast<std::uint8_t>(x >> (8 * k));
  }
  return bytes;
}

// Recovers the numbers from the bytes that spread() returned for the same value of `differences`. For each
// number, calls f with the index of the number, and with the number.
template <std::unsigned_integral U, class F>
void gather(std::span<const std::uint8_t> bytes, bool differences, F f) {
  const std::size_t n = bytes.size() / sizeof(U);
  U before = 0;
  for (std::size_t i = 0; i < n; ++i) {
    U x = 0;
    for (std::size_t k = 0; k < sizeof(U); ++k)
      x = static_cast<U>(x | static_cast<U>(U{bytes[k * n + i]} << (8 * k)));
    if (differences) {
      const U d = static_cast<U>(static_cast<U>(x >> 1) ^ static_cast<U>(U{0} - static_cast<U>(x & 1)));
      x = before = static_cast<U>(before + d);
    }
    f(i, x);
  }
}

}  // namespace upsweep
