#include "words/time_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <string_view>
#include <vector>

#include "base/language.hpp"
#include "words/names.hpp"
#include "words/quantities.hpp"

namespace upsweep {
namespace {

// Returns the name of one element of a buffer: "sum" for "sums", "prefix" for "prefixes".
std::string singular(std::string name) {
  if (name.ends_with("xes")) name.resize(name.size() - 2);
  else if (name.size() > 1 && name.ends_with("s") && !name.ends_with("ss")) name.pop_back();
  return name;
}

// Returns the plural of an English name. A Chinese name stays as it is.
std::string plural(const std::string& name) {
  if (name.empty() || static_cast<unsigned char>(name.back()) >= 0x80) return name;
  return name + (name.ends_with("x") || name.ends_with("s") ? "es" : "s");
}

// Translates a name that a kernel has chosen, such as "prefix", into the language of the program. Only the
// names in shipped kernels have translations.
std::string shown_mark(const std::string& name) {
  static constexpr std::string_view known[] = {tr_noop("aggregate"), tr_noop("prefix"), tr_noop("sum"),
                                               tr_noop("total"),     tr_noop("count"),  tr_noop("flag")};
  return std::find(std::begin(known), std::end(known), name) == std::end(known) ? name
                                                                                : std::string(tr(name));
}

// Returns `x` with 2, 1 or 0 decimals: "0.61", "12.3", "850". The greater `of` is, the fewer decimals are
// shown.
std::string figures(double x, double of) { return decimal_text(x, of >= 99.5 ? 0 : of >= 9.95 ? 1 : 2); }

struct Unit {
  double size;
  const char* name;
};
Unit unit_of(std::uint64_t ns) {
  return ns < 10'000 ? Unit{1, "ns"} : ns < 1'000'000 ? Unit{1e3, "µs"} : Unit{1e6, "ms"};
}

// Groups the thousands of a whole number: "15,476". Returns other texts unchanged.
std::string with_groups(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? grouped(number) : text;
}

// Returns "3 sums and 1 prefix".
std::string list_of(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += (i == 0 ? "" : i + 1 == parts.size() ? tr(" and ") : tr(", ")) + parts[i];
  return text;
}

const TimeLine::Protocol& protocol_of(const Recording& r, int grid) {
  return r.time_line().protocols[static_cast<std::size_t>(grid)];
}

}  // namespace

std::string span_text(const TimeLine& line, std::uint64_t amount) {
  if (!line.is_clocked) return counted(static_cast<std::int64_t>(amount), "event");
  const Unit unit = unit_of(amount);
  if (unit.size == 1) return grouped(static_cast<std::int64_t>(amount)) + " ns";
  const double x = static_cast<double>(amount) / unit.size;
  return fmt::format("{} {}", figures(x, x), unit.name);
}

std::string time_text_of(const TimeLine& line, std::uint64_t time) {
  return line.is_clocked ? span_text(line, time) : tr("event {}", grouped(static_cast<std::int64_t>(time)));
}

std::string time_of_run_text(const TimeLine& line, std::uint64_t time) {
  if (!line.is_clocked)
    return tr("event {} of {}", grouped(static_cast<std::int64_t>(time)),
              grouped(static_cast<std::int64_t>(line.end)));
  const Unit unit = unit_of(line.end);
  const double all = static_cast<double>(line.end) / unit.size, now = static_cast<double>(time) / unit.size;
  if (unit.size == 1)
    return tr("{} of {} ns", grouped(static_cast<std::int64_t>(time)),
              grouped(static_cast<std::int64_t>(line.end)));
  return tr("{} of {} {}", figures(now, all), figures(all, all), unit.name);
}

std::string short_rate_text(const TimeLine& line, double rate) {
  if (!line.is_clocked) return fmt::format("{}/s", figures_text(rate));
  return fmt::format("1/{}", grouped(std::llround(1e9 / rate)));
}

std::string rate_text(const TimeLine& line, double rate) {
  return line.is_clocked ? short_rate_text(line, rate) + tr(" of its speed")
                         : tr("{} events/s", figures_text(rate));
}

std::string row_text(const Recording& r, const TimeLine::Row& row) {
  const std::string name = row.tile >= 0 ? tr("tile {}", row.tile) : tr("block {}", row.block);
  return r.trace.grids.size() > 1 ? tr("launch {}, {}", grouped(row.grid + 1), name) : name;
}

std::string mark_text(const Recording& r, int buffer, std::uint32_t mark) {
  const GlobalBuffer& b = r.trace.buffers[static_cast<std::size_t>(buffer)];
  if (!is_signal(b.cells)) return shown_mark(singular(buffer_name(r.trace, buffer)));
  if (mark == 0) return tr("nothing yet");
  if (is_message(b.cells)) return shown_mark(singular(buffer_name(r.trace, buffer)));
  const auto& names = r.time_line().mark_names;
  const auto found = names.find(mark);
  return found != names.end() ? shown_mark(found->second) : tr("mark {}", grouped(mark));
}

std::string part_name(const Recording& r, int grid) {
  const TimeLine& line = r.time_line();
  const TimeLine::Protocol& p = protocol_of(r, grid);
  if (p.status < 0 || p.one_state) return whole_name(r, grid);
  const auto first = std::ranges::lower_bound(line.rows, grid, {}, &TimeLine::Row::grid);
  for (auto row = first; row != line.rows.end() && row->grid == grid; ++row)
    for (const TimeLine::Published& published : line.published_by(*row))
      if (published.buffer == p.status && published.mark != p.final_mark)
        return mark_text(r, p.status, published.mark);
  return whole_name(r, grid);
}

std::string whole_name(const Recording& r, int grid) {
  const TimeLine& line = r.time_line();
  const TimeLine::Protocol& p = protocol_of(r, grid);
  if (p.status >= 0) return mark_text(r, p.status, std::max(1u, p.final_mark));
  const auto first = std::ranges::lower_bound(line.rows, grid, {}, &TimeLine::Row::grid);
  for (auto row = first; row != line.rows.end() && row->grid == grid; ++row)
    if (row->published > 0) return mark_text(r, line.published_by(*row).front().buffer, 1);
  return tr("result");
}

std::string held_text(const Recording& r, const TimeLine::Held& held) {
  if (held.buffer < 0) return {};
  return with_groups(exact_value(r.trace, held.value,
                                 value_kind(r.trace.buffers[static_cast<std::size_t>(held.buffer)].cells)));
}

std::string marked_value_text(const Recording& r, int buffer, std::uint32_t mark,
                              const TimeLine::Held& held) {
  const std::string name = mark_text(r, buffer, mark), value = held_text(r, held);
  return value.empty() || (mark == 0 && is_signal(r.trace.buffers[static_cast<std::size_t>(buffer)].cells))
             ? name
             : name + " " + value;
}

std::string progress_text(const Recording& r, std::uint64_t time) {
  const TimeLine& line = r.time_line();
  const BlockProgress p = progress_at(line, time);
  if (line.tellers == 0) {
    std::string text;
    const auto add = [&](int count, std::string_view one, std::string_view many) {
      if (count == 0) return;
      text += fmt::format("{} {}", text.empty() ? counted(count, "block") : tr(", ") + grouped(count),
                          count == 1 ? one : many);
    };
    add(p.ended, tr("has ended"), tr("have ended"));
    add(p.begun - p.ended, tr("is running"), tr("are running"));
    add(p.all - p.begun, tr("has not begun"), tr("have not begun"));
    return text + tr(".");
  }
  int grid = 0;
  bool tiles = false;
  for (const TimeLine::Row& row : line.rows)
    if (row.published > 0) {
      grid = row.grid;
      tiles = row.tile >= 0;
      break;
    }
  const std::string part = part_name(r, grid), whole = whole_name(r, grid);
  const auto blocks = [&](int count) {
    return counted(count, tiles ? noun_noop("tile") : noun_noop("block"));
  };
  if (part == whole) {
    const int known = p.whole + p.part;
    const std::string rest = p.nothing > 0 ? tr(", and {} published nothing yet", grouped(p.nothing)) : "";
    return known == 1 ? tr("{} has published its {}{}.", blocks(known), whole, rest)
                      : tr("{} have published their {}{}.", blocks(known), whole, rest);
  }
  std::string text = p.whole == 0
                         ? tr("No {} knows its {}", tiles ? tr("tile") : tr("block"), whole)
                         : typeset(fmt::format("{} {} {}", blocks(p.whole),
                                               p.whole == 1 ? tr("knows its") : tr("know their"), whole));
  if (p.part > 0)
    text += tr(", ") + typeset(fmt::format("{} {} {}", grouped(p.part),
                                           p.part == 1 ? tr("knows only its") : tr("know only their"), part));
  if (p.nothing > 0)
    text += p.nothing == 1 ? tr(", {} has published nothing", grouped(p.nothing))
                           : tr(", {} have published nothing", grouped(p.nothing));
  return text + tr(".");
}

std::string not_begun_text(const Recording& r, int grid, int block) {
  const TimeLine& line = r.time_line();
  const std::uint32_t at = row_of(line, grid, block);
  const std::string name = at == TimeLine::none ? tr("block {}", block) : row_text(r, line.rows[at]);
  return capitalised(name) + tr(" has not begun.");
}

bool is_under_way(const Recording& r, const Place& place) {
  return place.time >= 0 &&
         time_of_step(r.time_line(), r.trace, place) > static_cast<std::uint64_t>(place.time);
}

bool run_goes_on(const Recording& r, const Place& place) {
  return place.time >= 0 && static_cast<std::uint64_t>(place.time) < r.time_line().end;
}

std::string look_back_text(const Recording& r, int grid, int block, std::uint64_t time) {
  const TimeLine& line = r.time_line();
  const std::uint32_t at = row_of(line, grid, block);
  if (at == TimeLine::none || line.rows[at].looks == 0) return {};
  const TimeLine::Row& row = line.rows[at];
  std::map<std::string, int> states;
  std::vector<std::string> order;
  int read = 0, missing = 0;
  for (const TimeLine::Look& look : line.looks_of(row)) {
    if (!look.is_used || look.asked > time) continue;
    if (look.answered > time) {
      ++missing;
      continue;
    }
    ++read;
    const std::string state = mark_text(r, look.buffer, line.seen_in(look).back().mark);
    if (states[state]++ == 0) order.push_back(state);
  }
  const std::string name = capitalised(row_text(r, row));
  const char* const others = row.tile >= 0 ? tr_noop("tile") : tr_noop("block");
  std::string text;
  if (read > 0) {
    std::vector<std::string> parts;
    for (const std::string& state : order) parts.push_back(counted(states[state], state, plural(state)));
    text = tr("{} has read {}: {}.", name, counted(read, others), list_of(parts));
  }
  if (missing > 0)
    text += tr("{}{} waits for {}.", text.empty() ? "" : " ", text.empty() ? name : tr("It"),
               counted(missing, others));
  if (read == 0 && missing == 0) text = tr("{} has not read any other {} yet.", name, tr(others));
  return text;
}

}  // namespace upsweep
