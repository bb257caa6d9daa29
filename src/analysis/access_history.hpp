// Keeps the accesses that may race with a later access, for each cell of memory.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/happens_before.hpp"

namespace upsweep {

// A remembered access.
struct Seen {
  Moment at = 0;  // 0 if there is no access
  std::uint32_t event = 0, block = 0;
  // The first thread that accessed the cell in this event, as an index in the block.
  std::uint16_t thread = 0;
  bool several = false;  // several lanes of the event accessed the cell
  bool stored = false;
};

// A meeting is an access by which threads may wait for each other: an atomic, or a volatile access to a word
// (such as a flag) or to a message (a value and a word in one cell, see Cells). All other accesses are plain.
//
// CellHistory has the accesses to one cell that may race with a later access: the latest plain store, the
// plain reads after this store, and the meetings after this store.
struct CellHistory {
  static constexpr std::uint32_t none = UINT32_MAX;
  Seen store, read;            // the latest plain store, and the latest plain read after this store
  std::uint32_t reads = none;  // a list of earlier reads that may race with a later store
  std::uint32_t meetings = none;
  // True if `reads` or `meetings` has accesses by several blocks.
  bool reads_mixed = false, meetings_mixed = false;
  bool initialised = false;
};

// Stores the lists CellHistory::reads and CellHistory::meetings of all cells.
class SeenLists {
 public:
  struct Node {
    Seen seen;
    std::uint32_t next;
  };
  Node& operator[](std::uint32_t i) { return nodes_[i]; }
  // Returns whether any list has ever had an entry.
  bool any() const { return !nodes_.empty(); }
  // Adds an access at the front of a list. replaces(entry) returns whether the new access makes an old entry
  // unnecessary. Removes the first unnecessary entry, but looks only at the first eight entries.
  template <class F>
  void push(std::uint32_t& head, const Seen& seen, F replaces) {
    std::uint32_t* link = &head;
    for (int depth = 0; *link != CellHistory::none && depth < 8; ++depth, link = &nodes_[*link].next)
      if (replaces(nodes_[*link].seen)) {
        const std::uint32_t found = *link;
        *link = nodes_[found].next;
        nodes_[found] = {seen, head};
        head = found;
        return;
      }
    if (free_ == CellHistory::none) {
      nodes_.push_back({seen, head});
      head = static_cast<std::uint32_t>(nodes_.size() - 1);
    } else {
      const std::uint32_t node = free_;
      free_ = nodes_[node].next;
      nodes_[node] = {seen, head};
      head = node;
    }
  }
  void clear(std::uint32_t& head) {
    while (head != CellHistory::none) {
      const std::uint32_t next = nodes_[head].next;
      nodes_[head].next = free_;
      free_ = head;
      head = next;
    }
  }

 private:
  std::vector<Node> nodes_;
  std::uint32_t free_ = CellHistory::none;
};

// The histories of 32 neighbouring cells of one memory.
using HistoryPage = std::array<CellHistory, 32>;

// Keeps unused pages, so that another memory can use these pages.
class HistoryPages {
 public:
  std::unique_ptr<HistoryPage> take() {
    if (spare_.empty()) return std::make_unique<HistoryPage>();
    std::unique_ptr<HistoryPage> page = std::move(spare_.back());
    spare_.pop_back();
    *page = {};
    return page;
  }
  void give_back(std::unique_ptr<HistoryPage> page) { spare_.push_back(std::move(page)); }

 private:
  std::vector<std::unique_ptr<HistoryPage>> spare_;
};

// The histories of one memory's cells. The memory is a global buffer, or the shared memory of a block. The
// first access to a page's cells takes this page from HistoryPages.
class MemoryHistory {
 public:
  CellHistory& at(std::size_t cell, HistoryPages& pages) {
    const std::size_t page = cell / page_cells;
    if (page >= pages_.size() || !pages_[page]) [[unlikely]]
      add(page, pages);
    return (*pages_[page])[cell % page_cells];
  }
  void forget(SeenLists& lists, HistoryPages& pages) {
    for (auto& page : pages_) {
      if (!page) continue;
      if (lists.any())
        for (CellHistory& c : *page) {
          lists.clear(c.reads);
          lists.clear(c.meetings);
        }
      pages.give_back(std::move(page));
    }
    pages_.clear();
  }

 private:
  static constexpr std::size_t page_cells = std::tuple_size_v<HistoryPage>;
  void add(std::size_t page, HistoryPages& pages) {
    if (page >= pages_.size()) pages_.resize(page + 1);
    pages_[page] = pages.take();
  }
  std::vector<std::unique_ptr<HistoryPage>> pages_;
};

}  // namespace upsweep
