// Finds the moves of a run's elements that are known after a step.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "analysis/moves.hpp"
#include "analysis/recording.hpp"

namespace upsweep {

class KnownMoves {
 public:
  // `recording` must outlive the object. In the functions below, `input` is the index of an input element,
  // from 0.
  KnownMoves(const Recording& recording, int step);

  const Moves& moves() const { return moves_; }
  std::int64_t input_size() const { return std::ssize(r_.trace.input); }
  std::int64_t output_size() const { return std::ssize(moves_.output); }

  // Returns the element's place in the final output, or null if the recording does not show this place.
  const Moves::Arrival* arrival(std::int64_t input) const;
  int step_of(const Moves::Arrival& a) const { return static_cast<int>(r_.trace.events[a.event].step); }
  bool arrived(const Moves::Arrival& a) const { return a.known() && step_of(a) <= step_; }
  bool is_place_known(const Moves::Arrival& a) const { return a.known() && a.known_from <= step_; }
  bool all_arrived() const;
  // Returns true if the events until the step's end show that a selection drops the element. The events show
  // this if the element's flag is 0, or if all kept elements are already in the output.
  bool is_dropped(std::int64_t input) const;

  // Returns the number of kept elements that a selection stored in its second output. Returns nullopt if the
  // kernel is no selection or has no such output.
  std::optional<std::int64_t> kept() const;
  // Returns whether the recording shows the move of every element that the output holds.
  bool complete() const { return moves_.arrived == kept().value_or(output_size()); }

 private:
  const Recording& r_;
  const Moves& moves_;
  const int step_;
};

}  // namespace upsweep
