#include "words/question_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "analysis/banks.hpp"
#include "analysis/block_index.hpp"
#include "questions/codes.hpp"
#include "words/compared.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

const Event& event_of(const Question& q, const Recording& r) {
  return r.trace.events[static_cast<std::size_t>(q.about.event)];
}

// Returns "step 5 of 15, up-sweep, stride 8".
std::string name_of_step(const Recording& r, int step) {
  return fmt::format("step {} of {}, {}", grouped(step + 1), grouped(std::ssize(r.trace.steps)),
                     step_text(r.trace, r.trace.steps[static_cast<std::size_t>(step)]));
}

// Returns " of block 3", or nothing if the grid has one block.
std::string of_block(const Question& q, const Recording& r) {
  const Grid& grid = r.trace.grid_of(static_cast<std::uint32_t>(std::max(q.step, 0)));
  return grid.blocks > 1 ? fmt::format(" of block {}", grouped(q.about.block)) : std::string();
}

// Returns "warp 0 of block 3 executes line 38: `T left = temp[ai];`".
std::string execution(const Question& q, const Recording& r) {
  return fmt::format("warp {}{} executes line {}: `{}`", q.about.warp, of_block(q, r), q.about.line,
                     source_line(r.shown_text(), q.about.line));
}

// Returns the region's name in the buffer that the question is about: "temp".
std::string memory_name(const Question& q, const Recording& r) {
  const int grid = grid_index(r.trace, q.step);
  const SharedShape& shape = r.trace.grids[static_cast<std::size_t>(grid)].shared;
  const CellPlace& place =
      r.block(grid, q.about.block).places()[static_cast<std::size_t>(std::max(q.about.cell, 0))];
  return shared_name(shape, 0, place.buffer);
}
std::string element_name(const Question& q, const Recording& r, std::int64_t element) {
  return fmt::format("{}[{}]", memory_name(q, r), element);
}

std::string counted_thing(ComparedCount::Of of) {
  switch (of) {
    case ComparedCount::Of::wavefronts: return "wavefronts of shared memory";
    case ComparedCount::Of::sectors: return "sectors of global memory";
    case ComparedCount::Of::operations: return "applications of the operator";
    case ComparedCount::Of::steps: return "steps";
    case ComparedCount::Of::barriers: return "arrivals of warps at a block barrier";
    case ComparedCount::Of::nanoseconds: return "time";
  }
  return {};
}

