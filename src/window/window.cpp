#include "window/window.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "base/error.hpp"
#include "base/language.hpp"
#include "base/own_file.hpp"
#include "gl/context.hpp"
#include "study/data_source.hpp"
#include "window/frame.hpp"
#include "window/key_queue.hpp"
#include "window/left_off.hpp"
#include "window/notes_window.hpp"
#include "window/speaker.hpp"
#include "window/state_file.hpp"
#include "window/still.hpp"

namespace upsweep {
namespace {

constexpr const char* without = tr_noop("The commands need no window: `upsweep --help` lists the commands.");
// The longest time to wait, in seconds. This is long enough for every recording and every measurement.
constexpr double patience = 1e9;

Session::Start start_of(const WindowOptions& o) {
  Session::Start start;
  start.opened = o.opened;
  start.opened_from = o.opened_from;
  start.settings = o.settings;
  start.data = o.data;
  start.machine = o.machine;
  start.made = o.made;
  if (o.step >= 0) start.step = o.step;
  start.n_chosen = o.n_chosen;
  start.block_chosen = o.block_chosen;
  return start;
}

// Applies the options that Session::Start does not contain.
void set_up(Session& session, const WindowOptions& o) {
  if (o.theme) session.looks.dark = o.theme->dark, session.looks.contrast = o.theme->contrast;
  session.looks.text_scale = o.text_scale;
  session.looks.presentation = o.presentation;
  for (std::size_t i = 0; i < o.presented.size(); ++i)
    (i == 0 ? session.looks.chosen : session.looks.added.at(i - 1)) = o.presented[i];
  if (o.changed) session.compare_with(o.changed->settings, o.changed->data, o.changed->machine);
  if (o.timings.empty()) return;
  session.timing.open(o.timings, patience);
  session.looks.timing_large = true;
}

// Initialises GLFW. The destructor terminates GLFW.
//
// complaint() returns GLFW's last error message, which our error sentences quote. The message is a global
// variable, because GLFW's error callback has no user pointer.
class Glfw {
 public:
  Glfw() {
    complaint().clear();
    glfwSetErrorCallback([](int, const char* what) { complaint() = what; });
    if (!glfwInit()) throw WorkError(tr("No window can be opened here ({}). {}", complaint(), tr(without)));
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
      throw WorkError(tr("The display has no OpenGL 3.3 ({}). {}", Glfw::complaint(), tr(without)));
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

// Returns the path of the last file that the user dropped on the window. The path is empty after the file was
// opened. The path is a global variable, because KeyQueue uses the only user pointer of the window.
std::string& dropped() {
  static std::string path;
  return path;
}

// Opens a file that the user dropped on the window. If the file is a picture, the picture becomes the input.
void open_dropped(Session& session, const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (ending == ".png" || ending == ".jpg" || ending == ".jpeg")
    session.set_data({DataSource::Kind::picture, session.data().seed, path});
  else session.open(path);
}

std::string title_of(const Session& session) {
  return session.shows_opened() ? session.opened().name + tr(" · Upsweep") : "Upsweep";
}

// The number of frames that are drawn after each event. If another event comes meanwhile, the count starts
// again. A list opens in the second frame after the event, and ImGui first draws the list in the third frame.
constexpr int frames_per_event = 3;

}  // namespace

int run_window(const WindowOptions& options) {
  Glfw glfw;
  Session::Start start = start_of(options);
  start.wake = glfwPostEmptyEvent;
  Session session(std::move(start));
  set_up(session, options);
  session.looks.prefers_still = system_prefers_still();
  session.apply({.request = options.request});
  StateFile state(options.state_file);
  Speaker speaker(options.speaks);
  Window window(options);
  Frame frame(session, window, options.keeps ? own_file(progress_file) : "");
  LeftOff left_off(options.keeps ? own_file(left_off_file) : "");
  if (!options.lesson.empty()) frame.player().open(options.lesson);
  else if (options.goes_on && !left_off.restore(session, frame.player(), frame.recent_files()))
    session.looks.cards = true;
  if (!options.goes_on) left_off.restore(session, frame.recent_files());
  if (!options.state.empty()) frame.show_text(options.state);
  if (options.theme)
    session.looks.dark = options.theme->dark, session.looks.contrast = options.theme->contrast;
  if (options.text_scale != 1) session.looks.text_scale = options.text_scale;
  if (!options.language.empty()) session.apply({.language = options.language});
  if (options.cards) session.looks.cards = true;
  KeyQueue keys(window);
  NotesWindow notes(window);
  glfwSetDropCallback(window,
                      [](GLFWwindow*, int count, const char** paths) { dropped() = paths[count - 1]; });

  double last = glfwGetTime();
  std::string title;
  int due = frames_per_event;
  while (!glfwWindowShouldClose(window)) {
    if (!dropped().empty()) open_dropped(session, std::exchange(dropped(), {}));
    if (title != title_of(session)) glfwSetWindowTitle(window, (title = title_of(session)).c_str());
    int width = 0, height = 0;
    glfwGetFramebufferSize(window, &width, &height);
    Frame::Outcome outcome;
    if (width > 0 && height > 0) {
      float content = 1;
      glfwGetWindowContentScale(window, &content, nullptr);
      const double now = glfwGetTime();
      std::vector<Chord> pressed = keys.take(frame.has_keyboard());
      const std::vector<Chord> in_notes = notes.take_keys();
      pressed.insert(pressed.end(), in_notes.begin(), in_notes.end());
      outcome = frame.draw(width, height, display_scale(options.scale, content, height), now - last, pressed);
      last = now;
      glfwSwapBuffers(window);
      notes.follow(session, now);
      std::vector<ScreenPlace> places = frame.places();
      if (const auto place = notes.place()) places.push_back(*place);
      state.write(session, frame.player(), frame.has_keyboard(), places);
      speaker.follow(session, frame.player(), frame.focused());
    }
    if (outcome.quit) break;
    if (outcome.heard || keys.waits() || notes.waits()) due = frames_per_event;
    if (--due > 0) {
      glfwPollEvents();
      continue;
    }
    if (const double clock = notes.again_in(); clock >= 0)
      outcome.again_in = outcome.again_in < 0 ? clock : std::min(outcome.again_in, clock);
    if (outcome.again_in >= 0) glfwWaitEventsTimeout(outcome.again_in);
    else glfwWaitEvents();
    due = frames_per_event;
  }
  left_off.save(session, frame.player(), frame.recent_files());
  return 0;
}

struct WindowPictures::State {
  explicit State(const WindowOptions& options)
      : width(options.width > 0 ? options.width : 1920),
        height(options.height > 0 ? options.height : 1080),
        scale(display_scale(options.scale, 1, height)),
        session(patient(options)) {
    session.settle(patience);
    set_up(session, options);
    if (options.step >= 0) {
      session.go_to(options.step);
      session.go_to_block(options.at_block);
    }
    session.apply({.request = options.request});
    context.emplace(width, height);
    frame.emplace(session, nullptr);
    if (!options.lesson.empty()) frame->player().open(options.lesson);
    session.looks.cards = options.cards;
  }
  static Session::Start patient(const WindowOptions& options) {
    Session::Start start = start_of(options);
    start.patience = patience;
    return start;
  }
  // Draws several frames. The first frame only finds the places of the controls and requests the counts for
  // the comparison.
  void draw() {
    for (int i = 0; i < frames_per_event; ++i) {
      frame->draw(width, height, scale, 0, {});
      session.settle(patience);
      frame->wait_for_cards(patience);
    }
  }

  const int width, height;
  const float scale;
  Session session;
  std::optional<OffscreenContext> context;
  std::optional<Frame> frame;
};

WindowPictures::WindowPictures(const WindowOptions& options) : state_(std::make_unique<State>(options)) {}
WindowPictures::~WindowPictures() = default;

int WindowPictures::count() const {
  const Session& s = state_->session;
  return s.compares() ? static_cast<int>(s.pairs().size()) : s.step_count();
}

void WindowPictures::go_to(int step) {
  Session& s = state_->session;
  if (s.compares()) s.go_to_pair(step);
  else s.go_to(step);
}

Picture WindowPictures::pixels() {
  state_->draw();
  return state_->context->read();
}

Scene WindowPictures::scene() {
  state_->draw();
  return state_->frame->scene();
}

Picture window_picture(const WindowOptions& options) { return WindowPictures(options).pixels(); }

}  // namespace upsweep
