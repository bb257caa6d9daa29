#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "app/commands.hpp"
#include "app/json.hpp"
#include "app/output.hpp"
#include "app/table.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/language.hpp"
#include "catalogue/ladder.hpp"
#include "study/output_csv.hpp"
#include "study/recording.hpp"
#include "trace/file.hpp"
#include "trace/provenance.hpp"
#include "words/in_words.hpp"
#include "words/names.hpp"
#include "words/quantities.hpp"
#include "words/result_words.hpp"
#include "words/wrong_result_words.hpp"

namespace upsweep {
namespace {

// Returns the heading: the algorithm, its settings and the machine. Leaves out choices that the algorithm
// does not have, and the operator if the algorithm does not apply an operator.
std::string heading(const Recording& r) {
  const Trace& t = r.trace;
  const Settings s = as_shown(t.settings);
  const auto a = algorithm_of(t);
  const bool applies = a->results.empty() || result_of(*a, t.settings).loop != nullptr;
  std::string choices;
  for (const ChoiceWithField& c : choices_with_field)
    if (a->choice(c.name) != nullptr || s.choice(std::string(c.name)) != c.usual)
      choices += fmt::format(", {} {}", spaced(std::string(c.name)), s.choice(std::string(c.name)));
  for (const auto& [variant, choice] : s.variants()) choices += fmt::format(", {} {}", variant, choice);
  if (s.without_barrier > 0) choices += tr(", without the barrier of line {}", s.without_barrier);
  return tr("{} ({}): {}, {} in blocks of {}{}\nRecorded on {}{}; {}.\n", tr(r.title), s.algorithm,
            applies ? tr("{0} of {1}", operator_text(s), name(s.type)) : std::string(name(s.type)),
            counted(s.n, "element"), counted(s.block, "thread"), choices, machine_text(t),
            t.date.empty() ? "" : tr(", ") + day_of(t.date),
            t.dropped == 0
                ? tr("no records were dropped")
                : counted(static_cast<std::int64_t>(t.dropped), "record") +
                      tr(" did not fit into the recorder's buffer") +
                      (t.machine == MachineKind::emulated ? tr(", but the totals include these records")
                                                          : tr(": the counts are too low")));
}

std::vector<std::string> cells(const std::string& what, const SharedTotals& t) {
  return {what, grouped(t.requests), grouped(t.wavefronts), grouped(t.excess)};
}
std::vector<std::string> cells(const std::string& what, const GlobalTotals& t) {
  return {what, grouped(t.requests), grouped(t.sectors), grouped(t.ideal_sectors)};
}

// Returns " (formula: 2,046)", or an empty text if the formula has no result for this n.
std::string promised(double expected) {
  return expected < 0 ? "" : tr(" (formula: {})", grouped(static_cast<std::int64_t>(expected)));
}

// Returns a line that counts shuffles, votes, atomics, barriers, fences and child launches. Returns an empty
// text if the run has none of these operations.
std::string others(const Totals& t) {
  std::vector<std::string> parts;
  const auto lanes = [&](const char* one, const char* many, const LaneTotals& l) {
    if (l.requests > 0)
      parts.push_back(tr("{} by {}", counted(l.requests, one, many), counted(l.lanes, "lane")));
  };
  const auto warps = [&](const char* one, std::int64_t count) {
    if (count > 0) parts.push_back(counted(count, one));
  };
  lanes(noun_noop("shuffle"), "shuffles", t.shuffle);
  lanes(noun_noop("vote"), "votes", t.vote);
  lanes(noun_noop("atomic request to shared memory"), tr("atomic requests to shared memory"),
        t.shared_atomic);
  lanes(noun_noop("atomic request to global memory"), tr("atomic requests to global memory"),
        t.global_atomic);
  if (t.barriers > 0)
    parts.push_back(
        counted(t.barriers, "arrival of a warp at a block barrier", "arrivals of warps at block barriers"));
  warps(noun_noop("warp barrier"), t.warp_barriers);
  warps(noun_noop("fence"), t.fences);
  if (t.launch.lanes > 0) parts.push_back(counted(t.launch.lanes, "child launch", "child launches"));
  return parts.empty() ? "" : fmt::format("{}{}\n", fmt::join(parts, tr(", ")), tr("."));
}

// Returns a table of the first 40 launches, or an empty text if there is only one launch.
std::string launches(const Trace& trace) {
  if (trace.grids.size() < 2) return {};
  constexpr std::size_t most = 40;
  Table table("RLRRRR");
  table.row({tr("launch"), tr("kernel"), tr("blocks"), tr("threads"), tr("first step"), tr("started by")});
  for (std::size_t g = 0; g < std::min(most, trace.grids.size()); ++g) {
    const Grid& grid = trace.grids[g];
    table.row({grouped(static_cast<std::int64_t>(g) + 1), grid.kernel, grouped(grid.blocks),
               grouped(grid.threads), grouped(std::int64_t{grid.first_step} + 1),
               grid.parent < 0 ? tr("the host") : tr("launch {}", grouped(grid.parent + 1))});
  }
  const std::size_t more = trace.grids.size() - std::min(most, trace.grids.size());
  return table.text() + (more > 0 ? tr("and {} more\n", grouped(static_cast<std::int64_t>(more))) : "") +
         "\n";
}

// Returns the sentence about the span and the parallelism.
std::string chains(const Recording& r) {
  const Work& w = r.work;
  if (!w.span) return tr("Span: not known, because some blocks were not recorded in full.");
  return tr("Span: {span} one after another{formula}. Parallelism: {average} on average (work / span){peak}.",
            fmt::arg("span", counted(*w.span, "application", "applications")),
            fmt::arg("formula", promised(r.expected_span)),
            fmt::arg("average", decimal_text(w.average().value_or(0), 1)),
            fmt::arg("peak", w.peak ? tr(", at most {} at the same time",
                                         counted(*w.peak, "application", "applications"))
                                    : ""));
}

std::string totals(const Recording& r) {
  const Totals& t = r.facts.totals;
  Table shared("LRRR");
  shared.row({tr("Shared memory"), tr("warp requests"), tr("wavefronts"), tr("excess (bank conflicts)")});
  shared.row(cells(tr("  loads"), t.shared_load));
  shared.row(cells(tr("  stores"), t.shared_store));
  Table global("LRRR");
  global.row({tr("Global memory"), tr("warp requests"), tr("32-byte sectors"), tr("ideal sectors")});
  global.row(cells(tr("  loads"), t.global_load));
  global.row(cells(tr("  stores"), t.global_store));
  return tr(
      "{}{}\n{}\n{}Work: {}{} in {}{}.\n{}\n", launches(r.trace), shared.text(), global.text(), others(t),
      counted(r.work.operations, "application of the operator", "applications of the operator"),
      promised(r.expected_operations), counted(r.work.steps, "step"), promised(r.expected_steps), chains(r));
}

std::string steps(const Recording& r) {
  Table table("RLRRRRRRRRRRR");
  table.row({"", "", tr("stride"), tr("active"), tr("diverged"), "", tr("conflict"), tr("shared"), "", "",
             tr("shared"), "", ""});
  table.row({tr("step"), tr("phase"), tr("(elements)"), tr("lanes"), tr("warps"), tr("operations"),
             tr("n-way"), tr("loads"), tr("wavefronts"), tr("excess"), tr("stores"), tr("wavefronts"),
             tr("excess")});
  for (std::size_t i = 0; i < r.trace.steps.size(); ++i) {
    const Step& step = r.trace.steps[i];
    const StepFacts& f = r.facts.steps[i];
    const SharedTotals &load = f.totals.shared_load, &store = f.totals.shared_store;
    table.row({grouped(static_cast<std::int64_t>(i) + 1), phase_text(step.phase),
               number_name(r.trace.text, step.phase).empty() ? step.stride > 0 ? grouped(step.stride) : ""
                                                             : number_text(r.trace, step),
               grouped(f.active_lanes), grouped(f.diverged_warps), grouped(f.totals.operations),
               f.max_degree > 0 ? grouped(f.max_degree) : "", grouped(load.requests),
               grouped(load.wavefronts), grouped(load.excess), grouped(store.requests),
               grouped(store.wavefronts), grouped(store.excess)});
  }
  return table.text();
}

std::string lines(const Recording& r) {
  Table table("RRRRRRRRL");
  table.row({"", tr("shared"), "", "", tr("active"), tr("conflict"), tr("global"), "", ""});
  table.row({tr("line"), tr("requests"), tr("wavefronts"), tr("excess"), tr("lanes"), tr("n-way"),
             tr("requests"), tr("operations"), r.trace.file});
  for (const LineFacts& line : r.facts.lines) {
    const Totals& t = line.totals;
    table.row({fmt::to_string(line.line), grouped(t.shared_load.requests + t.shared_store.requests),
               grouped(t.shared_load.wavefronts + t.shared_store.wavefronts),
               grouped(t.shared_load.excess + t.shared_store.excess), grouped(line.active_lanes),
               line.max_degree > 0 ? grouped(line.max_degree) : "",
               grouped(t.global_load.requests + t.global_store.requests), grouped(t.operations),
               source_line(r.trace.text, line.line)});
  }
  return table.text();
}

// Throws RequestError if the path does not end in .upsweep and is neither a pipe nor a device.
void expect_name_of_recording(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) return;
  if (!path.ends_with(trace_extension))
    throw RequestError(
        tr("The recording {} cannot be written: its name must end in {}.", path, trace_extension));
}

}  // namespace

void TraceCommand::add_to(ArgumentParser& parser) {
  options.add_to(parser);
  parser.add_flag("--json", json);
  parser.add_option("-o,--output", output);
  parser.add_option("--csv", csv);
}

void TraceCommand::run() const {
  if (output) {
    expect_name_of_recording(*output);
    expect_writable(*output);
  }
  if (csv) expect_writable(*csv);
  const Recording r = recording_of(options);
  if (csv) write_file(*csv, output_csv(r.trace));
  if (output) write_trace(*output, r.trace);
  const std::optional<Message> mistake = verdict(r.trace);
  if (json) return print_json(r, r.mistake);
  const std::string mean = mean_text(r);
  print(fmt::format("{}\n{}\n{}\n{}\n{}{}\n", heading(r), totals(r), steps(r), lines(r),
                    mean.empty() ? mean : mean + "\n",
                    !mistake    ? tr("This version of Upsweep cannot check whether the output is correct.")
                    : !*mistake ? tr("The output equals the output of a sequential loop.")
                                : wrong_text(r)));
}

}  // namespace upsweep