// Returns the choices in which the changed run differs: "pad32 instead of no padding".
std::string difference_text(const ComparedCount& c) {
  std::vector<std::string> parts;
  std::map<std::string, bool> names;
  for (const Settings* each : {&c.baseline, &c.changed})
    for (const auto& [choice, option] : each->choices) names[choice] = true;
  for (const auto& [choice, named] : names)
    if (c.baseline.choice(choice) != c.changed.choice(choice)) {
      const std::string now = c.changed.choice(choice), was = c.baseline.choice(choice);
      parts.push_back(fmt::format("{} instead of {}",
                                  now.empty() ? "the usual " + choice : choice_text(choice, now),
                                  was.empty() ? "the usual " + choice : choice_text(choice, was)));
    }
  if (c.baseline.algorithm != c.changed.algorithm) parts.push_back(c.changed.algorithm);
  if (c.baseline.n != c.changed.n) parts.push_back("n = " + grouped(c.changed.n));
  if (c.baseline.block != c.changed.block) parts.push_back("blocks of " + counted(c.changed.block, "thread"));
  if (c.baseline.without_barrier != c.changed.without_barrier)
    parts.push_back(fmt::format("no barrier in line {}", c.changed.without_barrier));
  return parts.empty() ? "other settings" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string asked(const Question& q, const Recording& r) {
  const About& a = q.about;
  const auto verb = [&] { return is_load(event_of(q, r).kind) ? "reads" : "writes"; };
  switch (q.kind) {
    case QuestionKind::value:
      return fmt::format("Which value does {}{} hold after this step?", element_name(q, r, a.element),
                         of_block(q, r));
    case QuestionKind::written:
      return fmt::format("Which elements of {}{} does this step write?", memory_name(q, r), of_block(q, r));
    case QuestionKind::active: return capitalised(execution(q, r)) + " Which lanes are active?";
    case QuestionKind::bank:
      return fmt::format("{} Lane {} {} {}. In which bank is {}?", capitalised(execution(q, r)), a.lane,
                         verb(), element_name(q, r, a.element),
                         event_of(q, r).width > 4 ? "its first word" : "this element");
    case QuestionKind::colliding:
      return fmt::format("{} Which lanes {} another word in the bank of lane {}'s word?",
                         capitalised(execution(q, r)), is_load(event_of(q, r).kind) ? "read" : "write",
                         a.lane);
    case QuestionKind::wavefronts:
      return fmt::format("{} How many wavefronts does this request take?", capitalised(execution(q, r)));
    case QuestionKind::diverged:
      return fmt::format(
          "Which warps{} diverge: which warps do some of the work with only some of their live lanes?",
          of_block(q, r));
    case QuestionKind::waiting:
      return fmt::format(
          "The step ends with the barrier in line {}. Which warps{} wait there and do nothing else in this "
          "step?",
          a.line, of_block(q, r));
    case QuestionKind::next_line:
      return fmt::format(
          "Warp {}{} has executed line {}: `{}` In which line does it access memory, compute or wait next?",
          a.warp, of_block(q, r), a.line, source_line(r.shown_text(), a.line));
    case QuestionKind::look_back:
      return fmt::format(
          "Tile {} looks back. Over how many tiles does it look back until it knows its prefix?",
          grouped(a.tile));
    case QuestionKind::compare:
      return fmt::format(
          "Think of the same run with {}. Which run needs fewer {}, and how large is the difference?",
          difference_text(q.compared), counted_thing(q.compared.of));
    case QuestionKind::barrier:
      return fmt::format("Line {} has a barrier. What can go wrong without it?", a.line);
  }
  return {};
}

std::string place_noun(PlaceOf of, bool many) {
  switch (of) {
    case PlaceOf::elements: return many ? "elements" : "element";
    case PlaceOf::lanes: return many ? "lanes" : "lane";
    case PlaceOf::banks: return many ? "banks" : "bank";
    case PlaceOf::warps: return many ? "warps" : "warp";
    case PlaceOf::lines: return many ? "lines" : "line";
    case PlaceOf::nothing: break;
  }
  return {};
}

std::string places_text(PlaceOf of, const std::vector<std::int64_t>& numbers) {
  if (numbers.empty()) return "no " + place_noun(of, false);
  std::vector<int> places(numbers.begin(), numbers.end());
  return place_noun(of, places.size() > 1) + " " + ranges(places, 16);
}

}  // namespace

std::string question_text(const Question& q, const Recording& r) {
  if (q.step < 0) return asked(q, r);
  return fmt::format("Next is {}. {}", name_of_step(r, q.step), asked(q, r));
}

std::string choice_text(const Question& q, std::int64_t choice) {
  if (q.kind == QuestionKind::barrier) {
    constexpr std::array<const char*, barrier_codes> texts = {
        "nothing goes wrong", "a thread can read an element too early, before another thread has stored it",
        "a thread can overwrite an element too early, before another thread has read it",
        "both: elements can be read too early and overwritten too early"};
    return texts.at(static_cast<std::size_t>(choice));
  }
  if (q.kind != QuestionKind::compare) return grouped(choice);
  if (choice == 0) return "both need the same";
  constexpr std::array<const char*, 4> sizes = {"up to 1.5 times as many", "1.5 to 3 times as many",
                                                "3 to 6 times as many", "more than 6 times as many"};
  const bool baseline_less = (choice - 1) % 2 == 0;
  return fmt::format("{} needs {}", baseline_less ? "the other run" : "this run",
                     sizes.at(static_cast<std::size_t>((choice - 1) / 2)));
}

std::string reply_text(const Question& q, const Reply& reply, const Recording& r) {
  if (q.form == AnswerForm::value) return exact_value(r.trace, reply.value, Cells::elements);
  if (q.form == AnswerForm::places) return places_text(q.place_of, reply.numbers);
  if (reply.numbers.empty()) return "nothing";
  return choice_text(q, reply.numbers.front());
}

std::string judgement_text(const Question& q, const Judgement& j, const Recording& /*r*/) {
  if (j.right) return "Right.";
  if (q.form != AnswerForm::places) return "Not right.";
  std::vector<std::string> parts;
  const auto part = [&](const std::vector<std::int64_t>& numbers, std::string_view one,
                        std::string_view many) {
    if (!numbers.empty())
      parts.push_back(capitalised(places_text(q.place_of, numbers)) + " " +
                      std::string(numbers.size() > 1 ? many : one) + ".");
  };
  part(j.found, "is right", "are right");
  part(j.wrong, "is wrong", "are wrong");
  part(j.missed, "is missing", "are missing");
  return fmt::format("{}", fmt::join(parts, " "));
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
