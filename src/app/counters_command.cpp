#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "app/commands.hpp"
#include "app/json.hpp"
#include "app/output.hpp"
#include "app/table.hpp"
#include "base/error.hpp"
#include "base/language.hpp"
#include "base/messages.hpp"
#include "catalogue/ladder.hpp"
#include "machine/gpu/counted.hpp"
#include "machine/gpu/ncu_export.hpp"
#include "measure/measure.hpp"
#include "study/shipped.hpp"
#include "trace/settings_json.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

constexpr const char* agreements[] = {tr_noop("predicted only"), tr_noop("same"), tr_noop("varies"),
                                      tr_noop("different")};
const char* word(Agreement a) { return agreements[static_cast<int>(a)]; }

// Stores the recorded run in `trace`. Returns the predicted numbers and, on a GPU with counters, also the
// measured numbers. If nothing was measured, the result contains the reason.
Counted count(const RunRequest& run, Trace& trace) {
  const Settings& s = run.settings;
  Message why;
  if (run.machine == MachineChoice::opengl) {
    trace = open_machine(run.machine)->record(s, run.input, run.recording);
    return predicted(trace, say::no_counters_on_opengl());
  }
  if (run.machine != MachineChoice::emulated) try {
      Gpu gpu;
      trace = gpu.record(s, run.inputs(), run.recording);
      if (trace.stopped) throw WorkError(stop_message(trace.stopped));
      Counters counters;
      return counted(gpu, counters, algorithm(s.algorithm), trace);
    } catch (const RequestError& e) {
      if (run.machine == MachineChoice::gpu) throw;
      why = why_no_gpu();  // contains only the reason, without the advice to use the emulator
      if (!why) why = e.message;
    }
  else why = say::no_counters_emulated();
  if (trace.counts.empty())
    trace = open_machine(MachineChoice::emulated)->record(s, run.inputs(), run.recording);
  return predicted(trace, why);
}

std::string number(const std::optional<double>& x) { return x ? fmt::format("{}", *x) : "-"; }

std::string text(const Counted& c) {
  const bool both = !c.predicted_only;
  std::string out;
  if (!both) out += tr("Predicted only. {}\n\n", in_words(c.predicted_only));
  // If nothing was measured, the tables `run` and `lines` have no columns for the measured number and the
  // agreement.
  Table run(both ? "LRRLL" : "LRL"), lines(both ? "RLRRL" : "RLR");
  const auto row = [&](Table& table, std::vector<std::string> cells, std::size_t measured) {
    const auto at = cells.begin() + static_cast<std::ptrdiff_t>(measured);
    if (!both) cells.erase(at, at + 2);
    table.row(std::move(cells));
  };
  row(run, {tr("of the run"), tr("predicted"), tr("measured"), "", tr("counter")}, 2);
  for (const RunCount& r : c.run)
    row(run, {in_words(r.what), number(r.predicted), number(r.measured), tr(word(r.agreement)), r.metric}, 2);
  if (c.arbitration) row(run, {tr("arbitration conflicts"), "", number(c.arbitration), "", ""}, 2);
  row(lines, {"line", "", tr("predicted"), tr("measured"), ""}, 3);
  for (const LinesCount& l : c.lines) {
    bool first = true;
    for (std::size_t i = 0; i < line_metric_count; ++i) {
      const std::uint64_t m = l.measured ? (*l.measured)[i] : 0;
      if (!l.compared[i] || (l.predicted[i] == 0 && m == 0)) continue;
      row(lines,
          {first ? fmt::format("{}", fmt::join(l.lines, ", ")) : "", in_words(line_metrics[i].what),
           fmt::format("{}", l.predicted[i]), l.measured ? fmt::format("{}", m) : "-",
           first ? tr(word(l.agreement)) : ""},
          3);
      first = false;
    }
  }
  return out + run.text() + "\n" + lines.text();
}

