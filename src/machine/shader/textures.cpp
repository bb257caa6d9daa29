#include "machine/shader/textures.hpp"

#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "machine/shader/fragment_log.hpp"

namespace upsweep {
namespace {

struct Format {
  GLint stored;  // the format in which OpenGL stores a texel
  GLenum format, type;
};
Format format_of(Texture::Texel texel) {
  switch (texel) {
    case Texture::Texel::int32: return {GL_R32I, GL_RED_INTEGER, GL_INT};
    case Texture::Texel::uint32: return {GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT};
    case Texture::Texel::float32: return {GL_R32F, GL_RED, GL_FLOAT};
    case Texture::Texel::event: break;
  }
  return {GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT};
}

int largest_side() {
  GLint texture = 0;
  std::array<GLint, 2> viewport{};
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &texture);
  glGetIntegerv(GL_MAX_VIEWPORT_DIMS, viewport.data());
  return std::min({texture, viewport[0], viewport[1]});
}

// Calls f(first row, rows, width) for the full rows of `count` texels, and then for the incomplete last row.
template <class F>
void for_each_rectangle(const TextureForm& form, std::int64_t count, F f) {
  const auto whole = static_cast<int>(count >> form.width_log);
  const auto rest = static_cast<int>(count & (form.width() - 1));
  if (whole > 0) f(0, whole, form.width());
  if (rest > 0) f(whole, 1, rest);
}

void expect_no_error() {
  const GLenum error = glGetError();
  if (error == GL_OUT_OF_MEMORY) throw WorkError(say::no_texture_memory());
  if (error != GL_NO_ERROR) throw WorkError(say::opengl_failed(error));
}

}  // namespace

TextureForm form_for(std::int64_t n) {
  // Makes one row for at most 4,096 texels. For more texels, makes rows of 4,096 texels, or longer rows if
  // OpenGL does not allow so many rows.
  const std::int64_t side = largest_side();
  TextureForm form;
  while (form.width() < std::min<std::int64_t>(n, 4096)) ++form.width_log;
  while (form.rows(n) > side && 2 * form.width() <= side) ++form.width_log;
  if (form.rows(n) > side) throw RequestError(say::beyond_a_texture(n, form.width() * side));
  return form;
}

Texture::Texel texel_of(Scalar type) {
  return type == Scalar::int32    ? Texture::Texel::int32
         : type == Scalar::uint32 ? Texture::Texel::uint32
                                  : Texture::Texel::float32;
}

Texture::Texture(Texel texel, const TextureForm& form, int rows) : texel_(texel), form_(form), rows_(rows) {
  const Format format = format_of(texel);
  while (glGetError() != GL_NO_ERROR) {}  // discards earlier errors
  glGenTextures(1, &id_);
  glBindTexture(GL_TEXTURE_2D, id_);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  glTexImage2D(GL_TEXTURE_2D, 0, format.stored, form.width(), rows, 0, format.format, format.type, nullptr);
  expect_no_error();
  if (texel == Texel::event) return;
  glGenFramebuffers(1, &framebuffer_);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, id_, 0);
}

Texture::~Texture() {
  if (framebuffer_) glDeleteFramebuffers(1, &framebuffer_);
  if (id_) glDeleteTextures(1, &id_);
}

Texture::Texture(Texture&& other) noexcept
    : texel_(other.texel_),
      form_(other.form_),
      rows_(other.rows_),
      id_(std::exchange(other.id_, 0)),
      framebuffer_(std::exchange(other.framebuffer_, 0)) {}

void Texture::fill() const {
  constexpr std::uint32_t pattern = 0xA5A5A5A5;
  std::array<std::uint32_t, 4> texel;
  texel.fill(pattern);
  draw_into();
  glScissor(0, 0, form_.width(), rows_);
  switch (texel_) {
    case Texel::int32: glClearBufferiv(GL_COLOR, 0, std::bit_cast<std::array<GLint, 4>>(texel).data()); break;
    case Texel::float32:
      glClearBufferfv(GL_COLOR, 0, std::bit_cast<std::array<GLfloat, 4>>(texel).data());
      break;
    case Texel::uint32:
    case Texel::event: glClearBufferuiv(GL_COLOR, 0, texel.data()); break;
  }
  expect_no_error();
}

