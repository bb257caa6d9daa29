// Writes the output of a run as a table of comma-separated values (CSV).
#pragma once
#include <string>

#include "trace/trace.hpp"

namespace upsweep {

// Returns the output as a table. For two-dimensional output, the table has one line for each row, and the
// three numbers of a pixel are in three neighbouring columns.
//
// For other output, the first line contains the names of the columns. Each further line contains the index of
// an element and its one or two numbers. Sorted pairs and allocations have further columns.
std::string output_csv(const Trace& trace);

}  // namespace upsweep
