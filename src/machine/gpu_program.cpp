#include "machine/gpu_program.hpp"

#include <fmt/format.h>

#include <limits>

#include "catalogue/formula.hpp"
#include "embedded/vocabulary.hpp"

namespace upsweep {

namespace {

struct NumberType {
  std::string name, lowest, largest;  // in CUDA C++
};

template <class N>
NumberType floating(const char* name, const char* suffix) {
  const std::string largest = fmt::format("{:a}{}", std::numeric_limits<N>::max(), suffix);
  return {name, "-" + largest, largest};
}

NumberType number_type(Scalar type) {
  switch (type) {
    case Scalar::int32: return {"int", "-2147483647 - 1", "2147483647"};
    case Scalar::uint32: return {"unsigned", "0", "4294967295u"};
    case Scalar::float32: return floating<float>("float", "f");
    case Scalar::float64: return floating<double>("double", "");
  }
  return {};
}

std::string settings_header(const Settings& s) {
  const NumberType number = number_type(s.type);
  return fmt::format(R"(#pragma once
enum class Phase {{ {} }};
enum : bool {{ neighbours = {} }};
__device__ inline int pad(int i) {{
  using namespace upsweep;
  return {};
}}
namespace upsweep {{
enum class Operation {{ {} }};
template <Operation>
struct Operator;
using Chosen = Operator<Operation::{}>;
using Number = {};
__device__ constexpr Number lowest() {{ return {}; }}
__device__ constexpr Number largest() {{ return {}; }}
}}
)",
                     fmt::join(phase_names, ", "), s.load_pattern == "neighbours",
                     Formula(layout_formula(s.layout), 'i').c_source(), fmt::join(operator_names, ", "),
                     name(s.op), number.name, number.lowest, number.largest);
}

}  // namespace

Program program(const Algorithm& algorithm, const Settings& s, Mode mode) {
  Program p;
  p.file = algorithm.file;
  p.text = algorithm.text;
  p.pre_include = mode == Mode::fast ? "gpu_fast.cuh" : "gpu_traced.cuh";
  for (const std::string header : {p.pre_include.c_str(), "gpu.cuh", "gpu_log.cuh", "keywords.cuh"})
    p.headers.emplace_back(header, embedded_vocabulary(header));
  p.headers.emplace_back("settings.cuh", settings_header(s));
  p.kernel = algorithm.name + "<Element>";
  return p;
}

}  // namespace upsweep
