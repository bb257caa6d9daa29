// Handles the mouse in the view "Image": tooltips, clicks, zooming, moving the picture, and dragging a
// slider.
#pragma once
#include "scene/views/image_look.hpp"
#include "scene/views/views.hpp"

namespace upsweep {

inline constexpr std::string_view image_name = "image";

inline bool has_picture(const Recording& r) { return r.picture.has_value(); }
inline bool is_pixel_of(const PixelId& id, const PictureShape& shape) {
  return id.row >= 0 && id.row < shape.rows && id.column >= 0 && id.column < shape.columns;
}

// The functions for View::tip, View::click, View::turn and View::drag. After a click on a pixel, the box
// stays around this pixel when the mouse leaves. Dragging moves a zoomed picture, and moves the box in a
// picture without zoom.
Lines image_tip(const Reading& at, const Id& id);
Click click_on_image(const Reading& at, const Id& id);
Click turn_over_image(const Reading& at, const Id& id, float ticks);
Click drag_in_image(const Reading& at, const Id& from, const Id& to);
Id image_sees(const Id& hover);

}  // namespace upsweep
