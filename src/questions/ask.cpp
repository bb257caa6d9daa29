#include "questions/ask.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>
#include <tuple>

#include "analysis/hazards.hpp"
#include "analysis/memory.hpp"
#include "base/error.hpp"
#include "base/language.hpp"
#include "catalogue/catalogue.hpp"
#include "questions/kinds.hpp"

namespace upsweep {
namespace {

const QuestionMaker& maker_of(QuestionKind kind) {
  for (const auto& list : {memory_questions(), request_questions(), warp_questions(), run_questions()})
    for (const QuestionMaker& k : list)
      if (k.kind == kind) return k;
  throw std::logic_error("a kind of question has no entry");
}

// Random numbers that depend only on the seed, so that a seed produces the same numbers on every machine.
class Dice {
 public:
  explicit Dice(std::uint32_t seed) : random_(seed) {}
  std::size_t below(std::size_t n) { return random_() % n; }
  template <class T>
  void shuffle(std::vector<T>& list) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[below(i)]);
  }

 private:
  std::mt19937 random_;
};

// Returns a question of this kind about one of a few random subjects in the step. Prefers a question that a
// learner with a misconception answers wrongly. Skips the subjects in `taken`, and adds the chosen subject.
std::optional<Question> question_in(const Asking& asking, QuestionKind kind, int step, int block, Dice& dice,
                                    std::set<std::tuple<QuestionKind, int, About>>& taken) {
  const QuestionMaker& k = maker_of(kind);
  std::vector<About> all = k.places(asking, step, block);
  constexpr std::size_t most_tries = 6;
  for (std::size_t i = 0; i < std::min(most_tries, all.size()); ++i)
    std::swap(all[i], all[i + dice.below(all.size() - i)]);
  if (all.size() > most_tries) all.resize(most_tries);
  std::optional<Question> best;
  About of_best;
  for (const About& about : all) {
    if (taken.contains({kind, step, about})) continue;
    std::optional<Question> q = k.question(asking, step, about);
    if (!q || (best && q->misreadings.size() <= best->misreadings.size())) continue;
    best = std::move(q);
    of_best = about;
    if (!best->misreadings.empty()) break;
  }
  if (best) taken.insert({kind, step, of_best});
  return best;
}

// Returns the blocks of the step's grid in which a question can be asked.
std::vector<int> blocks_for(const Asking& asking, int step) {
  if (asking.order.block) return {*asking.order.block};
  return focus_of(asking.trace(), grid_index(asking.trace(), step));
}

}  // namespace

AskInput::Record each_once(std::function<Recording(const Settings&)> record) {
  auto made = std::make_shared<std::vector<std::pair<Settings, std::shared_ptr<const Recording>>>>();
  return [made, record = std::move(record)](const Settings& s) {
    const auto found = std::ranges::find(*made, s, [](const auto& one) { return one.first; });
    if (found != made->end()) return found->second;
    std::shared_ptr<const Recording> recording;
    try {
      recording = std::make_shared<const Recording>(record(s));
    } catch (const Error&) {}
    return made->emplace_back(s, std::move(recording)).second;
  };
}

namespace {

// Returns whether a value may depend on the order of threads. Skips the search for races if the kernel has no
// known mistake and no removed barrier.
bool has_race(const Recording& recording) {
  const Settings& s = recording.trace.settings;
  const Algorithm* known = find_algorithm(s.algorithm);
  if (s.without_barrier == 0 && known && !known->is_broken()) return false;
  return std::ranges::any_of(recording.find_hazards().findings,
                             [](const HazardFinding& f) { return is_race(f.kind); });
}

}  // namespace

std::vector<Question> questions(const AskInput& in, const AskOrder& order, const Job* job) {
  const Asking asking{in, order, job};
  Dice dice(order.seed);
  std::vector<QuestionKind> kinds;
  for (int k = 0; k < question_kinds; ++k)
    if (!order.kind || *order.kind == static_cast<QuestionKind>(k))
      kinds.push_back(static_cast<QuestionKind>(k));
  if (has_race(in.recording)) std::erase(kinds, QuestionKind::value);
  dice.shuffle(kinds);
  const auto steps = in.recording.trace.steps.size();
  std::set<std::tuple<QuestionKind, int, About>> taken;
  std::vector<Question> all;
  // For each kind of question: the number of failed tries since the last success. After too many failed
  // tries, the kind is removed from the list.
  std::vector<int> vain(kinds.size(), 0);
  constexpr int most_vain = 40;
  for (std::size_t turn = 0; std::ssize(all) < order.count && !kinds.empty(); ++turn) {
    if (job) job->check();
    const std::size_t k = turn % kinds.size();
    const bool of_run = is_about_runs(kinds[k]);
    std::optional<Question> q;
    if (of_run) {
      if (!order.step) q = question_in(asking, kinds[k], -1, 0, dice, taken);
    } else if (steps > 0) {
      const std::size_t first = std::min(static_cast<std::size_t>(std::max(order.from, 0)), steps - 1);
      constexpr std::size_t next_few = 3;
      const std::size_t reach = order.from > 0 ? std::min(next_few, steps - first) : steps;
      const int step = order.step ? *order.step : static_cast<int>(first + dice.below(reach));
      const std::vector<int> blocks = blocks_for(asking, step);
      if (!blocks.empty())
        q = question_in(asking, kinds[k], step, blocks[dice.below(blocks.size())], dice, taken);
    }
    if (q) {
      all.push_back(std::move(*q));
      vain[k] = 0;
    } else if (++vain[k] >= (of_run ? 4 : most_vain)) {
      kinds.erase(kinds.begin() + static_cast<std::ptrdiff_t>(k));
      vain.erase(vain.begin() + static_cast<std::ptrdiff_t>(k));
    }
  }
  std::ranges::stable_sort(all, {}, [](const Question& q) { return q.step; });
  return all;
}

Question the_question(const AskInput& in, const AskOrder& order, const Job* job) {
  if (!order.kind) throw RequestError(tr("A question needs a kind, such as wavefronts."));
  const QuestionKind kind = *order.kind;
  const bool of_run = is_about_runs(kind);
  if (!of_run && !order.step)
    throw RequestError(tr("A question of the kind \"{}\" needs a step.", name(kind)));
  const Asking asking{in, order, job};
  const int step = of_run ? -1 : *order.step;
  std::vector<Question> found;
  for (const int block : of_run ? std::vector{0} : blocks_for(asking, step)) {
    for (const About& about : maker_of(kind).places(asking, step, block)) {
      if (job) job->check();
      if (auto q = maker_of(kind).question(asking, step, about)) found.push_back(std::move(*q));
      if (found.size() > 1) break;
    }
    if (found.size() > 1) break;
  }
  if (found.empty())
    throw RequestError(
        of_run ? tr("This run has no question of the kind \"{}\".", name(kind))
               : tr("Step {} has no question of the kind \"{}\" with these options.", step + 1, name(kind)));
  if (found.size() > 1)
    throw RequestError(
        tr("Several questions of the kind \"{}\" are possible. Also name the block, the request, the warp, "
           "the line, the lane or the element.",
           name(kind)));
  return std::move(found.front());
}

}  // namespace upsweep
