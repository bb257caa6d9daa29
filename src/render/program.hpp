// One pair of shaders, compiled and linked.
#pragma once
#include <string>

namespace upsweep {

class ShaderProgram {
 public:
  // From shaders/NAME.vert (with common.vert before it) and shaders/NAME.frag. Throws WorkError with the
  // driver's words.
  explicit ShaderProgram(const std::string& name);
  ~ShaderProgram();
  ShaderProgram(ShaderProgram&& other) noexcept;
  ShaderProgram& operator=(ShaderProgram&&) = delete;

  void use() const;
  // Set a uniform of the program in use; one the shader does not have is passed over.
  void set(const char* uniform, int texture_unit) const;
  void set(const char* uniform, float x, float y) const;
  void set(const char* uniform, float x, float y, float z) const;

 private:
  unsigned id_ = 0;
};

}  // namespace upsweep
