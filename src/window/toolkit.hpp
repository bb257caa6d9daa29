// Sets up Dear ImGui once: its context, its back ends, its fonts, and a style with the theme's colours.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "scene/theme.hpp"

struct GLFWwindow;
struct ImFont;

namespace upsweep {

// Sizes of text in logical pixels. The size of a font is its em.
inline constexpr float small_text = 11, plain_text = 13.5f, large_text = 18, title_text = 17;

class Toolkit {
 public:
  // If `window` is null, the picture is off-screen and has the size that begin() gets. Requires that OpenGL
  // is loaded.
  explicit Toolkit(GLFWwindow* window);
  ~Toolkit();
  Toolkit(const Toolkit&) = delete;
  Toolkit& operator=(const Toolkit&) = delete;

  // Begins a frame of width x height pixels, with `scale` pixels per logical pixel. If the scale has changed,
  // loads the fonts again.
  void begin(int width, int height, float scale, const Theme& theme);
  // Draws everything since begin() into the current framebuffer.
  void end();

  // The keyboard simulates the mouse. point_at() holds the simulated mouse at a point (in pixels) until
  // leave(), and click() presses and releases its button. is_pointing() returns false after leave(), or after
  // the user has moved the real mouse.
  void point_at(float x, float y);
  void click();
  void leave();
  bool is_pointing() const;

  enum class Font { small, plain, large, title };
  void push(Font font) const;
  // Returns sentences about missing fonts.
  const std::vector<std::string>& notices() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
