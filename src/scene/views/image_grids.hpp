// Pictures of many pixels, as coloured grids. A grid has at most 2^18 cells, so that a frame stays fast. For
// a larger picture, the grid shows only every second or third pixel, and so on.
#pragma once
#include "analysis/recording.hpp"
#include "scene/paint.hpp"
#include "scene/views/image_look.hpp"

namespace upsweep {

// Returns the distance between two neighbouring drawn pixels: 1 if all pixels of the part fit into a grid,
// otherwise 2 or more.
int pixel_stride(const PicturePart& part);

// Returns a grid with the colour f(row, column) for each drawn pixel of a part.
template <class F>
GridShape grid_of(Box box, const PicturePart& part, F f) {
  const int by = pixel_stride(part);
  GridShape grid{box, (part.columns + by - 1) / by, (part.rows + by - 1) / by, {}};
  grid.colours.reserve(static_cast<std::size_t>(grid.columns) * static_cast<std::size_t>(grid.rows));
  for (int row = part.row; row < part.row + part.rows; row += by)
    for (int column = part.column; column < part.column + part.columns; column += by)
      grid.colours.push_back(f(row, column));
  return grid;
}

// The colours in which a picture of one channel is drawn: from `black` to `white`. A picture with three
// channels is drawn in its own colours.
struct Shades {
  Colour black{0, 0, 0}, white{255, 255, 255};
};
Colour pixel_colour(const Picture& picture, int row, int column, const Shades& shades);
GridShape picture_grid(Box box, const Picture& picture, const PicturePart& part, const Shades& shades = {});

// Returns black or white, whichever is easier to read on a colour.
Colour ink_on(Colour ground);

// The contents of a buffer while the table is being made.
struct Progress {
  int rows = 0, columns = 0;  // of the buffer, in the order in which its numbers are stored
  int planes = 1;             // the channels are stored one after the other, each as rows / planes rows
  int buffer = -1;            // -1 if no number is known
  int grid = -1;              // the launch that wrote the numbers
  bool is_partial = false;    // some of the launch's blocks were not recorded
};
// Returns what a step's launch has written up to this step. If this launch has written nothing yet, returns
// what the last earlier launch wrote.
Progress progress_at(const Recording& recording, int step);
// Returns the buffer's grid. A number that its launch has not written has the colour `unknown`.
GridShape progress_grid(Box box, const Recording& recording, const Progress& progress, int step,
                        const Shades& shades, Colour unknown);

}  // namespace upsweep
