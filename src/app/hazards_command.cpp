#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/hazards.hpp"
#include "analysis/memory.hpp"
#include "app/commands.hpp"
#include "app/json.hpp"
#include "app/output.hpp"
#include "app/table.hpp"
#include "base/error.hpp"
#include "base/language.hpp"
#include "catalogue/data.hpp"
#include "study/wrong_result.hpp"
#include "words/hazard_words.hpp"
#include "words/in_words.hpp"
#include "words/names.hpp"
#include "words/wrong_result_words.hpp"

namespace upsweep {
namespace {

struct Answer {
  std::uint64_t schedule = 0;  // the seed of the emulator's schedule; on a GPU, the number of the run
  bool ended = true;
  std::size_t wrong = 0;  // the number of wrong elements
};

struct Answers {
  std::vector<Answer> runs;
  std::size_t elements = 0;  // the number of elements in the output of one run
  std::size_t wrong() const {
    return static_cast<std::size_t>(
        std::count_if(runs.begin(), runs.end(), [](const Answer& a) { return !a.ended || a.wrong > 0; }));
  }
  std::size_t stopped() const {
    return static_cast<std::size_t>(
        std::count_if(runs.begin(), runs.end(), [](const Answer& a) { return !a.ended; }));
  }
  // Returns the run with the most wrong elements, or the first of several such runs. Returns null if no
  // completed run has a wrong element.
  const Answer* worst() const {
    const auto most = std::max_element(runs.begin(), runs.end(),
                                       [](const Answer& a, const Answer& b) { return a.wrong < b.wrong; });
    return most == runs.end() || most->wrong == 0 ? nullptr : &*most;
  }
};

struct Report {
  Trace trace;  // the trace of the first run
  Hazards hazards;
  Answers answers;  // the results of the additional runs (--schedules)
  // Says where the first run's output is wrong. Empty if the output is correct or the run was stopped.
  Message mistake;
  std::optional<WrongResult> wrong;

