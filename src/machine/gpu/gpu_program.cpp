#include "machine/gpu/gpu_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>

#include "catalogue/formula.hpp"
#include "catalogue/own_operator.hpp"
#include "catalogue/plan.hpp"
#include "catalogue/predicate.hpp"
#include "embedded/vocabulary.hpp"
#include "machine/machine.hpp"

namespace upsweep {

namespace {

struct CudaType {
  std::string name, lowest, largest, zero = "0", one = "1";  // the texts in CUDA C++
};

template <class N>
CudaType floating(const char* name, const char* suffix) {
  const std::string largest = fmt::format("{:a}{}", std::numeric_limits<N>::max(), suffix);
  return {.name = name, .lowest = "-" + largest, .largest = largest};
}

CudaType cuda_type(Scalar type) {
  switch (type) {
    case Scalar::int32: return {.name = "int", .lowest = "-2147483647 - 1", .largest = "2147483647"};
    case Scalar::uint32: return {.name = "unsigned", .lowest = "0", .largest = "4294967295u"};
    case Scalar::int64:
      return {.name = "long long", .lowest = "-9223372036854775807 - 1", .largest = "9223372036854775807"};
    case Scalar::float16:
      return {.name = "Half", .lowest = "{0xfbff}", .largest = "{0x7bff}", .zero = "{0}", .one = "{0x3c00}"};
    case Scalar::float32: return floating<float>("float", "f");
    case Scalar::float64: return floating<double>("double", "");
  }
  return {};
}

bool names(const std::string& text, const std::string& word) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const auto part_of_name = [&](std::size_t i) {
      return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_');
    };
    if ((at == 0 || !part_of_name(at - 1)) && !part_of_name(at + word.size())) return true;
  }
  return false;
}

std::string settings_header(const Algorithm& algorithm, const Settings& s) {
  const CudaType number = cuda_type(s.type);
  std::string named;
  for (const Constant& c : constants(algorithm, s))
    if (names(algorithm.text, c.name))
      named += c.is_bool ? fmt::format("[[maybe_unused]] constexpr bool {} = {};\n", c.name, c.value != 0)
                         : fmt::format("[[maybe_unused]] constexpr int {} = {};\n", c.name, c.value);
  std::string indices;  // C++ constants with each kernel's index, for kernels that launch other kernels
  int index = 0;
  for (const KernelSignature& kernel : kernels_of(algorithm.file, algorithm.text))
    indices += fmt::format("template <class> constexpr unsigned index_of_{} = {};\n", kernel.name, index++);
  std::string own;  // the operator and the predicate that the user wrote
  if (s.op == Operator::own)
    own = fmt::format("#define UPSWEEP_OWN_IDENTITY {}\n#define UPSWEEP_OWN_OPERATOR {}\n",
                      own_identity_source(s), OwnOperator(s.expression).cuda_source(s.type));
  if (algorithm.choice("predicate"))
    own += fmt::format("#define UPSWEEP_PREDICATE {}\n", predicate_of(s).cuda_source(s.type));
  const bool in_a_row = std::none_of(algorithm.launches.begin(), algorithm.launches.end(),
                                     [](const LaunchRule& l) { return l.is_deep(); });
  return fmt::format(R"(#pragma once
enum class Phase {{ {} }};
{}__device__ inline int pad(int i) {{
  using namespace upsweep;
  return {};
}}
namespace upsweep {{
constexpr bool in_a_row = {};
constexpr bool byte_pixels = {};
enum class Operation {{ {}, own }};
template <Operation>
struct Operator;
constexpr Operation chosen = Operation::{};
using Chosen = Operator<chosen>;
using Number = {};
__device__ constexpr Number lowest() {{ return {}; }}
__device__ constexpr Number largest() {{ return {}; }}
__device__ constexpr Number zero() {{ return {}; }}
__device__ constexpr Number one() {{ return {}; }}
{}}}
{})",
                     fmt::join(phase_names, ", "), named,
                     Formula(layout_formula(s.choice("layout")), 'i').c_source(), in_a_row,
                     pixels_are_bytes(s), fmt::join(operator_names, ", "), name(s.op), number.name,
                     number.lowest, number.largest, number.zero, number.one, indices, own);
}

// Returns the C++ name under which NVRTC compiles a kernel. With the recorder on, the name belongs to a
// wrapper. The wrapper begins the recording of each block, calls the kernel, and ends the recording.
std::string expression(const KernelSignature& kernel, Mode mode) {
  if (mode != Mode::traced) return kernel.name + "<Element>";
  std::string all = "upsweep_entry<" + kernel.name + "<Element>";
  for (const Parameter p : kernel.parameters) {
    std::string type(type_text(p));
    if (const auto at = type.find("T>"); at != type.npos) type.replace(at, 1, "Element");
    all += ", " + type;
  }
  return all + ">";
}

}  // namespace

Program program(const Algorithm& algorithm, const Settings& s, Mode mode) {
  expect_language(algorithm, MachineKind::gpu);
  Program p;
  p.file = algorithm.file;
  p.text = text_to_compile(algorithm, s);
  p.pre_include = mode == Mode::fast     ? "gpu_fast.cuh"
                  : mode == Mode::traced ? "gpu_traced.cuh"
                                         : "gpu_delayed.cuh";
  for (const char* header :
       {"gpu_fast.cuh", "gpu_traced.cuh", "gpu_delayed.cuh", "gpu_cells.cuh", "gpu_warps.cuh",
        "gpu_recorder.cuh", "gpu.cuh", "gpu_half.cuh", "gpu_log.cuh", "gpu_own.cuh", "gpu_elements.cuh"})
    p.headers.emplace_back(header, embedded_vocabulary(header));
  p.headers.emplace_back("settings.cuh", settings_header(algorithm, s));
  for (const KernelSignature& kernel : kernels_of(algorithm.file, algorithm.text))
    p.kernels.emplace_back(kernel.name, expression(kernel, mode));
  p.launches = names(algorithm.text, "launch_tail") || names(algorithm.text, "launch_now");
  return p;
}

}  // namespace upsweep
