#include "machine/shader/pass_program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "embedded/passes.hpp"

namespace upsweep {
namespace {

struct GlslType {
  std::string_view number, sampler, bits;  // the texts in GLSL
};
GlslType glsl_type(Scalar type) {
  if (type == Scalar::int32) return {"int", "isampler2D", "uint"};
  if (type == Scalar::uint32) return {"uint", "usampler2D", "uint"};
  return {"float", "sampler2D", "floatBitsToUint"};
}

std::string_view glsl_expression(Operator op) {
  switch (op) {
    case Operator::product: return "left * right";
    case Operator::min: return "right < left ? right : left";
    case Operator::max: return "left < right ? right : left";
    default: return "left + right";
  }
}

}  // namespace

std::string pass_beginning(const Settings& s) {
  const GlslType type = glsl_type(s.type);
  return fmt::format(
      "#version 330 core\n#define Number {}\n#define Sampler {}\n#define bits_of(x) {}(x)\n"
      "Number combine(Number left, Number right) {{ return {}; }}\n",
      type.number, type.sampler, type.bits, glsl_expression(s.op));
}

std::string pass_end(const KernelSignature& pass) {
  std::string uniforms;
  std::vector<std::string> arguments;
  int textures = 0, numbers = 0;
  for (const Parameter p : pass.parameters)
    if (p == Parameter::number) {
      uniforms += fmt::format("uniform int number_{};\n", numbers);
      arguments.push_back(fmt::format("number_{}", numbers++));
    } else {
      arguments.push_back(p == Parameter::const_elements ? fmt::format("{}", textures++) : "0");
    }
  return fmt::format("\n{}void main() {{\n  begin();\n  {}({});\n  end();\n}}\n", uniforms, pass.name,
                     fmt::join(arguments, ", "));
}

PassArguments pass_arguments(const KernelSignature& pass, const PlannedLaunch& launch) {
  PassArguments given;
  int targets = 0;
  for (std::size_t i = 0; i < pass.parameters.size(); ++i) {
    const Argument& argument = launch.arguments[i];
    switch (pass.parameters[i]) {
      case Parameter::number: given.numbers.push_back(static_cast<int>(argument.number)); break;
      case Parameter::const_elements: given.textures.push_back(argument.buffer); break;
      default: given.target = argument.buffer, ++targets;
    }
  }
  const bool reads_target = std::ranges::find(given.textures, given.target) != given.textures.end();
  if (targets != 1 || static_cast<int>(given.textures.size()) > most_textures || reads_target)
    throw WorkError(say::impossible_pass(pass.name));
  return given;
}

const CompiledPass& PassPrograms::of(const Algorithm& a, const KernelSignature& pass, const Settings& s,
                                     PassMode mode) {
  const Key key(a.text, pass.name, s.type, s.op, mode);
  auto found = programs_.find(key);
  if (found == programs_.end()) {
    const std::string beginning = pass_beginning(s), text = "#line 1\n" + a.text, end = pass_end(pass);
    const std::string_view vocabulary =
        embedded_passes(mode == PassMode::fast ? "pass_fast.frag" : "pass_recorded.frag");
    const std::string_view parts[] = {beginning, embedded_passes("pass.frag"), vocabulary, text, end};
    CompiledPass compiled{.program{"pass", fmt::format("{} ({})", a.file, pass.name), parts}};
    const ShaderProgram& program = compiled.program;
    compiled.width_log = program.uniform("width_log");
    compiled.first_row = program.uniform("first_row");
    for (const Parameter p : pass.parameters)
      if (p == Parameter::number)
        compiled.numbers.push_back(
            program.uniform(fmt::format("number_{}", compiled.numbers.size()).c_str()));
    program.use();
    for (int unit = 0; unit < most_textures; ++unit)
      program.set(program.uniform(fmt::format("texture_{}", unit).c_str()), unit);
    found = programs_.emplace(key, std::move(compiled)).first;
  }
  return found->second;
}

}  // namespace upsweep
