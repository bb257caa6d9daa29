// The pen of the top bar. It moves from left to right in Dear ImGui's window and draws fields, lists and text
// inputs.
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
  float scale;          // framebuffer pixels per logical pixel
};

// The place of a part of the window in framebuffer pixels, for automation.
struct ScreenPlace {
  std::string name;
  Box box;
  bool operator==(const ScreenPlace&) const = default;
};

// The state of the bar between frames.
struct BarState {
  Field opening = Field::none;  // the field to open in the next frame
  bool has_keyboard = false;    // an open list or a text input has the keyboard
  bool typing = false;          // a text input has the keyboard
  int marked = -1;              // the row of the open list that the arrow keys have reached
  std::string tip;              // the tip of the thing under the mouse
  std::vector<ScreenPlace> places;
};

// A row of a list.
struct Row {
  std::string name, note;
  bool selected = false;
  const char* heading = nullptr;  // shown above the row
};

// Rows under a heading.
struct ListColumn {
  std::string heading;
  std::vector<Row> rows;
};

class BarPen {
 public:
  // `keys` are the keys of this frame.
  BarPen(BarState& state, const Toolkit& toolkit, const BarLook& look, std::span<const Chord> keys);

  float px(float dp) const { return std::round(dp * look.scale); }
  ImVec2 at(float left, float top) const { return {px(left), px(top)}; }
  float width_of(std::string_view text, Toolkit::Font font) const;  // logical pixels
  void text(float left, float top, std::string_view words, Colour colour, Toolkit::Font font) const;
  // Draws the background of the thing under the mouse.
  void ground(float left, float top, float w, float h) const;

  // Records the place of the last item. While the mouse is over the item, shows a tip with the item's key.
  void place(std::string name) const;
  void tip(std::string words, Action action, int argument) const;
  void tip(std::string words, Field field) const;

  // Returns how many times a key was pressed since the last frame.
  int times(int key) const { return static_cast<int>(std::count(keys.begin(), keys.end(), Chord{key, 0})); }
  bool pressed(int key) const { return times(key) > 0; }

  // Draws a field that opens a list: its small name above its value, or only a large value. Returns true
  // while the list is open; then the caller must call end_list().
  bool begin_list(Field field, const char* name, const std::string& value, std::string what,
                  bool large = false);
  // Opens a list without a field. Its left edge is at `edge`, or its right edge if `ends_there`.
  bool open_list(const char* name, bool open, float edge, bool ends_there = false);
  void end_list() { ImGui::EndPopup(); }
  // Closes the open list, and releases the keyboard at once, so that the next key does not go to the list.
  void close_list() {
    ImGui::CloseCurrentPopup();
    state.has_keyboard = state.typing = false;
  }
  // Draws the rows of a list, each with a name and a faint note. Returns the row that was chosen by mouse or
  // by keys, or -1.
  int rows(const std::vector<Row>& all, bool by_keys = true);
  // Draws columns of rows, only with names. The arrow keys go through all columns, and Enter chooses the
  // marked row if `enter` is true. Returns the chosen row, counted through all columns, or -1. Sets
  // `looked_at` to the row under the mouse, or else to the marked row, or else to -1.
  int columns(const std::vector<ListColumn>& all, bool enter, int& looked_at);
  void heading(const char* words);
  // Draws small text, wrapped to a width in logical pixels.
  void paragraph(const std::string& words, float width, Colour colour) const;
  // Draws a text input. Returns true when the user presses Enter. `focus` gives the input the keyboard.
  bool input(const char* id, std::string& value, float width, const char* hint, bool focus);
  bool small_button(const char* sign, const char* what, float w);

  BarState& state;
  const Toolkit& toolkit;
  const BarLook& look;
  const Theme& theme;
  const std::span<const Chord> keys;
  float x = 0, gap = 0;     // the position of the pen, and the gap between fields
  bool was_typing = false;  // the value of `typing` in the last frame

 private:
  // Draws one row. Returns whether the row was clicked.
  bool row(const Row& r, float w, float h, bool marked);

  int row_ = 0;
};

}  // namespace upsweep
