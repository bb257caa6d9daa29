#include "analysis/table_error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>

namespace upsweep {
namespace {

// Returns the table whose cells are computed with the type Sum.
template <class Sum>
std::vector<double> table_in(std::span<const double> numbers, int columns) {
  const auto row_of = static_cast<std::size_t>(columns);
  std::vector<double> table;
  table.reserve(numbers.size());
  std::vector<Sum> above(row_of);
  for (std::size_t at = 0; at < numbers.size(); at += row_of) {
    Sum in_row = 0;
    for (std::size_t column = 0; column < row_of; ++column) {
      in_row += static_cast<Sum>(numbers[at + column]);
      above[column] += in_row;
      table.push_back(static_cast<double>(above[column]));
    }
  }
  return table;
}

std::vector<double> centred(std::span<const double> numbers) {
  const double mean =
      std::accumulate(numbers.begin(), numbers.end(), 0.) / static_cast<double>(numbers.size());
  std::vector<double> all(numbers.begin(), numbers.end());
  for (double& number : all) number = static_cast<float>(number - mean);
  return all;
}

}  // namespace

std::vector<double> exact_table(std::span<const double> numbers, int columns) {
  return table_in<double>(numbers, columns);
}

std::vector<double> errors_of(std::span<const double> table, std::span<const double> numbers, int columns) {
  std::vector<double> errors = exact_table(numbers, columns);
  std::transform(table.begin(), table.end(), errors.begin(), errors.begin(), std::minus<>());
  return errors;
}

std::vector<double> table_errors(std::span<const double> numbers, int columns, TableNumbers how) {
  if (how == TableNumbers::integers)
    return errors_of(table_in<std::uint32_t>(numbers, columns), numbers, columns);
  const std::vector<double> all =
      how == TableNumbers::centred ? centred(numbers) : std::vector<double>(numbers.begin(), numbers.end());
  return errors_of(table_in<float>(all, columns), all, columns);
}

double largest_error(std::span<const double> errors) {
  double largest = 0;
  for (const double error : errors) largest = std::max(largest, std::abs(error));
  return largest;
}

}  // namespace upsweep
