// The registry: every algorithm, in teaching order. An algorithm is one file under kernels/ and one line in
// kernels/registry. The file's opening comment states its properties (docs/kernel-files.md).
#pragma once
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/choice.hpp"
#include "catalogue/formula.hpp"
#include "catalogue/result.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// A region of a block's shared memory, as stated in the opening comment.
struct RegionRule {
  std::string name;
  Cells cells = Cells::elements;
  Formula count;    // the number of cells, or of elements of one buffer, without padding
  int buffers = 1;  // 2 for a double buffer
  // Two-dimensional: the elements in a row; and the cells from one row to the next, if they are more.
  std::optional<Formula> columns{}, pitch{};
};
struct SharedRule {
  std::string kernel;  // empty for every kernel of the file
  std::vector<RegionRule> regions;
};

struct BufferRule {
  std::string name;
  Cells cells = Cells::elements;
  Formula count;
  std::optional<Formula> columns{};  // two-dimensional: the elements in a row
};

// One launch, a call of the algorithm itself, or a loop over launches.
struct LaunchRule {
  std::string kernel;                // empty for the algorithm itself, and for a loop
  std::vector<Formula> grid, block;  // for a kernel: one to three extents each, x first
  struct Argument {
    struct Memory {
      std::optional<Formula> condition;
      std::string buffer;  // its name
    };
    // The first choice whose condition is true is passed; the last has no condition. Empty for a number.
    std::vector<Memory> memory;
    std::optional<Formula> number;  // the value of a number parameter; none for the number of the run
  };
  std::vector<Argument> arguments;  // for the algorithm itself: in, out, n
  std::optional<Formula> condition;

  // A loop: the number of iterations. The loop's variable counts from 0, and is the last variable of every
  // formula in the loop's body.
  std::optional<Formula> times;
  std::vector<LaunchRule> body;

  bool is_deep() const {  // returns whether any launch has blocks or threads along y or z
    return grid.size() > 1 || block.size() > 1 ||
           std::any_of(body.begin(), body.end(), [](const LaunchRule& rule) { return rule.is_deep(); });
  }
};

// The threads and choices with which an algorithm is fastest up to a size, as measured. They are the defaults
// at full size.
struct Tuning {
  int threads = 0;
  std::map<std::string, std::string> choices;
  std::int64_t most_n = INT64_MAX;
};

// A mistake and its place, in a bug_* kernel or in one option of a choice.
struct Flaw {
  std::string kind;      // one of flaw_kinds
  int line = 0;          // a line of the kernel's text, from 1; 0 if the mistake has no line
  std::string option{};  // the option that has the mistake; empty if the whole kernel has it
};
inline constexpr std::string_view flaw_kinds[] = {"shared race",   "global race",        "divergent barrier",
                                                  "out of bounds", "uninitialised read", "endless loop",
                                                  "deadlock",      "misaligned access",  "absent lane",
                                                  "wrong mask",    "endless launches",   "wrong result"};

// The correct kernel for a bug_* kernel, and its choices that differ from the default.
struct RightKernel {
  std::string algorithm;
  std::map<std::string, std::string> choices;
};

inline constexpr std::string_view families[] = {"reduction", "scan", "bug"};

// Everything that a kernel file states about itself. Formulas use the variables of `variables`.
struct Algorithm {
  std::string name;                    // scan_blelloch
  std::string file;                    // kernels/scan_blelloch.cuh
  std::string text;                    // the whole file: the compiled text is the shown text
  std::string title;                   // Blelloch scan
  std::string idea;                    // one or two sentences
  std::string gives;                   // "inclusive or exclusive scan": the kinds of result, in words
  std::vector<const Result*> results;  // one result, or one for each option of the choice `gives`
  std::string family;                  // one of families
  std::string steps;                   // tree steps as a formula, for n a power of two
  std::string operations;              // applications of the operator, as a formula
  std::string span;    // the longest chain of applications, as a formula; empty if the file has no formula
  std::string watch;   // details to watch: divergence, conflicts, waiting warps
  std::string source;  // the book and the paper

