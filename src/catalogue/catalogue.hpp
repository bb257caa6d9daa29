// The catalogue contains every algorithm, in teaching order. An algorithm is one file in kernels/ or
// shaders/, and one line in kernels/registry. The comment at the beginning of the file (the opening comment)
// states the algorithm's properties. docs/kernel-files.md describes this comment.
#pragma once
#include <algorithm>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/language.hpp"
#include "catalogue/choice.hpp"
#include "catalogue/formula.hpp"
#include "catalogue/result.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// A region of a block's shared memory, as the opening comment states it.
struct RegionRule {
  std::string name;
  Cells cells = Cells::elements;
  Formula count;    // the number of cells in one buffer, without padding
  int buffers = 1;  // 2 for a double buffer
  // For two-dimensional data: `columns` is the number of elements in a row. `pitch` is the number of cells
  // from the beginning of one row to the beginning of the next row. If `pitch` has no value, the number of
  // these cells is `columns`.
  std::optional<Formula> columns{}, pitch{};
};
struct SharedRule {
  std::string kernel;  // if empty, the rule is for every kernel of the file
  std::vector<RegionRule> regions;
};

struct BufferRule {
  std::string name;
  Cells cells = Cells::elements;
  Formula count;
  std::optional<Formula> columns{};    // for two-dimensional data: the number of elements in a row
  std::optional<Formula> condition{};  // the buffer has no cells if the condition is false
};

// One launch of a kernel, a recursive call of the whole algorithm, or a loop over launches.
struct LaunchRule {
  std::string kernel;  // the name of the kernel; empty for a recursive call and for a loop
  // The extents of the kernel's grid and block along x, y and z. The lists may lack z, or y and z. They are
  // empty if the rule launches no kernel.
  std::vector<Formula> grid, block;
  struct Argument {
    struct Memory {
      std::optional<Formula> condition;
      std::string buffer;  // the buffer's name
    };
    // The argument is the first memory whose condition is true. The last memory has no condition. The list is
    // empty if the argument is a number.
    std::vector<Memory> memory;
    // The value of an argument that is a number. Empty if the argument is memory. Also empty if the file
    // states `run` as the argument, because the number of the run is not known yet.
    std::optional<Formula> number;
  };
  std::vector<Argument> arguments;  // a recursive call has the arguments in, out and n
  std::optional<Formula> condition;

  // The number of iterations of a loop. The loop's variable counts from 0. This variable is the last variable
  // of every formula in the loop's body.
  std::optional<Formula> times;
  std::vector<LaunchRule> body;

  bool is_deep() const {  // returns true if any launch has an extent along y or z
    return grid.size() > 1 || block.size() > 1 ||
           std::any_of(body.begin(), body.end(), [](const LaunchRule& rule) { return rule.is_deep(); });
  }
};

// The number of threads and the options that were fastest in measurements, for arrays of at most `most_n`
// elements. New measurements use this number and these options by default.
struct Tuning {
  int threads = 0;
  std::map<std::string, std::string> choices;
  std::int64_t most_n = INT64_MAX;
};

// A deliberate mistake, and its place in the text. A bug_* kernel is always wrong. Another kernel may be
// wrong only if the user chooses a certain option.
struct Flaw {
  std::string kind;      // the kind of the mistake, one of flaw_kinds
  int line = 0;          // a line of the kernel's text, from 1; 0 if the mistake has no line
  std::string option{};  // the option that has the mistake; empty if the whole kernel has it
};
inline constexpr std::string_view flaw_kinds[] = {tr_noop("shared race"),
                                                  tr_noop("global race"),
                                                  tr_noop("divergent barrier"),
                                                  tr_noop("out of bounds"),
                                                  tr_noop("uninitialised read"),
                                                  tr_noop("endless loop"),
                                                  "deadlock",
                                                  tr_noop("misaligned access"),
                                                  tr_noop("absent lane"),
                                                  tr_noop("wrong mask"),
                                                  tr_noop("endless launches"),
                                                  tr_noop("wrong result")};

// The correct kernel that belongs to a bug_* kernel. `choices` has the options with which the correct kernel
// runs. Default options are left out.
struct RightKernel {
  std::string algorithm;
  std::map<std::string, std::string> choices;
};

// The language of an algorithm's text: CUDA C++ (kernels/NAME.cuh), or OpenGL's shading language
// (shaders/NAME.frag), in which each kernel is a pass that draws a texture.
enum class Language { cuda, glsl };

inline constexpr std::string_view families[] = {"reduction", "scan", "application", "bug"};

