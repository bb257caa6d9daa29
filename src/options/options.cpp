#include "options/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

#include "base/error.hpp"
#include "base/language.hpp"
#include "base/nearest.hpp"
#include "catalogue/data.hpp"
#include "catalogue/inputs.hpp"
#include "catalogue/ladder.hpp"
#include "catalogue/limits.hpp"
#include "catalogue/plan.hpp"
#include "study/recording.hpp"
#include "study/room.hpp"
#include "study/shipped.hpp"
#include "trace/file.hpp"
#include "trace/provenance.hpp"
#include "words/names.hpp"
#include "words/quantities.hpp"

namespace upsweep {
namespace {

// Reads a size. Checks only that the text is a number below 2^31; validate() checks the value.
int size(const std::string& option, const std::string& typed) {
  const long long number = whole_number(option, typed);
  if (number != static_cast<int>(number))
    throw RequestError(tr("{} {} is too large: give at most 2,147,483,647.", option, typed));
  return static_cast<int>(number);
}

// Reads a number of elements, such as 1000, 2^20, 1 Mi or 1e6.
int elements(const std::string& option, const std::string& typed) {
  const auto count = element_count(typed);
  if (!count)
    throw RequestError(
        tr("{} \"{}\" is not a number of elements: give a whole number, such as 1,000, 2^20 or 1e6.", option,
           typed));
  if (*count > INT32_MAX)
    throw RequestError(tr("{} {} is too large: give at most 2,147,483,647.", option, typed));
  return static_cast<int>(std::max<std::int64_t>(*count, INT32_MIN));
}

std::uint64_t from_zero(const std::string& option, const std::string& typed) {
  const long long number = whole_number(option, typed);
  if (number < 0) throw RequestError(tr("{} takes a number of at least 0, not {}.", option, typed));
  return static_cast<std::uint64_t>(number);
}

DataSource data_source(const RunOptions& o) {
  std::vector<std::string_view> given;
  if (o.seed) given.push_back("--seed");
  if (o.data) given.push_back("--data");
  if (o.input) given.push_back("--input");
  if (o.image) given.push_back("--image");
  if (o.scene) given.push_back("--scene");
  if (given.size() > 1)
    throw RequestError(
        tr("{} and {} both name a source of the data: give only one of these options.", given[0], given[1]));
  DataSource data;
  if (o.seed) data.seed = static_cast<std::uint64_t>(whole_number("--seed", *o.seed));
  if (o.data) {
    data.kind = DataSource::Kind::preset;
    data.text = preset(*o.data).name;
  }
  if (o.input) {
    expect_file_name("--input", *o.input);
    data.kind = DataSource::Kind::file;
    data.text = *o.input;
  }
  if (o.image) {
    expect_file_name("--image", *o.image);
    if (o.shape) throw RequestError(tr("The picture of --image has its own shape: leave --shape out."));
    data.kind = DataSource::Kind::picture;
    data.text = *o.image;
  }
  if (o.scene) data.kind = DataSource::Kind::scene;
  return data;
}

// Reads --inclusive and --exclusive. If the algorithm can compute both kinds of scan, sets the algorithm's
// choice `gives`. Otherwise the given option must name the kind of scan that the algorithm computes.
void read_gives(const RunOptions& o, const Algorithm& a, std::map<std::string, std::string>& choices) {
  if (!o.inclusive && !o.exclusive) return;
  if (o.inclusive && o.exclusive)
    throw RequestError(tr("--inclusive and --exclusive exclude each other: give only one of these options."));
  const std::string wanted = o.exclusive ? "exclusive" : "inclusive";
  if (a.choice("gives")) {
    if (!choices.emplace("gives", wanted).second)
      throw RequestError(
          tr("--{} and --variant gives=... set the same choice: give only one of these options.", wanted));
  } else if (!a.gives.starts_with(wanted)) {
    const char* change = a.gives == "exclusive scan"
                             ? tr(" To make the scan inclusive, drop the first element and append the total.")
                             : "";
    throw RequestError(
        tr("{algorithm} computes only {an} {inclusive_scan}: leave --{option} out.{change}",
           fmt::arg("algorithm", a.name),
           fmt::arg("an", std::string_view("aeiou").find(a.gives.front()) < 5 ? tr("an") : tr("a")),
           fmt::arg("inclusive_scan", tr(a.gives)), fmt::arg("option", wanted), fmt::arg("change", change)));
  }
}

std::map<std::string, std::string> typed_choices(const RunOptions& o, const Algorithm& a) {
  std::map<std::string, std::string> all;
  for (const std::string& typed : o.variants) {
    const auto equals = typed.find('=');
    if (equals == typed.npos || equals == 0 || equals + 1 == typed.size()) {
      std::string hint;
      for (const Choice& c : a.choices)
        for (const Option& option : c.options)
          if (hint.empty() && (option.name == typed || c.name == typed.substr(0, equals)))
            hint = tr(", such as {}={}", c.name, option.name);
      throw RequestError(tr("--variant takes NAME=CHOICE{}, not \"{}\".", hint, typed));
    }
    if (!all.emplace(typed.substr(0, equals), typed.substr(equals + 1)).second)
      throw RequestError(tr("--variant {} is given more than once.", typed.substr(0, equals)));
  }
  for (const auto& [option, name, typed] : {std::tuple("--layout", "layout", &o.layout),
                                            std::tuple("--load-pattern", "load_pattern", &o.load_pattern),
                                            std::tuple("--predicate", "predicate", &o.predicate),
                                            std::tuple("--capacity", "capacity", &o.capacity)})
    if (*typed && !all.emplace(name, **typed).second)
      throw RequestError(
          tr("{} and --variant {}=... set the same choice: give only one of these options.", option, name));
  read_gives(o, a, all);
  return all;
}

RecordOptions record_options(const RunOptions& o) {
  RecordOptions options;
  if (o.focus) {
    const auto colon = o.focus->find(':');
    const auto block = element_count(o.focus->substr(0, colon));
    const auto blocks = colon == o.focus->npos ? 1 : element_count(o.focus->substr(colon + 1));
    const std::int64_t first = block.value_or(-1), count = blocks.value_or(0);
    if (count < 1 || count > INT32_MAX || first < 0 || first > INT32_MAX)
      throw RequestError(
          tr("--focus \"{}\": give one block, such as 3, or the first block and the number of blocks, such "
             "as 3:2.",
             *o.focus));
    options.first_block = static_cast<std::uint32_t>(first);
    options.blocks = static_cast<std::uint32_t>(count);
  }
  if (o.schedule) options.schedule = from_zero("--schedule", *o.schedule);
  if (o.lockstep && !o.schedule)
    throw RequestError(tr("--lockstep works only with --schedule: give --schedule, too."));
  options.lockstep = o.lockstep;
  if (o.rounds) options.rounds = std::max<std::uint64_t>(1, from_zero("--rounds", *o.rounds));
  return options;
}

// Reads the values of a sort from a file. Each value belongs to one key of the input.
std::vector<Value> values_of(const std::string& file, const Algorithm& a, const Settings& s) {
  const Plan planned = plan(a, s);
  if (planned.inputs().size() < 2 || planned.inputs()[1].count == 0)
    throw RequestError(tr("With these settings, {} takes no values: leave --values out{}.", a.name,
                          a.choice("keys") ? tr(", or give --variant keys=pairs") : ""));
  expect_file_name("--values", file);
  return read_data(file, {.algorithm = "", .type = Scalar::uint32});
}

}  // namespace

void read_shape(const std::string& typed, std::optional<int> n, Settings& s) {
  const auto cross = typed.find('x');
  const auto side = [&](const std::string& digits) {
    const int number =
        std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; }) &&
                !digits.empty()
            ? size("--shape", digits)
            : 0;
    if (number < 1)
      throw RequestError(
          tr("--shape takes the width and the height of the data, such as 64x48, not \"{}\".", typed));
    return number;
  };
  const int columns = side(typed.substr(0, cross));
  const int rows = side(cross == typed.npos ? "" : typed.substr(cross + 1));
  if (std::int64_t{rows} * columns > INT32_MAX)
    throw RequestError(tr("--shape {} has too many elements: give at most 2,147,483,647.", typed));
  if (n && *n != rows * columns)
    throw RequestError(tr("--shape {} has {} elements, but n is {}: make both numbers equal.", typed,
                          grouped(rows * columns), grouped(*n)));
  s.n = rows * columns;
  s.columns = columns;
}

