// Source: the very text that was compiled. The step's lines are lit, with what they cost in this step at the
// right end; elsewhere, where there is room, what a line costs over the whole run. With the hardware's
// counters every line says what it costs over the whole run, and where they counted something else.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "analysis/request.hpp"
#include "scene/paint.hpp"
#include "scene/views/draw.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    for (std::size_t tab; (tab = line.find('\t')) != std::string::npos;) line.replace(tab, 1, "    ");
    lines.push_back(std::move(line));
    begin = end + 1;
  }
  return lines;
}

// A stretch of a line in one colour.
enum class Token { plain, keyword, comment, number };
struct Stretch {
  std::string text;
  Token token;
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool is_keyword(std::string_view word) {
  static constexpr std::string_view keywords[] = {
      "auto",       "bool",         "break",         "case",       "class",     "const",    "constexpr",
      "continue",   "do",           "double",        "else",       "false",     "float",    "for",
      "if",         "int",          "return",        "static",     "struct",    "switch",   "template",
      "true",       "typename",     "unsigned",      "using",      "void",      "while",    "__global__",
      "__device__", "__shared__",   "__syncthreads", "__syncwarp", "threadIdx", "blockIdx", "blockDim",
      "gridDim",    "__threadfence"};
  return std::find(std::begin(keywords), std::end(keywords), word) != std::end(keywords);
}

// Enough of C++ to tint one line; comments here are those to the end of the line.
std::vector<Stretch> tokens(const std::string& line) {
  std::vector<Stretch> out;
  const auto add = [&out](std::string text, Token token) {
    if (!out.empty() && out.back().token == token) out.back().text += text;
    else out.push_back({std::move(text), token});
  };
  for (std::size_t i = 0; i < line.size();) {
    if (line.compare(i, 2, "//") == 0) {
      add(line.substr(i), Token::comment);
      break;
    }
    std::size_t end = i + 1;
    if (is_word(line[i])) {
      while (end < line.size() && is_word(line[end])) end++;
      const std::string word = line.substr(i, end - i);
      const bool number = std::isdigit(static_cast<unsigned char>(line[i])) != 0;
      add(word, number ? Token::number : is_keyword(word) ? Token::keyword : Token::plain);
    } else {
      add(line.substr(i, 1), Token::plain);
    }
    i = end;
  }
  return out;
}

// What a line cost, in words: "3 requests  6 wavefronts  3 excess".
std::string cost_text(const Totals& c, bool brief) {
  const std::int64_t requests = c.shared_load.requests + c.shared_store.requests;
  const std::int64_t wavefronts = c.shared_load.wavefronts + c.shared_store.wavefronts;
  const std::int64_t excess = c.shared_load.excess + c.shared_store.excess;
  const std::int64_t global = c.global_load.requests + c.global_store.requests;
  const std::int64_t sectors = c.global_load.sectors + c.global_store.sectors;
  const std::int64_t ideal = c.global_load.ideal_sectors + c.global_store.ideal_sectors;
  std::string text;
  if (requests > 0) {
    text = brief ? fmt::format("{} req  {} wavefr", grouped(requests), grouped(wavefronts))
                 : counted(requests, "request") + "  " + counted(wavefronts, "wavefront");
    if (excess > 0) text += fmt::format("  {} excess", grouped(excess));
  }
  if (global > 0) {
    if (!text.empty()) text = "shared " + text + "  ·  global ";
    text += brief ? fmt::format("{} req  {} sect", grouped(global), grouped(sectors))
                  : counted(global, "request") + "  " + counted(sectors, "sector");
    if (sectors > ideal) text += fmt::format("  {} excess", grouped(sectors - ideal));
  }
  const std::int64_t atomics = c.shared_atomic.requests + c.global_atomic.requests;
  const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : "  ") + more; };
  if (atomics > 0)
    add(brief ? fmt::format("{} atomic", grouped(atomics)) : counted(atomics, "atomic request"));
  if (c.shuffle.requests > 0)
    add(brief ? fmt::format("{} shfl", grouped(c.shuffle.requests)) : counted(c.shuffle.requests, "shuffle"));
  if (c.vote.requests > 0) add(counted(c.vote.requests, "vote"));
  if (c.launch.lanes > 0) add(counted(c.launch.lanes, "launch", "launches"));
  if (text.empty() && c.operations > 0)
    text = brief ? fmt::format("{} op", grouped(c.operations)) : counted(c.operations, "operation");
  return text;
}

