// OpenGL 3.3 contexts without a display server, and OpenGL's functions.
#pragma once
#include <memory>
#include <string>

namespace upsweep {

// Loads OpenGL's functions, if they are not yet loaded. A context must be current. `get` must be
// glfwGetProcAddress or eglGetProcAddress. Throws WorkError if OpenGL cannot be loaded or is older than 3.3.
// All contexts share the functions, because each function uses the context of the calling thread.
using GetProc = void (*(*)(const char*))();
void load_gl(GetProc get);

// A context without its own framebuffer. EGL makes it without a surface or, if that fails, for an EGL device.
class GlContext {
 public:
  // Makes the new context current in this thread. Throws WorkError if no context is available.
  GlContext();
  ~GlContext();
  GlContext(const GlContext&) = delete;
  GlContext& operator=(const GlContext&) = delete;
  // A context is current in at most one thread. enter() makes it current in this thread. leave() frees it for
  // other threads, and makes the thread's earlier context current again.
  void enter() const;
  void leave() const;
  std::string renderer() const;  // GL_RENDERER, such as "llvmpipe (LLVM 15.0.6, 256 bits)"

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
