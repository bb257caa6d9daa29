#include "app/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "catalogue/catalogue.hpp"
#include "ui/recording.hpp"

namespace upsweep {
namespace {

constexpr int largest_block = 1024;
constexpr int largest_side = 32768;  // pixels of a picture; the driver may allow less, and says so
constexpr float largest_scale = 16;

constexpr std::string_view machine_names[] = {"auto", "gpu", "emulated"};
constexpr std::string_view theme_names[] = {"light", "dark"};

// validate() judges the sizes themselves; here they only have to be numbers.
int size(const std::string& option, const std::string& typed) {
  const long long number = whole_number(option, typed);
  if (number != static_cast<int>(number))
    throw RequestError(fmt::format("{} {} is far beyond what a block of threads holds.", option, typed));
  return static_cast<int>(number);
}

DataSource data_source(const RunOptions& o) {
  if (o.seed && o.input)
    throw RequestError("--seed and --input both say where the data comes from: give one of them.");
  DataSource data;
  if (o.seed) data.seed = static_cast<std::uint64_t>(whole_number("--seed", *o.seed));
  if (o.input) {
    if (o.input->empty()) throw RequestError("--input takes the name of a file, and it is empty.");
    data.kind = DataSource::Kind::file;
    data.text = *o.input;
  }
  return data;
}

}  // namespace

void RunOptions::add_to(CLI::App& app) {
  app.add_option("ALGORITHM", algorithm);
  app.add_option("--n", n);
  app.add_option("--block", block);
  app.add_option("--type", type);
  app.add_option("--op", op);
  app.add_option("--layout", layout);
  app.add_option("--load-pattern", load_pattern);
  app.add_option("--machine", machine);
  app.add_option("--seed", seed);
  app.add_option("--input", input);
}

Run understand(const RunOptions& o) {
  if (o.algorithm.empty())
    throw RequestError("An algorithm is missing, such as scan_blelloch; `upsweep list` names them all.");
  const Algorithm& a = algorithm(o.algorithm);
  Run run;
  Settings& s = run.settings;
  s.algorithm = a.name;
  if (o.type) s.type = static_cast<Scalar>(one_of("--type", *o.type, scalar_names));
  if (o.op) s.op = static_cast<Operator>(one_of("--op", *o.op, operator_names));
  if (o.layout) s.layout = *o.layout;
  if (o.load_pattern)
    s.load_pattern = load_pattern_names[one_of("--load-pattern", *o.load_pattern, load_pattern_names)];
  if (o.machine) run.machine = static_cast<MachineChoice>(one_of("--machine", *o.machine, machine_names));
  if (o.n) s.n = size("--n", *o.n);

  run.data = data_source(o);
  if (o.input) {
    run.input = load(run.data, s);  // decides n
    if (o.n && size("--n", *o.n) != s.n)
      throw RequestError(
          fmt::format("{} holds {} elements, but --n asks for {}: leave --n out.", *o.input, s.n, *o.n));
  }
  s.block = o.block ? size("--block", *o.block) : std::clamp(smallest_block(a, s.n), 32, largest_block);
  validate(s);
  if (!o.input) run.input = load(run.data, s);
  return run;
}

Recording record(const Run& run) {
  return make_recording(open_machine(run.machine)->record(run.settings, run.input));
}

long long whole_number(const std::string& option, const std::string& typed) {
  long long number = 0;
  const auto [end, error] = std::from_chars(typed.data(), typed.data() + typed.size(), number);
  if (end != typed.data() + typed.size() || error == std::errc::invalid_argument)
    throw RequestError(fmt::format("{} takes a whole number, and \"{}\" is none.", option, typed));
  if (error != std::errc())
    throw RequestError(fmt::format("{} takes a number below 2^63, and {} is beyond that.", option, typed));
  return number;
}

std::size_t one_of(const std::string& option, const std::string& typed,
                   std::span<const std::string_view> names) {
  const auto found = std::find(names.begin(), names.end(), typed);
  if (found == names.end()) {
    const std::string_view meant = nearest(typed, names);
    throw RequestError(fmt::format("{} has no \"{}\"{}; it takes {}.", option, typed,
                                   meant.empty() ? "" : fmt::format(" (did you mean {}?)", meant),
                                   fmt::join(names, ", ")));
  }
  return static_cast<std::size_t>(found - names.begin());
}

int chosen_step(const std::optional<std::string>& typed, const Recording& recording) {
  const auto& steps = recording.facts.steps;
  if (!typed) {
    const auto first = std::find_if(steps.begin(), steps.end(),
                                    [](const StepFacts& step) { return step.totals.operations > 0; });
    return first == steps.end() ? 0 : static_cast<int>(first - steps.begin());
  }
  const long long step = whole_number("--step", *typed);
  if (step < 0 || step >= static_cast<long long>(steps.size()))
    throw RequestError(fmt::format("There is no step {}: {} with n = {} has the steps 0 to {}.", step,
                                   recording.trace.settings.algorithm, recording.trace.settings.n,
                                   steps.size() - 1));
  return static_cast<int>(step);
}

bool dark_chosen(const std::string& typed) { return one_of("--theme", typed, theme_names) == 1; }

Size chosen_size(const std::string& typed) {
  const auto refuse = [&] {
    throw RequestError(fmt::format(
        "--size takes width x height in pixels, such as 1280x720, each from 1 to {}; \"{}\" is not that.",
        largest_side, typed));
  };
  Size size;
  const char* const end = typed.data() + typed.size();
  const auto width = std::from_chars(typed.data(), end, size.width);
  if (width.ec != std::errc() || width.ptr == end || *width.ptr != 'x') refuse();
  const auto height = std::from_chars(width.ptr + 1, end, size.height);
  if (height.ec != std::errc() || height.ptr != end) refuse();
  if (std::min(size.width, size.height) < 1 || std::max(size.width, size.height) > largest_side) refuse();
  return size;
}

float chosen_scale(const std::string& typed) {
  float scale = 0;
  const auto [end, error] = std::from_chars(typed.data(), typed.data() + typed.size(), scale);
  if (error != std::errc() || end != typed.data() + typed.size() ||
      !(scale >= 0.25f && scale <= largest_scale))
    throw RequestError(fmt::format(
        "--scale takes a number from 0.25 to {} (pixels per logical pixel), and \"{}\" is not that.",
        largest_scale, typed));
  return scale;
}

}  // namespace upsweep
