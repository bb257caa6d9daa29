// Whether the user has asked the system for less motion.
#pragma once
#include <filesystem>

namespace upsweep {

// Returns whether the settings files of GTK or KDE in this folder (usually ~/.config) turn animations off.
bool files_prefer_still(const std::filesystem::path& folder);
// Returns whether these files, or the settings of GNOME, turn animations off. Returns false if the system has
// no such setting.
bool system_prefers_still();

}  // namespace upsweep
