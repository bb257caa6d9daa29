// What the top bar is drawn with: a pen that moves from left to right over Dear ImGui's window, leaving
// fields, lists and lines for text behind.
#pragma once
#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "panels/keys.hpp"
#include "scene/theme.hpp"
#include "window/imgui_compat.hpp"
#include "window/toolkit.hpp"

namespace upsweep {

inline ImU32 packed(Colour c) { return IM_COL32(c.r, c.g, c.b, c.a); }

struct BarLook {
  const Theme& theme;
  float width, height;  // logical pixels
  float scale;          // pixels per logical pixel
};

// Where something stands, in pixels, for automation.
struct ScreenPlace {
  std::string name;
  Box box;
  bool operator==(const ScreenPlace&) const = default;
};

// What the bar remembers from frame to frame.
struct BarState {
  Field opening = Field::none;  // to be opened in the next frame
  bool has_keyboard = false;    // an open list or a line for text
  bool typing = false;          // a line for text
  int marked = -1;              // the row of the open list that the arrow keys have reached
  std::string tip;              // of what the mouse is over
  std::vector<ScreenPlace> places;
};

// A row of a list.
struct Row {
  std::string name, note;
  bool selected = false;
};

// Rows under a heading.
struct ListColumn {
  std::string heading;
  std::vector<Row> rows;
};

class BarPen {
 public:
  // `keys` are this frame's.
  BarPen(BarState& state, const Toolkit& toolkit, const BarLook& look, std::span<const Chord> keys);

  float px(float dp) const { return std::round(dp * look.scale); }
  ImVec2 at(float left, float top) const { return {px(left), px(top)}; }
  float width_of(std::string_view text, Toolkit::Font font) const;  // logical pixels
  void text(float left, float top, std::string_view words, Colour colour, Toolkit::Font font) const;
  // The ground under what the mouse is over.
  void ground(float left, float top, float w, float h) const;

  // Of the item just made: notes where it stands; says what it is, and its key, while the mouse is over it.
  void place(std::string name) const;
  void tip(std::string words, Action action, int argument) const;
  void tip(std::string words, Field field) const;

  // How often a key was pressed since the last frame.
  int times(int key) const { return static_cast<int>(std::count(keys.begin(), keys.end(), Chord{key, 0})); }
  bool pressed(int key) const { return times(key) > 0; }

  // A field that opens a list: its small name over its value, or a large value alone. True while the list is
  // open; end it with end_list().
  bool begin_list(Field field, const char* name, const std::string& value, std::string what,
                  bool large = false);
  // A list without a field, its left edge at `edge`, or its right one.
  bool open_list(const char* name, bool open, float edge, bool ends_there = false);
  void end_list() { ImGui::EndPopup(); }
  // Rows of a list, a name and a faint note each. The row that was chosen by mouse or keys, or -1.
  int rows(const std::vector<Row>& all, bool by_keys = true);
  // Columns of rows side by side, names alone; arrow keys go through all of them, Enter takes the marked one
  // if `enter` says so. Gives the row that was chosen, counted through all columns, or -1; `looked_at` is the
  // one under the mouse or the marked one, or -1.
  int columns(const std::vector<ListColumn>& all, bool enter, int& looked_at);
  void heading(const char* words);
  // Small text in lines of a width in logical pixels.
  void paragraph(const std::string& words, float width, Colour colour) const;
  // A line that takes text; true when it has been entered. `focus` puts the keyboard into it.
  bool input(const char* id, std::string& value, float width, const char* hint, bool focus);
  bool small_button(const char* sign, const char* what, float w);

  BarState& state;
  const Toolkit& toolkit;
  const BarLook& look;
  const Theme& theme;
  const std::span<const Chord> keys;
  float x = 0, gap = 0;     // where the pen is, and what it leaves between fields
  bool was_typing = false;  // in the frame before

 private:
  // One row; whether it was clicked.
  bool row(const Row& r, float w, float h, bool marked);

  int row_ = 0;
};

}  // namespace upsweep
