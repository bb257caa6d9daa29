// Recordings made on a real GPU that come with the program (assets/traces), and recordings in files.
#pragma once
#include <span>
#include <string>

#include "trace/trace.hpp"

namespace upsweep {

// The properties of a shipped recording that are known without its events.
struct Shipped {
  std::string name;  // without the extension: scan_decoupled_lookback
  Settings settings;
  std::string title;         // the algorithm's title
  std::string device, date;  // "NVIDIA H200", ISO 8601
  std::size_t bytes = 0;     // the size of the file
};
// Sorted by name.
std::span<const Shipped> shipped_recordings();

// Opens a file. If no file has this name, opens the shipped recording with this name, with or without the
// extension. Throws RequestError as read_trace() does.
Trace open_recording(const std::string& name);

}  // namespace upsweep
