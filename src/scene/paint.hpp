// What views and charts draw with: a pen in the theme's colours, on one grid, and a title line.
#pragma once
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "scene/pen.hpp"
#include "scene/theme.hpp"

namespace upsweep {

// Between two colours: `share` 0 gives a, 1 gives b.
Colour mix(Colour a, Colour b, float share);
Colour faded(Colour c, float opacity);

// `text` if it fits into `room` dp, else its beginning and "…"; empty where not even that fits.
std::string cut(std::string_view text, float size, Face face, float room);
// The first of some ways to say a thing that fits whole; the last where none does.
std::string first_fitting(std::initializer_list<std::string> ways, float size, Face face, float room);
// Of a contender's name what fits, "scan_blelloch, pad32": the variant stays, the name is cut.
std::string cut_name(std::string_view text, float size, Face face, float room);

class Painter : public Pen {
 public:
  Painter(const Theme& theme, float width, float height);

  // One calm sentence in place of a picture.
  void sentence(std::string_view text);

  const Theme& theme;
  const float width, height;
  const float margin;  // left and right, dp
  float top;           // where the picture begins: under the title, where there is one
};

// A name in a title line that can be clicked.
struct Tab {
  std::string text;
  Id id;
  bool warns = false;  // in the conflict's colour
};

// The first line of a picture.
struct Title {
  std::string_view name;
  std::span<const Tab> tabs = {};  // beside the name
  std::string_view what = {};  // what the picture shows: parts between " · ", the last ones left out first
  std::string_view readout = {};  // at the right end: what the mouse is over, or something quieter
  bool quiet = false;             // the readout
};
inline constexpr float titled_height = 72;  // dp; lower pictures have no title
// Nothing where the picture is too low for it. The tab that is `hover` is lit.
void draw_title(Painter& p, const Title& title, const Id& hover = {});

}  // namespace upsweep
