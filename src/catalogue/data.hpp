// Input data: seeded, typed, from a file, or a preset; and the oracle that says what must come out.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/job.hpp"
#include "base/message.hpp"
#include "catalogue/catalogue.hpp"

namespace upsweep {

// Small numbers that can be read from the last row: digits for sum, min and max; factors whose product stays
// in range in any order; small affine maps. A job hears of the progress; throws Cancelled when it is
// cancelled.
std::vector<Value> seeded_data(const Settings& s, std::uint64_t seed, Job* job = nullptr);

// Data that tests: full-range integers (odd factors, so that no product vanishes); floats with an even seed
// such that every order of operations is exact, with an odd one such that all their bits count.
std::vector<Value> random_data(const Settings& s, std::uint64_t seed);

struct Preset {
  const char* name;
  const char* what;  // one sentence
};
std::span<const Preset> presets();
std::vector<Value> preset_data(const Settings& s, std::string_view name, Job* job = nullptr);

// Numbers separated by white space, commas or semicolons; two per element for affine. `where` names the
// source in errors. Throws RequestError for text where numbers belong, NaN, infinity, a number out of the
// type's range, or none at all.
std::vector<Value> parse_data(const std::string& text, const Settings& s, const std::string& where);
// The same from a file; throws RequestError if it cannot be read.
std::vector<Value> read_data(const std::string& path, const Settings& s);

// a (+) b, in the type's own arithmetic (integers wrap); for affine: first a, then b.
using Combination = Value (*)(const Value& a, const Value& b);
Combination combination(const Settings& s);

// What must come out, computed sequentially in wider arithmetic.
std::vector<Value> oracle(const Result& result, const Settings& s, const std::vector<Value>& input);
inline std::vector<Value> oracle(const Algorithm& a, const Settings& s, const std::vector<Value>& input) {
  return oracle(result_of(a, s), s, input);
}
inline std::vector<Value> oracle(const Settings& s, const std::vector<Value>& input) {
  return oracle(algorithm(s.algorithm), s, input);
}

// Empty if `output` is right, else a sentence naming the first wrong element. Integers, copies, and the least
// and largest of floats must be equal. Sums, products and maps of floats may be added up in any order, so
//   - where every intermediate result of every order is representable, they must be equal too;
//   - else they may differ by the rounding that the operation count allows: |error| <= gamma_k * sum |x_j|,
//   where
//     gamma_k = k u / (1 - k u), u is the unit roundoff, and k the roundings that can go into the element:
//     one for each input of a sum or product, three of a composition of maps (Higham, Accuracy and Stability,
//     2002, 3.1 and 4.2);
//   - where an intermediate result of some order can leave the type's range, it may be infinite or no number.
// Throws Cancelled if a job is cancelled meanwhile.
Message check(const Result& result, const Settings& s, const std::vector<Value>& input,
              const std::vector<Value>& output, const Job* job = nullptr);
inline Message check(const Algorithm& a, const Settings& s, const std::vector<Value>& input,
                     const std::vector<Value>& output, const Job* job = nullptr) {
  return check(result_of(a, s), s, input, output, job);
}
inline Message check(const Settings& s, const std::vector<Value>& input, const std::vector<Value>& output) {
  return check(algorithm(s.algorithm), s, input, output);
}
// The indices of all wrong elements, ascending. `output` has as many elements as are due.
std::vector<std::size_t> wrong_elements(const Algorithm& a, const Settings& s,
                                        const std::vector<Value>& input, const std::vector<Value>& output);
inline std::vector<std::size_t> wrong_elements(const Settings& s, const std::vector<Value>& input,
                                               const std::vector<Value>& output) {
  return wrong_elements(algorithm(s.algorithm), s, input, output);
}

}  // namespace upsweep
