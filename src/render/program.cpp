#include "render/program.hpp"

#include <fmt/format.h>
#include <glad/gl.h>

#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "embedded/shaders.hpp"

namespace upsweep {
namespace {

GLuint compiled(GLenum kind, const std::string& file, std::span<const std::string_view> parts) {
  std::array<const char*, 2> texts{};
  std::array<GLint, 2> lengths{};
  for (std::size_t i = 0; i < parts.size(); i++) {
    texts[i] = parts[i].data();
    lengths[i] = static_cast<GLint>(parts[i].size());
  }
  const GLuint shader = glCreateShader(kind);
  glShaderSource(shader, static_cast<GLsizei>(parts.size()), texts.data(), lengths.data());
  glCompileShader(shader);
  GLint good = GL_FALSE;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
  if (good) return shader;
  std::array<char, 2048> log{};
  glGetShaderInfoLog(shader, log.size(), nullptr, log.data());
  glDeleteShader(shader);
  throw WorkError(fmt::format("OpenGL did not compile the shader {}: {}", file, log.data()));
}

}  // namespace

ShaderProgram::ShaderProgram(const std::string& name) {
  const std::string vert = name + ".vert", frag = name + ".frag";
  const std::string_view vertex_parts[] = {embedded_shaders("common.vert"), embedded_shaders(vert)};
  const std::string_view fragment_parts[] = {embedded_shaders(frag)};
  const GLuint vertex = compiled(GL_VERTEX_SHADER, vert, vertex_parts);
  const GLuint fragment = compiled(GL_FRAGMENT_SHADER, frag, fragment_parts);
  id_ = glCreateProgram();
  glAttachShader(id_, vertex);
  glAttachShader(id_, fragment);
  glLinkProgram(id_);
  glDeleteShader(vertex);
  glDeleteShader(fragment);
  GLint good = GL_FALSE;
  glGetProgramiv(id_, GL_LINK_STATUS, &good);
  if (good) return;
  std::array<char, 2048> log{};
  glGetProgramInfoLog(id_, log.size(), nullptr, log.data());
  glDeleteProgram(id_);
  throw WorkError(fmt::format("OpenGL did not link the shaders {} and {}: {}", vert, frag, log.data()));
}

ShaderProgram::~ShaderProgram() {
  if (id_) glDeleteProgram(id_);
}

ShaderProgram::ShaderProgram(ShaderProgram&& other) noexcept : id_(std::exchange(other.id_, 0)) {}

void ShaderProgram::use() const { glUseProgram(id_); }

void ShaderProgram::set(const char* uniform, int texture_unit) const {
  glUniform1i(glGetUniformLocation(id_, uniform), texture_unit);
}

void ShaderProgram::set(const char* uniform, float x, float y) const {
  glUniform2f(glGetUniformLocation(id_, uniform), x, y);
}

void ShaderProgram::set(const char* uniform, float x, float y, float z) const {
  glUniform3f(glGetUniformLocation(id_, uniform), x, y, z);
}

}  // namespace upsweep
