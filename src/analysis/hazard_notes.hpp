// Collects notes of hazards. Keeps one note for each kind of hazard and each pair of lines: the note whose
// two threads are furthest apart.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/hazards.hpp"
#include "trace/kernel_text.hpp"

namespace upsweep {

class HazardNotes {
 public:
  // Counts a hazard. Returns its note, which the caller must fill in. Returns nullptr if the note already
  // describes two threads that are at least as far apart as `apart`.
  HazardNote* note(Hazard kind, int line, int other_line, Apart apart) {
    const std::uint64_t k = key(kind, line, other_line);
    Recent& recent = recent_[(k ^ k >> 13) % recent_.size()];  // for speed: a race may occur a million times
    if (recent.key != k) {
      const auto [found, made] = place_.try_emplace(k, notes_.size());
      if (made) notes_.push_back({.kind = kind, .party = {}, .other = {}, .count = 0});
      recent = {k, found->second};
    }
    latest_ = recent.place;
    HazardNote& n = notes_[latest_];
    if (n.count++ > 0 && apart <= n.apart) return nullptr;
    n.apart = apart;
    return &n;
  }
  // latest() returns the note of the hazard that was counted last. uninitialised_read() returns the note
  // about uninitialised reads in a line, or null if the line has no such note.
  HazardNote& latest() { return notes_[latest_]; }
  HazardNote* uninitialised_read(int line) {
    const auto found = place_.find(key(Hazard::uninitialised_read, line, 0));
    return found == place_.end() ? nullptr : &notes_[found->second];
  }
  bool has(Hazard kind, int line, int other_line) const {
    return place_.contains(key(kind, line, other_line));
  }
  const std::vector<HazardNote>& all() const { return notes_; }

 private:
  static std::uint64_t key(Hazard kind, int line, int other) {
    return static_cast<std::uint64_t>(kind) << 32 |
           static_cast<std::uint64_t>(line < other ? line : other) << 16 |
           static_cast<std::uint64_t>(line < other ? other : line);
  }
  struct Recent {
    std::uint64_t key = UINT64_MAX;
    std::size_t place = 0;
  };
  std::unordered_map<std::uint64_t, std::size_t> place_;
  std::array<Recent, 64> recent_;
  std::vector<HazardNote> notes_;
  std::size_t latest_ = 0;
};

// If the run was stopped, notes the reason as a hazard.
void note_stop(const Trace& trace, HazardNotes& notes);

// Returns one finding for each note, in the order of the notes. `text` must be the text of the kernel in the
// trace.
std::vector<HazardFinding> findings_of(const Trace& trace, const std::vector<HazardNote>& notes,
                                       const KernelText& text);

// Returns whether a missing barrier in the block is the reason for the hazard.
inline bool needs_barrier(const HazardNote& n) {
  if (is_race(n.kind)) return n.apart == Apart::warp || n.apart == Apart::block;
  return n.kind == Hazard::uninitialised_read && n.early > 0 && n.early == n.count;
}

// Finds the hazards that may follow from a race in a block. Gives these hazards the advice to remove the race
// first. Returns each of these hazards together with its race.
std::vector<std::pair<HazardFinding*, const HazardFinding*>> find_causes(const Trace& trace,
                                                                         std::vector<HazardFinding>& findings,
                                                                         const KernelText& text);

// Recommends for the hazard `f` the barrier that removes the race `cause`. Requires that `f` follows from
// this race.
void advise_as_cause(HazardFinding& f, const HazardFinding& cause);

// Changes the advice for some races between blocks. These races exist only if the lanes of a warp run
// independently. In these races, one lane reads a flag and executes a fence, and another lane of the warp
// reads the data.
//
// The new advice is a __syncwarp() between the fence and the read of the data. A race without such a fence
// keeps its advice.
void advise_warp_barriers(const Trace& trace, std::vector<HazardFinding>& findings);

}  // namespace upsweep
