#include "questions/question.hpp"

#include <algorithm>
#include <iterator>

#include "questions/kinds.hpp"
#include "trace/value.hpp"

namespace upsweep {
namespace {

bool equal(const Question& q, const Reply& a, const Reply& b, Scalar type) {
  if (q.form != AnswerForm::value) return a.numbers == b.numbers;
  return scalar(a.value, type) == scalar(b.value, type);
}

}  // namespace

Judgement judge(const Question& q, const Reply& given, Scalar type) {
  Judgement j;
  j.right = equal(q, given, q.answer, type);
  if (q.form == AnswerForm::places) {
    const auto &right = q.answer.numbers, &marked = given.numbers;
    std::ranges::set_intersection(right, marked, std::back_inserter(j.found));
    std::ranges::set_difference(right, marked, std::back_inserter(j.missed));
    std::ranges::set_difference(marked, right, std::back_inserter(j.wrong));
  }
  const auto found = std::ranges::find_if(
      q.misreadings, [&](const Misreading& m) { return equal(q, given, m.reply, type); });
  if (!j.right && found != q.misreadings.end())
    j.misreading = static_cast<int>(found - q.misreadings.begin());
  return j;
}

void misread(Question& q, Reply reply, int misconception) {
  if (reply == q.answer) return;
  for (const Misreading& m : q.misreadings)
    if (m.reply == reply) return;
  q.misreadings.push_back({std::move(reply), misconception});
}

std::vector<std::int64_t> numbers_between(std::int64_t first, std::int64_t last) {
  std::vector<std::int64_t> all;
  for (std::int64_t i = first; i <= last; ++i) all.push_back(i);
  return all;
}

std::vector<std::int64_t> lanes_of(std::uint32_t mask) {
  std::vector<std::int64_t> all;
  for (int lane = 0; lane < 32; ++lane)
    if ((mask >> lane & 1u) != 0) all.push_back(lane);
  return all;
}

}  // namespace upsweep
