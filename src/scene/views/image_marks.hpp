// Draws a box of pixels in a picture and in the picture's summed-area table. Four letters mark the cells of
// the table from which the sum of the box is computed. Colours mark the areas whose sums are subtracted.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "scene/paint.hpp"
#include "scene/views/image_look.hpp"

namespace upsweep {

class BoxMarks {
 public:
  // `part` is the visible part of the picture.
  BoxMarks(Painter& p, const PicturePart& part, const AreaBox& box) : p_(p), part_(part), box_(box) {}

  // An area outside the box, with long and short words about the area. Area B is above the box, area C is at
  // the left of the box, and area A is above and at the left.
  //
  // The cells B and C of the table both contain the sum of area A. So the sum of area A is subtracted twice.
  struct Area {
    AreaBox box;
    char letter;
    std::array<const char*, 2> words;
    bool has(int row, int column) const {
      return row >= box.top && row <= box.bottom && column >= box.left && column <= box.right;
    }
  };
  // Returns the areas that are not empty. The areas do not overlap.
  std::vector<Area> areas() const;

  // Returns the box in dp for a part of the picture. `room` is the room for the visible part of the picture.
  // The box may be outside of `room`.
  Box place_of(const Box& room, const AreaBox& area) const;
  // Draws a frame around an area of pixels, `margin` dp away from these pixels. Leaves out the edges of the
  // frame that are outside of the visible part of the picture.
  void frame(const Box& room, const AreaBox& area, float margin, Colour colour, float width);
  // draw_areas() fills the areas with the colours of their letters. `tint` is the opacity of these colours.
  //
  // name_areas() writes the long words into all areas. If not all long words fit, name_areas() writes the
  // short words, then the short words in a smaller font. If not all of these fit, name_areas() writes
  // nothing.
  void draw_areas(const Box& room, float tint, bool hatched);
  void name_areas(const Box& room);
  // Returns the visible part of the box, extended by the corners and their letters.
  Box extent(const Box& room) const;
  // Draws a letter on a disc at each corner. If `written` is false, the table's cells are not written yet, so
  // the discs are only outlined.
  void draw_corners(const Box& room, bool written);

 private:
  // A visible corner. `cell` is the middle of the cell, and `at` is the middle of the letter.
  struct Corner {
    char letter;
    Point cell, at;
  };
  std::vector<Corner> corners(const Box& room) const;
  // Draws the part of a rectangle that is inside of the room.
  void clipped(const Box& room, const Box& area, const RectStyle& style);

  // The words of an area, broken into lines, and the place of the words.
  struct Label {
    Box place;
    std::vector<std::string> lines;
  };
  // Returns the label of an area. Returns nullopt if the words do not fit into the area, or if the words
  // would cover a corner's letter at every possible place.
  std::optional<Label> label_of(const Box& room, const Box& area, const std::string& words, float size) const;

  Painter& p_;
  const PicturePart part_;
  const AreaBox box_;
};

}  // namespace upsweep