// Everything that a kernel file states about its algorithm. `variables` lists the variables of the formulas.
struct Algorithm {
  std::string name;  // such as scan_blelloch
  std::string file;  // such as kernels/scan_blelloch.cuh
  std::string text;  // the whole file; this text is shown and compiled
  Language language = Language::cuda;
  std::string title;                   // such as "Blelloch scan"
  std::string idea;                    // the idea of the algorithm, in one or two sentences
  std::string gives;                   // the kinds of result in words, such as "inclusive or exclusive scan"
  std::vector<const Result*> results;  // one result, or one for each option of the choice `gives`
  std::string family;                  // the name of the family, one of `families`
  // `ladder` is the name of the algorithm's ladder (a list of methods, see ladder.hpp). `rung` is the name of
  // the algorithm's method in this ladder. `mends` is the weakness of the previous rung that this rung
  // removes. All three texts are empty if the algorithm belongs to no ladder.
  std::string ladder{}, rung{}, mends{};
  // `steps` is a formula for the number of steps that apply the operator. `operations` is a formula for the
  // number of applications of the operator. Both are valid if n, the block and the grid are powers of two.
  std::string steps;
  std::string operations;
  // True if the formulas `steps`, `operations` and `span` are upper bounds, because the exact numbers depend
  // on the data.
  bool at_most = false;
  std::string span;    // a formula: the longest chain of applications; empty if the file states none
  std::string watch;   // the effects to look for, such as divergence, conflicts or waiting warps
  std::string source;  // the book and the paper that describe the algorithm

  // The number of elements that a block holds at once, divided by the number of its threads. No value if
  // threads loop over the array.
  std::optional<Formula> elements_per_thread;
  bool many_blocks = false;  // if false, n is at most the number of elements that one block holds
  bool power_of_two_threads = false;
  int least_threads = 32, most_threads = 1024;  // the fewest and the most threads in a block
  // If the algorithm may have many blocks, the default number of threads per block is at most this number.
  int usual_threads = 256;
  std::optional<int> largest;         // the largest n
  bool commutative = false;           // true if the operator must be commutative
  bool scalar = false;                // true if affine maps (elements of two numbers) are not allowed
  std::vector<Scalar> types{};        // the allowed types; empty if all types are allowed
  std::vector<Operator> operators{};  // the allowed operators; empty if all operators are allowed
  bool uses_grid = false;             // true if the algorithm uses Settings::grid
  bool writes_input = false;          // true if a run overwrites an input
  std::vector<Choice> choices;        // in the order in which they are shown

  // For two-dimensional data: the variable names for the row count and the column count.
  std::vector<std::string> extents;
  // The variables of the formulas, in this order: n, block, grid, whole, the extents, the constants, and the
  // variables that `names` defines.
  std::vector<std::string> variables;
  std::vector<Formula> names;  // the formulas of the field `Names`; each may use the variables before it
  // The buffers of global memory. If the file states no inputs, the only input is `in` with n elements. If
  // the file states no outputs, the only output is `out`, and the size of `out` follows from the result.
  std::vector<BufferRule> inputs, outputs, buffers;
  std::vector<SharedRule> shared;
  std::vector<LaunchRule> launches;
  std::vector<Flaw> flaws;
  std::optional<RightKernel> right;
  std::vector<Tuning> tunings;  // sorted by size, smallest first

  bool is_broken() const { return family == "bug"; }  // whether the kernel is wrong on purpose
  bool has_messages() const;
  // Returns whether blocks read words or messages that other blocks write. The number of these reads varies
  // from run to run.
  bool waits_for_blocks() const;
  // Returns whether the algorithm's kernels launch kernels.
  bool starts_grids() const { return text.find(" launch_") != std::string::npos; }
  const Choice* choice(std::string_view name) const;  // null if no choice has this name
  // Returns the tuning for n elements. Considers only the tunings that agree with the choices in `given`, and
  // returns null if no tuning agrees. If n is larger than `most_n` of all these tunings, returns the tuning
  // with the largest `most_n`.
  const Tuning* tuning(std::int64_t n, const std::map<std::string, std::string>& given) const;
  bool allows(Scalar type) const;
  bool allows(Operator op) const;
};

std::span<const Algorithm> algorithms();
// Returns the algorithms that are written in CUDA C++.
inline auto cuda_algorithms() {
  return algorithms() | std::views::filter([](const Algorithm& a) { return a.language == Language::cuda; });
}
// Returns all algorithms that are not wrong on purpose, in all languages or in one language.
std::vector<const Algorithm*> correct_algorithms();
std::vector<const Algorithm*> correct_algorithms(Language language);
// Returns the algorithm with this name, or null if no algorithm has it.
const Algorithm* find_algorithm(std::string_view name);
// Returns the algorithm with this name. Throws RequestError if no algorithm has this name. The error suggests
// the most similar name.
const Algorithm& algorithm(std::string_view name);

