#include "window/window.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "gl/context.hpp"
#include "window/frame.hpp"
#include "window/key_queue.hpp"
#include "window/state_file.hpp"

namespace upsweep {
namespace {

constexpr const char* without = "The commands need no window: `upsweep --help` lists them.";
constexpr double patience = 1e9;  // seconds for which a picture waits for its recording

Session::Start start_of(const WindowOptions& o) {
  Session::Start start;
  start.opened = o.opened;
  start.opened_from = o.opened_from;
  start.settings = o.settings;
  start.data = o.data;
  start.machine = o.machine;
  start.made = o.made;
  start.step = o.step;
  start.n_chosen = o.n_chosen;
  start.block_chosen = o.block_chosen;
  return start;
}

// Sets how the window looks when it opens.
void set_up(Session& session, const WindowOptions& o) {
  session.looks.dark = o.dark;
  if (o.timings.empty()) return;
  session.timing.open(o.timings, patience);
  session.looks.timing_large = true;
}

// Initialises GLFW, and terminates GLFW at the end. Keeps GLFW's last error message for our own error
// sentence. The message is a global variable, because GLFW's error callback gets no pointer of ours.
class Glfw {
 public:
  Glfw() {
    complaint().clear();
    glfwSetErrorCallback([](int, const char* what) { complaint() = what; });
    if (!glfwInit())
      throw WorkError(fmt::format("No window can be opened here ({}). {}", complaint(), without));
  }
  ~Glfw() { glfwTerminate(); }
  Glfw(const Glfw&) = delete;
  Glfw& operator=(const Glfw&) = delete;

  static std::string& complaint() {
    static std::string text;
    return text;
  }
};

class Window {
 public:
  explicit Window(const WindowOptions& o) {
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    int x = 0, y = 0, width = 1280, height = 720;
    if (GLFWmonitor* monitor = glfwGetPrimaryMonitor())
      glfwGetMonitorWorkarea(monitor, &x, &y, &width, &height);
    const bool whole = o.width <= 0 || o.height <= 0;
    glfwWindowHint(GLFW_MAXIMIZED, whole);
    window_ = whole ? glfwCreateWindow(width, height, "Upsweep", nullptr, nullptr)
                    : glfwCreateWindow(o.width, o.height, "Upsweep", nullptr, nullptr);
    if (!window_)
      throw WorkError(fmt::format("The display has no OpenGL 3.3 ({}). {}", Glfw::complaint(), without));
    glfwSetWindowSizeLimits(window_, 800, 500, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwMakeContextCurrent(window_);
    load_gl(glfwGetProcAddress);
    glfwSwapInterval(1);
  }
  ~Window() { glfwDestroyWindow(window_); }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  operator GLFWwindow*() const { return window_; }

 private:
  GLFWwindow* window_ = nullptr;
};

// Returns the path of the last file that was dropped on the window. The path is empty after the file was
// opened. It is a global variable, because KeyQueue already uses the window's only user pointer.
std::string& dropped() {
  static std::string path;
  return path;
}

std::string title_of(const Session& session) {
  return session.shows_opened() ? session.opened().name + " · Upsweep" : "Upsweep";
}

// Every event of the window needs this many frames, also an event that arrives during a frame. ImGui needs
// two more frames after an event: a list opens in the second frame and is drawn in the third for the first
// time.
constexpr int frames_per_event = 3;

}  // namespace

int run_window(const WindowOptions& options) {
  Glfw glfw;
  Session::Start start = start_of(options);
  start.wake = glfwPostEmptyEvent;
  Session session(std::move(start));
  set_up(session, options);
  session.apply({.request = options.request});
  StateFile state(options.state_file);
  Window window(options);
  Frame frame(session, window);
  KeyQueue keys(window);
  glfwSetDropCallback(window,
                      [](GLFWwindow*, int count, const char** paths) { dropped() = paths[count - 1]; });

  double last = glfwGetTime();
  std::string title;
  int due = frames_per_event;
  while (!glfwWindowShouldClose(window)) {
    if (!dropped().empty()) session.open(std::exchange(dropped(), {}));
    if (title != title_of(session)) glfwSetWindowTitle(window, (title = title_of(session)).c_str());
    int width = 0, height = 0;
    glfwGetFramebufferSize(window, &width, &height);
    Frame::Outcome outcome;
    if (width > 0 && height > 0) {
      float content = 1;
      glfwGetWindowContentScale(window, &content, nullptr);
      const double now = glfwGetTime();
      outcome = frame.draw(width, height, display_scale(options.scale, content, height), now - last,
                           keys.take(frame.has_keyboard()));
      last = now;
      glfwSwapBuffers(window);
      state.write(session, frame.has_keyboard(), frame.places());
    }
    if (outcome.quit) break;
    if (outcome.heard || keys.waits()) due = frames_per_event;
    if (--due > 0) {
      glfwPollEvents();
      continue;
    }
    if (outcome.again_in >= 0) glfwWaitEventsTimeout(outcome.again_in);
    else glfwWaitEvents();
    due = frames_per_event;
  }
  return 0;
}

Image window_image(const WindowOptions& options) {
  const int width = options.width > 0 ? options.width : 1920,
            height = options.height > 0 ? options.height : 1080;
  Session::Start start = start_of(options);
  start.patience = patience;
  Session session(std::move(start));
  session.settle(patience);
  set_up(session, options);
  session.go_to(options.step);
  session.go_to_block(options.at_block);
  session.apply({.request = options.request});
  OffscreenContext context(width, height);
  Frame frame(session, nullptr);
  // In the first frame, the controls get their places and the comparison begins. Only later frames show
  // everything in its place.
  for (int i = 0; i < frames_per_event; ++i) {
    frame.draw(width, height, display_scale(options.scale, 1, height), 0, {});
    session.settle(patience);
  }
  return context.read();
}

}  // namespace upsweep
