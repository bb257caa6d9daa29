// hardware_counters [--metrics] [--n N] [ALGORITHM...]: what a recording predicts beside what the GPU's own
// counters say of the fast machine's run, as a whole and for each line; of all correct algorithms unless some
// are named. --metrics names all metrics of instructions instead. Exit code 1 where a number differs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <map>
#include <set>

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

// CUPTI does not count the instructions of grids that kernels start.
bool starts_grids(const Algorithm& a) { return a.text.find("launch_") != std::string::npos; }

int compare(Gpu& gpu, Counters& counters, const Algorithm& a, const Settings& s) {
  const std::vector<Value> input = random_data(s, 7);
  const Trace trace = gpu.record(a, s, input);
  std::map<Kind, std::uint64_t> units, ideal;
  for (const Count& c : trace.counts) units[c.kind] += c.units, ideal[c.kind] += c.ideal;

  std::vector<std::string> names;
  for (const RunMetric& m : run_metrics) names.emplace_back(m.name);
  names.emplace_back(arbitration);
  gpu.run(a, s, input);  // compiles
  std::vector<double> measured = counters.of_run(names, [&] { gpu.run(a, s, input); });
  const std::vector<double> filling = counters.of_run(names, [&] { gpu.fill(a, s, input); });
  for (std::size_t i = 0; i < measured.size(); ++i) measured[i] -= filling[i];
  // Of global memory a run also counts what blocks read while they wait for others, and what CUDA does to
  // start grids from kernels.
  const bool global = a.text.find("volatile unsigned") != std::string::npos || starts_grids(a);
  int different = 0;
  for (std::size_t i = 0; i < std::size(run_metrics); ++i) {
    const RunMetric& m = run_metrics[i];
    const double predicted = static_cast<double>(m.excess ? units[m.kind] - ideal[m.kind] : units[m.kind]);
    const bool same = predicted == measured[i], varies = global && is_global(m.kind);
    different += !same && !varies;
    fmt::print("{:9} {:60} predicted {:10} measured {:10}\n",
               same     ? "same"
               : varies ? "varies"
                        : "DIFFERENT",
               m.name, predicted, measured[i]);
  }
  fmt::print("          {:60} measured {:10}\n", arbitration, measured.back());
  return different;
}

using Line = std::array<std::uint64_t, std::size(line_metrics)>;

// Adds a recorded count to the numbers that the metrics of its kind stand for.
void add(Line& to, const Count& c) {
  if (!is_access(c.kind)) return;
  const std::size_t other = is_global(c.kind) ? 1 : 0;
  to[2 * other] += c.units, to[2 * other + 1] += c.ideal;
  to[4 + other] += c.requests, to[6 + other] += c.lanes;
}

// Lines whose accesses wait for other blocks: how often depends on the run.
std::set<int> waiting_lines(const Algorithm& a, const Trace& trace) {
  std::set<int> all;
  if (a.text.find("volatile unsigned") == std::string::npos) return all;
  for (const Event& e : trace.events)
    if (e.flags & is_volatile) all.insert(e.line);
  return all;
}

// Where machine code says another line than the text has (an access that is part of an operation may go by
// the operator's line, and an atomic by CUDA's own header), the lines concerned are compared in sum. What
// memory does for atomics no recording predicts.
int compare_lines(Gpu& gpu, Counters& counters, const Algorithm& a, const Settings& s, bool show) {
  const std::vector<Value> input = random_data(s, 7);
  const Trace trace = gpu.record(a, s, input);
  std::map<int, Line> predicted, measured;
  std::set<int> lines, together = {0}, waiting = waiting_lines(a, trace);
  bool atomics = false;
  for (const Count& c : trace.counts) {
    if (!is_access(c.kind)) continue;
    add(predicted[c.line], c);
    lines.insert(c.line);
    if (is_atomic(c.kind)) together.insert(c.line), atomics = true;
  }
  const std::string image =
      compile(program(a, s, Mode::fast), fmt::format("sm_{}", Device().architecture())).image;
  const std::vector<std::string> names(std::begin(line_metrics), std::end(line_metrics));
  for (const LineCounter& l : counters.by_line(names, image, [&] { gpu.run(a, s, input); })) {
    const int line = l.file.ends_with("/" + a.file) ? l.line : 0;
    Line& sum = measured[line];
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += l.values[i];
    if (sum != Line{}) lines.insert(line);
  }
  for (const int line : lines)
    if (measured[line] == Line{}) together.insert(line);
  Line predicted_sum = {}, measured_sum = {};
  for (const int line : together)
    for (std::size_t i = 0; i < predicted_sum.size(); ++i)
      predicted_sum[i] += predicted[line][i], measured_sum[i] += measured[line][i];
  for (const int line : together) lines.erase(line);

  int different = 0;
  const auto compare = [&](const std::string& where, Line p, Line m, bool requests_alone, bool varies) {
    for (std::size_t i = 0; requests_alone && i < 4; ++i) p[i] = m[i] = 0;
    // Of wide elements the counter has another ideal than the counters of conflicts: that of full requests.
    if (element_bytes(s) > 4) p[1] = m[1] = 0;
    const bool same = p == m;
    different += !same && !varies;
    if (!same || show)
      fmt::print("{:9} {} predicted {} measured {}\n",
                 same     ? "same"
                 : varies ? "varies"
                          : "DIFFERENT",
                 where, fmt::join(p, " "), fmt::join(m, " "));
  };
  for (const int line : lines)
    compare(fmt::format("line {}", line), predicted[line], measured[line], false, waiting.contains(line));
  compare(fmt::format("lines {} together", fmt::join(together, ", ")), predicted_sum, measured_sum, atomics,
          std::any_of(together.begin(), together.end(), [&](int line) { return waiting.contains(line); }));
  fmt::print("          {} lines, {} different\n", lines.size() + together.size() - 1, different);
  return different;
}

// Every variant, layout and load pattern, and the first ones with wide elements.
std::vector<Settings> choices(const Algorithm& a) {
  std::vector<Settings> all = every_variant(a);
  // The compiler makes one store of 64 bits of a thread's two neighbours.
  std::erase_if(all, [&](const Settings& s) { return s.load_pattern == "neighbours" && s.layout == "none"; });
  Settings wide = all.front();
  wide.type = Scalar::float64;
  if (allowed(wide, a)) all.push_back(wide);
  return all;
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
      for (Settings s : choices(*a)) try {
          s.n = a->many_blocks ? n : std::min(n, largest_in_block(*a));
          if (!a->many_blocks) s.block = smallest_block(*a, s);
          validate(s);
          fmt::print("{}\n", describe(s));
          different += compare(gpu, counters, *a, s);
          if (!starts_grids(*a)) different += compare_lines(gpu, counters, *a, s, by_line);
        } catch (const std::exception& e) { fmt::print("{}\n", e.what()), ++different; }
    fmt::print("{} numbers differ.\n", different);
    return different != 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 2;
  }
}
