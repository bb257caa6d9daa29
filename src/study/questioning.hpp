// Asks one question after another about the shown run, and judges the learner's replies.
#pragma once
#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "questions/ask.hpp"
#include "scene/id.hpp"
#include "study/worker.hpp"

namespace upsweep {

// A question that a person has chosen, for example the author of a lesson.
struct Posed {
  // A wrong answer that the author explains.
  struct Remark {
    Reply reply;
    std::string text;
  };
  Question question;
  std::vector<Remark> remarks;
  // The next hint is shown after each wrong answer that no remark and no misconception explains.
  std::vector<std::string> hints;
  bool one_try = false;  // if true, the answer is shown after the first reply, as in a test
  // Translated texts that replace the texts of the remarks and of the hints, see Questioning::say_anew().
  struct Texts {
    std::vector<std::string> remarks, hints;
  };
};

// If a question has this number of hints, returns how often a learner may reply before the answer is shown.
inline int tries_with(std::size_t hints) { return std::max(2, static_cast<int>(hints) + 1); }

// Some kinds of questions need recordings of other runs. These questions are asked only if the cost() of a
// recording does not exceed a limit.
//
// `most_cost_at_once` is the limit in the window, which must answer at once. `most_cost_of_several_runs` is
// the limit for chosen questions and on the command line, because people wait for these questions.
inline constexpr double most_cost_at_once = 1 << 16, most_cost_of_several_runs = 1 << 19;
bool is_recorded_quickly(const Settings& settings, double most_cost);
// Some kinds of questions need more runs than the shown run. For these kinds, throws RequestError if it takes
// too long to record a run with these settings.
void expect_quick_runs(QuestionKind kind, const Settings& settings);

// A function that makes a chosen question about a run. The function is called in another thread, and throws
// RequestError if the question is impossible for the run.
using Pose = std::function<Posed(const AskInput&, const Job&)>;

// The numbers of questions and of correct replies in this session, without the questions of lessons.
struct Score {
  int asked = 0;  // questions whose answer was shown
  int right = 0;  // questions whose first reply was correct
};

class Questioning {
 public:
  enum class Stage {
    off,
    looking,  // another thread looks for a question
    none,     // the run has no question
    asked,    // the learner has not replied yet
    again,    // the latest reply was wrong, and the learner may reply again
    shown,    // the answer is shown
  };

  // `wake` is called from another thread when tick() can pick up a question.
  explicit Questioning(std::function<void()> wake) : wake_(std::move(wake)) {}

  // Looks for a question about step `from` of this run or about one of the next steps. If these steps have no
  // question, looks at all steps.
  void begin(std::shared_ptr<const Recording> whole, int from);
  // Asks a chosen question about this run.
  void pose(std::shared_ptr<const Recording> whole, Pose pose);
  // Replaces the texts of the chosen question by texts in another language. Does nothing if `texts` belongs
  // to another question.
  void say_anew(const Posed::Texts& texts);
  void end();
  bool tick();  // returns whether a question has come
  void wait(double seconds) {
    if (worker_) worker_->wait(seconds);
  }

  Stage stage() const { return stage_; }
  bool is_open() const { return stage_ == Stage::asked || stage_ == Stage::again; }
  // The run that the questions are about; null if the stage is `off`.
  const std::shared_ptr<const Recording>& whole() const { return whole_; }
  // The part of the run that the learner may see; null if no question is open.
  std::shared_ptr<const Recording> visible() const { return is_open() ? visible_ : nullptr; }
  // Only valid if is_open() or if the stage is `shown`.
  const Question& question() const { return *question_; }
  int number() const { return number_; }  // the number of this question, from 1
  const Score& score() const { return score_; }

  // The learner's reply so far. mark() adds a place to the reply. If the reply already has the place, mark()
  // removes the place. If a reply can have only one place, mark() replaces the old place.
  const Reply& reply() const { return reply_; }
  const std::string& typed() const { return typed_; }
  bool has_reply() const { return !reply_.numbers.empty() || !typed_.empty() || place_is_none_; }
  void mark(std::int64_t number);
  void mark_none();  // switches the reply "none" on or off; it means no place, such as "no warp"
  bool says_none() const { return place_is_none_; }
  void type(char character);  // adds a digit, or another character that a number can have
  void erase();               // removes the last character
  // Judges the reply. If the reply cannot be judged, notice() says why.
  void commit();
  // Says why the latest reply was not judged. Empty if the reply was judged. A change of the reply also makes
  // this text empty.
  const std::string& notice() const { return notice_; }
  void set_notice(std::string text) { notice_ = std::move(text); }
  void show_answer();
  int tries() const { return tries_; }  // how often the learner has replied to this question
  // Returns true if somebody has chosen the question, see Posed.
  bool is_posed() const { return is_posed_; }
  // The author's remark or hint about the latest wrong answer that was judged; empty if there is no remark
  // and no hint.
  const std::string& remark() const { return remark_; }
  // The result of the latest commit(); empty if the learner gave up. Only valid if the stage is `again` or
  // `shown`.
  const std::optional<Judgement>& judgement() const { return judgement_; }

 private:
  using OfKinds = std::array<int, question_kinds>;
  struct Order {
    std::shared_ptr<const Recording> whole;
    AskOrder order;
    OfKinds asked;
    Pose pose{};  // the function that makes a chosen question; empty if no question is chosen
  };
  struct Result {
    std::optional<Question> question;
    std::vector<Posed::Remark> remarks{};
    std::vector<std::string> hints{};
    bool one_try = false;
    std::shared_ptr<const Recording> visible{};
  };
  void search(Order order);
  void choose_remark();
  void count(bool right);  // adds this question to the score, unless the question belongs to a lesson

  std::function<void()> wake_;
  Stage stage_ = Stage::off;
  std::shared_ptr<const Recording> whole_, visible_;
  std::optional<Question> question_;
  std::vector<Posed::Remark> remarks_;
  std::vector<std::string> hints_;
  bool is_posed_ = false, one_try_ = false;
  Reply reply_;  // the reply so far
  std::string typed_, notice_, remark_;
  std::size_t hints_shown_ = 0;
  bool place_is_none_ = false;
  std::optional<Judgement> judgement_;
  int number_ = 0, tries_ = 0;
  bool is_judged_ = false;  // the reply was judged, so the next typed character begins a new reply
  OfKinds asked_{};         // for each kind: the number of the latest question of this kind, or 0
  std::uint32_t seed_ = 1;
  Score score_;
  std::unique_ptr<Worker<Order, Result>> worker_;  // null until the first question
};

// Reads whole numbers and ranges of numbers, such as "0 4 8 - 12". Returns the numbers that are places or
// choices of the question, sorted. If the learner must choose one of several choices, the number k means
// choice k, counted from 1.
std::vector<std::int64_t> numbers_of_reply(const Question& question, std::string_view typed);
// Returns true if a text contains only numbers and ranges, and if all these numbers are places or choices of
// the question.
bool names_only_possible(const Question& question, std::string_view typed);
// Reads a value of the run's type. Throws RequestError if the text is not one value.
Value value_of_reply(const std::string& typed, const Settings& settings);

// Returns the number of the lane, bank, element or other place that an id names. Returns nullopt if the
// question has no such place.
std::optional<std::int64_t> place_in(const Question& question, const Recording& recording, const Id& id);

}  // namespace upsweep
