#include "window/key_queue.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <utility>

namespace upsweep {

static_assert(key::space == GLFW_KEY_SPACE && key::minus == GLFW_KEY_MINUS && key::slash == GLFW_KEY_SLASH &&
              key::digit_0 == GLFW_KEY_0 && key::equal == GLFW_KEY_EQUAL && key::letter_a == GLFW_KEY_A &&
              key::escape == GLFW_KEY_ESCAPE && key::enter == GLFW_KEY_ENTER && key::tab == GLFW_KEY_TAB);
static_assert(key::right == GLFW_KEY_RIGHT && key::left == GLFW_KEY_LEFT && key::down == GLFW_KEY_DOWN &&
              key::up == GLFW_KEY_UP && key::page_up == GLFW_KEY_PAGE_UP && key::home == GLFW_KEY_HOME &&
              key::page_down == GLFW_KEY_PAGE_DOWN && key::end == GLFW_KEY_END && key::f1 == GLFW_KEY_F1);
static_assert(key::keypad_minus == GLFW_KEY_KP_SUBTRACT && key::keypad_plus == GLFW_KEY_KP_ADD &&
              key::shift == GLFW_MOD_SHIFT && key::control == GLFW_MOD_CONTROL && key::alt == GLFW_MOD_ALT);

KeyQueue::KeyQueue(GLFWwindow* window) {
  glfwSetWindowUserPointer(window, this);
  next_ = glfwSetKeyCallback(window, on_key);
}

void KeyQueue::on_key(GLFWwindow* window, int key, int scancode, int action, int mods) {
  auto& queue = *static_cast<KeyQueue*>(glfwGetWindowUserPointer(window));
  if (action != GLFW_RELEASE) queue.pressed_.push_back({key, mods & (key::shift | key::control | key::alt)});
  if (queue.next_) queue.next_(window, key, scancode, action, mods);
}

std::vector<Chord> KeyQueue::take() { return std::exchange(pressed_, {}); }

}  // namespace upsweep
