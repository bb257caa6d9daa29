// Draws the help: one page of keys, and pages that explain colours and terms.
#include "panels/help.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "base/language.hpp"
#include "panels/keys.hpp"
#include "scene/paint.hpp"
#include "scene/pen.hpp"
#include "scene/wrap.hpp"
#include "words/glossary.hpp"

namespace upsweep {
namespace {

constexpr float help_margin = 32, help_top = 72, help_foot = 40;

// --- the colour samples that the help shows beside terms of the glossary

void notched_swatch(Pen& s, const Theme& t, Box b) {
  s.rect(b, t.conflict, 3);
  s.triangle({b.x + b.w - 6, b.y}, {b.x + b.w, b.y}, {b.x + b.w, b.y + 6}, t.panel);
}

constexpr struct Swatch {
  std::string_view term;
  void (*draw)(Pen&, const Theme&, Box);
} swatches[] = {
    {"blue, filled", [](Pen& s, const Theme& t, Box b) { s.rect(b, t.now, 3); }},
    {"blue, outlined",
     [](Pen& s, const Theme& t, Box b) {
       s.rect(b, {.fill = t.now_soft, .stroke = t.now, .width = 1.6f, .radius = 3});
     }},
    {"orange, notched corner", notched_swatch},
    {"purple, ×4",
     [](Pen& s, const Theme& t, Box b) {
       s.rect(b, t.broadcast, 3);
       s.text({b.x + b.w / 2, b.y + b.h / 2}, "×4", t.on_now, 9, Face::bold, Align::centre);
     }},
    {"hatched", [](Pen& s, const Theme& t,
                   Box b) { s.rect(b, {.stroke = t.faint_text, .width = 1, .radius = 3, .hatch = true}); }},
    {"dot",
     [](Pen& s, const Theme& t, Box b) {
       s.rect(b, t.line, 3);
       s.disc({b.x + b.w / 2, b.y + b.h / 2}, 2, t.faint_text);
     }},
    {"cross",
     [](Pen& s, const Theme& t, Box b) {
       s.cross({b.x + 4, b.y + 3, b.w - 8, b.h - 6}, t.faint_text, 1);
     }},
    {"grey", [](Pen& s, const Theme& t, Box b) { s.rect(b, t.ghost_text, 3); }},
};

// Returns the colour sample beside a term of the glossary, or null if the term has no sample. The samples
// belong to the first terms of the glossary, in the same order.
const Swatch* swatch_of(const GlossaryTerm& term) {
  const std::vector<GlossaryTerm>& coloured = glossary().front().terms;
  const std::ptrdiff_t at = &term - coloured.data();
  return at >= 0 && at < std::min(std::ssize(coloured), std::ssize(swatches)) ? &swatches[at] : nullptr;
}

// --- the glossary in columns and pages

constexpr float term_size = 12.5f, term_pitch = 17, between_terms = 4, heading_height = 30, swatch_room = 28;

// An entry of a column: a heading of the glossary, or the lines of one term.
struct Entry {
  std::string heading;
  const Swatch* swatch = nullptr;
  std::vector<std::vector<TextRun>> lines;
  bool begins_page = false;
  float height() const {
    return heading.empty() ? term_pitch * static_cast<float>(lines.size()) + between_terms : heading_height;
  }
};

struct PlacedEntry {
  int page, column;
  float y;
  Entry entry;
};

struct GlossaryPages {
  int columns = 1, pages = 1;
  int model_page = 0;           // the index of the first page of "What this model leaves out"
  float width = 0, height = 0;  // the size in logical pixels of the sheet on which the help is drawn
  float step = 0;               // the distance between columns in logical pixels
  std::vector<PlacedEntry> entries;
};

void add_entries(std::vector<Entry>& all, std::span<const GlossarySection> sections, float room) {
  for (const GlossarySection& section : sections) {
    all.push_back({section.title, nullptr, {}});
    for (const GlossaryTerm& term : section.terms) {
      const Swatch* swatch = swatch_of(term);
      const TextRun runs[] = {{term.term + tr(":"), Face::bold}, {term.meaning, Face::regular}};
      all.push_back({"", swatch, wrapped(runs, term_size, room - (swatch ? swatch_room : 0))});
    }
  }
}

std::vector<Entry> entries_of(float room) {
  std::vector<Entry> all;
  add_entries(all, glossary(), room);
  const std::size_t terms = all.size();
  add_entries(all, what_the_model_leaves_out(), room);
  if (terms < all.size()) all[terms].begins_page = true;
  return all;
}

// Fills the columns with terms, one column after another. A heading is never the last entry of a column.
GlossaryPages placed_glossary(float width, float height) {
  constexpr float most_width = 1500, least_column = 330;
  GlossaryPages all;
  all.width = std::min(width - 32, most_width);
  all.height = height - 32;
  const float inner = all.width - 2 * help_margin, bottom = all.height - help_foot;
  all.columns = std::max(1, static_cast<int>(inner / least_column));
  all.step = inner / static_cast<float>(all.columns);
  int column = 0;
  float y = help_top;
  const std::vector<Entry> entries = entries_of(all.step - 24);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const bool heads = !entries[i].heading.empty() && i + 1 < entries.size();
    const float needed = entries[i].height() + (heads ? entries[i + 1].height() : 0);
    if (entries[i].begins_page) {
      column = (column / all.columns + 1) * all.columns;
      y = help_top;
      all.model_page = column / all.columns;
    }
    if (y > help_top && y + needed > bottom) ++column, y = help_top;
    all.entries.push_back({column / all.columns, column % all.columns, y, entries[i]});
    y += entries[i].height();
  }
  all.pages = column / all.columns + 1;
  return all;
}

void draw_entry(Pen& s, const Theme& t, const Entry& entry, Point at, float room) {
  if (!entry.heading.empty()) {
    s.text({at.x, at.y + 10}, entry.heading, t.now, 13, Face::bold);
    s.line({at.x, at.y + 22}, {at.x + room, at.y + 22}, t.line);
    return;
  }
  float x0 = at.x;
  if (entry.swatch) {
    entry.swatch->draw(s, t, {x0, at.y + 1, 20, 14});
    x0 += swatch_room;
  }
  float y = at.y + term_pitch / 2;
  for (const std::vector<TextRun>& line : entry.lines) {
    float x = x0;
    for (const TextRun& run : line) {
      s.text({x, y}, run.text, run.face == Face::bold ? t.text : t.faint_text, term_size, run.face);
      x += advance(run, term_size);
    }
    y += term_pitch;
  }
}

// --- the page of keys

// Draws the page of keys. Each row is a button, so that the mouse can start every action that has a key.
void draw_keys(Pen& s, const Theme& t, Box sheet, std::vector<Button>& buttons) {
  constexpr float most_row = 26, key_width = 112;
  const bool low = sheet.h < 500;
  const float head = low ? 26 : 34, below = low ? 6 : 12;
  // The groups of keys in each of the three columns.
  constexpr std::string_view columns[][3] = {{tr_noop("Step"), tr_noop("Play"), tr_noop("Present")},
                                             {tr_noop("Choose"), tr_noop("Window"), ""},
                                             {tr_noop("Look"), tr_noop("Ask"), tr_noop("Time")}};
  const auto rows_of = [](std::string_view group) {
    return std::count_if(bindings().begin(), bindings().end(),
                         [&](const Binding& b) { return b.group == group; });
  };
  // In a small window, the distance between rows is smaller.
  float row = most_row;
  for (const auto& groups : columns) {
    float heads = 0, rows = 0;
    for (std::string_view g : groups) {
      if (g.empty()) continue;
      heads += head + below;
      rows += static_cast<float>(rows_of(g));
    }
    row = std::clamp((sheet.h - help_top - help_foot - heads) / rows, 8.5f, row);
  }
  const float step = (sheet.w - 2 * help_margin) / 3;
  float widest = 0;
  for (const Binding& b : bindings()) widest = std::max(widest, text_width(tr(b.what), 13, Face::regular));
  // If the columns are narrow, the letters are smaller.
  const float fit = std::min(1.0f, (step - 8) / (key_width + widest));
  for (std::size_t c = 0; c < std::size(columns); ++c) {
    const float x = sheet.x + help_margin + step * static_cast<float>(c);
    float y = sheet.y + help_top;
    for (std::string_view group : columns[c]) {
      if (group.empty()) continue;
      s.text({x, y + 8}, tr(group), t.now, 12, Face::bold);
      s.line({x, y + (low ? 17 : 22)}, {x + step - 24, y + (low ? 17 : 22)}, t.line);
      y += head;
      for (const Binding& b : bindings()) {
        if (b.group != group) continue;
        const float size = std::min(row < 16 ? 10.5f : 13.0f, 13 * fit);
        s.text({x, y + 6}, b.keys, t.text, size, Face::bold);
        s.text({x + key_width * fit, y + 6}, tr(b.what), t.faint_text, size);
        buttons.push_back({{x - 4, y + 6 - row / 2, step - 20, row}, {b.action, b.argument}, {}});
        y += row;
      }
      y += below;
    }
  }
  const char* const mouse =
      tr("Mouse: point to see meanings · click to go there · × takes a barrier out · wheel (or F6, PgDn): "
         "zoom the tree, scroll the source · drag: move the tree or a border");
  const float room = sheet.w - 2 * help_margin;
  s.text({sheet.x + help_margin, sheet.y + sheet.h - 24}, mouse, t.faint_text,
         12 * std::min(1.0f, room / text_width(mouse, 12, Face::regular)));
}

}  // namespace

