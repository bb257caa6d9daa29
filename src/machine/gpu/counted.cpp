#include "machine/gpu/counted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <set>

#include "base/messages.hpp"
#include "machine/gpu/gpu_device.hpp"
#include "machine/gpu/gpu_program.hpp"

namespace upsweep {

const std::array<LineMetric, line_metric_count> line_metrics = {
    {{"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared", MessageId::wavefronts},
     {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal", MessageId::ideal_wavefronts},
     {"smsp__sass_sectors_mem_global", MessageId::sectors},
     {"smsp__sass_sectors_mem_global_ideal", MessageId::ideal_sectors},
     {"smsp__sass_inst_executed_op_shared", MessageId::shared_requests},
     {"smsp__sass_inst_executed_op_global", MessageId::global_requests},
     {"smsp__sass_thread_inst_executed_op_shared_pred_on", MessageId::shared_lanes},
     {"smsp__sass_thread_inst_executed_op_global_pred_on", MessageId::global_lanes}}};

namespace {

// A metric of a whole run, and the kind of recorded count that predicts the metric.
struct RunMetric {
  const char* metric;
  MessageId what;
  Kind kind;
  bool excess;  // whether the metric counts only the excess over the minimum
};
const RunMetric run_metrics[] = {
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", MessageId::shared_load_wavefronts,
     Kind::shared_load, false},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", MessageId::shared_store_wavefronts,
     Kind::shared_store, false},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", MessageId::shared_load_excess,
     Kind::shared_load, true},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", MessageId::shared_store_excess,
     Kind::shared_store, true},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", MessageId::global_load_sectors, Kind::global_load,
     false},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", MessageId::global_store_sectors, Kind::global_store,
     false},
};

// Returns true if the hardware has no atomic instruction for this operator and type. In this case,
// atomic_combine() in gpu.cuh tries the operation again if another thread has changed the value in the
// meantime. The number of tries differs from run to run.
bool is_tried_again(const Settings& s) {
  const bool is_integer = s.type == Scalar::int32 || s.type == Scalar::uint32 || s.type == Scalar::int64;
  switch (s.op) {
    case Operator::sum: return s.type == Scalar::float16;
    case Operator::min:
    case Operator::max: return !is_integer;
    default: return true;
  }
}

// Returns the lines whose number of accesses differs from run to run: the lines that wait for other blocks,
// and the lines with atomics that are repeated.
std::set<int> varying_lines(const Algorithm& a, const Trace& trace) {
  std::set<int> all;
  const bool waits = a.waits_for_blocks(), tries = is_tried_again(trace.settings);
  for (const Event& e : trace.events)
    if ((waits && (e.flags & is_volatile)) ||
        (tries && is_atomic(e.kind) && e.detail == static_cast<std::uint8_t>(Atomic::combine)))
      all.insert(e.line);
  return all;
}

// Adds a recorded count to the numbers of its line, in the order of line_metrics.
void add(LineNumbers& to, const Count& c) {
  const std::size_t other = is_global(c.kind) ? 1 : 0;
  to[2 * other] += c.units, to[2 * other + 1] += c.ideal;
  to[4 + other] += c.requests, to[6 + other] += c.lanes;
}
void add(LineNumbers& to, const LineNumbers& more) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += more[i];
}

// The prediction for each line, and the lines with atomics.
struct Lines {
  std::map<int, LineNumbers> numbers;
  std::set<int> atomics;
};
Lines predicted_lines(const Trace& trace) {
  Lines all;
  for (const Count& c : trace.counts) {
    if (!is_access(c.kind)) continue;
    add(all.numbers[c.line], c);
    if (is_atomic(c.kind)) all.atomics.insert(c.line);
  }
  return all;
}

