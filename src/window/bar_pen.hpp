// Defines the pen that draws the top bar. The pen moves from left to right in a window of Dear ImGui, and
// draws fields, lists and text inputs.
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
  float width, height;  // in logical pixels
  float scale;          // framebuffer pixels per logical pixel
};

// The name of a part of the window, and the part's box in framebuffer pixels. Automated tests use the box to
// click on the part.
struct ScreenPlace {
  std::string name;
  Box box;
  bool operator==(const ScreenPlace&) const = default;
};

// The state of the top bar, which is kept between frames.
struct BarState {
  Field opening = Field::none;  // the field that opens in the next frame
  Field open = Field::none;     // the field with an open list or with the text cursor
  bool has_keyboard = false;    // true if an open list or a text input has the keyboard
  bool typing = false;          // true if a text input has the keyboard
  // The row of the open list that the user has marked with the arrow keys; -1 for none.
  int marked = -1;
  std::string tip;
  std::vector<ScreenPlace> places;
};

struct Row {
  std::string name, note;
  bool selected = false;
  const char* heading = nullptr;  // a heading above the row; null for none
};

// A column of a list: one heading and the rows below.
struct ListColumn {
  std::string heading;
  std::vector<Row> rows;
};

class BarPen {
 public:
  // `keys` are the keys that were pressed since the previous frame.
  BarPen(BarState& state, const Toolkit& toolkit, const BarLook& look, std::span<const Chord> keys);

  float px(float dp) const { return std::round(dp * look.scale); }
  ImVec2 at(float left, float top) const { return {px(left), px(top)}; }
  float width_of(std::string_view text, Toolkit::Font font) const;  // returns logical pixels
  void text(float left, float top, std::string_view words, Colour colour, Toolkit::Font font) const;
  // Draws a background, which highlights the thing under the mouse.
  void ground(float left, float top, float w, float h) const;

  // place() stores the box of the last drawn item. If the mouse is over this item, tip() sets the tooltip,
  // which also contains the key of the action or field.
  void place(std::string name) const;
  void tip(std::string words, Action action, int argument) const;
  void tip(std::string words, Field field) const;

  // Returns the number of times that a key was pressed without modifiers since the previous frame.
  int times(int key) const { return static_cast<int>(std::count(keys.begin(), keys.end(), Chord{key, 0})); }
  bool pressed(int key) const { return times(key) > 0; }

  // Draws a field that opens a list. The field shows a small name above the value, or only the value in large
  // letters. Returns true while the list is open. In this case, the caller must call end_list().
  bool begin_list(Field field, const char* name, const std::string& value, std::string what,
                  bool large = false);
  // Works like begin_list(), but draws no field, and opens the list if `open` is true. `edge` is the x of the
  // list's left edge, or of the right edge if `ends_there` is true.
  bool open_list(const char* name, bool open, float edge, bool ends_there = false);
  void end_list() { ImGui::EndPopup(); }
  // Closes the open list. Immediately takes the keyboard from the list, so that the list does not get the
  // next key.
  void close_list() {
    ImGui::CloseCurrentPopup();
    state.has_keyboard = state.typing = false;
  }
  // Draws the rows of a list. Each row has a name and a faint note. Returns the index of the row that the
  // user chose with the mouse or, if `by_keys` is true, with the keys. Returns -1 if no row was chosen.
  int rows(const std::vector<Row>& all, bool by_keys = true);
  // Draws a list with several columns of names. The arrow keys mark a row in any column. If `enter` is true,
  // the marked row is chosen.
  //
  // Returns the index of the chosen row (counted over all columns), or -1. Sets `looked_at` to the row under
  // the mouse, or otherwise to the marked row, or to -1 if the list is empty.
  int columns(const std::vector<ListColumn>& all, bool enter, int& looked_at);
  void heading(const char* words);
  // Draws small text. Breaks the text into lines of at most `width` logical pixels.
  void paragraph(const std::string& words, float width, Colour colour) const;
  // Draws a text input. Returns true if the user has pressed Enter. If `focus` is true, the input gets the
  // keyboard.
  bool input(const char* id, std::string& value, float width, const char* hint, bool focus);
  bool small_button(const char* sign, const char* what, float w);

  BarState& state;
  const Toolkit& toolkit;
  const BarLook& look;
  const Theme& theme;
  const std::span<const Chord> keys;
  float x = 0, gap = 0;     // the x of the pen, and the gap between fields
  bool was_typing = false;  // the value of `typing` in the previous frame

 private:
  // Draws one row of a list. Returns true if the user clicked on the row.
  bool row(const Row& r, float w, float h, bool marked);

  int row_ = 0;
};

}  // namespace upsweep
