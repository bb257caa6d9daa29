#include "panels/question_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "base/language.hpp"
#include "panels/reply_verdict.hpp"
#include "scene/paint.hpp"
#include "scene/wrap.hpp"
#include "words/names.hpp"
#include "words/question_words.hpp"

namespace upsweep {
namespace {

using Stage = Questioning::Stage;

// The mark of one place or choice of a question. `chosen` is used before the answer is shown. `right`,
// `wrong` and `missing` are used afterwards. `missing` marks a correct place that the learner did not choose.
enum class Standing { none, chosen, right, wrong, missing };

bool has(const std::vector<std::int64_t>& numbers, std::int64_t number) {
  return std::ranges::find(numbers, number) != numbers.end();
}

Standing mark_of(const Questioning& q, std::int64_t number) {
  const bool is_chosen = has(q.reply().numbers, number);
  if (q.stage() == Stage::shown) {
    const bool is_right = has(q.question().answer.numbers, number);
    if (is_chosen) return is_right ? Standing::right : Standing::wrong;
    return is_right ? Standing::missing : Standing::none;
  }
  return is_chosen ? Standing::chosen : Standing::none;
}

// Draws a sign at the upper right corner of a box: a tick for a correct place, a cross for a wrong place, or
// a ring for a correct place that the learner did not choose.
void draw_sign(Pen& p, const Theme& t, const Box& box, Standing mark) {
  const Point c{box.x + box.w - 1, box.y + 1};
  constexpr float r = 6;
  const Colour ground = mark == Standing::wrong   ? t.conflict
                        : mark == Standing::right ? t.good
                                                  : t.background;
  if (mark == Standing::none || mark == Standing::chosen) return;
  p.rect({c.x - r, c.y - r, 2 * r, 2 * r},
         {.fill = ground, .stroke = mark == Standing::missing ? t.good : ground, .width = 2, .radius = r});
  const Colour ink = t.background;
  if (mark == Standing::right) {
    p.line({c.x - 3, c.y}, {c.x - 1, c.y + 2.5f}, ink, 1.5f);
    p.line({c.x - 1, c.y + 2.5f}, {c.x + 3, c.y - 2.5f}, ink, 1.5f);
  } else if (mark == Standing::wrong) {
    p.line({c.x - 2.5f, c.y - 2.5f}, {c.x + 2.5f, c.y + 2.5f}, ink, 1.5f);
    p.line({c.x - 2.5f, c.y + 2.5f}, {c.x + 2.5f, c.y - 2.5f}, ink, 1.5f);
  }
}

Colour stroke_of(const Theme& t, Standing mark) {
  switch (mark) {
    case Standing::none: return t.line;
    case Standing::chosen: return t.now;
    case Standing::wrong: return t.conflict;
    case Standing::right:
    case Standing::missing: return t.good;
  }
  return t.line;
}

class QuestionPicture {
 public:
  QuestionPicture(const Session& session, const Theme& t, float width, float height, Point mouse)
      : session_(session),
        q_(session.questioning()),
        t_(t),
        mouse_(mouse),
        p_(width, height),
        margin_(margin_of(width)),
        narrow_(width < narrow_question),
        low_(!narrow_ && (height < roomy || session.looks.presentation)),
        buttons_width(session.looks.presentation ? 150.0f : 190.0f) {}

  Panel draw() && {
    const float right = p_.scene.width - margin_;
    const std::string& notice = q_.notice();
    // In a narrow panel, the notice has room only below the answers.
    const bool is_above = !notice.empty() && !narrow_;
    p_.text({margin_, 15}, cut(is_above ? notice : heading(), 12.5f, Face::regular, right - margin_),
            is_above ? t_.conflict : t_.faint_text, 12.5f);
    if (!session_.looks.presentation && !q_.is_posed() && q_.score().asked > 0)
      p_.text({right, 15}, tr("{} of {} right at the first try", q_.score().right, q_.score().asked),
              t_.faint_text, 12.5f, Face::regular, Align::right);
    if (q_.stage() == Stage::looking || q_.stage() == Stage::none) {
      if (narrow_) p_.scene.height = 64;
      p_.text({margin_, 44},
              q_.stage() == Stage::none && q_.is_posed() ? tr("This question does not fit the shown run.")
              : q_.stage() == Stage::none
                  ? tr("This run has no question: choose another algorithm or another size.")
                  : tr("Looking for a question …"),
              t_.text, 15);
      if (!narrow_) buttons(34);
      return std::move(panel_with_scene());
    }
    // In a wide panel, the buttons are at the right of the text.
    const float room = narrow_ ? right - margin_ : right - margin_ - buttons_width - 20;
    const float size = session_.looks.presentation ? 17.0f : low_ || narrow_ ? 14.5f : 15.5f;
    const std::string text = question_text(q_.question(), *q_.whole());
    const std::size_t most = narrow_ ? 12 : 4;
    const float y = answers(paragraph(text, margin_, 35, room, size, Face::bold, most) - size / 2 + 2, room);
    const float below = narrow_ && !notice.empty()
                            ? paragraph(notice, margin_, y + 10, room, 13, Face::regular, 6, t_.conflict)
                            : verdict(y, room);
    buttons(narrow_ ? below : 34);
    return std::move(panel_with_scene());
  }