// What matters most of that: "3 of 6 excess".
std::string shortest_cost_text(const Totals& c) {
  const std::int64_t wavefronts = c.shared_load.wavefronts + c.shared_store.wavefronts;
  const std::int64_t excess = c.shared_load.excess + c.shared_store.excess;
  const std::int64_t sectors = c.global_load.sectors + c.global_store.sectors;
  const std::int64_t ideal = c.global_load.ideal_sectors + c.global_store.ideal_sectors;
  if (const std::int64_t atomics = c.shared_atomic.requests + c.global_atomic.requests; atomics > 0)
    return fmt::format("{} atomic", grouped(atomics));
  if (wavefronts == 0 && sectors > ideal)
    return fmt::format("{} of {} excess", grouped(sectors - ideal), grouped(sectors));
  std::string text;
  if (excess > 0) text = fmt::format("{} of {} excess", grouped(excess), grouped(wavefronts));
  else if (wavefronts > 0) text = fmt::format("{} wavefr", grouped(wavefronts));
  if (sectors > 0) text += fmt::format("{}{} sect", text.empty() ? "" : "  ", grouped(sectors));
  return text.empty() ? cost_text(c, true) : text;
}

bool wasteful(const Totals& c) {
  return c.shared_load.excess + c.shared_store.excess > 0 ||
         c.global_load.sectors + c.global_store.sectors >
             c.global_load.ideal_sectors + c.global_store.ideal_sectors;
}

int first_visible(const Cursor& cursor, const std::map<int, Totals>& step, int request_line, int lines,
                  int fit) {
  const int last_start = std::max(1, lines - fit + 1);
  if (cursor.first_line > 0) return std::min(cursor.first_line, last_start);
  if (step.empty()) return 1;
  const int low = step.begin()->first, high = step.rbegin()->first;
  int first = (low + high) / 2 - fit / 2;
  // Where the step's lines do not all fit, the chosen request's does.
  if (high - low + 1 > fit) first = (request_line > 0 ? request_line : low) - fit / 2;
  return std::clamp(first, 1, last_start);
}

const Id counters_id{.what = Id::What::counters};

// The title, and at its right end the word that asks for the hardware's counters.
void draw_title(Painter& p, const ViewInput& in, const std::string& what) {
  if (!in.offers_counters || p.top < 40) return p.title("Source", what);  // low views have no title
  const std::string word = "Counters  W";
  const float w = text_width(word, 13, Face::regular), end = p.width - p.margin;
  const bool pointed = in.cursor.hover == counters_id;
  p.title("Source", what, word, !in.counters && !pointed);
  if (in.counters || pointed)
    p.line({end - w, 30}, {end, 30}, in.counters ? p.theme.now : p.theme.line, in.counters ? 2.0f : 1.0f);
  p.target({end - w - 6, 8, w + 12, 24}, counters_id);
}

