// How steps, counts and places are called, the same in every view.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/memory.hpp"
#include "analysis/tree.hpp"

namespace upsweep {

// "1,022".
std::string grouped(std::int64_t count);
// "1 thread", "1,024 threads"; `many` where the plural is not the singular and an s.
std::string counted(std::int64_t count, std::string_view one, std::string_view many = {});
// "Up" for "up".
std::string capitalised(std::string text);

// "up-sweep".
std::string phase_text(Phase phase);
// "up-sweep, stride 4"; "load".
std::string step_text(const Step& step);

// Ascending numbers as "0–7", "0, 2, 4 … 62" or "1, 5, 6"; at most about `shown` of them by name.
std::string ranges(const std::vector<int>& ascending, int shown = 4);

// A region of shared memory: "x"; of a double buffer "x0" and "x1"; a further or two-dimensional one has a
// name of its own, "tile". Its columns, 0 where it has one dimension.
std::string shared_name(const SharedShape& shape, int region, int buffer);
std::int64_t shared_columns(const SharedShape& shape, int region);
// "x[3]", "tile[1][3]".
std::string cell_name(const SharedShape& shape, const CellPlace& cell);
// A global buffer: "in". Its columns, 0 where it has one dimension.
std::string buffer_name(const Trace& trace, int buffer);
std::int64_t buffer_columns(const Trace& trace, int buffer);
// An element or a word of it: "in[3]", "in[1][3]".
std::string global_name(const Trace& trace, int buffer, std::int64_t index);
// A thread of a block: "35"; in a block of two dimensions with its threadIdx, "35 (3, 1)". A block likewise.
std::string thread_text(const Grid& grid, int thread);
std::string block_text(const Grid& grid, int block);
// "Thread 35", "Threads 0–31"; in a block of two dimensions "Threads (0–6, 0–3)", if they fill a rectangle.
std::string threads_text(const Grid& grid, std::vector<int> threads);
// The cells of shared memory that threads touch, one each: "x[8t+3]", "tile[y+8][x]".
std::string shared_cells_text(const Grid& grid, int region, int buffer, const std::vector<int>& threads,
                              const std::vector<int>& elements);
// What a node of a tree is: "x[3]", "out[67]", "thread 5's register".
std::string node_name(const Trace& trace, const TreeRow& row, const TreeNode& node);
// A value as exact text: "17"; of a message "17, marked 1".
std::string exact_value(const Trace& trace, const Value& value, Cells cells);

// "grid 2 of 3, scan_tiles"; empty where there is one launch only.
std::string launch_text(const Trace& trace, int grid);
// "scan_tiles<<<4, 32>>>".
std::string configuration_text(const Grid& grid);

// The operator's own word for one application, singular and plural: "addition", "additions".
struct Noun {
  std::string_view one, many;
};
Noun operation_noun(Operator op);
// Its sign between two operands: "+", "×", "min", "max", "∘".
std::string_view operation_sign(Operator op);

// "x[8t+3]", "in[t]": the cells that an access touches, as a pattern in the thread index where they follow
// one.
std::string access_text(const Trace& trace, const Event& event);

}  // namespace upsweep
