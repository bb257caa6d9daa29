// Moves values between cells of shared memory when the picture changes to the next step.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "scene/views/memory_rows.hpp"

namespace upsweep {

// Returns a motion in which values move from the cells that the step reads into the cells that the step
// writes. A cell shows its old value until the new value arrives.
//
// `box_of` returns the box of a cell, or nullopt if the cell is not visible. `text_of` gets the contents of a
// cell, and returns the text that the cell shows.
Motion memory_motion(const ViewInput& in, const MemoryRows& memory, float text_size,
                     const std::function<std::optional<Box>(int cell)>& box_of,
                     const std::function<std::string(int cell, const Cell& contents)>& text_of);

}  // namespace upsweep
