#include "study/questioning.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/block_index.hpp"
#include "base/error.hpp"
#include "base/grouped.hpp"
#include "base/language.hpp"
#include "catalogue/data.hpp"
#include "catalogue/plan.hpp"
#include "machine/emulator/emulator.hpp"
#include "study/give_way.hpp"
#include "study/recording.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

// Records a run of an algorithm with the data of another run.
Recording run_with(const Settings& s, const Trace& data, Job& job) {
  RecordOptions options;
  options.job = &job;
  options.rounds = 10'000;
  return make_recording(Emulator().record(s, Inputs{data.input, data.more_inputs}, options), &job);
}

}  // namespace

bool is_recorded_quickly(const Settings& s, double most_cost) {
  const Algorithm* known = find_algorithm(s.algorithm);
  try {
    return known && cost(*known, s) <= most_cost;
  } catch (const Error&) { return false; }  // another version of Upsweep made this recording
}

void expect_quick_runs(QuestionKind kind, const Settings& s) {
  if (is_about_runs(kind) && !is_recorded_quickly(s, most_cost_of_several_runs))
    throw RequestError(
        tr("A question of the kind \"{}\" needs several runs. A run with n = {} takes too long: choose a "
           "smaller n.",
           name(kind), grouped(s.n)));
}

namespace {

// Returns whether the answer to this question is exactly one place or one choice.
bool takes_one(const Question& q) {
  return q.form != AnswerForm::places || q.place_of == PlaceOf::banks || q.place_of == PlaceOf::lines;
}

}  // namespace

void Questioning::search(Order order) {
  if (!worker_) {
    const auto work = [](Order order, Job& job) {
      give_way();
      Result result;
      const auto record = [&](const Settings& s) { return run_with(s, order.whole->trace, job); };
      AskInput in{*order.whole};
      const double most_cost = order.pose ? most_cost_of_several_runs : most_cost_at_once;
      if (is_recorded_quickly(order.whole->trace.settings, most_cost)) in.record = each_once(record);
      if (order.pose) {
        Posed posed = order.pose(in, job);
        result = {std::move(posed.question), std::move(posed.remarks), std::move(posed.hints), posed.one_try};
      } else {
        std::vector<Question> found = questions(in, order.order, &job);
        if (found.empty() && order.order.from > 0) {
          order.order.from = 0;
          found = questions(in, order.order, &job);
        }
        if (found.empty()) return result;
        // Chooses the question whose kind was asked longest ago.
        const auto turn = [&](const Question& q) { return order.asked[static_cast<std::size_t>(q.kind)]; };
        result.question = std::move(*std::ranges::min_element(found, {}, turn));
      }
      const int hidden = result.question->first_hidden();
      result.visible = hidden < std::ssize(order.whole->trace.steps)
                           ? std::make_shared<const Recording>(recording_before(*order.whole, hidden, &job))
                           : order.whole;
      return result;
    };
    worker_ = std::make_unique<Worker<Order, Result>>(work, wake_);
  }
  visible_.reset();
  question_.reset();
  remarks_.clear();
  hints_.clear();
  is_posed_ = static_cast<bool>(order.pose);
  stage_ = Stage::looking;
  whole_ = order.whole;
  worker_->begin(std::move(order));
}

void Questioning::begin(std::shared_ptr<const Recording> whole, int from) {
  const bool is_over = from >= std::ssize(whole->trace.steps);
  search({std::move(whole), {.from = is_over ? 0 : from, .seed = seed_++, .count = 6}, asked_});
}

void Questioning::pose(std::shared_ptr<const Recording> whole, Pose pose) {
  search({std::move(whole), {}, {}, std::move(pose)});
}

void Questioning::say_anew(const Posed::Texts& texts) {
  if (texts.remarks.size() != remarks_.size() || texts.hints.size() != hints_.size()) return;
  const std::string shown = remark_;
  const auto replace = [&](std::string& text, const std::string& by) {
    if (text == shown && !shown.empty()) remark_ = by;
    text = by;
  };
  for (std::size_t i = 0; i < remarks_.size(); ++i) replace(remarks_[i].text, texts.remarks[i]);
  for (std::size_t i = 0; i < hints_.size(); ++i) replace(hints_[i], texts.hints[i]);
  notice_.clear();
}

void Questioning::end() {
  if (worker_) worker_->cancel();
  stage_ = Stage::off;
  whole_.reset();
  visible_.reset();
  question_.reset();
  is_posed_ = false;
  number_ = 0;
  asked_ = {};
}

