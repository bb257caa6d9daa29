// Compiles CUDA C++ at run time. The compilation needs libnvrtc, but no GPU.
#pragma once
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace upsweep {

struct Program {
  std::string file;  // the file's name, for error messages
  std::string text;
  std::vector<std::pair<std::string, std::string>> headers;  // the names and texts of the headers
  std::string pre_include;  // the header to include before the text; empty for none
  // The name of each kernel and its C++ name: {"scan_blelloch", "scan_blelloch<Element>"}. Kernels that are
  // extern "C" are always compiled and need not be listed.
  std::vector<std::pair<std::string, std::string>> kernels;
  bool launches = false;  // whether the kernels launch other kernels
  // True if the text includes Upsweep's own C++20 source. The functions of this source are not marked
  // __device__, so the compiler must treat all functions as device functions.
  bool of_host = false;

  bool operator<(const Program& o) const {
    return std::tie(file, text, headers, pre_include, kernels, launches, of_host) <
           std::tie(o.file, o.text, o.headers, o.pre_include, o.kernels, o.launches, o.of_host);
  }
};

struct Compiled {
  std::string image;  // a cubin for a real architecture, PTX for a virtual architecture
  // The mangled name of each kernel in the image. The keys are the names in Program::kernels.
  std::map<std::string, std::string> lowered_name;
  std::string log;  // the compiler's warnings
};

// Compiles a program. For an `architecture` such as "sm_90", the result is a cubin. For "compute_90", the
// result is PTX. If kernels launch kernels, a cubin is linked with CUDA's device runtime, but PTX is not
// linked.
//
// Throws WorkError with the compiler's log if the text does not compile. Throws RequestError if NVRTC is
// missing or does not support the architecture. If kernels launch kernels, also throws RequestError if
// nvJitLink or the device runtime is missing.
Compiled compile(const Program& program, const std::string& architecture);

bool nvrtc_available();

std::string with_point(int capability);  // returns "9.0" for 90

// Returns the architecture for which programs must be compiled if the GPU has this compute capability (90 for
// 9.0). The result is "sm_90", or the nearest older "compute_..". Throws RequestError if NVRTC supports no
// architecture that this GPU can run.
std::string architecture_for(int capability);

}  // namespace upsweep
