#include "scene/views/image_grids.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/memory.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

constexpr std::int64_t most_cells = 1 << 18;

bool is_written_by(const Trace& trace, const GlobalState::Cell& cell, int grid) {
  return cell.writer != 0 && trace.events[cell.writer - 1].grid == grid;
}

}  // namespace

int pixel_stride(const PicturePart& part) {
  int by = 1;
  while (std::int64_t{(part.rows + by - 1) / by} * ((part.columns + by - 1) / by) > most_cells) ++by;
  return by;
}

Colour pixel_colour(const Picture& picture, int row, int column, const Shades& shades) {
  const std::uint8_t* at = &picture.values[picture.at(row, column)];
  if (picture.channels >= 3) return {at[0], at[1], at[2]};
  return mix(shades.black, shades.white, static_cast<float>(at[0]) / 255);
}

GridShape picture_grid(Box box, const Picture& picture, const PicturePart& part, const Shades& shades) {
  Colour of[256];
  for (int v = 0; v < 256; ++v) of[v] = mix(shades.black, shades.white, static_cast<float>(v) / 255);
  if (picture.channels >= 3)
    return grid_of(box, part,
                   [&](int row, int column) { return pixel_colour(picture, row, column, shades); });
  return grid_of(box, part, [&](int row, int column) { return of[picture.values[picture.at(row, column)]]; });
}

Colour ink_on(Colour ground) {
  const float light = 0.299f * ground.r + 0.587f * ground.g + 0.114f * ground.b;
  return light > 120 ? Colour{0, 0, 0} : Colour{255, 255, 255};
}

Progress progress_at(const Recording& recording, int step) {
  const Trace& trace = recording.trace;
  const RecordedTable& table = recording.table();
  const PictureShape& shape = table.shape();
  for (int grid = grid_index(trace, step); grid >= 0; --grid) {
    const RecordedTable::Written& written = table.written_by(grid);
    if (written.buffer < 0) continue;
    const GlobalState& state = recording.global(written.buffer, step);
    if (std::none_of(state.cells.begin(), state.cells.end(),
                     [&](const GlobalState::Cell& c) { return is_written_by(trace, c, grid); }))
      continue;
    const int planes = written.in_planes ? shape.channels : 1;
    const int rows = written.transposed ? shape.columns : shape.rows;
    return {
        planes * rows,
        written.transposed ? shape.rows : shape.columns,
        planes,
        written.buffer,
        grid,
        static_cast<int>(focus_of(trace, grid).size()) < trace.grids[static_cast<std::size_t>(grid)].blocks};
  }
  return {};
}

GridShape progress_grid(Box box, const Recording& recording, const Progress& progress, int step,
                        const Shades& shades, Colour unknown) {
  const Trace& trace = recording.trace;
  const GlobalState& state = recording.global(progress.buffer, step);
  const int channels = recording.table().shape().channels;
  // The number of channels of one pixel that are side by side in the buffer. This number is 1 if each channel
  // is stored separately.
  const int side_by_side = progress.planes > 1 ? 1 : channels;
  const PicturePart part{0, 0, progress.rows, progress.columns};
  const auto at = [&](int row, int column) {
    return (static_cast<std::size_t>(row) * static_cast<std::size_t>(progress.columns) +
            static_cast<std::size_t>(column)) *
           static_cast<std::size_t>(side_by_side);
  };
  const auto number = [&](std::size_t cell) {
    return static_cast<double>(scalar(state.cells[cell].value, trace.settings.type));
  };
  double greatest = 0;
  const int by = pixel_stride(part);
  for (int row = 0; row < part.rows; row += by)
    for (int column = 0; column < part.columns; column += by)
      for (int k = 0; k < side_by_side; ++k)
        if (const std::size_t cell = at(row, column) + static_cast<std::size_t>(k);
            is_written_by(trace, state.cells[cell], progress.grid))
          greatest = std::max(greatest, number(cell));
  const auto share = [&](std::size_t cell) {
    const double s = greatest > 0 ? number(cell) / greatest : 0;
    return static_cast<float>(s > 0 ? std::min(s, 1.0) : 0.0);
  };
  const auto level = [&](std::size_t cell) { return static_cast<std::uint8_t>(255 * share(cell) + 0.5f); };
  return grid_of(box, part, [&](int row, int column) -> Colour {
    const std::size_t cell = at(row, column);
    if (!is_written_by(trace, state.cells[cell], progress.grid)) return unknown;
    if (side_by_side == 3) return {level(cell), level(cell + 1), level(cell + 2)};
    if (progress.planes == 1) return mix(shades.black, shades.white, share(cell));
    const std::uint8_t v = level(cell);
    const int plane = row / (progress.rows / progress.planes);
    return {plane == 0 ? v : std::uint8_t{0}, plane == 1 ? v : std::uint8_t{0},
            plane == 2 ? v : std::uint8_t{0}};
  });
}

}  // namespace upsweep
