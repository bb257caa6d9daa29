#include "panels/timing_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/language.hpp"
#include "scene/charts/chart_axes.hpp"
#include "scene/charts/chart_marks.hpp"
#include "scene/paint.hpp"
#include "scene/wrap.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

constexpr float small = 12, space = 14;

class HeaderPicture {
 public:
  HeaderPicture(const TimingHeader& in, const Theme& theme, float width, Point mouse)
      : in_(in), t_(theme), mouse_(mouse), s_(width, timing_header_height, theme.background), width_(width) {}

  Panel draw() {
    first_ = margin_of(width_);
    end_ = width_ - first_;
    title();
    save_button(measure_button());
    const float tabs = chart_tabs();
    sources(tabs - space);
    detail();
    return {std::move(s_.scene), std::move(buttons_)};
  }

 private:
  bool lit(const Box& box) const { return box.contains(mouse_); }

  // Draws a word that is a button. Returns the width of the word.
  float word(Point at, const std::string& words, Command command, const std::string& tip, bool chosen) {
    const Face face = chosen ? Face::bold : Face::regular;
    const float w = text_width(words, small, face);
    const Box box{at.x - 5, at.y - 11, w + 10, 22};
    s_.text(at, words, lit(box) ? t_.now : chosen ? t_.text : t_.faint_text, small, face);
    buttons_.push_back({box, command, tip});
    return w;
  }

  void title() {
    float x = first_;
    // The tabs have the same places as the tabs in a view's title bar, see Title::tabs_before.
    if (in_.beside_work) {
      const std::string words = tr("Work and steps");
      const Box box{x - tab_gap / 2, 8, text_width(words, title_size, Face::bold) + tab_gap, 24};
      s_.text({x, 20}, words, lit(box) ? t_.now : t_.faint_text, tab_size);
      buttons_.push_back({box, {Action::timing_tab, 0}, words});
      x += box.w;
    }
    s_.text({x, 20}, tr("Timing"), t_.text, title_size, Face::bold);
    title_end_ = x + text_width(tr("Timing"), title_size, Face::bold);
    // The name of the key is at the left of the title. If there is a tab at the left of the title, the name
    // of the key is at the right of the title and a little higher, as in the title bars of views.
    const Box key =
        in_.beside_work ? Box{title_end_, 3, 16, 16} : Box{width_ < 640 ? -1.0f : 3.0f, 12, 16, 16};
    if (in_.large) s_.rect(key, t_.now_soft, 4);
    s_.text({key.x + 8, key.y + 8}, "C", in_.large || lit(key) ? t_.now : t_.faint_text, 10, Face::bold,
            Align::centre);
    buttons_.push_back(
        {key, {Action::timing_large, 0}, in_.large ? tr("Show all views   C") : tr("Enlarge timing   C")});
  }

  // Draws the button "Save" at the left of `end`, if there are times and enough room.
  void save_button(float end) {
    const float w = text_width(tr("Save"), small, Face::regular);
    const float x = end - space - w;
    if (!in_.model.source() || x < title_end_ + space) return;
    word({x, 20}, tr("Save"), {Action::save_chart, 0}, tr("Save this chart as SVG and PDF"), false);
  }

  // Draws the button that begins or cancels a measurement. Returns the x of the button's left end.
  float measure_button() {
    const bool measuring = in_.model.measuring();
    const std::string words = !measuring               ? tr("Measure here")
                              : in_.model.cancelling() ? tr("Ending")
                                                       : tr("Cancel");
    const float w = text_width(words, small, Face::bold) + 16 + 20;
    const Box box{end_ - w, 8, w, 24};
    const bool on = lit(box);
    s_.rect(box, {.fill = on          ? t_.now_soft
                          : measuring ? t_.conflict_soft
                                      : t_.panel,
                  .stroke = on ? t_.now : t_.cell_stroke,
                  .width = 1,
                  .radius = 6});
    s_.text({box.x + 10, 20}, words, t_.text, small, Face::bold);
    s_.text({box.x + w - 10, 20}, "S", t_.faint_text, small, Face::regular, Align::right);
    buttons_.push_back(
        {box,
         {Action::measure, 0},
         measuring
             ? tr("Cancel, and keep the results so far   S")
             : tr("Measure this kernel, the other compared variant, CUB and the CPU on this computer   S")});
    return box.x;
  }

