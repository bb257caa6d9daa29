#include "window/notes_window.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <span>

#include "base/language.hpp"
#include "panels/notes.hpp"
#include "render/render.hpp"
#include "window/frame.hpp"
#include "window/key_queue.hpp"

namespace upsweep {
namespace {

std::span<GLFWmonitor*> monitors() {
  int count = 0;
  GLFWmonitor** all = glfwGetMonitors(&count);
  return {all, static_cast<std::size_t>(count)};
}

Box work_area(GLFWmonitor* monitor) {
  int x = 0, y = 0, w = 0, h = 0;
  glfwGetMonitorWorkarea(monitor, &x, &y, &w, &h);
  return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(w), static_cast<float>(h)};
}

// Returns the work area of a display that does not contain the middle of `window`. Returns nullopt if there
// is no such display.
std::optional<Box> other_display(GLFWwindow* window) {
  int x = 0, y = 0, w = 0, h = 0;
  glfwGetWindowPos(window, &x, &y);
  glfwGetWindowSize(window, &w, &h);
  const Point middle{static_cast<float>(x + w / 2), static_cast<float>(y + h / 2)};
  for (GLFWmonitor* monitor : monitors())
    if (const Box area = work_area(monitor); area.w > 0 && !area.contains(middle)) return area;
  return {};
}

}  // namespace

struct NotesWindow::State {
  GLFWwindow* window;
  KeyQueue keys;
  Renderer renderer;
  explicit State(GLFWwindow* w) : window(w), keys(w) {}
};

NotesWindow::NotesWindow(GLFWwindow* main) : main_(main) {}
NotesWindow::~NotesWindow() { close(); }

void NotesWindow::open(Session& session) {
  constexpr int width = 960, height = 600;
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  // The new window does not get the keyboard, because the presentation keeps the keyboard.
  glfwWindowHint(GLFW_FOCUSED, GLFW_FALSE);
  glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  const auto area = other_display(main_);
  GLFWwindow* window =
      glfwCreateWindow(area ? static_cast<int>(area->w) : width, area ? static_cast<int>(area->h) : height,
                       tr("Upsweep: notes"), nullptr, nullptr);
  if (!window) {
    session.looks.notes = 0;
    return session.complain(tr("The window with the notes cannot be opened on this display."));
  }
  if (area) {
    glfwSetWindowPos(window, static_cast<int>(area->x), static_cast<int>(area->y));
  } else if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) {
    // Without another display, uses the lower right corner of the only display.
    const Box all = work_area(monitor);
    glfwSetWindowPos(window, static_cast<int>(all.x + std::max(0.0f, all.w - width)),
                     static_cast<int>(all.y + std::max(0.0f, all.h - height)));
  }
  glfwShowWindow(window);
  glfwMakeContextCurrent(window);
  // This window does not wait for its display, because the presentation's window waits already.
  glfwSwapInterval(0);
  try {
    state_ = std::make_unique<State>(window);
  } catch (const std::exception&) {
    glfwDestroyWindow(window);
    session.looks.notes = 0;
    session.complain(tr("The window with the notes cannot be drawn on this display."));
  }
  glfwMakeContextCurrent(main_);
}

void NotesWindow::close() {
  if (!state_) return;
  GLFWwindow* window = state_->window;
  glfwMakeContextCurrent(window);
  state_.reset();
  glfwDestroyWindow(window);
  glfwMakeContextCurrent(main_);
}

void NotesWindow::follow(Session& session, double now) {
  now_ = now;
  Looks& looks = session.looks;
  if (!looks.presentation) {
    if (chose_ && looks.notes == 1) looks.notes = -1;
    chose_ = false;
    began_ = -1;
    return close();
  }
  if (began_ < 0) began_ = now;
  if (looks.notes < 0 && monitors().size() > 1) {
    looks.notes = 1;
    chose_ = true;
  }
  if (state_ && glfwWindowShouldClose(state_->window)) session.apply({.notes = 0});
  if (looks.notes <= 0) return close();
  if (!state_) open(session);
  if (!state_) return;
  int width = 0, height = 0;
  glfwGetFramebufferSize(state_->window, &width, &height);
  if (width <= 0 || height <= 0) return;
  float content = 1;
  glfwGetWindowContentScale(state_->window, &content, nullptr);
  const float scale = display_scale(0, content, height);
  const Theme& theme = theme_of(looks.dark, looks.contrast);
  glfwMakeContextCurrent(state_->window);
  state_->renderer.begin(width, height, theme.background);
  state_->renderer.draw(notes_scene(session, theme, static_cast<float>(width) / scale,
                                    static_cast<float>(height) / scale, now - began_),
                        0, 0, scale);
  glfwSwapBuffers(state_->window);
  glfwMakeContextCurrent(main_);
}

std::vector<Chord> NotesWindow::take_keys() {
  return state_ ? state_->keys.take(false) : std::vector<Chord>();
}

bool NotesWindow::waits() const { return state_ && state_->keys.waits(); }

double NotesWindow::again_in() const {
  if (!state_) return -1;
  const double elapsed = now_ - began_;
  return std::floor(elapsed) + 1 - elapsed + 0.001;
}

std::optional<ScreenPlace> NotesWindow::place() const {
  if (!state_) return {};
  int x = 0, y = 0, w = 0, h = 0;
  glfwGetWindowPos(state_->window, &x, &y);
  glfwGetWindowSize(state_->window, &w, &h);
  return ScreenPlace{
      "notes", {static_cast<float>(x), static_cast<float>(y), static_cast<float>(w), static_cast<float>(h)}};
}

}  // namespace upsweep
