// Reads the output of NVIDIA's profiler Nsight Compute (`ncu --csv`), and compares the profiler's numbers
// with a recording of the same run.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "machine/gpu/counted.hpp"

namespace upsweep {

// One launch of a kernel in an export.
struct NcuLaunch {
  std::string kernel;  // such as "scan_blelloch"
  // The number of blocks in the grid, and the number of threads in a block. Both are 0 if the page does not
  // state them.
  std::int64_t blocks = 0, threads = 0;
  std::map<std::string, double> metrics;  // the metrics, by NVIDIA's name
  // The keys are lines of the kernel's own file, from 1. The key 0 is for other files and for pages without
  // lines. The number of shared requests includes requests without an active lane, because ncu does not count
  // such requests separately.
  std::map<int, LineNumbers> lines;
};

// The contents of one or more pages of an export. All pages describe the same launches.
struct NcuExport {
  std::vector<NcuLaunch> launches;
  bool has_metrics = false;  // true if the export has the page "raw" or the page "details"
  bool has_code = false;     // true if the export has the page "source"
  bool has_lines = false;    // true if the page "source" has the lines of the kernels' text
  std::string capability;    // the compute capability, such as "9.0"; empty if no page states it
};

// Reads a page that `ncu --csv` writes: `--page raw`, `--page details --print-metric-name name`, or `--page
// source` with `--print-source cuda,sass` or `--print-source sass`. Skips lines that begin with ==, which are
// ncu's own messages.
//
// `file` names the page in errors. Throws RequestError if the text is not such a page.
NcuExport read_ncu_page(std::string_view text, const std::string& file);
// Reads the pages of one export from files. Throws RequestError if the pages do not describe the same
// launches.
NcuExport read_ncu_pages(const std::vector<std::string>& files);

// Compares an export with a recording. If the export has no page of machine code, `lines` of the result has
// only predictions. If this page does not give the source line of each instruction, `lines` has one entry:
// the sums of all instructions.
//
// The export may also have launches of other kernels. Throws RequestError if the export and the recording
// have different launches of the recorded kernels.
Counted beside_export(const Algorithm& a, const Trace& trace, const NcuExport& found);

}  // namespace upsweep
