// The views' drawing functions, one file each; views.cpp lists them.
#pragma once
#include "scene/views/views.hpp"

namespace upsweep {

Scene draw_tree(const ViewInput& in);
Scene draw_memory(const ViewInput& in);
Scene draw_banks(const ViewInput& in);
Scene draw_warps(const ViewInput& in);
Scene draw_source(const ViewInput& in);
Scene draw_profile(const ViewInput& in);
Scene draw_words(const ViewInput& in);
Scene draw_work(const ViewInput& in);
Scene draw_blocks(const ViewInput& in);
Scene draw_registers(const ViewInput& in);
Scene draw_global(const ViewInput& in);
Scene draw_launches(const ViewInput& in);
Scene draw_hazards(const ViewInput& in);

}  // namespace upsweep
