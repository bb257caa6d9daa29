// Explains why an answer is correct, and refutes wrong answers.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis/barrier_use.hpp"
#include "analysis/because.hpp"
#include "analysis/memory.hpp"
#include "analysis/request_source.hpp"
#include "base/language.hpp"
#include "questions/codes.hpp"
#include "words/because_words.hpp"
#include "words/names.hpp"
#include "words/quantities.hpp"
#include "words/question_words.hpp"
#include "words/words.hpp"

namespace upsweep {
namespace {

// If a barrier has more than this number of accesses around it, the program does not compute what the barrier
// protects, because the computation would take too long.
constexpr std::size_t most_accesses = 50'000;

std::string conditions_text(const Recording& r, int event) {
  const RequestSource source = request_source(r.trace, event);
  if (!source.is_complete || source.conditions.empty()) return {};
  const RequestSource::Condition& c = source.conditions.back();
  return tr(" The condition in line {} is {}.", c.line,
            c.meaning.empty() ? c.text : c.text + tr(", which is ") + c.meaning);
}

std::string because_of_bank(const Question& q, const Recording& r) {
  const Because b = because(r, q.about.event);
  const LaneAccess& lane = b.lanes[static_cast<std::size_t>(q.about.lane)];
  return tr("Element {} is in word {} of shared memory, and {} mod 32 = {}.", grouped(*lane.element),
            grouped(lane.word), grouped(lane.word), lane.bank);
}

std::string because_of_value(const Question& q, const Recording& r) {
  const Event& e = r.trace.events[static_cast<std::size_t>(q.about.event)];
  return tr("Thread {} writes {} in line {}: `{}`", grouped(thread_of(e, q.about.lane)),
            exact_value(r.trace, q.answer.value, Cells::elements), e.line, code_line(r, e.line));
}

// Returns a sentence about the step's actions: "Threads 0–3 each add temp[16t+7] into temp[16t+15]."
std::string actions_text(const Question& q, const Recording& r) {
  const std::vector<std::string> all = sentences(r, {.step = q.step, .block = q.about.block});
  return all.size() > 1 ? all[1] : tr("The answer lists the stores in the recording.");
}

// Returns sentences about the accesses that the barrier keeps in order in this run.
std::string because_of_barrier(const Question& q, const Recording& r) {
  if (q.answer.numbers.front() == static_cast<std::int64_t>(WithoutBarrier::nothing))
    return tr("Without the barrier, all accesses of one element by two threads are still in order.");
  const Trace& t = r.trace;
  // In a loop, the threads reach the barrier several times. If the barrier protects accesses of different
  // warps at one of these times, the sentence is about this time.
  std::optional<BarrierUse> shown;
  for (int step = 0; step < static_cast<int>(t.steps.size()); ++step)
    for (const int block : focus_of(t, grid_index(t, step))) {
      if (shown && !shown->within_warps) break;
      const auto use = barrier_use(r, block, step, most_accesses);
      if (!use || use->line != q.about.line || use->reads + use->overwrites == 0) continue;
      if (!shown || !use->within_warps) shown = use;
    }
  if (shown)
    return tr("{} This is the barrier at the end of step {}.", barrier_text(r, *shown), shown->step + 1);
  return tr("Without the barrier, two threads access one element, and nothing puts their accesses in order.");
}

std::string because_of_comparison(const Question& q) {
  const auto count = [](double x) { return grouped(static_cast<std::int64_t>(x)); };
  const std::string counts = tr("This run needs {}, and the other run needs {}",
                                count(q.compared.in_baseline), count(q.compared.in_changed));
  const double less = std::min(q.compared.in_baseline, q.compared.in_changed);
  const double more = std::max(q.compared.in_baseline, q.compared.in_changed);
  return less == more || less == 0 ? counts + tr(".")
                                   : tr("{}. The larger number is {} times the smaller number.", counts,
                                        decimal_text(more / less, 2));
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
                 ? tr("In every warp that works, all live lanes work.")
                 : tr("{}: some live lanes work, and the other live lanes are masked off.",
                      capitalised(answer));
    case QuestionKind::waiting:
      return tr("Every warp of the block must reach the barrier, even if it does nothing else in this step.");
    case QuestionKind::next_line:
      return tr("The text of this line is `{}`", code_line(r, static_cast<int>(q.answer.numbers.front())));
    case QuestionKind::look_back:
      return tr("Tile {} looks back over {}: the last of these tiles already knows its prefix.",
                grouped(q.about.tile), counted(q.answer.numbers.front(), "tile"));
    case QuestionKind::compare: return because_of_comparison(q);
    case QuestionKind::barrier: return because_of_barrier(q, r);
  }
  return {};
}

std::string misconception_name(int misconception) {
  static constexpr std::array<const char*, 17> names = {
      tr_noop("Two lanes in one bank always conflict"),
      tr_noop("Only lanes of the same half-warp can conflict, and there are 16 banks"),
      tr_noop("The bank conflicts of wide accesses are counted over the whole warp"),
      tr_noop("A request takes only its excess wavefronts"),
      tr_noop("The padding macro of GPU Gems 3 works as printed"),
      tr_noop("Fewer conflicts always mean less time"),
      tr_noop("With padding in shared memory, a kernel accesses more sectors of global memory"),
      tr_noop("A lane without work makes its warp diverge"),
      tr_noop("If one lane of a warp works, all lanes of the warp work"),
      tr_noop("If threads read values and then overwrite them, one barrier is enough"),
      tr_noop("Lanes of a warp need no barrier"),
      tr_noop("Threads without work need not wait at a barrier"),
      tr_noop("Blelloch's scan and Brent and Kung's scan are the same"),
      tr_noop("Fewer operations always mean less time"),
      tr_noop("The method for one block works for any length"),
      tr_noop("Every tile looks back over the same number of tiles in every run"),
      tr_noop("The sum of the GPU and the sum of the processor must be equal")};
  return tr(names.at(static_cast<std::size_t>(misconception - 1)));
}

std::string refutation(const Question& q, const Misreading& m, const Recording& r) {
  const std::string given = reply_text(q, m.reply, r);
  switch (m.misconception) {
    case 1:
      return tr(
          "One wavefront serves all lanes that access the same word. Lanes conflict only if they "
          "access different words in the same bank.");
    case 2:
      return tr("With 16 banks and half-warps, the answer would be ") + given +
             tr(". Since compute capability 2.0, 32 banks serve the 32 lanes of a warp.");
    case 4: return given + tr(" is the number of excess wavefronts. Count the first wavefront, too.");
    case 5: return tr("C computes + before >>, so the printed macro adds no padding.");
    case 7:
      return tr(
          "Padding changes only the addresses in shared memory. The addresses in global memory stay the "
          "same.");
    case 8:
      return tr(
          "A warp in which no lane works does not diverge. A warp diverges if only some of its live lanes "
          "work.");
    case 9:
      return q.kind == QuestionKind::active
                 ? tr("Not all lanes are active.") + conditions_text(r, q.about.event)
                 : tr("A warp diverges if only some of its live lanes work. Count the lanes that work in "
                      "each warp.");
    case 10:
      return q.kind == QuestionKind::next_line
                 ? tr("Before line {}, all threads of the block must arrive at the barrier.",
                      m.reply.numbers.front())
                 : tr("Other warps may be at earlier or later lines. Only a barrier puts the reads and "
                      "writes of all warps in order.");
    case 11:
      return tr(
          "Since the Volta architecture, the lanes of a warp need not run in lockstep. Only __syncwarp() "
          "puts their accesses in order.");
    case 12: return tr("A barrier waits for all warps of the block. A warp without work waits there, too.");
    case 13:
      return tr(
          "Blelloch's scan sets the root to the identity, and moves values down the tree. Brent and Kung's "
          "scan only adds values.");
    case 16: return tr("The previous tile had published only its own sum, so this tile looked further back.");
    default: return misconception_name(m.misconception) + tr(": this run shows another result.");
  }
}

}  // namespace upsweep
