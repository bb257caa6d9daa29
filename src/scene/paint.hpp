// The drawing tools of views and charts: a pen in the theme's colours, on one grid, and a title line.
#pragma once
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "scene/pen.hpp"
#include "scene/theme.hpp"

namespace upsweep {

// Mixes two colours: returns `a` if `share` is 0, and `b` if `share` is 1.
Colour mix(Colour a, Colour b, float share);
Colour faded(Colour c, float opacity);

// Returns `text` if it fits into `room` dp, else the beginning of `text` with "…". Returns an empty text if
// not even "…" fits.
std::string cut(std::string_view text, float size, Face face, float room);
// Returns the first of several texts that fits completely, or the last text if none fits.
std::string first_fitting(std::initializer_list<std::string> ways, float size, Face face, float room);
// Returns a contender's name, such as "scan_blelloch, pad32", cut to fit into `room` dp. The kernel's name is
// cut first; the variant stays complete.
std::string cut_name(std::string_view text, float size, Face face, float room);

class Painter : public Pen {
 public:
  Painter(const Theme& theme, float width, float height);

  // Draws one sentence instead of the picture.
  void sentence(std::string_view text);

  const Theme& theme;
  const float width, height;
  const float margin;  // dp, at the left and at the right
  float top;           // the top of the picture, below the title if there is one
};

// A name in a title line that can be clicked.
struct Tab {
  std::string text;
  Id id;
  bool warns = false;  // drawn in the colour of conflicts
};

// The first line of a picture.
struct Title {
  std::string_view name;
  std::span<const Tab> tabs = {};  // right of the name
  // A description of the picture, as parts between " · ". If room is short, the last parts are left out
  // first.
  std::string_view what = {};
  // The text at the right end of the line. It describes the thing under the mouse, or shows less important
  // facts.
  std::string_view readout = {};
  bool quiet = false;  // the readout is drawn faintly
};
inline constexpr float titled_height = 72;  // dp; a lower picture has no title
// Draws the title unless the picture is lower than titled_height. The tab whose id is `hover` is highlighted.
void draw_title(Painter& p, const Title& title, const Id& hover = {});

}  // namespace upsweep
