// Compares the counts that a recording predicts with the counts of the hardware's counters. The counters
// count a run without the recorder. Compares the whole run, and each line of the kernel's text.
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
  std::string metric;  // NVIDIA's name of the metric
  MessageId what{};    // what the metric counts, such as "wavefronts of shared loads"
  double predicted = 0;
  std::optional<double> measured;
  Agreement agreement = Agreement::predicted_only;
};

// The metrics that are counted for each line. The numbers in LineNumbers are in the order of line_metrics.
struct LineMetric {
  const char* metric;  // NVIDIA's name of the metric
  MessageId what;      // what the metric counts, such as "shared requests"
};
constexpr std::size_t line_metric_count = 8;
extern const std::array<LineMetric, line_metric_count> line_metrics;
using LineNumbers = std::array<std::uint64_t, line_metric_count>;

struct LinesCount {
  // The line in the kernel's text, from 1. There are several lines if their accesses cannot be counted
  // separately.
  std::vector<int> lines;
  LineNumbers predicted{};
  std::optional<LineNumbers> measured;
  // compared[i] is true if the predicted number of metric i is compared with the measured number. These
  // numbers are not compared:
  // - For atomics: all numbers except requests and lanes.
  // - Ideal wavefronts of elements of more than 4 bytes, because NVIDIA's metric assumes full requests.
  // - Ideal sectors if several lanes, but not all, access the same place, because NVIDIA's metric counts the
  //   place once for each lane.
  std::array<bool, line_metric_count> compared{};
  Agreement agreement = Agreement::predicted_only;
};

struct Counted {
  std::vector<RunCount> run;
  // The number of times that requests had to wait because several requests needed the same data path. No
  // recording predicts this number.
  std::optional<double> arbitration;
  // The lines that access memory, ascending; lines that are counted together are last. If the kernel starts
  // grids, the lines have only predictions, because CUPTI does not count these grids.
  std::vector<LinesCount> lines;
  std::string device;      // the GPU that counted, such as "NVIDIA H200"; empty if nothing was measured
  Message predicted_only;  // the reason why nothing was measured; no message if something was measured
};

// Returns only the predictions of a recording. `why` says why nothing is measured.
Counted predicted(const Trace& trace, Message why);

// Compares measured numbers with the prediction of a recording of the same run. `found` has the measured
// numbers by line of the kernel's text; line 0 is for other files. `given` says for each metric whether
// `found` has the metric.
//
// The compiler and the recording can attribute the same access to different lines. For example, the compiler
// attributes the access to the line of an operator, to the line that makes a struct or, for an atomic, to a
// line of CUDA's own header. All such lines share the last entry of the result, which has their sums.
std::vector<LinesCount> beside(const Algorithm& a, const Trace& trace, std::map<int, LineNumbers> found,
                               const std::array<bool, line_metric_count>& given = {true, true, true, true,
                                                                                   true, true, true, true});
// Returns whether some lines access memory a different number of times in each run.
bool has_varying_lines(const Algorithm& a, const Trace& trace);
// Sets c.agreement, which says whether the compared numbers are equal. `varies` says whether these numbers
// differ from run to run.
void judge(LinesCount& c, bool varies);
// Sets the agreement of every measured number of the whole run.
void judge_run(Counted& c, const Algorithm& a, const Trace& trace);
// NVIDIA's name of Counted::arbitration.
inline constexpr const char* arbitration_metric = "l1tex__data_bank_conflicts_type_arbitration.sum";

// Runs the kernel as many times as the counters need. Requires a recording of the same run. Throws WorkError
// if the measurement fails, and Cancelled after the job is cancelled.
Counted counted(Gpu& gpu, Counters& counters, const Algorithm& a, const Trace& trace, Job* job = nullptr);

// Returns the number of differences: the numbers of the whole run that differ from the prediction, plus the
// lines that differ.
int differences(const Counted& c);

}  // namespace upsweep
