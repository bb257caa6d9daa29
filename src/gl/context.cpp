#include "gl/context.hpp"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <mutex>

#include "base/error.hpp"
#include "base/language.hpp"

namespace upsweep {

void load_gl(GetProc get) {
  static std::once_flag loaded;
  std::call_once(loaded, [&] {
    const int version = gladLoadGL(get);
    if (version == 0)
      throw WorkError(tr("OpenGL could not be loaded: install a driver for OpenGL 3.3, such as Mesa's."));
    if (version < GLAD_MAKE_VERSION(3, 3))
      throw WorkError(
          tr("This computer has OpenGL {}.{}, but Upsweep needs OpenGL 3.3 or newer: install a driver such "
             "as Mesa's llvmpipe.",
             GLAD_VERSION_MAJOR(version), GLAD_VERSION_MINOR(version)));
  });
}

struct GlContext::State {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;
  // The context that was current in the thread before enter(). leave() makes this context current again.
  EGLDisplay before_display = EGL_NO_DISPLAY;
  EGLContext before = EGL_NO_CONTEXT;

  ~State() { close(); }

  // Creates an OpenGL context on a display and makes the context current. Returns false if EGL cannot create
  // the context.
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
    if (context != EGL_NO_CONTEXT && enter()) return true;
    close();
    return false;
  }

  // Makes the context current in the calling thread. Calls eglBindAPI() each time, because eglBindAPI()
  // selects OpenGL for the calling thread only.
  bool enter() {
    if (!eglBindAPI(EGL_OPENGL_API)) return false;
    before_display = eglGetCurrentDisplay();
    before = eglGetCurrentContext();
    return eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
  }
  void leave() {
    const bool again = before != EGL_NO_CONTEXT && before != context &&
                       eglMakeCurrent(before_display, EGL_NO_SURFACE, EGL_NO_SURFACE, before);
    if (!again) eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    before = EGL_NO_CONTEXT;
  }

  void close() {
    if (display == EGL_NO_DISPLAY) return;
    if (eglGetCurrentContext() == context) leave();
    if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
    // Does not terminate the display, because the process has only one display of each kind, and other
    // contexts may use this display.
    display = EGL_NO_DISPLAY;
    context = EGL_NO_CONTEXT;
  }

  // Switches off Mesa's cache of compiled shaders if XDG_CACHE_HOME names a file instead of a folder. With
  // the cache, Mesa would print an error.
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

GlContext::GlContext() : state_(std::make_unique<State>()) {
  if (!state_->open_any())
    throw WorkError(tr(
        "No OpenGL 3.3 context could be created without a display: EGL offers neither a surfaceless context "
        "nor a device. Install Mesa's software driver (libegl1 and libgl1-mesa-dri)."));
  load_gl(eglGetProcAddress);
}

GlContext::~GlContext() = default;

void GlContext::enter() const {
  if (!state_->enter()) throw WorkError(tr("OpenGL's context was lost: start Upsweep again."));
}
void GlContext::leave() const { state_->leave(); }

std::string GlContext::renderer() const { return reinterpret_cast<const char*>(glGetString(GL_RENDERER)); }

}  // namespace upsweep
