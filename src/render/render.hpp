// Draws scenes with OpenGL 3.3 core, in a window or off-screen.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "picture/picture.hpp"
#include "scene/scene.hpp"

namespace upsweep {

// An OpenGL 3.3 context without a display server (GlContext), and a framebuffer. The context is current in
// this thread as long as the object exists.
class OffscreenContext {
 public:
  // Throws WorkError with a sentence if no context is available, and RequestError if no picture has this
  // size.
  OffscreenContext(int width, int height);
  ~OffscreenContext();
  OffscreenContext(const OffscreenContext&) = delete;
  OffscreenContext& operator=(const OffscreenContext&) = delete;
  Picture read() const;          // returns what has been drawn, with 4 channels
  std::string renderer() const;  // GL_RENDERER, such as "llvmpipe (LLVM 15.0.6, 256 bits)"

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A framebuffer of the current context. As long as the object exists, drawing goes there instead of into the
// framebuffer that was bound before.
class PictureTarget {
 public:
  // Throws RequestError if no picture has this size, and WorkError if OpenGL refuses it.
  PictureTarget(int width, int height);
  ~PictureTarget();
  PictureTarget(const PictureTarget&) = delete;
  PictureTarget& operator=(const PictureTarget&) = delete;
  Picture read() const;  // returns what has been drawn, with 4 channels

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Returns the lower left width x height pixels of the bound framebuffer, with 4 channels.
Picture framebuffer_picture(int width, int height);

// Draws scenes with the shaders in shaders/. Each context needs its own renderer, and the context must be
// current whenever the renderer is used. Boxes and horizontal or vertical lines are on whole pixels at every
// scale. The renderer sets all OpenGL state that it needs, and does not restore the earlier state.
class Renderer {
 public:
  Renderer();  // Throws WorkError if a shader does not compile.
  explicit Renderer(const std::vector<std::string>& font_folders);  // uses only fonts from these folders
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;
  // Begins a picture and clears the framebuffer. draw() then paints scenes immediately.
  void begin(int pixel_width, int pixel_height, Colour clear);
  // Begins a picture that is kept from frame to frame. After this call, draw() only collects scenes. show()
  // then paints again only the parts that differ from the last frame, and copies the picture into the
  // framebuffer. This saves time, because two successive frames differ little.
  void begin_kept(int pixel_width, int pixel_height, Colour clear);
  void show();
  // Draws a scene with its upper left corner at (x, y) dp, clipped to the scene's size. `scale` is pixels per
  // dp. A `number` other than 0 identifies the scene: if the kept picture shows a scene with this number at
  // this place and scale, the renderer assumes that it is the same scene and does not read it.
  void draw(const Scene& scene, float x, float y, float scale, std::uint64_t number = 0);
  // Returns sentences about missing fonts and the fonts that replace them.
  const std::vector<std::string>& notices() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
