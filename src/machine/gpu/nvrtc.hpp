// Compiling CUDA C++ at run time. Needs libnvrtc but no GPU.
#pragma once
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace upsweep {

struct Program {
  std::string file;  // as error messages name it
  std::string text;
  std::vector<std::pair<std::string, std::string>> headers;  // name and text of what the text may include
  std::string pre_include;  // the header included before the text; none if empty
  // Each kernel's own name, and how C++ names what is to be compiled: {"scan_blelloch",
  // "scan_blelloch<Element>"}. Kernels that are extern "C" are compiled in any case.
  std::vector<std::pair<std::string, std::string>> kernels;
  bool launches = false;  // kernels launch kernels

  bool operator<(const Program& o) const {
    return std::tie(file, text, headers, pre_include, kernels, launches) <
           std::tie(o.file, o.text, o.headers, o.pre_include, o.kernels, o.launches);
  }
};

struct Compiled {
  std::string image;                                // a cubin for a real architecture, PTX for a virtual one
  std::map<std::string, std::string> lowered_name;  // in the image, by Program::kernels' own names
  std::string log;                                  // warnings
};

// `architecture` such as "sm_90" gives a cubin, "compute_90" PTX. Where kernels launch kernels, the cubin is
// linked with CUDA's device runtime; PTX is left as it is. Throws WorkError with the compiler's log if the
// text does not compile, RequestError if NVRTC is missing or does not know the architecture, or nvJitLink or
// the device runtime is missing where kernels launch kernels.
Compiled compile(const Program& program, const std::string& architecture);

bool nvrtc_available();

std::string with_point(int capability);  // "9.0" for 90

// What to compile for on a GPU of compute capability `capability` (90 for 9.0): "sm_90", or the nearest older
// "compute_..". Throws RequestError if NVRTC supports nothing that would run there.
std::string architecture_for(int capability);

}  // namespace upsweep