void RunOptions::add_settings_to(ArgumentParser& parser) {
  parser.add_option("--n", n);
  parser.add_option("--block", block);
  parser.add_option("--grid", grid);
  parser.add_option("--type", type);
  parser.add_option("--op", op);
  parser.add_option("--identity", identity);
  parser.add_option("--layout", layout);
  parser.add_option("--load-pattern", load_pattern);
  parser.add_option("--predicate", predicate);
  parser.add_option("--capacity", capacity);
  parser.add_flag("--inclusive", inclusive);
  parser.add_flag("--exclusive", exclusive);
  parser.add_option("--variant", variants);
  parser.add_option("--machine", machine);
  parser.add_option("--seed", seed);
}

void RunOptions::add_to(ArgumentParser& parser) {
  parser.add_option("ALGORITHM", algorithm);
  add_settings_to(parser);
  parser.add_option("--shape", shape);
  parser.add_option("--data", data);
  parser.add_option("--input", input);
  parser.add_option("--image", image);
  parser.add_flag("--scene", scene);
  parser.add_option("--values", values);
  parser.add_option("--without-barrier", without_barrier);
  parser.add_option("--focus", focus);
  parser.add_option("--schedule", schedule);
  parser.add_option("--rounds", rounds);
  parser.add_flag("--lockstep", lockstep);
  parser.add_option("--trace", trace);
}

