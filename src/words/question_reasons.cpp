// Why an answer is right, and what refutes a wrong one.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis/barrier_use.hpp"
#include "analysis/because.hpp"
#include "analysis/memory.hpp"
#include "analysis/request_source.hpp"
#include "questions/codes.hpp"
#include "words/because_words.hpp"
#include "words/names.hpp"
#include "words/quantities.hpp"
#include "words/question_words.hpp"
#include "words/words.hpp"

namespace upsweep {
namespace {

// Larger steps are left out when a barrier's use is looked for, because counting their accesses takes long.
constexpr std::size_t most_accesses = 50'000;

std::string conditions_text(const Recording& r, int event) {
  const RequestSource source = request_source(r.trace, event);
  if (!source.is_complete || source.conditions.empty()) return {};
  const RequestSource::Condition& c = source.conditions.back();
  return fmt::format(" The condition in line {} is {}.", c.line,
                     c.meaning.empty() ? c.text : c.text + ", which is " + c.meaning);
}

std::string because_of_bank(const Question& q, const Recording& r) {
  const Because b = because(r, q.about.event);
  const LaneAccess& lane = b.lanes[static_cast<std::size_t>(q.about.lane)];
  return fmt::format("Element {} is in word {} of shared memory, and {} mod 32 = {}.", grouped(*lane.element),
                     grouped(lane.word), grouped(lane.word), lane.bank);
}

std::string because_of_value(const Question& q, const Recording& r) {
  const Event& e = r.trace.events[static_cast<std::size_t>(q.about.event)];
  return fmt::format("Thread {} writes {} in line {}: `{}`", grouped(thread_of(e, q.about.lane)),
                     exact_value(r.trace, q.answer.value, Cells::elements), e.line, code_line(r, e.line));
}

// Returns what the step does: "Threads 0–3 each add temp[16t+7] into temp[16t+15]."
std::string actions_text(const Question& q, const Recording& r) {
  const std::vector<std::string> all = sentences(r, {.step = q.step, .block = q.about.block});
  return all.size() > 1 ? all[1] : "The recording has these stores.";
}

// Returns what the barrier protects in this run.
std::string because_of_barrier(const Question& q, const Recording& r) {
  if (q.answer.numbers.front() == static_cast<std::int64_t>(WithoutBarrier::nothing))
    return "Without it, all accesses of one element by two threads are still in order.";
  const Trace& t = r.trace;
  // A loop reaches the barrier several times. A use between two warps explains more than one within a warp.
  std::optional<BarrierUse> shown;
  for (int step = 0; step < static_cast<int>(t.steps.size()); ++step)
    for (const int block : focus_of(t, grid_index(t, step))) {
      if (shown && !shown->within_warps) break;
      const auto use = barrier_use(r, block, step, most_accesses);
      if (!use || use->line != q.about.line || use->reads + use->overwrites == 0) continue;
      if (!shown || !use->within_warps) shown = use;
    }
  if (shown)
    return fmt::format("{} This is the barrier at the end of step {}.", barrier_text(r, *shown),
                       shown->step + 1);
  return "Without it, two threads access one element, and nothing puts their accesses in order.";
}

std::string because_of_comparison(const Question& q) {
  const auto count = [](double x) { return grouped(static_cast<std::int64_t>(x)); };
  const std::string counts = fmt::format("This run needs {}, and the other run needs {}",
                                         count(q.compared.in_baseline), count(q.compared.in_changed));
  const double less = std::min(q.compared.in_baseline, q.compared.in_changed);
  const double more = std::max(q.compared.in_baseline, q.compared.in_changed);
  return less == more || less == 0
             ? counts + "."
             : fmt::format("{}: {} times as many in the larger one.", counts, decimal_text(more / less, 2));
}

}  // namespace

std::string because_of(const Question& q, const Recording& r) {
  const std::string answer = reply_text(q, q.answer, r);
  switch (q.kind) {
    case QuestionKind::value: return because_of_value(q, r);
    case QuestionKind::written: return actions_text(q, r);
    case QuestionKind::active:
      return lanes_used_text(static_cast<int>(q.answer.numbers.size())) + conditions_text(r, q.about.event);
    case QuestionKind::bank: return because_of_bank(q, r);
    case QuestionKind::colliding:
    case QuestionKind::wavefronts: return reason_text(because(r, q.about.event));
    case QuestionKind::diverged:
      return q.answer.numbers.empty()
                 ? "In every warp that works, all live lanes work."
                 : fmt::format("{}: some live lanes work, and the others are masked off.",
                               capitalised(answer));
    case QuestionKind::waiting:
      return "Every warp of the block must reach the barrier, even if it does nothing else in this step.";
    case QuestionKind::next_line:
      return fmt::format("Its text is `{}`", code_line(r, static_cast<int>(q.answer.numbers.front())));
    case QuestionKind::look_back:
      return fmt::format("Tile {} needs the sums of {} until it meets a tile that already knows its prefix.",
                         grouped(q.about.tile), counted(q.answer.numbers.front(), "tile"));
    case QuestionKind::compare: return because_of_comparison(q);
    case QuestionKind::barrier: return because_of_barrier(q, r);
  }
  return {};
}

std::string misconception_name(int misconception) {
  constexpr std::array<const char*, 17> names = {
      "Two lanes in one bank always conflict",
      "Banks conflict within half-warps, and there are 16 banks",
      "Wide accesses are judged over the whole warp",
      "An n-way conflict is n conflicts",
      "The padding macro of GPU Gems 3 works as printed",
      "Fewer conflicts always mean less time",
      "Padding of shared memory costs sectors of global memory",
      "A lane without work makes its warp diverge",
      "If a warp works, all its lanes work",
      "One barrier is enough between reading and writing",
      "Lanes of a warp need no barrier",
      "Threads without work can leave out a barrier",
      "Blelloch's scan and Brent and Kung's scan are the same",
      "Fewer operations always mean less time",
      "The method of one block works for any length",
      "Look-back is the same for every tile and in every run",
      "The sum of the GPU and the sum of the processor must be equal"};
  return names.at(static_cast<std::size_t>(misconception - 1));
}

std::string refutation(const Question& q, const Misreading& m, const Recording& r) {
  const std::string given = reply_text(q, m.reply, r);
  switch (m.misconception) {
    case 1:
      return "Lanes that access the same word are served together. Only different words of one bank "
             "conflict.";
    case 2:
      return "With 16 banks and half-warps, the answer would be " + given +
             ". Since compute capability 2.0, 32 banks serve the 32 lanes of a warp.";
    case 4: return given + " is the number of excess wavefronts. The first wavefront counts, too.";
    case 5: return "In C, + binds tighter than >>, so the printed macro adds no padding.";
    case 7:
      return "Padding changes only the addresses in shared memory. The addresses in global memory stay the "
             "same.";
    case 8:
      return "A warp in which no lane works does not diverge. A warp diverges if some of its live lanes work "
             "and others do not.";
    case 9:
      return q.kind == QuestionKind::active
                 ? "Not all lanes are active." + conditions_text(r, q.about.event)
                 : "A warp diverges if some of its live lanes work and others do not. Count the lanes that "
                   "work in each warp.";
    case 10:
      return q.kind == QuestionKind::next_line
                 ? fmt::format("Before line {}, all threads of the block must arrive at the barrier.",
                               m.reply.numbers.front())
                 : "Other warps may be ahead or behind. Only a barrier puts their reads and writes in order.";
    case 11:
      return "Since the Volta architecture, the lanes of a warp need not run in lockstep. Only __syncwarp() "
             "puts them in order.";
    case 12: return "A barrier waits for all warps of the block. A warp without work waits there, too.";
    case 13:
      return "Blelloch's scan also moves values down the tree and sets the root to the identity. Brent and "
             "Kung's scan only adds.";
    case 16: return "The tile before it had published only its own sum, so the tile looked further back.";
    default: return misconception_name(m.misconception) + ": this run shows another result.";
  }
}

}  // namespace upsweep
