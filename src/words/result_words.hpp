// Sentences about a right output: the mean, and the output of the other kind of scan.
#pragma once
#include <string>

#include "analysis/recording.hpp"

namespace upsweep {

// Returns "The mean is 4.7: 301 divided by 64 elements.", or nothing if the recording has no mean.
std::string mean_text(const Recording& recording);

// Returns how the output becomes the output of the other kind of scan, with its numbers; nothing if the
// recording is no scan.
std::string other_scan_text(const Recording& recording);

}  // namespace upsweep
