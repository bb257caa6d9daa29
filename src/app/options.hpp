// What a person typed after an algorithm's name, and what it means.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/parser.hpp"
#include "machine/machine.hpp"
#include "measure/verification.hpp"
#include "scene/views/views.hpp"
#include "study/data_source.hpp"
#include "trace/settings.hpp"

namespace upsweep {

// As typed; empty where not given, so that every mistake gets a sentence of our own.
struct RunOptions {
  std::string algorithm;
  std::optional<std::string> n, shape, block, grid, type, op, layout, load_pattern, machine, seed, input;
  std::vector<std::string> variants;
  std::optional<std::string> without_barrier, focus, schedule;
  bool inclusive = false, exclusive = false, lockstep = false;
  std::optional<std::string> trace;  // the file of a recording, in place of all of them

  void add_to(ArgumentParser& parser);
  // Those that say what runs, but not on which data and how it is recorded.
  void add_settings_to(ArgumentParser& parser);
  // The recording that is named in place of a run: by --trace, or where an algorithm's name belongs. Throws
  // RequestError if anything of a run is given as well.
  std::optional<std::string> recording() const;
};

// What to run and on what. Its settings are valid; if it has input, that has settings.n elements.
struct RunRequest {
  Settings settings;
  DataSource data;
  MachineChoice machine = MachineChoice::automatic;
  RecordOptions recording;
  std::vector<Value> input;
};

// Throws RequestError with a sentence on the first thing that makes no sense. The input is made unless
// `with_input` is false; what would take more memory than there is, is refused before.
RunRequest understand(const RunOptions& options, bool with_input = true);
// The settings that were given, for an algorithm; the rest is free.
Fixed fixed(const RunOptions& options, const Algorithm& a);
MachineChoice chosen_machine(const RunOptions& options);
// Runs it with the recorder on, and analyses it.
Recording record(const RunRequest& run);
// Throws RequestError if no launch of the trace has the block that options.first_block names.
void expect_focus(const Trace& trace, const RecordOptions& options);
// The recording that the options name, read and analysed; else what they ask for, run.
Recording recording_of(const RunOptions& options);

// Returns the text that precedes an option of a choice on the command line: "--layout " or "--variant fold=".
std::string command_line_option(const std::string& choice);

// A whole number after an option.
long long whole_number(const std::string& option, const std::string& typed);
// The index of the name that was typed after an option. The error names the nearest one.
std::size_t one_of(const std::string& option, const std::string& typed,
                   std::span<const std::string_view> names);

// --step: an index into the recording's steps; without it the first one that applies the operator.
int chosen_step(const std::optional<std::string>& typed, const Recording& recording);
// --at-block: a block of the step's grid, the first unless told otherwise; where all steps are asked for, the
// nearest one that a smaller grid has.
int chosen_block(const std::optional<std::string>& typed, const Recording& recording, int step);
// --theme: whether it is the dark one.
bool dark_chosen(const std::string& typed);
// --size: "1280x720" in pixels.
struct Size {
  int width = 0, height = 0;
};
Size chosen_size(const std::string& typed);
// --scale: pixels per logical pixel.
float chosen_scale(const std::string& typed);

}  // namespace upsweep
