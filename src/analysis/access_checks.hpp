// Examines the accesses of fully recorded blocks, in the order of issue. Notes races, accesses out of bounds,
// and reads of cells that no thread has written.
#pragma once
#include <optional>
#include <unordered_map>
#include <vector>

#include "analysis/access_history.hpp"
#include "analysis/happens_before.hpp"
#include "analysis/hazard_notes.hpp"
#include "analysis/program_order.hpp"

namespace upsweep {

class AccessChecks {
 public:
  // If `text` is null, notes only races, and leaves HazardNote::orders empty.
  AccessChecks(const Trace& trace, const HappensBefore& order, HazardNotes& notes, const KernelText* text);
  // Examines the accesses of an event. Must be called for each event with accesses, in the order of issue.
  void look_at(std::uint32_t event, Moment now);
  // Frees the histories of the shared memory of the event's block. Must be called for the last event of each
  // block.
  void forget(std::uint32_t event);

 private:
  // An event that look_at() examines. The last three fields describe one access of the event: look_at() sets
  // these fields before it examines an access.
  struct Access {
    std::uint32_t index;  // index into Trace::events
    const Event& event;
    const HappensBefore::Block& block;
    const Moment* at;  // see HappensBefore::Block::Live::at
    Moment now;
    Cells cells;
    bool meets;  // whether the access is a meeting, see CellHistory
    int thread = 0;
    std::uint32_t entry = 0;
    std::int64_t address = 0;
  };

  void load(Access& a, CellHistory& c);
  void store(Access& a, CellHistory& c);
  void meet(Access& a, CellHistory& c);
  void remember_read(const Access& a, CellHistory& c);
  void note_uninitialised(const Access& a);
  // The bytes [first, end) of the accessed array: a global buffer or a region of shared memory.
  struct Extent {
    std::int64_t first = 0, end = 0;
  };
  Extent extent_of(const Access& a) const;
  // Returns a moment. All actions that the block of `s` made until this moment certainly happened before `a`.
  static Moment floor(const Access& a, const Seen& s) {
    return s.block == a.block.index ? a.at[a.thread >> a.block.shift] : a.block.launched;
  }
  // Returns whether all accesses of a list certainly happened before `a`. `latest` is the latest access of
  // the list. `mixed` is true if the list has accesses of several blocks.
  static bool all_before(const Access& a, const Seen& latest, bool mixed) {
    return latest.at <= a.block.launched || (!mixed && latest.at <= floor(a, latest));
  }
  // Notes a race between `earlier` and `a` if nothing orders these two accesses. Two stores of the same value
  // are no race.
  void check(const Access& a, const Seen& earlier) {
    if (earlier.at > floor(a, earlier)) check_slowly(a, earlier);
  }
  void check_slowly(const Access& a, const Seen& earlier);
  bool unordered(const Access& a, const Seen& earlier, int thread) const;
  bool same_value(const Access& a, const Seen& earlier, int thread) const;
  void note_race(const Access& a, const Seen& earlier, int thread);
  TextOrders text_order(const Seen& before, int thread, const Access& a);
  void find_early_reads(const Access& a);
  std::uint64_t place_of(const Access& a) const {
    const std::uint64_t memory =
        is_shared(a.event.kind) ? 256 + std::uint64_t{a.block.index} : a.event.buffer;
    return memory << 36 | (static_cast<std::uint64_t>(a.address) & ((std::uint64_t{1} << 36) - 1));
  }
  void note(Hazard kind, const Access& a);
  std::int64_t cell_of(const Access& a) const;
  int bytes_of(const Access& a) const { return cell_bytes(a.cells, element_bytes_); }

  const Trace& trace_;
  const HappensBefore& order_;
  HazardNotes& notes_;
  const bool races_only_;
  const int element_bytes_;
  bool all_in_focus_ = true;  // whether all blocks are recorded in full, so that no store is missing
  const BufferRoles roles_;
  std::vector<bool> written_;          // for each buffer: whether any event stores to the buffer
  std::vector<MemoryHistory> shared_;  // one element for each block that has events
  std::vector<MemoryHistory> global_;  // one element for each buffer
  HistoryPages pages_;
  SeenLists lists_;
  std::optional<ProgramOrder> text_order_;
  // The two events that text_order() compared last, and the result. The next call often compares the same
  // events, and then reuses the result.
  std::uint32_t compared_[2] = {HazardParty::none, HazardParty::none};
  TextOrders compared_order_ = 0;
  // Reads that found their cell uninitialised. The keys are results of place_of(). find_early_reads() removes
  // a read when it finds the store that should have come before the read.
  std::unordered_multimap<std::uint64_t, Seen> early_reads_;
};

}  // namespace upsweep
