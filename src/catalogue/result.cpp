#include "catalogue/result.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "trace/value.hpp"

namespace upsweep {
namespace {

std::size_t elements(const Settings& s) { return static_cast<std::size_t>(s.n); }
int one(const Settings&) { return 1; }
int n(const Settings& s) { return s.n; }

void reduce(const Settings& s, LoopBody& body) {
  body.begin();
  for (std::size_t i = 0; i < elements(s); ++i) body.take(i);
  body.give(0);
}

void scan_inclusively(const Settings& s, LoopBody& body) {
  body.begin();
  for (std::size_t i = 0; i < elements(s); ++i) {
    body.take(i);
    body.give(i);
  }
}

void scan_exclusively(const Settings& s, LoopBody& body) {
  body.begin();
  for (std::size_t i = 0; i < elements(s); ++i) {
    body.give(i);
    body.take(i);
  }
}

std::vector<Value> copied(const Settings&, const std::vector<Value>& input) { return input; }

// Returns those elements that are above 0, in the order of the input.
std::vector<Value> selected(const Settings& s, const std::vector<Value>& input) {
  std::vector<Value> output;
  std::copy_if(input.begin(), input.end(), std::back_inserter(output),
               [&](const Value& v) { return scalar(v, s.type) > 0; });
  return output;
}

std::vector<Value> sorted(const Settings& s, const std::vector<Value>& input) {
  std::vector<Value> output = input;
  std::sort(output.begin(), output.end(),
            [&](const Value& x, const Value& y) { return scalar(x, s.type) < scalar(y, s.type); });
  return output;
}

int data_rows(const Settings& s) { return s.n / data_columns(s); }

std::vector<Value> transposed(const Settings& s, const std::vector<Value>& input) {
  const auto rows = static_cast<std::size_t>(data_rows(s)),
             columns = static_cast<std::size_t>(data_columns(s));
  std::vector<Value> output(input.size());
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      output[column * rows + row] = input[row * columns + column];
  return output;
}

bool same_bits(const Settings&, const Value& x, const Value& y) { return x == y; }
bool same_number(const Settings& s, const Value& x, const Value& y) {
  return scalar(x, s.type) == scalar(y, s.type);
}

constexpr Result table[] = {
    {"reduction", "reduction", one, reduce},
    {"inclusive scan", "scan", n, scan_inclusively},
    {"exclusive scan", "scan", n, scan_exclusively},
    {"copy", "reduction", n, nullptr, copied, same_bits},
    {"selection", "", n, nullptr, selected, same_number},
    {"sorting", "", n, nullptr, sorted, same_number},
    {"transpose", "reduction", n, nullptr, transposed, same_bits, data_rows},
};

}  // namespace

constinit const Result Result::reduction = table[0], Result::inclusive_scan = table[1],
                       Result::exclusive_scan = table[2], Result::copy = table[3],
                       Result::selection = table[4], Result::sorting = table[5];

std::span<const Result> results() { return table; }

int data_columns(const Settings& s) {
  if (s.columns > 0) return s.columns;
  int rows = std::max(1, static_cast<int>(std::sqrt(s.n)));
  while (s.n % rows != 0) --rows;
  return s.n / rows;
}

Given results_named(const std::string& gives) {
  Given given;
  std::vector<std::string> names = {gives};
  const auto either = gives.find(" or "), last = gives.rfind(' ');
  if (either != gives.npos && last > either + 3) {
    given.words = {gives.substr(0, either), gives.substr(either + 4, last - either - 4)};
    names = {given.words[0] + gives.substr(last), given.words[1] + gives.substr(last)};
  }
  for (const std::string& name : names) {
    const Result* found =
        std::find_if(std::begin(table), std::end(table), [&](const Result& r) { return r.name == name; });
    if (found == std::end(table) || found->family.empty()) return {};
    given.results.push_back(found);
  }
  return given;
}

std::string known_results() {
  std::string known;
  for (const Result& r : table)
    if (!r.family.empty()) known += std::string(r.name) + ", ";
  return known + "or two at once, such as inclusive or exclusive scan";
}

}  // namespace upsweep
