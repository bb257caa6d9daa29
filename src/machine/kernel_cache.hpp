// Kernels that were compiled once, on any day: compiling one with the recorder on takes some 0.4 s, which a
// person waits for at every setting that is new.
#pragma once
#include <string>

#include "machine/nvrtc.hpp"

namespace upsweep {

// Where they are kept: upsweep/kernels below XDG_CACHE_HOME, or below ~/.cache. Empty if there is neither.
// All of it may be deleted at any time.
std::string kernel_cache_folder();

// What compile() gives, or gave for the very same program, architecture and version of NVRTC. A folder that
// cannot be read or written, and a file that is damaged, cost no more than the time to compile. Beyond 512
// kernels those that were not used for longest are deleted. Throws what compile() throws.
Compiled compile_once(const Program& program, const std::string& architecture,
                      const std::string& folder = kernel_cache_folder());

}  // namespace upsweep
