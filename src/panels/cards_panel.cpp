#include "panels/cards_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/language.hpp"
#include "lessons/course.hpp"
#include "lessons/stage.hpp"
#include "scene/paint.hpp"
#include "study/recording.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

constexpr std::size_t most_bars = 40;

std::vector<double> counts_of(const Recording& r, std::string& what) {
  const bool has_shared = r.facts.totals.any_shared();
  what = has_shared ? tr("wavefronts, step by step") : tr("warps that work, step by step");
  std::vector<double> all;
  for (const StepFacts& s : r.facts.steps)
    all.push_back(
        has_shared ? static_cast<double>(s.totals.shared_load.wavefronts + s.totals.shared_store.wavefronts)
                   : static_cast<double>(s.working_warps));
  return all;
}

std::vector<float> scaled(const std::vector<double>& counts, double most) {
  std::vector<float> bars;
  for (std::size_t i = 0; i < std::min(most_bars, counts.size()); ++i)
    bars.push_back(most > 0 ? static_cast<float>(counts[i] / most) : 0);
  return bars;
}

CardPicture picture_of(const ShowBlock& show, Job& job) {
  CardPicture picture;
  const Recording recording = recording_for(show, {}, job);
  picture.shown = place_of(show, recording).step.value_or(-1);
  const std::vector<double> counts = counts_of(recording, picture.what);
  std::vector<double> others;
  if (!show.compare.empty()) {
    const RunRequest other = compared_run(show, {});
    others = counts_of(
        make_recording(open_machine(other.machine)->record(other.settings, other.inputs(), {}), &job),
        picture.what);
  }
  double most = 0;
  for (const std::vector<double>* list : {&counts, &std::as_const(others)})
    for (const double c : *list) most = std::max(most, c);
  picture.bars = scaled(counts, most);
  picture.others = scaled(others, most);
  return picture;
}

}  // namespace

std::vector<CardPicture> card_pictures(Job& job) {
  std::vector<CardPicture> all;
  for (const ReadLesson& card : shipped_cards()) {
    job.check();
    CardPicture picture;
    try {
      for (const LessonStep& step : card.lesson.steps)
        if (step.show && picture.bars.empty()) picture = picture_of(*step.show, job);
    } catch (const Error&) {}  // ignores the error: a card without a picture can still open its lesson
    all.push_back(std::move(picture));
  }
  return all;
}

