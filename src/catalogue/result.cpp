#include "catalogue/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "base/language.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/element_order.hpp"
#include "catalogue/predicate.hpp"
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

// Computes a summed-area table. Each element of the output is the sum of its row up to this element, plus the
// element of the output directly above it.
void sum_areas(const Settings& s, LoopBody& body) {
  const auto columns = static_cast<std::size_t>(data_columns(s)),
             each = static_cast<std::size_t>(channels(s)), rows = elements(s) / columns;
  for (std::size_t channel = 0; channel < each; ++channel)
    for (std::size_t row = 0; row < rows; ++row) {
      body.begin();
      for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t i = (row * columns + column) * each + channel;
        body.take(i);
        if (row == 0) body.give(i);
        else body.give_onto(i - columns * each, i);
      }
    }
}

std::vector<Value> copied(const Settings&, const Inputs& inputs) { return inputs.first; }

Value word(std::size_t x) { return {static_cast<std::uint32_t>(x)}; }

// Returns the elements for which the predicate is true, in the order of the input.
std::vector<Value> selected(const Settings& s, const Inputs& inputs) {
  const Predicate keep = predicate_of(s);
  std::vector<Value> output;
  std::copy_if(inputs.first.begin(), inputs.first.end(), std::back_inserter(output),
               [&](const Value& x) { return keep(s.type, x); });
  return output;
}

Contents number_of(const Settings&, const Inputs&, const std::vector<Value>& first) {
  return {{word(first.size())}};
}

// Returns the indices of the elements in sorted order. Equal elements keep the order of the input.
std::vector<std::size_t> places_in_order(const Settings& s, const std::vector<Value>& input) {
  std::vector<std::pair<std::uint64_t, std::size_t>> keys;
  keys.reserve(input.size());
  for (const Value& x : input) keys.emplace_back(order_bits(s.type, x), keys.size());
  std::sort(keys.begin(), keys.end());
  std::vector<std::size_t> places;
  places.reserve(keys.size());
  for (const auto& [bits, place] : keys) places.push_back(place);
  return places;
}

std::vector<Value> sorted(const Settings& s, const Inputs& inputs) {
  std::vector<Value> output;
  for (const std::size_t i : places_in_order(s, inputs.first)) output.push_back(inputs.first[i]);
  return output;
}

// Returns the values that belong to the sorted keys. If the run has no second input, the value of each key is
// the index of the key in the input.
Contents values_of_sorted(const Settings& s, const Inputs& inputs, const std::vector<Value>&) {
  if (!sorts_pairs(s)) return {{}};
  std::vector<Value> values;
  for (const std::size_t i : places_in_order(s, inputs.first))
    values.push_back(inputs.more && !inputs.more->empty() ? (*inputs.more)[0][i] : word(i));
  return {values};
}

// Returns two outputs. The first output has a word for each request: 1 if the request fits into the capacity,
// else 0. The second output is one word: the capacity that remains after the last request that fits.
Contents fitting(const Settings& s, const Inputs& inputs, const std::vector<Value>& starts) {
  const long double capacity = upsweep::capacity(s);
  Contents more(2);
  long double left = capacity;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const long double end = scalar(starts[i], s.type) + scalar(inputs.first[i], s.type);
    more[0].push_back(word(end <= capacity));
    if (end <= capacity) left = std::min(left, capacity - end);
  }
  more[1].push_back(word(static_cast<std::size_t>(left)));
  return more;
}

// The input of an allocation is the length of each piece of memory. Throws RequestError if a length is
// negative. For integers, also throws RequestError if a piece starts beyond the type's largest number.
void expect_lengths(const Algorithm& a, const Settings& s, const std::vector<Value>& lengths) {
  long double start = 0;
  std::optional<std::size_t> beyond;  // the first piece that starts beyond the type's largest number
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const long double length = scalar(lengths[i], s.type);
    if (length < 0)
      throw RequestError(
          tr("in[{}] is {}, but the length of an allocation cannot be negative: give 0 or more.", i,
             exact_text(lengths[i], s)));
    if (!beyond && start > largest_number(s.type)) beyond = i;
    if (i + 1 < lengths.size()) start += length;
  }
  if (!beyond || is_real(s.type)) return;
  std::string remedy = tr("give smaller or fewer lengths");
  for (std::size_t t = 0; t < std::size(scalar_names); ++t)
    if (const auto type = static_cast<Scalar>(t); a.allows(type) && start <= largest_number(type))
      remedy = tr("choose {}", name(type));
  throw RequestError(
      tr("The start of the allocation for in[{0}] would exceed {2}, the largest number of the type {1}: {3}.",
         *beyond, name(s.type), grouped(static_cast<std::int64_t>(largest_number(s.type))), remedy));
}

