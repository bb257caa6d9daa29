// Finds out if the user has asked the system for less motion.
#pragma once
#include <filesystem>

namespace upsweep {

// Returns true if the settings files of GTK or KDE in this folder (usually ~/.config) turn animations off.
bool files_prefer_still(const std::filesystem::path& folder);
// Returns true if the settings of GTK, KDE or GNOME turn animations off. Returns false if the system has no
// such setting.
bool system_prefers_still();

}  // namespace upsweep
