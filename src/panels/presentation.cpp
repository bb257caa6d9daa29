#include "panels/presentation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>

#include "base/language.hpp"
#include "panels/presentation_layout.hpp"
#include "scene/paint.hpp"
#include "words/caption.hpp"
#include "words/hidden_answer.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

// The number of seconds until the controls begin to fade, and the duration of the fading in seconds.
constexpr double shown_for = 2.5, fades_for = 0.4;
constexpr float pen_width = 3.5f, ring_radius = 17;

// Returns the colour of the pen. The views do not use this colour.
Colour ink_of(const Theme& t) { return t.dark ? Colour{255, 120, 190} : Colour{196, 0, 110}; }

// Reduces the opacity of all shapes with the index `first` or a larger index.
void fade(Scene& scene, std::size_t first, float opacity) {
  if (opacity >= 1) return;
  for (std::size_t i = first; i < scene.shapes.size(); ++i)
    std::visit(
        [&](auto& shape) {
          using T = std::decay_t<decltype(shape)>;
          if constexpr (std::is_same_v<T, RectShape>) {
            shape.fill = faded(shape.fill, opacity);
            shape.stroke = faded(shape.stroke, opacity);
          } else if constexpr (!std::is_same_v<T, GridShape>) {
            shape.colour = faded(shape.colour, opacity);
          }
        },
        scene.shapes[i].what);
}

void triangle(Pen& s, Point c, float half, int direction, Colour colour) {
  const float d = static_cast<float>(direction) * half * 0.8f;
  s.triangle({c.x - d, c.y - half}, {c.x - d, c.y + half}, {c.x + d * 1.1f, c.y}, colour);
}

// Draws the row of controls from left to right.
class Controls {
 public:
  Controls(Pen& pen, const Theme& theme, float x, float y, Point mouse)
      : s_(pen), t_(theme), x_(x), y_(y), mouse_(mouse) {}

  // Draws the background of a button, and returns the centre of the button. The caller draws an arrow or
  // another sign there. `main` adds a coloured disc.
  Point sign(const Command& command, const std::string& tip, bool main = false) {
    constexpr float side = 24;
    const Box box{x_, y_ - side / 2, side, side};
    if (main) s_.disc({x_ + side / 2, y_}, side / 2, t_.now);
    else if (box.contains(mouse_)) s_.rect(box, t_.now_soft, 5);
    buttons.push_back({box, command, tip});
    x_ += side + 4;
    return {box.x + side / 2, y_};
  }
  void word(const Command& command, const std::string& text, const std::string& tip, bool on) {
    constexpr float size = 11.5f, padding = 7, height = 20;
    const float w = text_width(text, size, Face::bold) + 2 * padding;
    const Box box{x_, y_ - height / 2, w, height};
    if (on || box.contains(mouse_)) s_.rect(box, on ? t_.now : t_.now_soft, 5);
    s_.text({x_ + w / 2, y_}, text, on ? t_.on_now : t_.text, size, Face::bold, Align::centre);
    buttons.push_back({box, command, tip});
    x_ += w + 4;
  }
  static float width_of_word(const std::string& text) { return text_width(text, 11.5f, Face::bold) + 18; }
  void space(float by) { x_ += by; }

  std::vector<Button> buttons;

 private:
  Pen& s_;
  const Theme& t_;
  float x_, y_;
  Point mouse_;
};

std::string tip_of_action(const char* what, Action action) {
  return fmt::format("{}   {}", what, key_of(action));
}

// Returns the settings and the machine of the shown run. Leaves out the title of the run.
std::vector<std::string> details_of(const Session& session) {
  std::string all = caption_of_run(session.recording(), session.cursor().hides_answer);
  std::vector<std::string> parts;
  constexpr std::string_view between = " · ";
  for (std::size_t from = 0; from != std::string::npos;) {
    const std::size_t to = all.find(between, from);
    parts.push_back(all.substr(from, to == all.npos ? to : to - from));
    from = to == all.npos ? to : to + between.size();
  }
  if (!session.recording().trace.date.empty()) parts.pop_back();
  if (session.shows_opened()) parts.push_back(tr("recorded"));
  return parts;
}

}  // namespace

float controls_opacity(double unused, bool still) {
  if (unused < shown_for) return 1;
  if (still || unused >= shown_for + fades_for) return 0;
  return static_cast<float>(1 - (unused - shown_for) / fades_for);
}

