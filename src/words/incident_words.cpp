#include "words/incident_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/language.hpp"
#include "trace/value.hpp"
#include "words/hazard_words.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

std::string value_of(const Trace& trace, const Incident& i, const Value& v) {
  return i.cells == Cells::words ? grouped(v[0]) : exact_text(v, trace.settings, i.cells);
}

bool has_name(const std::string& text, std::string_view name) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1))
    if ((at == 0 || !is_part(text[at - 1])) &&
        (at + name.size() == text.size() || !is_part(text[at + name.size()])))
      return true;
  return false;
}

// Returns a text that contains the loop's condition. For a `for` loop, this is the text between the
// semicolons. For another kind of loop, it is the whole line.
std::string condition_of(const Trace& trace, int line) {
  const std::string head = source_line(trace.text, line);
  const std::size_t first = head.find(';');
  if (first == head.npos || head.find("for") == head.npos) return head;
  return head.substr(first + 1, head.find(';', first + 1) - first - 1);
}

}  // namespace

std::string party_text(const Trace& trace, const HazardFinding& f, const HazardParty& p) {
  const Grid& grid = trace.grids[p.grid];
  std::string text = tr("thread ") + thread_text(grid, p.thread);
  if (f.apart >= Apart::grid) text += tr(", block ") + block_text(grid, static_cast<int>(p.block));
  if (f.apart == Apart::grids) text += tr(", launch {}", grouped(p.grid + 1));
  return text;
}

std::string access_text(const Trace& trace, const Incident& i, const IncidentAccess& a) {
  using How = IncidentAccess::How;
  const std::string verb = a.how == How::reads     ? tr("reads")
                           : a.how == How::changes ? tr("changes")
                                                   : tr("writes");
  if (!a.known) return verb;
  if (a.how == How::changes)
    return tr("changes {} to {}", value_of(trace, i, a.before), value_of(trace, i, a.value));
  return verb + " " + value_of(trace, i, a.value);
}

std::string result_text(const Trace& trace, const HazardFinding& f, const Incident& i, const OrderResult& r) {
  const auto reader = i.orders ? i.orders->reader : TwoOrders::Reader::none;
  const bool reads = reader != TwoOrders::Reader::none;
  const std::string who =
      reads ? party_text(trace, f, reader == TwoOrders::Reader::party ? f.party : f.other) : "";
  switch (r.what) {
    case OrderResult::What::unknown: return tr("not known from this recording");
    case OrderResult::What::unwritten: return who + tr(" reads an unwritten cell");
    case OrderResult::What::value: break;
  }
  const std::string value = value_of(trace, i, r.value);
  return reads ? who + tr(" reads ") + value : cell_text(trace, f) + tr(" is ") + value;
}

std::string missing_order_text(const HazardFinding& f) {
  if (f.apart == Apart::request && is_race(f.kind)) return tr("one request writes both values");
  if (f.apart == Apart::grid)
    return f.warp_barrier ? tr("no __syncwarp() between them") : tr("nothing orders the two blocks");
  if (f.apart == Apart::grids) return tr("nothing orders the two launches");
  if (f.advice == Advice::order_by_flag) return tr("no fence orders them");
  return f.warp_barrier ? tr("no __syncwarp() between them") : tr("no barrier between them");
}

std::string missing_barrier_text(const HazardFinding& f) {
  if (f.interval.from == 0 || (f.interval.from == f.interval.to && !f.interval.next_round)) return {};
  std::string place = barrier_place(f);
  if (place.starts_with("into ")) place = tr("in ") + place.substr(5);
  return tr("{barrier} belongs {between_lines}",
            fmt::arg("barrier", f.warp_barrier ? "__syncwarp()" : "__syncthreads()"),
            fmt::arg("between_lines", place));
}

std::string agreement_text(const Trace& trace, const Incident& i) {
  if (!i.orders || !i.orders->agree()) return {};
  if (i.orders->other_first.what == OrderResult::What::unwritten) return {};
  return tr("With the numbers of this run, both orders give {}.",
            value_of(trace, i, i.orders->other_first.value));
}

std::string group_name(const Trace& trace, const HazardFinding& f, const ThreadGroup& g) {
  const Grid& grid = trace.grids[std::min<std::size_t>(g.grid, trace.grids.size() - 1)];
  std::string text = g.threads.empty() ? tr("Threads") : threads_text(grid, g.threads);
  // Only the groups of a deadlock can be in different blocks. The threads of a divergent barrier are all in
  // one block.
  if (f.kind == Hazard::deadlock && grid.blocks > 1)
    text += tr(", block {}", block_text(grid, static_cast<int>(g.block)));
  return text;
}

std::string group_text(const ThreadGroup& g) {
  const bool one = g.threads.size() == 1;
  const std::string waits = one ? tr("waits") : tr("wait");
  switch (g.wait) {
    case Wait::barrier:
      return tr("{waits} at the barrier in line {line}", fmt::arg("waits", waits), fmt::arg("line", g.line));
    case Wait::warp_barrier:
      return tr("{waits} at __syncwarp() in line {line}", fmt::arg("waits", waits), fmt::arg("line", g.line));
    case Wait::lanes:
      return tr("{waits} for other lanes in line {line}", fmt::arg("waits", waits), fmt::arg("line", g.line));
    case Wait::statement:
      return tr("{waits} after line {line} for other lanes", fmt::arg("waits", waits),
                fmt::arg("line", g.line));
    case Wait::value:
      return tr("{waits} for a value in line {line}", fmt::arg("waits", waits), fmt::arg("line", g.line));
    case Wait::loop:
      return tr("{waits} in the loop of line {line}", fmt::arg("waits", waits), fmt::arg("line", g.line));
    case Wait::none: break;
  }
  return one ? tr("has left the kernel") : tr("have left the kernel");
}

bool condition_reads_number(const Trace& trace, const LoopRounds& loop) {
  if (loop.steps.empty() || loop.first_line == 0) return false;
  const Step& step = trace.steps[static_cast<std::size_t>(loop.steps[0])];
  const std::string_view variable = number_name(trace.text, step.phase);
  return (step.stride > 0 || !variable.empty()) &&
         has_name(condition_of(trace, loop.first_line), variable.empty() ? tr("stride") : variable);
}

std::string rounds_text(const Trace& trace, const LoopRounds& loop) {
  if (condition_reads_number(trace, loop)) {
    const auto number = [&](int step) {
      return number_text(trace, trace.steps[static_cast<std::size_t>(step)]);
    };
    const std::string first = number(loop.steps.front());
    if (const std::size_t blank = first.find(' '); loop.one_number && blank != first.npos) {
      const std::string name = first.substr(0, blank), value = first.substr(blank + 1);
      if (loop.step_count == 1)
        return tr("The condition uses {0}. In the recorded iteration, {0} is {1}.", name, value);
      return tr("The condition uses {0}. In each of the {2} recorded iterations, {0} is {1}.", name, value,
                grouped(loop.step_count));
    }
    return tr("The condition uses {}.", first.substr(0, first.find(' ')));
  }
  if (loop.load_count > 0)
    return tr("The condition reads memory: {reads_are} recorded.",
              fmt::arg("reads_are", counted(loop.load_count, "read is", "reads are")));
  return tr("The recording does not contain the values of the loop's condition.");
}

}  // namespace upsweep
