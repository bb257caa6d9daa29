// The time line of a run says when each block begins and ends, what the block publishes, and what the block
// reads from other blocks. The time line also says when the block executes launches and atomics on global
// memory. To publish a value means to store the value where other blocks read it during the run.
//
// A time is a number of nanoseconds on the GPU's clock, or a place in the order of all events; see
// TimeLine::is_clocked. In a scan with look-back, each tile has a word or a message that says the tile's
// state: nothing is known yet, the sum is known, or the prefix is known. This word or message is called a
// mark.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "analysis/place.hpp"
#include "base/job.hpp"
#include "trace/trace.hpp"

namespace upsweep {

struct TimeLine {
  static constexpr std::uint32_t none = UINT32_MAX;

  // A value in global memory. `buffer` is an index into Trace::buffers, or -1 if there is no value.
  struct Held {
    int buffer = -1;
    Value value{};
  };

  // The cells that a block published by one request.
  struct Published {
    std::uint64_t time = 0;
    std::uint32_t event = 0;
    int buffer = 0;
    std::int64_t cell = 0;   // the first of these cells
    int cells = 1;           // the number of these cells
    std::uint32_t mark = 0;  // the greatest mark; 0 if the cells hold other values than marks
    Held held{};             // the value that the mark publishes; set only if `cells` is 1
  };

  // A block's reads of cells in one buffer. One other block has published all these cells. A mark that no
  // block has published gets its own Look.
  struct Look {
    std::uint32_t target = none;  // the row of the other block; `none` if no block published the cells
    int buffer = 0;
    std::int64_t cell = 0;       // the first of these cells
    int cells = 0;               // the number of these cells
    int requests = 0;            // the number of requests by which the block read these cells
    std::uint64_t asked = 0;     // the time of the first request
    std::uint64_t answered = 0;  // the time of the last request
    std::uint32_t event = 0;     // index into Trace::events: the last request
    bool is_used = true;         // false if the block read a tile's mark, but did not use the tile's value
    std::uint32_t first_seen = 0, seen = 0;  // a range of TimeLine::seen
    Held held{};                             // the value that the block read; set only if `cells` is 1
  };
  // One read of a mark, and the value that the block saw. Reads that see the same value again are left out.
  struct Seen {
    std::uint64_t time = 0;
    std::uint32_t mark = 0;
  };

  struct Moment {
    enum class Of : std::uint8_t { begin, publish, read, atomic, launch, end };
    std::uint64_t time = 0;
    std::uint32_t row = 0;
    Of of = Of::begin;
    std::uint32_t event = none;  // `none` for the begin and the end of a block
  };

  // One block.
  struct Row {
    int grid = 0, block = 0;
    int tile = -1;          // the tile whose mark this block publishes; -1 if the tile is not known
    int sm = -1;            // see BlockRun::sm
    bool is_timed = false;  // whether `begin` and `end` are known
    std::uint64_t begin = 0, end = 0;
    std::uint32_t first_published = 0, published = 0;  // a range of TimeLine::published, sorted by time
    // A range of TimeLine::looks, sorted by Look::answered. Among looks with equal times, the look at the
    // nearest tile comes first.
    std::uint32_t first_look = 0, looks = 0;
    std::uint32_t first_moment = 0, moments = 0;  // a range of TimeLine::of_rows
    int number = -1;                              // the block's number from the atomic counter; -1 if none
    std::uint64_t drawn = 0;                      // the time at which the block got this number
    // The number of tiles over which the block looked back: the distance from the block's tile to the
    // farthest earlier tile that the block used. 0 if the block used no other tile.
    int looked_back = 0;
    // `part` is the time at which the block first published any value, or UINT64_MAX if the block published
    // no value. `whole` is the time at which the block first published its final result, or UINT64_MAX if the
    // block did not publish its final result.
    std::uint64_t part = UINT64_MAX, whole = UINT64_MAX;
    // The time span in which the block had to read marks again, because other blocks had not published their
    // values yet.
    std::uint64_t waits_from = UINT64_MAX, waits_to = 0;
  };

