// Opens recordings in files, and lists the recordings of a real GPU that come with the program
// (assets/traces).
#pragma once
#include <span>
#include <string>

#include "trace/trace.hpp"

namespace upsweep {

// The data of a shipped recording that are known before its events are read.
struct Shipped {
  std::string name;  // without the extension: scan_decoupled_lookback
  Settings settings;
  std::string title;         // the algorithm's title
  std::string device, date;  // the device, such as "NVIDIA H200"; the date in the form of ISO 8601
  std::size_t bytes = 0;     // the size of the file
};
// Returns the recordings that come with the program, sorted by name.
std::span<const Shipped> shipped_recordings();

// Opens a recording in a file. If no file has this name, opens the shipped recording with this name, with or
// without the extension. Throws RequestError in the same cases as read_trace().
Trace open_recording(const std::string& name);

}  // namespace upsweep
