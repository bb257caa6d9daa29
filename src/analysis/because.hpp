// Why one request to shared memory costs what it costs: from every lane's index to its bank.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "analysis/recording.hpp"

namespace upsweep {

// What one lane of a request accesses. A lane that is not active accesses nothing.
struct LaneAccess {
  bool active = false;
  // The index of the element before padding. Nothing if the address is padding or outside of shared memory.
  std::optional<std::int64_t> element;
  std::int64_t word = 0;  // the 4-byte word in the block's shared memory; of a wide access, the first one
  int bank = 0;           // of this word
};

struct Because {
  int event = -1;          // index into Trace::events
  int number = 0, of = 0;  // request `number` of the step's `of` shared requests, counted from 1
  std::array<LaneAccess, 32> lanes;
  int active = 0;  // the number of active lanes
  // The distance from each active lane to the next one, if all these distances are equal: in words, and in
  // elements before padding. Nothing if there is only one active lane.
  std::optional<std::int64_t> stride_words, stride_elements;
  int width = 4;             // the bytes that each lane accesses
  bool padded = false;       // whether padding changes the distance between the lanes' words
  int words = 0, banks = 0;  // how many different words, and how many different banks, the request uses
  int wavefronts = 0;
  int groups = 0;         // how many groups of lanes are served one after another; see trace/requests.hpp
  int fullest_bank = -1;  // the bank in which the lanes use the most words; the first one of these
  int most_words = 0;     // the number of words in this bank
};

// `event` must be the index of a load or store of shared memory.
Because because(const Recording& recording, int event);

}  // namespace upsweep