  // Draws the tabs of the charts from right to left. Returns the x of the leftmost tab.
  float chart_tabs() {
    float x = end_;
    for (int i = 2; i >= 0; --i) {
      const bool chosen = static_cast<int>(in_.model.chart) == i;
      const std::string words = capitalised(std::string(tr(timing_chart_names[i])));
      x -= text_width(words, small, chosen ? Face::bold : Face::regular);
      word({x, 46}, words, {Action::choose_chart, i}, words + tr("   Shift C for the next chart"), chosen);
      if (chosen) s_.line({x, 56}, {x + text_width(words, small, Face::bold), 56}, t_.now, 2);
      x -= space;
    }
    return x + space;
  }

  // Draws the mark of a source: a disc if the source's times were measured here, and a ring if the times were
  // recorded earlier.
  void dot(Point at, const TimingSource& source, bool chosen) {
    const Colour colour = chosen ? (source.live ? t_.good : t_.broadcast) : t_.ghost_text;
    if (source.live) s_.disc(at, 4, colour);
    else s_.rect({at.x - 4, at.y - 4, 8, 8}, {.stroke = colour, .width = 1.5f, .radius = 4});
  }

  // Draws the name of the shown source, and the names of other sources if there is enough room. A text such
  // as "+2" means that two names are left out.
  void sources(float end) {
    const auto all = in_.model.sources();
    const int count = static_cast<int>(all.size());
    if (count == 0) {
      s_.text({first_, 46}, cut(tr("no recorded times yet"), small, Face::regular, end - first_),
              t_.faint_text, small);
      return;
    }
    std::vector<std::string> names;
    for (const TimingSource& each : all) {
      const auto alike = std::count_if(all.begin(), all.end(), [&](const TimingSource& other) {
        return short_text(other) == short_text(each);
      });
      names.push_back(alike > 1 ? each.name : short_text(each));
    }
    // If the name with its date is too long, leaves out the date, because the line below also contains the
    // date.
    const auto shown = static_cast<std::size_t>(in_.model.shown());
    if (names[shown] == short_text(all[shown]) &&
        text_width(names[shown], small, Face::bold) + 14 > end - first_)
      names[shown] = short_text(all[shown], false);
    names_origin_ = !all[shown].live && names[shown] == short_text(all[shown]);
    const auto room_of = [&](int i) {
      return text_width(names[static_cast<std::size_t>(i)], small,
                        i == in_.model.shown() ? Face::bold : Face::regular) +
             14 + space;
    };
    constexpr float more = 34;  // the width of a text such as "+2"
    std::vector<bool> fits(all.size(), false);
    float used = room_of(in_.model.shown()) - space;
    fits[static_cast<std::size_t>(in_.model.shown())] = true;
    int left = count - 1;
    for (int i = 0; i < count; ++i) {
      if (fits[static_cast<std::size_t>(i)]) continue;
      if (used + room_of(i) > end - first_ - (left > 1 ? more : 0)) break;
      used += room_of(i);
      fits[static_cast<std::size_t>(i)] = true;
      --left;
    }
    float x = first_;
    for (int i = 0; i < count; ++i) {
      if (!fits[static_cast<std::size_t>(i)]) continue;
      const bool chosen = i == in_.model.shown();
      const TimingSource& source = all[static_cast<std::size_t>(i)];
      dot({x + 4, 46}, source, chosen);
      const float room = end - x - 14;
      const std::string words =
          cut(names[static_cast<std::size_t>(i)], small, chosen ? Face::bold : Face::regular, room);
      x += 14 + word({x + 14, 46}, words, {Action::choose_timings, i}, origin_line(source), chosen) + space;
    }
    if (left > 0 && x + more < end + space)
      word({x, 46}, fmt::format("+{}", left), {Action::next_timings, 0}, tr("Times from another source   H"),
           false);
  }