bool Questioning::tick() {
  if (stage_ != Stage::looking || !worker_) return false;
  std::optional<Result> result = worker_->take();
  if (!result) {
    if (!worker_->busy()) stage_ = Stage::none;
    return stage_ == Stage::none;
  }
  question_ = std::move(result->question);
  visible_ = std::move(result->visible);
  remarks_ = std::move(result->remarks);
  hints_ = std::move(result->hints);
  one_try_ = result->one_try;
  reply_ = {};
  typed_.clear();
  notice_.clear();
  place_is_none_ = false;
  judgement_.reset();
  remark_.clear();
  hints_shown_ = 0;
  tries_ = 0;
  is_judged_ = false;
  stage_ = question_ ? Stage::asked : Stage::none;
  if (question_) asked_[static_cast<std::size_t>(question_->kind)] = ++number_;
  return true;
}

void Questioning::mark(std::int64_t number) {
  if (!is_open()) return;
  notice_.clear();
  const auto& possible = question_->form == AnswerForm::places ? question_->places : question_->choices;
  if (!std::ranges::binary_search(possible, number)) return;
  typed_.clear();
  place_is_none_ = false;
  std::vector<std::int64_t>& marked = reply_.numbers;
  const auto at = std::ranges::lower_bound(marked, number);
  if (at != marked.end() && *at == number) {
    marked.erase(at);
    return;
  }
  if (takes_one(*question_)) marked = {number};
  else marked.insert(at, number);
}

void Questioning::mark_none() {
  if (!is_open() || takes_one(*question_)) return;
  notice_.clear();
  reply_.numbers.clear();
  typed_.clear();
  place_is_none_ = !place_is_none_;
}

void Questioning::type(char c) {
  if (!is_open() || typed_.size() > 200) return;
  notice_.clear();
  if (typed_.empty() || is_judged_) reply_.numbers.clear();
  if (is_judged_) typed_.clear();
  place_is_none_ = is_judged_ = false;
  typed_ += c;
  if (question_->form != AnswerForm::value) reply_.numbers = numbers_of_reply(*question_, typed_);
}

void Questioning::erase() {
  if (!is_open()) return;
  notice_.clear();
  is_judged_ = false;
  if (!typed_.empty()) typed_.pop_back();
  if (question_->form != AnswerForm::value) reply_.numbers = numbers_of_reply(*question_, typed_);
}

namespace {

// Numbers and ranges of numbers, such as "0 4 8 - 12".
struct TypedNumbers {
  std::vector<std::int64_t> numbers;  // sorted
  bool is_readable = true;            // whether the text contains only numbers and ranges
};

TypedNumbers read_numbers(std::string_view typed) {
  constexpr std::int64_t greatest = 1'000'000;
  constexpr std::ptrdiff_t most = 2000;
  TypedNumbers read;
  std::size_t at = 0;
  const auto skip = [&](std::string_view characters) {
    at = std::min(typed.find_first_not_of(characters, at), typed.size());
  };
  const auto next_number = [&]() -> std::optional<std::int64_t> {
    const std::size_t from = at;
    std::int64_t number = 0;
    for (; at < typed.size() && typed[at] >= '0' && typed[at] <= '9'; ++at)
      number = std::min(number * 10 + (typed[at] - '0'), greatest);
    return at == from ? std::nullopt : std::optional(number);
  };
  while (skip(" ,"), at < typed.size()) {
    const auto first = next_number();
    if (!first) {
      read.is_readable = false;
      ++at;
      continue;
    }
    auto last = first;
    skip(" ");
    if (at < typed.size() && typed[at] == '-') {
      ++at;
      skip(" ");
      last = next_number();
    }
    if (!last || *last < *first || *last - *first > most - std::ssize(read.numbers)) {
      read.is_readable = false;
      continue;
    }
    for (std::int64_t k = *first; k <= *last; ++k) read.numbers.push_back(k);
  }
  std::ranges::sort(read.numbers);
  const auto repeated = std::ranges::unique(read.numbers);
  read.numbers.erase(repeated.begin(), repeated.end());
  return read;
}

// Reads the numbers of a typed reply. If the learner must choose one of several choices, replaces the number
// k by the k-th choice, or by -1 if there are fewer than k choices.
TypedNumbers read_reply(const Question& q, std::string_view typed) {
  TypedNumbers read = read_numbers(typed);
  if (q.form == AnswerForm::choice) {
    for (std::int64_t& k : read.numbers)
      k = k >= 1 && k <= std::ssize(q.choices) ? q.choices[static_cast<std::size_t>(k - 1)] : -1;
    std::ranges::sort(read.numbers);
  }
  return read;
}

bool is_possible(const Question& q, std::int64_t number) {
  return std::ranges::binary_search(q.form == AnswerForm::places ? q.places : q.choices, number);
}

}  // namespace

