#include "scene/views/image_mouse.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <string>

#include "base/language.hpp"
#include "scene/views/image_sums.hpp"

namespace upsweep {
namespace {

const SliderId* own_slider(const Id& id) {
  const auto* slider = as<SliderId>(id);
  return slider && slider->view == image_name ? slider : nullptr;
}

}  // namespace

Lines image_tip(const Reading& at, const Id& id) {
  Lines tip;
  if (!has_picture(at.recording)) return {};
  const RecordedTable& table = at.recording.table();
  if (const auto* pixel = as<PixelId>(id); pixel && is_pixel_of(*pixel, table.shape())) {
    tip.push_back(tr("row {}, column {}", pixel->row, pixel->column));
    for (int k = 0; k < table.shape().channels; ++k)
      tip.push_back(tr("{} {}; table {}",
                       table.shape().channels > 1 ? std::string(tr(channel_names[k])) : tr("pixel"),
                       number_text(table.number(pixel->row, pixel->column, k)),
                       number_text(table.cell(pixel->row, pixel->column, k))));
    if (shows_depths(table, at.cursor.image)) {
      const AreaBox box = chosen_box(table, at.cursor.image, id);
      tip.push_back(tr("at depth {:.1f}, the mean of {} × {} pixels is shown", depth_of(table, *pixel),
                       box.columns(), box.rows()));
    }
  }
  if (own_slider(id))
    tip.push_back(tr("Drag the slider: each pixel still reads at most 4 cells of each channel."));
  return tip;
}

Click click_on_image(const Reading& at, const Id& id) {
  if (!has_picture(at.recording)) return {};
  const PictureShape& shape = at.recording.table().shape();
  ImageLook look = at.cursor.image;
  if (const auto* pixel = as<PixelId>(id); pixel && is_pixel_of(*pixel, shape)) {
    look.pixel = pixel->row * shape.columns + pixel->column;
    return SetImageLook{look};
  }
  if (const SliderId* slider = own_slider(id)) return SetImageLook{slid(look, shape, *slider)};
  if (const auto* own = as<OwnId>(id); own && own->view == image_name && own->thing >= 0 &&
                                       own->thing < static_cast<int>(std::size(made_names))) {
    look.made = static_cast<Made>(own->thing);
    return SetImageLook{look};
  }
  return {};
}

Click turn_over_image(const Reading& at, const Id& id, float ticks) {
  if (!has_picture(at.recording)) return {};
  const PictureShape& shape = at.recording.table().shape();
  const auto* pixel = as<PixelId>(id);
  if (!pixel || !is_pixel_of(*pixel, shape)) return {};
  ImageLook look = at.cursor.image;
  // The box stays at the pixel around which the picture was zoomed, until the user clicks on another pixel.
  if (look.pixel < 0) look.pixel = pixel->row * shape.columns + pixel->column;
  return SetImageLook{zoomed(look, shape, *pixel, std::pow(0.8f, ticks))};
}

Click drag_in_image(const Reading& at, const Id& from, const Id& to) {
  if (!has_picture(at.recording)) return {};
  const PictureShape& shape = at.recording.table().shape();
  if (const SliderId* slider = own_slider(to)) return SetImageLook{slid(at.cursor.image, shape, *slider)};
  const auto *first = as<PixelId>(from), *last = as<PixelId>(to);
  if (!first || !last || !is_pixel_of(*first, shape) || !is_pixel_of(*last, shape)) return {};
  if (visible_part(at.cursor.image, shape).columns == shape.columns) return click_on_image(at, to);
  return SetImageLook{moved(at.cursor.image, shape, *first, *last)};
}

Id image_sees(const Id& hover) {
  const auto* own = as<OwnId>(hover);
  if (const SliderId* slider = own_slider(hover)) return SliderId{slider->view, slider->slider};
  return is<PixelId>(hover) || (own && own->view == image_name) ? hover : Id();
}

}  // namespace upsweep