  // Draws one line. During a measurement, the line describes the measurement. Otherwise, the line says why
  // times are missing or, if no times are missing, where the times come from.
  void detail() {
    const float room = end_ - first_;
    const TimingSource* source = in_.model.source();
    std::string words = in_.note;
    Colour colour = in_.note.empty() ? t_.faint_text : t_.text;
    if (words.empty() && source) {
      words = origin_line(*source);
      if (names_origin_) words = words.substr(std::min(words.find(" · "), words.size()));
      if (words.starts_with(" · ")) words = words.substr(std::string_view(" · ").size());
    }
    if (in_.model.measuring()) {
      const auto& p = in_.model.progress();
      words = p.all == 0 ? tr("measuring: getting ready")
                         : tr("{} {} of {} · {}", in_.model.cancelling() ? tr("ending at") : tr("measuring"),
                              std::min(p.done + 1, p.all), p.all, p.what);
      const float share = p.all == 0 ? 0 : static_cast<float>(p.done) / static_cast<float>(p.all);
      s_.rect({first_, 75, room, 3}, t_.line, 1.5f);
      if (share > 0) s_.rect({first_, 75, std::max(3.0f, room * share), 3}, t_.now, 1.5f);
      colour = t_.text;
    }
    s_.text({first_, 66}, cut(whole_sentences(words, small, Face::regular, room), small, Face::regular, room),
            colour, small);
    buttons_.push_back({{first_, 58, room, 16}, {}, words});
  }

  const TimingHeader& in_;
  const Theme& t_;
  const Point mouse_;
  Pen s_;
  std::vector<Button> buttons_;
  const float width_;
  // True if the line with the names of the sources contains the device and the date of the shown times.
  bool names_origin_ = false;
  float first_ = 0, end_ = 0, title_end_ = 0;
};

constexpr float comparison_head = 36, comparison_row = 20, line_height = 18, sentence_size = 13,
                cases_height = 26;

std::size_t most_lines(float width) { return width >= 1000 ? 2 : width >= 560 ? 4 : 5; }

// Returns all lines of the sentence. There may be more than most_lines() lines.
std::vector<std::string> sentence_lines(const Comparison& c, float width) {
  return wrapped(c.sentence, sentence_size, Face::regular, width - 2 * margin_of(width));
}

float height_with(std::size_t lines) {
  return comparison_head + 2 * comparison_row + 8 + line_height * static_cast<float>(lines) + cases_height;
}

std::string cost_text(const Comparison& c, const std::optional<SharedCost>& cost, float room) {
  if (!c.has_banks) return tr("textures have no banks");
  if (!cost) return tr("wavefronts: not known");
  const std::string all = counted(cost->wavefronts, "wavefront"), excess = grouped(cost->excess);
  const std::string text = cost->excess == 0 ? all + tr(", no conflicts") : tr("{}, {} excess", all, excess);
  const std::string brief = grouped(cost->wavefronts) + tr(" wavefr");
  return first_fitting({text, cost->excess == 0 ? all : tr("{}, {} excess", brief, excess), brief}, 12,
                       Face::regular, room);
}

