// Writes the output of a run as a table of comma-separated values (CSV).
#pragma once
#include <string>

#include "trace/trace.hpp"

namespace upsweep {

// Returns the output as a table. Two-dimensional output has a line for each of its rows, and the three
// numbers of a pixel are neighbours. Other output has a line with the names of the columns, and then a line
// for each element. An element's line contains its index and its one or two numbers. Sorted pairs and
// allocations have further columns.
std::string output_csv(const Trace& trace);

}  // namespace upsweep
