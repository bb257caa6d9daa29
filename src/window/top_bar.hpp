// The bar at the top of the window. It shows the kernel, its data and the machine. Each field opens a list or
// takes typed text.
#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "machine/machine.hpp"
#include "panels/exports.hpp"
#include "panels/keys.hpp"
#include "panels/recent_files.hpp"
#include "study/session.hpp"
#include "window/bar_pen.hpp"
#include "window/toolkit.hpp"

namespace upsweep {

class TopBar {
 public:
  // Draws the bar with Dear ImGui and carries out the user's clicks and typed text. `keys` are the keys that
  // were pressed since the last frame; the open list uses them.
  void draw(Session& session, const Toolkit& toolkit, const BarLook& look, std::span<const Chord> keys);
  // In the next frame, opens the field's list or gives the keyboard to the field.
  void open(Field field) { state_.opening = field; }
  // Returns whether an open list or a text field has the keyboard.
  bool has_keyboard() const { return state_.has_keyboard; }
  // Returns the field whose list is open or which has the text cursor.
  Field open_field() const { return state_.open; }
  // Returns the command that the user chose in a list and that the frame must carry out, if any.
  std::optional<Command> take_command() { return std::exchange(command_, std::nullopt); }
  std::string exported;                 // the title of the view that the list Export saves
  Handouts handouts = Handouts::none;   // what the list Export can save of the lesson
  const RecentFiles* recent = nullptr;  // the files that the palette offers
  // Returns the tip of the thing under the mouse, or an empty text.
  const std::string& tip() const { return state_.tip; }
  const std::vector<ScreenPlace>& places() const { return state_.places; }

 private:
  friend class TopBarFrame;
  BarState state_;
  std::optional<Command> command_;
  std::vector<Finding> findings_;  // empty until the list of machines is opened for the first time
  std::string n_text_, seed_text_, numbers_text_, filter_text_;
  std::map<std::string, std::string> formula_texts_;  // the text that the user typed, by choice
  std::string palette_text_;
  bool palette_is_open_ = false;
  bool filtering_ = false;  // the list of algorithms is open
  bool writing_ = false;    // the list of operators is open
  float fields_end_ = 0;    // where the fields ended in the last frame, in logical pixels from the left
  float names_end_ = 0;     // where the names above the fields end, in logical pixels from the left
};

}  // namespace upsweep