// Returns the lines that have a request in which several lanes, but not all, access the same place in global
// memory. For the ideal number of sectors, NVIDIA's metric counts such a place once for each lane.
std::set<int> sharing_lines(const Trace& trace) {
  std::set<int> all;
  for (const Event& e : trace.events) {
    if (!is_global(e.kind) || !is_access(e.kind)) continue;
    std::set<std::int64_t> places;
    const auto lanes = static_cast<std::size_t>(std::popcount(e.mask));
    for (std::size_t l = 0; l < lanes; ++l) places.insert(trace.lanes[e.first + l * e.parts].address);
    if (places.size() > 1 && places.size() < lanes) all.insert(e.line);
  }
  return all;
}

std::array<bool, line_metric_count> compared(const Settings& s, bool atomics, bool shares) {
  const bool narrow = element_bytes(s) <= 4;
  return {!atomics, !atomics && narrow, !atomics, !atomics && !shares, true, true, true, true};
}

// Arbitration means that a request waits because several requests need the data path at the same time. The
// counters of a whole run count these waits as wavefronts of shared memory, but no recording predicts them.
// Returns true if arbitration alone explains why the predicted and the measured wavefronts differ.
bool is_arbitration(const Counted& c) {
  double wavefronts = 0, excess = 0;
  for (std::size_t i = 0; i < c.run.size(); ++i)
    if (is_shared(run_metrics[i].kind) && c.run[i].measured)
      (run_metrics[i].excess ? excess : wavefronts) += *c.run[i].measured - c.run[i].predicted;
  return c.arbitration && wavefronts == *c.arbitration && excess == *c.arbitration;
}

std::map<int, LineNumbers> measured_lines(Counters& counters, const Algorithm& a, const Trace& trace,
                                          const std::function<void()>& run) {
  const std::string image =
      compile(program(a, trace.settings, Mode::fast), fmt::format("sm_{}", Device().architecture())).image;
  std::vector<std::string> names;
  for (const LineMetric& m : line_metrics) names.emplace_back(m.metric);
  std::map<int, LineNumbers> found;
  for (const LineCounter& l : counters.by_line(names, image, run)) {
    LineNumbers numbers{};
    std::copy(l.values.begin(), l.values.end(), numbers.begin());
    if (numbers != LineNumbers{}) add(found[l.file.ends_with("/" + a.file) ? l.line : 0], numbers);
  }
  return found;
}

}  // namespace

void judge(LinesCount& c, bool varies) {
  bool same = true;
  for (std::size_t i = 0; i < line_metric_count; ++i)
    same = same && (!c.compared[i] || c.predicted[i] == (*c.measured)[i]);
  c.agreement = same ? Agreement::same : varies ? Agreement::varies : Agreement::different;
}

bool has_varying_lines(const Algorithm& a, const Trace& trace) { return !varying_lines(a, trace).empty(); }

void judge_run(Counted& c, const Algorithm& a, const Trace& trace) {
  const bool global_varies = a.starts_grids() || has_varying_lines(a, trace);
  for (std::size_t i = 0; i < c.run.size(); ++i) {
    RunCount& count = c.run[i];
    if (!count.measured) continue;
    count.agreement = count.predicted == *count.measured                ? Agreement::same
                      : global_varies && is_global(run_metrics[i].kind) ? Agreement::varies
                                                                        : Agreement::different;
  }
  if (is_arbitration(c))
    for (std::size_t i = 0; i < c.run.size(); ++i)
      if (is_shared(run_metrics[i].kind) && c.run[i].agreement == Agreement::different)
        c.run[i].agreement = Agreement::varies;
}

