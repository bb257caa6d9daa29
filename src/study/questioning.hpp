// Asks one question after another about the shown run, and judges the learner's replies.
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "questions/ask.hpp"
#include "scene/id.hpp"
#include "study/worker.hpp"

namespace upsweep {

// How often the learner was right in this session.
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
    again,    // the first reply was wrong, and the learner may reply again
    shown,    // the answer is shown
  };

  // `wake` is called from another thread when tick() has something to pick up.
  explicit Questioning(std::function<void()> wake) : wake_(std::move(wake)) {}

  // Looks for a question about a step of this run: about `from` or one of the next steps, or about any step
  // if these have no question.
  void begin(std::shared_ptr<const Recording> whole, int from);
  void end();
  bool tick();  // returns whether a question has come
  void wait(double seconds) {
    if (worker_) worker_->wait(seconds);
  }

  Stage stage() const { return stage_; }
  bool is_open() const { return stage_ == Stage::asked || stage_ == Stage::again; }
  // The run about which is asked; null if the stage is `off`.
  const std::shared_ptr<const Recording>& whole() const { return whole_; }
  // What the learner may see of the run; null unless a question is open.
  std::shared_ptr<const Recording> visible() const { return is_open() ? visible_ : nullptr; }
  // Only valid if is_open() or if the stage is `shown`.
  const Question& question() const { return *question_; }
  int number() const { return number_; }  // of this question, from 1
  const Score& score() const { return score_; }

  // The learner's reply so far. mark() adds a place or takes it away. If only one answer is possible, mark()
  // replaces it.
  const Reply& reply() const { return reply_; }
  const std::string& typed() const { return typed_; }
  bool has_reply() const { return !reply_.numbers.empty() || !typed_.empty() || place_is_none_; }
  void mark(std::int64_t number);
  void mark_none();  // "no warp": an empty set of places
  bool says_none() const { return place_is_none_; }
  void type(char character);  // digits, and what numbers consist of
  void erase();               // the last character
  // Judges the reply. Returns a sentence if the reply cannot be read, else an empty text.
  std::string commit();
  void show_answer();
  // What commit() found; only valid if the stage is `again` or `shown`. Nothing if the learner gave up.
  const std::optional<Judgement>& judgement() const { return judgement_; }

 private:
  using OfKinds = std::array<int, question_kinds>;
  struct Order {
    std::shared_ptr<const Recording> whole;
    AskOrder order;
    OfKinds asked;
  };
  struct Result {
    std::optional<Question> question;
    std::shared_ptr<const Recording> visible;
  };
  void read_typed();

  std::function<void()> wake_;
  Stage stage_ = Stage::off;
  std::shared_ptr<const Recording> whole_, visible_;
  std::optional<Question> question_;
  Reply reply_;
  std::string typed_;
  bool place_is_none_ = false;
  std::optional<Judgement> judgement_;
  int number_ = 0;
  OfKinds asked_{};  // by kind: the number of its last question, or 0
  std::uint32_t seed_ = 1;
  Score score_;
  std::unique_ptr<Worker<Order, Result>> worker_;  // null until the first question
};

// Returns the place of a question that an id names, or nothing: the lane, the bank, the element ...
std::optional<std::int64_t> place_in(const Question& question, const Recording& recording, const Id& id);

}  // namespace upsweep
