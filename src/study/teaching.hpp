// The settings that show an algorithm well to a beginner.
#pragma once
#include "catalogue/catalogue.hpp"

namespace upsweep {

// Returns the block size nearest to `block` with which an algorithm can run.
int possible_block(const Algorithm& a, int block);
// Returns whether n is limited by the number of elements that one block holds.
bool fits_one_block(const Algorithm& a);

// Chooses block and grid, and n if `choose_n`: few numbers, so that they are legible, but enough to show the
// important things. An algorithm that may have several blocks gets several. Look-back gets many tiles, and
// threads that loop over the array get several elements each. `block` is the wanted number of threads. The
// algorithm's other settings must be valid.
void teach(const Algorithm& a, Settings& s, bool choose_n, int block);

}  // namespace upsweep