namespace {

// Says where the start page draws its parts.
struct CardsLayout {
  bool tiny, low;  // `tiny`: the window is very low; `low`: the window is low
  std::size_t columns;
  float gap, content, left, card_width, head, below, card_height, used, top;
};
CardsLayout cards_layout(float width, float height) {
  const auto& cards = shipped_cards();
  const bool tiny = height < 500, low = height < 640;
  const std::size_t columns = width >= 900 ? 3 : 2, rows = (cards.size() + columns - 1) / columns;
  const float gap = tiny  ? 10
                    : low ? 16
                          : 28,
              content = std::min(width - 96, 1500.0f), left = (width - content) / 2;
  const float card_width = (content - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
  const float head = tiny ? 66 : low ? 96 : 132, below = tiny ? 58 : low ? 76 : 110;
  const float card_height = std::clamp(
      (height - head - below - gap * static_cast<float>(rows - 1)) / static_cast<float>(rows), 84.0f, 270.0f);
  const float used =
      head + below + card_height * static_cast<float>(rows) + gap * static_cast<float>(rows - 1);
  const float top = std::max(0.0f, (height - used) / 3);
  return {tiny, low, columns, gap, content, left, card_width, head, below, card_height, used, top};
}

void draw_cards_title(Pen& p, const Theme& t, const CardsLayout& l) {
  const auto& [tiny, low, columns, gap, content, left, card_width, head, below, card_height, used, top] = l;
  p.text({left, top + (tiny  ? 24
                       : low ? 38
                             : 54)},
         tr("What do you want to understand?"), t.text, low ? 26.0f : 34.0f, Face::bold);
  p.text(
      {left, top + (tiny  ? 50
                    : low ? 70
                          : 94)},
      tr("Each card opens a recording at an instructive step. Recordings come from this computer or from an "
         "NVIDIA GPU."),
      t.faint_text, low ? 14.0f : 16.0f);
}

void draw_cards(Pen& p, Panel& panel, const Theme& t, const CardsLayout& l,
                const std::vector<CardPicture>& pictures, Point mouse, int chosen) {
  const auto& cards = shipped_cards();
  const auto& [tiny, low, columns, gap, content, left, card_width, head, below, card_height, used, top] = l;
  const Colour accents[] = {t.conflict, t.now, t.broadcast, t.good};
  constexpr int accent_of[] = {0, 1, 2, 3, 1, 0};
  for (std::size_t i = 0; i < cards.size(); ++i) {
    const Lesson& card = cards[i].lesson;
    const Box b{left + static_cast<float>(i % columns) * (card_width + gap),
                top + head + static_cast<float>(i / columns) * (card_height + gap), card_width, card_height};
    const Colour accent = accents[accent_of[i % std::size(accent_of)]];
    const bool is_chosen = static_cast<int>(i) == chosen, is_hot = b.contains(mouse);
    p.rect(b, {.fill = is_hot ? t.cell : t.panel,
               .stroke = is_chosen || is_hot ? accent : t.line,
               .width = is_chosen ? 2.0f : 1.0f,
               .radius = 10});
    p.rect({b.x, b.y, b.w, 6}, accent, 3);
    const float inner = b.w - 44;
    float y = b.y + (low ? 32 : 44);
    for (const std::string& line : wrapped(card.title, low ? 17 : 20, Face::bold, inner)) {
      p.text({b.x + 22, y}, line, t.text, low ? 17.0f : 20.0f, Face::bold);
      y += low ? 22 : 26;
    }
    if (y + 16 < b.y + b.h - 24)
      p.text({b.x + 22, y + 2}, cut(card.about, 14, Face::regular, inner), t.faint_text, 14);
    const float foot = b.y + b.h - (low ? 16 : 22);
    p.text({b.x + 22, foot}, tr("{} min", card.minutes), t.faint_text, 13);
    if (i < pictures.size() && !pictures[i].bars.empty()) {
      const CardPicture& picture = pictures[i];
      const float bars_top = y + 22, bars_bottom = foot - 16,
                  full = std::max(0.0f, std::min(90.0f, bars_bottom - bars_top));
      const auto count = static_cast<float>(picture.bars.size());
      const float pitch = inner / count, bar = std::min(28.0f, pitch * 0.78f);
      const bool compares = !picture.others.empty();
      for (std::size_t s = 0; s < picture.bars.size(); ++s) {
        const float x = b.x + 22 + pitch * static_cast<float>(s);
        const bool is_shown = static_cast<int>(s) == picture.shown;
        const float h = std::max(2.0f, full * picture.bars[s]);
        p.rect({x, bars_bottom - h, bar, h}, faded(accent, is_shown && !compares ? 1.0f : 0.3f), 2);
        if (compares && s < picture.others.size()) {
          const float other = std::max(2.0f, full * picture.others[s]);
          p.rect({x, bars_bottom - other, bar, other}, accent, 2);
        }
      }
      p.text({b.x + b.w - 22, foot}, picture.what, t.faint_text, 12, Face::regular, Align::right);
    }
    panel.buttons.push_back({b, {Action::open_card, static_cast<int>(i)}, {}});
  }
}

// Draws the row of buttons below the cards. Returns the y of this row.
float draw_offers(Pen& p, Panel& panel, const Theme& t, const CardsLayout& l, Point mouse) {
  const auto& [tiny, low, columns, gap, content, left, card_width, head, below, card_height, used, top] = l;
  float x = left;
  const float y = top + used - below + (tiny ? 22 : low ? 34 : 48);
  const float size = 15;
  const auto offer = [&](const std::string& text, const std::string& key, Command command) {
    const float w = text_width(text, size, Face::regular) + 12 + text_width(key, size, Face::bold);
    const Box b{x - 8, y - 16, w + 16, 32};
    if (b.contains(mouse)) p.rect(b, t.cell, 4);
    p.text({x, y}, text, t.text, size);
    p.text({x + w, y}, key, t.now, size, Face::bold, Align::right);
    panel.buttons.push_back({b, command, {}});
    x += w + 36;
  };
  std::size_t lessons = 0;
  for (const ReadLesson& l : shipped_lessons()) lessons += l.lesson.kind == Lesson::Kind::lesson;
  offer(tr("The course, {}", counted(static_cast<std::int64_t>(lessons), "lesson")), "F2", {Action::lessons});
  offer(tr("An algorithm"), "A", {Action::field, static_cast<int>(Field::algorithm)});
  offer(tr("My own data"), "D", {Action::field, static_cast<int>(Field::data)});
  offer(tr("The window"), "Esc", {Action::start});
  return y;
}

// Draws the names of the files that were opened last, below y.
void draw_recent(Pen& p, Panel& panel, const Theme& t, const CardsLayout& l, const RecentFiles& recent,
                 Point mouse, float y) {
  const auto& [tiny, low, columns, gap, content, left, card_width, head, below, card_height, used, top] = l;
  const float last = y + (tiny ? 24.0f : 32.0f);
  if (recent.names().empty()) {
    p.text({left, last},
           tr("Next time, Upsweep opens the last run. F3 shows this page; F1 shows the keys and terms."),
           t.faint_text, 13.5f);
  } else {
    p.text({left, last}, tr("Recent files"), t.faint_text, 13.5f);
    float at = left + text_width(tr("Recent files"), 13.5f, Face::regular) + 16;
    for (std::size_t i = 0; i < recent.names().size(); ++i) {
      const std::string name = std::filesystem::path(recent.names()[i]).filename().string();
      const float w = text_width(name, 13.5f, Face::regular);
      if (at + w > left + content) break;
      const Box b{at - 6, last - 12, w + 12, 24};
      if (b.contains(mouse)) p.rect(b, t.cell, 4);
      p.text({at, last}, name, t.now, 13.5f);
      panel.buttons.push_back({b, {Action::open_recent, static_cast<int>(i)}, recent.names()[i]});
      at += w + 24;
    }
  }
}

}  // namespace

Panel cards_panel(const Theme& t, float width, float height, const std::vector<CardPicture>& pictures,
                  const RecentFiles& recent, Point mouse, int chosen) {
  Pen p(width, height, t.background);
  Panel panel;
  p.rect({0, 0, width, height}, t.background);
  const CardsLayout l = cards_layout(width, height);
  draw_cards_title(p, t, l);
  draw_cards(p, panel, t, l, pictures, mouse, chosen);
  draw_recent(p, panel, t, l, recent, mouse, draw_offers(p, panel, t, l, mouse));
  panel.scene = std::move(p.scene);
  return panel;
}

}  // namespace upsweep
