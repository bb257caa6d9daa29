#include "trace/stopped.hpp"

#include <algorithm>

#include "base/messages.hpp"

namespace upsweep {
namespace {

Message threads_message(const std::vector<std::uint32_t>& threads) {
  constexpr std::size_t most = 4;
  if (threads.size() == 1) return say::one_thread(threads[0]);
  if (threads.back() - threads.front() + 1 == threads.size())
    return say::threads_from_to(threads.front(), threads.back());
  std::vector<Message> named;
  for (std::size_t i = 0; i < std::min(threads.size(), most); ++i) named.push_back(say::number(threads[i]));
  if (threads.size() <= most) return say::threads_named(named);
  return say::threads_named_and_more(named, threads.size() - most);
}

Message place_message(const StoppedThreads& p) {
  if (p.threads.empty()) return say::somebody_waits(p.block, p.line);
  const Message who = threads_message(p.threads);
  const std::size_t count = p.threads.size();
  switch (p.wait) {
    case Wait::barrier: return say::waits_at_barrier(p.block, who, count, p.line);
    case Wait::warp_barrier: return say::waits_at_warp_barrier(p.block, who, count, p.line);
    case Wait::statement: return say::waits_behind_statement(p.block, who, count, p.line);
    default: return say::waits_in_loop(p.block, who, count, p.line);
  }
}

Message deadlock_message(const std::vector<StoppedThreads>& places) {
  if (places.empty()) return say::deadlock();
  const StoppedThreads& p = places[0];
  const std::uint32_t thread = p.threads.empty() ? 0 : p.threads[0];
  if (p.wait == Wait::value) return say::deadlock_value(p.line, thread, p.block);
  if (p.wait == Wait::lanes) {
    if (places.size() < 2 || places[1].threads.empty()) return say::deadlock_lanes(p.line, thread, p.block);
    const auto& other = places[1];
    return other.wait == Wait::barrier
               ? say::deadlock_lanes_barrier(p.line, thread, p.block, other.threads[0], other.line)
               : say::deadlock_lanes_elsewhere(p.line, thread, p.block, other.threads[0], other.line);
  }
  constexpr std::size_t most = 3;
  std::vector<Message> told = {say::deadlock()};
  for (std::size_t i = 0; i < std::min(places.size(), most); ++i) told.push_back(place_message(places[i]));
  if (places.size() > most) told.push_back(say::more_places_wait(places.size() - most));
  return say::sentences(told);
}

}  // namespace

Message stop_message(const Stopped& s) {
  if (s.kind == Stop::none) return {};
  if (s.kind == Stop::deadlock) return deadlock_message(s.places);
  if (s.kind == Stop::not_resident) return say::blocks_not_resident(s.rounds);
  if (s.kind == Stop::unknown || s.places.empty() || s.places[0].threads.empty()) return say::stopped();
  const StoppedThreads& p = s.places[0];
  if (s.kind == Stop::misaligned)
    return say::misaligned(p.line, p.threads[0], p.block, s.elements, s.first_element);
  if (s.kind == Stop::launch_limit) return say::launch_limit(p.line, p.threads[0], p.block, s.rounds);
  if (s.kind == Stop::round_limit)
    return s.rounds == 0 ? say::round_limit(p.line, p.threads[0], p.block)
                         : say::round_limit_counted(p.line, p.threads[0], p.block, s.rounds);
  if (s.rounds == 0) return say::endless_loop(p.line, p.threads[0], p.block);
  return say::endless_loop_counted(p.line, p.threads[0], p.block, s.rounds);
}

}  // namespace upsweep