int data_rows(const Settings& s) { return s.n / data_columns(s); }

std::vector<Value> transposed(const Settings& s, const Inputs& inputs) {
  const std::vector<Value>& input = inputs.first;
  const auto rows = static_cast<std::size_t>(data_rows(s)),
             columns = static_cast<std::size_t>(data_columns(s));
  std::vector<Value> output(input.size());
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      output[column * rows + row] = input[row * columns + column];
  return output;
}

bool same_bits(const Settings&, const Value& x, const Value& y) { return x == y; }
constexpr std::string_view kept[] = {"kept"}, values[] = {"values"}, fits[] = {"fits", "left"};

}  // namespace

constexpr Result Result::reduction = {"reduction", "reduction", one, reduce};
constexpr Result Result::inclusive_scan = {tr_noop("inclusive scan"), "scan", n, scan_inclusively};
constexpr Result Result::exclusive_scan = {tr_noop("exclusive scan"), "scan", n, scan_exclusively};
constexpr Result Result::copy = {"copy", "reduction", n, nullptr, copied, same_bits};
constexpr Result Result::transpose = {"transpose", "reduction", n, nullptr, transposed, same_bits, data_rows};
constexpr Result Result::selection = {.name = "selection",
                                      .family = "application",
                                      .size = n,
                                      .loop = nullptr,
                                      .moved = selected,
                                      .equal = same_bits,
                                      .more_names = kept,
                                      .more = number_of,
                                      .any_number = true,
                                      .is_part = true};
constexpr Result Result::sorting = {.name = "sorting",
                                    .family = "application",
                                    .size = n,
                                    .loop = nullptr,
                                    .moved = sorted,
                                    .equal = same_bits,
                                    .more_names = values,
                                    .more = values_of_sorted,
                                    .any_number = true};
constexpr Result Result::summed_area_table = {.name = tr_noop("summed-area table"),
                                              .family = "application",
                                              .size = input_size,
                                              .loop = sum_areas,
                                              .columns = data_columns};
constexpr Result Result::recurrence = {
    .name = "recurrence", .family = "application", .size = n, .loop = scan_inclusively, .second_only = true};
constexpr Result Result::allocation = {.name = "allocation",
                                       .family = "application",
                                       .size = n,
                                       .loop = scan_exclusively,
                                       .more_names = fits,
                                       .more = fitting,
                                       .expect = expect_lengths};

std::span<const Result> results() {
  static constexpr Result all[] = {Result::reduction, Result::inclusive_scan,    Result::exclusive_scan,
                                   Result::copy,      Result::selection,         Result::sorting,
                                   Result::transpose, Result::summed_area_table, Result::recurrence,
                                   Result::allocation};
  return all;
}

bool sorts_pairs(const Settings& s) { return s.choice("keys") == "pairs"; }

int channels(const Settings& s) { return s.choice("channels") == "3" ? 3 : 1; }

bool pixels_are_bytes(const Settings& s) { return s.choice("pixels") == "bytes"; }

int input_size(const Settings& s) { return s.n * channels(s); }

std::uint64_t capacity(const Settings& s) {
  const std::string typed = s.choice("capacity");
  return typed.empty() ? usual_capacity : std::strtoull(typed.c_str(), nullptr, 10);
}

Settings output_settings(const Result& result, Settings s) {
  if (result.second_only && s.op == Operator::affine) s.op = Operator::sum;
  return s;
}

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
    const auto found =
        std::find_if(results().begin(), results().end(), [&](const Result& r) { return r.name == name; });
    if (found == results().end() || found->family.empty()) return {};
    given.results.push_back(&*found);
  }
  return given;
}

std::string known_results() {
  std::string known;
  for (const Result& r : results())
    if (!r.family.empty()) known += std::string(r.name) + ", ";
  return known + tr("or two of these names, such as \"inclusive or exclusive scan\"");
}

}  // namespace upsweep
