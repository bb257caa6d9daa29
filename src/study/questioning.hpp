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

// A question that somebody has chosen, such as the author of a lesson.
struct Posed {
  // A wrong answer that the author explains.
  struct Remark {
    Reply reply;
    std::string text;
  };
  Question question;
  std::vector<Remark> remarks;
  // Each wrong answer that no remark and no misconception explains shows the next hint.
  std::vector<std::string> hints;
  bool one_try = false;  // the first reply counts, as in a test
  // The texts of the remarks and of the hints.
  struct Texts {
    std::vector<std::string> remarks, hints;
  };
};

// Returns how often a learner may reply to a question with so many hints before the answer is shown.
inline int tries_with(std::size_t hints) { return std::max(2, static_cast<int>(hints) + 1); }

// Questions about other runs need several recordings, so they are asked only if a recording takes little
// time. `most_cost` is as cost() returns it: the window must answer at once, but people wait for a chosen
// question and for the command line.
inline constexpr double most_cost_at_once = 1 << 16, most_cost_of_several_runs = 1 << 19;
bool is_recorded_quickly(const Settings& settings, double most_cost);
// Throws RequestError if questions of this kind are about other runs, and such a run takes too long.
void expect_quick_runs(QuestionKind kind, const Settings& settings);

// Makes a chosen question about a run, in another thread. Throws RequestError if the run has no such
// question.
using Pose = std::function<Posed(const AskInput&, const Job&)>;

// The number of questions and of right replies in this session.
struct Score {
  int asked = 0;  // questions whose answer was shown
  int right = 0;  // questions whose first reply was right
};

class Questioning {
 public:
  enum class Stage {
    off,
    looking,  // another thread looks for a question
    none,     // the run has no question
    asked,    // the learner has not replied yet
    again,    // the last reply was wrong, and the learner may reply again
    shown,    // the answer is shown
  };

  // `wake` is called from another thread when tick() can pick up a question.
  explicit Questioning(std::function<void()> wake) : wake_(std::move(wake)) {}

  // Looks for a question about a step of this run: about `from` or one of the next steps, or about any step
  // if these have no question.
  void begin(std::shared_ptr<const Recording> whole, int from);
  // Asks a chosen question about this run.
  void pose(std::shared_ptr<const Recording> whole, Pose pose);
  // Gives the texts of the chosen question in another language. Does nothing if these are the texts of
  // another question.
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
  // What the learner may see of the run; null unless a question is open.
  std::shared_ptr<const Recording> visible() const { return is_open() ? visible_ : nullptr; }
  // Only valid if is_open() or if the stage is `shown`.
  const Question& question() const { return *question_; }
  int number() const { return number_; }  // of this question, from 1
  const Score& score() const { return score_; }

  // The learner's reply so far. mark() adds a place, or removes it if the reply already has it. If a reply
  // can have only one place, mark() replaces this place.
  const Reply& reply() const { return reply_; }
  const std::string& typed() const { return typed_; }
  bool has_reply() const { return !reply_.numbers.empty() || !typed_.empty() || place_is_none_; }
  void mark(std::int64_t number);
  void mark_none();  // "no warp": an empty set of places
  bool says_none() const { return place_is_none_; }
  void type(char character);  // adds a digit, or another character of numbers
  void erase();               // removes the last character
  // Judges the reply. If the reply cannot be judged, notice() says why.
  void commit();
  // Why the last reply was not judged; empty if there is no reason, or when the learner changes the reply.
  const std::string& notice() const { return notice_; }
  void set_notice(std::string text) { notice_ = std::move(text); }
  void show_answer();
  int tries() const { return tries_; }  // how often the learner has replied to this question
  // Whether somebody has chosen the question, see Posed.
  bool is_posed() const { return is_posed_; }
  // What the author of the question says about the learner's last wrong answer that was judged; empty if
  // there is nothing to say.
  const std::string& remark() const { return remark_; }
  // The result of the last commit(); empty if the learner gave up. Only valid if the stage is `again` or
  // `shown`.
  const std::optional<Judgement>& judgement() const { return judgement_; }

 private:
  using OfKinds = std::array<int, question_kinds>;
  struct Order {
    std::shared_ptr<const Recording> whole;
    AskOrder order;
    OfKinds asked;
    Pose pose{};  // if not empty, makes the question
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
  OfKinds asked_{};         // by kind: the number of its last question, or 0
  std::uint32_t seed_ = 1;
  Score score_;
  std::unique_ptr<Worker<Order, Result>> worker_;  // null until the first question
};

// Reads whole numbers and ranges of them, such as "0 4 8 - 12". Returns the numbers that are places or
// choices of the question, sorted. If the question is a choice, number k means choice k, counted from 1.
std::vector<std::int64_t> numbers_of_reply(const Question& question, std::string_view typed);
// Returns whether a text has only such numbers and ranges, and all of them are places or choices of the
// question.
bool names_only_possible(const Question& question, std::string_view typed);
// Reads a value of the run's type. Throws RequestError if the text is not one value.
Value value_of_reply(const std::string& typed, const Settings& settings);

// Returns the number of the lane, bank, element or other place that an id names. Returns nothing if the
// question has no such place.
std::optional<std::int64_t> place_in(const Question& question, const Recording& recording, const Id& id);

}  // namespace upsweep
