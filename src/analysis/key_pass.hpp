// The passes of a sort. Finds the place of each key before a pass and after the pass.
#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/moves.hpp"
#include "base/job.hpp"
#include "trace/trace.hpp"

namespace upsweep {

struct Recording;

// A part of a run in which each key moves once.
struct KeyPass {
  enum class Kind : std::uint8_t {
    load,   // a block loads its chunk into shared memory
    split,  // a block sorts its chunk by one bit
    store,  // a block stores its chunk
    digit,  // launches sort all keys by one digit
    merge,  // a launch merges pairs of sorted sequences of keys
  };
  // The place of keys in memory: a buffer of global memory, or region 0 of a block's shared memory.
  struct Array {
    int buffer = -1;         // index into Trace::buffers; -1 for shared memory
    std::int64_t first = 0;  // the index of the first of these keys
  };
  struct Key {
    std::int64_t index = 0;  // the key's index in the array
    bool known = false;
    std::uint32_t element = Moves::none;  // the key's index in the input
    Value key{};
    std::optional<Value> value = {};  // the value that belongs to the key, if there are values
    // For a key in `before`, the key's index after the pass. For a key in `after`, the key's index before the
    // pass. -1 if unknown.
    std::int64_t place = -1;
    // The store that moves the key in this pass: an index into Trace::events, or Moves::none.
    std::uint32_t event = Moves::none;
    int lane = -1;
    bool arrived = false;  // whether the store is in the shown step or in an earlier step
  };

  Kind kind = Kind::load;
  int number = 0, count = 1;  // the pass has index `number` among the run's `count` passes of this kind
  int first_step = 0, last_step = 0;  // indices into Trace::steps
  // The bits by which the pass sorts: [low_bit, low_bit + bits). `bits` is 0 for loads, stores and merges,
  // and for a digit whose bits are not known.
  int low_bit = 0, bits = 0;
  int run_length = 0;  // for a merge: the number of keys in a sorted sequence

  Array from, to;
  std::int64_t size = 0;  // the number of keys
  // The keys before the pass and after the pass. Each list has at most `most_keys` keys. If the array has
  // more keys, the list has only some of the keys, at equal distances.
  static constexpr std::int64_t most_keys = 1024;
  std::vector<Key> before, after;

  // Only for a split: counts in the block's shared memory after the shown step. A count that the block has
  // not stored yet has no value.
  //
  // `flags` has 1 for each key whose bit is 0. `scan` has partial sums of `flags`, or the finished scan if
  // `scan_finished` is true. `zeros` is the number of keys whose bit is 0.
  std::vector<std::optional<std::uint32_t>> flags, scan;
  bool scan_finished = false;
  std::optional<std::uint32_t> zeros;

  // True if the kernel has computed the new places of all keys, in the shown step or in an earlier step.
  bool places_known = false;
  // Two equal keys, as indices of the input, without an equal key between them. Of all such pairs, this pair
  // has the largest distance in the input, so that readers see other keys between the two keys. Has no value
  // if the pass has no equal keys.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> equal_pair;

  // Facts about all keys of the pass.
  std::int64_t known = 0;             // the number of keys before the pass whose index in the input is known
  std::int64_t moved = 0;             // the number of keys whose place after the pass is known
  int varying_bits = 0;               // the keys differ only in so many low bits of Recording::order
  std::vector<std::uint32_t> digits;  // the digits of the keys, each digit once, ascending
  bool in_order = false;              // whether all keys before the pass are known and sorted
  bool stable = false;                // whether equal keys have the order of the input after the pass

  std::uint32_t digit(std::uint32_t order_bits) const {
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;  // `bits` may be 32
    return static_cast<std::uint32_t>(order_bits >> low_bit & mask);
  }
};

// Returns the pass to which a step of a sort belongs. If the pass uses shared memory, the result has only the
// keys of `block`. Otherwise, the result has all keys. Returns nullopt after the last pass, and for
// recordings of other kernels. Throws Cancelled if the job is cancelled meanwhile.
//
// The phases of the steps (see trace/phase.hpp) say which launches split and merge. The memories of a sort
// are recognised by their cells:
// - In global memory, the values are in the buffer after the buffer of keys, if this buffer has one word for
//   each key.
// - In shared memory, region 0 has the keys.
// - A region of shared memory with one count for each key has the flags, and later the scan of the flags.
// - A region of shared memory with a single count has the number of keys whose bit is 0.
// - A region of shared memory with one word for each key has the values.
std::optional<KeyPass> key_pass(const Recording& recording, int block, int step, const Job* job = nullptr);

// Returns whether equal keys have the same order as in the input. `order` must be Recording::order. Leaves
// out keys whose index in the input is not known.
bool equal_keys_in_order(const std::vector<KeyPass::Key>& keys, const std::vector<std::uint32_t>& order);

}  // namespace upsweep
