// Draws scenes with OpenGL 3.3 core, in a window or off-screen.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "picture/picture.hpp"
#include "scene/scene.hpp"

namespace upsweep {

// An OpenGL 3.3 context without a display server (GlContext), and a framebuffer. As long as the object
// exists, the context is current in the thread that created the object.
class OffscreenContext {
 public:
  // Throws WorkError if no context is available, and RequestError if a picture cannot have this size.
  OffscreenContext(int width, int height);
  ~OffscreenContext();
  OffscreenContext(const OffscreenContext&) = delete;
  OffscreenContext& operator=(const OffscreenContext&) = delete;
  Picture read() const;          // returns the drawn picture, with 4 channels
  std::string renderer() const;  // GL_RENDERER, such as "llvmpipe (LLVM 15.0.6, 256 bits)"

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A framebuffer of the current context. As long as the object exists, OpenGL draws into this framebuffer. The
// destructor binds the earlier framebuffer again.
class PictureTarget {
 public:
  // Throws RequestError if a picture cannot have this size, and WorkError if OpenGL does not accept the size.
  PictureTarget(int width, int height);
  ~PictureTarget();
  PictureTarget(const PictureTarget&) = delete;
  PictureTarget& operator=(const PictureTarget&) = delete;
  Picture read() const;  // returns the drawn picture, with 4 channels

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Returns a part of the bound framebuffer, with 4 channels: width x height pixels at the lower left.
Picture framebuffer_picture(int width, int height);

// Draws scenes with the shaders in shaders/. At every scale, the edges of boxes (except circles) and of
// horizontal or vertical lines are on whole pixels.
//
// Each OpenGL context needs its own renderer, and the context must be current when the renderer is used. The
// renderer sets the OpenGL state for its own work, and does not restore the earlier state.
class Renderer {
 public:
  Renderer();  // throws WorkError if a shader does not compile
  explicit Renderer(const std::vector<std::string>& font_folders);  // uses only fonts from these folders
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;
  // Begins a picture and clears the framebuffer. Each later call of draw() paints its scene immediately.
  void begin(int pixel_width, int pixel_height, Colour clear);
  // Begins a frame of a picture that the renderer keeps. Until show() is called, draw() only collects scenes.
  // show() paints the parts that differ from the previous frame, and copies the picture into the framebuffer.
  // Keeping the picture saves time, because two successive frames differ only a little.
  void begin_kept(int pixel_width, int pixel_height, Colour clear);
  void show();
  // Draws a scene with its upper left corner at (x, y) dp. Clips the scene to its size. `scale` is in pixels
  // per dp.
  //
  // A `number` other than 0 identifies the scene. If the kept picture already shows a scene with the same
  // number, place and scale, the renderer keeps the old drawing and does not read `scene`.
  void draw(const Scene& scene, float x, float y, float scale, std::uint64_t number = 0);
  // Returns sentences about missing fonts and the fonts that replace them.
  const std::vector<std::string>& notices() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
