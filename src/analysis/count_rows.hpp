// Finds the counts that are known after a step. Some kernels store a count for each element of the input: for
// example, a flag or the element's place in the output.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/recording.hpp"

namespace upsweep {

// One count for each element of the input. A count has no value if the count is not known after the step.
struct CountRow {
  std::string name;  // the name of the buffer or of the region of shared memory
  std::vector<std::optional<std::uint32_t>> counts;
};

// Returns the rows after a step. Leaves out rows without a known count.
//
// The first rows are the scratch buffers with one count for each element. The last row is a region of shared
// memory into which the step's launch has loaded counts from these buffers. This row is left out as soon as
// the launch has stored counts in one of the buffers.
std::vector<CountRow> count_rows(const Recording& recording, int step);

// Returns whether count_rows() may return rows for this recording.
bool has_count_rows(const Trace& trace);

}  // namespace upsweep