 private:
  static constexpr float roomy = 150;

  Panel& panel_with_scene() {
    panel_.scene = std::move(p_.scene);
    return panel_;
  }

  std::string heading() const {
    if (q_.is_posed())
      return q_.stage() == Stage::shown                                  ? tr("The answer")
             : q_.stage() == Stage::looking || q_.stage() == Stage::none ? tr("Question")
             : q_.question().form != AnswerForm::places                  ? tr("Answer, then press Enter")
                                                        : tr("Click in the picture, then press Enter");
    if (q_.number() == 0) return tr("Question");
    const std::string what =
        q_.stage() == Stage::shown ? tr("the answer is shown")
        : q_.question().step < 0   ? tr("answer, then press Enter")
        : q_.question().form == AnswerForm::places && q_.question().place_of != PlaceOf::elements
            ? tr("what comes next is hidden; click the answer in the picture or below, then press Enter")
        : q_.question().form == AnswerForm::places
            ? tr("what comes next is hidden; click the answer in the picture, then press Enter")
            : tr("what comes next is hidden; type the answer, then press Enter");
    return tr("Question {}   {}", q_.number(), what);
  }

  // Draws a text in at most `most` lines, the first line at `y`. Text between backquotes has the font of
  // code. Returns the y below the last line.
  float paragraph(const std::string& text, float x, float y, float room, float size, Face face,
                  std::size_t most, std::optional<Colour> colour = {}) {
    std::vector<std::vector<TextRun>> lines = wrapped(runs_with_code(text, face), size, room);
    if (lines.size() > most) {
      lines.resize(most);
      lines.back().back().text += " …";
    }
    for (const auto& line : lines) {
      float at = x;
      for (const TextRun& run : line) {
        const std::string shown = cut(run.text, size, run.face, x + room - at);
        p_.text({at, y}, shown, colour.value_or(t_.text), size, run.face);
        at += advance(run, size);
      }
      y += size + 6;
    }
    return y;
  }

  void box(const Box& b, const std::string& text, Standing mark, const Command& command,
           const std::string& tip, float size) {
    const bool hot = b.contains(mouse_) && q_.is_open();
    p_.rect(b, {.fill = mark == Standing::chosen ? t_.now_soft
                        : hot                    ? t_.cell
                                                 : t_.panel,
                .stroke = stroke_of(t_, mark),
                .width = mark == Standing::none ? 1.0f : 2.0f,
                .radius = 4});
    p_.text({b.x + b.w / 2, b.y + b.h / 2}, cut(text, size, Face::regular, b.w - 4), t_.text, size,
            mark == Standing::none ? Face::regular : Face::bold, Align::centre);
    draw_sign(p_, t_, b, mark);
    if (q_.is_open()) panel_.buttons.push_back({b, command, tip});
  }

  // Draws the possible answers. If there are too many answers, draws a text field instead. Returns the y
  // below the answers.
  float answers(float y, float room) {
    const Question& q = q_.question();
    const float height = low_ || narrow_ ? 22.0f : 26.0f;
    if (q.form == AnswerForm::choice) return choices(y, room, height);
    const auto& all = q.form == AnswerForm::places ? q.places : q.choices;
    constexpr std::size_t most = 32;
    if (q.form == AnswerForm::value || all.empty() || all.size() > most || q.place_of == PlaceOf::elements)
      return typed(y, room, height);
    const bool with_none =
        q.form == AnswerForm::places && (q.place_of == PlaceOf::warps || q.place_of == PlaceOf::lanes);
    const float none = with_none ? 56.0f : 0;
    // Boxes that do not fit into one row are in two rows.
    constexpr float least_box = 24;
    const auto count = static_cast<float>(all.size());
    float in_row = count;
    while (in_row > 2 && (room - none) / in_row < least_box) in_row = std::ceil(in_row / 2);
    const float width = std::min(44.0f, (room - none) / in_row);
    float x = margin_;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i > 0 && i % static_cast<std::size_t>(in_row) == 0) x = margin_, y += height + 4;
      box({x, y, width - 3, height}, fmt::to_string(all[i]), mark_of(q_, all[i]),
          {Action::mark, static_cast<int>(all[i])}, tr("Choose ") + fmt::to_string(all[i]), 13);
      x += width;
    }
    if (with_none) {
      const bool says = q_.says_none();
      const bool is_right = q.answer.numbers.empty();
      const Standing mark = q_.stage() != Stage::shown ? (says ? Standing::chosen : Standing::none)
                            : says                     ? (is_right ? Standing::right : Standing::wrong)
                                                       : (is_right ? Standing::missing : Standing::none);
      box({x + 6, y, none - 8, height}, tr("none"), mark, {Action::mark_none}, tr("None of the places   −"),
          13);
    }
    return y + height + 4;
  }

