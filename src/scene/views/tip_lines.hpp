// Helper functions for the tooltips of several views.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "analysis/step_index.hpp"
#include "base/language.hpp"
#include "scene/views/views.hpp"
#include "words/names.hpp"

namespace upsweep {

inline constexpr const char* wavefront_meaning = tr_noop(
    "A wavefront is one pass over the 32 banks. Excess wavefronts are the wavefronts that bank conflicts "
    "add.");

// Returns the name of the hardware counter that counts the wavefronts of shared loads or of shared stores.
inline std::string wavefront_counter(Kind kind) {
  return tr("Hardware: l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}.sum",
            kind == Kind::shared_load ? "ld" : "st");
}

// Returns a text such as "thread 35 (warp 1, lane 3)".
inline std::string thread_text(const AccessId& by) {
  return tr("thread {} (warp {}, lane {})", by.warp * 32 + by.lane, by.warp, by.lane);
}

// Returns a text such as "4-way bank conflict". `degree` is the largest number of different words in one
// bank. If `degree` is at most 1, returns "no bank conflict".
inline std::string conflict_name(int degree) {
  return degree > 1 ? tr("{}-way bank conflict", degree) : tr("no bank conflict");
}

inline std::string cost_text(const SharedTotals& t) {
  return tr("{}, {}, {} excess", counted(t.requests, "request"), counted(t.wavefronts, "wavefront"),
            grouped(t.excess));
}

// Returns the ordinal of a request as text, such as "request 2 of 6". Counts the requests of the block in the
// step. `event` is the request's event.
inline std::string request_text(const Recording& recording, const Place& at, int event) {
  const std::vector<int>& all = recording.step(at.block, at.step).requests;
  const auto place = std::find(all.begin(), all.end(), event) - all.begin() + 1;
  return tr("request {} of {}", grouped(place), grouped(std::ssize(all)));
}

inline bool is_index(int i, std::size_t count) { return i >= 0 && i < static_cast<int>(count); }

// Returns the event of an access, or null if the trace has no such event.
inline const Event* event_of(const Trace& trace, const AccessId& by) {
  return is_index(by.event, trace.events.size()) ? &trace.events[static_cast<std::size_t>(by.event)]
                                                 : nullptr;
}

class TipLines {
 public:
  void add(std::string line) { lines.push_back(std::move(line)); }
  template <class... Args>
  requires(sizeof...(Args) > 0) void add(fmt::format_string<Args...> text, Args&&... args) {
    lines.push_back(fmt::format(text, std::forward<Args>(args)...));
  }
  Lines lines;
};

}  // namespace upsweep
