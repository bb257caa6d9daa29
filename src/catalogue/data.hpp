// Makes input data, computes the expected output (the oracle), and checks outputs. Input data is generated
// from a seed, typed by the user, read from a file, or a preset.
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

// Returns small random numbers, because small results are easy to read. Reports progress to the job, and
// throws Cancelled if the job is cancelled.
// - For sum, min and max, the numbers are digits.
// - For products, the numbers are factors whose products stay in the range of a floating-point type.
// - For maps, the numbers belong to small affine maps.
std::vector<Value> seeded_data(const Settings& s, std::uint64_t seed, Job* job = nullptr);

// Returns random data for tests.
// - Integers have the full range. For products, the integers are odd, because a product of odd factors never
//   becomes 0. For maps, the factors are odd for the same reason.
// - If the seed is even, floats are chosen so that every order of operations has the same exact result.
// - If the seed is odd, all bits of the floats are significant.
// - If the algorithm accepts infinities and NaN, some floats are infinite, NaN, zero or very small.
// - For Operator::own, the data is seeded_data(), because a user's operator may be associative only for small
//   numbers.
std::vector<Value> random_data(const Settings& s, std::uint64_t seed);

// An example with a name.
struct Preset {
  const char* name;
  const char* what;                    // a description in one sentence
  const char* result = "";             // the only kind of result that the preset is for; empty for all kinds
  bool real = false;                   // true if the preset is only for floating-point numbers
  const char *unit = "", *units = "";  // for an allocation: the unit of the numbers, singular and plural
  int n = 0;  // the example's number of elements if users do not choose n; 0 if the example fits any n
};
std::span<const Preset> presets();
// Returns the preset with this name. Throws RequestError if there is no such preset.
const Preset& preset(std::string_view name);
// Returns whether the preset makes sense for the settings. The presets of recurrences make sense for all
// affine maps. For an algorithm outside the catalogue, every preset that fits the type makes sense.
bool is_for(const Preset& preset, const Settings& s);
// Returns the numbers of a preset. Throws RequestError if no preset has this name, or if the preset is not
// for these settings. A preset may need numbers that a selection's predicate keeps or drops. Throws
// RequestError if no such numbers are found.
std::vector<Value> preset_data(const Settings& s, std::string_view name, Job* job = nullptr);

// Returns the preset that has a unit and has the same numbers as the input. Returns null if no such preset
// exists, or if the input has fewer than 8 numbers.
const Preset* preset_with_unit(const Settings& s, const std::vector<Value>& input);

// Reads numbers that are separated by white space, commas or semicolons. Each affine map needs two numbers.
// Errors use `where` as the name of the file or field. Throws RequestError in these cases:
// - There are no numbers, or a word is not a number.
// - A number is outside the type's range.
// - A number is NaN or infinite, and the algorithm does not accept it.
// - The last affine map lacks its second number.
std::vector<Value> parse_data(const std::string& text, const Settings& s, const std::string& where);
// Reads the numbers in a file, as parse_data() does. Also throws RequestError if the file cannot be read.
std::vector<Value> read_data(const std::string& path, const Settings& s);

// Applies the operator in the arithmetic of the type (integers wrap). The combination of two affine maps
// applies the map a first, and then the map b.
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

// Returns an empty message if the outputs are correct. Otherwise, returns a sentence that names the first
// wrong element. The first output of a selection may have more elements after the selected elements. These
// additional elements are not compared. Integers, copies, and minima and maxima of floats must equal the
// expected values. A kernel may compute sums, products and maps of floats in any order, so other rules decide
// these results:
// - If every intermediate result is representable in every order of the operations, the results must also
//   equal the expected values.
// - Otherwise, the results may differ by rounding: |error| <= gamma_k * sum |x_j|. For sums, gamma_k is k u
//   (Jeannerod and Rump, Improved Error Bounds for Inner Products, 2013). For products and maps, gamma_k is
//   (1 + u)^k - 1 (Higham, Accuracy and Stability, 2002, 3.1 and 4.2). u is the unit roundoff. k is the
//   number of roundings that can affect the element: one for each input of a sum or a product, and three for
//   each map.
// - If a product can underflow in some order of the operations, each rounding may lose the smallest positive
//   number. All factors above 1 can enlarge this loss, so the loss is multiplied by their product.
// - If an intermediate result can leave the type's range in some order of the operations, the element may be
//   infinite or NaN.
// Throws Cancelled if the job is cancelled during the check.
Message check(const Result& result, const Settings& s, const Inputs& inputs, const Outputs& outputs,
              const Job* job = nullptr);
inline Message check(const Algorithm& a, const Settings& s, const Inputs& inputs, const Outputs& outputs,
                     const Job* job = nullptr) {
  return check(result_of(a, s), s, inputs, outputs, job);
}
inline Message check(const Settings& s, const Inputs& inputs, const Outputs& outputs) {
  return check(algorithm(s.algorithm), s, inputs, outputs);
}
// A wrong element of the first output. `index` is the element's index in this output.
struct WrongElement {
  std::size_t index = 0;
  Value got{}, expected{};
};
// Returns all wrong elements of the first output in ascending order, by the rules of check(). Returns an
// empty list if the output is correct or has the wrong number of elements.
std::vector<WrongElement> all_wrong(const Result& result, const Settings& s, const Inputs& inputs,
                                    const std::vector<Value>& output, const Job* job = nullptr);
// Returns the indices of all wrong elements in ascending order. Requires that `output` has the expected
// number of elements.
std::vector<std::size_t> wrong_elements(const Algorithm& a, const Settings& s, const Inputs& inputs,
                                        const std::vector<Value>& output);
inline std::vector<std::size_t> wrong_elements(const Settings& s, const Inputs& inputs,
                                               const std::vector<Value>& output) {
  return wrong_elements(algorithm(s.algorithm), s, inputs, output);
}

}  // namespace upsweep
