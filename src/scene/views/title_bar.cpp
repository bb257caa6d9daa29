// Draws the title bar of a view. The title bar contains the view's name, the names of other views that can
// replace this view, and a description of the picture. This file also finds the view that handles the thing
// under the mouse.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/language.hpp"
#include "scene/views/views.hpp"
#include "words/hidden_answer.hpp"

namespace upsweep {
namespace {

const char* const times_title = tr_noop("Timing");

// The tabs of a title bar. `before` is the number of tabs at the left of the view's name.
struct Tabs {
  std::vector<Tab> tabs;
  std::size_t before = 0;
  float own_width = 0;  // the width of the view's own tab
};

// Returns the tabs in the order of the list of views. The tab of the measured times is always the second name
// in the title bar, so that this tab does not move when the window shows the times.
Tabs tabs_of(const View& view, const Reading& at, const Around& around) {
  Tabs all;
  const int own = view_index(view.name);
  for (const int other : around.alternatives) {
    const View& alternative = views()[static_cast<std::size_t>(other)];
    const Notice notice = alternative.notice ? alternative.notice(at) : Notice();
    all.tabs.push_back({tr(alternative.title) + notice.text, ViewId{other}, notice.warns});
    all.before += other < own;
  }
  if (view.notice && !all.tabs.empty())
    all.own_width = text_width(tr(view.title) + view.notice(at).text, title_size, Face::bold);
  if (around.times) {
    const std::ptrdiff_t at = all.before > 0 ? 1 : 0;
    all.tabs.insert(all.tabs.begin() + at, {tr(times_title), TimesId{}});
    all.before += at > 0;
  }
  return all;
}

// Makes the view's button react to the mouse. Underlines the button's name if the button is switched on, or
// if the mouse is over the button. draw_title() draws the name.
void draw_button(Painter& p, const View& view, const Around& around, const Id& hover) {
  const float w = text_width(tr(view.button), 13, Face::regular), end = p.width - p.margin;
  if (around.pressed || hover == view.button_id)
    p.line({end - w, 30}, {end, 30}, around.pressed ? p.theme.now : p.theme.line,
           around.pressed ? 2.0f : 1.0f);
  p.target({end - w - 6, 8, w + 12, 24}, view.button_id);
}

ViewPicture draw_waiting(const ViewInput& in, std::string_view failure) {
  ViewPen p(in);
  p.title("");
  p.sentence(failure.empty() ? tr("Computing this view …")
                             : tr("This view could not be computed: {}", failure));
  return std::move(p).picture();
}

// Replaces the name of a broken kernel in all texts of the picture, because the name tells what is wrong.
void hide_name(ViewPicture& picture) {
  for (Shape& shape : picture.scene.shapes)
    if (auto* text = std::get_if<TextShape>(&shape.what)) text->text = without_name(std::move(text->text));
  picture.heading.what = without_name(std::move(picture.heading.what));
  picture.heading.readout = without_name(std::move(picture.heading.readout));
}

bool has_title(const View& view, const ViewInput& in) {
  return in.height >= std::max(view.titled_from, titled_height);
}
constexpr float top_below(bool titled) { return titled ? 40.0f : 4.0f; }

}  // namespace

Motion motion_of(const View& view, ViewInput in) {
  if (!view.motion || (view.why_nothing && !view.why_nothing(in.recording, in.cursor.step).empty()))
    return {};
  in.top = top_below(has_title(view, in));
  return view.motion(in);
}

ViewPicture draw_hidden(const ViewInput& in) {
  ViewPen p(in);
  p.text({p.margin, in.top + 20}, tr("This step is hidden until you have answered the question."),
         in.theme.text, 14);
  return {std::move(p.scene), {}};
}

Scene draw_view(const View& view, const ViewInput& in, const Around& around) {
  const bool titled = has_title(view, in);
  Cursor cursor = in.cursor;
  if (view.sees) cursor.hover = view.sees(cursor.hover);
  ViewInput shown{in.recording, cursor, in.theme, in.width, in.height, in.measured};
  shown.top = top_below(titled);
  shown.beside = in.beside;
  shown.lens_frame = in.lens_frame;
  shown.enlarged = in.enlarged;
  shown.presented = in.presented;
  const std::string nothing =
      !titled && view.why_nothing ? view.why_nothing(in.recording, in.cursor.step) : "";
  // While a question is open, the recording contains no events of the later steps. Without draw_hidden(), the
  // views "Words" and "Warps" would say that nothing happens in these steps.
  const auto& later = in.recording.later_rows.rows;
  const bool is_hidden = !later.empty() && in.cursor.step >= later.front().step &&
                         (view.home == Home::words || view.home == Home::warps);
  ViewPicture picture = is_hidden          ? draw_hidden(shown)
                        : !nothing.empty() ? ViewPicture{ViewPen(shown).scene, {nothing, {}}}
                        : around.waits     ? draw_waiting(shown, around.failure)
                                           : view.draw(shown);
  if (hides_answer(in.recording, in.cursor)) hide_name(picture);
  if (!titled && nothing.empty()) return std::move(picture.scene);
  Painter bar(in.theme, in.width, std::max(in.height, titled_height));
  const Id& hover = in.cursor.hover;
  const Tabs tabs = tabs_of(view, {in.recording, in.cursor}, around);
  const bool button = view.button && around.button;
  draw_title(bar,
             {.name = tr(view.title),
              .tab_width = tabs.own_width,
              .tabs = tabs.tabs,
              .tabs_before = tabs.before,
              .what = picture.heading.what,
              .readout = button ? tr(view.button) : picture.heading.readout,
              .quiet = button && !around.pressed && !(hover == view.button_id)},
             hover);
  if (button) draw_button(bar, view, around, hover);
  Scene& scene = picture.scene;
  scene.shapes.insert(scene.shapes.begin(), std::make_move_iterator(bar.scene.shapes.begin()),
                      std::make_move_iterator(bar.scene.shapes.end()));
  scene.targets.insert(scene.targets.begin(), bar.scene.targets.begin(), bar.scene.targets.end());
  return std::move(scene);
}

std::pair<float, float> place_of_name(const View& view, const Reading& at, const Around& around,
                                      float width) {
  const Tabs tabs = tabs_of(view, at, around);
  const Title title{
      .name = tr(view.title), .tab_width = tabs.own_width, .tabs = tabs.tabs, .tabs_before = tabs.before};
  const float begin = name_place(title, margin_of(width), width);
  return {begin, begin + text_width(title.name, title_size, Face::bold)};
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
  if (is<TimesId>(id))
    return {tr(times_title),
            tr("The measured time for a large n, and how much of this time the conflicts cost")};
  if (const auto* other = as<ViewId>(id))
    return other->view >= 0 && other->view < static_cast<int>(views().size())
               ? Lines{tr(views()[static_cast<std::size_t>(other->view)].title)}
               : Lines{};
  for (const View& view : views())
    if (view.tip)
      if (Lines lines = view.tip(at, id); !lines.empty()) {
        if (hides_answer(at.recording, at.cursor))
          for (std::string& line : lines) line = without_name(std::move(line));
        return lines;
      }
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
