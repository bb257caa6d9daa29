// A pass of an algorithm that is written for fragment shaders, compiled for the current OpenGL context.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "catalogue/plan.hpp"
#include "gl/program.hpp"
#include "machine/shader/textures.hpp"

namespace upsweep {

// Whether each fragment also draws its events.
enum class PassMode { fast, recorded };

// Returns the generated text before the pass's own text: the type of the numbers, and the operator.
std::string pass_beginning(const Settings& s);
// Returns the generated text after it: a main() that calls the pass.
std::string pass_end(const KernelSignature& pass);

// What a launch passes to a pass.
struct PassArguments {
  std::vector<int> textures;  // the buffers of the parameters of type Texture, in their order
  int target = -1;            // the buffer of the parameter of type Target
  std::vector<int> numbers;
};
// Throws WorkError if the pass does not have exactly one target, has more than four textures, or reads its
// target.
PassArguments pass_arguments(const KernelSignature& pass, const PlannedLaunch& launch);

// A compiled pass, and the places of its uniforms.
struct CompiledPass {
  ShaderProgram program;
  int width_log = -1, first_row = -1;
  std::vector<int> numbers;
};

class PassPrograms {
 public:
  // Compiles the pass if it is not yet compiled. Throws WorkError with the driver's message.
  const CompiledPass& of(const Algorithm& a, const KernelSignature& pass, const Settings& s, PassMode mode);

 private:
  using Key = std::tuple<std::string, std::string, Scalar, Operator, PassMode>;
  std::map<Key, CompiledPass> programs_;
};

}  // namespace upsweep
