#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "base/error.hpp"
#include "render/render.hpp"

namespace upsweep {

void load_gl(GetProc get) {
  const int version = gladLoadGL(get);
  if (version == 0)
    throw WorkError("OpenGL could not be loaded: install a driver for OpenGL 3.3, such as Mesa's.");
  if (version < GLAD_MAKE_VERSION(3, 3))
    throw WorkError(
        fmt::format("This machine's OpenGL is {}.{}; Upsweep needs 3.3 or newer, such as Mesa's llvmpipe.",
                    GLAD_VERSION_MAJOR(version), GLAD_VERSION_MINOR(version)));
}

struct OffscreenContext::State {
  int width = 0, height = 0;
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;
  GLuint framebuffer = 0, colour = 0;

  ~State() { close(); }

  // Creates an OpenGL context on a display and makes it current. Returns false if this fails.
  bool open(EGLDisplay candidate) {
    if (candidate == EGL_NO_DISPLAY || !eglInitialize(candidate, nullptr, nullptr)) return false;
    display = candidate;
    constexpr EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                                 EGL_NONE};
    constexpr EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                                  3,
                                  EGL_CONTEXT_MINOR_VERSION,
                                  3,
                                  EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                  EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                  EGL_NONE};
    EGLConfig config = nullptr;
    EGLint found = 0;
    if (eglBindAPI(EGL_OPENGL_API)) {
      eglChooseConfig(display, wanted, &config, 1, &found);
      context = eglCreateContext(display, found > 0 ? config : EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version);
    }
    if (context != EGL_NO_CONTEXT && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
      return true;
    close();
    return false;
  }

  void close() {
    if (display == EGL_NO_DISPLAY) return;
    if (framebuffer) glDeleteFramebuffers(1, &framebuffer);
    if (colour) glDeleteRenderbuffers(1, &colour);
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
    // The display is not terminated, because EGL has only one display of each kind in a process, and other
    // contexts may use it.
    display = EGL_NO_DISPLAY;
    context = EGL_NO_CONTEXT;
    framebuffer = colour = 0;
  }

  // Switches off Mesa's cache of compiled shaders if the path of its folder is a file, because Mesa would
  // print an error.
  static void leave_out_cache() {
    const char* folder = std::getenv("XDG_CACHE_HOME");
    std::error_code error;
    if (folder && std::filesystem::exists(folder, error) && !std::filesystem::is_directory(folder, error))
      setenv("MESA_SHADER_CACHE_DISABLE", "true", 0);
  }

  bool open_any() {
    leave_out_cache();
    const auto platform_display =
        reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    if (!platform_display) return false;
    if (open(platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr))) return true;
    const auto query = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
    std::array<EGLDeviceEXT, 32> devices{};
    EGLint count = 0;
    if (!query || !query(devices.size(), devices.data(), &count)) return false;
    return std::any_of(devices.begin(), devices.begin() + count, [&](EGLDeviceEXT device) {
      return open(platform_display(EGL_PLATFORM_DEVICE_EXT, device, nullptr));
    });
  }
};

OffscreenContext::OffscreenContext(int width, int height) : state_(std::make_unique<State>()) {
  if (width < 1 || height < 1)
    throw RequestError(fmt::format(
        "A picture of {} x {} pixels cannot be drawn; each side needs at least one.", width, height));
  State& s = *state_;
  if (!s.open_any())
    throw WorkError(
        "No OpenGL 3.3 context could be created without a display: EGL offers neither a surfaceless context "
        "nor a device. Install Mesa's software driver (libegl1 and libgl1-mesa-dri).");
  load_gl(eglGetProcAddress);
  GLint limit = 0;
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &limit);
  if (width > limit || height > limit)
    throw RequestError(
        fmt::format("A picture of {} x {} pixels is too large to draw here; each side can have {} at most.",
                    width, height, limit));
  s.width = width;
  s.height = height;
  glGenRenderbuffers(1, &s.colour);
  glBindRenderbuffer(GL_RENDERBUFFER, s.colour);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
  glGenFramebuffers(1, &s.framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, s.framebuffer);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, s.colour);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    throw WorkError(fmt::format(
        "OpenGL refused an off-screen picture of {} x {} pixels: choose a smaller size.", width, height));
  glViewport(0, 0, width, height);
}

OffscreenContext::~OffscreenContext() = default;

Picture OffscreenContext::read() const {
  const int width = state_->width, height = state_->height;
  const std::size_t row = static_cast<std::size_t>(width) * 4;
  std::vector<std::uint8_t> upward(row * height);
  glBindFramebuffer(GL_FRAMEBUFFER, state_->framebuffer);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glPixelStorei(GL_PACK_ROW_LENGTH, 0);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, upward.data());
  Picture picture = black_picture(height, width, 4);
  for (int y = 0; y < height; y++)
    std::copy_n(&upward[row * (height - 1 - y)], row, &picture.values[row * y]);
  return picture;
}

std::string OffscreenContext::renderer() const {
  return reinterpret_cast<const char*>(glGetString(GL_RENDERER));
}

}  // namespace upsweep
