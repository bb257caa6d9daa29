// Scenes through OpenGL 3.3 core, in a window or off-screen.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scene/scene.hpp"

namespace upsweep {

struct Image {
  int width = 0, height = 0;       // pixels
  std::vector<std::uint8_t> rgba;  // top row first, 4 bytes a pixel
};

// The image as a PNG file. Throws WorkError if it cannot be written (nothing half-written is left behind).
void write_png(const std::string& path, const Image& image);

// An OpenGL 3.3 context without a display server: EGL surfaceless, then each EGL device. Current in this
// thread while it lives. Throws WorkError with a sentence where none is to be had.
class OffscreenContext {
 public:
  OffscreenContext(int width, int height);
  ~OffscreenContext();
  OffscreenContext(const OffscreenContext&) = delete;
  OffscreenContext& operator=(const OffscreenContext&) = delete;
  Image read() const;            // what has been drawn
  std::string renderer() const;  // GL_RENDERER, such as "llvmpipe (LLVM 15.0.6, 256 bits)"

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Loads OpenGL's functions for the context current in this thread; `get` is glfwGetProcAddress or
// eglGetProcAddress. Throws WorkError if the context is older than 3.3.
using GetProc = void (*(*)(const char*))();
void load_gl(GetProc get);

// Draws scenes with the shaders of shaders/. One per context, which has to be current for all of its life.
// Owns a glyph atlas (FreeType), filled as text comes. Boxes and level lines meet whole pixels at every
// scale. Sets all of OpenGL's state that it needs and restores none of it.
class Renderer {
 public:
  Renderer();  // Throws WorkError if a shader does not compile.
  explicit Renderer(const std::vector<std::string>& font_folders);  // fonts from these folders alone
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;
  // Clears the framebuffer to a colour.
  void begin(int pixel_width, int pixel_height, Colour clear);
  // The same for a picture that is kept from frame to frame: of the scenes drawn from here to show(), only
  // what differs from the last time is drawn anew; then the picture is copied into the framebuffer. A
  // software driver draws for most of a frame's time what was there already.
  void begin_kept(int pixel_width, int pixel_height, Colour clear);
  void show();
  // Draws a scene with its origin at (x, y) dp, clipped to its own size; `scale` is pixels per dp. A scene
  // that was drawn there in the last kept picture with the same `number`, other than 0, is taken to be the
  // same, and not looked at.
  void draw(const Scene& scene, float x, float y, float scale, std::uint64_t number = 0);
  // Sentences on what was missing (a font that was not found and what stands in for it); empty when all is
  // well.
  const std::vector<std::string>& notices() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
