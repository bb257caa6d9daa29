// Compiling CUDA C++ at run time. Needs libnvrtc but no GPU.
#pragma once
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
  std::string kernel;       // "scan_blelloch<Element>"; empty if the kernel is extern "C"

  bool operator<(const Program& o) const {
    return std::tie(file, text, headers, pre_include, kernel) <
           std::tie(o.file, o.text, o.headers, o.pre_include, o.kernel);
  }
};

struct Compiled {
  std::string image;         // a cubin for a real architecture, PTX for a virtual one
  std::string lowered_name;  // of the kernel
  std::string log;           // warnings
};

// `architecture` such as "sm_90" gives a cubin, "compute_90" PTX.
// Throws WorkError with the compiler's log if the text does not compile, RequestError if NVRTC is missing or
// does not know the architecture.
Compiled compile(const Program& program, const std::string& architecture);

bool nvrtc_available();

// What to compile for on a GPU of compute capability `capability` (90 for 9.0): "sm_90", or the nearest older
// "compute_..". Throws RequestError if NVRTC supports nothing that would run there.
std::string architecture_for(int capability);

}  // namespace upsweep
