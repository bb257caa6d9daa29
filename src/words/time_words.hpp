// Describes the time line of a run in words.
#pragma once
#include <cstdint>
#include <string>

#include "analysis/recording.hpp"
#include "analysis/time_line.hpp"

namespace upsweep {

// Returns a time, or a length of time, on the GPU's clock: "850 ns", "61.2 µs", "2.00 ms". Without a clock,
// returns a number of events: "1,234 events".
std::string span_text(const TimeLine& line, std::uint64_t amount);
// Returns a time on the GPU's clock, or the number of an event: "61.2 µs", "event 12".
std::string time_text_of(const TimeLine& line, std::uint64_t time);
// Returns a time and the time at which the run ends: "0.61 of 2.00 ms", "event 12 of 340".
std::string time_of_run_text(const TimeLine& line, std::uint64_t time);
// Returns how fast a run plays: "1/10,000 of its speed", or "20.0 events/s" without a clock. `rate` says how
// much of the run's time one second of playback shows. The short form is "1/10,000" or "20.0/s".
std::string rate_text(const TimeLine& line, double rate);
std::string short_rate_text(const TimeLine& line, double rate);

// Returns the name of a block: "tile 18", "block 3", or "launch 2, block 3" if there are several launches.
std::string row_text(const Recording& recording, const TimeLine::Row& row);
// Returns "Tile 98 has not begun."
std::string not_begun_text(const Recording& recording, int grid, int block);
// Returns true if Place::time is set, and the place's block has not finished the place's step at this time.
bool is_under_way(const Recording& recording, const Place& place);
// Returns true if Place::time is set, and is before the end of the run.
bool run_goes_on(const Recording& recording, const Place& place);
// part_name() returns the name of the value that the blocks of a grid publish first: "sum". whole_name()
// returns the name of the value that the blocks publish last: "prefix". Both names are equal if each block
// publishes only once.
std::string part_name(const Recording& recording, int grid);
std::string whole_name(const Recording& recording, int grid);
// Returns the state for which a mark stands: "sum", "prefix", or "nothing yet" if the mark is 0. If the
// buffer has no marks, returns the name of one of its elements.
std::string mark_text(const Recording& recording, int buffer, std::uint32_t mark);
// Returns the mark's state and the value: "sum 961".
std::string marked_value_text(const Recording& recording, int buffer, std::uint32_t mark,
                              const TimeLine::Held& held);
// Returns the text of a value that a block published or read, or an empty text if there is no value.
std::string held_text(const Recording& recording, const TimeLine::Held& held);

// Returns one sentence about all blocks at a time: "31 tiles know their prefix, 44 know only their sum, 30
// have published nothing."
std::string progress_text(const Recording& recording, std::uint64_t time);
// Returns one or two sentences about the values that a block has read from other blocks until a time: "Tile
// 18 has read 4 tiles: 3 sums and 1 prefix." Returns an empty text if the block reads nothing from other
// blocks.
std::string look_back_text(const Recording& recording, int grid, int block, std::uint64_t time);

}  // namespace upsweep
