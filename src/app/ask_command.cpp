#include <fmt/format.h>

#include <utility>

#include "app/commands.hpp"
#include "app/json.hpp"
#include "app/output.hpp"
#include "base/error.hpp"
#include "base/language.hpp"
#include "options/options.hpp"
#include "questions/ask.hpp"
#include "study/questioning.hpp"
#include "study/recording.hpp"
#include "words/names.hpp"
#include "words/question_words.hpp"

namespace upsweep {
namespace {

Json reply_json(const Question& q, const Reply& reply, const Recording& r) {
  if (q.form == AnswerForm::places) return reply.numbers;
  if (q.form == AnswerForm::number) return reply.numbers.front();
  return reply_text(q, reply, r);
}

Json json_of(const Question& q, const Recording& r) {
  const auto if_known = [](int number) { return number < 0 ? Json(nullptr) : Json(number); };
  const About& a = q.about;
  const Json about = {{"block", q.step < 0 ? Json(nullptr) : Json(a.block)},
                      {"warp", if_known(a.warp)},
                      {"lane", if_known(a.lane)},
                      {"cell", if_known(a.element)},
                      {"request", a.request == 0 ? Json(nullptr) : Json(a.request)},
                      {"line", a.line == 0 ? Json(nullptr) : Json(a.line)},
                      {"tile", if_known(a.tile)}};
  Json misreadings = Json::array();
  for (const Misreading& m : q.misreadings)
    misreadings.push_back({{"answer", reply_json(q, m.reply, r)},
                           {"misconception", m.misconception},
                           {"why", refutation(q, m, r)}});
  Json json = {
      {"kind", name(q.kind)}, {"step", if_known(q.step)}, {"about", about}, {"text", question_text(q, r)}};
  if (q.form == AnswerForm::places) {
    json["places"] = q.places;
  } else {
    Json choices = Json::array();
    for (const std::int64_t c : q.choices)
      choices.push_back(q.form == AnswerForm::number ? Json(c) : Json(choice_text(q, c)));
    json["choices"] = std::move(choices);
  }
  json["answer"] = reply_json(q, q.answer, r);
  json["misreadings"] = std::move(misreadings);
  return json;
}

std::string text_of(const std::vector<Question>& all, const Recording& r) {
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Question& q = all[i];
    text += fmt::format("{}. ({}) {}\n", i + 1, name(q.kind), question_text(q, r));
    if (q.form == AnswerForm::choice)
      for (const std::int64_t c : q.choices) text += fmt::format("     - {}\n", choice_text(q, c));
    text += tr("   Answer: {}. {}\n", reply_text(q, q.answer, r), because_of(q, r));
    for (const Misreading& m : q.misreadings)
      text += tr("   Not \"{}\": {}\n", reply_text(q, m.reply, r), refutation(q, m, r));
    text += '\n';
  }
  return text;
}

}  // namespace

void AskCommand::add_to(ArgumentParser& parser) {
  options.add_to(parser);
  parser.add_option("--count", count);
  parser.add_option("--question-seed", seed);
  parser.add_option("--kind", kind);
  parser.add_option("--step", step);
  parser.add_flag("--json", json);
}

void AskCommand::run() const {
  AskOrder order;
  const long long wanted = count ? whole_number("--count", *count) : 10;
  if (wanted < 1 || wanted > 100'000)
    throw RequestError(tr("--count {}: choose a number from 1 to 100,000.", grouped(wanted)));
  order.count = static_cast<int>(wanted);
  if (seed) {
    const long long typed = whole_number("--question-seed", *seed);
    if (typed < 0 || typed > UINT32_MAX)
      throw RequestError(tr("--question-seed {}: choose a number from 0 to {}.", typed, UINT32_MAX));
    order.seed = static_cast<std::uint32_t>(typed);
  }
  if (!kind.empty()) order.kind = static_cast<QuestionKind>(one_of("--kind", kind, question_kind_names));
  std::optional<RunRequest> run;
  if (!options.recording()) run = understand(options);
  if (run && order.kind) expect_quick_runs(*order.kind, run->settings);
  const Recording r = run ? record(*run) : recording_of(options);
  if (step) order.step = chosen_step(step, r);
  const std::vector<Question> all = questions(run ? ask_input(r, *run) : AskInput{r}, order);
  if (all.empty())
    throw RequestError(order.kind ? tr("This run has no question of the kind \"{}\".", name(*order.kind))
                                  : tr("This run has no questions."));
  if (!json) return print(text_of(all, r));
  Json list = Json::array();
  for (const Question& q : all) list.push_back(json_of(q, r));
  print(upsweep::text_of(list));
}

}  // namespace upsweep
