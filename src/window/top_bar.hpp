// Draws the bar at the top of the window. The bar shows the kernel, the data and the machine. Each field
// opens a list or takes typed text.
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
  // Draws the bar with Dear ImGui, and performs the user's clicks and typed text. `keys` contains the keys
  // that were pressed since the previous frame. The open list uses these keys.
  void draw(Session& session, const Toolkit& toolkit, const BarLook& look, std::span<const Chord> keys);
  // Opens the list of a field in the next frame, or gives the keyboard to the field.
  void open(Field field) { state_.opening = field; }
  // Returns true if an open list or a text field has the keyboard.
  bool has_keyboard() const { return state_.has_keyboard; }
  // Returns the field that has an open list or the text cursor.
  Field open_field() const { return state_.open; }
  // Returns the command that the user chose in a list, if there is one. The frame must perform this command.
  std::optional<Command> take_command() { return std::exchange(command_, std::nullopt); }
  std::string exported;                 // the title of the view that the list Export saves
  Handouts handouts = Handouts::none;   // the parts of the lesson that the list Export can save
  const RecentFiles* recent = nullptr;  // the files that the palette offers
  // Returns the tooltip of the thing under the mouse, or an empty text.
  const std::string& tip() const { return state_.tip; }
  const std::vector<ScreenPlace>& places() const { return state_.places; }

 private:
  friend class TopBarFrame;
  BarState state_;
  std::optional<Command> command_;
  // The findings about this computer, as `upsweep doctor` prints them. Empty until the list of machines is
  // opened for the first time.
  std::vector<Finding> findings_;
  std::string n_text_, seed_text_, numbers_text_, filter_text_;
  // The text that the user typed for each choice.
  std::map<std::string, std::string> formula_texts_;
  std::string palette_text_;
  bool palette_is_open_ = false;
  bool filtering_ = false;  // true while the list of algorithms is open
  bool writing_ = false;    // true while the list of operators is open
  float fields_end_ = 0;    // the x of the fields' right end in the previous frame, in logical pixels
  float after_title_ = 0;   // the width of the fields right of the algorithm's name in the previous frame
  // The x of the right end of the names above the fields, in logical pixels.
  float names_end_ = 0;
};

}  // namespace upsweep
