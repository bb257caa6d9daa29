// Computes the plan of a run. The plan has the launches and the global buffers that the opening comment of
// the algorithm's file states.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "catalogue/catalogue.hpp"

namespace upsweep {

// The kinds of parameters that a kernel may have.
enum class Parameter {
  const_elements,
  const_pixels,
  elements,
  volatile_elements,
  const_words,
  words,
  volatile_words,
  const_counts,
  counts,
  const_numbers,
  numbers,
  volatile_messages,
  volatile_count_messages,
  number
};
// These functions require a parameter that is memory. type_text() returns the type in the kernel's text, such
// as "Global<const T>". is_constant() returns whether the kernel only reads the memory.
Cells cells_of(Parameter p);
std::string_view text_of(Cells cells);  // such as "messages of counts", as in the opening comment
std::string_view type_text(Parameter p);
bool is_constant(Parameter p);

struct Argument {
  int buffer = -1;          // index into Plan::buffers, or -1 for a number
  std::int64_t number = 0;  // a number that fits into an int
  // True if the parameter takes the number of the run. Runs are numbered from 1. The numbers increase until
  // memory is cleared, so a kernel can recognise messages of an earlier run.
  bool is_run = false;
  bool operator==(const Argument&) const = default;
};

struct PlannedLaunch {
  std::string kernel;               // the kernel's name in the text
  int blocks = 1, threads = 32;     // the number of blocks in the whole grid, and of threads in one block
  std::vector<Argument> arguments;  // one argument for each parameter
  SharedShape shared;
  Across blocks_across, threads_across;
  Dim3 grid_dim() const { return blocks_across.extents(blocks); }
  Dim3 block_dim() const { return threads_across.extents(threads); }
  bool operator==(const PlannedLaunch&) const = default;
};

struct Plan {
  // Sorted by role: first the inputs, then the outputs, then scratch memory. The inner levels of a recursion
  // have buffers named sums.1, sums.2, ...
  //
  // Before a run, words of scratch memory are zero, and messages are zero or from an earlier run. Outputs and
  // other scratch memory are uninitialised.
  std::vector<GlobalBuffer> buffers;
  BufferRoles roles;
  // Each launch begins after the previous launch and all child grids of the previous launch have ended.
  std::vector<PlannedLaunch> launches;

  std::span<const GlobalBuffer> inputs() const {
    return std::span(buffers).first(static_cast<std::size_t>(roles.inputs));
  }
  std::span<const GlobalBuffer> outputs() const {
    return std::span(buffers).subspan(static_cast<std::size_t>(roles.inputs),
                                      static_cast<std::size_t>(roles.outputs));
  }
};

// Returns the plan of a run. Requires settings that are valid for the algorithm. Throws RequestError if a
// block needs too much shared memory or if a layout is invalid. Throws WorkError if the opening comment is
// invalid.
Plan plan(const Algorithm& a, const Settings& s);
inline Plan plan(const Settings& s) { return plan(algorithm(s.algorithm), s); }

// Returns one bool for each launch of the plan: true if the launch runs one of these kernels. Throws
// RequestError if the plan lacks a launch of any of these kernels.
std::vector<bool> launches_of(const Plan& plan, const std::vector<std::string>& kernels);

// Returns the number of times that a run applies the operator, by the formula in the opening comment. The
// formula is valid for powers of two.
double applications(const Algorithm& a, const Settings& s);
// Returns a rough cost of a run: the number of launched threads plus the number of applications of the
// operator.
double cost(const Algorithm& a, const Settings& s);

// Returns the values of Algorithm::variables for n elements. `whole`, rows and columns always describe the
// whole data, even if n is smaller in a recursion.
std::vector<std::int64_t> quantities(const Algorithm& a, const Settings& s, std::int64_t n);

// Thrown if a kernel needs more shared memory than a block has. `why` is the error's sentence without the
// full stop.
struct TooMuchShared : RequestError {
  explicit TooMuchShared(const std::string& why) : RequestError(why + "."), why(why) {}
  std::string why;
};
// Returns the shape of a kernel's shared memory in a launch for n elements. Throws TooMuchShared if a block
// cannot have this much shared memory.
SharedShape shared_shape(const Algorithm& a, const Settings& s, const std::string& kernel, std::int64_t n);

struct KernelSignature {
  std::string name;
  std::vector<Parameter> parameters;
  std::vector<std::string> names{};  // the names of the parameters
};
// Returns the language of a file by the file's name: GLSL if the name ends in .frag, else CUDA C++.
Language language_of(std::string_view file);
// Returns the kernels in a text, in the text's order, with their parameters. In GLSL, each void function is a
// kernel. A GLSL kernel reads its parameters of type Texture, and draws into its parameter of type Target.
// Throws WorkError if a parameter is of an unknown kind.
std::vector<KernelSignature> kernels_of(const std::string& file, const std::string& text);

}  // namespace upsweep
