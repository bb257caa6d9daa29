#include "panels/lesson_lines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/language.hpp"
#include "scene/paint.hpp"

namespace upsweep {
namespace {

constexpr float text_size = 14.5f, heading_size = 16, text_pitch = 21, paragraph_gap = 10;
constexpr float mistake_size = 13, mistake_pitch = 18;
constexpr std::size_t most_mistakes = 4;

void add_text(LessonLines& all, const LessonText& text, const Theme& t, float room) {
  using Kind = LessonText::Kind;
  float& y = all.height;
  if (text.kind == Kind::code) {
    constexpr float indent = 10;
    for (const TextRun& run : text.runs) {
      all.lines.push_back({indent,
                           y,
                           lesson_code_size,
                           {{cut(run.text, lesson_code_size, Face::mono, room - indent), Face::mono}},
                           t.text});
      y += lesson_code_size + 5;
    }
  } else {
    const bool is_heading = text.kind == Kind::heading;
    const float size = is_heading ? heading_size : text_size;
    const float indent = text.kind == Kind::item ? 20 : 0;
    if (indent > 0)
      all.lines.push_back({text.number > 0 ? 0.0f : 6.0f,
                           y,
                           size,
                           {{text.number > 0 ? fmt::format("{}.", text.number) : "•", Face::regular}},
                           t.faint_text});
    std::vector<TextRun> runs = text.runs;
    if (is_heading)
      for (TextRun& r : runs) r.face = Face::bold;
    for (auto& line : wrapped(runs, size, room - indent)) {
      all.lines.push_back({indent, y, size, std::move(line), t.text});
      y += text_pitch + (is_heading ? 3 : 0);
    }
  }
  y += paragraph_gap;
}

}  // namespace

LessonLines lesson_lines(const LessonStep& step, const std::vector<Mistake>& mistakes, const Theme& t,
                         float room) {
  LessonLines all;
  all.height = 8;
  for (std::size_t i = 0; i < std::min(most_mistakes, mistakes.size()); ++i)
    for (const std::string& line :
         wrapped(tr("Line {}: {}", mistakes[i].line, mistakes[i].text), mistake_size, Face::regular, room)) {
      all.lines.push_back({0, all.height, mistake_size, {{line, Face::regular}}, t.conflict});
      all.height += mistake_pitch;
    }
  for (const LessonText& text : step.texts) add_text(all, text, t, room);
  return all;
}

}  // namespace upsweep
