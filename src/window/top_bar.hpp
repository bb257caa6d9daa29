// The bar at the top, which shows the kernel, its data and the machine. Each field opens a list or takes
// typed text.
#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "machine/machine.hpp"
#include "panels/keys.hpp"
#include "study/session.hpp"
#include "window/bar_pen.hpp"
#include "window/toolkit.hpp"

namespace upsweep {

class TopBar {
 public:
  // Draws the bar with Dear ImGui and performs what the user clicks or types there. `keys` are the keys of
  // this frame, for the open list.
  void draw(Session& session, const Toolkit& toolkit, const BarLook& look, std::span<const Chord> keys);
  // Opens a field's list in the next frame, or gives the field the keyboard.
  void open(Field field) { state_.opening = field; }
  // Returns whether an open list or a text field has the keyboard.
  bool has_keyboard() const { return state_.has_keyboard; }
  // Returns the tip of the thing under the mouse; empty if there is none.
  const std::string& tip() const { return state_.tip; }
  const std::vector<ScreenPlace>& places() const { return state_.places; }

 private:
  friend class TopBarFrame;
  BarState state_;
  std::vector<Finding> findings_;  // filled when the machine's list is first opened
  std::string n_text_, seed_text_, numbers_text_, filter_text_;
  std::map<std::string, std::string> formula_texts_;  // the typed formula of each choice
  bool filtering_ = false;                            // the list of algorithms is open
  bool writing_ = false;                              // the list of operators is open
  float fields_end_ = 0;  // the right end of the last frame's fields, in logical pixels
  float names_end_ = 0;   // the right end of the names above the fields, in logical pixels
};

}  // namespace upsweep
