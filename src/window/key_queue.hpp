// A queue of key presses from GLFW.
#pragma once
#include <deque>
#include <vector>

#include "panels/keys.hpp"

struct GLFWwindow;

namespace upsweep {

// Key presses and repeats in the order of their arrival. This queue receives GLFW's callbacks before ImGui,
// and passes on only as much as one frame can handle. It is needed for three reasons. First, ImGui 1.86 reads
// only the state of the keys at each frame, so it loses a key that is pressed and released between two
// frames. Second, a field opens some frames after its key, so text that is typed immediately after the key
// would be lost. Third, ImGui 1.87 and later may handle an Enter some frames late, so keys after the Enter
// would go into the field that the Enter closes.
class KeyQueue {
 public:
  // Installs its own callbacks, which then call the callbacks that were installed before. Uses the window's
  // user pointer.
  explicit KeyQueue(GLFWwindow* window);
  KeyQueue(const KeyQueue&) = delete;
  KeyQueue& operator=(const KeyQueue&) = delete;
  // Passes the keys for the next frame on to ImGui, and returns them. `typing` must be true if a field or a
  // list has the keyboard.
  std::vector<Chord> take(bool typing);
  // Returns whether keys or text are left for a later frame.
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
  int frames_for_field_ = 0;  // the number of frames for which the queue still waits for a field to open
  void (*next_key_)(GLFWwindow*, int, int, int, int) = nullptr;
  void (*next_text_)(GLFWwindow*, unsigned) = nullptr;
};

}  // namespace upsweep
