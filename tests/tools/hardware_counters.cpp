// hardware_counters [--metrics] [--n N] [ALGORITHM...]: what a recording predicts beside what the GPU's own
// counters say of the fast machine's run, as a whole and for each line; of all correct algorithms unless some
// are named. --metrics names all metrics of instructions instead. Exit code 1 where a number differs.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>

#include "base/error.hpp"
#include "catalogue/data.hpp"
#include "compile_cases.hpp"
#include "machine/counters.hpp"
#include "machine/gpu.hpp"
#include "machine/gpu_device.hpp"

namespace upsweep {
namespace {

// Of a whole run; each with what it is in a recording's counts.
struct RunMetric {
  const char* name;
  Kind kind;
  bool excess;  // beyond the fewest, where the recording has both
};
const RunMetric run_metrics[] = {
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", Kind::shared_load, false},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", Kind::shared_store, false},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", Kind::shared_load, true},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", Kind::shared_store, true},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", Kind::global_load, false},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", Kind::global_store, false},
};
const char* const arbitration = "l1tex__data_bank_conflicts_type_arbitration.sum";

const char* const line_metrics[] = {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared",
                                    "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal",
                                    "smsp__sass_sectors_mem_global",
                                    "smsp__sass_sectors_mem_global_ideal",
                                    "smsp__sass_inst_executed_op_shared",
                                    "smsp__sass_inst_executed_op_global",
                                    "smsp__sass_thread_inst_executed_op_shared_pred_on",
                                    "smsp__sass_thread_inst_executed_op_global_pred_on"};

int compare(Gpu& gpu, Counters& counters, const Algorithm& a, const Settings& s) {
  const std::vector<Value> input = random_data(s, 7);
  const Trace trace = gpu.record(a, s, input);
  std::map<Kind, std::uint64_t> units, ideal;
  for (const Count& c : trace.counts) units[c.kind] += c.units, ideal[c.kind] += c.ideal;

  std::vector<std::string> names;
  for (const RunMetric& m : run_metrics) names.emplace_back(m.name);
  names.emplace_back(arbitration);
  gpu.run(a, s, input);  // compiles
  const std::vector<double> measured = counters.of_run(names, [&] { gpu.run(a, s, input); });
  int different = 0;
  for (std::size_t i = 0; i < std::size(run_metrics); ++i) {
    const RunMetric& m = run_metrics[i];
    const double predicted = static_cast<double>(m.excess ? units[m.kind] - ideal[m.kind] : units[m.kind]);
    const bool same = predicted == measured[i];
    different += !same;
    fmt::print("{:9} {:60} predicted {:10} measured {:10}\n", same ? "same" : "DIFFERENT", m.name, predicted,
               measured[i]);
  }
  fmt::print("          {:60} measured {:10}\n", arbitration, measured.back());
  return different;
}

void lines(Gpu& gpu, Counters& counters, const Algorithm& a, const Settings& s) {
  const std::vector<Value> input = random_data(s, 7);
  const Trace trace = gpu.record(a, s, input);
  std::map<int, Count> predicted;
  for (const Count& c : trace.counts)
    if (is_shared(c.kind) || is_global(c.kind)) {
      Count& sum = predicted[c.line];
      sum.requests += c.requests, sum.lanes += c.lanes, sum.units += c.units, sum.ideal += c.ideal;
    }
  const std::string image =
      compile(program(a, s, Mode::fast), fmt::format("sm_{}", Device().architecture())).image;
  const std::vector<std::string> names(std::begin(line_metrics), std::end(line_metrics));
  for (const LineCounter& l : counters.by_line(names, image, [&] { gpu.run(a, s, input); }))
    if (std::any_of(l.values.begin(), l.values.end(), [](std::uint64_t v) { return v > 0; })) {
      const Count& p = predicted[l.line];
      fmt::print(
          "  {} {}:{} wavefronts {} ideal {} sectors {} ideal {} requests {} + {} lanes {} + {}"
          "; predicted: requests {} lanes {} units {} ideal {}\n",
          l.function, l.file, l.line, l.values[0], l.values[1], l.values[2], l.values[3], l.values[4],
          l.values[5], l.values[6], l.values[7], p.requests, p.lanes, p.units, p.ideal);
    }
}

}  // namespace
}  // namespace upsweep

int main(int argc, char** argv) {
  using namespace upsweep;
  std::vector<const Algorithm*> wanted;
  bool metrics = false, by_line = false;
  int n = 1000;
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // what was seen is in the log, whatever comes next
  try {
    for (int i = 1; i < argc; ++i) {
      const std::string argument = argv[i];
      if (argument == "--metrics") metrics = true;
      else if (argument == "--lines") by_line = true;
      else if (argument == "--n" && i + 1 < argc) n = std::stoi(argv[++i]);
      else wanted.push_back(&algorithm(argument));
    }
    if (wanted.empty()) wanted = correct_algorithms();
    Gpu gpu;
    Counters counters;
    if (metrics)
      for (const auto& m : counters.line_metrics()) fmt::print("{}: {}\n", m.name, m.description);
    int different = 0;
    for (const Algorithm* a : wanted)
      for (Settings s : every_choice(*a)) try {
          s.n = std::min(n, 2 * s.block);
          if (a->many_blocks) s.n = n;
          validate(s);
          fmt::print("{}\n", describe(s));
          different += compare(gpu, counters, *a, s);
          if (by_line) lines(gpu, counters, *a, s);
        } catch (const std::exception& e) { fmt::print("{}\n", e.what()), ++different; }
    fmt::print("{} numbers differ.\n", different);
    return different != 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 2;
  }
}
