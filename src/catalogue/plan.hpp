// What a run launches: the global buffers it needs and its launches, as the algorithm's opening comment says.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "catalogue/catalogue.hpp"

namespace upsweep {

// What a kernel's parameter takes.
enum class Parameter {
  const_elements,
  elements,
  volatile_elements,
  words,
  volatile_words,
  volatile_messages,
  number
};
Cells cells_of(Parameter p);  // of memory

struct Argument {
  int buffer = -1;          // index into Plan::buffers; -1: a number
  std::int64_t number = 0;  // fits an int
  // The number of the run, from 1: one more in every run on memory that was not cleared in between. Messages
  // that an earlier run left are told by it.
  bool is_run = false;
  bool operator==(const Argument&) const = default;
};

struct PlannedLaunch {
  std::string kernel;               // its name in the text
  int blocks = 1, threads = 32;     // all of the grid's; all of a block's
  std::vector<Argument> arguments;  // one per parameter
  SharedShape shared;
  Across blocks_across, threads_across;
  Dim3 grid_dim() const { return blocks_across.extents(blocks); }
  Dim3 block_dim() const { return threads_across.extents(threads); }
  bool operator==(const PlannedLaunch&) const = default;
};

struct Plan {
  // [0] the input, [1] the output; then scratch memory, whose words are zero before the run, whose messages
  // are zero or an earlier run's, and whose elements are not initialised. That of a recursion's inner levels
  // is named sums.1, sums.2, ...
  std::vector<GlobalBuffer> buffers;
  std::vector<PlannedLaunch> launches;  // each begins when the one before, with all its children, has ended
};

// `s` is valid for the algorithm (see validate(), which tries this). Throws RequestError where a block would
// need more shared memory than there is, or a layout makes no sense; WorkError where the opening comment does
// not.
Plan plan(const Algorithm& a, const Settings& s);
inline Plan plan(const Settings& s) { return plan(algorithm(s.algorithm), s); }

// How often a run applies the operator, as the opening comment's formula says for a power of two.
double applications(const Algorithm& a, const Settings& s);
// What a run costs, roughly: threads that are launched, and applications of the operator.
double cost(const Algorithm& a, const Settings& s);

// The values of Algorithm::variables for n elements; rows and columns are always those of the whole data.
std::vector<std::int64_t> quantities(const Algorithm& a, const Settings& s, std::int64_t n);

// The shared memory of one of the algorithm's kernels, launched for n elements.
SharedShape shared_shape(const Algorithm& a, const Settings& s, const std::string& kernel, std::int64_t n);

// The kernels of a text in its order, with their parameters. Throws WorkError for a parameter that is none of
// the kinds above.
struct KernelSignature {
  std::string name;
  std::vector<Parameter> parameters;
};
std::vector<KernelSignature> kernels_of(const std::string& file, const std::string& text);

}  // namespace upsweep
