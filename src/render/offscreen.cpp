#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/language.hpp"
#include "gl/context.hpp"
#include "render/render.hpp"

namespace upsweep {

namespace {

void expect_pixels(int width, int height) {
  if (width < 1 || height < 1)
    throw RequestError(tr("A picture of {} x {} pixels cannot be drawn: each side needs at least one pixel.",
                          width, height));
}

}  // namespace

struct PictureTarget::State {
  int width = 0, height = 0;
  GLint before = 0;  // the framebuffer that was bound when this object was created
  GLuint framebuffer = 0, colour = 0;

  ~State() {
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(before));
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteRenderbuffers(1, &colour);
  }
};

PictureTarget::PictureTarget(int width, int height) {
  expect_pixels(width, height);
  GLint limit = 0;
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &limit);
  if (width > limit || height > limit)
    throw RequestError(
        tr("A picture of {} x {} pixels is too large for this computer's OpenGL: choose at most {} pixels on "
           "each side.",
           width, height, limit));
  state_ = std::make_unique<State>();
  State& s = *state_;
  s.width = width;
  s.height = height;
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &s.before);
  glGenRenderbuffers(1, &s.colour);
  glBindRenderbuffer(GL_RENDERBUFFER, s.colour);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
  glGenFramebuffers(1, &s.framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, s.framebuffer);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, s.colour);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    throw WorkError(
        tr("OpenGL refused an off-screen picture of {} x {} pixels: choose a smaller size.", width, height));
  glViewport(0, 0, width, height);
}

PictureTarget::~PictureTarget() = default;

Picture PictureTarget::read() const {
  glBindFramebuffer(GL_FRAMEBUFFER, state_->framebuffer);
  return framebuffer_picture(state_->width, state_->height);
}

Picture framebuffer_picture(int width, int height) {
  const std::size_t row = static_cast<std::size_t>(width) * 4;
  std::vector<std::uint8_t> upward(row * height);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glPixelStorei(GL_PACK_ROW_LENGTH, 0);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, upward.data());
  Picture picture = black_picture(height, width, 4);
  for (int y = 0; y < height; y++)
    std::copy_n(&upward[row * (height - 1 - y)], row, &picture.values[row * y]);
  return picture;
}

struct OffscreenContext::State {
  State(int width, int height) : target(width, height) {}
  GlContext context;
  PictureTarget target;
};

OffscreenContext::OffscreenContext(int width, int height) {
  expect_pixels(width, height);  // throws before a context is opened
  state_ = std::make_unique<State>(width, height);
}

OffscreenContext::~OffscreenContext() = default;

Picture OffscreenContext::read() const { return state_->target.read(); }

std::string OffscreenContext::renderer() const { return state_->context.renderer(); }

}  // namespace upsweep