  float choices(float y, float room, float height) {
    const Question& q = q_.question();
    // A presentation has room for three narrow columns.
    const bool presents = session_.looks.presentation;
    const float size = presents ? 12 : 13;
    float widest = 0;
    for (std::size_t i = 0; i < q.choices.size(); ++i)
      widest = std::max(widest, text_width(label(i), size, Face::bold) + (presents ? 12.0f : 24.0f));
    const auto columns = std::max<std::size_t>(1, static_cast<std::size_t>(room / widest));
    const float width = std::min(room, widest);
    const std::size_t rows = (q.choices.size() + columns - 1) / columns;
    // The judgement needs two lines. If the answers leave no room for these lines, only the marked answers
    // keep their text.
    const float for_verdict = q_.stage() == Stage::again || q_.stage() == Stage::shown ? 40.0f : 0.0f;
    if (!narrow_ && y + static_cast<float>(rows) * (height + 3) + for_verdict > p_.scene.height)
      return short_choices(y, room, height, size);
    for (std::size_t i = 0; i < q.choices.size(); ++i) {
      const Box b{margin_ + static_cast<float>(i % columns) * (width + 6),
                  y + static_cast<float>(i / columns) * (height + 3), width, height};
      box(b, label(i), mark_of(q_, q.choices[i]), {Action::mark, static_cast<int>(q.choices[i])},
          capitalised(choice_text(q, q.choices[i])) + "   " + fmt::to_string(i + 1), size);
    }
    return y + static_cast<float>(rows) * (height + 3);
  }
  // Draws the choices side by side, in as many lines as needed. A choice without a mark shows only its
  // number.
  float short_choices(float y, float room, float height, float size) {
    const Question& q = q_.question();
    float x = margin_;
    for (std::size_t i = 0; i < q.choices.size(); ++i) {
      const Standing mark = mark_of(q_, q.choices[i]);
      const std::string text = mark == Standing::none ? fmt::to_string(i + 1) : label(i);
      const float width = std::min(room, std::max(28.0f, text_width(text, size, Face::bold) + 16));
      if (x > margin_ && x + width > margin_ + room) x = margin_, y += height + 3;
      box({x, y, width, height}, text, mark, {Action::mark, static_cast<int>(q.choices[i])},
          capitalised(choice_text(q, q.choices[i])) + "   " + fmt::to_string(i + 1), size);
      x += width + 6;
    }
    return y + height + 3;
  }
  std::string label(std::size_t i) const {
    const Question& q = q_.question();
    return fmt::format("{}  {}", i + 1, choice_text(q, q.choices[i]));
  }

  // Draws a field with the text that the learner typed, or with the numbers of the places that the learner
  // marked.
  float typed(float y, float room, float height) {
    const Question& q = q_.question();
    const Box b{margin_, y, std::min(room, 420.0f), height};
    p_.rect(b, {.fill = t_.panel, .stroke = q_.is_open() ? t_.now : t_.line, .width = 1, .radius = 4});
    std::string text = q_.typed();
    if (text.empty() && !q_.reply().numbers.empty()) text = reply_text(q, q_.reply(), *q_.whole());
    if (text.empty() && q_.says_none()) text = tr("none");
    if (text.empty() && q_.is_open())
      p_.text(
          {b.x + 10, b.y + b.h / 2},
          q.form == AnswerForm::value ? tr("type the value") : tr("click, or type numbers, such as 3 or 0-7"),
          t_.faint_text, 13);
    else p_.text({b.x + 10, b.y + b.h / 2}, cut(text, 14, Face::regular, b.w - 20), t_.text, 14);
    return y + height + 4;
  }

