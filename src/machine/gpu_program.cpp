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

template <class Names>
std::string enumeration(const char* type, const Names& names) {
  std::string list;
  for (const std::string_view name : names) list += fmt::format("{}{}", list.empty() ? "" : ", ", name);
  return fmt::format("enum class {} {{ {} }};\n", type, list);
}

std::string settings_header(const Settings& s) {
  const NumberType number = number_type(s.type);
  return fmt::format("#pragma once\nusing Number = {0};\nconstexpr Number lowest = {1}, largest = {2};\n",
                     number.name, number.lowest, number.largest) +
         enumeration("Phase", phase_names) + enumeration("Operation", operator_names) +
         fmt::format(
             "constexpr Operation operation = Operation::{};\nconstexpr bool neighbours = {};\n#define "
             "PAD_FORMULA {}\n",
             name(s.op), s.load_pattern == "neighbours", Formula(layout_formula(s.layout), 'i').c_source());
}

}  // namespace

Program program(const Algorithm& algorithm, const Settings& s, Mode mode) {
  Program p;
  p.file = algorithm.file;
  p.text = algorithm.text;
  p.pre_include = mode == Mode::fast ? "gpu_fast.cuh" : "gpu_traced.cuh";
  for (const std::string& header : {p.pre_include, std::string("gpu.cuh"), std::string("gpu_log.cuh")})
    p.headers.emplace_back(header, embedded_vocabulary(header));
  p.headers.emplace_back("settings.cuh", settings_header(s));
  p.kernel = algorithm.name + "<Element>";
  return p;
}

}  // namespace upsweep