std::vector<LinesCount> beside(const Algorithm& a, const Trace& trace, std::map<int, LineNumbers> found,
                               const std::array<bool, line_metric_count>& given) {
  const Settings& s = trace.settings;
  Lines expected = predicted_lines(trace);
  // Returns true if the compiler has attributed the shared or the global requests of a line to another line.
  // In this case, the counters have no such requests for the line.
  const auto is_elsewhere = [&](int line, const LineNumbers& numbers) {
    const auto at = found.find(line);
    if (at == found.end()) return true;
    return (numbers[4] > 0 && at->second[4] == 0) || (numbers[5] > 0 && at->second[5] == 0);
  };
  std::set<int> together = expected.atomics, alone;
  for (const auto& [line, numbers] : expected.numbers)
    if (is_elsewhere(line, numbers)) together.insert(line);
  for (const auto& [line, numbers] : expected.numbers)
    if (!together.contains(line)) alone.insert(line);
  for (const auto& [line, numbers] : found)
    if (line > 0 && !together.contains(line)) alone.insert(line);

  const auto leave_out = [&](LinesCount& c) {
    for (std::size_t i = 0; i < line_metric_count; ++i) c.compared[i] = c.compared[i] && given[i];
  };
  const std::set<int> varying = varying_lines(a, trace), sharing = sharing_lines(trace);
  std::vector<LinesCount> all;
  for (const int line : alone) {
    all.push_back({{line}, expected.numbers[line], found[line], compared(s, false, sharing.contains(line))});
    leave_out(all.back());
    judge(all.back(), varying.contains(line));
  }
  if (together.empty() && !found.contains(0)) return all;
  const bool shares = std::ranges::any_of(together, [&](int line) { return sharing.contains(line); });
  LinesCount sum{
      {together.begin(), together.end()}, {}, found[0], compared(s, !expected.atomics.empty(), shares)};
  bool varies = false;
  for (const int line : together) {
    add(sum.predicted, expected.numbers[line]);
    add(*sum.measured, found[line]);
    varies = varies || varying.contains(line);
  }
  leave_out(sum);
  judge(sum, varies);
  all.push_back(sum);
  return all;
}

Counted predicted(const Trace& trace, Message why) {
  Counted c;
  std::map<Kind, std::uint64_t> units, ideal;
  for (const Count& count : trace.counts) units[count.kind] += count.units, ideal[count.kind] += count.ideal;
  for (const RunMetric& m : run_metrics)
    c.run.push_back({m.metric,
                     m.what,
                     static_cast<double>(m.excess ? units[m.kind] - ideal[m.kind] : units[m.kind]),
                     {},
                     Agreement::predicted_only});
  const Lines lines = predicted_lines(trace);
  const std::set<int> sharing = sharing_lines(trace);
  for (const auto& [line, numbers] : lines.numbers)
    c.lines.push_back({{line},
                       numbers,
                       {},
                       compared(trace.settings, lines.atomics.contains(line), sharing.contains(line))});
  c.predicted_only = std::move(why);
  return c;
}

Counted counted(Gpu& gpu, Counters& counters, const Algorithm& a, const Trace& trace, Job* job) {
  Counted c = predicted(trace, {});
  c.device = gpu.device();
  const Settings& s = trace.settings;
  std::vector<std::string> names;
  for (const RunMetric& m : run_metrics) names.emplace_back(m.metric);
  names.emplace_back(arbitration_metric);
  const auto run = [&] {
    if (job) job->check();
    gpu.run(a, s, trace.input);
  };
  run();  // not counted, because the first run also compiles the program
  std::vector<double> measured = counters.of_run(names, run);
  const std::vector<double> filling = counters.of_run(names, [&] { gpu.fill(a, s, trace.input); });
  for (std::size_t i = 0; i < measured.size(); ++i) measured[i] -= filling[i];
  c.arbitration = measured.back();
  for (std::size_t i = 0; i < c.run.size(); ++i) c.run[i].measured = measured[i];
  judge_run(c, a, trace);
  // CUPTI does not count the instructions of grids that kernels start.
  if (!a.starts_grids()) c.lines = beside(a, trace, measured_lines(counters, a, trace, run));
  return c;
}

int differences(const Counted& c) {
  const auto is_different = [](const auto& x) { return x.agreement == Agreement::different; };
  return static_cast<int>(std::count_if(c.run.begin(), c.run.end(), is_different) +
                          std::count_if(c.lines.begin(), c.lines.end(), is_different));
}

}  // namespace upsweep
