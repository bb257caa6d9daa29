// The window with the speaker's notes. If the computer has several displays, it opens on another display than
// the main window.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "panels/keys.hpp"
#include "study/session.hpp"
#include "window/bar_pen.hpp"

struct GLFWwindow;

namespace upsweep {

class NotesWindow {
 public:
  // `main` is the window of the presentation. Its OpenGL context must be current whenever a function of this
  // class is called, and is current again afterwards.
  explicit NotesWindow(GLFWwindow* main);
  ~NotesWindow();
  NotesWindow(const NotesWindow&) = delete;
  NotesWindow& operator=(const NotesWindow&) = delete;

  // Opens, draws or closes the window, as Looks::notes says. `now` is a time in seconds. If the window cannot
  // be opened, the session's banner says why.
  void follow(Session& session, double now);
  // Returns the keys that were pressed in this window.
  std::vector<Chord> take_keys();
  bool waits() const;
  // Returns after how many seconds the clock changes; a negative number if the window is closed.
  double again_in() const;
  // Returns the box of the window on the desktop, if the window is open.
  std::optional<ScreenPlace> place() const;

 private:
  struct State;
  void open(Session& session);
  void close();

  GLFWwindow* const main_;
  std::unique_ptr<State> state_;  // null while the window is closed
  double began_ = -1, now_ = 0;   // when the presentation began; negative without a presentation
  bool chose_ = false;            // this class opened the window because there are two displays
};

}  // namespace upsweep
