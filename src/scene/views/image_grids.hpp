// Draws pictures of many pixels as coloured grids. A grid has at most 2^18 cells, so that drawing a frame
// stays fast. For a larger picture, the grid shows only every second pixel, every third pixel, and so on.
#pragma once
#include "analysis/recording.hpp"
#include "scene/paint.hpp"
#include "scene/views/image_look.hpp"

namespace upsweep {

// Returns the distance between two neighbouring drawn pixels: 1 if every pixel of the part is drawn, 2 if
// every second pixel is drawn, and so on.
int pixel_stride(const PicturePart& part);

// Returns a grid that contains the colour f(row, column) for each drawn pixel of a part.
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

// The colours for the smallest and the largest number of a picture with one channel. A picture with three
// channels keeps its own colours.
struct Shades {
  Colour black{0, 0, 0}, white{255, 255, 255};
};
Colour pixel_colour(const Picture& picture, int row, int column, const Shades& shades);
GridShape picture_grid(Box box, const Picture& picture, const PicturePart& part, const Shades& shades = {});

// Returns black or white: the colour that is easier to read on `ground`.
Colour ink_on(Colour ground);

// The buffer into which launches write the numbers of the summed-area table.
struct Progress {
  int rows = 0, columns = 0;  // the size of the buffer as stored; the table may be transposed
  // 1 if the channels of a pixel are side by side in the buffer. Otherwise, the number of channels; each
  // channel has `rows` / `planes` rows of the buffer.
  int planes = 1;
  int buffer = -1;          // the index of the buffer; -1 if no number in the buffer is known
  int grid = -1;            // the launch that wrote the numbers
  bool is_partial = false;  // true if some blocks of the launch were not recorded
};
// Returns the buffer that the step's launch has written up to this step. If this launch has written nothing
// yet, returns the buffer of the last launch that wrote something.
Progress progress_at(const Recording& recording, int step);
// Returns the buffer as a grid. Numbers that the launch has not written yet have the colour `unknown`.
GridShape progress_grid(Box box, const Recording& recording, const Progress& progress, int step,
                        const Shades& shades, Colour unknown);

}  // namespace upsweep
