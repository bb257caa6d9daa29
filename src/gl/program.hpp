// A vertex shader and a fragment shader, compiled and linked.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace upsweep {

class ShaderProgram {
 public:
  // Compiles shaders/NAME.vert (with common.vert before it) and shaders/NAME.frag. Throws WorkError with the
  // driver's message.
  explicit ShaderProgram(const std::string& name);
  // Compiles shaders/VERTEX.vert alone, and a fragment shader that consists of several texts. `name` is the
  // fragment shader's name in errors.
  ShaderProgram(const std::string& vertex, const std::string& name,
                std::span<const std::string_view> fragment);
  ~ShaderProgram();
  ShaderProgram(ShaderProgram&& other) noexcept;
  ShaderProgram& operator=(ShaderProgram&&) = delete;

  void use() const;
  // Each set() changes a uniform of this program, which must be the current one. It does nothing if the
  // program does not have this uniform.
  void set(const char* uniform, int number) const;  // also the unit of a texture
  void set(const char* uniform, float x, float y) const;
  void set(const char* uniform, float x, float y, float z) const;
  // Returns the place of a uniform. set() is faster with this place than with the name.
  int uniform(const char* name) const;
  void set(int place, int number) const;

 private:
  void link(unsigned vertex, unsigned fragment, const std::string& names);
  unsigned id_ = 0;
};

}  // namespace upsweep