  // The number of elements per thread that a block holds at once; empty if threads loop.
  std::optional<Formula> elements_per_thread;
  bool many_blocks = false;  // if false, n is limited by the number of elements that one block holds
  bool power_of_two_threads = false;
  int least_threads = 32, most_threads = 1024;  // of a block
  int usual_threads = 256;      // the largest default block of an algorithm that may have many blocks
  std::optional<int> largest;   // the largest n
  bool commutative = false;     // the operator must be commutative
  bool scalar = false;          // affine maps are not allowed
  bool uses_grid = false;       // Settings::grid is used
  bool writes_input = false;    // a run overwrites its input
  std::vector<Choice> choices;  // in the order in which they are shown

  std::vector<std::string> extents;    // for two-dimensional data: the names of its rows and columns
  std::vector<std::string> variables;  // n, block, grid, the extents, the constants, then the names below
  std::vector<Formula> names;          // each is a formula in the variables before it
  std::vector<BufferRule> buffers;
  std::vector<SharedRule> shared;
  std::vector<LaunchRule> launches;
  std::vector<Flaw> flaws;
  std::optional<RightKernel> right;
  std::vector<Tuning> tunings;  // by ascending size

  bool is_broken() const { return family == "bug"; }  // on purpose
  bool has_messages() const;
  // Returns whether blocks read words or messages that other blocks write. The number of reads varies from
  // run to run.
  bool waits_for_blocks() const;
  bool starts_grids() const { return text.find("launch_") != std::string::npos; }  // from kernels
  const Choice* choice(std::string_view name) const;                               // or nullptr
};

std::span<const Algorithm> algorithms();
// Returns the algorithms that are not broken on purpose.
std::vector<const Algorithm*> correct_algorithms();
// Returns an algorithm by its name. Throws RequestError, which names the nearest known name.
const Algorithm& algorithm(std::string_view name);

// Reads an algorithm's opening comment. Throws WorkError, which names the field that is missing or wrong.
Algorithm parse_kernel(std::string name, std::string file, std::string text);

// Returns the option that the settings have for one of the algorithm's choices.
std::string_view chosen(const Algorithm& a, const Settings& s, std::string_view choice);

// Returns whether a run with these settings is wrong on purpose, because of the kernel or of a chosen option.
bool is_unsafe(const Algorithm& a, const Settings& s);

// Returns the result with these settings.
const Result& result_of(const Algorithm& a, const Settings& s);
// Returns the number of elements in the output.
int output_size(const Algorithm& a, const Settings& s);

// Return the number of elements in a row of the input, and of the output. For one-dimensional data they
// return 0.
int columns_of(const Algorithm& a, const Settings& s);
int output_columns(const Algorithm& a, const Settings& s);

// Returns the constants that the kernel's text may use, with their values for these settings: neighbours,
// exclusive, block_size, and constants of the algorithm's own choices. kernels/vocabulary/variants.inc lists
// the constants of all kernels.
struct Constant {
  std::string name;
  int value = 0;
  bool is_bool = false;
  bool operator==(const Constant&) const = default;
};
std::vector<Constant> constants(const Algorithm& a, const Settings& s);

// Returns the default block size in threads: the smallest block that holds n elements (it may exceed 1,024),
// or at most usual_threads if n may be shared among many blocks. Throws RequestError if n or the variants
// make no sense.
int smallest_block(const Algorithm& a, const Settings& s);
int smallest_block(const Algorithm& a, int n);
// Returns how many elements one block of the maximum size holds at once; 1,024 if threads loop over the
// array.
int largest_in_block(const Algorithm& a);

// Returns the lines of the text with a block or warp barrier that may be taken out
// (Settings::without_barrier).
std::vector<int> barrier_lines(const Algorithm& a);
// Returns the text that is compiled. The barrier that is taken out is replaced by blanks, so that all other
// characters keep their places.
std::string text_to_compile(const Algorithm& a, const Settings& s);

// Throws RequestError with a sentence if any setting makes no sense for its algorithm.
void validate(const Settings& s);

// The results of the opening comment's formulas: applications of the operator, steps, and span. promise()
// returns nothing unless n is a power of two, or the tree in one block is filled up to one.
struct Promise {
  std::int64_t operations = 0, steps = 0;
  std::optional<std::int64_t> span{};
};
std::optional<Promise> promise(const Algorithm& a, const Settings& s);

// Returns the layout of the elements in the shared memory of the first launch. Throws RequestError if the
// layout has negative cells, is too large for shared memory, or puts two elements in one cell.
SharedShape shared_shape(const Algorithm& a, const Settings& s);
inline SharedShape shared_shape(const Settings& s) { return shared_shape(algorithm(s.algorithm), s); }

}  // namespace upsweep
