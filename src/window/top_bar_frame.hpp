// Draws one frame of the top bar. top_bar.cpp draws the fields, top_bar_algorithm.cpp draws the list of
// algorithms, top_bar_palette.cpp draws the palette, and top_bar_machines.cpp draws the machine and the
// buttons at the right.
#pragma once
#include "window/top_bar.hpp"

namespace upsweep {

struct ComparePreset;

// Draws the bar from left to right, and carries out what the user clicks and types.
class TopBarFrame : BarPen {
 public:
  TopBarFrame(TopBar& bar, BarState& remembered, Session& session, const Toolkit& tools,
              const BarLook& bar_look, std::span<const Chord> pressed_keys)
      : BarPen(remembered, tools, bar_look, pressed_keys), bar_(bar), session_(session) {}

  void draw();

 private:
  void fields();
  // Returns true if the fields leave little room for the parts at the right.
  bool crowded() const { return bar_.fields_end_ + 280 > look.width; }
  // The width that the algorithm's name may have, in logical pixels. The fields right of the name and the
  // button "More" keep their room.
  float room_for_title() const;
  static constexpr float least_title_width = 64;  // in logical pixels
  void algorithm();
  // Returns true if the algorithm is broken on purpose, and the window hides the answer.
  bool is_hidden(const Algorithm& a) const;
  std::string shown_title(const Algorithm& a) const;
  // Returns the paragraphs that describe an algorithm.
  std::vector<std::string> about(const Algorithm& a) const;
  // Returns true if a text contains every typed word.
  bool matches(const std::string& text) const;
  // Returns the index of the algorithm whose name or title matches the typed text best.
  int best_of(const std::vector<const Algorithm*>& listed) const;
  // Draws the description of an algorithm below the list. The description has a minimum height, so that the
  // size of the list does not change.
  void describe(const Algorithm& a);
  void describe(const ComparePreset& preset);
  void keep_height(float width, float top);
  float room_for_description() const;  // the width between the cursor and the window's right edge
  void elements();
  void block();
  void grid();
  void choice(const Choice& c, Field field);
  void type();
  void op();
  void data();

  void right_side();
  // Draws the buttons from right to left, beginning at `right`. If the fields leave too little room, the last
  // buttons are in a list "More".
  void buttons(float right);
  // Draws a button such as "Theme T". `right` is the x of the button's right end. Sets `right` to the right
  // end of the next button, which is to the left of this button. Returns true if the user clicked on the
  // button.
  bool key_button(const char* word, const char* key, float& right);
  float key_button_width(const char* word, const char* key) const;
  // Draws the palette if it is open.
  void find();
  // Draws the list Export, which saves or copies parts of the window.
  void exports();
  // Draws a list of machines that can run a kernel. Adds the opened recording, the recordings that come with
  // the program, and the findings about this computer.
  void machines();

  TopBar& bar_;
  Session& session_;
};

}  // namespace upsweep
