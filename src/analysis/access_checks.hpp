// Examines every access in the order of issue and notes races, accesses out of bounds, and reads of cells
// that no thread has written.
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
  // If `text` is null, finds only races, without the order that the kernel's text requires for the two
  // accesses of a race.
  AccessChecks(const Trace& trace, const HappensBefore& order, HazardNotes& notes, const KernelText* text);
  // Examines an access. Must be called in the order of issue.
  void look_at(std::uint32_t event, Moment now);
  // Must be called when the block of an event has ended.
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
    bool meets;  // an atomic, or a volatile access of a word or message
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
  // Returns a moment: everything that the block of `s` did until then certainly happened before `a`.
  static Moment floor(const Access& a, const Seen& s) {
    return s.block == a.block.index ? a.at[a.thread >> a.block.shift] : a.block.launched;
  }
  // Returns whether all accesses of a list happened before `a`. Looks only at `latest`, the first access in
  // the list. `mixed` says whether the list has accesses of several blocks.
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
  bool all_in_focus_ = true;  // all blocks are recorded in full, so no store is missing
  const BufferRoles roles_;
  std::vector<bool> written_;          // by buffer: whether any event stores to it
  std::vector<MemoryHistory> shared_;  // by HappensBefore::Block::index
  std::vector<MemoryHistory> global_;  // by buffer
  HistoryPages pages_;
  SeenLists lists_;
  std::optional<ProgramOrder> text_order_;
  // The last two events that were compared, and the result.
  std::uint32_t compared_[2] = {HazardParty::none, HazardParty::none};
  TextOrders compared_order_ = 0;
  // The reads of uninitialised cells. The keys are results of place_of(). A read is removed when the store
  // that should have come first is found.
  std::unordered_multimap<std::uint64_t, Seen> early_reads_;
};

}  // namespace upsweep