double controls_change_in(double unused, bool still) {
  constexpr double frame = 1 / 60.0;
  if (unused < shown_for) return shown_for - unused + 0.001;
  return still || unused >= shown_for + fades_for ? -1 : frame;
}

Panel caption_panel(const Session& session, const Theme& t, const WindowLayout& layout, Point mouse,
                    float opacity) {
  const Box& box = layout.caption;
  Pen s(box.w, box.h);
  Panel panel;
  const float margin = margin_of(box.w), y = box.h / 2 + 2;
  float end = box.w - margin;

  const char* const way_out = tr("End");
  constexpr const char* key = "Esc";
  const float key_width = text_width(key, 11, Face::regular),
              word = text_width(way_out, 11, Face::bold) + 6 + key_width;
  const Box out{end - word - 6, y - 10, word + 12, 20};
  if (out.contains(mouse)) s.rect(out, t.now_soft, 5);
  s.text({end - key_width - 6, y}, way_out, t.faint_text, 11, Face::bold, Align::right);
  s.text({end, y}, key, t.faint_text, 11, Face::regular, Align::right);
  panel.buttons.push_back({out, {Action::present, 0}, tr("End the presentation   P")});
  end = out.x - 10;

  const std::vector<std::string> details = details_of(session);
  const std::string& title = details.front();
  constexpr float size = 17, small = 13;
  const std::string shown = cut(title, size, Face::bold, end - margin);
  s.text({margin, y}, shown, t.text, size, Face::bold);
  const float from = margin + text_width(shown, size, Face::bold) + 20;

  // The views that the user can add or remove.
  std::vector<int> all;
  for (int view = 0; view < static_cast<int>(views().size()) && view < most_view_keys; ++view)
    if (views()[static_cast<std::size_t>(view)].home != Home::profile &&
        has_something(view, session.recording()))
      all.push_back(view);
  constexpr float side = 20;
  const float room_of_views = side * static_cast<float>(all.size());
  const bool has_views = opacity > 0 && from + room_of_views <= end;

  std::string text;
  float room = end - from;
  const auto joined = [&](float room) {
    std::string some;
    for (std::size_t i = 1; i < details.size(); ++i) {
      const std::string more = some.empty() ? details[i] : some + "   " + details[i];
      if (text_width(more, small, Face::regular) > room) break;
      some = more;
    }
    return some;
  };
  text = joined(room);
  const bool covers = has_views && text_width(text, small, Face::regular) > room - room_of_views - 10;
  const std::size_t first = s.scene.shapes.size();
  if (!covers || opacity < 1) s.text({from, y + 1}, text, t.faint_text, small);
  if (covers) {
    fade(s.scene, first, 1 - opacity);
    const std::size_t second = s.scene.shapes.size();
    s.text({from, y + 1}, joined(room - room_of_views - 10), t.faint_text, small);
    fade(s.scene, second, opacity);
  }
  if (has_views) {
    const std::vector<int> on = presented_views(session.looks, session.recording());
    const std::size_t third = s.scene.shapes.size();
    float x = end - room_of_views;
    for (const int view : all) {
      const bool lit = !session.looks.timing_large && std::find(on.begin(), on.end(), view) != on.end();
      const Box b{x, y - 9, side, 18};
      if (lit || b.contains(mouse)) s.rect({b.x + 1, b.y, b.w - 2, b.h}, lit ? t.now : t.now_soft, 4);
      constexpr const char* marks[] = {"", "↑", "^"};
      s.text({b.x + side / 2, y}, marks[view / 9] + std::to_string(view % 9 + 1), lit ? t.on_now : t.text,
             10.5f, Face::bold, Align::centre);
      panel.buttons.push_back({b,
                               {Action::add_view, view},
                               tr("{}: {}   Alt {}", lit ? tr("Remove") : tr("Add"),
                                  tr(views()[static_cast<std::size_t>(view)].title), key_of_view(view))});
      x += side;
    }
    fade(s.scene, third, opacity);
  }
  panel.scene = std::move(s.scene);
  return panel;
}

