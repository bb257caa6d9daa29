// Makes questions about one request to shared memory: its banks and its wavefronts.
#include <algorithm>
#include <array>
#include <bit>

#include "analysis/banks.hpp"
#include "analysis/because.hpp"
#include "analysis/step_index.hpp"
#include "questions/kinds.hpp"

namespace upsweep {
namespace {

// Calls f for each load and store of shared memory in the block's step. Leaves out requests that do not fit
// the AskOrder, and requests in which a lane accesses memory out of bounds.
template <class F>
void for_each_shared_request(const Asking& a, int step, int block, F f) {
  const StepIndex& index = a.recording().step(block, step);
  const std::vector<int>& all = index.shared;
  int wanted = -1;
  if (const auto request = a.order.request; request && *request <= std::ssize(index.requests))
    wanted = index.requests[static_cast<std::size_t>(*request - 1)];
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Event& e = a.event(all[i]);
    const int number = static_cast<int>(i) + 1;
    if (e.mask == 0 || (e.flags & is_outside) != 0) continue;
    if (a.order.request && all[i] != wanted) continue;
    if (a.order.warp && *a.order.warp != e.warp) continue;
    if (a.order.line && *a.order.line != e.line) continue;
    f(e, About{.block = block, .warp = e.warp, .event = all[i], .request = number, .line = e.line});
  }
}

std::vector<About> requests_of_step(const Asking& a, int step, int block) {
  std::vector<About> all;
  if (step >= 0)
    for_each_shared_request(a, step, block, [&](const Event&, const About& about) { all.push_back(about); });
  return all;
}

std::vector<About> lanes_of_requests(const Asking& a, int step, int block) {
  std::vector<About> all;
  if (step < 0) return all;
  for_each_shared_request(a, step, block, [&](const Event& e, About about) {
    for (const std::int64_t lane : lanes_of(e.mask)) {
      if (a.order.lane && *a.order.lane != lane) continue;
      about.lane = static_cast<int>(lane);
      all.push_back(about);
    }
  });
  return all;
}

// The padding macro of GPU Gems 3 was meant to add one pad word after every 32 elements, and one more pad
// word after every 1,024 elements. Returns the byte addresses that the active lanes would have with this
// padding. Returns nullopt if the run does not use this macro, if an access does not have 4 bytes, or if a
// lane accesses no element.
std::optional<Addresses> macro_as_meant(const Asking& a, const Because& b, const Event& e) {
  if (a.trace().settings.choice("layout") != "pad_macro" || b.width != 4) return {};
  Addresses meant{};
  for (const std::int64_t lane : lanes_of(e.mask)) {
    const auto& access = b.lanes[static_cast<std::size_t>(lane)];
    if (!access.element) return {};
    const std::int64_t i = *access.element;
    meant[static_cast<std::size_t>(lane)] = static_cast<std::uint32_t>(4 * (i + (i >> 5) + (i >> 10)));
  }
  return meant;
}

std::optional<Question> bank(const Asking& a, int step, const About& about) {
  const Because b = because(a.recording(), about.event);
  const LaneAccess& lane = b.lanes[static_cast<std::size_t>(about.lane)];
  if (!lane.active || !lane.element || b.wavefronts == 0) return {};
  Question q = begin_question(QuestionKind::bank, step, about, AnswerForm::places);
  q.place_of = PlaceOf::banks;
  q.places = numbers_between(0, bank_count - 1);
  q.about.element = static_cast<int>(*lane.element);
  q.about.cell = lane.place;
  q.answer.numbers = {lane.bank};
  misread(q, {{lane.word % half_warp_banks.banks}}, 2);
  if (const auto meant = macro_as_meant(a, b, a.event(about.event)))
    misread(q, {{bank_of((*meant)[static_cast<std::size_t>(about.lane)])}}, 5);
  return q;
}

std::optional<Question> colliding(const Asking& a, int step, const About& about) {
  const Because b = because(a.recording(), about.event);
  const Event& e = a.event(about.event);
  if (b.width > 4 || std::popcount(e.mask) < 2) return {};
  const LaneAccess& own = b.lanes[static_cast<std::size_t>(about.lane)];
  Question q = begin_question(QuestionKind::colliding, step, about, AnswerForm::places);
  q.place_of = PlaceOf::lanes;
  std::vector<std::int64_t> same_bank, of_half;
  for (const std::int64_t lane : lanes_of(e.mask)) {
    if (lane == about.lane) continue;
    q.places.push_back(lane);
    const LaneAccess& other = b.lanes[static_cast<std::size_t>(lane)];
    if (other.bank == own.bank) same_bank.push_back(lane);
    if (other.bank == own.bank && other.word != own.word) q.answer.numbers.push_back(lane);
    if (lane / 16 == about.lane / 16 && other.word % 16 == own.word % 16 && other.word != own.word)
      of_half.push_back(lane);
  }
  if (q.answer.numbers.size() > most_marks) return {};
  if (own.element) q.about.element = static_cast<int>(*own.element);
  misread(q, {same_bank}, 1);
  misread(q, {of_half}, 2);
  return q;
}

// The hardware serves wide accesses in groups of lanes. For each group, finds the largest number of lanes
// (not of words) in one bank. Returns the sum of these numbers.
std::int64_t lanes_in_fullest_banks(const Event& e, const Because& b) {
  const int group = std::min(32, std::max(8, 128 / b.width));
  std::int64_t sum = 0;
  for (int first = 0; first < 32; first += group) {
    std::array<int, bank_count> lanes{};
    for (const std::int64_t lane : lanes_of(e.mask))
      if (lane >= first && lane < first + group)
        ++lanes[static_cast<std::size_t>(b.lanes[static_cast<std::size_t>(lane)].bank)];
    sum += *std::ranges::max_element(lanes);
  }
  return sum;
}

std::optional<Question> wavefronts_of(const Asking& a, int step, const About& about) {
  const Because b = because(a.recording(), about.event);
  const Event& e = a.event(about.event);
  const BankCost cost = bank_cost(a.trace(), e);
  if (cost.wavefronts <= 0) return {};
  Question q = begin_question(QuestionKind::wavefronts, step, about, AnswerForm::number);
  q.choices = numbers_between(1, std::max(32, cost.wavefronts));
  q.answer.numbers = {cost.wavefronts};
  const auto may_be = [&](std::int64_t number, int misconception) {
    if (number >= 1 && number <= q.choices.back()) misread(q, {{number}}, misconception);
  };
  if (const auto meant = macro_as_meant(a, b, e))
    may_be(bank_cost(is_load(e.kind), b.width, e.mask, *meant).wavefronts, 5);
  if (b.width <= 4) may_be(lanes_in_fullest_banks(e, b), 1);
  may_be(bank_cost(a.trace(), e, half_warp_banks).wavefronts, 2);
  may_be(cost.excess(), 4);
  return q;
}

constexpr QuestionMaker kinds[] = {{QuestionKind::bank, lanes_of_requests, bank},
                                   {QuestionKind::colliding, lanes_of_requests, colliding},
                                   {QuestionKind::wavefronts, requests_of_step, wavefronts_of}};

}  // namespace

std::span<const QuestionMaker> request_questions() { return kinds; }

}  // namespace upsweep
