// Functions for the state of the view "Image" (ImageLook): the box, the visible part of the picture, and the
// picture that is computed from sums of boxes.
#pragma once
#include "analysis/recorded_table.hpp"
#include "scene/cursor.hpp"

namespace upsweep {

inline constexpr float nearest_focus = 2, farthest_focus = 14;

// A part of a picture.
struct PicturePart {
  int row = 0, column = 0, rows = 0, columns = 0;
  bool operator==(const PicturePart&) const = default;
};

// Returns the visible part of the picture: look.column_count columns, and as many rows as the picture's
// proportion requires. Returns the whole picture if the look has no zoom.
PicturePart visible_part(const ImageLook& look, const PictureShape& shape);
// Zooms the picture around the pixel `fixed`, which keeps its place. A factor above 1 makes a larger part of
// the picture visible.
ImageLook zoomed(const ImageLook& look, const PictureShape& shape, const PixelId& fixed, float factor);
// Moves the picture so that the pixel `from` comes to the place of the pixel `to`.
ImageLook moved(const ImageLook& look, const PictureShape& shape, const PixelId& from, const PixelId& to);

// Returns the width of the box, which is an odd number. If look.box_width is 0, returns about a third of the
// picture's shorter side. If this side has more than 32 pixels, returns about a sixth of the side instead.
int box_width(const ImageLook& look, const PictureShape& shape);
// Returns the greatest box width on the slider: the greatest odd number that is not above the picture's
// shorter side, but at least 3.
int greatest_box_width(const PictureShape& shape);
// Returns the pixel under the mouse. If the mouse is over no pixel, returns the clicked pixel. If no pixel
// was clicked, returns the middle of the picture.
PixelId chosen_pixel(const ImageLook& look, const PictureShape& shape, const Id& hover);
// Returns the box around the chosen pixel, cut at the borders of the picture. If the run's picture is
// shown with depth of field, the pixel's depth and the focus give the width of the box. Otherwise, the slider
// gives the width.
AreaBox chosen_box(const RecordedTable& table, const ImageLook& look, const Id& hover);

// Returns the letter of a cell that is a corner of the box in the table: A, B, C or D. Returns a blank for
// other cells.
char corner_letter(const AreaBox& box, int row, int column);

// The sliders of the view. box_place() and focus_place() return the knob's place, from 0 to slider_end.
enum class ImageSlider { box_width, focus };
int box_place(const ImageLook& look, const PictureShape& shape);
int focus_place(const ImageLook& look);
// Returns the view's settings after the user has moved a slider to `to`.
ImageLook slid(const ImageLook& look, const PictureShape& shape, const SliderId& to);

// Returns true if the view shows the run's picture with depth of field. Returns false if the lens shows the
// built-in scene instead of the run's picture.
bool shows_depths(const RecordedTable& table, const ImageLook& look);
// Returns the depth of a pixel of the scene that the lens shows.
float depth_of(const RecordedTable& table, const PixelId& pixel);
// Returns the lens that computes the picture with depth of field.
Lens lens_of(const RecordedTable& table, const ImageLook& look);
// Returns the picture that look.made names: the means of boxes, the picture with depth of field, or the
// errors of the table. A cell with a larger error has a brighter pixel, and the largest error is white.
Picture made_picture(const RecordedTable& table, const ImageLook& look);

}  // namespace upsweep