void Texture::write(const void* from, int row, std::int64_t count) const {
  const Format format = format_of(texel_);
  glBindTexture(GL_TEXTURE_2D, id_);
  for_each_rectangle(form_, count, [&](int first, int rows, int width) {
    const auto* at =
        static_cast<const std::uint32_t*>(from) + (static_cast<std::size_t>(first) << form_.width_log);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, row + first, width, rows, format.format, format.type, at);
  });
  expect_no_error();
}

void Texture::read(void* to, std::int64_t count) const {
  const Format format = format_of(texel_);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glReadBuffer(GL_COLOR_ATTACHMENT0);
  for_each_rectangle(form_, count, [&](int first, int rows, int width) {
    auto* at = static_cast<std::uint32_t*>(to) + (static_cast<std::size_t>(first) << form_.width_log);
    glReadPixels(0, first, width, rows, format.format, format.type, at);
  });
  expect_no_error();
}

void bind_for_reading(const Texture& texture, int unit) {
  glActiveTexture(static_cast<GLenum>(GL_TEXTURE0 + unit));
  glBindTexture(GL_TEXTURE_2D, texture.id());
  glActiveTexture(GL_TEXTURE0 + most_textures);
}

void Texture::draw_into() const { glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_); }

void draw_state() {
  GLuint no_vertices = 0;
  glGenVertexArrays(1, &no_vertices);  // core profiles draw nothing without a vertex array
  glBindVertexArray(no_vertices);
  glDisable(GL_BLEND);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_DITHER);
  glEnable(GL_SCISSOR_TEST);
  glActiveTexture(GL_TEXTURE0 +
                  most_textures);  // write() and copies use this texture unit, which no pass uses
}

void draw_texels(const TextureForm& form, std::int64_t count) {
  glViewport(0, 0, form.width(), form.rows(count));
  for_each_rectangle(form, count, [](int first, int rows, int width) {
    glScissor(0, first, width, rows);
    glDrawArrays(GL_TRIANGLES, 0, 3);
  });
}

EventTargets::EventTargets(Texture::Texel texel, const TextureForm& form, int rows)
    : form_(form), rows_(rows) {
  targets_.reserve(most_fragment_events + 1);
  targets_.emplace_back(texel, form, rows);
  for (int k = 0; k < most_fragment_events; ++k) targets_.emplace_back(Texture::Texel::event, form, rows);
  glGenFramebuffers(1, &framebuffer_);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  std::array<GLenum, most_fragment_events + 1> all{};
  for (std::size_t k = 0; k < all.size(); ++k) {
    all[k] = static_cast<GLenum>(GL_COLOR_ATTACHMENT0 + k);
    glFramebufferTexture2D(GL_FRAMEBUFFER, all[k], GL_TEXTURE_2D, targets_[k].id(), 0);
  }
  glDrawBuffers(static_cast<GLsizei>(all.size()), all.data());
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    throw WorkError(say::no_event_targets());
}

EventTargets::~EventTargets() { glDeleteFramebuffers(1, &framebuffer_); }

void EventTargets::draw_into() const { glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_); }

void EventTargets::copy_numbers(const Texture& to, int first_row, std::int64_t count) const {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glReadBuffer(GL_COLOR_ATTACHMENT0);
  glBindTexture(GL_TEXTURE_2D, to.id());
  for_each_rectangle(form_, count, [&](int first, int rows, int width) {
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, first_row + first, 0, first, width, rows);
  });
}

void EventTargets::read_events(int k, int rows, void* to) const {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glReadBuffer(static_cast<GLenum>(GL_COLOR_ATTACHMENT1 + k));
  glReadPixels(0, 0, form_.width(), rows, GL_RGBA_INTEGER, GL_UNSIGNED_INT, to);
}

}  // namespace upsweep