// Reads an algorithm from its opening comment. Throws WorkError if a field is missing or wrong. The error
// names the field.
Algorithm parse_kernel(std::string name, std::string file, std::string text);

// If the algorithm does not allow `s.type`, sets `s.type` to the first allowed type. If the algorithm does
// not allow `s.op`, sets `s.op` to the first allowed operator.
void fit_kind(const Algorithm& a, Settings& s);

// Returns true if users can choose the operator that combines the elements. Returns false if only one
// operator is allowed, or if the algorithm only moves elements.
bool chooses_operator(const Algorithm& a);
// Returns the choice that decides the padding of shared memory, or null if the algorithm has no such choice.
// The returned pointer points into `a`.
//
// If the algorithm has a choice `layout`, this choice decides the padding. Otherwise, the choice that sets a
// region's pitch (see RegionRule) decides the padding.
const Choice* padding_of(const Algorithm& a);

// Returns the option that the settings select for a choice of the algorithm.
std::string_view chosen(const Algorithm& a, const Settings& s, std::string_view choice);

// Returns whether the kernel or an option that the settings choose has a deliberate mistake.
bool is_unsafe(const Algorithm& a, const Settings& s);

// Returns the kind of result that a run with these settings computes.
const Result& result_of(const Algorithm& a, const Settings& s);
// Returns the number of elements in the output.
int output_size(const Algorithm& a, const Settings& s);

// columns_of() returns the number of elements in a row of the input. output_columns() returns the number of
// elements in a row of the output. Both return 0 for one-dimensional data.
int columns_of(const Algorithm& a, const Settings& s);
int output_columns(const Algorithm& a, const Settings& s);

// A constant that the kernel's text may use, with its value for some settings. Every kernel may use the
// constants `neighbours`, `exclusive`, `block_size` and `element_size`, and the constants of the algorithm's
// own choices. The file kernels/vocabulary/variants.inc lists the names of all constants.
struct Constant {
  std::string name;
  int value = 0;
  bool is_bool = false;
  bool operator==(const Constant&) const = default;
};
std::vector<Constant> constants(const Algorithm& a, const Settings& s);

// Returns the default number of threads per block: the smallest block that holds n elements. If n may be
// divided among many blocks, the result is at most usual_threads, and smaller if most threads would have no
// pixel. Otherwise, the result may exceed 1,024.
//
// Throws RequestError if n, the type, the operator, the shape or a choice is invalid.
int smallest_block(const Algorithm& a, const Settings& s);
int smallest_block(const Algorithm& a, int n);
// Returns the number of elements that the largest possible block holds at once, or 1,024 if threads loop over
// the array.
int largest_in_block(const Algorithm& a);

// Returns the lines of the kernel's text that have a barrier of a block or of a warp. Users can remove any of
// these barriers (Settings::without_barrier).
std::vector<int> barrier_lines(const Algorithm& a);
// Returns the text to compile. Blanks replace a removed barrier, so the positions of all other characters
// stay the same.
std::string text_to_compile(const Algorithm& a, const Settings& s);

// Throws RequestError if the algorithm named in `s` does not allow one of the other settings.
void validate(const Settings& s);
// Throws RequestError if no algorithm allows a grid of this size. Formulas of other settings may divide by
// the number of blocks, so this number must be checked first.
void validate_grid(int blocks);

// The numbers that the formulas in the opening comment predict: the applications of the operator, the steps,
// and the span. If `at_most` is true, the numbers are upper bounds. The formulas need powers of two:
// - promise() returns a value only if n is a power of two, or if one block rounds n up to a power of two.
// - If there may be many blocks, `steps` and `span` have values only if the block size and the grid size are
//   powers of two.
struct Promise {
  std::int64_t operations = 0;
  std::optional<std::int64_t> steps{}, span{};
  bool at_most = false;
};
std::optional<Promise> promise(const Algorithm& a, const Settings& s);

// Returns the places of the elements in the shared memory of the first launch. Throws RequestError if the
// layout has negative cells, is too large for shared memory, or puts two elements into one cell.
SharedShape shared_shape(const Algorithm& a, const Settings& s);
inline SharedShape shared_shape(const Settings& s) { return shared_shape(algorithm(s.algorithm), s); }

}  // namespace upsweep
