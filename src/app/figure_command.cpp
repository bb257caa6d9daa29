#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "analysis/facts.hpp"
#include "analysis/work.hpp"
#include "app/commands.hpp"
#include "app/output.hpp"
#include "app/picture_file.hpp"
#include "app/picture_options.hpp"
#include "app/progress.hpp"
#include "app/table.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/language.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/data.hpp"
#include "catalogue/plan.hpp"
#include "export/figure_csv.hpp"
#include "machine/machine.hpp"
#include "measure/measure.hpp"
#include "scene/charts/figure_charts.hpp"
#include "study/data_source.hpp"
#include "timing/shipped.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

constexpr std::string_view formats[] = {".svg", ".pdf", ".png", ".csv", ".json"};
constexpr std::string_view all_of_them = "all";

bool is_counted(const Figure& f) { return f.kind == Figure::Kind::operations; }

std::string list_of_figures() {
  Table table("LLL");
  table.row({tr("figure"), tr("shows"), tr("source")});
  for (const Figure& f : figures()) table.row({f.name, tr(f.title), f.source});
  return table.text();
}

// Returns a request that measures the figure's kernels. If the figure also shows libraries or the CPU, the
// request measures them, too.
SweepRequest request_of(const Figure& f) {
  SweepRequest r;
  r.longest_run = 0.5;  // in seconds; long enough for a figure's slowest kernel
  r.sizes = f.sizes;
  r.peers = false;
  for (const FigureEntry& e : f.entries) {
    if (!is_of_catalogue(e.contender)) {
      r.peers = true;
      continue;
    }
    Candidate c;
    c.settings = e.settings;
    c.settings.n = f.sizes.front();
    c.settings.type = f.type;
    c.part = e.part;
    r.kernels.push_back(c);
  }
  return r;
}

// Measures all these figures, one figure after the other, and returns the rows of all figures together.
Timings measured_for(const std::vector<const Figure*>& wanted) {
  Timings all;
  StopOnInterruption stop;
  ProgressLine line;
  for (const Figure* f : wanted) {
    Timings part = measure(
        request_of(*f),
        [&](const SweepProgress& p) {
          if (p.what) line.show(tr("{}: {} of {} rows: {}", f->name, p.done, p.all, in_words(p.what)));
        },
        stop.token());
    part.rows.insert(part.rows.begin(), all.rows.begin(), all.rows.end());
    all = std::move(part);
  }
  if (stop.token().stop_requested()) throw WorkError(tr("Interrupted: nothing was written."));
  return all;
}

// Returns the shipped times (the times that come with the program) that contain the most rows of the figure.
// Returns null if no shipped times contain a row of the figure.
const Timings* shipped_for(const Figure& f) {
  const Timings* best = nullptr;
  int most = 0;
  for (const Timings& t : shipped_timings())
    if (const int count = entries_measured(f, rows_of(f, t)); count > most) most = count, best = &t;
  return best;
}

std::string needs(const Figure& f) {
  std::vector<std::string> names;
  for (const FigureEntry& e : f.entries)
    names.push_back(e.variant.empty() ? e.name : fmt::format("{} ({})", e.name, e.variant));
  return fmt::format("{}", fmt::join(names, ", "));
}

// Returns the times in the named file. If no file is named, measures on this computer's GPU. If there is no
// GPU, takes times that come with the program.
Timings timings_for(const Figure& f, const std::optional<std::string>& named) {
  if (named) {
    Timings t = open_timings(*named);
    if (entries_measured(f, rows_of(f, t)) == 0)
      throw RequestError(
          tr("{} has no times for the figure {}. This figure needs the times of {} with the type {}.", *named,
             f.name, needs(f), name(f.type)));
    return t;
  }
  const Message no_gpu = why_no_gpu();
  if (!no_gpu) return measured_for({&f});
  if (const Timings* shipped = shipped_for(f)) return *shipped;
  throw RequestError(tr(
      "{} Give --timings FILE: a file that `upsweep figure {} -o FILE.json` wrote on a computer with a GPU.",
      in_words(no_gpu), f.name));
}

