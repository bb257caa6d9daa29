// Compiles the passes of algorithms for fragment shaders. An OpenGL context must be current.
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

// In the mode `recorded`, each fragment also draws its events.
enum class PassMode { fast, recorded };

// Returns the generated text before the pass's own text: the type of the numbers, and the operator.
std::string pass_beginning(const Settings& s);
// Returns the generated text after the pass's own text: a main() that calls the pass.
std::string pass_end(const KernelSignature& pass);

// The arguments of a launch.
struct PassArguments {
  std::vector<int> textures;  // the buffers of the parameters of type Texture, in the order of the parameters
  int target = -1;            // the buffer of the parameter of type Target
  std::vector<int> numbers{};
};
// Returns the arguments. Throws WorkError if the pass does not have exactly one target, has more than four
// textures, or reads its target.
PassArguments pass_arguments(const KernelSignature& pass, const PlannedLaunch& launch);

// A compiled pass, and the places of its uniforms.
struct CompiledPass {
  ShaderProgram program;
  int width_log = -1, first_row = -1;
  std::vector<int> numbers{};
};

class PassPrograms {
 public:
  // Returns the compiled pass. The first call compiles the pass. Throws WorkError with the driver's message.
  const CompiledPass& of(const Algorithm& a, const KernelSignature& pass, const Settings& s, PassMode mode);

 private:
  using Key = std::tuple<std::string, std::string, Scalar, Operator, PassMode>;
  std::map<Key, CompiledPass> programs_;
};

}  // namespace upsweep
