// Notes of hazards. For each kind and pair of lines it keeps only one note: the one whose threads are
// furthest apart.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/hazards.hpp"

namespace upsweep {

class HazardNotes {
 public:
  // Counts a hazard. Returns the note to fill in, or nullptr if the present note is as good as the new one.
  HazardNote* note(Hazard kind, int line, int other_line, Apart apart) {
    const std::uint64_t k = key(kind, line, other_line);
    Recent& recent = recent_[(k ^ k >> 13) % recent_.size()];  // one race may happen a million times
    if (recent.key != k) {
      const auto [found, made] = place_.try_emplace(k, notes_.size());
      if (made) notes_.push_back({.kind = kind, .party = {}, .other = {}, .count = 0});
      recent = {k, found->second};
    }
    HazardNote& n = notes_[recent.place];
    if (n.count++ > 0 && apart <= n.apart) return nullptr;
    n.apart = apart;
    return &n;
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
};

class HappensBefore;

// Notes why the run was stopped.
void note_stop(const Trace& trace, HazardNotes& notes);

// The loops of a kernel's text. They are found by their braces when hold() is first called.
class Loops {
 public:
  explicit Loops(const std::string& text) : text_(&text) {}
  // Returns whether one loop has both lines in its body.
  bool hold(int line, int other);

 private:
  void read();
  struct Loop {
    int first, last;  // lines
  };
  const std::string* text_;
  bool is_read_ = false;
  std::vector<Loop> loops_;
};

// Returns the finding that a note stands for. `loops` must be the loops of the trace's text.
HazardFinding finding_of(const Trace& trace, const HazardNote& note, Loops& loops);

}  // namespace upsweep