std::vector<WorkCount> counts_of(const Figure& f) {
  const auto machine = open_machine(MachineChoice::emulated);
  std::vector<WorkCount> counts;
  for (int e = 0; e < static_cast<int>(f.entries.size()); e++)
    for (const int n : f.sizes) {
      Settings s = f.entries[static_cast<std::size_t>(e)].settings;
      const Algorithm& a = algorithm(s.algorithm);
      s.n = n;
      s.type = f.type;
      s.block = std::clamp(smallest_block(a, s), 32, 1024);
      DataSource data;
      const Work counted = work(machine->record(s, load(data, s)));
      WorkCount c{e,
                  n,
                  static_cast<double>(counted.operations),
                  static_cast<double>(counted.steps),
                  static_cast<double>(counted.span.value_or(0)),
                  static_cast<double>(counted.busiest.value_or(0))};
      if (const auto formula = promise(a, s); formula && !formula->at_most) {
        c.formula_operations = static_cast<double>(formula->operations);
        c.formula_steps = static_cast<double>(formula->steps.value_or(0));
        c.formula_span = static_cast<double>(formula->span.value_or(0));
      }
      counts.push_back(c);
    }
  return counts;
}

// Finds all pairs of the figure's entries whose measured order differs from the published order. Records a
// run of each entry in these pairs, and returns the totals of the runs. The figure's notes use these totals
// to explain the difference.
std::vector<EntryCounts> counts_of(const Figure& f, const Timings& rows) {
  RecordOptions counts_alone;
  counts_alone.blocks = 0;
  std::vector<EntryCounts> all;
  std::set<std::pair<int, int>> done;
  for (const Unlike& u : unlike_the_source(f, rows))
    for (const int e : {u.faster, u.slower})
      if (done.emplace(e, u.n).second) {
        const Settings& s = row_at(rows, f.entries[static_cast<std::size_t>(e)], u.n)->settings;
        const auto machine = open_machine(machine_for(algorithm(s.algorithm), MachineChoice::emulated));
        all.push_back({e, u.n, static_cast<int>(plan(s).launches.size()),
                       facts(machine->record(s, seeded_data(s, 1), counts_alone)).totals});
      }
  return all;
}

// Measures one figure or all figures, and writes the times to a file from which another computer can draw the
// figures.
void keep_times(const FigureCommand& c) {
  if (c.timings)
    throw RequestError(
        tr("{} already contains measured times: leave --timings out to measure again.", *c.timings));
  std::vector<const Figure*> wanted;
  for (const Figure& f : figures())
    if (!is_counted(f) && (c.name == all_of_them || &f == &figure(c.name))) wanted.push_back(&f);
  if (wanted.empty())
    throw RequestError(
        tr("{} shows counts, not times: give -o with a name that ends in .svg, .pdf, .png or .csv.", c.name));
  if (const Message why = why_no_gpu()) throw RequestError(why);
  write_file(*c.output, to_json(measured_for(wanted), in_words));
}

// Writes a figure to a file, and prints the figure's notes. Some notes need counts, which `reasons` contains.
template <class Numbers, class... Reasons>
void write(const Figure& f, const PictureFile& file, const Numbers& numbers, const Reasons&... reasons) {
  if (file.format == ".csv") write_file(file.path, figure_csv(f, numbers, reasons...));
  else write_picture(draw_figure(f, numbers, frame_of(file), reasons...), file);
  std::string text;
  for (const std::string& note : figure_notes(f, numbers, reasons...)) text += note + "\n";
  print(text);
}

}  // namespace

void FigureCommand::add_to(ArgumentParser& parser) {
  parser.add_option("NAME", name);
  parser.add_flag("--list", list);
  parser.add_option("--timings", timings);
  parser.add_option("-o,--output", output);
  parser.add_option("--size", size);
  parser.add_option("--theme", theme);
}

void FigureCommand::run() const {
  if (list) {
    if (!name.empty() || timings || output || size || theme)
      throw RequestError(tr("--list lists the figures: leave all other arguments out."));
    return print(list_of_figures());
  }
  if (name.empty())
    throw RequestError(
        tr("The name of a figure is missing: give a name such as oneflow-ladder. `upsweep figure --list` "
           "lists all figures."));
  if (name != all_of_them) figure(name);
  if (!output) throw RequestError(tr("The output file is missing: give -o FILE, such as -o {}.svg.", name));
  PictureFile file;
  file.path = *output;
  file.format = format_of(tr("figure"), file.path, formats);
  if (size) file.size = chosen_size(*size);
  if (theme) file.theme = theme_chosen(*theme);
  if (file.format == ".json") return keep_times(*this);
  if (name == all_of_them)
    throw RequestError(
        tr("The name \"all\" means several figures: name one figure, or write all times with -o FILE.json."));
  const Figure& f = figure(name);
  if (!is_counted(f)) {
    const Timings rows = rows_of(f, timings_for(f, timings));
    return write(f, file, rows, counts_of(f, rows));
  }
  if (timings) throw RequestError(tr("{} shows counts, not times: leave --timings out.", f.name));
  write(f, file, counts_of(f));
}

}  // namespace upsweep