std::optional<std::string> RunOptions::recording() const {
  const bool named = algorithm.ends_with(trace_extension);
  if (!trace && !named) return {};
  if (trace && !algorithm.empty())
    throw RequestError(
        tr("--trace {} names a finished run: leave {} out, or leave --trace out.", *trace, algorithm));
  const std::pair<const char*, const std::optional<std::string>&> all[] = {
      {"--n", n},
      {"--shape", shape},
      {"--block", block},
      {"--type", type},
      {"--op", op},
      {"--identity", identity},
      {"--layout", layout},
      {"--load-pattern", load_pattern},
      {"--predicate", predicate},
      {"--capacity", capacity},
      {"--machine", machine},
      {"--seed", seed},
      {"--data", data},
      {"--input", input},
      {"--image", image},
      {"--values", values},
      {"--grid", grid},
      {"--without-barrier", without_barrier},
      {"--focus", focus},
      {"--schedule", schedule},
      {"--rounds", rounds}};
  std::vector<const char*> given;
  for (const auto& [option, value] : all)
    if (value) given.push_back(option);
  if (!variants.empty()) given.push_back("--variant");
  if (inclusive) given.push_back("--inclusive");
  if (exclusive) given.push_back("--exclusive");
  if (lockstep) given.push_back("--lockstep");
  if (scene) given.push_back("--scene");
  for (const char* option : given)
    throw RequestError(tr("{} is a finished run: leave {} out, or run the algorithm again.",
                          trace ? "--trace " + *trace : algorithm, option));
  if (trace) expect_file_name("--trace", *trace);
  return trace ? *trace : algorithm;
}

MachineChoice chosen_machine(const RunOptions& o) {
  if (!o.machine) return MachineChoice::automatic;
  return static_cast<MachineChoice>(one_of("--machine", *o.machine, machine_names));
}

const Algorithm& chosen_rung(const RunOptions& o, const std::string& name) {
  const Algorithm& a = algorithm(name);
  std::map<std::string, std::string> choices = typed_choices(o, a);
  return take_rung(a, choices);
}

MachineChoice machine_of(const Algorithm& a, MachineChoice wanted) {
  if (wanted == MachineChoice::gpu) expect_language(a, MachineKind::gpu);
  if (wanted == MachineChoice::emulated) expect_language(a, MachineKind::emulated);
  if (wanted == MachineChoice::opengl) expect_language(a, MachineKind::opengl);
  return machine_for(a, wanted);
}

