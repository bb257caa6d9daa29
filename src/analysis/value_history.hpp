// Keeps the history of every memory cell during a run. Each value is described by the set of input elements
// that were added up to compute the value. So runs of different kernels on the same data can be compared.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analysis/memory.hpp"
#include "base/job.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// Names a cell of memory by a key that is the same in runs of different kernels. For global memory, `memory`
// stands for the name of the buffer. For shared memory, `memory` stands for the launch, the region, and the
// tile of the block (or the block itself, if it has no tile).
//
// `index` is the index of an element, so it does not depend on the layout of the memory.
struct CellKey {
  std::uint64_t memory = 0;
  std::int64_t index = 0;
  bool operator==(const CellKey&) const = default;
};
struct CellKeyHash {
  std::size_t operator()(const CellKey& k) const {
    return static_cast<std::size_t>((k.memory ^ static_cast<std::uint64_t>(k.index)) * 0x9E3779B97F4A7C15u);
  }
};

// One lane of an event, and an entry of this lane.
struct LaneEntry {
  std::uint32_t event = 0;
  int lane = 0;
  std::uint32_t entry = 0;  // index into Trace::lanes
};

class ValueHistory {
 public:
  // Requires that all blocks of the trace are in focus (recorded in full) and that no record was dropped.
  // Throws Cancelled if the job is cancelled meanwhile; a null job is never cancelled.
  ValueHistory(const Trace& trace, const Job* job);

  // A store to a cell. `contents` is a number that stands for the set of input elements whose sum was stored.
  // The number for a set is the same in every run.
  struct Stored {
    std::uint64_t contents = 0;
    LaneEntry by;
  };
  // Returns all stores to a cell in the order of the run.
  std::span<const Stored> stores(const CellKey& cell) const;

  // Returns whether a value with these contents was ever stored to an element of memory, or is an input
  // element.
  bool ever_stored(std::uint64_t contents) const { return stored_.contains(contents); }

  // A read of memory. The value that was read was used to compute a stored value. `stores` is the number of
  // stores to the cell before the read.
  struct Leaf {
    CellKey cell;
    std::size_t stores = 0;
    std::uint64_t contents = 0;
    LaneEntry read;
  };
  // Returns the reads of memory from which a store's value was computed. Leaves out reads outside of memory.
  // Returns nullopt if the computation has more than `most` values.
  std::optional<std::vector<Leaf>> leaves(const LaneEntry& store, std::size_t most) const;

  // Returns the key of an element of a global buffer.
  static CellKey global_cell(const std::string& buffer, std::int64_t index);

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  enum class State : std::uint8_t { unknown, asked, known };
  void note_access(std::uint32_t event, const Event& e);
  void find_what_was_read(const Event& e);
  void evaluate(const LaneEntry& root);
  template <class F>
  void for_each_operand(const LaneEntry& at, F f) const;
  std::optional<CellKey> cell_of(const Event& e, std::int64_t address) const;
  std::optional<LaneEntry> producer_of(Origin o, int lane) const;

  const Trace& trace_;
  std::vector<std::vector<CellPlace>> places_;  // one element for each grid
  // For each grid: the tile of each block whose tile is known.
  std::vector<std::unordered_map<std::uint32_t, std::uint32_t>> tiles_;
  std::vector<std::uint64_t> names_;     // one element for each buffer
  std::vector<std::uint64_t> contents_;  // one element for each entry
  std::vector<State> state_;             // for each entry: whether its contents are known
  // For each entry of an access: how many stores to the same cell came before the access. For a load in a
  // race: which store wrote the value that the load read. 1 is the cell's first store, and 0 means no store.
  std::vector<std::uint32_t> before_;
  std::vector<LaneEntry> pending_;
  std::unordered_set<std::uint64_t> stored_;  // the contents of all stores, and all input elements
  std::unordered_map<CellKey, std::vector<Stored>, CellKeyHash> stores_;
};

}  // namespace upsweep
