// Writes the output of a run as a table of comma-separated values (CSV).
#pragma once
#include <cstddef>
#include <string>

#include "catalogue/result.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// Returns the kind of result of a trace, or a result without a name if this version does not know it.
const Result& result_of(const Trace& trace);

// Returns the number of elements of the output that are defined: of a selection, the kept ones.
std::size_t defined_outputs(const Trace& trace, const Result& result);

// Returns the output as a table. Two-dimensional output has a line for each of its rows, and the three
// numbers of a pixel are neighbours. Other output has a line with the names of the columns, and then a line
// for each element: its index, its number or its two numbers, and what an application adds to it.
std::string output_csv(const Trace& trace);

}  // namespace upsweep
