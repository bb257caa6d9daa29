// What every view draws with: shapes appended to a scene, in the theme's colours, on one grid.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>

#include "scene/views/views.hpp"

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

struct RectStyle {
  Colour fill{0, 0, 0, 0}, stroke{0, 0, 0, 0};
  float width = 0, radius = 0;
  bool hatch = false;
};

class Painter {
 public:
  explicit Painter(const ViewInput& in);
  // Of a picture that is no view of a recording: a chart.
  Painter(const Theme& theme, float width, float height);

  // The view's first line: its name, those of its alternatives, what it shows, and at the right end a readout
  // of what the mouse is over, or something quieter. Nothing where the view is too low for it.
  void title(std::string_view name, std::string_view what, std::string_view readout = {}, bool quiet = false);
  // One calm sentence in place of a picture.
  void sentence(std::string_view text);

  void rect(Box box, const RectStyle& style, const Id& id = {});
  void line(Point from, Point to, Colour colour, float width = 1, const Id& id = {});
  void triangle(Point a, Point b, Point c, Colour colour);
  void text(Point at, std::string_view text, Colour colour, float size = 13, Face face = Face::regular,
            Align align = Align::left);
  void cross(Box box, Colour colour, float width);
  void target(Box box, const Id& id);

  const Theme& theme;
  const float width, height;
  const float margin;  // left and right, dp
  float top;           // where the picture begins: under the title, where there is one
  Scene scene;

 private:
  std::span<const int> alternatives_;
  const char* also_ = nullptr;
  Id hover_;
  std::string warning_;   // after the name of the view of the hazards: how many there are
  bool looking_ = false;  // for hazards
};

}  // namespace upsweep
