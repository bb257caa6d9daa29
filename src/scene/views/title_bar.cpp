// The title bar of a view contains the view's name, the names of other views that can be opened in this
// place, and a description of the picture. This file also finds the view that handles the thing under the
// mouse.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "scene/views/views.hpp"

namespace upsweep {
namespace {

const char* const times_title = "Timing";

std::vector<Tab> tabs_of(const Recording& recording, const Around& around) {
  std::vector<Tab> tabs;
  for (const int other : around.alternatives) {
    const View& view = views()[static_cast<std::size_t>(other)];
    const Notice notice = view.notice ? view.notice(recording) : Notice();
    tabs.push_back({view.title + notice.text, ViewId{other}, notice.warns});
  }
  if (around.times) tabs.push_back({times_title, TimesId{}});
  return tabs;
}

// Adds the target of the view's button, and underlines the button's name while the button is on or the mouse
// is over it. draw_title() draws the name.
void draw_button(Painter& p, const View& view, const Around& around, const Id& hover) {
  const float w = text_width(view.button, 13, Face::regular), end = p.width - p.margin;
  if (around.pressed || hover == view.button_id)
    p.line({end - w, 30}, {end, 30}, around.pressed ? p.theme.now : p.theme.line,
           around.pressed ? 2.0f : 1.0f);
  p.target({end - w - 6, 8, w + 12, 24}, view.button_id);
}

ViewPicture draw_waiting(const ViewInput& in, std::string_view failure) {
  ViewPen p(in);
  p.title("");
  p.sentence(failure.empty() ? "Computing this view …"
                             : fmt::format("This view could not be computed: {}", failure));
  return std::move(p).picture();
}

}  // namespace

Scene draw_view(const View& view, const ViewInput& in, const Around& around) {
  const bool titled = in.height >= std::max(view.titled_from, titled_height);
  Cursor cursor = in.cursor;
  if (view.sees) cursor.hover = view.sees(cursor.hover);
  const ViewInput shown{in.recording,          cursor,       in.theme, in.width, in.height, in.measured,
                        titled ? 40.0f : 4.0f, in.lens_frame};
  ViewPicture picture = around.waits ? draw_waiting(shown, around.failure) : view.draw(shown);
  if (!titled) return std::move(picture.scene);
  Painter bar(in.theme, in.width, in.height);
  const Id& hover = in.cursor.hover;
  const std::vector<Tab> tabs = tabs_of(in.recording, around);
  const bool button = view.button && around.button;
  draw_title(bar,
             {.name = view.title,
              .tabs = tabs,
              .what = picture.heading.what,
              .readout = button ? view.button : picture.heading.readout,
              .quiet = button && !around.pressed && !(hover == view.button_id)},
             hover);
  if (button) draw_button(bar, view, around, hover);
  Scene& scene = picture.scene;
  scene.shapes.insert(scene.shapes.begin(), std::make_move_iterator(bar.scene.shapes.begin()),
                      std::make_move_iterator(bar.scene.shapes.end()));
  scene.targets.insert(scene.targets.begin(), bar.scene.targets.begin(), bar.scene.targets.end());
  return std::move(scene);
}

Id seen_in(const View& view, const Around& around, const Id& hover) {
  if (const auto* other = as<ViewId>(hover)) {
    const auto& tabs = around.alternatives;
    return std::find(tabs.begin(), tabs.end(), other->view) != tabs.end() ? hover : Id();
  }
  if (is<TimesId>(hover)) return around.times ? hover : Id();
  if (around.button && hover == view.button_id) return hover;
  return view.sees ? view.sees(hover) : hover;
}

Lines tip_of(const Reading& at, const Id& id) {
  if (is<TimesId>(id)) return {times_title, "The time at full size, and whether the conflicts matter there"};
  if (const auto* other = as<ViewId>(id))
    return other->view >= 0 && other->view < static_cast<int>(views().size())
               ? Lines{views()[static_cast<std::size_t>(other->view)].title}
               : Lines{};
  for (const View& view : views())
    if (view.tip)
      if (Lines lines = view.tip(at, id); !lines.empty()) return lines;
  return {};
}

Click click_on(const Reading& at, const Id& id) {
  if (is<TimesId>(id)) return ShowTimes{};
  if (const auto* other = as<ViewId>(id)) return ShowView{other->view};
  for (const View& view : views())
    if (view.click)
      if (Click click = view.click(at, id); !std::holds_alternative<std::monostate>(click)) return click;
  return {};
}

}  // namespace upsweep
