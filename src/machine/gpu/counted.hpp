// Compares the counts that a recording predicts with the hardware's counters during a run on the fast
// machine: for the whole run, and for each line of the kernel's text.
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

// The numbers of one line, in this order.
struct LineMetric {
  const char* metric;  // NVIDIA's name
  MessageId what;      // "shared requests"
};
constexpr std::size_t line_metric_count = 8;
extern const std::array<LineMetric, line_metric_count> line_metrics;
using LineNumbers = std::array<std::uint64_t, line_metric_count>;

struct LinesCount {
  // Lines of the text, from 1: one line, or several that the machine code does not tell apart.
  std::vector<int> lines;
  LineNumbers predicted{};
  std::optional<LineNumbers> measured;
  // True if the recording predicts the number. For atomics it predicts only requests and lanes. For wide
  // elements it predicts another ideal than this metric, which assumes full requests.
  std::array<bool, line_metric_count> compared{};
  Agreement agreement = Agreement::predicted_only;
};

struct Counted {
  std::vector<RunCount> run;
  // Conflicts between requests for the data path. No recording predicts them.
  std::optional<double> arbitration;
  // The lines that access memory, ascending; nothing is measured if the kernel starts grids.
  std::vector<LinesCount> lines;
  std::string device;      // the GPU that counted: "NVIDIA H200"; empty if nothing was measured
  Message predicted_only;  // why nothing was measured; no message otherwise
};

// Returns the prediction of a recording. `why` is the reason why nothing is measured.
Counted predicted(const Trace& trace, Message why);

// Compares the counts of machine code, by line of the text (0 for other files), with the prediction of a
// recording of the same run. Machine code may attribute an access to another line than the text does: to the
// line of an operator, to the line that makes a struct, or to CUDA's own header for an atomic. The sums of
// all such lines are compared at the end.
std::vector<LinesCount> beside(const Algorithm& a, const Trace& trace, std::map<int, LineNumbers> found);

// Runs the kernel as many times as the counters need. Requires a recording of the same run. Throws WorkError,
// and Cancelled after a job is cancelled.
Counted counted(Gpu& gpu, Counters& counters, const Algorithm& a, const Trace& trace, Job* job = nullptr);

// Returns how many numbers of the run, plus how many lines, differ from the prediction.
int differences(const Counted& c);

}  // namespace upsweep
