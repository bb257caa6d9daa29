#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <map>

#include "app/commands.hpp"
#include "app/output.hpp"
#include "app/progress.hpp"
#include "app/table.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/language.hpp"
#include "measure/excess.hpp"
#include "measure/measure.hpp"
#include "timing/shipped.hpp"
#include "words/in_words.hpp"
#include "words/names.hpp"
#include "words/quantities.hpp"

namespace upsweep {
namespace {

constexpr int usual_least = 1 << 10, usual_most = 1 << 30;
constexpr double usual_seconds = 0.1, least_seconds = 0.001, most_seconds = 60;
// The largest allowed value of --longest-run, in seconds. The limit is low, because gpu_bench.cpp waits 20
// times the expected time, and 3 seconds more, before it treats a run as endless.
constexpr double most_longest_run = 2;
// The algorithms that are measured by default: one reduction and one scan.
constexpr const char* usual_algorithms[] = {"reduce_vectorized", "scan_lookback_vectorized"};

int typed_size(const std::string& option, const std::string& typed) {
  const auto n = element_count(typed);
  if (!n || *n < 1 || *n > INT32_MAX)
    throw RequestError(
        tr("{} takes a number of elements from 1 to 2^31 - 1, such as 1,000 or 2^20, not \"{}\".", option,
           typed));
  return static_cast<int>(*n);
}

std::vector<int> sizes(const BenchCommand& c) {
  const std::optional<std::string>& n = c.options.n;
  if (c.options.shape) {
    if (n || c.from || c.to)
      throw RequestError(tr("--shape sets the number of elements: leave --n, --from and --to out."));
    Settings shaped;
    read_shape(*c.options.shape, {}, shaped);
    return {shaped.n};
  }
  if (n) {
    if (c.from || c.to)
      throw RequestError(
          tr("--n sets one size, but --from and --to set several sizes: leave out --n, or leave out --from "
             "and --to."));
    return {typed_size("--n", *n)};
  }
  const int least = c.from ? typed_size("--from", *c.from) : usual_least;
  const int most = c.to ? typed_size("--to", *c.to) : std::max(least, usual_most);
  const std::vector<int> all = powers_of_two(least, most);
  if (all.empty())
    throw RequestError(
        tr("There is no power of two between --from {} and --to {}.", grouped(least), grouped(most)));
  return all;
}

double seconds(const char* option, const std::optional<std::string>& typed, double usual, double most) {
  if (!typed) return usual;
  char* end = nullptr;
  const double x = std::strtod(typed->c_str(), &end);
  if (typed->empty() || *end != '\0' || !(x >= least_seconds && x <= most))
    throw RequestError(tr("{} takes a number from {} to {}, not \"{}\".", option, least_seconds,
                          grouped(std::llround(most)), *typed));
  return x;
}

// Returns all given settings except n, which sizes() reads.
Fixed fixed_but_n(RunOptions options, const Algorithm& a) {
  options.n.reset();
  return fixed(options, a);
}

// Returns an algorithm with the given settings. n is the smallest size of the sweep, because larger sizes may
// be too large for the algorithm.
Candidate candidate(const RunOptions& options, const Algorithm& a, int least) {
  const Fixed given = fixed_but_n(options, a);
  Candidate c;
  Settings& s = c.settings;
  s.algorithm = a.name;
  s.n = least;
  if (options.shape && !a.extents.empty()) read_shape(*options.shape, {}, s);
  fit_kind(a, s);
  s.type = given.type.value_or(s.type);
  if (given.op == Operator::own)
    throw RequestError(tr("bench measures only built-in operators, not {}: give {}.", given.expression,
                          fmt::join(operator_names, ", ")));
  s.op = given.op.value_or(s.op);
  for (const auto& [name, option] : given.choices) s.choose(name, option);
  s.block = given.block.value_or(std::clamp(smallest_block(a, s), 32, 1024));
  s.grid = given.grid.value_or(s.grid);
  machine_of(a, chosen_machine(options));
  c.block_given = given.block.has_value();
  c.grid_given = given.grid.has_value();
  validate(s);
  return c;
}

// Adds the variants that differ from `first` in exactly one choice. Adds only options that `bench --all`
// measures (see Option::timed). Choices that the user has given are not varied.
void add_variants(const Candidate& first, const Algorithm& a, const RunOptions& given, SweepRequest& r) {
  const auto add = [&](auto change) {
    Candidate c = first;
    change(c.settings);
    try {
      validate(c.settings);
      r.kernels.push_back(std::move(c));
    } catch (const RequestError&) {}  // this variant is impossible with these settings
  };
  const Fixed fixed_ones = fixed_but_n(given, a);
  for (const Choice& c : a.choices) {
    if (fixed_ones.choices.contains(c.name)) continue;
    for (std::size_t i = 1; i < c.options.size(); ++i)
      if (c.options[i].timed) add([&](Settings& s) { s.choose(c.name, c.options[i].name); });
  }
}

// With --all, adds every correct kernel and its variants. Without --all, adds the usual kernels. Leaves out
// kernels that do not accept the given settings. Throws RequestError if no kernel accepts these settings.
void add_unnamed(const BenchCommand& c, SweepRequest& r) {
  std::string reason;
  for (const Algorithm& a : algorithms()) {
    const bool usual = std::find(std::begin(usual_algorithms), std::end(usual_algorithms), a.name) !=
                       std::end(usual_algorithms);
    if (c.all ? a.is_broken() : !usual) continue;
    try {
      r.kernels.push_back(candidate(c.options, a, r.sizes.front()));
      if (c.all) add_variants(Candidate(r.kernels.back()), a, c.options, r);
    } catch (const RequestError& e) { reason = in_words(e); }
  }
  if (r.kernels.empty())
    throw RequestError(tr("No algorithm can run with these settings. The error of the last algorithm: ") +
                       reason);
}

SweepRequest request(const BenchCommand& c) {
  if (c.all && !c.algorithms.empty())
    throw RequestError(tr("--all includes all algorithms: leave out --algorithm or --all."));
  if (c.cold && c.warm)
    throw RequestError(tr("--cold and --warm exclude each other: give only one of these options."));
  if (c.options.seed) throw RequestError(tr("These times do not depend on the data: leave --seed out."));
  SweepRequest r;
  r.sizes = sizes(c);
  r.seconds = seconds("--seconds", c.seconds, usual_seconds, most_seconds);
  r.longest_run = seconds("--longest-run", c.longest_run, r.longest_run, most_longest_run);
  r.caches = {c.warm ? Cache::warm : Cache::cold};
  r.peers_alone = c.all;
  for (const std::string& name : c.algorithms) {
    const Algorithm& a = chosen_rung(c.options, name);
    if (a.is_broken()) throw RequestError(tr("{} is broken on purpose: its time means nothing.", name));
    r.kernels.push_back(candidate(c.options, a, r.sizes.front()));
  }
  if (c.algorithms.empty()) add_unnamed(c, r);
  switch (chosen_machine(c.options)) {
    case MachineChoice::emulated:
      throw RequestError(tr(
          "The emulator's times are not the times of a GPU: leave --machine out, or give --timings FILE."));
    case MachineChoice::gpu:
      if (const Message why = why_no_gpu()) throw RequestError(why);
      break;
    case MachineChoice::automatic:
    case MachineChoice::opengl: break;
  }
  return r;
}

std::string microseconds(double seconds) {
  const double us = 1e6 * seconds;
  return fmt::format("{:.{}f}", us, us < 10 ? 2 : us < 1000 ? 1 : 0);
}

std::string n_text(const Settings& s) {
  const int n = s.n;
  if (s.columns > 0) return fmt::format("{} x {}", grouped(s.columns), grouped(n / s.columns));
  const int power = std::ilogb(n);
  return power >= 10 && n == 1 << power ? fmt::format("2^{}", power) : grouped(n);
}

std::string heading(const Timings& t) {
  std::string text = t.device.empty() ? "" : tr("{}, driver {}\n", t.device, t.driver);
  text += tr("CPU: {}\n", t.processor);
  text += tr("{}{}, Upsweep {}\n", t.recorded.empty() ? "" : tr("Recorded in ") + t.recorded + ": ", t.date,
             t.program);
  if (t.launch_overhead.count > 0)
    text += tr("Launch overhead: {} us, from the launch of an empty kernel to its end ({} launches)\n",
               microseconds(t.launch_overhead.median), t.launch_overhead.count);
  return text;
}

std::string rows(const Timings& all) {
  Table table("RLLLRRRRRRR");
  table.row(
      {"", "", "", "", tr("median"), tr("quartiles"), "", "", tr("of the"), tr("G elements"), tr("excess")});
  table.row({"n", "", tr("variant"), tr("cache"), tr("us"), tr("us"), tr("runs"), "GB/s", tr("copy"),
             tr("per s"), tr("wavefronts")});
  for (const Timing& t : all.rows) {
    if (!was_measured(t)) continue;
    const double share = share_of_ceiling(all, t);
    table.row({n_text(t.settings), t.name, t.variant, t.cache == Cache::cold ? tr("cold") : tr("warm"),
               microseconds(t.seconds.median),
               fmt::format("{} - {}", microseconds(t.seconds.lower_quartile),
                           microseconds(t.seconds.upper_quartile)),
               fmt::to_string(t.seconds.count),
               t.bytes > 0 ? fmt::format("{:.4g}", 1e-9 * t.bytes_per_second()) : "",
               share < 0 ? "" : fmt::format("{:.1f} %", 100 * share),
               fmt::format("{:.3g}", 1e-9 * t.elements_per_second()),
               t.excess_wavefronts < 0 ? "" : grouped(std::llround(t.excess_wavefronts))});
  }
  return table.text();
}

// Lists everything that was not measured, and why. Rows with the same reason share a line.
std::string missing(const Timings& all) {
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
  for (const Timing& t : all.rows) {
    if (!t.missing) continue;
    const std::string why = in_words(t.missing);
    const std::string who = fmt::format("{}{}{}", t.name, t.variant.empty() ? "" : " ", t.variant);
    auto found = std::find_if(reasons.begin(), reasons.end(), [&](const auto& r) { return r.first == why; });
    if (found == reasons.end()) found = reasons.insert(reasons.end(), {why, {}});
    if (std::find(found->second.begin(), found->second.end(), who) == found->second.end())
      found->second.push_back(who);
  }
  std::string text;
  for (const auto& [reason, who] : reasons)
    text += tr("\nNot measured: {}.\n  {}\n", fmt::join(who, ", "), reason);
  return text;
}

}  // namespace

void BenchCommand::add_to(ArgumentParser& parser) {
  parser.add_option("--algorithm", algorithms);
  parser.add_flag("--all", all);
  options.add_settings_to(parser);
  parser.add_option("--shape", options.shape);
  parser.add_option("--from", from);
  parser.add_option("--to", to);
  parser.add_flag("--cold", cold);
  parser.add_flag("--warm", warm);
  parser.add_option("--seconds", seconds);
  parser.add_option("--longest-run", longest_run);
  parser.add_option("--timings", timings);
  parser.add_flag("--json", json);
  parser.add_option("-o,--output", output);
}

void BenchCommand::run() const {
  if (output) expect_writable(*output);
  Timings result;
  bool interrupted = false;
  if (timings) {
    const bool any = all || !algorithms.empty() || options.n || options.shape || from || to || cold || warm ||
                     seconds || longest_run || options.type || options.op || options.block || options.grid ||
                     options.identity || options.layout || options.load_pattern || options.predicate ||
                     options.capacity || !options.variants.empty() || options.inclusive ||
                     options.exclusive || options.machine || options.seed;
    if (any)
      throw RequestError(
          tr("--timings {} names an earlier measurement: leave out --timings, or leave out the options for a "
             "new measurement.",
             *timings));
    result = open_timings(*timings);
    predict_excess(result);
  } else {
    const SweepRequest r = request(*this);
    StopOnInterruption stop;
    ProgressLine line;
    result = measure(
        r,
        [&](const SweepProgress& p) {
          if (p.what) line.show(tr("{} of {} rows: {}", p.done, p.all, in_words(p.what)));
        },
        stop.token());
    interrupted = stop.token().stop_requested();
  }
  if (output) write_file(*output, to_json(result, in_words));
  print(json ? to_json(result, in_words)
             : fmt::format("{}\n{}{}", heading(result), rows(result), missing(result)));
  if (interrupted) throw WorkError(tr("Interrupted: some rows were not measured."));
}

}  // namespace upsweep
