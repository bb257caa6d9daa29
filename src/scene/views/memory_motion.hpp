// The motion of values between cells of shared memory.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "scene/views/memory_rows.hpp"

namespace upsweep {

// Returns a motion in which the values that the step read move into the cells that it writes. Until a value
// arrives, its cell shows the old value. `box_of` returns the box of a cell, or nothing if the cell is not
// shown. `text_of` returns the text of a cell with these contents.
Motion memory_motion(const ViewInput& in, const MemoryRows& memory, float text_size,
                     const std::function<std::optional<Box>(int cell)>& box_of,
                     const std::function<std::string(int cell, const Cell& contents)>& text_of);

}  // namespace upsweep
