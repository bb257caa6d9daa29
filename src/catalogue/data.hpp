// Input data: generated from a seed, typed, from a file, or a preset. Also the oracle, which computes the
// expected output.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/job.hpp"
#include "base/message.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/contents.hpp"

namespace upsweep {

class OwnOperator;

// Returns small numbers, because small results are easy to read: digits for sum, min and max; factors whose
// products stay in the range of a floating-point type; small affine maps. Reports progress to the job, and
// throws Cancelled if the job is cancelled.
std::vector<Value> seeded_data(const Settings& s, std::uint64_t seed, Job* job = nullptr);

// Returns data for tests: integers of the full range (odd factors, because no product of odd factors becomes
// 0) and floats. If the seed is even, every order of operations has the same exact result for floats. If the
// seed is odd, all bits of the floats are significant. If the algorithm takes them, some floats are infinite,
// NaN, -0 or very small. For Operator::own, returns seeded_data(), because a user's operator may be
// associative only for small numbers.
std::vector<Value> random_data(const Settings& s, std::uint64_t seed);

// An example with a name.
struct Preset {
  const char* name;
  const char* what;                    // one sentence
  const char* result = "";             // the only kind of result that the preset is for; empty for all kinds
  bool real = false;                   // only for floating-point numbers
  const char *unit = "", *units = "";  // what the numbers of an allocation count, singular and plural
  int n = 0;  // the number of elements in the example, if users do not choose n; 0 if any n will do
};
std::span<const Preset> presets();
// Returns the preset with this name. Throws RequestError if there is no such preset.
const Preset& preset(std::string_view name);
// Returns whether the preset makes sense for the settings. The presets of recurrences make sense for all
// affine maps. For an algorithm outside the catalogue, every preset that fits the type makes sense.
bool is_for(const Preset& preset, const Settings& s);
// Returns the numbers of a preset. Throws RequestError if there is no such preset, if it is not for these
// settings, or if it needs numbers that a selection's predicate keeps (or leaves out) and no such number is
// found.
std::vector<Value> preset_data(const Settings& s, std::string_view name, Job* job = nullptr);

// Returns the preset that has a unit and has the same numbers as the input. Returns null if there is no such
// preset, or if the input has fewer than 8 numbers.
const Preset* preset_with_unit(const Settings& s, const std::vector<Value>& input);

// Reads numbers that are separated by white space, commas or semicolons; two numbers per element for affine
// maps. `where` names the file or the field in errors. Throws RequestError if there are no numbers, if a word
// is not a number, if a number is NaN or infinite and the algorithm does not take it, if a number is outside
// the type's range, or if the last affine map lacks its second number.
std::vector<Value> parse_data(const std::string& text, const Settings& s, const std::string& where);
// Reads the numbers in a file, like parse_data(). Also throws RequestError if the file cannot be read.
std::vector<Value> read_data(const std::string& path, const Settings& s);

// Applies the operator in the arithmetic of the type (integers wrap). For affine maps, a is applied first and
// then b.
class Combination {
 public:
  using Function = Value (*)(const OwnOperator* own, const Value& a, const Value& b);
  Combination() = default;
  explicit Combination(Function function, std::shared_ptr<const OwnOperator> own = {})
      : function_(function), own_(std::move(own)) {}
  Value operator()(const Value& a, const Value& b) const { return function_(own_.get(), a, b); }

 private:
  Function function_ = nullptr;
  std::shared_ptr<const OwnOperator> own_;
};
Combination combination(const Settings& s);

// Returns the expected first output, computed sequentially in wider arithmetic.
std::vector<Value> oracle(const Result& result, const Settings& s, const Inputs& inputs);
inline std::vector<Value> oracle(const Algorithm& a, const Settings& s, const Inputs& inputs) {
  return oracle(result_of(a, s), s, inputs);
}
inline std::vector<Value> oracle(const Settings& s, const Inputs& inputs) {
  return oracle(algorithm(s.algorithm), s, inputs);
}

// Returns an empty message if the outputs are right, else a sentence that names the first wrong element. The
// first output of a selection may have further elements after the selected elements. These elements are not
// compared. Integers, copies, and minima and maxima of floats must be equal. Sums, products and maps of
// floats may be computed in any order. Therefore:
//   - if every intermediate result of every order is representable, they must be equal, too;
//   - otherwise they may differ by the rounding that the operation count allows: |error| <= gamma_k * sum
//     |x_j|, where gamma_k is k u for sums (Jeannerod and Rump, Improved Error Bounds for Inner Products,
//     2013), and (1 + u)^k - 1 for products and maps (Higham, Accuracy and Stability, 2002, 3.1 and 4.2). u
//     is the unit roundoff, and k is the number of roundings that can affect the element: one for each input
//     of a sum or product, three for a composition of maps;
//   - if a product of some order can underflow, each rounding may lose the smallest positive number, times
//     the product of all factors above 1, because they can enlarge the loss;
//   - if an intermediate result of some order can leave the type's range, the element may be infinite or NaN.
// Throws Cancelled if the job is cancelled meanwhile.
Message check(const Result& result, const Settings& s, const Inputs& inputs, const Outputs& outputs,
              const Job* job = nullptr);
inline Message check(const Algorithm& a, const Settings& s, const Inputs& inputs, const Outputs& outputs,
                     const Job* job = nullptr) {
  return check(result_of(a, s), s, inputs, outputs, job);
}
inline Message check(const Settings& s, const Inputs& inputs, const Outputs& outputs) {
  return check(algorithm(s.algorithm), s, inputs, outputs);
}
// A wrong element of the first output.
struct WrongElement {
  std::size_t index = 0;
  Value got{}, expected{};
};
// Returns all wrong elements of the first output that check() finds, in ascending order. Returns an empty
// list if the output is right or has the wrong number of elements.
std::vector<WrongElement> all_wrong(const Result& result, const Settings& s, const Inputs& inputs,
                                    const std::vector<Value>& output, const Job* job = nullptr);
// Returns the indices of all wrong elements in ascending order. `output` must have the expected number of
// elements.
std::vector<std::size_t> wrong_elements(const Algorithm& a, const Settings& s, const Inputs& inputs,
                                        const std::vector<Value>& output);
inline std::vector<std::size_t> wrong_elements(const Settings& s, const Inputs& inputs,
                                               const std::vector<Value>& output) {
  return wrong_elements(algorithm(s.algorithm), s, inputs, output);
}

}  // namespace upsweep
