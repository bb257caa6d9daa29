// Chooses settings that show an algorithm well to a beginner.
#pragma once
#include <optional>
#include <string_view>

#include "analysis/recording.hpp"
#include "catalogue/catalogue.hpp"

namespace upsweep {

// Returns `block`, rounded up if necessary to a block size that the algorithm allows. If `block` is too
// large, returns the largest allowed block size.
int possible_block(const Algorithm& a, int block);
// Returns whether one block must hold all n elements.
bool fits_one_block(const Algorithm& a);

// The largest n that teach() chooses. Up to this n, blocks have few threads, so that a reader can look at
// every block.
inline constexpr int largest_opening_n = 16'384;

// Chooses the block and the grid. `block` is the wanted number of threads per block. The other settings must
// be valid.
//
// If `choose_n` is true, also chooses n. The numbers are legible with this n. If the algorithm can have
// several blocks, this n is large enough for several blocks. A scan with look-back gets many tiles. If
// threads loop over the array, each thread gets several elements.
void teach(const Algorithm& a, Settings& s, bool choose_n, int block);

// Returns the place that is shown first in a recording: the block that looks back over the most tiles, at its
// step of looking back. Considers only blocks that are recorded in full. If several blocks look back over the
// most tiles, chooses the last of these blocks in the first of their launches. Returns nullopt if no block
// looks back.
std::optional<Place> place_of_look_back(const Recording& recording);

// The settings of the first run that the window shows when the user chooses an algorithm, such as a sort. A
// field without a value keeps the usual setting.
struct Example {
  std::string_view result;  // the example is for algorithms whose result has this name
  std::optional<int> n;
  std::optional<Scalar> type{};
  std::string_view preset{}, predicate{};
};
// Returns the example of an algorithm, or nullopt if the algorithm has no example. The example has no n if
// `upsweep list` does not show the algorithm. The list leaves out most algorithms of a ladder (see
// catalogue/ladder.hpp), because these algorithms show their improvements only with more elements.
std::optional<Example> example_of(const Algorithm& a);

}  // namespace upsweep
