// Sets up Dear ImGui once: its context, back ends, fonts, and a style from the theme's colours.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "scene/theme.hpp"

struct GLFWwindow;
struct ImFont;

namespace upsweep {

// Text sizes (the em) in logical pixels.
inline constexpr float small_text = 11, plain_text = 13.5f, large_text = 18, title_text = 17;

class Toolkit {
 public:
  // Works for a window. With nullptr it works for an off-screen picture; then begin() needs the size.
  // Requires that OpenGL is loaded.
  explicit Toolkit(GLFWwindow* window);
  ~Toolkit();
  Toolkit(const Toolkit&) = delete;
  Toolkit& operator=(const Toolkit&) = delete;

  // Begins a frame of this many pixels, with `scale` pixels per logical pixel. Loads the fonts again if the
  // scale has changed.
  void begin(int width, int height, float scale, const Theme& theme);
  // Draws everything since begin() into the current framebuffer.
  void end();

  enum class Font { small, plain, bold, large, title, mono };
  void push(Font font) const;
  // Returns sentences about missing parts.
  const std::vector<std::string>& notices() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
