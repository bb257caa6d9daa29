#include "words/question_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "analysis/banks.hpp"
#include "analysis/block_index.hpp"
#include "analysis/step_index.hpp"
#include "base/language.hpp"
#include "questions/codes.hpp"
#include "words/caption.hpp"
#include "words/compared.hpp"
#include "words/hidden_answer.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

const Event& event_of(const Question& q, const Recording& r) {
  return r.trace.events[static_cast<std::size_t>(q.about.event)];
}

// Returns " of block 3", or an empty text if the grid has one block.
std::string of_block(const Question& q, const Recording& r) {
  const Grid& grid = r.trace.grid_of(static_cast<std::uint32_t>(std::max(q.step, 0)));
  return grid.blocks > 1 ? tr(" of block {}", grouped(q.about.block)) : std::string();
}

// If the warp executes the request's line several times in this step, returns the number of the execution
// that the question is about: " (time 2 of 3 in this step)". Otherwise, returns an empty text.
std::string time_of_request(const Question& q, const Recording& r) {
  if (q.about.event < 0) return {};
  const Event& own = event_of(q, r);
  int count = 0, time = 0;
  for (const int index : r.step(q.about.block, q.step).shared) {
    const Event& e = r.trace.events[static_cast<std::size_t>(index)];
    if (e.warp != own.warp || e.line != own.line || is_load(e.kind) != is_load(own.kind)) continue;
    ++count;
    if (index == q.about.event) time = count;
  }
  return count > 1 ? tr(" (time {} of {} in this step)", time, count) : std::string();
}

// Returns "warp 0 of block 3 executes line 38: `T left = temp[ai];`".
std::string execution(const Question& q, const Recording& r) {
  const bool is_about_request = q.about.request > 0;
  return tr("warp {}{} executes line {}{}: `{}`", q.about.warp, of_block(q, r), q.about.line,
            is_about_request ? time_of_request(q, r) : "", code_line(r, q.about.line));
}

const SharedShape& shape_of(const Question& q, const Recording& r) {
  return r.trace.grids[static_cast<std::size_t>(grid_index(r.trace, q.step))].shared;
}
// Returns the place of the element that the question is about. If the question is about no element, returns
// the place of the first element.
const CellPlace& place_of(const Question& q, const Recording& r) {
  const auto& places = r.block(grid_index(r.trace, q.step), q.about.block).places();
  return places[static_cast<std::size_t>(std::max(q.about.cell, 0))];
}
// Returns the name of the shared memory that the question is about: "temp".
std::string memory_name(const Question& q, const Recording& r) {
  const CellPlace& place = place_of(q, r);
  return shared_name(shape_of(q, r), place.region, place.buffer);
}

std::string counted_thing(ComparedCount::Of of) {
  switch (of) {
    case ComparedCount::Of::wavefronts: return tr("wavefronts of shared memory");
    case ComparedCount::Of::sectors: return tr("sectors of global memory");
    case ComparedCount::Of::operations: return tr("applications of the operator");
    case ComparedCount::Of::barriers: return tr("arrivals of warps at a block barrier");
  }
  return {};
}

// Returns how the changed run differs: "has pad32 instead of no padding".
std::string how_it_differs(const ComparedCount& c) {
  if (c.changed.algorithm != c.baseline.algorithm) return tr("uses the algorithm {}", c.changed.algorithm);
  return tr("has {} instead of {}", fmt::join(settings_that_differ(c.changed, c.baseline), tr(", ")),
            fmt::join(settings_that_differ(c.baseline, c.changed), tr(", ")));
}