// Two texts about a measured run of a variant: the time and n (with the bandwidth if there is room), and the
// excess wavefronts.
struct FullSize {
  std::string time, excess;
};
FullSize full_size_text(const std::optional<Timing>& row, float room) {
  if (!row) return {tr("not measured"), ""};
  FullSize text{tr("{} at {}", time_text(row->seconds.median), power_text(row->settings.n)), ""};
  if (row->excess_wavefronts >= 0)
    text.excess = row->excess_wavefronts > 0 ? " · " + short_count(row->excess_wavefronts) + tr(" excess")
                                             : tr(" · no excess");
  const std::string bandwidth = bandwidth_text(row->bytes_per_second()) + " · ";
  if (text_width(bandwidth + text.time + text.excess, 12, Face::regular) <= room)
    text.time = bandwidth + text.time;
  if (text_width(text.time + text.excess, 12, Face::regular) > room) text.excess.clear();
  return text;
}

std::string full_size_tip(const Comparison::Side& side) {
  if (!side.row || side.row->excess_wavefronts < 0) return {};
  return tr(
      "{kernel} at n = {n}: in all blocks of one run together, bank conflicts cause {wavefronts} of shared "
      "memory. This number is predicted.",
      fmt::arg("kernel", side.name), fmt::arg("n", power_text(side.row->settings.n)),
      fmt::arg("wavefronts", counted(std::llround(side.row->excess_wavefronts), "excess wavefront")));
}

std::string cost_tip(const Comparison& c, const Comparison::Side& side) {
  if (!side.cost || !c.has_banks) return {};
  return tr(
      "{kernel}, {run}: {wavefronts} of shared memory; bank conflicts cause {excess} of these wavefronts",
      fmt::arg("kernel", side.name), fmt::arg("run", c.run),
      fmt::arg("wavefronts", counted(side.cost->wavefronts, "wavefront")),
      fmt::arg("excess", grouped(side.cost->excess)));
}

}  // namespace

Panel timing_header(const TimingHeader& header, const Theme& theme, float width, Point mouse) {
  return HeaderPicture(header, theme, width, mouse).draw();
}

float comparison_height(const Comparison& c, float width) {
  return height_with(std::min(sentence_lines(c, width).size(), most_lines(width)));
}

float most_comparison_height(float width) { return height_with(most_lines(width)); }

// Draws up to two buttons below the sentence. One button shows an example in which the variant saves time.
// The other button shows an example in which the variant saves no time.
void draw_cases(Pen& s, Panel& panel, const Comparison& c, const Theme& t, Point mouse) {
  const char* const words[] = {tr("an example with a gain"), tr("an example without a gain")};
  const float y = s.scene.height - 13, end = s.scene.width - margin_of(s.scene.width);
  float x = margin_of(s.scene.width);
  const auto put = [&](const char* text, Colour colour, Face face) {
    s.text({x, y}, text, colour, small, face);
    x += text_width(text, small, face);
  };
  if (!c.cases[0] && !c.cases[1]) return;
  put(tr("See"), t.faint_text, Face::regular);
  for (std::size_t i = 0; i < c.cases.size(); ++i) {
    if (!c.cases[i]) continue;
    x += 10;
    const bool shown = c.shown_case == static_cast<int>(i);
    const Face face = shown ? Face::bold : Face::regular;
    const float w = text_width(words[i], small, face);
    if (x + w > end) return;
    const Box box{x - 5, y - 11, w + 10, 22};
    if (shown) s.line({x, y + 9}, {x + w, y + 9}, t.now, 2);
    else s.line({x, y + 8}, {x + w, y + 8}, t.line, 1);
    put(words[i], box.contains(mouse) ? t.now : t.text, face);
    panel.buttons.push_back({box, {Action::choose_case, static_cast<int>(i)}, c.cases[i]->outcome + "   E"});
  }
  if (x + 18 < end) s.text({x + 12, y}, "E", t.faint_text, 11);
}