Json json_of(const Counted& c, const Trace& trace) {
  Json run = Json::array(), lines = Json::array();
  const auto or_null = [](const auto& x) { return x ? Json(*x) : Json(); };
  for (const RunCount& r : c.run)
    run.push_back({{"what", in_words(r.what)},
                   {"counter", r.metric},
                   {"predicted", r.predicted},
                   {"measured", or_null(r.measured)},
                   {"agreement", word(r.agreement)}});
  for (const LinesCount& l : c.lines) {
    Json numbers = Json::array();
    for (std::size_t i = 0; i < line_metric_count; ++i)
      if (l.compared[i])
        numbers.push_back({{"what", in_words(line_metrics[i].what)},
                           {"counter", line_metrics[i].metric},
                           {"predicted", l.predicted[i]},
                           {"measured", l.measured ? Json((*l.measured)[i]) : Json()}});
    lines.push_back({{"lines", l.lines}, {"agreement", word(l.agreement)}, {"numbers", numbers}});
  }
  return {{"settings", settings_json(as_shown(trace.settings))},
          {"machine", name(trace.machine)},
          {"device", c.device.empty() ? trace.device : c.device},
          {"predicted_only", c.predicted_only ? Json(in_words(c.predicted_only)) : Json()},
          {"run", run},
          {"arbitration", or_null(c.arbitration)},
          {"lines", lines}};
}

// Returns sentences about an export of ncu. The sentences say which numbers the export lacks, which numbers
// are not compared, and which numbers differ.
std::string notes_about(const Counted& c, const NcuExport& found) {
  std::string out;
  if (!found.has_metrics)
    out += tr("The export has no counts of the whole run: write these counts with ncu --csv --page raw.\n");
  if (!found.has_code)
    out +=
        tr("The export has no counts of single lines: write these counts with ncu --csv --page source "
           "--print-source cuda,sass.\n");
  else if (!found.has_lines)
    out +=
        tr("The export has no lines of the kernel's text, so only the sums are compared. To export the "
           "lines, give ncu the option --print-source cuda,sass.\n");
  if (found.has_code)
    out +=
        tr("ncu also counts requests to shared memory in which no lane is active, so the numbers of requests "
           "are not compared.\n");
  const auto has = [&](Agreement agreement) {
    const auto is_it = [&](const auto& x) { return x.agreement == agreement; };
    return std::ranges::any_of(c.run, is_it) || std::ranges::any_of(c.lines, is_it);
  };
  if (has(Agreement::varies))
    out += tr(
        "\"varies\": these numbers differ from run to run; `upsweep counters --help` explains the reason.\n");
  if (has(Agreement::different)) out += tr("\"different\": Upsweep knows no reason for these differences.\n");
  return out;
}

}  // namespace

void CountersCommand::run_import() const {
  if (only_run)
    throw RequestError(
        tr("--import reads an export of ncu, and does not run a kernel: leave --only-run out."));
  const NcuExport found = read_ncu_pages(import);
  Trace trace;
  if (const auto file = options.recording()) {
    trace = open_recording(*file);
  } else {
    const RunRequest run = understand(options);
    trace = open_machine(run.machine)->record(run.settings, run.inputs(), run.recording);
  }
  if (trace.stopped) throw WorkError(stop_message(trace.stopped));
  const Algorithm* known = find_algorithm(trace.settings.algorithm);
  if (!known)
    throw RequestError(
        tr("This version does not know the algorithm of the recording: choose another recording."));
  Counted c = beside_export(*known, trace, found);
  c.device = found.capability.empty() ? "ncu" : tr("ncu, compute capability {}", found.capability);
  print(json ? text_of(json_of(c, trace)) : text(c) + "\n" + notes_about(c, found));
  if (differences(c) > 0) throw WorkError(tr("The counts of the export differ from the predicted counts."));
}

void CountersCommand::add_to(ArgumentParser& parser) {
  options.add_to(parser);
  parser.add_flag("--json", json);
  parser.add_flag("--only-run", only_run);
  parser.add_option("--import", import);
}

void CountersCommand::run() const {
  if (!import.empty()) return run_import();
  if (options.recording())
    throw RequestError(
        tr("A recording cannot run again: give an algorithm. `upsweep trace` prints the counts of a "
           "recording."));
  const RunRequest run = understand(options);
  if (is_unsafe(algorithm(run.settings.algorithm), run.settings) || run.settings.without_barrier != 0)
    throw RequestError(tr("A broken kernel behaves differently in each run: its counts mean nothing."));
  if (only_run) {
    if (json || run.machine != MachineChoice::gpu)
      throw RequestError(
          tr("--only-run runs the kernel on the GPU for a profiler, and prints nothing: give --machine gpu, "
             "and leave --json out."));
    Gpu().run_all(run.settings, run.inputs());
    return;
  }
  Trace trace;
  const Counted c = count(run, trace);
  print(json ? text_of(json_of(c, trace)) : text(c));
  if (differences(c) > 0) throw WorkError(tr("The hardware's counts differ from the predicted counts."));
}

}  // namespace upsweep
