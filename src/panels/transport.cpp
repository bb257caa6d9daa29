// Draws the buttons that go from step to step. Beside these buttons, draws the step, the block and the
// progress.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "analysis/memory.hpp"
#include "analysis/time_line.hpp"
#include "base/language.hpp"
#include "panels/chrome.hpp"
#include "scene/paint.hpp"
#include "scene/pen.hpp"
#include "words/names.hpp"
#include "words/time_words.hpp"

namespace upsweep {
namespace {

// Draws a triangle with the height 2 * `half`. `direction` is 1 for a triangle that points right, and -1 for
// a triangle that points left.
void arrow(Pen& s, Point centre, float half, int direction, Colour colour) {
  const float d = static_cast<float>(direction) * half * 0.8f;
  s.triangle({centre.x - d, centre.y - half}, {centre.x - d, centre.y + half},
             {centre.x + d * 1.1f, centre.y}, colour);
}

void bar(Pen& s, Point centre, float half, Colour colour) {
  s.rect({centre.x - 1.25f, centre.y - half, 2.5f, 2 * half}, colour);
}

std::string tip(const std::string& what, Action action) {
  const std::string_view key = key_of(action);
  return fmt::format("{}   {}", capitalised(what), key);
}

class Transport {
 public:
  Transport(const Session& session, const Theme& theme, float width, float height, Point mouse)
      : session_(session), t_(theme), mouse_(mouse), sketch_(width, height, theme.panel) {}

  Panel draw() {
    const float y = sketch_.scene.height < 108 ? 30 : 32;
    round({18, y}, 16, Action::first, tr("first step"), [&](Point c, Colour ink) {
      bar(sketch_, {c.x - 5, c.y}, 6, ink);
      arrow(sketch_, {c.x + 1.5f, c.y}, 6, -1, ink);
    });
    round({62, y}, 16, Action::stride_back, tr("previous step"), [&](Point c, Colour ink) {
      arrow(sketch_, {c.x - 1, c.y}, 6.5f, -1, ink);
    });
    round({112, y}, 22, Action::toggle_playing, session_.playing() ? tr("pause") : tr("play"),
          [&](Point c, Colour ink) {
            if (session_.playing()) {
              sketch_.rect({c.x - 6, c.y - 8, 4, 16}, ink, 1);
              sketch_.rect({c.x + 2, c.y - 8, 4, 16}, ink, 1);
            } else {
              arrow(sketch_, {c.x + 1, c.y}, 9, 1, ink);
            }
          });
    round({162, y}, 16, Action::stride_forward, tr("next step"), [&](Point c, Colour ink) {
      arrow(sketch_, {c.x + 1, c.y}, 6.5f, 1, ink);
    });
    round({206, y}, 16, Action::last, tr("last step"), [&](Point c, Colour ink) {
      arrow(sketch_, {c.x - 1.5f, c.y}, 6, 1, ink);
      bar(sketch_, {c.x + 5, c.y}, 6, ink);
    });

    // If playback moves through the run's time, the speed is a text such as "1/50,000,000". This text needs
    // more room than a number of steps per second.
    const bool timed = session_.moves_in_time();
    const std::string rate = timed ? short_rate_text(session_.recording().time_line(), session_.time_rate())
                                   : fmt::format("{}/s", session_.speed());
    const char* const unit = !timed ? tr("steps a second")
                             : session_.recording().time_line().is_clocked
                                 ? tr("the run's own time, slowed down")
                                 : tr("events a second");
    stepper(0, timed ? 64 : 68, tr("phase"), Action::phase_back, tr("previous phase"), Action::phase_forward,
            tr("next phase"));
    stepper(timed ? 65 : 74, timed ? 76 : 80, tr("request"), Action::request_back,
            tr("previous warp request"), Action::request_forward, tr("next warp request"));
    stepper(timed ? 142 : 160, timed ? 90 : 68, rate, Action::slower, tr("slower ({})", unit), Action::faster,
            tr("faster ({})", unit));
    return {std::move(sketch_.scene), std::move(buttons_)};
  }

 private:
  bool under_mouse(const Box& box) const { return box.contains(mouse_); }

