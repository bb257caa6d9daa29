// Writes the window's texts about an algorithm that is broken on purpose. These texts do not say what is
// wrong, because the reader is still looking for the mistake.
#pragma once
#include <string>

#include "base/message.hpp"
#include "catalogue/catalogue.hpp"

namespace upsweep {

// puzzle_name() returns "Bug 3" for the third broken algorithm of kernels/registry, and puzzle_title()
// returns "Bug 3: what is wrong here?". For algorithms that are not broken, both functions return the title.
std::string puzzle_name(const Algorithm& a);
std::string puzzle_title(const Algorithm& a);
// Says what a broken algorithm should compute. Returns an empty text if the algorithm is not broken.
std::string puzzle_text(const Algorithm& a);
// The next functions return the title and the task of a broken algorithm as messages. Recordings of the
// algorithm contain these messages.
Message title_of_puzzle(const Algorithm& a);
Message task_of_puzzle(const Algorithm& a);

}  // namespace upsweep
