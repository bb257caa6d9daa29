// Reads the GPU's own counters through NVIDIA's library CUPTI. The counters count a whole run, or each
// machine instruction with its source line. Other code compares the counters with numbers that are computed
// from recordings.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace upsweep {

// The costs of one line of a kernel's text, summed over its machine instructions and all multiprocessors.
struct LineCounter {
  std::string function;               // the name of the function in the program
  std::string file;                   // such as "kernels/scan_blelloch.cuh", or a header of the vocabulary
  int line = 0;                       // from 1; 0 if unknown
  std::vector<std::uint64_t> values;  // in the order of the requested metrics
};

class Counters {
 public:
  // Opens the counters of the calling thread's current context on GPU 0. Throws RequestError with the reason
  // if the counters cannot be used. Possible reasons: this program was built without CUPTI's headers, CUPTI's
  // library is missing, permission is missing, or CUPTI does not support the chip.
  Counters();
  ~Counters();
  Counters(const Counters&) = delete;
  Counters& operator=(const Counters&) = delete;

  // Counts metrics of a whole run. The metrics have NVIDIA's names, such as
  // l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum. Throws WorkError if CUPTI fails. Exceptions of
  // `work` are passed on.
  //
  // `work` must launch kernels and wait for them. The function calls `work` once for each pass that the
  // metrics need, and `work` must do the same each time.
  std::vector<double> of_run(std::span<const std::string> metrics, const std::function<void()>& work);

  // Counts instruction metrics, such as smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared. CUPTI
  // changes the machine code to count these metrics. `image` must be the cubin that `work` runs.
  // Grids that kernels start are not counted.
  std::vector<LineCounter> by_line(std::span<const std::string> metrics, const std::string& image,
                                   const std::function<void()>& work);

  struct Metric {
    std::string name, description;
  };
  std::vector<Metric> line_metrics() const;  // all line metrics that this chip supports

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
