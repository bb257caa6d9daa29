// Reads the parameters of the kernels in a text.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/error.hpp"
#include "catalogue/plan.hpp"
#include "catalogue/text.hpp"

namespace upsweep {
namespace {

// The kinds of parameters, in the order of the enumeration Parameter.
struct ParameterKind {
  std::string_view type;  // the type in CUDA C++
  Cells cells = Cells::elements;
  bool constant = false;
  std::string_view in_glsl{};  // the type in a shader's text; empty if shaders have no such parameters
};
constexpr ParameterKind parameter_kinds[] = {
    {"Global<const T>", Cells::elements, true, "Texture"},
    {"Global<const Pixel<T>>", Cells::pixels, true},
    {"Global<T>", Cells::elements, false, "Target"},
    {"Global<volatile T>"},
    {"Global<const unsigned>", Cells::words, true},
    {"Global<unsigned>", Cells::words},
    {"Global<volatile unsigned>", Cells::words},
    {"Global<const Count>", Cells::counts, true},
    {"Global<Count>", Cells::counts},
    {"Global<const Number<T>>", Cells::numbers, true},
    {"Global<Number<T>>", Cells::numbers},
    {"Global<volatile Message<T>>", Cells::messages},
    {"Global<volatile Message<Count>>", Cells::count_messages},
    {"int", Cells::elements, false, "int"},
};
static_assert(std::size(parameter_kinds) == static_cast<std::size_t>(Parameter::number) + 1);
constexpr std::string_view names_of_cells[] = {"elements",           "words", "messages", "counts", "numbers",
                                               "messages of counts", "pixels"};
static_assert(std::size(names_of_cells) == static_cast<std::size_t>(last_cells) + 1);
const ParameterKind& kind_of(Parameter p) { return parameter_kinds[static_cast<std::size_t>(p)]; }

}  // namespace

std::string_view text_of(Cells cells) { return names_of_cells[static_cast<std::size_t>(cells)]; }
Cells cells_of(Parameter p) { return kind_of(p).cells; }
std::string_view type_text(Parameter p) { return kind_of(p).type; }
bool is_constant(Parameter p) { return kind_of(p).constant; }

Language language_of(std::string_view file) {
  return file.ends_with(".frag") ? Language::glsl : Language::cuda;
}

std::vector<KernelSignature> kernels_of(const std::string& file, const std::string& text) {
  const bool glsl = language_of(file) == Language::glsl;
  const std::string_view beginning = glsl ? "\nvoid " : "__global__ void ";
  std::vector<KernelSignature> all;
  for (std::size_t at = text.find(beginning); at != text.npos; at = text.find(beginning, at + 1)) {
    const std::string_view rest = std::string_view(text).substr(at + beginning.size());
    KernelSignature signature{leading_name(rest), {}};
    if (signature.name.empty() || !rest.substr(signature.name.size()).starts_with('(')) continue;
    const std::string_view list = rest.substr(signature.name.size() + 1);
    const std::size_t close = list.find(')');
    if (close == list.npos)
      throw WorkError(fmt::format("{}: the parameter list of the kernel {} has no closing parenthesis.", file,
                                  signature.name));
    std::string parameters(list.substr(0, close));
    std::replace(parameters.begin(), parameters.end(), '\n', ' ');
    for (const std::string& parameter : split(parameters, ',')) {
      // The type is the part of the parameter before the parameter's name.
      const std::string type = trimmed(parameter.substr(0, parameter.find_last_of(" \t")));
      const auto* kind = std::ranges::find(parameter_kinds, std::string_view(type),
                                           glsl ? &ParameterKind::in_glsl : &ParameterKind::type);
      if (kind == std::end(parameter_kinds))
        throw WorkError(fmt::format(
            "{}: the kernel {} has a parameter of the type \"{}\", which Upsweep does not support.", file,
            signature.name, type));
      signature.parameters.push_back(static_cast<Parameter>(kind - std::begin(parameter_kinds)));
      signature.names.push_back(trimmed(parameter.substr(type.size())));
    }
    all.push_back(std::move(signature));
  }
  return all;
}

}  // namespace upsweep
