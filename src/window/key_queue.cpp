#include "window/key_queue.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "window/imgui_compat.hpp"

namespace upsweep {

static_assert(key::space == GLFW_KEY_SPACE && key::minus == GLFW_KEY_MINUS &&
              key::period == GLFW_KEY_PERIOD && key::slash == GLFW_KEY_SLASH && key::digit_0 == GLFW_KEY_0 &&
              key::equal == GLFW_KEY_EQUAL && key::letter_a == GLFW_KEY_A && key::escape == GLFW_KEY_ESCAPE &&
              key::enter == GLFW_KEY_ENTER && key::tab == GLFW_KEY_TAB);
static_assert(key::right == GLFW_KEY_RIGHT && key::left == GLFW_KEY_LEFT && key::down == GLFW_KEY_DOWN &&
              key::up == GLFW_KEY_UP && key::page_up == GLFW_KEY_PAGE_UP && key::home == GLFW_KEY_HOME &&
              key::page_down == GLFW_KEY_PAGE_DOWN && key::end == GLFW_KEY_END && key::f1 == GLFW_KEY_F1 &&
              key::f2 == GLFW_KEY_F2 && key::f3 == GLFW_KEY_F3 && key::f6 == GLFW_KEY_F6);
static_assert(key::keypad_minus == GLFW_KEY_KP_SUBTRACT && key::keypad_plus == GLFW_KEY_KP_ADD &&
              key::shift == GLFW_MOD_SHIFT && key::control == GLFW_MOD_CONTROL && key::alt == GLFW_MOD_ALT);

KeyQueue::KeyQueue(GLFWwindow* window) : window_(window) {
  glfwSetWindowUserPointer(window, this);
  next_key_ = glfwSetKeyCallback(window, on_key);
  next_text_ = glfwSetCharCallback(window, on_text);
}

void KeyQueue::on_key(GLFWwindow* window, int key, int scancode, int action, int mods) {
  auto& queue = *static_cast<KeyQueue*>(glfwGetWindowUserPointer(window));
  queue.waiting_.push_back({.key = key, .scancode = scancode, .action = action, .mods = mods});
}

void KeyQueue::on_text(GLFWwindow* window, unsigned code_point) {
  auto& queue = *static_cast<KeyQueue*>(glfwGetWindowUserPointer(window));
  queue.waiting_.push_back({.is_text = true, .text = code_point});
}

void KeyQueue::hand_on(const Input& input) {
  if (input.is_text && next_text_) next_text_(window_, input.text);
  if (!input.is_text && next_key_) next_key_(window_, input.key, input.scancode, input.action, input.mods);
}

std::vector<Chord> KeyQueue::take(bool typing) {
  std::vector<Chord> pressed;
  if (typing) frames_for_field_ = 0;
  if (frames_for_field_ > 0 && --frames_for_field_ > 0) return pressed;
  // ImGui may handle an Enter some frames later, and closes the field only then. Until then, later keys wait
  // in the queue. Otherwise, the field would get these keys.
  if (typing && compat::input_waits()) return pressed;
  while (!waiting_.empty()) {
    const Input input = waiting_.front();
    const bool is_press = !input.is_text && input.action != GLFW_RELEASE;
    // ImGui notices a key only if the press and the release of the key are in different frames.
    if (typing && !input.is_text && !is_press && !pressed.empty()) break;
    waiting_.pop_front();
    hand_on(input);
    if (!is_press) continue;
    const int pressed_key = input.key == GLFW_KEY_KP_ENTER ? key::enter : input.key;
    const Chord chord{pressed_key, input.mods & (key::shift | key::control | key::alt)};
    pressed.push_back(chord);
    const bool opens_field = command_of(chord, typing).action == Action::field;
    const bool ends_field = typing && (chord.key == key::enter || chord.key == key::escape);
    if (!opens_field && !ends_field) continue;
    if (!waiting_.empty() && waiting_.front().is_text) {  // passes on the text that this key produces
      hand_on(waiting_.front());
      waiting_.pop_front();
    }
    if (opens_field) frames_for_field_ = 4;
    break;
  }
  return pressed;
}

}  // namespace upsweep
