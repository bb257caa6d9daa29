// The bar at the top: what is run, on what, and where; each field opens a list or takes what is typed.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "machine/machine.hpp"
#include "scene/scene.hpp"
#include "ui/keys.hpp"
#include "ui/session.hpp"
#include "ui/toolkit.hpp"

namespace upsweep {

class TopBar {
 public:
  struct Look {
    const Theme& theme;
    float width, height;  // logical pixels
    float scale;          // pixels per logical pixel
  };
  // Draws the bar with Dear ImGui and does what is clicked or typed in it. `keys` are this frame's, for the
  // open list.
  void draw(Session& session, const Toolkit& toolkit, const Look& look, std::span<const Chord> keys);
  // Opens a field's list or puts the keyboard into it, in the next frame.
  void open(Field field) { opening_ = field; }
  // Whether the keyboard belongs to an open list or a text field.
  bool has_keyboard() const { return has_keyboard_; }
  // The tip of what the mouse is over, empty if nothing.
  const std::string& tip() const { return tip_; }
  // Where the fields and the rows of the open list stand, in pixels, for automation.
  struct Place {
    std::string name;
    Box box;
    bool operator==(const Place&) const = default;
  };
  const std::vector<Place>& places() const { return places_; }

 private:
  friend class TopBarFrame;
  Field opening_ = Field::none;
  bool has_keyboard_ = false, typing_ = false;
  int marked_ = -1;  // the row of the open list that the arrow keys have reached
  std::string tip_;
  std::vector<Place> places_;
  std::vector<Finding> findings_;  // filled when the machine's list is first opened
  std::string n_text_, seed_text_, formula_text_, numbers_text_;
};

}  // namespace upsweep
