// A vertex shader and a fragment shader, compiled and linked.
#pragma once
#include <string>

namespace upsweep {

class ShaderProgram {
 public:
  // Compiles shaders/NAME.vert (with common.vert before it) and shaders/NAME.frag. Throws WorkError with the
  // driver's message.
  explicit ShaderProgram(const std::string& name);
  ~ShaderProgram();
  ShaderProgram(ShaderProgram&& other) noexcept;
  ShaderProgram& operator=(ShaderProgram&&) = delete;

  void use() const;
  // Sets a uniform. Requires use() before. Does nothing if the shaders do not have this uniform.
  void set(const char* uniform, int texture_unit) const;
  void set(const char* uniform, float x, float y) const;
  void set(const char* uniform, float x, float y, float z) const;

 private:
  unsigned id_ = 0;
};

}  // namespace upsweep
