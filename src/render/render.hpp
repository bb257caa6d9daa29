// Draws scenes with OpenGL 3.3 core, in a window or off-screen.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scene/scene.hpp"

namespace upsweep {

struct Image {
  int width = 0, height = 0;       // pixels
  std::vector<std::uint8_t> rgba;  // the top row first, 4 bytes per pixel
};

// Writes the image as a PNG file. Throws WorkError if it cannot be written, and leaves no incomplete file.
void write_png(const std::string& path, const Image& image);

// An OpenGL 3.3 context without a display server. It tries EGL surfaceless first, then each EGL device. It is
// current in this thread as long as it exists. Throws WorkError with a sentence if no context is available.
class OffscreenContext {
 public:
  OffscreenContext(int width, int height);
  ~OffscreenContext();
  OffscreenContext(const OffscreenContext&) = delete;
  OffscreenContext& operator=(const OffscreenContext&) = delete;
  Image read() const;            // returns what has been drawn
  std::string renderer() const;  // GL_RENDERER, such as "llvmpipe (LLVM 15.0.6, 256 bits)"

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Loads OpenGL's functions for the context that is current in this thread. `get` must be glfwGetProcAddress
// or eglGetProcAddress. Throws WorkError if the context is older than 3.3.
using GetProc = void (*(*)(const char*))();
void load_gl(GetProc get);

// Draws scenes with the shaders of shaders/. Each context needs its own renderer, and must be current
// whenever the renderer is used. The renderer has an atlas of glyphs (FreeType), to which new text is added.
// Boxes and horizontal or vertical lines lie on whole pixels at every scale. It sets all OpenGL state that it
// needs and restores nothing.
class Renderer {
 public:
  Renderer();  // Throws WorkError if a shader does not compile.
  explicit Renderer(const std::vector<std::string>& font_folders);  // uses only fonts from these folders
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;
  // Clears the framebuffer to a colour.
  void begin(int pixel_width, int pixel_height, Colour clear);
  // Begins a picture that is kept from frame to frame. Of the scenes that are drawn from this call to show(),
  // only the parts that differ from the last frame are drawn again. Then the picture is copied into the
  // framebuffer. This saves time, because most of a frame is equal to the last one.
  void begin_kept(int pixel_width, int pixel_height, Colour clear);
  void show();
  // Draws a scene with its origin at (x, y) dp, clipped to its own size; `scale` is pixels per dp. `number`
  // identifies the scene, unless it is 0: if the last kept picture has a scene with this number at this
  // place, the scene is taken to be the same and is not read.
  void draw(const Scene& scene, float x, float y, float scale, std::uint64_t number = 0);
  // Returns sentences about what was missing (a font that was not found and the font that replaces it); empty
  // if nothing was.
  const std::vector<std::string>& notices() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
