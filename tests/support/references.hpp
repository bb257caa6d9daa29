// Lists the hand-written kernels of tests/reference. They are written for float32 sums.
#pragma once
#include <ostream>

#include "machine/gpu/gpu_program.hpp"
#include "support/source_file.hpp"

namespace upsweep {

struct Reference {
  const char* file;
  const char* algorithm;  // also the kernel's name
  const char* layout;
};
inline void PrintTo(const Reference& r, std::ostream* out) { *out << r.file; }

inline constexpr Reference references[] = {{"reduce_sequential", "reduce_sequential", "none"},
                                           {"scan_hillis_steele", "scan_hillis_steele", "none"},
                                           {"scan_blelloch", "scan_blelloch", "none"},
                                           {"scan_blelloch_padded", "scan_blelloch", "pad32"}};

inline Program hand_written(const Reference& r) {
  Program p;
  p.file = std::string("tests/reference/") + r.file + ".cu";
  p.text = source_file(p.file);
  return p;
}

// Returns the catalogue's kernel with the algorithm and the layout that `r` names.
inline Program ours(const Reference& r, Mode mode) {
  Settings s;
  s.algorithm = r.algorithm;
  s.choose("layout", r.layout);
  return program(algorithm(s.algorithm), s, mode);
}

}  // namespace upsweep
