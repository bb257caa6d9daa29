// OpenGL 3.3 contexts without a display server, and OpenGL's functions.
#pragma once
#include <memory>
#include <string>

namespace upsweep {

// Loads OpenGL's functions for the current context of this thread. `get` must be glfwGetProcAddress or
// eglGetProcAddress. Throws WorkError if the context's version is older than 3.3. All contexts share the
// functions, because each function uses the context of its own thread.
using GetProc = void (*(*)(const char*))();
void load_gl(GetProc get);

// A context without a framebuffer of its own. It tries EGL surfaceless first, then each EGL device.
class GlContext {
 public:
  // Makes the context current in this thread. Throws WorkError with a sentence if no context is available.
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
