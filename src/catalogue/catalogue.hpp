// The registry: every algorithm, in teaching order. An algorithm is one file under kernels/ and one line in
// kernels/registry.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/trace.hpp"

namespace upsweep {

// What a kernel file states about itself in its opening comment, one "// Field  text" a line.
struct Algorithm {
  std::string name;        // scan_blelloch
  std::string file;        // kernels/scan_blelloch.cuh
  std::string text;        // the whole file: what is compiled is what is shown
  std::string title;       // Blelloch scan
  std::string idea;        // one or two sentences
  std::string gives;       // "reduction", "inclusive scan" or "exclusive scan"
  std::string steps;       // tree steps as a formula in n (a power of two)
  std::string operations;  // applications of the operator, likewise
  std::string watch;       // what to look at: divergence, conflicts, idle warps
  std::string source;      // the book and the paper
  int elements_per_thread = 1;
  int buffers = 1;
  bool commutative = false;    // needs a commutative operator
  bool layouts = false;        // has padding layouts
  bool load_patterns = false;  // has both load patterns

  std::string_view family() const {
    return std::string_view(name).substr(0, name.find('_'));
  }  // reduce, scan
};

inline constexpr std::string_view layout_names[] = {"none", "pad32", "pad16", "pad32x2", "pad_macro"};
inline constexpr std::string_view load_pattern_names[] = {"halves", "neighbours"};

std::span<const Algorithm> algorithms();
// Throws RequestError naming the nearest known name.
const Algorithm& algorithm(std::string_view name);

// Reads an algorithm's opening comment. Throws WorkError naming the field that is missing or wrong.
Algorithm parse_kernel(std::string name, std::string file, std::string text);

// The formula of a layout: "i + (i >> 5)" for pad32; a typed formula is its own.
std::string layout_formula(std::string_view layout);

// Smallest block (threads, a multiple of 32) that holds n elements; may exceed 1024.
int smallest_block(const Algorithm& a, int n);

// Throws RequestError with a sentence if any setting makes no sense for its algorithm.
void validate(const Settings& s);

// How the elements lie in the block's shared memory. Throws RequestError for a layout that is negative, too
// large for shared memory, or puts two elements in one cell.
SharedShape shared_shape(const Algorithm& a, const Settings& s);
inline SharedShape shared_shape(const Settings& s) { return shared_shape(algorithm(s.algorithm), s); }

}  // namespace upsweep
