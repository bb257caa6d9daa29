// Saves parts of the window as files: the chart of times, the picture of the view "Image", and the output of
// a run. Each file has a new name, so that no file is overwritten.
#pragma once
#include <filesystem>
#include <string>

#include "analysis/recording.hpp"
#include "scene/cursor.hpp"
#include "scene/theme.hpp"
#include "study/timing_choice.hpp"
#include "study/timing_model.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// Returns the folder in which the program was started. The window saves files in this folder. Throws
// WorkError if the folder no longer exists.
std::filesystem::path save_folder();

// Writes the model's chart (960 by 540 logical pixels) into a folder, as SVG and as PDF. Chooses new names:
// "upsweep-sweep-scan_large.svg", then "upsweep-sweep-scan_large-2.svg", and so on. Returns a sentence that
// names both files. Throws RequestError if the model has no times, and WorkError if a file cannot be written.
std::string save_chart(TimingModel& model, const Chosen& chosen, const Theme& theme,
                       const std::filesystem::path& folder);

// Writes the picture that the view "Image" computes from sums of boxes. The file contains all pixels of the
// picture, even if the view shows only some of the pixels.
//
// Chooses a new name, such as "upsweep-box-11.png". Returns a sentence that names the file. Throws
// RequestError if the recording has no picture, and WorkError if the file cannot be written.
std::string save_made_picture(const Recording& recording, const ImageLook& look,
                              const std::filesystem::path& folder);

// Writes a new file into a folder: "NAME.png", or "NAME-2.png" if the first name is taken, and so on. Returns
// a sentence that names the file. Throws WorkError if the file cannot be written.
std::string save_bytes(const std::filesystem::path& folder, const std::string& name,
                       const std::string& ending, const std::string& bytes);

// Writes the output of a run into a folder, see output_csv(). Chooses a new name:
// "upsweep-scan_blelloch.csv", then "upsweep-scan_blelloch-2.csv", and so on. Returns a sentence that names
// the file. Throws WorkError if the file cannot be written.
std::string save_output(const Trace& trace, const std::filesystem::path& folder);

}  // namespace upsweep