  template <class Mark>
  void round(Point centre, float radius, Action action, const char* what, Mark mark) {
    const Box box{centre.x - radius, centre.y - radius, 2 * radius, 2 * radius};
    const bool main = action == Action::toggle_playing, lit = under_mouse(box);
    const Colour ground = main ? t_.now : lit ? t_.now_soft : t_.line;
    sketch_.disc(centre, radius, ground);
    mark(centre, main ? t_.on_now : lit ? t_.text : t_.on_line);
    buttons_.push_back({box, {action, 0}, tip(what, action)});
  }

  // Draws a word between two small buttons. The buttons are arrows, or a minus and a plus.
  void stepper(float x, float width, const std::string& word, Action back, const std::string& back_tip,
               Action forward, const std::string& forward_tip) {
    constexpr float height = 24, side = 18;
    const float top = sketch_.scene.height < 108 ? 64 : 68;
    const float y = top + height / 2;
    const Box left{x, top, side, height}, right{x + width - side, top, side, height};
    for (const Box& b : {left, right})
      if (under_mouse(b)) sketch_.rect(b, t_.now_soft, 4);
    const Colour ink = t_.faint_text;
    if (back == Action::slower) {
      sketch_.text({left.x + side / 2, y}, "−", ink, 13, Face::bold, Align::centre);
      sketch_.text({right.x + side / 2, y}, "+", ink, 13, Face::bold, Align::centre);
    } else {
      arrow(sketch_, {left.x + side / 2, y}, 3.5f, -1, ink);
      arrow(sketch_, {right.x + side / 2, y}, 3.5f, 1, ink);
    }
    // A long word has smaller letters, so that the word fits.
    const float size =
        std::max(9.0f, 11 * std::min(1.0f, (width - 2 * side) / text_width(word, 11, Face::regular)));
    sketch_.text({x + width / 2, y}, word, ink, size, Face::regular, Align::centre);
    buttons_.push_back({left, {back, 0}, tip(back_tip, back)});
    buttons_.push_back({right, {forward, 0}, tip(forward_tip, forward)});
  }