  // Draws the judgement of the reply, with a reason. Returns the y below the judgement.
  float verdict(float y, float room) {
    const ReplyVerdict v = verdict_of(q_);
    if (v.word.empty()) return y;
    const Colour colour = v.colour == ReplyVerdict::Kind::right   ? t_.good
                          : v.colour == ReplyVerdict::Kind::wrong ? t_.conflict
                                                                  : t_.text;
    const float size = 13.5f, begin = margin_ + text_width(v.word, size, Face::bold) + 8;
    p_.text({margin_, y + 10}, v.word, colour, size, Face::bold);
    constexpr float gap_below = 6;  // the gap between the judgement and the controls below
    const float lines = narrow_ ? 20 : (p_.scene.height + gap_below - (y + 10)) / (size + 6);
    return paragraph(v.rest, begin, y + 10, room - (begin - margin_), size, Face::regular,
                     static_cast<std::size_t>(std::max(1.0f, std::floor(lines))));
  }

  // Draws the buttons one below another. In a narrow panel, draws the buttons side by side, and ends the
  // panel below the buttons.
  void buttons(float y) {
    struct Word {
      std::string text, key;
      Command command;
    };
    std::vector<Word> words;
    if (q_.is_open() && q_.is_posed()) {
      words = {{tr("Answer"), "Enter", {Action::reply}}};
      if (q_.tries() > 0) words.push_back({tr("Show the answer"), "", {Action::show_reply}});
    } else if (q_.is_open()) {
      words = {{tr("Answer"), "Enter", {Action::reply}},
               {tr("Show the answer"), "", {Action::show_reply}},
               {tr("Another question"), "", {Action::next_question}}};
    } else if (q_.stage() == Stage::shown && !q_.is_posed()) {
      words = {{tr("Next question"), "Enter", {Action::reply}}};
    }
    if (!q_.is_posed()) words.push_back({tr("End"), "Q", {Action::ask}});
    const float pitch = low_ ? 24.0f : 28.0f;
    const float width = narrow_ ? (p_.scene.width - 2 * margin_ - 8) / 2 : buttons_width;
    float x = narrow_ ? margin_ : p_.scene.width - margin_ - buttons_width;
    if (narrow_) p_.scene.height = words.empty() ? y + 4 : y + pitch + 8;
    for (const Word& w : words) {
      const Box b{x, y, width, pitch - 4};
      const bool main = w.command.action == Action::reply;
      p_.rect(b, {.fill = main                 ? t_.now
                          : b.contains(mouse_) ? t_.cell
                                               : t_.panel,
                  .stroke = main ? t_.now : t_.line,
                  .width = 1,
                  .radius = 4});
      const Colour ink = main ? t_.on_now : t_.text;
      p_.text({b.x + 10, b.y + b.h / 2}, w.text, ink, 13, main ? Face::bold : Face::regular);
      p_.text({b.x + b.w - 10, b.y + b.h / 2}, w.key, main ? ink : t_.faint_text, 12, Face::regular,
              Align::right);
      panel_.buttons.push_back({b, w.command, w.key.empty() ? w.text : w.text + "   " + w.key});
      if (narrow_) x += width + 8;
      else y += pitch;
    }
  }

  const Session& session_;
  const Questioning& q_;
  const Theme& t_;
  const Point mouse_;
  Pen p_;
  const float margin_;
  const bool narrow_, low_;
  const float buttons_width;
  Panel panel_;
};

}  // namespace

std::string verdict_text(const Questioning& questioning) {
  const ReplyVerdict v = verdict_of(questioning);
  return v.word.empty() ? std::string() : v.word + " " + v.rest;
}

float question_height(float window_height) {
  constexpr float low_window = 800;
  return window_height < low_window ? 148.0f : 172.0f;
}

Panel question_panel(const Session& session, const Theme& theme, float width, float height, Point mouse) {
  return QuestionPicture(session, theme, width, height, mouse).draw();
}

Scene reply_marks(const Session& session, const Scene& scene, const Theme& t) {
  Pen p(scene.width, scene.height);
  const Questioning& q = session.questioning();
  if ((!q.is_open() && q.stage() != Questioning::Stage::shown) || q.question().form != AnswerForm::places)
    return std::move(p.scene);
  for (const Scene::Target& target : scene.targets) {
    const auto place = place_in(q.question(), session.recording(), target.id);
    if (!place) continue;
    const Standing mark = mark_of(q, *place);
    if (mark == Standing::none) continue;
    const Box& b = target.box;
    p.rect({b.x - 1, b.y - 1, b.w + 2, b.h + 2}, {.stroke = stroke_of(t, mark), .width = 2.5f, .radius = 3});
    if (b.w >= 10 && b.h >= 10) draw_sign(p, t, b, mark);
  }
  return std::move(p.scene);
}

}  // namespace upsweep
