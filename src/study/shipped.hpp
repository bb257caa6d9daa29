// Recordings made on a real GPU that come with the program (assets/traces), and files.
#pragma once
#include <span>
#include <string>

#include "trace/trace.hpp"

namespace upsweep {

// What can be told of a shipped recording without looking at what happened in it.
struct Shipped {
  std::string name;  // without the extension: scan_decoupled_lookback
  Settings settings;
  std::string title;         // of the algorithm
  std::string device, date;  // "NVIDIA H200", ISO 8601
  std::size_t bytes = 0;     // of the file
};
// By name.
std::span<const Shipped> shipped_recordings();

// A file; where there is none of that name, the shipped recording that is called so, with or without the
// extension. Throws RequestError as read_trace() does.
Trace open_recording(const std::string& name);

}  // namespace upsweep
