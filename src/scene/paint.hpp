// The drawing tools of views and charts: a pen with a theme and margins, and the title line.
#pragma once
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "scene/pen.hpp"
#include "scene/theme.hpp"

namespace upsweep {

// Returns a mixture of two colours: `a` if `share` is 0, and `b` if `share` is 1.
Colour mix(Colour a, Colour b, float share);
Colour faded(Colour c, float opacity);

// Returns `text` if it fits into `room` dp. Otherwise, returns the beginning of `text` and "…". Returns an
// empty text if less than `size` dp remain for the beginning.
std::string cut(std::string_view text, float size, Face face, float room);
// Returns the first of the texts `ways` that fits into `room` dp. Returns the last text if no text fits.
std::string first_fitting(std::initializer_list<std::string> ways, float size, Face face, float room);
// Returns the first sentences of `text`: as many as fit into `room` dp, but at least one.
std::string whole_sentences(std::string_view text, float size, Face face, float room);
// Returns the name of a kernel and its variant, such as "scan_blelloch, pad32", cut to `room` dp. Leaves out
// the middle of the kernel's name, and keeps the variant. If the variant needs more than four fifths of the
// room, or if the name has characters beyond ASCII, cuts the end of the whole text instead.
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
  float top;           // the y at which the picture begins, below the title
};

// A name in a title line. The user can click on the name.
struct Tab {
  std::string text;
  Id id;
  bool warns = false;  // true if the tab has the colour of conflicts
};

// The first line of a picture.
struct Title {
  std::string_view name;
  float tab_width = 0;             // the least width in dp that is reserved for the name
  std::span<const Tab> tabs = {};  // the tabs that stand in one line with the name
  // The number of tabs to the left of the name. After a click on a tab, the name of the chosen view is drawn
  // at the tab's place, so it is under the mouse.
  std::size_t tabs_before = 0;
  // A description of the picture, in parts joined by " · ". If there is not enough room, the last parts are
  // left out first, and then the end of the first part is cut. If at most 48 dp remain, nothing is drawn.
  std::string_view what = {};
  // The text at the right end of the line, for example about the thing under the mouse.
  std::string_view readout = {};
  bool quiet = false;  // true if the readout is drawn in a faint colour
};
// The font size of the title, the font size of the tabs, and the gap between tabs, in dp.
inline constexpr float title_size = 14, tab_size = 13, tab_gap = 12;

inline constexpr float titled_height = 72;  // dp; a picture with a smaller height has no title
// Returns the x of the left end of the name in a picture of this width.
float name_place(const Title& title, float margin, float width);
// Draws the title if the picture is at least titled_height high. Highlights the tab whose id is `hover`. If
// there is not enough room for all tabs, leaves out the last tabs.
void draw_title(Painter& p, const Title& title, const Id& hover = {});

}  // namespace upsweep
