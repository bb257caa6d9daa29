// Stores the states of the window that undo and redo can restore.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "study/request.hpp"

namespace upsweep {

struct PastState {
  Request state;
  bool n_chosen = false, block_chosen = false;  // see WantedRun
  // The kind of the intention (user action) that changed this state into the next state. Successive
  // intentions of the same kind count as one intention. Intentions with an empty kind are never joined.
  std::string kind;
};

class History {
 public:
  enum class Direction { undo, redo };

  // `before` is the state before an intention (a user action), and `now` is the state after the intention.
  // Adds `before` if the intention is not joined with the previous intention (see `kind`).
  //
  // Forgets the undone states, so that nothing can be redone. Keeps at most 1,000 states. Does nothing if
  // both states are equal.
  void add(PastState before, const Request& now);

  // Returns the state that the next undo or redo restores, or nullopt if there is no such state. First
  // forgets the next states that equal `now`, because restoring these states would change nothing.
  std::optional<PastState> next(Direction direction, const Request& now);
  // The caller must call go() after restoring the state that next() returned. `now` is the state before the
  // restoration. The opposite direction (undo or redo) can later restore `now`.
  void go(Direction direction, PastState now);

 private:
  std::vector<PastState>& states(Direction d) { return d == Direction::undo ? past_ : future_; }
  std::vector<PastState>& others(Direction d) { return d == Direction::undo ? future_ : past_; }

  std::vector<PastState> past_, future_;  // the state nearest to the current state is last
};

}  // namespace upsweep
