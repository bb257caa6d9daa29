// Creates OpenGL 3.3 contexts without a display server, and loads OpenGL's functions.
#pragma once
#include <memory>
#include <string>

namespace upsweep {

// Loads OpenGL's functions if they are not loaded yet. Requires that a context is current, and that `get` is
// glfwGetProcAddress or eglGetProcAddress. Throws WorkError if OpenGL cannot be loaded or is older than 3.3.
//
// All contexts share the loaded functions, because each function uses the current context of the calling
// thread.
using GetProc = void (*(*)(const char*))();
void load_gl(GetProc get);

// An OpenGL context without a framebuffer and without a surface. EGL creates the context on Mesa's
// surfaceless platform if possible, and otherwise on one of EGL's devices.
class GlContext {
 public:
  // Creates a context and makes the context current in this thread. Throws WorkError if no context is
  // available.
  GlContext();
  ~GlContext();
  GlContext(const GlContext&) = delete;
  GlContext& operator=(const GlContext&) = delete;
  // A context can be current in only one thread at a time. enter() makes this context current in the calling
  // thread. leave() releases this context for other threads, and makes the thread's earlier context current
  // again.
  void enter() const;
  void leave() const;
  std::string renderer() const;  // GL_RENDERER, such as "llvmpipe (LLVM 15.0.6, 256 bits)"

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
