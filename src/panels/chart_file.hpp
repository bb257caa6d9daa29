// The shown chart of times as files.
#pragma once
#include <filesystem>
#include <string>

#include "scene/theme.hpp"
#include "study/timing_choice.hpp"
#include "study/timing_desk.hpp"

namespace upsweep {

// Writes the desk's chart into a folder, as SVG and as PDF, 960 by 540 dp. The names are new in the folder:
// "upsweep-sweep-scan_large.svg", "upsweep-sweep-scan_large-2.svg". Returns a sentence that names both files.
// Throws RequestError if there are no times, and WorkError if the files cannot be written.
std::string save_chart(TimingDesk& desk, const Chosen& chosen, const Theme& theme,
                       const std::filesystem::path& folder);

}  // namespace upsweep
