// Compiles and links a vertex shader and a fragment shader.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace upsweep {

class ShaderProgram {
 public:
  // Compiles and links shaders/NAME.vert (after shaders/common.vert) and shaders/NAME.frag. Throws WorkError
  // with the driver's message if the compilation fails.
  explicit ShaderProgram(const std::string& name);
  // Compiles and links shaders/VERTEX.vert (without common.vert) and a fragment shader. `fragment` contains
  // the parts of the fragment shader's text. `name` is the name of the fragment shader in errors.
  ShaderProgram(const std::string& vertex, const std::string& name,
                std::span<const std::string_view> fragment);
  ~ShaderProgram();
  ShaderProgram(ShaderProgram&& other) noexcept;
  ShaderProgram& operator=(ShaderProgram&&) = delete;

  void use() const;
  // Each set() changes a uniform of this program. Requires that this program is current. Does nothing if the
  // program does not have the uniform.
  void set(const char* uniform, int number) const;  // a number, or the unit of a texture
  void set(const char* uniform, float x, float y) const;
  void set(const char* uniform, float x, float y, float z) const;
  // Returns the location of a uniform. The set() below takes this location, and is faster than set() with the
  // uniform's name.
  int uniform(const char* name) const;
  void set(int place, int number) const;

 private:
  void link(unsigned vertex, unsigned fragment, const std::string& names);
  unsigned id_ = 0;
};

}  // namespace upsweep
