// Writes the output of a run as a table of comma-separated values (CSV).
#pragma once
#include <string>

#include "trace/trace.hpp"

namespace upsweep {

// Returns the output as a table. Two-dimensional output has a line for each of its rows, and the three
// numbers of a pixel are neighbours. Other output has a line with the names of the columns, and then a line
// for each element: its index, its number or its two numbers, and what an application adds to it.
std::string output_csv(const Trace& trace);

}  // namespace upsweep
