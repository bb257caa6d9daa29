// The drawing tools of views and charts: a pen with a theme and margins, and the title line.
#pragma once
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "scene/pen.hpp"
#include "scene/theme.hpp"

namespace upsweep {

// Returns `a` if `share` is 0, `b` if `share` is 1, and a mixture if it is between 0 and 1.
Colour mix(Colour a, Colour b, float share);
Colour faded(Colour c, float opacity);

// Returns `text` if it fits into `room` dp, otherwise its beginning and "…". Returns an empty text if less
// than one em (`size`) would remain beside the "…".
std::string cut(std::string_view text, float size, Face face, float room);
// Returns the first of `ways` that fits into `room` dp, or the last one if none fits.
std::string first_fitting(std::initializer_list<std::string> ways, float size, Face face, float room);
// Returns as many of the first sentences of `text` as fit into `room` dp, at least one.
std::string whole_sentences(std::string_view text, float size, Face face, float room);
// Returns a contender's name, such as "scan_blelloch, pad32", cut to `room` dp. Cuts the kernel's name and
// keeps the variant, but cuts the end of the whole name if the variant needs more than four fifths of the
// room.
std::string cut_name(std::string_view text, float size, Face face, float room);

// Returns the margin in dp at the left and at the right of a picture.
inline float margin_of(float width) { return width < 640 ? 16.0f : 24.0f; }

class Painter : public Pen {
 public:
  Painter(const Theme& theme, float width, float height);

  // Draws one sentence instead of the picture.
  void sentence(std::string_view text);

  const Theme& theme;
  const float width, height;
  const float margin;  // see margin_of()
  float top;           // the top of the picture, below the title if there is one
};

// A clickable name in a title line.
struct Tab {
  std::string text;
  Id id;
  bool warns = false;  // drawn in the colour of conflicts
};

// The first line of a picture.
struct Title {
  std::string_view name;
  float tab_width = 0;             // the width of the name's tab if it is wider than the name
  std::span<const Tab> tabs = {};  // in one line with the name
  // The number of tabs that are left of the name. Each name has the same place whether it is the title or a
  // tab, so a click on a tab leaves this tab under the mouse.
  std::size_t tabs_before = 0;
  // A description of the picture: parts joined by " · ". If room is short, the last parts are left out first.
  // Only the first part is ever cut.
  std::string_view what = {};
  // The text at the right end of the line, for example about the thing under the mouse.
  std::string_view readout = {};
  bool quiet = false;  // the readout is drawn faintly
};
inline constexpr float title_size = 14, tab_size = 13, tab_gap = 12;  // em of names; gap between tabs

inline constexpr float titled_height = 72;  // dp; a picture of smaller height has no title
// Returns the left end of the name, for a picture of this width.
float name_place(const Title& title, float margin, float width);
// Draws the title if the picture is at least titled_height high. The tab whose id is `hover` is highlighted.
// Tabs for which there is no room are left out, the last ones first.
void draw_title(Painter& p, const Title& title, const Id& hover = {});

}  // namespace upsweep