// What a line costs over the whole run, and what was counted where not all is as predicted. Gives the room
// that it takes, left of `end`; it is brief where it has less than `room`.
float run_figures(Painter& p, const LineCounters& counters, int line, const Totals& run, Point end,
                  bool active, float room) {
  const Theme& t = p.theme;
  const bool all_same = std::all_of(counters.entries.begin(), counters.entries.end(), [](const auto& e) {
    return e.agreement == LineCounters::Agreement::same;
  });
  const Face face = active ? Face::bold : Face::regular;
  const LineCounters::Entry* entry = all_same ? nullptr : counters.of(line);
  float used = 0;
  const std::string brief = cost_text(run, true);
  if (entry) {
    const bool different = entry->agreement == LineCounters::Agreement::different;
    const Face bold = different ? Face::bold : Face::regular;
    const float most = end.x - p.margin - 40 - text_width(brief, 11, face) - 28;
    std::string text = "= measured";
    if (entry->agreement != LineCounters::Agreement::same) text = difference_text(*entry);
    if (text_width(text, 11, bold) > most) text = cut(difference_text(*entry, true), 11, bold, most);
    p.text(end, text, different ? t.conflict : t.faint_text, 11, bold, Align::right);
    used = text_width(text, 11, bold) + 12;
  }
  std::string figures = cost_text(run, false);
  if (used + text_width(figures, 11, face) + 16 > room) figures = brief;
  if (figures.empty()) return used;
  p.text({end.x - used, end.y}, figures,
         wasteful(run) ? t.conflict
         : active      ? t.now
                       : t.faint_text,
         11, face, Align::right);
  return used + text_width(figures, 11, face) + 16;
}

}  // namespace

