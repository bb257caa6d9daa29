#include "words/wrong_result_words.hpp"

#include <fmt/format.h>

#include "base/language.hpp"
#include "trace/value.hpp"
#include "words/hazard_words.hpp"
#include "words/in_words.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

std::string departing_cell(const Trace& trace, const Departure& d) {
  HazardFinding place;
  place.party.grid = d.grid;
  place.shared = d.shared;
  place.buffer = d.buffer;
  place.cell = d.cell;
  place.element = d.element;
  place.has_cell = true;
  return cell_text(trace, place);
}

Cells departing_cells(const Trace& trace, const Departure& d) {
  const SharedShape& shape = trace.grids[d.grid].shared;
  return !d.shared      ? trace.buffers[static_cast<std::size_t>(d.buffer)].cells
         : d.buffer > 0 ? shape.more[static_cast<std::size_t>(d.buffer) - 1].cells
                        : shape.cells;
}

// Returns a part of a sentence. The part says what the thread does differently from the correct kernel.
std::string difference_text(const Trace& trace, const WrongResult& wrong) {
  const Departure& d = *wrong.departure;
  const bool many_blocks = trace.grids[d.grid].blocks > 1;
  if (d.how == Departure::How::ends) {
    const std::string cell =
        global_name(trace, trace.roles().first_output(), static_cast<std::int64_t>(wrong.index));
    return many_blocks ? tr("no thread of block {} stores to {} after this line", d.block, cell)
                       : tr("no thread stores to {} after this line", cell);
  }
  const Cells cells = departing_cells(trace, d);
  const auto text = [&](const Value& v) { return exact_text(v, trace.settings, cells); };
  const std::string thread = tr("thread ") + thread_text(trace.grids[d.grid], d.thread),
                    who = many_blocks ? tr("{} of block {}", thread, d.block) : thread,
                    cell = departing_cell(trace, d),
                    expected = d.has_expected ? tr(", expected ") + text(d.expected) : "";
  if (d.how == Departure::How::writes) return tr("{} writes {} to {}{}", who, text(d.got), cell, expected);
  if (!d.written) return tr("{} reads {}, which no thread wrote before{}", who, cell, expected);
  return tr("{} reads {} from {}{}", who, text(d.got), cell, expected);
}

}  // namespace

std::string departure_text(const Trace& trace, const WrongResult& wrong) {
  if (!wrong.departure) return {};
  const std::string right =
      wrong.right.empty() ? trace.settings.algorithm + tr(" with all its barriers") : wrong.right;
  return tr("The run first differs from {} in step {}, line {}: {}.", right,
            grouped(wrong.departure->step + 1), wrong.departure->line, difference_text(trace, wrong));
}

std::string wrong_text(const Trace& trace, const Message& mistake, const std::optional<WrongResult>& wrong) {
  std::string text = in_words(mistake);
  if (!mistake || !wrong) return text;
  const std::string place = departure_text(trace, *wrong);
  return place.empty() ? text : text + " " + place;
}

BothRuns departure_in_both(const Trace& trace, const WrongResult& wrong) {
  const Departure& d = *wrong.departure;
  if (d.how == Departure::How::ends) {
    const std::string name =
        global_name(trace, trace.roles().first_output(), static_cast<std::int64_t>(wrong.index));
    return {tr("no thread stores {}", name), tr("a thread stores {}", name)};
  }
  const std::string name = departing_cell(trace, d),
                    who = tr("thread ") + thread_text(trace.grids[d.grid], d.thread) + " ";
  const auto text = [&, cells = departing_cells(trace, d)](const Value& v) {
    return exact_text(v, trace.settings, cells);
  };
  const bool writes = d.how == Departure::How::writes;
  return {who + (writes      ? tr("writes {} to {}", text(d.got), name)
                 : d.written ? tr("reads {} from {}", text(d.got), name)
                             : tr("reads {}, which no thread has written", name)),
          d.has_expected ? tr("{} holds {}", name, text(d.expected))
          : writes       ? tr("{} is not written at that time", name)
                         : tr("{} is not read at that time", name)};
}

}  // namespace upsweep
