// Returns the names of steps, counts and places as texts, for all views.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/memory.hpp"
#include "analysis/tree.hpp"
#include "base/grouped.hpp"
#include "trace/requests.hpp"

namespace upsweep {

// Returns "1 thread" or "1,024 threads". `many` is the plural. Leave out `many` if the plural is `one` with
// an s.
std::string counted(std::int64_t count, std::string_view one, std::string_view many = {});
// Returns only the noun: "thread" or "threads".
std::string counted_noun(std::int64_t count, std::string_view one, std::string_view many = {});
// Returns "32 banks", or "16 banks, half-warps (compute capability 1.x)".
std::string banks_text(const BankModel& model);
// Returns "Up" for "up".
std::string capitalised(std::string text);

// Returns "up-sweep".
std::string phase_text(Phase phase);
// number_text() returns the name and the value of a step's number: "stride 4". For a phase that only this
// kernel has, as in step("split", bit), the name is the variable's name: "bit 0". If the step has no number,
// number_text() returns an empty text.
//
// step_text() returns "up-sweep, stride 4" or "load".
std::string number_text(const Trace& trace, const Step& step);
std::string step_text(const Trace& trace, const Step& step);

// Returns ascending numbers as "0–7", "0, 2, 4 … 62" or "1, 5 and 7". If the numbers form more than `shown`
// groups of consecutive numbers, returns the first `shown` groups and the last number.
std::string ranges(const std::vector<int>& ascending, int shown = 4);

// shared_name() returns the name that the kernel gives to a region of shared memory: "temp", or "temp0" and
// "temp1" for a double buffer. It returns "x" if the recording contains no name.
//
// shared_columns() returns the region's number of columns, or 0 if the region has one dimension.
std::string shared_name(const SharedShape& shape, int region, int buffer);
std::int64_t shared_columns(const SharedShape& shape, int region);
// Returns "temp[3]" or "tile[1][3]".
std::string cell_name(const SharedShape& shape, const CellPlace& cell);
// buffer_name() returns the name of a global buffer: "in". buffer_columns() returns the buffer's number of
// columns, or 0 if the buffer has one dimension.
std::string buffer_name(const Trace& trace, int buffer);
std::int64_t buffer_columns(const Trace& trace, int buffer);
// Returns the name of an element or word of a global buffer: "in[3]", "in[1][3]".
std::string global_name(const Trace& trace, int buffer, std::int64_t index);
// Returns the name of a thread of a block, or of a block of a grid: "35". If the block or the grid has
// several dimensions, the name also has the threadIdx or blockIdx: "35 (3, 1)".
std::string thread_text(const Grid& grid, int thread);
std::string block_text(const Grid& grid, int block);
// Returns "Thread 35" or "Threads 0–31". If the threads fill a rectangle in a block of two dimensions,
// returns "Threads with x = 0–6 and y = 0–3".
std::string threads_text(const Grid& grid, std::vector<int> threads);
// Returns which cells of shared memory the threads access, one cell per thread: "temp[8t+3]", "tile[y+8][x]".
std::string shared_cells_text(const Grid& grid, int region, int buffer, const std::vector<int>& threads,
                              const std::vector<int>& elements);
// Returns the name of a node in the tree: "temp[3]", "out[67]", "thread 5's register".
std::string node_name(const Trace& trace, const TreeRow& row, const TreeNode& node);
// Returns a value as exact text: "17", or "17, marked 1" for a message.
std::string exact_value(const Trace& trace, const Value& value, Cells cells);

// Returns line n of a kernel's text without its indentation. n counts from 1.
std::string source_line(const std::string& text, int n);

// Returns "launch 2 of 3, scan_tiles"; empty if there is only one launch.
std::string launch_text(const Trace& trace, int grid);
// Returns the machine that made the recording: "NVIDIA H200 (gpu)" or "the emulator".
std::string machine_text(const Trace& trace);
// Returns "scan_tiles<<<4, 32>>>".
std::string configuration_text(const Grid& grid);

// The noun for applications of the operator, singular and plural: "addition", "additions".
struct Noun {
  std::string_view one, many;
};
Noun operation_noun(Operator op);
// Returns the sign of the operator that is written between two operands: "+", "×", "min", "max", "∘".
std::string_view operation_sign(Operator op);

// Returns the cells of an access: "temp[8t+3]", "in[t]" or "in[4t … 4t+3]". t is the thread index. If the
// cells follow no pattern, the text lists the cells.
std::string access_text(const Trace& trace, const Event& event);

}  // namespace upsweep
