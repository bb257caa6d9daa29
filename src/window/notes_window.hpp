// Shows the speaker's notes in a separate window. If the computer has several displays, this window opens on
// another display than the presentation.
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
  // `main` is the window of the presentation. Each function of this class requires that the OpenGL context of
  // `main` is current, and makes this context current again at the end.
  explicit NotesWindow(GLFWwindow* main);
  ~NotesWindow();
  NotesWindow(const NotesWindow&) = delete;
  NotesWindow& operator=(const NotesWindow&) = delete;

  // Opens, draws or closes the window according to Looks::notes. `now` is a time in seconds. If the window
  // cannot be opened, the session's banner says why.
  void follow(Session& session, double now);
  // Returns the keys that were pressed in this window.
  std::vector<Chord> take_keys();
  bool waits() const;
  // Returns the seconds until the clock changes. Returns a negative number if the window is closed.
  double again_in() const;
  // Returns the box of the window on the desktop. Returns nullopt if the window is closed.
  std::optional<ScreenPlace> place() const;

 private:
  struct State;
  void open(Session& session);
  void close();

  GLFWwindow* const main_;
  std::unique_ptr<State> state_;  // null while the window is closed
  // The time at which the presentation began (negative without a presentation), and the current time.
  double began_ = -1, now_ = 0;
  // True if this class opened the window without a command of the user, because there are two displays.
  bool chose_ = false;
};

}  // namespace upsweep
