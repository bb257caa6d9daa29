// Examines every access in the order of issue and notes races, accesses out of bounds, and reads of cells
// that no thread has written.
#pragma once
#include <vector>

#include "analysis/access_history.hpp"
#include "analysis/happens_before.hpp"
#include "analysis/hazard_notes.hpp"

namespace upsweep {

class AccessChecks {
 public:
  AccessChecks(const Trace& trace, const HappensBefore& order, HazardNotes& notes, bool races_only);
  // Examines an access. Requires the order of issue.
  void look_at(std::uint32_t event, Moment now);
  // Says that the block of an event has ended.
  void forget(std::uint32_t event);

 private:
  // The access that is examined.
  struct Access {
    std::uint32_t index;  // index into Trace::events
    const Event& event;
    const HappensBefore::Block& block;
    const Moment* at;  // HappensBefore::Block::Live::at
    Moment now;
    Cells cells;
    bool meets;  // an atomic, or a volatile access of a word
    int thread = 0;
    std::uint32_t entry = 0;
    std::int64_t address = 0;
  };

  void load(Access& a, CellHistory& c);
  void store(Access& a, CellHistory& c);
  void meet(Access& a, CellHistory& c);
  void remember_read(const Access& a, CellHistory& c);
  void note_uninitialised(const Access& a);
  // The range of the memory that is accessed, in bytes.
  struct Extent {
    std::int64_t first = 0, end = 0;
  };
  Extent extent_of(const Access& a) const;
  // Returns whether everything that the block did until then happened before the access.
  static Moment floor(const Access& a, const Seen& s) {
    return s.block == a.block.index ? a.at[a.thread >> a.block.shift] : a.block.launched;
  }
  // Returns whether all accesses of a list happened before the access. It compares the first one, because
  // that is the latest.
  static bool all_before(const Access& a, const Seen& latest, bool mixed) {
    return latest.at <= a.block.launched || (!mixed && latest.at <= floor(a, latest));
  }
  // Notes a race if nothing orders the two accesses.
  void check(const Access& a, const Seen& earlier) {
    if (earlier.at > floor(a, earlier)) check_slowly(a, earlier);
  }
  void check_slowly(const Access& a, const Seen& earlier);
  bool unordered(const Access& a, const Seen& earlier, int thread) const;
  bool same_value(const Access& a, const Seen& earlier, int thread) const;
  void note_race(const Access& a, const Seen& earlier, int thread);
  void note(Hazard kind, const Access& a);
  std::int64_t cell_of(const Access& a) const;
  int bytes_of(const Access& a) const { return cell_bytes(a.cells, element_bytes_); }

  const Trace& trace_;
  const HappensBefore& order_;
  HazardNotes& notes_;
  const bool races_only_;
  const int element_bytes_;
  bool all_in_focus_ = true;           // if false, some stores of elements may not be recorded
  std::vector<bool> written_;          // by buffer: whether any event stores to it
  std::vector<MemoryHistory> shared_;  // by HappensBefore::Block::index
  std::vector<MemoryHistory> global_;  // by buffer
  HistoryPages pages_;
  SeenLists lists_;
};

}  // namespace upsweep
