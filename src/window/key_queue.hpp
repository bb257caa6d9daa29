// The keys that were pressed, from GLFW.
#pragma once
#include <deque>
#include <vector>

#include "panels/keys.hpp"

struct GLFWwindow;

namespace upsweep {

// Key presses and repeats in the order in which they came. ImGui 1.86 keeps only the state of the keys at
// each frame and loses what is pressed and released between two. And a frame can be slow: what is typed
// behind the key that opens a field belongs into the field, although the field is only there some frames
// later. So the queue hangs on GLFW's own callbacks, before ImGui's, and hands on what fits into one frame.
class KeyQueue {
 public:
  // Hooks in front of the window's present callbacks, by way of the window's user pointer.
  explicit KeyQueue(GLFWwindow* window);
  KeyQueue(const KeyQueue&) = delete;
  KeyQueue& operator=(const KeyQueue&) = delete;
  // What is for the next frame; ImGui has been told. `typing`: whether a field or a list has the keyboard.
  std::vector<Chord> take(bool typing);
  // Whether something is left for a further frame.
  bool waits() const { return !waiting_.empty(); }

 private:
  struct Input {
    bool is_text = false;
    unsigned text = 0;  // a code point
    int key = 0, scancode = 0, action = 0, mods = 0;
  };
  static void on_key(GLFWwindow* window, int key, int scancode, int action, int mods);
  static void on_text(GLFWwindow* window, unsigned code_point);
  void hand_on(const Input& input);

  GLFWwindow* const window_;
  std::deque<Input> waiting_;
  int frames_for_field_ = 0;  // that a field which was asked for may still take to open
  void (*next_key_)(GLFWwindow*, int, int, int, int) = nullptr;
  void (*next_text_)(GLFWwindow*, unsigned) = nullptr;
};

}  // namespace upsweep