  const Session& session_;
  const Theme& t_;
  Point mouse_;
  Pen sketch_;
  std::vector<Button> buttons_;
};

}  // namespace

const Button* button_at(const Panel& panel, Point p) {
  for (auto b = panel.buttons.rbegin(); b != panel.buttons.rend(); ++b)
    if (b->box.contains(p)) return &*b;
  return nullptr;
}

Panel transport_panel(const Session& session, const Theme& theme, float width, float height, Point mouse) {
  return Transport(session, theme, width, height, mouse).draw();
}

namespace {

// Returns the approximate remaining time, such as " · 8 s left" or " · 3 min left".
std::string time_left(double seconds) {
  if (seconds <= 0) return {};
  if (seconds < 90) return tr(" · {:.0f} s left", std::max(1.0, seconds));
  return tr(" · {:.0f} min left", seconds / 60);
}

// Draws a text about the run that is being recorded, the progress, and a cancel button. These parts fill the
// lower half of the status.
void show_progress(const RecordingProgress& p, const Theme& theme, Point mouse, Pen& s, Panel& panel) {
  const float width = s.scene.width, lower = s.scene.height < 108 ? 84 : 90;
  constexpr float size = 11, padding = 7, half = 10;
  const auto first_that_fits = [&](std::initializer_list<std::string> texts, float room) {
    for (const std::string& text : texts)
      if (text_width(text, size, Face::regular) <= room) return text;
    return std::string();
  };
  const std::string n = "n = " + grouped(p.n);
  const std::string what =
      p.n == 0 ? tr("opening a recording") : first_that_fits({tr("recording ") + n, n}, width);
  s.text({width, lower - 21}, what, theme.faint_text, size, Face::regular, Align::right);

  const char* const word = tr("Cancel");
  const float w = text_width(word, size, Face::bold) + 2 * padding;
  const Box button{width - w, lower - half, w, 2 * half};
  s.rect(button, button.contains(mouse) ? theme.now_soft : theme.line, 4);
  s.text({button.x + w / 2, lower}, word, theme.text, size, Face::bold, Align::centre);
  panel.buttons.push_back({button, {Action::cancel, 0}, tip(tr("cancel"), Action::escape)});

  const std::string percent = fmt::format("{:.0f} %", std::floor(100 * p.share));
  s.text({button.x - padding, lower},
         first_that_fits({percent + time_left(p.seconds_left), percent}, button.x - padding), theme.text,
         size, Face::regular, Align::right);
}

}  // namespace

namespace {

// Returns the latest action of the cursor's block at the shown time, such as "tile 18 at line 81: look-back".
std::string place_in_time(const Session& session) {
  const Recording& r = session.recording();
  const TimeLine& line = r.time_line();
  const int grid = grid_index(r.trace, session.cursor().step);
  const std::uint32_t row = row_of(line, grid, session.cursor().block);
  if (row == TimeLine::none) return {};
  const std::string name = row_text(r, line.rows[row]);
  const auto now = static_cast<std::uint64_t>(session.time());
  if (line.rows[row].begin > now) return name + tr(" has not begun");
  const int event = event_at(line, r.trace, grid, session.cursor().block, now);
  if (event < 0) return name;
  return tr("{} at line {}: {}", name, r.trace.events[static_cast<std::size_t>(event)].line,
            step_text(r.trace, session.step()));
}

}  // namespace

Panel status_panel(const Session& session, const Theme& theme, float width, float height, Point mouse) {
  Pen s(width, height, theme.panel);
  Panel panel;
  const auto right = [&](float y, const std::string& words, Colour colour, float size, Face face) {
    s.text({width, y}, words, colour, size, face, Align::right);
  };
  const Trace& trace = session.recording().trace;
  const auto progress = session.progress();
  const bool compares = session.compares();
  const bool timed = session.moves_in_time();
  const TimeLine* line = timed ? &session.recording().time_line() : nullptr;
  if (timed)
    right(20, time_of_run_text(*line, static_cast<std::uint64_t>(session.time())), theme.text, 15,
          Face::bold);
  else
    right(20,
          tr("step {} of {}", grouped((compares ? session.pair() : session.cursor().step) + 1),
             grouped(compares ? std::ssize(session.pairs()) : session.step_count())),
          theme.text, 15, Face::bold);
  std::string what = step_text(trace, session.step());
  if (timed) what = place_in_time(session);
  else if (session.cursor().request >= 0)
    what = first_fitting({tr("{} · request {}", what, grouped(session.cursor().request + 1)),
                          tr("request {}", grouped(session.cursor().request + 1))},
                         12, Face::regular, width);
  const bool is_other = progress && progress->n > 0 && progress->shown_n != progress->n;
  if (is_other) what = tr("shown: n = {}", grouped(progress->shown_n));
  const Face face = is_other ? Face::bold : Face::regular;
  // A long text has smaller letters, so that a narrow panel does not cut the beginning of the text.
  float size = 12;
  while (size > 9 && text_width(what, size, face) > width) size -= 0.5f;
  right(44, cut(what, size, face, width), is_other ? theme.now : theme.faint_text, size, face);
  if (progress) {
    show_progress(*progress, theme, mouse, s, panel);
    panel.scene = std::move(s.scene);
    return panel;
  }

  // Draws the cursor's block if the grid has several blocks.
  const float y = height < 108 ? 76 : 80;
  const int blocks = trace.grid_of(static_cast<std::uint32_t>(session.cursor().step)).blocks;
  if (blocks > 1) {
    constexpr float side = 20;
    const std::string block = tr("block {}", session.cursor().block);
    const std::string words = first_fitting(
        {tr("{} ({} blocks)", block, grouped(blocks)), fmt::format("{} ({})", block, grouped(blocks)), block},
        12, Face::regular, width - 2 * side - 4);
    const float w = text_width(words, 12, Face::regular);
    const Box forward{width - side, y - side / 2, side, side},
        back{width - 2 * side - w - 4, y - side / 2, side, side};
    for (const Box& b : {forward, back})
      if (b.contains(mouse)) s.rect(b, theme.now_soft, 4);
    arrow(s, {forward.x + side / 2, y}, 3.5f, 1, theme.text);
    arrow(s, {back.x + side / 2, y}, 3.5f, -1, theme.text);
    s.text({forward.x - 2, y}, words, theme.text, 12, Face::regular, Align::right);
    panel.buttons.push_back({back, {Action::block_back, 0}, tip(tr("previous block"), Action::block_back)});
    panel.buttons.push_back(
        {forward, {Action::block_forward, 0}, tip(tr("next block"), Action::block_forward)});
  } else {
    const char* const keys = tr("← → step   Shift phase   Ctrl request");
    if (text_width(keys, 11, Face::regular) <= width) right(y, keys, theme.faint_text, 11, Face::regular);
  }
  panel.scene = std::move(s.scene);
  return panel;
}

}  // namespace upsweep
