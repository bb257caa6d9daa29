// Defines the kinds of results that an algorithm can compute from its input.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/contents.hpp"
#include "trace/trace.hpp"

namespace upsweep {

struct Algorithm;

// The operations of a sequential loop over the input. The loop has a running value. Some derived classes
// compute the output. Other derived classes compute bounds for the output's rounding errors.
class LoopBody {
 public:
  virtual ~LoopBody() = default;
  virtual void begin() = 0;              // sets the running value to the operator's identity
  virtual void take(std::size_t i) = 0;  // combines the running value with element i of the input
  virtual void give(std::size_t i) = 0;  // stores the running value as element i of the output
  // Combines element `earlier` of the output with the running value. The result is element i of the output.
  virtual void give_onto(std::size_t earlier, std::size_t i) = 0;
};

// One kind of result. To add another kind, name it in the last line of this struct, and add it to result.cpp.
struct Result {
  std::string_view name;  // the text of a kernel file's field `Gives`, such as "exclusive scan"
  // The default family of algorithms with this result. Empty if no kernel can have this result.
  std::string_view family;
  // Returns the number of elements in the output. For a selection, returns the largest possible number,
  // because the actual number depends on the input.
  int (*size)(const Settings&);
  // The sequential loop that computes this result; null if elements are only moved.
  void (*loop)(const Settings&, LoopBody&);
  // These two functions are null, unless the result moves elements without computing new ones. `moved`
  // returns the expected output. `equal` returns whether two elements are equal.
  std::vector<Value> (*moved)(const Settings&, const Inputs&) = nullptr;
  bool (*equal)(const Settings&, const Value&, const Value&) = nullptr;
  // For two-dimensional data: returns the number of elements in a row of the output. Null if the output has
  // the shape of the input.
  int (*columns)(const Settings&) = nullptr;

  // The names of all outputs after the first, and a function that returns the expected contents of these
  // outputs. `first` is the expected first output. All outputs after the first hold words.
  std::span<const std::string_view> more_names{};
  Contents (*more)(const Settings&, const Inputs&, const std::vector<Value>& first) = nullptr;
  // A function that throws RequestError if the numbers make no sense as the first input. Null if all
  // numbers are allowed.
  void (*expect)(const Algorithm&, const Settings&, const std::vector<Value>& input) = nullptr;
  bool any_number = false;   // true if the input may have infinities and NaN
  bool second_only = false;  // true if the output has only the second number of each element
  // True if a run may define only the first elements of the output and leave the other elements undefined.
  // size() counts all elements, and `moved` returns only the defined elements.
  bool is_part = false;

  bool operator==(const Result& other) const { return name == other.name; }
  static const Result reduction, inclusive_scan, exclusive_scan, copy, transpose, selection, sorting,
      recurrence, summed_area_table, allocation;
};

std::span<const Result> results();

// Returns whether the settings choose to sort keys together with values.
bool sorts_pairs(const Settings& s);

// Returns the number of channels of a pixel: 3 if the settings choose `channels 3`, else 1. Each channel is
// an element, and the elements of a pixel are neighbours.
int channels(const Settings& s);
// Returns whether the settings choose `pixels bytes`. With this choice, each element of the input is a whole
// number from 0 to 255, and takes one byte.
bool pixels_are_bytes(const Settings& s);
// Returns the number of elements in the input: n * channels(s).
int input_size(const Settings& s);

inline constexpr std::uint64_t usual_capacity = 100;
// Returns the capacity for all requests of an allocation: the choice `capacity`, by default usual_capacity.
std::uint64_t capacity(const Settings& s);

// Returns the settings for printing elements of the output. These settings differ from `s` if the output has
// only the second number of each element.
Settings output_settings(const Result& result, Settings s);

// Returns the number of elements in a row of two-dimensional data. If the settings do not state this number,
// the n elements form a rectangle that is as square as possible.
int data_columns(const Settings& s);

// The results that a kernel file names in its field `Gives`. The field names one result or two results. The
// names of two results differ in the first word, as in "inclusive or exclusive scan". `results` is empty if a
// name is unknown, or if no kernel can have the named result.
struct Given {
  std::vector<const Result*> results;
  std::vector<std::string> words;  // the first word of each result, if there are two results
};
Given results_named(const std::string& gives);
// Returns the texts that are allowed in the field `Gives`, as a list for a sentence.
std::string known_results();

}  // namespace upsweep