Panel comparison_panel(const Comparison& c, const Theme& t, float width, Point mouse) {
  Pen s(width, comparison_height(c, width), t.background);
  Panel panel;
  const float margin = margin_of(width), end = width - margin, room = end - margin;
  s.text({margin, 20}, tr("Does it matter here?"), t.text, 14, Face::bold);
  const float from = margin + text_width(tr("Does it matter here?"), 14, Face::bold) + 12;
  float right = end;
  // Draws a word and the name of its key, if there is enough room.
  const auto key_word = [&](const char* word, const char* key, Action action, const char* tip) {
    const float word_width = text_width(word, 11, Face::regular),
                w = word_width + 5 + text_width(key, 11, Face::regular);
    if (right - w < from) return;
    const Box box{right - w - 6, 8, w + 12, 24};
    s.text({right - w, 20}, word, box.contains(mouse) ? t.now : t.faint_text, 11);
    s.text({right - w + word_width + 5, 20}, key, t.text, 11);
    panel.buttons.push_back({box, {action, 0}, tip});
    right -= w + 18;
  };
  key_word(tr("Swap"), "", Action::swap_compared, tr("Swap the two compared variants"));
  key_word(tr("Other"), "", Action::next_compared, tr("Compare with another variant"));
  // The text `c.run` names the run whose costs are counted. Leaves out this text if it does not fit, because
  // the tooltips of the costs contain the same text.
  if (text_width(c.run, 12, Face::regular) <= right - from) s.text({from, 20}, c.run, t.faint_text, 12);
  float y = comparison_head + comparison_row / 2;
  const float names = std::min(
      room * 0.3f,
      std::max(text_width(c.now.name, 13, Face::bold), text_width(c.compared.name, 13, Face::bold)) + 30);
  const float costs = std::min(room * 0.36f, 230.0f);
  for (const Comparison::Side* side : {&c.now, &c.compared}) {
    if (side->name.empty()) continue;
    if (side->line == 0) s.disc({margin + 5, y}, 4, t.now);
    else if (side->line == 1)
      s.rect({margin + 1.5f, y - 3.5f, 7, 7}, style_of(Contender::kernel, 1, t).colour);
    else s.rect({margin + 1, y - 4, 8, 8}, {.stroke = t.ghost_text, .width = 1.5f, .radius = 4});
    s.text({margin + 18, y}, cut(side->name, 13, Face::bold, names - 24), t.text, 13, Face::bold);
    s.text({margin + names, y}, cut(cost_text(c, side->cost, costs - 8), 12, Face::regular, costs - 8),
           side->cost && side->cost->excess > 0 ? t.conflict : t.faint_text, 12);
    const float x = margin + names + costs, left = end - x;
    const FullSize full = full_size_text(side->row, left);
    s.text({x, y}, cut(full.time, 12, Face::regular, left), t.faint_text, 12);
    const float used = text_width(full.time, 12, Face::regular);
    if (!full.excess.empty() && used < left)
      s.text({x + used, y}, cut(full.excess, 12, Face::regular, left - used),
             side->row->excess_wavefronts > 0 ? t.conflict : t.faint_text, 12);
    if (std::string tip = cost_tip(c, *side); !tip.empty())
      panel.buttons.push_back(
          {{margin + names, y - comparison_row / 2, costs - 8, comparison_row}, {}, std::move(tip)});
    if (std::string tip = full_size_tip(*side); !tip.empty())
      panel.buttons.push_back({{x, y - comparison_row / 2, left, comparison_row}, {}, std::move(tip)});
    y += comparison_row;
  }
  y = comparison_head + 2 * comparison_row + 8 + line_height / 2;
  draw_cases(s, panel, c, t, mouse);
  std::vector<std::string> lines = sentence_lines(c, width);
  if (lines.size() > most_lines(width)) {
    lines.resize(most_lines(width));
    lines.back() = cut(lines.back() + "…", sentence_size, Face::regular, room);
    panel.buttons.push_back(
        {{margin, comparison_head, room, s.scene.height - comparison_head}, {}, c.sentence});
  }
  for (const std::string& line : lines) {
    s.text({margin, y}, line, t.text, sentence_size);
    y += line_height;
  }
  panel.scene = std::move(s.scene);
  return panel;
}

}  // namespace upsweep
