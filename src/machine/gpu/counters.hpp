// The hardware's own counters, read in this process through CUPTI: of a whole run, and of every machine
// instruction by the source line that it was made from. What is computed from recordings is held against
// them.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace upsweep {

// What one line of a kernel's text cost, summed over its machine instructions and all multiprocessors.
struct LineCounter {
  std::string function;               // as the program names it
  std::string file;                   // "kernels/scan_blelloch.cuh", or a header of the vocabulary
  int line = 0;                       // from 1; 0 where the machine code does not say
  std::vector<std::uint64_t> values;  // in the order of the metrics asked for
};

class Counters {
 public:
  // Of the calling thread's current context on GPU 0. Throws RequestError with the reason where there are
  // none: built without CUPTI's headers, no CUPTI library, no permission, a chip it does not know.
  Counters();
  ~Counters();
  Counters(const Counters&) = delete;
  Counters& operator=(const Counters&) = delete;

  // Metrics as NVIDIA names them, such as l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum. `work`
  // launches and waits; it runs once for each pass that the metrics need, and must do the same every time.
  // Throws WorkError if CUPTI refuses, or `work` throws.
  std::vector<double> of_run(std::span<const std::string> metrics, const std::function<void()>& work);

  // Metrics of instructions, such as smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared, that are counted
  // by patching the machine code. `image` is the cubin that `work` runs. Grids that kernels start are not
  // among them.
  std::vector<LineCounter> by_line(std::span<const std::string> metrics, const std::string& image,
                                   const std::function<void()>& work);

  struct Metric {
    std::string name, description;
  };
  std::vector<Metric> line_metrics() const;  // all that this chip knows

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep
