// Sets up Dear ImGui: the context, the back ends, the fonts, and a style with the theme's colours.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "scene/theme.hpp"

struct GLFWwindow;
struct ImFont;

namespace upsweep {

// The font sizes of texts in logical pixels.
inline constexpr float small_text = 11, plain_text = 13.5f, large_text = 18, title_text = 17;

class Toolkit {
 public:
  // If `window` is null, ImGui draws off-screen, and begin() defines the size. Requires that OpenGL is
  // loaded.
  explicit Toolkit(GLFWwindow* window);
  ~Toolkit();
  Toolkit(const Toolkit&) = delete;
  Toolkit& operator=(const Toolkit&) = delete;

  // Begins a frame of width x height pixels. `scale` is in pixels per logical pixel. If the scale has
  // changed, loads the fonts again.
  void begin(int width, int height, float scale, const Theme& theme);
  // Draws all widgets since begin() into the current framebuffer.
  void end();

  // Functions that simulate the mouse with the keyboard. point_at() holds the simulated mouse at a point (in
  // pixels) until leave() is called. click() presses and releases the mouse button. is_pointing() returns
  // false after leave(), or after the user has moved the real mouse.
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