Scene draw_source(const ViewInput& in) {
  Painter p(in);
  const Theme& t = p.theme;
  const Trace& trace = in.recording.trace;
  const std::vector<std::string> lines =
      split_lines(in.recording.text.empty() ? trace.text : in.recording.text);
  const std::vector<int>& barriers = in.recording.barriers;
  const int without = trace.settings.without_barrier;
  std::map<int, Totals> step, run;
  for (const LineFacts& f : line_facts(trace, in.cursor.step)) step[f.line] = f.totals;
  for (const LineFacts& f : in.recording.facts.lines) run[f.line] = f.totals;
  const int chosen = chosen_event(in.recording, in.cursor);
  const int event = chosen >= 0 ? chosen : request_event(in.recording, in.cursor);
  const int request_line = event >= 0 ? trace.events[event].line : 0;

  const int count = static_cast<int>(lines.size());
  const float size = p.width < 520 ? 12.0f : 13.0f, pitch = p.height < 320 ? 20.0f : 22.0f;
  const float summary_y = p.top + pitch / 2;
  if (in.counters) p.top += pitch;
  const int fit = std::max(1, static_cast<int>((p.height - p.top - 6) / pitch));
  const int first = first_visible(in.cursor, step, request_line, count, fit);
  const int last = std::min(count, first + fit - 1);
  std::string what = without > 0 ? fmt::format("without the barrier on line {} · ", without) : "";
  what += trace.file + " · the text that was compiled";
  if (fit < count) what += fmt::format(" · lines {}–{} of {}", first, last, count);
  draw_title(p, in, what);
  if (in.counters) {
    const Box box{p.margin - 8, summary_y - pitch / 2, p.width - 2 * p.margin + 16, pitch};
    p.text({p.margin, summary_y}, cut(summary(*in.counters), 12, Face::regular, p.width - 2 * p.margin),
           t.text, 12);
    p.target(box, counters_id);
  }
  if (lines.empty()) {
    p.sentence("The recording carries no source text.");
    return std::move(p.scene);
  }

  const float number_end = p.margin + 22, code = number_end + 14, end = p.width - p.margin;
  // The step's lines say it alike: as briefly as the longest of them needs.
  const auto ways_to_say = [](const Totals& c) {
    return std::array{cost_text(c, false), cost_text(c, true), shortest_cost_text(c)};
  };
  std::size_t brevity = 0;
  for (int number = first; number <= last; number++)
    if (step.count(number) > 0) {
      const float room = end - code - 16 - text_width(lines[number - 1], size, Face::mono);
      while (brevity < 2 && text_width(ways_to_say(step[number])[brevity], 11, Face::bold) > room) ++brevity;
    }
  for (int number = first; number <= last; number++) {
    const float top = p.top + pitch * static_cast<float>(number - first), y = top + pitch / 2;
    const bool active = step.count(number) > 0, asked = number == request_line;
    const bool lit = in.cursor.hover.line == number;
    if (active) p.rect({p.margin - 8, top, p.width - 2 * p.margin + 16, pitch}, {.fill = t.now_soft});
    if (asked) p.rect({p.margin - 8, top, 3, pitch}, {.fill = t.now});
    if (lit)
      p.rect({p.margin - 8, top, p.width - 2 * p.margin + 16, pitch},
             {.stroke = t.text, .width = 1, .radius = 3});
    p.text({number_end, y}, std::to_string(number), active ? t.faint_text : t.ghost_text, size - 2,
           Face::mono, Align::right);

    // The figures first: the text gets what room they leave.
    float room = end - code, figures_end = end;
    const bool taken_out = number == without;
    const bool barrier = taken_out || std::find(barriers.begin(), barriers.end(), number) != barriers.end();
    const Id barrier_id{.what = Id::What::barrier, .step = in.cursor.step, .line = number};
    Box barrier_box;
    if (barrier) {
      const bool pointed = in.cursor.hover == barrier_id;
      const std::string word = taken_out ? "put back" : "take out";
      const float w = text_width(word, 11, Face::regular);
      if (pointed || lit || taken_out)
        p.text({end, y}, word,
               pointed     ? t.now
               : taken_out ? t.conflict
                           : t.faint_text,
               11, taken_out ? Face::bold : Face::regular, Align::right);
      else p.text({end, y}, "×", t.ghost_text, 12, Face::regular, Align::right);
      barrier_box = {end - w - 6, top, w + 14, pitch};
      room -= w + 16;
      figures_end -= w + 16;
    }
    const bool costs = active || run.count(number) > 0;
    if (costs && in.counters) {
      const float text_room = text_width(lines[number - 1], size, Face::mono);
      room -= run_figures(p, *in.counters, number, run[number], {figures_end, y}, active, room - text_room);
    } else if (costs) {
      const Totals& c = active ? step[number] : run[number];
      const float text_room = text_width(lines[number - 1], size, Face::mono);
      const std::string figures = active ? ways_to_say(c)[brevity]
                                         : first_fitting({cost_text(c, false), cost_text(c, true)}, 11,
                                                         Face::bold, room - 16 - text_room);
      const float used = text_width(figures, 11, Face::bold) + 16;
      if (!figures.empty() && (active || used + text_room <= room)) {
        const Colour colour = active ? (wasteful(c) ? t.conflict : t.now) : t.ghost_text;
        p.text({figures_end, y}, figures, colour, 11, active ? Face::bold : Face::regular, Align::right);
        room -= used;
      }
    }
    const std::string shown = cut(lines[number - 1], size, Face::mono, room);
    float x = code;
    for (const Stretch& s : tokens(shown)) {
      const Colour plain = active ? t.text : t.faint_text;
      const Colour colour = s.token == Token::comment   ? t.good
                            : s.token == Token::keyword ? mix(plain, t.now, 0.75f)
                            : s.token == Token::number  ? mix(plain, t.broadcast, 0.75f)
                                                        : plain;
      p.text({x, y}, s.text, s.token == Token::comment ? mix(t.faint_text, t.good, 0.35f) : colour, size,
             Face::mono);
      x += text_width(s.text, size, Face::mono);
    }
    if (taken_out) {
      const std::size_t indent = std::min(shown.find_first_not_of(' '), shown.size());
      const float from = code + text_width(shown.substr(0, indent), size, Face::mono);
      p.line({from, y}, {std::max(from + 8, x), y}, t.conflict, 1.5f);
    }
    Id id{.what = Id::What::line, .step = in.cursor.step, .line = number};
    p.target({p.margin - 8, top, p.width - 2 * p.margin + 16, pitch}, id);
    if (barrier) p.target(barrier_box, barrier_id);
  }
  return std::move(p.scene);
}

}  // namespace upsweep