Panel controls_panel(const Session& session, const Theme& t, float width, float height, Point mouse,
                     float opacity) {
  Pen s(width, height, t.panel);
  const float margin = margin_of(width), y = height / 2 - 1;
  const bool compares = session.compares();
  const std::string number = tr("{} of {}", grouped((compares ? session.pair() : session.cursor().step) + 1),
                                grouped(compares ? std::ssize(session.pairs()) : session.step_count()));
  std::string name = capitalised(step_text(session.recording().trace, session.step()));
  if (session.cursor().request >= 0) name += tr(" · request {}", grouped(session.cursor().request + 1));
  if (const auto progress = session.progress())
    name = progress->n > 0 ? tr("Recording n = {} · {:.0f} %", grouped(progress->n), 100 * progress->share)
                           : tr("Opening a recording");
  constexpr float size = 13;
  const float number_width = text_width(number, size, Face::bold);
  s.text({width - margin, y}, number, t.text, size, Face::bold, Align::right);

  const char* const pen = tr("Pen");
  const char* const black = tr("Black");
  const char* const notes = tr("Notes");
  const float controls = 5 * 28 + 8 + Controls::width_of_word(pen) + Controls::width_of_word(black) +
                         Controls::width_of_word(notes);
  const float from = (width - controls) / 2, end = std::min(from + controls, width - margin - number_width);
  const float room = opacity > 0 ? from - margin - 12 : width - 2 * margin - number_width - 24;
  s.text({margin, y}, cut(name, size, Face::regular, room), t.faint_text, size);
  Panel panel;
  if (opacity > 0 && from > margin && end >= from + controls - 1) {
    const std::size_t first = s.scene.shapes.size();
    Controls c(s, t, from, y, mouse);
    Point at = c.sign({Action::first, 0}, tip_of_action(tr("First step"), Action::first));
    s.rect({at.x - 7, at.y - 5, 2, 10}, t.text);
    triangle(s, {at.x + 1, at.y}, 5, -1, t.text);
    at = c.sign({Action::stride_back, 0}, tip_of_action(tr("Previous step"), Action::stride_back));
    triangle(s, at, 5.5f, -1, t.text);
    at = c.sign({Action::toggle_playing, 0},
                tip_of_action(session.playing() ? tr("Pause") : tr("Play"), Action::toggle_playing), true);
    if (session.playing()) {
      s.rect({at.x - 4.5f, at.y - 5, 3, 10}, t.on_now, 1);
      s.rect({at.x + 1.5f, at.y - 5, 3, 10}, t.on_now, 1);
    } else {
      triangle(s, {at.x + 0.5f, at.y}, 5.5f, 1, t.on_now);
    }
    at = c.sign({Action::stride_forward, 0}, tip_of_action(tr("Next step"), Action::stride_forward));
    triangle(s, at, 5.5f, 1, t.text);
    at = c.sign({Action::last, 0}, tip_of_action(tr("Last step"), Action::last));
    triangle(s, {at.x - 1, at.y}, 5, 1, t.text);
    s.rect({at.x + 5, at.y - 5, 2, 10}, t.text);
    c.space(8);
    const Looks& looks = session.looks;
    c.word({Action::pen, 0}, pen, tip_of_action(tr("Draw with the mouse; Esc erases"), Action::pen),
           looks.pen);
    c.word({Action::black, 0}, black, tip_of_action(tr("Black screen"), Action::black), false);
    c.word({Action::notes, 0}, notes,
           tip_of_action(tr("Notes for the speaker in another window"), Action::notes), looks.notes > 0);
    fade(s.scene, first, opacity);
    panel.buttons = std::move(c.buttons);
  }
  panel.scene = std::move(s.scene);
  return panel;
}

Scene strokes_scene(std::span<const Stroke> strokes, const Theme& t, float width, float height) {
  Pen s(width, height);
  for (const Stroke& stroke : strokes)
    for (std::size_t i = 0; i < stroke.size(); ++i) {
      if (i > 0) s.line(stroke[i - 1], stroke[i], ink_of(t), pen_width);
      s.disc(stroke[i], pen_width / 2, ink_of(t));
    }
  return std::move(s.scene);
}

Scene pointer_scene(Point mouse, bool pen, const Theme& t, float width, float height) {
  Pen s(width, height);
  if (pen) {
    s.disc(mouse, pen_width, ink_of(t));
    return std::move(s.scene);
  }
  const float r = ring_radius;
  s.rect({mouse.x - r - 1.5f, mouse.y - r - 1.5f, 2 * r + 3, 2 * r + 3},
         {.stroke = faded(t.background, 0.8f), .width = 6, .radius = r + 1.5f});
  s.rect({mouse.x - r, mouse.y - r, 2 * r, 2 * r},
         {.fill = faded(t.now, 0.1f), .stroke = t.now, .width = 3, .radius = r});
  return std::move(s.scene);
}

}  // namespace upsweep
