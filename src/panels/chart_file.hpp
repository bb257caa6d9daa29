// The shown chart of times as files.
#pragma once
#include <filesystem>
#include <string>

#include "scene/theme.hpp"
#include "study/timing_choice.hpp"
#include "study/timing_desk.hpp"

namespace upsweep {

// Writes the chart that the desk shows into a folder, as SVG and as PDF, 960 by 540 dp, under a name that
// nothing there has: "upsweep-sweep-scan_large.svg", "upsweep-sweep-scan_large-2.svg". Gives a sentence that
// names both. Throws RequestError where there are no times, WorkError where the files cannot be written.
std::string save_chart(TimingDesk& desk, const Chosen& chosen, const Theme& theme,
                       const std::filesystem::path& folder);

}  // namespace upsweep
