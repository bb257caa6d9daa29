// Computes the error of each cell of summed-area tables. The exact tables are computed in float64.
#pragma once
#include <span>
#include <vector>

namespace upsweep {

// The ways to add up the numbers.
enum class TableNumbers {
  float32,   // rounded after each addition
  centred,   // like float32, after the mean of all numbers is subtracted from each number
  integers,  // modulo 2^32; the numbers must be whole, and at least 0
};

// Returns the summed-area table of numbers in float64. `numbers` has whole rows of `columns` numbers.
std::vector<double> exact_table(std::span<const double> numbers, int columns);

// Returns the error of each cell: the cell minus the exact cell. If `how` is `centred`, both tables are
// computed from the centred numbers, after these numbers are rounded to float32. Rows are added up first,
// then columns.
std::vector<double> table_errors(std::span<const double> numbers, int columns, TableNumbers how);

// Returns the error of each cell of `table`: the cell minus the same cell of exact_table(numbers, columns).
std::vector<double> errors_of(std::span<const double> table, std::span<const double> numbers, int columns);

// Returns the largest absolute error.
double largest_error(std::span<const double> errors);

}  // namespace upsweep
