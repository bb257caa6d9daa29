#include "panels/lesson_panel.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/language.hpp"
#include "panels/lesson_lines.hpp"
#include "panels/question_panel.hpp"
#include "panels/reply_verdict.hpp"
#include "scene/paint.hpp"
#include "scene/wrap.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

constexpr float lesson_margin = 16;
// The minimum height of the text: two lines, even if the task below the text is long. The text can be
// scrolled.
constexpr float least_text = 40;
constexpr float note_pitch = 19;
constexpr float foot = 56;        // the height of the buttons below a step
constexpr float end_height = 32;  // the height of the line at the end of a lesson

class LessonPicture {
 public:
  LessonPicture(const Session& session, const LessonPlayer& player, const LearnerProgress& progress,
                const Theme& t, float width, float height, Point mouse, float scroll)
      : session_(session),
        player_(player),
        progress_(progress),
        t_(t),
        mouse_(mouse),
        scroll_(scroll),
        p_(width, height),
        room_(width - 2 * lesson_margin) {
    p_.rect({0, 0, width, height}, t.panel);
    p_.line({0.5f, 0}, {0.5f, height}, t.line);
  }

  LessonPanel list(int chosen) && {
    p_.text({lesson_margin, 26}, tr("Lessons"), t_.text, 18, Face::bold);
    close_button();
    const std::vector<LessonPlayer::Listed> all = player_.listed();
    constexpr float least = 27, most = 46, with_two_lines = 44;
    const float top = 52, bottom = p_.scene.height - 34;
    const float pitch = std::clamp((bottom - top) / static_cast<float>(all.size()), least, most);
    const bool roomy = pitch >= with_two_lines;
    hide(top + pitch * static_cast<float>(all.size()) - bottom);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Box b{8, top + pitch * static_cast<float>(i) - scroll_, p_.scene.width - 16, pitch - 3};
      if (b.y < top - 1 || b.y + b.h > bottom) continue;
      row(all[i], b, static_cast<int>(i), chosen == static_cast<int>(i), roomy);
      // Draws a line between the lessons of a folder and the lessons that come with the program.
      if (i > 0 && static_cast<int>(i) == player_.listed_in_folder())
        p_.line({b.x, b.y - 1.5f}, {b.x + b.w, b.y - 1.5f}, t_.line);
    }
    p_.text({lesson_margin, p_.scene.height - 16},
            first_fitting({tr("↑ ↓ Enter: choose · your own lesson: upsweep --lesson FILE"),
                           tr("↑ ↓ choose, Enter opens")},
                          12, Face::regular, room_),
            t_.faint_text, 12);
    return finish();
  }

  LessonPanel step() && {
    const Lesson& l = player_.lesson();
    link(tr("Lessons"), {lesson_margin, 20}, Align::left, {Action::close_lesson},
         tr("Back to the list of lessons"));
    close_button();
    float y = 50;
    for (const std::string& line : wrapped(l.title, 18, Face::bold, room_)) {
      p_.text({lesson_margin, y}, cut(line, 18, Face::bold, room_), t_.text, 18, Face::bold);
      y += 24;
    }
    steps(y + 2);
    const float top = y + 22, bottom = p_.scene.height - foot;
    const float task = task_height();
    const float text_bottom = std::max(top + least_text, bottom - task);
    draw_texts(top, text_bottom);
    // If the text is short, the task is directly below the text, and not at the bottom.
    const float begin = std::min(text_bottom, std::max(top + text_height_ + 6, top));
    draw_task(begin, bottom);
    buttons(bottom);
    return finish();
  }

 private:
  LessonPanel finish() {
    made_.panel.scene = std::move(p_.scene);
    return std::move(made_);
  }
  bool is_hot(const Box& b) const { return b.contains(mouse_); }
  void press(const Box& b, Command command, std::string tip) {
    made_.panel.buttons.push_back({b, command, std::move(tip)});
  }

  // `beyond` is the height in logical pixels of the content that does not fit into the panel.
  void hide(float beyond) {
    made_.hidden = std::max(0.0f, beyond);
    scroll_ = std::clamp(scroll_, 0.0f, made_.hidden);
  }

  void link(const std::string& text, Point at, Align align, Command command, const std::string& tip) {
    const float w = text_width(text, 13, Face::regular);
    const Box b{align == Align::right ? at.x - w - 6 : at.x - 6, at.y - 12, w + 12, 24};
    p_.text(at, text, is_hot(b) ? t_.text : t_.now, 13, Face::regular, align);
    press(b, command, tip);
  }
  void close_button() {
    link(tr("Close  F2"), {p_.scene.width - lesson_margin, 20}, Align::right, {Action::lessons},
         tr("Hide the lessons   F2"));
  }

  // Draws a button with a text. The name of the key is beside the text.
  void button(const Box& b, const std::string& text, const std::string& key, Command command, bool is_main,
              bool works) {
    p_.rect(b, {.fill = is_main && works     ? t_.now
                        : is_hot(b) && works ? t_.cell
                                             : t_.panel,
                .stroke = is_main && works ? t_.now : t_.line,
                .width = 1,
                .radius = 4});
    const Colour ink = !works ? t_.ghost_text : is_main ? t_.on_now : t_.text;
    const float key_width = key.empty() ? 0 : text_width(key, 12, Face::regular) + 8;
    p_.text({b.x + 12, b.y + b.h / 2},
            cut(text, 14, is_main ? Face::bold : Face::regular, b.w - 24 - key_width), ink, 14,
            is_main ? Face::bold : Face::regular);
    p_.text({b.x + b.w - 12, b.y + b.h / 2}, key, is_main || !works ? ink : t_.faint_text, 12, Face::regular,
            Align::right);
    if (works) press(b, command, key.empty() ? text : text + "   " + key);
  }

  // --- the list

  void row(const LessonPlayer::Listed& listed, const Box& b, int index, bool is_chosen, bool roomy) {
    const Lesson& l = *listed.lesson;
    const LessonProgress& kept = progress_.of(listed.name);
    const int tasks = l.tasks();
    const auto answered = static_cast<int>(outcomes_in(l, kept).size());
    const bool is_done = tasks > 0 && answered >= tasks;
    if (is_chosen || is_hot(b))
      p_.rect(b, {.fill = t_.cell, .stroke = is_chosen ? t_.now : t_.cell, .width = 1, .radius = 4});
    const std::string state = is_done        ? tr("✓ done")
                              : answered > 0 ? tr("{} of {}", answered, tasks)
                                             : tr("{} min", l.minutes);
    const float state_width = text_width(state, 12, Face::regular);
    p_.text({b.x + b.w - 12, b.y + (roomy ? 15 : b.h / 2)}, state, is_done ? t_.good : t_.faint_text, 12,
            Face::regular, Align::right);
    const float room = b.w - 36 - state_width;
    p_.text({b.x + 12, b.y + (roomy ? 15 : b.h / 2)}, cut(l.title, 14, Face::bold, room), t_.text, 14,
            Face::bold);
    if (roomy)
      p_.text({b.x + 12, b.y + 33}, cut(l.about, 12.5f, Face::regular, b.w - 24), t_.faint_text, 12.5f);
    press(b, {Action::open_lesson, index - player_.listed_in_folder()}, l.about.empty() ? l.title : l.about);
  }

  // --- a step

  // Draws one mark for each step: a square for a question, and a dot for a text.
  void steps(float y) {
    const Lesson& l = player_.lesson();
    const auto count = static_cast<float>(l.steps.size());
    const float pitch = std::min(18.0f, room_ / count);
    for (int s = 0; s < static_cast<int>(l.steps.size()); ++s) {
      const bool has_task = l.steps[static_cast<std::size_t>(s)].has_task(),
                 is_now = s == player_.step_index();
      const TaskOutcome outcome = player_.outcome(s);
      const Point c{lesson_margin + pitch * (static_cast<float>(s) + 0.5f), y};
      const float r = has_task ? 5.0f : 3.0f;
      const Colour colour = outcome == TaskOutcome::right    ? t_.good
                            : outcome == TaskOutcome::missed ? t_.conflict
                            : is_now                         ? t_.now
                                                             : t_.ghost_text;
      const bool is_full = outcome != TaskOutcome::open || is_now;
      p_.rect({c.x - r, c.y - r, 2 * r, 2 * r}, {.fill = is_full ? colour : t_.panel,
                                                 .stroke = colour,
                                                 .width = 1.5f,
                                                 .radius = has_task ? 2.0f : r});
      if (is_now) p_.line({c.x - 6, c.y + 9}, {c.x + 6, c.y + 9}, t_.now, 2);
      const std::string what = outcome == TaskOutcome::right    ? tr(": right at the first try")
                               : outcome == TaskOutcome::missed ? tr(": answered; the first answer was wrong")
                               : has_task                       ? tr(": a question")
                                                                : "";
      press({c.x - pitch / 2, y - 12, pitch, 24}, {Action::lesson_step, s},
            tr("Step {} of {}{}", s + 1, l.steps.size(), what));
    }
    p_.text({p_.scene.width - lesson_margin, y},
            first_fitting({tr("step {} of {}", player_.step_index() + 1, l.steps.size()), ""}, 12.5f,
                          Face::regular, room_ - pitch * count - 8),
            t_.faint_text, 12.5f, Face::regular, Align::right);
  }

  void draw_texts(float top, float bottom) {
    const LessonLines all = lesson_lines(player_.step(), player_.mistakes(), t_, room_);
    const float y = all.height;
    text_height_ = y;
    constexpr float note = 18;  // the height of the line that says that the text continues
    if (y > bottom - top) bottom -= note;
    hide(y - (bottom - top));
    for (const LessonLine& line : all.lines) {
      const float at = top + line.y - scroll_;
      if (at < top + 4 || at > bottom - 6) continue;
      float x = lesson_margin + line.x;
      for (const TextRun& run : line.runs) {
        const float size = run.face == Face::mono ? std::min(line.size, lesson_code_size) : line.size;
        p_.text({x, at}, cut(run.text, size, run.face, lesson_margin + room_ - x), line.colour, size,
                run.face);
        x += advance(run, size);
      }
    }
    if (scroll_ < made_.hidden)
      p_.text({p_.scene.width - lesson_margin, bottom + note / 2 - 2},
              tr("more text below: turn the wheel, or use F6 and PgDn"), t_.faint_text, 11.5f, Face::regular,
              Align::right);
  }

  bool is_over() const { return player_.is_last() && player_.is_done() && player_.lesson().tasks() > 0; }
  bool has_next_lesson() const { return player_.is_last() && player_.is_done() && player_.has_next(); }
  bool has_question() const {
    const auto stage = session_.questioning().stage();
    return session_.questioning().is_posed() && stage != Questioning::Stage::off;
  }
  Panel question(Point mouse) const { return question_panel(session_, t_, p_.scene.width, 0, mouse); }

  float task_height() const {
    if (player_.is_away()) return 70;
    const float end = is_over() ? end_height : 0;
    if (has_question()) return question({-1, -1}).scene.height + end;
    if (player_.ordering()) return order_height() + end;
    return end + (player_.step().has_task() && !is_over() ? 64.0f : 0.0f);
  }

  void draw_task(float y, float bottom) {
    if (player_.is_away()) {
      p_.text({lesson_margin, y + 10}, tr("The window does not show the lesson's run."), t_.faint_text,
              13.5f);
      button({lesson_margin, y + 26, room_, 30}, tr("Back to the lesson's run"), "", {Action::lesson_run},
             false, true);
    } else if (has_question()) {
      const Panel drawn = question({mouse_.x, mouse_.y - y});
      made_.question = {0, y, p_.scene.width, std::min(drawn.scene.height, bottom - y)};
      p_.line({lesson_margin, y - 4}, {p_.scene.width - lesson_margin, y - 4}, t_.line);
      append_moved(p_.scene, drawn.scene, 0, y);
      for (const Button& b : drawn.buttons) press({b.box.x, b.box.y + y, b.box.w, b.box.h}, b.command, b.tip);
      if (is_over()) draw_end(y + drawn.scene.height);
    } else if (player_.ordering()) {
      draw_order(y);
      if (is_over()) draw_end(y + task_height() - end_height);
    } else if (is_over()) {
      draw_end(y);
    } else if (player_.step().has_task() && player_.outcome(player_.step_index()) != TaskOutcome::open) {
      const bool is_right = player_.outcome(player_.step_index()) == TaskOutcome::right;
      p_.text({lesson_margin, y + 12},
              is_right ? tr("✓ Your answer to this question was right.")
                       : tr("You have answered this question. Your first answer was wrong."),
              is_right ? t_.good : t_.faint_text, 13.5f);
      if (!player_.is_test())
        link(tr("Answer it again"), {lesson_margin, y + 38}, Align::left, {Action::lesson_again},
             tr("Answer this question again"));
    }
  }

  void draw_order(float y) {
    const Ordering& o = *player_.ordering();
    const std::vector<int>& reply = player_.order_reply();
    const bool is_open = player_.order_is_open();
    p_.line({lesson_margin, y - 4}, {p_.scene.width - lesson_margin, y - 4}, t_.line);
    p_.text({lesson_margin, y + 12},
            is_open ? tr("Click the lines in the order in which they run.") : tr("The kernel's order"),
            t_.text, 14, Face::bold);
    y += 30;
    for (int line = 0; line < static_cast<int>(o.lines.size()); ++line) {
      const auto& order = is_open ? reply : o.answer;
      const auto found = std::ranges::find(order, line);
      const bool is_in = found != order.end();
      const Box b{lesson_margin, y, room_, 24};
      p_.rect(b, {.fill = is_in                  ? t_.now_soft
                          : is_hot(b) && is_open ? t_.cell
                                                 : t_.panel,
                  .stroke = is_in ? t_.now : t_.line,
                  .width = 1,
                  .radius = 4});
      const Box badge{b.x + 4, b.y + 3, 20, 18};
      p_.rect(
          badge,
          {.fill = is_in ? t_.now : t_.panel, .stroke = is_in ? t_.now : t_.line, .width = 1, .radius = 3});
      if (is_in)
        p_.text({badge.x + 10, badge.y + 9}, fmt::to_string(found - order.begin() + 1), t_.on_now, 12,
                Face::bold, Align::centre);
      p_.text({b.x + 32, b.y + 12},
              cut(o.lines[static_cast<std::size_t>(line)], lesson_code_size, Face::mono, b.w - 40),
              is_in || is_open ? t_.text : t_.ghost_text, lesson_code_size, Face::mono);
      if (is_open) press(b, {Action::lesson_line, line}, tr("Choose this line   {}", line + 1));
      y += 27;
    }
    const ReplyVerdict verdict = order_verdict(player_);
    paragraph(verdict.rest, y + 4,
              verdict.colour == ReplyVerdict::Kind::right   ? t_.good
              : verdict.colour == ReplyVerdict::Kind::wrong ? t_.conflict
                                                            : t_.text);
    y += 10 + note_pitch * static_cast<float>(lines_of(verdict.rest).size());
    if (is_open)
      button({lesson_margin, y, (room_ - 8) / 2, 24}, tr("Answer"), "Enter", {Action::reply}, true,
             !reply.empty());
  }

  float order_height() const {
    constexpr float head = 30, row = 27, button_height = 30;
    return head + row * static_cast<float>(player_.ordering()->lines.size()) + 10 +
           note_pitch * static_cast<float>(lines_of(order_verdict(player_).rest).size()) +
           (player_.order_is_open() ? button_height : 0);
  }
  std::vector<std::string> lines_of(const std::string& note) const {
    return note.empty() ? std::vector<std::string>() : wrapped(note, 13.5f, Face::regular, room_);
  }

  void paragraph(const std::string& text, float y, Colour colour) {
    for (const std::string& line : lines_of(text)) {
      p_.text({lesson_margin, y + 8}, line, colour, 13.5f);
      y += note_pitch;
    }
  }

  void draw_end(float y) {
    const Lesson& l = player_.lesson();
    int right = 0;
    for (int s = 0; s < static_cast<int>(l.steps.size()); ++s)
      right += player_.outcome(s) == TaskOutcome::right;
    p_.text({lesson_margin, y + 16},
            tr("✓ Done: {} of {} right at the first try.", right, grouped(l.tasks())), t_.good, 14,
            Face::bold);
  }

  void buttons(float top) {
    p_.line({0, top + 6}, {p_.scene.width, top + 6}, t_.line);
    const float half = (room_ - 10) / 2;
    button({lesson_margin, top + 16, half, 30}, tr("Back"), "",
           {Action::lesson_step, player_.step_index() - 1}, false, player_.step_index() > 0);
    if (has_next_lesson())
      return button({lesson_margin + half + 10, top + 16, half, 30}, tr("Next lesson"), "Enter",
                    {Action::follow_lesson}, true, true);
    const bool works = !player_.is_open_task() && !player_.is_last();
    button({lesson_margin + half + 10, top + 16, half, 30}, tr("Next"),
           player_.is_open_task() ? tr("answer first") : "Enter",
           {Action::lesson_step, player_.step_index() + 1}, true, works);
  }

  const Session& session_;
  const LessonPlayer& player_;
  const LearnerProgress& progress_;
  const Theme& t_;
  const Point mouse_;
  float scroll_, text_height_ = 0;
  Pen p_;
  const float room_;
  LessonPanel made_;
};

}  // namespace

LessonPanel lesson_panel(const Session& session, const LessonPlayer& player, const LearnerProgress& progress,
                         const Theme& theme, float width, float height, Point mouse, int chosen,
                         float scroll) {
  LessonPicture picture(session, player, progress, theme, width, height, mouse, scroll);
  return player.is_open() ? std::move(picture).step() : std::move(picture).list(chosen);
}

}  // namespace upsweep
