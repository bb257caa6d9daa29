// What a recording predicts that the hardware counts, and what its counters say of the fast machine's run: as
// a whole, and for each line of the kernel's text.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/job.hpp"
#include "base/message.hpp"
#include "machine/gpu/counters.hpp"
#include "machine/gpu/gpu.hpp"
#include "trace/agreement.hpp"

namespace upsweep {

struct RunCount {
  std::string metric;  // NVIDIA's name
  MessageId what{};    // "wavefronts of shared loads"
  double predicted = 0;
  std::optional<double> measured;
  Agreement agreement = Agreement::predicted_only;
};

// Of one line, in this order.
struct LineMetric {
  const char* metric;  // NVIDIA's name
  MessageId what;      // "shared requests"
};
constexpr std::size_t line_metric_count = 8;
extern const std::array<LineMetric, line_metric_count> line_metrics;
using LineNumbers = std::array<std::uint64_t, line_metric_count>;

struct LinesCount {
  std::vector<int> lines;  // of the text, from 1: one, or several that the machine code does not tell apart
  LineNumbers predicted{};
  std::optional<LineNumbers> measured;
  // Whether the recording predicts the number: of atomics requests and lanes alone; of wide elements another
  // ideal than this metric's, which is that of full requests.
  std::array<bool, line_metric_count> compared{};
  Agreement agreement = Agreement::predicted_only;
};

struct Counted {
  std::vector<RunCount> run;
  std::optional<double>
      arbitration;  // conflicts between requests for the data path; no recording predicts them
  std::vector<LinesCount>
      lines;  // that access memory, ascending by their first; none measured if the kernel starts grids
  std::string device;      // whose counters: "NVIDIA H200"; empty if nothing was measured
  Message predicted_only;  // why nothing was measured; none if something was
};

// From a recording alone; `why` nothing is measured.
Counted predicted(const Trace& trace, Message why);

// What machine code was found to do, by line of the text (0: of other files), beside what a recording of the
// run predicts. Where machine code says another line than the text has (an access that is part of an
// operation may go by the operator's line, one of a struct by the line that made it, an atomic by CUDA's own
// header), the lines concerned are compared in sum, last.
std::vector<LinesCount> beside(const Algorithm& a, const Trace& trace, std::map<int, LineNumbers> found);

// Runs the kernel as often as the counters need. `trace` is a recording of the same run. Throws WorkError,
// and Cancelled when a job is cancelled.
Counted counted(Gpu& gpu, Counters& counters, const Algorithm& a, const Trace& trace, Job* job = nullptr);

// Numbers of runs, and lines, that are different.
int differences(const Counted& c);

}  // namespace upsweep