std::vector<std::int64_t> numbers_of_reply(const Question& q, std::string_view typed) {
  std::vector<std::int64_t> numbers = read_reply(q, typed).numbers;
  std::erase_if(numbers, [&](std::int64_t k) { return !is_possible(q, k); });
  return numbers;
}

bool names_only_possible(const Question& q, std::string_view typed) {
  const TypedNumbers read = read_reply(q, typed);
  return read.is_readable &&
         std::ranges::all_of(read.numbers, [&](std::int64_t k) { return is_possible(q, k); });
}

Value value_of_reply(const std::string& typed, const Settings& settings) {
  Settings one = settings;
  one.n = 1;
  const std::vector<Value> values = parse_data(typed, one, tr("The answer"));
  if (values.size() != 1) throw RequestError(tr("The answer is one number."));
  return values.front();
}

// Chooses the author's remark about the judged reply. If no remark and no misconception explains a wrong
// answer, shows the next hint.
void Questioning::choose_remark() {
  remark_.clear();
  if (judgement_->right) return;
  for (const Posed::Remark& r : remarks_)
    if (r.reply == reply_) remark_ = r.text;
  if (!remark_.empty() || judgement_->misreading >= 0 || hints_shown_ == hints_.size()) return;
  remark_ = hints_[hints_shown_++];
}

void Questioning::commit() {
  if (!is_open()) return;
  notice_.clear();
  const Settings& s = whole_->trace.settings;
  if (question_->form == AnswerForm::value) {
    try {
      reply_.value = value_of_reply(typed_, s);
    } catch (const std::exception& e) { return set_notice(in_words(e)); }
  } else if (!has_reply() ||
             (typed_.empty() && question_->form != AnswerForm::places && reply_.numbers.size() != 1)) {
    return set_notice(tr("Choose an answer first."));
  }
  if (question_->form != AnswerForm::value && !typed_.empty()) {
    const bool one = takes_one(*question_);
    const bool is_possible = names_only_possible(*question_, typed_) && !reply_.numbers.empty();
    if (one && (!is_possible || reply_.numbers.size() != 1))
      return set_notice(tr("\"{}\" is not a possible answer: choose one of the shown answers.", typed_));
    if (!is_possible)
      return set_notice(
          tr("\"{}\" is not a possible answer: type numbers of places in the picture, such as 3 or 0-7.",
             typed_));
  }
  judgement_ = judge(*question_, reply_, s.type);
  choose_remark();
  is_judged_ = true;
  const bool is_first = ++tries_ == 1;
  if (judgement_->right || one_try_ || tries_ >= tries_with(hints_.size())) {
    count(judgement_->right && is_first);
    stage_ = Stage::shown;
  } else {
    stage_ = Stage::again;
  }
}

void Questioning::count(bool right) {
  if (is_posed_) return;  // a lesson's question does not change the score
  score_.right += right;
  ++score_.asked;
}

void Questioning::show_answer() {
  if (!is_open()) return;
  judgement_.reset();
  remark_.clear();
  count(false);
  stage_ = Stage::shown;
}

std::optional<std::int64_t> place_in(const Question& q, const Recording& r, const Id& id) {
  switch (q.place_of) {
    case PlaceOf::lanes: {
      const AccessId* by = is<LaneId>(id) ? access_of(id) : nullptr;
      if (by && by->warp == q.about.warp && by->lane >= 0) return by->lane;
      break;
    }
    case PlaceOf::warps: {
      const AccessId* by = is<LaneId>(id) ? access_of(id) : nullptr;
      if (by && by->warp >= 0) return by->warp;
      break;
    }
    case PlaceOf::banks:
      if (const auto* bank = as<BankId>(id); bank && bank->bank >= 0) return bank->bank;
      break;
    case PlaceOf::lines:
      if (const auto* line = as<LineId>(id); line && line->line > 0) return line->line;
      break;
    case PlaceOf::elements: {
      const auto* cell = as<CellId>(id);
      if (!cell || cell->element < 0 || cell->cell < 0) break;
      const auto& places = r.block(grid_index(r.trace, q.step), q.about.block).places();
      if (cell->cell >= std::ssize(places)) break;
      const CellPlace& place = places[static_cast<std::size_t>(cell->cell)];
      const CellPlace& own = places[static_cast<std::size_t>(std::max(q.about.cell, 0))];
      if (place.region == 0 && place.buffer == own.buffer) return place.element;
      break;
    }
    case PlaceOf::nothing: break;
  }
  return {};
}

}  // namespace upsweep
