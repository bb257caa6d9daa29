#include "analysis/known_moves.hpp"

#include <algorithm>

namespace upsweep {

KnownMoves::KnownMoves(const Recording& recording, int step)
    : r_(recording), moves_(recording.moves()), step_(step) {}

const Moves::Arrival* KnownMoves::arrival(std::int64_t input) const {
  const std::uint32_t place = moves_.place[static_cast<std::size_t>(input)];
  return place == Moves::none ? nullptr : &moves_.output[place];
}

bool KnownMoves::all_arrived() const {
  const auto& there = moves_.arrived_after;
  return step_ >= 0 && step_ < std::ssize(there) && there[static_cast<std::size_t>(step_)] == moves_.arrived;
}

bool KnownMoves::is_dropped(std::int64_t input) const {
  if (arrival(input) || r_.result != "selection") return false;
  const int flagged = moves_.dropped_in[static_cast<std::size_t>(input)];
  return (flagged >= 0 && flagged <= step_) || (all_arrived() && complete());
}

std::optional<std::int64_t> KnownMoves::kept() const {
  const auto& more = r_.trace.more_outputs;
  if (r_.result != "selection" || more.empty() || more[0].empty()) return {};
  return std::min<std::int64_t>(more[0][0][0], std::ssize(r_.trace.output));
}

}  // namespace upsweep
