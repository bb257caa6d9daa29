// The pen that draws the top bar. It moves from left to right in a window of Dear ImGui and draws fields,
// lists and text inputs.
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

// The name of a part of the window and its box in framebuffer pixels. Automated tests click on it.
struct ScreenPlace {
  std::string name;
  Box box;
  bool operator==(const ScreenPlace&) const = default;
};

// The state of the bar that lasts from frame to frame.
struct BarState {
  Field opening = Field::none;  // the field to open in the next frame
  Field open = Field::none;     // the field whose list is open or which has the text cursor
  bool has_keyboard = false;    // an open list or a text input has the keyboard
  bool typing = false;          // a text input has the keyboard
  int marked = -1;              // the row of the open list that is marked with the arrow keys
  std::string tip;
  std::vector<ScreenPlace> places;
};

struct Row {
  std::string name, note;
  bool selected = false;
  const char* heading = nullptr;  // shown above the row
};

// Rows of a list under one heading.
struct ListColumn {
  std::string heading;
  std::vector<Row> rows;
};

class BarPen {
 public:
  // `keys` are the keys that were pressed since the last frame.
  BarPen(BarState& state, const Toolkit& toolkit, const BarLook& look, std::span<const Chord> keys);

  float px(float dp) const { return std::round(dp * look.scale); }
  ImVec2 at(float left, float top) const { return {px(left), px(top)}; }
  float width_of(std::string_view text, Toolkit::Font font) const;  // in logical pixels
  void text(float left, float top, std::string_view words, Colour colour, Toolkit::Font font) const;
  // Draws the background of the thing under the mouse.
  void ground(float left, float top, float w, float h) const;

  // place() records the box of the last drawn item. tip() sets the tip, with the key of the action or field,
  // if the mouse is over this item.
  void place(std::string name) const;
  void tip(std::string words, Action action, int argument) const;
  void tip(std::string words, Field field) const;

  // Returns how many times a key was pressed without modifiers since the last frame.
  int times(int key) const { return static_cast<int>(std::count(keys.begin(), keys.end(), Chord{key, 0})); }
  bool pressed(int key) const { return times(key) > 0; }

  // Draws a field that opens a list: a small name above the value, or only the value in large letters.
  // Returns true while the list is open; the caller must then call end_list().
  bool begin_list(Field field, const char* name, const std::string& value, std::string what,
                  bool large = false);
  // As begin_list(), but without a field: opens the list if `open` is true. The list's left edge, or its
  // right edge if `ends_there`, is at `edge`.
  bool open_list(const char* name, bool open, float edge, bool ends_there = false);
  void end_list() { ImGui::EndPopup(); }
  // Closes the open list and takes the keyboard from it immediately, so that the next key does not go to the
  // list.
  void close_list() {
    ImGui::CloseCurrentPopup();
    state.has_keyboard = state.typing = false;
  }
  // Draws the rows of a list, each with a name and a faint note. Returns the row that the user chose with the
  // mouse or, if `by_keys`, with keys. Returns -1 for none.
  int rows(const std::vector<Row>& all, bool by_keys = true);
  // Draws a list of several columns of names. The arrow keys go through all columns. Enter chooses the marked
  // row if `enter` is true. Returns the chosen row, counted through all columns, or -1. Sets `looked_at` to
  // the row under the mouse, or else to the marked row, or to -1 in an empty list.
  int columns(const std::vector<ListColumn>& all, bool enter, int& looked_at);
  void heading(const char* words);
  // Draws small text, wrapped to a width in logical pixels.
  void paragraph(const std::string& words, float width, Colour colour) const;
  // Draws a text input. Returns true when the user presses Enter. If `focus` is true, the input gets the
  // keyboard.
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
  // Draws one row of a list. Returns whether the user clicked on it.
  bool row(const Row& r, float w, float h, bool marked);

  int row_ = 0;
};

}  // namespace upsweep