Fixed fixed(const RunOptions& o, const Algorithm& a) {
  if (o.grid && !a.uses_grid)
    throw RequestError(tr("{} computes its number of blocks from n: leave --grid out.", a.name));
  Fixed f;
  if (o.n) f.n = elements("--n", *o.n);
  if (o.block) f.block = size("--block", *o.block);
  if (o.grid) f.grid = size("--grid", *o.grid);
  if (f.grid) validate_grid(*f.grid);
  if (o.type) f.type = static_cast<Scalar>(one_of("--type", *o.type, scalar_names));
  read_operator(o, f);
  f.choices = typed_choices(o, a);
  take_rung(a, f.choices);  // removes `method`, because the caller has already chosen the algorithm
  if (o.seed) f.seed = static_cast<std::uint64_t>(whole_number("--seed", *o.seed));
  return f;
}

RunRequest understand(const RunOptions& o, bool with_input) {
  return understood_as_given(taught(o), with_input);
}

RunRequest understood_as_given(const RunOptions& o, bool with_input) {
  if (o.algorithm.empty())
    throw RequestError(
        tr("The name of an algorithm is missing: give a name such as scan_blelloch. `upsweep list` lists all "
           "algorithms."));
  const Algorithm& a = chosen_rung(o, o.algorithm);
  const Fixed given = fixed(o, a);
  RunRequest run;
  Settings& s = run.settings;
  s.algorithm = a.name;
  s.n = given.n.value_or(s.n);
  if (o.shape) read_shape(*o.shape, given.n, s);
  s.grid = given.grid.value_or(s.grid);
  fit_kind(a, s);
  s.type = given.type.value_or(s.type);
  give_operator(given, s);
  for (const auto& [name, option] : given.choices) s.choose(name, option);
  if (o.without_barrier) {
    s.without_barrier = size("--without-barrier", *o.without_barrier);
    if (s.without_barrier < 1) throw RequestError(tr("--without-barrier takes a line number of at least 1."));
  }
  run.machine = chosen_machine(o);
  run.recording = record_options(o);
  if (o.schedule && a.language == Language::glsl)
    throw RequestError(tr("OpenGL has its own schedule: leave --schedule out."));
  if (o.schedule && run.machine == MachineChoice::gpu)
    throw RequestError(tr("A GPU has its own schedule: use --schedule only with --machine emulated."));
  if (o.schedule) run.machine = MachineChoice::emulated;
  run.machine = machine_of(a, run.machine);

  run.data = data_source(o);
  choose_channels(run.data, s);
  if (o.data && preset(*o.data).n > 0 && !given.n && !o.shape) s.n = preset(*o.data).n;
  if (decides_n(run.data)) {
    if (o.image) set_picture_size(run.data, s);
    else run.input = load(run.data, s);
    if (given.n && *given.n != s.n)
      throw RequestError(tr("{} contains {} elements, but --n is {}: leave --n out.", run.data.text,
                            grouped(s.n), grouped(*given.n)));
    if (o.shape) read_shape(*o.shape, s.n, s);
  }
  s.block = given.block.value_or(std::clamp(smallest_block(a, s), 32, largest_block));
  validate(s);
  if (!with_input) return run;
  expect_room(s, free_memory(), run.data);
  if (!o.input) run.input = load(run.data, s);
  if (o.values) run.more_inputs = {values_of(*o.values, a, s)};
  expect_input(a, s, run.input);
  return run;
}

void expect_file_name(const char* option, const std::string& name) {
  if (name.empty()) throw RequestError(tr("{} needs the name of a file, but the name is empty.", option));
}

long long whole_number(const std::string& option, const std::string& typed) {
  long long number = 0;
  const auto [end, error] = std::from_chars(typed.data(), typed.data() + typed.size(), number);
  if (end != typed.data() + typed.size() || error == std::errc::invalid_argument)
    throw RequestError(tr("{} takes a whole number, not \"{}\".", option, typed));
  if (error != std::errc()) throw RequestError(tr("{} takes a number below 2^63, not {}.", option, typed));
  return number;
}

std::size_t one_of(const std::string& option, const std::string& typed,
                   std::span<const std::string_view> names) {
  const auto found = std::find(names.begin(), names.end(), typed);
  if (found == names.end()) {
    throw RequestError(tr("{} does not take \"{}\"{}; choose one of these: {}.", option, typed,
                          guess(typed, names), fmt::join(names, ", ")));
  }
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace upsweep
