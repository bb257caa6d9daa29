// The launches of a run and the global buffers that it needs, as the algorithm's opening comment states them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "catalogue/catalogue.hpp"

namespace upsweep {

// The kinds of a kernel's parameters.
enum class Parameter {
  const_elements,
  elements,
  volatile_elements,
  words,
  volatile_words,
  volatile_messages,
  number
};
Cells cells_of(Parameter p);  // for parameters of memory

struct Argument {
  int buffer = -1;          // index into Plan::buffers, or -1 for a number
  std::int64_t number = 0;  // fits an int
  // True if the parameter takes the number of the run, from 1. The number increases by one in every run whose
  // memory was not cleared, so that a kernel can recognise messages of an earlier run.
  bool is_run = false;
  bool operator==(const Argument&) const = default;
};

struct PlannedLaunch {
  std::string kernel;               // its name in the text
  int blocks = 1, threads = 32;     // of the whole grid; of a whole block
  std::vector<Argument> arguments;  // one per parameter
  SharedShape shared;
  Across blocks_across, threads_across;
  Dim3 grid_dim() const { return blocks_across.extents(blocks); }
  Dim3 block_dim() const { return threads_across.extents(threads); }
  bool operator==(const PlannedLaunch&) const = default;
};

struct Plan {
  // [0] is the input and [1] the output. The others are scratch memory: words are zero before the run,
  // messages are zero or from an earlier run, and elements are not initialised. The buffers of a recursion's
  // inner levels are named sums.1, sums.2, ...
  std::vector<GlobalBuffer> buffers;
  std::vector<PlannedLaunch> launches;  // each begins after the one before and all its child grids have ended
};

// Returns the plan of a run. `s` must be valid for the algorithm (see validate(), which calls this). Throws
// RequestError if a block needs too much shared memory or a layout makes no sense, and WorkError if the
// opening comment makes no sense.
Plan plan(const Algorithm& a, const Settings& s);
inline Plan plan(const Settings& s) { return plan(algorithm(s.algorithm), s); }

// Returns how often a run applies the operator, by the opening comment's formula for a power of two.
double applications(const Algorithm& a, const Settings& s);
// Returns a rough cost of a run: the threads that are launched plus the applications of the operator.
double cost(const Algorithm& a, const Settings& s);

// Returns the values of Algorithm::variables for n elements. Rows and columns always count the whole data.
std::vector<std::int64_t> quantities(const Algorithm& a, const Settings& s, std::int64_t n);

// Returns the shared memory of one of the algorithm's kernels, launched for n elements.
SharedShape shared_shape(const Algorithm& a, const Settings& s, const std::string& kernel, std::int64_t n);

struct KernelSignature {
  std::string name;
  std::vector<Parameter> parameters;
};
// Returns the kernels of a text in order, with their parameters. Throws WorkError for a parameter of an
// unknown kind.
std::vector<KernelSignature> kernels_of(const std::string& file, const std::string& text);

}  // namespace upsweep
