// The keys that were pressed, from GLFW.
#pragma once
#include <vector>

#include "panels/keys.hpp"

struct GLFWwindow;

namespace upsweep {

// Key presses and repeats in the order in which they came. ImGui 1.86 keeps only the state of the keys at
// each frame and loses what is pressed and released between two, so the queue hangs on GLFW's own callback,
// before ImGui's.
class KeyQueue {
 public:
  // Hooks in front of the window's present key callback, by way of the window's user pointer.
  explicit KeyQueue(GLFWwindow* window);
  KeyQueue(const KeyQueue&) = delete;
  KeyQueue& operator=(const KeyQueue&) = delete;
  std::vector<Chord> take();

 private:
  static void on_key(GLFWwindow* window, int key, int scancode, int action, int mods);
  std::vector<Chord> pressed_;
  void (*next_)(GLFWwindow*, int, int, int, int) = nullptr;
};

}  // namespace upsweep
