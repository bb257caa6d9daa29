// Explains the cost of one request to shared memory by the index, the word and the bank of every lane.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "analysis/recording.hpp"
#include "trace/requests.hpp"

namespace upsweep {

// The access of one lane in a request. A lane that is not active accesses nothing.
struct LaneAccess {
  bool active = false;
  // The index of the accessed element; padding cells are not counted. Has no value if the address is in a
  // padding cell or outside of shared memory.
  std::optional<std::int64_t> element;
  // The index of the element's cell in its region, or in one buffer of a double buffer; padding cells are
  // counted. Has no value if `element` has no value.
  std::optional<std::int64_t> cell;
  int place = -1;  // the accessed cell's index in cell_places(); -1 if no cell has the address
  // The index of the accessed 4-byte word in the block's shared memory. For a wide access, the index of the
  // first word.
  std::int64_t word = 0;
  int bank = 0;  // the bank of `word`
  // The index of the wavefront that serves `word`; -1 if no wavefront serves the word.
  int wavefront = -1;
};

struct Because {
  int event = -1;  // index into Trace::events
  // The step has `of` requests to shared memory, and this is request `number`, counted from 1. For an atomic,
  // both numbers are 0.
  int number = 0, of = 0;
  BankModel model{};
  std::array<LaneAccess, 32> lanes{};
  int active = 0;  // the number of active lanes
  // The distance from each active lane to the next active lane, in words and in elements (without padding
  // cells). Has no value if the distances differ, if a distance is not known, or if only one lane is active.
  std::optional<std::int64_t> stride_words{}, stride_elements{};
  int width = 4;        // the number of bytes that each lane accesses
  bool padded = false;  // whether padding changes the distance between the lanes' words
  // The numbers of different words and of different banks that the request uses.
  int words = 0, banks = 0;
  int wavefronts = 0;  // 0 for an atomic, because atomics are not served in wavefronts
  // The number of groups of lanes. The groups are served one after another (see trace/requests.hpp).
  int groups = 0;
  int fullest_bank = -1;  // the bank in which the lanes use the most words; the first of several such banks
  int most_words = 0;     // the number of words that the lanes use in fullest_bank
  int contention = 0;     // for an atomic: the largest number of lanes that change one address
};

// `event` must be the index of a load, store or atomic of shared memory.
Because because(const Recording& recording, int event, const BankModel& model = {});

// The cost of a request by all 32 lanes of a warp. `words` is the distance, in words, between the accesses of
// neighbouring lanes.
struct WordsApart {
  std::int64_t words = 0;
  int banks = 0;   // the number of banks that the warp uses
  int degree = 0;  // the largest number of words that one group of lanes uses in one bank
  bool operator==(const WordsApart&) const = default;
};
// Returns the cost of a load of `width` bytes per lane. Requires words * 4 >= width.
WordsApart words_apart(std::int64_t words, int width, const BankModel& model = {});

}  // namespace upsweep
