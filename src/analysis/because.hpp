// Explains the cost of one request to shared memory by the index, the word and the bank of every lane.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "analysis/recording.hpp"
#include "trace/requests.hpp"

namespace upsweep {

// What one lane of a request accesses. A lane that is not active accesses nothing.
struct LaneAccess {
  bool active = false;
  // The index of the element before padding. Nothing if the address is padding or outside of shared memory.
  std::optional<std::int64_t> element;
  // The index of the element's cell in its region, or in its buffer of a double buffer. Padding cells count,
  // too.
  std::optional<std::int64_t> cell;
  int place = -1;         // the cell's index in cell_places(), or -1
  std::int64_t word = 0;  // the 4-byte word in the block's shared memory; of a wide access, the first one
  int bank = 0;           // of this word
  int wavefront = -1;     // the wavefront that serves this word, from 0; -1 if no wavefront does
};

struct Because {
  int event = -1;  // index into Trace::events
  int number = 0,
      of = 0;  // request `number` of the step's `of` shared requests, counted from 1; 0 for an atomic
  BankModel model{};
  std::array<LaneAccess, 32> lanes{};
  int active = 0;  // the number of active lanes
  // The distance from each active lane to the next one, in words and in elements before padding. Has no value
  // if these distances differ or are not known, or if only one lane is active.
  std::optional<std::int64_t> stride_words{}, stride_elements{};
  int width = 4;             // the bytes that each lane accesses
  bool padded = false;       // whether padding changes the distance between the lanes' words
  int words = 0, banks = 0;  // how many different words, and how many different banks, the request uses
  int wavefronts = 0;        // 0 for an atomic: shared memory does not serve it in wavefronts
  int groups = 0;            // how many groups of lanes are served one after another; see trace/requests.hpp
  int fullest_bank = -1;     // the first of the banks in which the lanes use the most words
  int most_words = 0;        // the number of words in this bank
  int contention = 0;        // for an atomic: the largest number of lanes that change one address
};

// `event` must be the index of a load, store or atomic of shared memory.
Because because(const Recording& recording, int event, const BankModel& model = {});

// The cost of a request by all 32 lanes of a warp, if neighbouring lanes access words `words` apart.
struct WordsApart {
  std::int64_t words = 0;
  int banks = 0;   // the banks that the warp uses
  int degree = 0;  // the largest number of words in one bank that one group of lanes uses
  bool operator==(const WordsApart&) const = default;
};
// Returns this cost for loads of `width` bytes per lane. Requires words * 4 >= width.
WordsApart words_apart(std::int64_t words, int width, const BankModel& model = {});

}  // namespace upsweep
