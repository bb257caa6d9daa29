// Contains the counts of hardware counters for each line of the kernel's text, over a whole run. Each
// measured count is stored together with the count that was predicted from a recording.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "trace/agreement.hpp"

namespace upsweep {

struct LineCounters {
  struct Number {
    std::string what;  // the name of the count, such as "wavefronts"
    std::int64_t predicted = 0, measured = 0;
    bool operator==(const Number&) const = default;
  };
  struct Entry {
    // One line, or several lines that share machine code. For several lines, each number is the sum over
    // these lines.
    std::vector<int> lines;
    std::vector<Number> numbers;
    Agreement agreement = Agreement::same;
    bool operator==(const Entry&) const = default;
  };

  bool under_way = false;
  std::string predicted_only;  // a sentence that says why nothing was measured; otherwise empty
  std::string device;          // the GPU that counted, such as "NVIDIA H200"
  std::vector<Entry> entries;  // one entry for each line (or group of lines) that accesses memory

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
// Returns a short form of the summary, such as "Whole run, predicted only. No GPU can be used."
std::string brief_summary(const LineCounters& counters);
// Returns the counts that differ from the prediction, such as "measured 12 wavefronts, 4 excess wavefronts".
// If `brief`, returns only the first of these counts. Returns an empty text if all counts agree.
std::string difference_text(const LineCounters::Entry& entry, bool brief = false);

}  // namespace upsweep