  void note(const Message& mistake_of_run, std::optional<WrongResult> wrong_of_run) {
    mistake = mistake_of_run;
    wrong = std::move(wrong_of_run);
    if (wrong) mistake = mistake_of(*wrong, trace.settings);
  }
};

constexpr int most_blocks_in_full_n = 65536;
// The default n for algorithms that may have many blocks. This n is large enough for several blocks, so that
// hazards between blocks can occur.
constexpr const char* shared_n = "1000";

// Returns a line for each launch in which the analysis examined only some of the blocks.
std::string looked_at(const Trace& trace) {
  std::string text;
  for (int grid = 0; grid < static_cast<int>(trace.grids.size()); ++grid) {
    const Grid& g = trace.grids[static_cast<std::size_t>(grid)];
    const auto seen = static_cast<std::int64_t>(focus_of(trace, grid).size());
    if (seen < g.blocks)
      text += tr("{}: only {} of {} checked; --focus chooses other blocks.\n", g.kernel, grouped(seen),
                 counted(g.blocks, "block"));
  }
  return text;
}

Report look_into(const RunOptions& options, int schedules) {
  Report report;
  if (options.recording()) {
    if (schedules > 0)
      throw RequestError(tr("A recording cannot run again: --schedules needs an algorithm."));
    Recording recording = recording_of(options);
    report.trace = std::move(recording.trace);
    report.hazards = hazards(report.trace);
    if (report.trace.stopped) report.wrong = std::move(recording.wrong);
    else report.note(recording.mistake, std::move(recording.wrong));
    return report;
  }
  RunOptions wanted = options;
  const bool has_size =
      wanted.n || wanted.input || wanted.shape || wanted.image || (wanted.data && preset(*wanted.data).n > 0);
  if (!has_size && chosen_rung(wanted, wanted.algorithm).many_blocks) wanted.n = shared_n;
  RunRequest run = understand(wanted);
  // Records every block in full if n is small enough. Otherwise, most accesses of some blocks are not
  // recorded, so the analysis cannot find hazards of these accesses.
  if (!options.focus && run.settings.n <= most_blocks_in_full_n) run.recording.blocks = UINT32_MAX;
  const auto machine = open_machine(run.machine);
  const Settings& s = run.settings;
  report.trace = machine->record(s, run.inputs(), run.recording);
  expect_focus(report.trace, run.recording);
  report.hazards = hazards(report.trace);
  if (const Message mistake =
          check(s, run.inputs(), Outputs(report.trace.output, report.trace.more_outputs))) {
    if (report.trace.stopped) report.wrong = wrong_result(report.trace);
    else report.note(mistake, wrong_result(report.trace));
  }

  report.answers.elements = report.trace.output.size();
  const bool emulated = machine->kind() == MachineKind::emulated;
  for (int i = 1; i <= schedules; ++i) {
    Answer answer{.schedule = static_cast<std::uint64_t>(i)};
    const auto judge = [&](const std::vector<Value>& output) {
      answer.wrong = wrong_elements(s, run.inputs(), output).size();
    };
    if (emulated) {
      RecordOptions how = run.recording;
      how.schedule = answer.schedule;
      const Trace trace = machine->record(s, run.inputs(), how);
      answer.ended = !trace.stopped;
      if (answer.ended) judge(trace.output);
      add(report.hazards, hazards(trace));
    } else {
      try {
        judge(machine->run(s, run.inputs()));
      } catch (const WorkError&) { answer.ended = false; }
    }
    report.answers.runs.push_back(answer);
  }
  return report;
}

std::string place(const Trace& trace, const HazardFinding& f) {
  std::string text =
      f.other.line != 0 && f.other.line != f.party.line
          ? tr("lines {} and {}", std::min(f.party.line, f.other.line), std::max(f.party.line, f.other.line))
          : tr("line {}", f.party.line);
  if (f.party.event == HazardParty::none) return text;
  return text + tr(", step {} ({})", grouped(f.party.step + 1), step_text(trace, trace.steps[f.party.step]));
}

std::string findings_text(const Report& r) {
  std::string text;
  for (const HazardFinding& f : r.hazards.findings)
    text += fmt::format("{}{}{}{}{}{}{}\n  {}\n  {}\n\n", capitalised(std::string(tr(name(f.kind)))),
                        tr(": "), place(r.trace, f), tr("; "), models_text(f), tr("; "),
                        f.count == 1 ? tr("once") : counted(static_cast<std::int64_t>(f.count), "time"),
                        what_happens(r.trace, f), advice_text(r.trace, f));
  return text;
}

// Returns a histogram that says how many runs have 0, 1, 2 to 3, 4 to 7, ... wrong elements. Runs that were
// stopped are left out.
std::string histogram(const Answers& a) {
  std::map<std::size_t, std::size_t> runs;  // the number of runs, by the start of the range
  for (const Answer& x : a.runs)
    if (x.ended) ++runs[x.wrong == 0 ? 0 : std::bit_floor(x.wrong)];
  Table table("RRL");
  table.row({tr("wrong elements"), tr("runs"), ""});
  for (const auto& [from, count] : runs) {
    const std::size_t to = std::min(a.elements, from == 0 ? 0 : 2 * from - 1);
    table.row({from == to ? grouped(static_cast<std::int64_t>(from))
                          : tr("{} to {}", grouped(static_cast<std::int64_t>(from)),
                               grouped(static_cast<std::int64_t>(to))),
               grouped(static_cast<std::int64_t>(count)),
               std::string(std::max<std::size_t>(1, count * 40 / a.runs.size()), '#')});
  }
  return table.text();
}

std::string answers_text(const Report& r) {
  const Answers& a = r.answers;
  if (a.runs.empty()) return {};
  const bool emulated = r.trace.machine != MachineKind::gpu;
  const auto runs = counted(static_cast<std::int64_t>(a.runs.size()),
                            emulated ? noun_noop("random schedule") : noun_noop("real run"));
  std::string text = fmt::format("{}: ", capitalised(runs));
  if (a.wrong() == 0) return text + tr("the result was right every time.\n\n");
  text += tr("{} had a wrong result", counted(static_cast<std::int64_t>(a.wrong()), "run"));
  if (a.stopped() == a.runs.size()) return text + tr(", because every run had to be stopped.\n\n");
  if (a.stopped() > 0)
    text += tr(", and {} of these runs had to be stopped", grouped(static_cast<std::int64_t>(a.stopped())));
  if (const Answer* worst = a.worst())
    text +=
        tr("; in the worst run, {} of {} are wrong ({})", grouped(static_cast<std::int64_t>(worst->wrong)),
           counted(static_cast<std::int64_t>(a.elements), "element"),
           emulated ? fmt::format("--schedule {}", worst->schedule) : tr("run {}", worst->schedule));
  return text + ".\n" + histogram(a) + "\n";
}

Json json_of(const HazardParty& p) {
  if (p.thread < 0) return nullptr;
  return {{"line", p.line > 0 ? Json(p.line) : Json()},
          {"step", p.step},
          {"grid", p.grid},
          {"block", p.block},
          {"thread", p.thread}};
}

// Returns the place at which an additional barrier would remove the hazard, or null if there is no such
// place.
Json fix_of(const HazardFinding& f, const LineInterval& place) {
  if (place.from == 0) return nullptr;
  return {{"barrier", f.warp_barrier ? "warp" : "block"},
          {"after_line", place.from},
          {"before_line", place.to},
          {"next_round", place.next_round},
          {"branch", f.branch > 0 ? Json(f.branch) : Json()}};
}

Json json_of(const Report& r) {
  const Settings& s = r.trace.settings;
  Json findings = Json::array(), models, wrong = Json::array();
  for (const HazardFinding& f : r.hazards.findings) {
    models = Json::array();
    if (f.lockstep) models.push_back("lockstep");
    if (f.independent) models.push_back("independent");
    findings.push_back({{"kind", name(f.kind)},
                        {"line", f.party.line},
                        {"other_line", f.other.line > 0 ? Json(f.other.line) : Json()},
                        {"thread", json_of(f.party)},
                        {"other_thread", json_of(f.other)},
                        {"address", f.has_cell ? Json(cell_text(r.trace, f)) : Json()},
                        {"models", models},
                        {"count", f.count},
                        {"what", what_happens(r.trace, f)},
                        {"advice", advice_text(r.trace, f)},
                        {"fix", fix_of(f, f.interval)},
                        {"second_fix", fix_of(f, f.second)}});
  }
  for (const Answer& a : r.answers.runs) wrong.push_back(a.ended ? Json(a.wrong) : Json());
  return {{"algorithm", s.algorithm},
          {"n", s.n},
          {"block", s.block},
          {"machine", name(r.trace.machine)},
          {"device", r.trace.device},
          {"dropped", r.trace.dropped},
          {"stopped", r.trace.stopped ? Json(in_words(r.trace.stopped)) : Json()},
          {"findings", findings},
          {"mistake", r.mistake ? Json(in_words(r.mistake)) : Json()},
          {"wrong", json_of(r.wrong, r.trace)},
          {"wrong_elements", wrong}};
}

}  // namespace

void HazardsCommand::add_to(ArgumentParser& parser) {
  options.add_to(parser);
  parser.add_option("--schedules", schedules);
  parser.add_flag("--json", json);
}

void HazardsCommand::run() const {
  constexpr long long most_schedules = 100000;
  const long long count = schedules ? whole_number("--schedules", *schedules) : 0;
  if (count < 0 || count > most_schedules)
    throw RequestError(
        tr("--schedules takes a number from 0 to {}, not {}.", grouped(most_schedules), grouped(count)));
  const Report r = look_into(options, static_cast<int>(count));
  const std::size_t found = r.hazards.findings.size();
  std::string verdict;
  if (found > 0)
    verdict = tr("{} found in {}.", counted(static_cast<std::int64_t>(found), "hazard"),
                 r.trace.settings.algorithm);
  else if (r.mistake) verdict = tr("No hazards found, but the result is wrong.");
  else if (r.answers.wrong() > 0) verdict = tr("No hazards found, but some results are wrong.");
  if (json) {
    print(text_of(json_of(r)));
  } else {
    std::string text = findings_text(r);
    if (r.mistake) text += wrong_text(r.trace, r.mistake, r.wrong) + "\n\n";
    text += answers_text(r);
    if (!r.hazards.complete)
      text += counted(static_cast<std::int64_t>(r.trace.dropped), "record") +
              tr(" did not fit into the recording, so later events were not checked.\n");
    if (verdict.empty()) text += tr("No hazards found.\n");
    text += looked_at(r.trace);
    print(text);
  }
  if (!verdict.empty()) throw WorkError(verdict);
}

}  // namespace upsweep
