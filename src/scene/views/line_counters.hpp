// What the hardware's counters say of a whole run, by lines of the kernel's text, beside what its recording
// predicts.
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
    std::vector<int> lines;  // one, or several that the machine code does not tell apart: their sum
    std::vector<Number> numbers;
    Agreement agreement = Agreement::same;
    bool operator==(const Entry&) const = default;
  };

  bool under_way = false;      // nothing is known yet
  std::string predicted_only;  // why nothing was measured, as a sentence; empty if something was
  std::string device;          // whose counters: "NVIDIA H200"
  std::vector<Entry> entries;  // of lines that access memory

  const Entry* of(int line) const {
    const auto at = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) {
      return std::find(e.lines.begin(), e.lines.end(), line) != e.lines.end();
    });
    return at == entries.end() ? nullptr : &*at;
  }
  bool operator==(const LineCounters&) const = default;
};

// What stands over the lines: "Whole run, predicted only. There is no GPU."
std::string summary(const LineCounters& counters);
// What was counted where it is not as predicted: "measured 12 wavefronts, 4 excess wavefronts"; in brief the
// first of these alone; empty where all is the same.
std::string difference_text(const LineCounters::Entry& entry, bool brief = false);

}  // namespace upsweep