std::string asked(const Question& q, const Recording& r) {
  const About& a = q.about;
  switch (q.kind) {
    case QuestionKind::value:
      return tr("Which value does {element}{of_block} hold after this step?",
                fmt::arg("element", cell_name(shape_of(q, r), place_of(q, r))),
                fmt::arg("of_block", of_block(q, r)));
    case QuestionKind::written:
      return tr("Which elements of {memory}{of_block} does this step write?",
                fmt::arg("memory", memory_name(q, r)), fmt::arg("of_block", of_block(q, r)));
    case QuestionKind::active: return capitalised(execution(q, r)) + tr(" Which lanes are active?");
    case QuestionKind::bank:
      return tr(
          "{warp_executes_line} Lane {lane} {reads} {element}. In which bank is {this_element}?",
          fmt::arg("warp_executes_line", capitalised(execution(q, r))), fmt::arg("lane", a.lane),
          fmt::arg("reads", is_load(event_of(q, r).kind) ? tr("reads") : tr("writes")),
          fmt::arg("element", cell_name(shape_of(q, r), place_of(q, r))),
          fmt::arg("this_element", event_of(q, r).width > 4 ? tr("its first word") : tr("this element")));
    case QuestionKind::colliding:
      return is_load(event_of(q, r).kind)
                 ? tr("{} Which lanes read another word of the bank that lane {} uses?",
                      capitalised(execution(q, r)), a.lane)
                 : tr("{} Which lanes write another word of the bank that lane {} uses?",
                      capitalised(execution(q, r)), a.lane);
    case QuestionKind::wavefronts:
      return is_load(event_of(q, r).kind)
                 ? tr("{} How many wavefronts does this read request take?", capitalised(execution(q, r)))
                 : tr("{} How many wavefronts does this write request take?", capitalised(execution(q, r)));
    case QuestionKind::diverged:
      return tr(
          "Which warps{} diverge? A warp diverges if, at some time in this step, only some of its live lanes "
          "work.",
          of_block(q, r));
    case QuestionKind::waiting:
      return tr(
          "The step ends with the barrier in line {}. Which warps{} wait there and do nothing else in this "
          "step?",
          a.line, of_block(q, r));
    case QuestionKind::next_line:
      return tr(
          "Warp {}{} has executed line {}: `{}` In which line does this warp next access memory, compute or "
          "wait?",
          a.warp, of_block(q, r), a.line, code_line(r, a.line));
    case QuestionKind::look_back:
      return tr(
          "Tile {} looks back. Over how many tiles does this tile look back before it knows its prefix?",
          grouped(a.tile));
    case QuestionKind::compare:
      return tr(
          "Compare this run with a run that {has_another_setting}. Which run needs fewer {things}? By what "
          "factor do the two numbers differ?",
          fmt::arg("has_another_setting", how_it_differs(q.compared)),
          fmt::arg("things", counted_thing(q.compared.of)));
    case QuestionKind::barrier:
      return tr("Line {} has a barrier. What can go wrong without this barrier?", a.line);
  }
  return {};
}

std::string place_noun(PlaceOf of, bool many) {
  switch (of) {
    case PlaceOf::elements: return many ? tr("elements") : tr("element");
    case PlaceOf::lanes: return many ? tr("lanes") : tr("lane");
    case PlaceOf::banks: return many ? tr("banks") : tr("bank");
    case PlaceOf::warps: return many ? tr("warps") : tr("warp");
    case PlaceOf::lines: return many ? tr("lines") : tr("line");
    case PlaceOf::nothing: break;
  }
  return {};
}

std::string places_text(PlaceOf of, const std::vector<std::int64_t>& numbers) {
  if (numbers.empty()) return tr("no ") + place_noun(of, false);
  std::vector<int> places(numbers.begin(), numbers.end());
  return place_noun(of, places.size() > 1) + " " + ranges(places, 16);
}

}  // namespace

std::string code_line(const Recording& r, int line) {
  return source_line(shown_text(r, {.hides_answer = true}), line);
}

std::string question_text(const Question& q, const Recording& r) {
  if (q.step < 0) return asked(q, r);
  return tr("Next is {}. {}", caption_of_step(r, q.step), asked(q, r));
}

std::string choice_text(const Question& q, std::int64_t choice, TextLanguage in) {
  if (q.kind == QuestionKind::barrier) {
    static constexpr std::array<const char*, barrier_codes> texts = {
        tr_noop("nothing goes wrong"), tr_noop("threads can read elements before the elements are stored"),
        tr_noop("threads can overwrite elements before the elements are read"),
        tr_noop("both errors can happen")};
    return std::string(tr(in, texts.at(static_cast<std::size_t>(choice))));
  }
  if (q.kind != QuestionKind::compare) return grouped(choice);
  if (choice == 0) return std::string(tr(in, tr_noop("both the same")));
  static constexpr std::array<const char*, 4> sizes = {tr_noop("up to 1.5 times"), tr_noop("1.5 to 3 times"),
                                                       tr_noop("3 to 6 times"), tr_noop("more than 6 times")};
  const bool baseline_less = (choice - 1) % 2 == 0;
  return fmt::format("{}{}{}", tr(in, baseline_less ? tr_noop("this run") : tr_noop("the other")),
                     tr(in, tr_noop("; ")), tr(in, sizes.at(static_cast<std::size_t>((choice - 1) / 2))));
}

std::string reply_text(const Question& q, const Reply& reply, const Recording& r) {
  if (q.form == AnswerForm::value) return exact_value(r.trace, reply.value, Cells::elements);
  if (q.form == AnswerForm::places) return places_text(q.place_of, reply.numbers);
  if (reply.numbers.empty()) return tr("nothing");
  return choice_text(q, reply.numbers.front());
}

std::string_view view_for(const Question& q) {
  switch (q.kind) {
    case QuestionKind::value:
    case QuestionKind::written: return "memory";
    case QuestionKind::active:
    case QuestionKind::diverged:
    case QuestionKind::waiting: return "warps";
    case QuestionKind::bank:
    case QuestionKind::colliding:
    case QuestionKind::wavefronts: return "banks";
    case QuestionKind::next_line:
    case QuestionKind::barrier: return "source";
    case QuestionKind::look_back: return "blocks";
    case QuestionKind::compare: return "work";
  }
  return "tree";
}

}  // namespace upsweep
