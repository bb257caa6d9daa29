// The hardware's counts of a whole run for each line of the kernel's text, beside the counts predicted from a
// recording.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "trace/agreement.hpp"

namespace upsweep {

struct LineCounters {
  struct Number {
    std::string what;  // "wavefronts"
    std::int64_t predicted = 0, measured = 0;
    bool operator==(const Number&) const = default;
  };
  struct Entry {
    // One line, or several lines that the machine code does not separate. For several lines, each number is
    // their sum.
    std::vector<int> lines;
    std::vector<Number> numbers;
    Agreement agreement = Agreement::same;
    bool operator==(const Entry&) const = default;
  };

  bool under_way = false;
  std::string predicted_only;  // why nothing was measured, as a sentence; otherwise empty
  std::string device;          // the GPU that counted: "NVIDIA H200"
  std::vector<Entry> entries;  // one for each line, or group of lines, that accesses memory

  const Entry* of(int line) const {
    const auto at = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) {
      return std::find(e.lines.begin(), e.lines.end(), line) != e.lines.end();
    });
    return at == entries.end() ? nullptr : &*at;
  }
  bool operator==(const LineCounters&) const = default;
};

// Returns the text above the lines, such as "Whole run, predicted only. There is no GPU."
std::string summary(const LineCounters& counters);
// Returns the summary without the details of why nothing was measured: "Whole run, predicted only. No GPU can
// be used."
std::string brief_summary(const LineCounters& counters);
// Returns the counts that differ from the prediction, such as "measured 12 wavefronts, 4 excess wavefronts",
// or only the first one if `brief`. Returns an empty text if all counts agree.
std::string difference_text(const LineCounters::Entry& entry, bool brief = false);

}  // namespace upsweep
