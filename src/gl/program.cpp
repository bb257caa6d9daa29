#include "gl/program.hpp"

#include <fmt/format.h>
#include <glad/gl.h>

#include <array>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/language.hpp"
#include "embedded/shaders.hpp"

namespace upsweep {
namespace {

GLuint compiled(GLenum kind, const std::string& file, std::span<const std::string_view> parts) {
  std::vector<const char*> texts;
  std::vector<GLint> lengths;
  for (const std::string_view part : parts) {
    texts.push_back(part.data());
    lengths.push_back(static_cast<GLint>(part.size()));
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
  throw WorkError(tr("OpenGL did not compile the shader {}: {}", file, log.data()));
}

}  // namespace

ShaderProgram::ShaderProgram(const std::string& name) {
  const std::string vert = name + ".vert", frag = name + ".frag";
  const std::string_view vertex_parts[] = {embedded_shaders("common.vert"), embedded_shaders(vert)};
  const std::string_view fragment_parts[] = {embedded_shaders(frag)};
  const GLuint vertex = compiled(GL_VERTEX_SHADER, vert, vertex_parts);
  link(vertex, compiled(GL_FRAGMENT_SHADER, frag, fragment_parts), tr("{} and {}", vert, frag));
}

ShaderProgram::ShaderProgram(const std::string& vertex, const std::string& name,
                             std::span<const std::string_view> fragment) {
  const std::string vert = vertex + ".vert";
  const std::string_view vertex_parts[] = {embedded_shaders(vert)};
  const GLuint shader = compiled(GL_VERTEX_SHADER, vert, vertex_parts);
  link(shader, compiled(GL_FRAGMENT_SHADER, name, fragment), tr("{} and {}", vert, name));
}

void ShaderProgram::link(GLuint vertex, GLuint fragment, const std::string& names) {
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
  throw WorkError(tr("OpenGL did not link the shaders {}: {}", names, log.data()));
}

ShaderProgram::~ShaderProgram() {
  if (id_) glDeleteProgram(id_);
}

ShaderProgram::ShaderProgram(ShaderProgram&& other) noexcept : id_(std::exchange(other.id_, 0)) {}

void ShaderProgram::use() const { glUseProgram(id_); }

void ShaderProgram::set(const char* uniform, int number) const {
  glUniform1i(glGetUniformLocation(id_, uniform), number);
}

void ShaderProgram::set(const char* uniform, float x, float y) const {
  glUniform2f(glGetUniformLocation(id_, uniform), x, y);
}

void ShaderProgram::set(const char* uniform, float x, float y, float z) const {
  glUniform3f(glGetUniformLocation(id_, uniform), x, y, z);
}

int ShaderProgram::uniform(const char* name) const { return glGetUniformLocation(id_, name); }

void ShaderProgram::set(int place, int number) const { glUniform1i(place, number); }

}  // namespace upsweep