  // Says how the blocks of a grid exchange marks.
  struct Protocol {
    // The buffer of the marks and the buffer of the counter, as indices into Trace::buffers. -1 if the grid
    // has no such buffer.
    int status = -1, counter = -1;
    std::uint32_t final_mark = 0;  // the greatest mark in `status`
    bool one_state = false;        // whether final_mark is the only mark that blocks publish
  };

  // True if times are nanoseconds since the first block began; false if times are places in the order of
  // events.
  bool is_clocked = false;
  std::uint64_t end = 0;                            // the time at which the last block ends
  std::vector<Row> rows;                            // sorted by grid, tile and block
  std::vector<Protocol> protocols;                  // one element for each grid
  std::map<std::uint32_t, std::string> mark_names;  // the marks' names in the kernel's text: "prefix" for 2
  std::vector<Published> published;
  std::vector<Look> looks;
  std::vector<Seen> seen;
  std::vector<Moment> moments;         // sorted by time; among equal times, begins are first and ends last
  std::vector<std::uint32_t> of_rows;  // indices into `moments`, row by row
  // Four ascending lists of times: when blocks begin (begins), first publish something (parts), first publish
  // their final result (wholes), and end (ends).
  std::vector<std::uint64_t> begins, parts, wholes, ends;
  bool has_atomics = false;  // whether at least one moment is an atomic
  int tellers = 0;           // the number of blocks in grids whose blocks publish something

  std::span<const Published> published_by(const Row& r) const {
    return std::span(published).subspan(r.first_published, r.published);
  }
  std::span<const Look> looks_of(const Row& r) const {
    return std::span(looks).subspan(r.first_look, r.looks);
  }
  std::span<const Seen> seen_in(const Look& l) const { return std::span(seen).subspan(l.first_seen, l.seen); }
  std::span<const std::uint32_t> moments_of(const Row& r) const {
    return std::span(of_rows).subspan(r.first_moment, r.moments);
  }
  // Returns whether any block publishes a value, reads a mark, or executes a launch or an atomic.
  bool has_talk() const { return !published.empty() || !looks.empty() || moments.size() > 2 * rows.size(); }
  std::uint64_t time_of(const Trace& trace, std::size_t event) const {
    return is_clocked ? trace.clock[event] : trace.events[event].time;
  }
};

// Takes time in proportion to the events, their entries and the blocks, plus the time for sorting. Throws
// Cancelled if the job is cancelled.
TimeLine time_line(const Trace& trace, const Job* job = nullptr);

// Returns the index of a block's row, or TimeLine::none if the block has no row.
std::uint32_t row_of(const TimeLine& line, int grid, int block);
// Returns the time of the first moment after `time`. If the direction is negative, returns the time of the
// last moment before `time`. Returns `time` if there is no such moment.
std::uint64_t next_time(const TimeLine& line, std::uint64_t time, int direction);
// Returns the time at which the block `place.block` has finished the step `place.step`: the time of the
// block's last event in this step or in an earlier step. Returns the time of the block's begin if there is no
// such event.
std::uint64_t time_of_step(const TimeLine& line, const Trace& trace, const Place& place);
// Returns the step that a block executes at the time `time`. This is the step of the block's last event until
// this time. Returns -1 if there is no such event.
int step_at(const TimeLine& line, const Trace& trace, int grid, int block, std::uint64_t time);
// Returns the last event of a block until a time, or -1 if there is no such event.
int event_at(const TimeLine& line, const Trace& trace, int grid, int block, std::uint64_t time);

// The progress of all blocks at a time.
struct BlockProgress {
  int all = 0, begun = 0, ended = 0;
  // `part` is the number of blocks that have published only a part of their result. `whole` is the number of
  // blocks that have published their whole result. `nothing` is the number of blocks that have published
  // nothing yet. All three numbers leave out the blocks of grids in which no block publishes anything.
  int part = 0, whole = 0, nothing = 0;
};
BlockProgress progress_at(const TimeLine& line, std::uint64_t time);

}  // namespace upsweep
