#include "scene/views/image_look.hpp"

#include <algorithm>
#include <cmath>

namespace upsweep {
namespace {

constexpr int fewest_pixels = 4;  // the fewest columns to which the picture can be zoomed

// Returns the number of visible rows if `columns` columns are visible. The visible part has the proportions
// of the whole picture.
int rows_beside(int columns, const PictureShape& shape) {
  const double share = static_cast<double>(columns) / shape.columns;
  return std::clamp(static_cast<int>(std::lround(share * shape.rows)), 1, shape.rows);
}

}  // namespace

PicturePart visible_part(const ImageLook& look, const PictureShape& shape) {
  if (look.column_count <= 0 || look.column_count >= shape.columns) return {0, 0, shape.rows, shape.columns};
  const int rows = rows_beside(look.column_count, shape);
  return {std::clamp(look.first_row, 0, shape.rows - rows),
          std::clamp(look.first_column, 0, shape.columns - look.column_count), rows, look.column_count};
}

ImageLook zoomed(const ImageLook& look, const PictureShape& shape, const PixelId& fixed, float factor) {
  const PicturePart before = visible_part(look, shape);
  const int wanted = static_cast<int>(std::lround(static_cast<float>(before.columns) * factor));
  ImageLook next = look;
  next.column_count = std::clamp(wanted == before.columns ? wanted + (factor > 1 ? 1 : -1) : wanted,
                                 std::min(fewest_pixels, shape.columns), shape.columns);
  if (next.column_count == shape.columns) {
    next.first_row = next.first_column = next.column_count = 0;
    return next;
  }
  const int rows = rows_beside(next.column_count, shape);
  const auto place = [](int pixel, int first, int count, int next_count) {
    const double share = (pixel - first + 0.5) / count;
    return static_cast<int>(std::lround(pixel + 0.5 - share * next_count));
  };
  next.first_column = std::clamp(place(fixed.column, before.column, before.columns, next.column_count), 0,
                                 shape.columns - next.column_count);
  next.first_row = std::clamp(place(fixed.row, before.row, before.rows, rows), 0, shape.rows - rows);
  return next;
}

ImageLook moved(const ImageLook& look, const PictureShape& shape, const PixelId& from, const PixelId& to) {
  const PicturePart part = visible_part(look, shape);
  ImageLook next = look;
  next.first_row = std::clamp(part.row + from.row - to.row, 0, shape.rows - part.rows);
  next.first_column = std::clamp(part.column + from.column - to.column, 0, shape.columns - part.columns);
  return next;
}

int greatest_box_width(const PictureShape& shape) {
  const int side = std::min(shape.rows, shape.columns);
  return std::max(3, side - (side + 1) % 2);
}

int box_width(const ImageLook& look, const PictureShape& shape) {
  if (look.box_width > 0) return std::min(look.box_width | 1, greatest_box_width(shape));
  constexpr int small = 32;
  const int greatest = greatest_box_width(shape);
  return std::max(3, (greatest < small ? greatest / 3 : greatest / 6) | 1);
}

PixelId chosen_pixel(const ImageLook& look, const PictureShape& shape, const Id& hover) {
  if (const auto* pixel = as<PixelId>(hover); pixel && pixel->row >= 0 && pixel->row < shape.rows &&
                                              pixel->column >= 0 && pixel->column < shape.columns)
    return *pixel;
  if (look.pixel >= 0 && look.pixel < shape.pixels())
    return {look.pixel / shape.columns, look.pixel % shape.columns};
  return {shape.rows / 2, shape.columns / 2};
}

AreaBox chosen_box(const RecordedTable& table, const ImageLook& look, const Id& hover) {
  const PictureShape& shape = table.shape();
  const PixelId pixel = chosen_pixel(look, shape, hover);
  const int reach = shows_depths(table, look) ? reach_of(lens_of(table, look), depth_of(table, pixel))
                                              : box_width(look, shape) / 2;
  return box_around(pixel.row, pixel.column, reach, shape.rows, shape.columns);
}

char corner_letter(const AreaBox& box, int row, int column) {
  const bool above = row == box.top - 1, last = row == box.bottom, before = column == box.left - 1,
             right = column == box.right;
  return last && right ? 'D' : above && right ? 'B' : last && before ? 'C' : above && before ? 'A' : ' ';
}

int box_place(const ImageLook& look, const PictureShape& shape) {
  const int last = greatest_box_width(shape) / 2;
  return static_cast<int>(std::int64_t{slider_end} * (box_width(look, shape) / 2) / last);
}

int focus_place(const ImageLook& look) {
  const float share = (look.focus - nearest_focus) / (farthest_focus - nearest_focus);
  return static_cast<int>(std::lround(std::clamp(share, 0.0f, 1.0f) * slider_end));
}

ImageLook slid(const ImageLook& look, const PictureShape& shape, const SliderId& to) {
  ImageLook next = look;
  const float share = static_cast<float>(std::clamp(to.place, 0, slider_end)) / slider_end;
  if (to.slider == static_cast<int>(ImageSlider::box_width))
    next.box_width =
        2 * static_cast<int>(std::lround(share * static_cast<float>(greatest_box_width(shape) / 2))) + 1;
  else if (to.slider == static_cast<int>(ImageSlider::focus))
    next.focus = nearest_focus + (farthest_focus - nearest_focus) * share;
  return next;
}

bool shows_depths(const RecordedTable& table, const ImageLook& look) {
  return look.made == Made::depth_of_field && table.lens()->is_recorded;
}

float depth_of(const RecordedTable& table, const PixelId& pixel) {
  const LensScene& scene = *table.lens();
  return scene.field.depth()[PictureShape{scene.rows, scene.columns}.at(pixel.row, pixel.column)];
}

Lens lens_of(const RecordedTable& table, const ImageLook& look) {
  return lens_for(table.lens()->columns, look.focus);
}

Picture made_picture(const RecordedTable& table, const ImageLook& look) {
  const PictureShape& shape = table.shape();
  if (look.made == Made::box_means) return table.box_means(box_width(look, shape));
  if (look.made == Made::depth_of_field) return table.lens()->field.seen_through(lens_of(table, look));
  Picture picture = black_picture(shape.rows, shape.columns, shape.channels);
  const TableErrors& errors = table.errors();
  if (!(errors.largest > 0) || !std::isfinite(errors.largest)) return picture;
  for (std::size_t i = 0; i < errors.cells.size(); ++i)
    picture.values[i] = static_cast<std::uint8_t>(255 * std::abs(errors.cells[i]) / errors.largest + 0.5);
  return picture;
}

}  // namespace upsweep
