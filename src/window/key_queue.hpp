// Keeps key presses from GLFW in a queue.
#pragma once
#include <deque>
#include <vector>

#include "panels/keys.hpp"

struct GLFWwindow;

namespace upsweep {

// Key events and typed text, in the order of their arrival. The queue receives GLFW's callbacks before ImGui,
// and passes on only the keys that one frame can handle. Without the queue, there would be three problems:
// - ImGui 1.86 would lose a key that is pressed and released between two frames.
// - A field opens some frames after its key. Text that the user types in these frames would be lost.
// - ImGui 1.87 and later versions may handle an Enter some frames late. Until then, the field that the Enter
//   closes would get the next keys.
class KeyQueue {
 public:
  // Installs callbacks for keys and text. The window's earlier callbacks get the keys and the text later,
  // from take(). The queue uses the window's user pointer.
  explicit KeyQueue(GLFWwindow* window);
  KeyQueue(const KeyQueue&) = delete;
  KeyQueue& operator=(const KeyQueue&) = delete;
  // Passes the keys for the next frame to ImGui, and returns these keys. `typing` must be true if a field or
  // a list has the keyboard.
  std::vector<Chord> take(bool typing);
  // Returns true if keys or text wait for a later frame.
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
  int frames_for_field_ = 0;  // the number of frames in which the queue waits until a field opens
  void (*next_key_)(GLFWwindow*, int, int, int, int) = nullptr;
  void (*next_text_)(GLFWwindow*, unsigned) = nullptr;
};

}  // namespace upsweep