int help_pages(float width, float height) { return 1 + placed_glossary(width, height).pages; }

Panel help_panel(const Theme& t, float width, float height, int page) {
  const GlossaryPages all = placed_glossary(width, height);
  const Box sheet{(width - all.width) / 2, (height - all.height) / 2, all.width, all.height};
  page = std::clamp(page, 0, all.pages);
  Pen s(width, height, Colour{0, 0, 0, static_cast<std::uint8_t>(t.dark ? 150 : 70)});
  Panel panel;
  panel.buttons.push_back({{0, 0, width, height}, {Action::help, 0}, {}});
  s.rect(sheet, {.fill = t.panel, .stroke = t.cell_stroke, .width = 1, .radius = 12});
  const auto title_of = [&](int i) -> std::string {
    return i == 0                    ? tr("Keyboard")
           : i == 1                  ? tr("Colours and terms")
           : i == all.model_page + 1 ? tr("What this model leaves out")
                                     : std::to_string(i);
  };
  float x = sheet.x + help_margin;
  const float y = sheet.y + 36, end = sheet.x + sheet.w - help_margin;
  // In a small window, the help has many pages, so the pages' names have smaller letters.
  constexpr float usual = 18, smallest = 9, usual_gap = 28;
  float widths = 0;
  for (int i = 0; i <= all.pages; ++i) widths += text_width(title_of(i), usual, Face::bold) + usual_gap;
  const float fit = std::clamp((end - x) / widths, smallest / usual, 1.0f), size = usual * fit,
              gap = usual_gap * fit;
  for (int i = 0; i <= all.pages; ++i) {
    const std::string title = title_of(i);
    const float w = text_width(title, size, Face::bold);
    s.text({x, y}, title, i == page ? t.text : t.faint_text, size, i == page ? Face::bold : Face::regular);
    if (i == page) s.line({x, y + 16}, {x + w, y + 16}, t.now, 2);
    panel.buttons.push_back({{x - gap / 3, y - 18, w + gap * 2 / 3, 36}, {Action::help_page, i}, {}});
    x += w + gap;
  }
  s.text({end, y},
         first_fitting({tr("← → turn the pages · Esc or F1 closes"), tr("Esc closes"), ""}, 12, Face::regular,
                       end - x),
         t.faint_text, 12, Face::regular, Align::right);
  if (page == 0) draw_keys(s, t, sheet, panel.buttons);
  for (const PlacedEntry& each : all.entries)
    if (each.page == page - 1)
      draw_entry(s, t, each.entry,
                 {sheet.x + help_margin + all.step * static_cast<float>(each.column), sheet.y + each.y},
                 all.step - 24);
  panel.scene = std::move(s.scene);
  return panel;
}

bool has_swatch(std::string_view term) {
  return std::ranges::any_of(swatches, [&](const Swatch& each) { return each.term == term; });
}

}  // namespace upsweep
