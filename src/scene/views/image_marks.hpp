// The box in a picture and in its table: the letters of the four corners, and the areas whose sums are
// subtracted.
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

  // An area outside of the box, and its long and its short words. Area B is above the box, area C is left of
  // the box, and area A is above and left. The table's corners B and C both contain the sum of area A, so
  // this sum is subtracted twice.
  struct Area {
    AreaBox box;
    char letter;
    std::array<const char*, 2> words;
    bool has(int row, int column) const {
      return row >= box.top && row <= box.bottom && column >= box.left && column <= box.right;
    }
  };
  // Returns the areas that are not empty. They do not overlap.
  std::vector<Area> areas() const;

  // Returns the place of a part of the picture in the room of the picture. The place may be outside the room.
  Box place_of(const Box& room, const AreaBox& area) const;
  // Draws the part of a rectangle that is in a room.
  void clipped(const Box& room, const Box& area, const RectStyle& style);
  // draw_areas() tints the areas in the colours of their letters. `tint` is the opacity of the colour.
  // name_areas() writes the words of all areas: the long words if all of them fit, or else the short words if
  // all of them fit, or else no words.
  void draw_areas(const Box& room, float tint, bool hatched);
  void name_areas(const Box& room);
  // Returns the visible part of the box with its corners and their letters.
  Box extent(const Box& room) const;
  // Draws the letters of the corners. Letters of cells that are not written yet are only outlined.
  void draw_corners(const Box& room, bool written);

 private:
  // A corner that is visible: the middle of its cell, and the middle of its letter.
  struct Corner {
    char letter;
    Point cell, at;
  };
  std::vector<Corner> corners(const Box& room) const;

  // The words of an area in lines, and their place.
  struct Label {
    Box place;
    std::vector<std::string> lines;
  };
  // Returns the label of an area. Returns nothing if there is no room that is free of letters.
  std::optional<Label> label_of(const Box& room, const Box& area, const std::string& words, float size) const;

  Painter& p_;
  const PicturePart part_;
  const AreaBox box_;
};

}  // namespace upsweep
