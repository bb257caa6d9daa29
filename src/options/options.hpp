// Reads the options that the user types after an algorithm's name, and makes the run that the options
// describe.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "catalogue/contents.hpp"
#include "machine/machine.hpp"
#include "measure/verification.hpp"
#include "options/parser.hpp"
#include "questions/ask.hpp"
#include "scene/views/views.hpp"
#include "study/data_source.hpp"
#include "trace/settings.hpp"

namespace upsweep {

// The options as the user typed them; empty if not given. The options are stored as texts, so that every
// mistake can be reported in our own words.
struct RunOptions {
  std::string algorithm;
  std::optional<std::string> n, shape, block, grid, type, op, identity, layout, load_pattern, predicate,
      capacity, machine, seed, data, input, image, values;
  std::vector<std::string> variants;
  std::optional<std::string> without_barrier, focus, schedule, rounds;
  bool inclusive = false, exclusive = false, lockstep = false, scene = false;
  std::optional<std::string> trace;  // the file of a recording; if given, no option of a run may be given

  void add_to(ArgumentParser& parser);
  // Declares only the options that `upsweep bench` and `upsweep verify` also have.
  void add_settings_to(ArgumentParser& parser);
  // Returns the name of the recording to read: the value of --trace, or a name that was typed instead of an
  // algorithm. Returns nullopt if the options describe a run. Throws RequestError if the options name a
  // recording and also describe a run.
  std::optional<std::string> recording() const;
};

// Changes one option. `typed` is KEY=VALUE. KEY is the name of an option without its dashes, "algorithm", or
// the name of a variant. For an option without a value (such as "inclusive"), VALUE is yes or no. An empty
// VALUE removes the option.
//
// If the new option excludes an old option (n excludes shape), the old option is removed. Throws RequestError
// if `typed` does not have the form KEY=VALUE.
RunOptions with_change(RunOptions options, const std::string& typed);

// Returns the options of a comparison's changed run: the baseline's options after the changes, see
// with_change(). `typed` has the options that the user gave. If `typed` has no block size and the algorithm
// changes, the changed run gets the block size that the new algorithm needs.
RunOptions with_changes(const RunOptions& typed, const RunOptions& baseline,
                        const std::vector<std::string>& changes);

// A run and its data. The settings are valid. The input is empty or has settings.n elements.
struct RunRequest {
  Settings settings;
  DataSource data;
  MachineChoice machine = MachineChoice::automatic;
  RecordOptions recording;
  std::vector<Value> input;
  Contents more_inputs{};  // the values that belong to the input's keys, if the user gave values
  Inputs inputs() const { return {input, more_inputs}; }
};

// Reads the options, and the options that taught() adds. Throws RequestError if an option makes no sense, or
// if the run needs more memory than is free.
//
// If `with_input` is false, does not check the memory. In this case, the result has an input only if --input
// is given.
RunRequest understand(const RunOptions& options, bool with_input = true);
// Works like understand(), but without taught(). If the options do not decide n, n is 64.
RunRequest understood_as_given(const RunOptions& options, bool with_input);
// Adds the settings with which the window opens the algorithm (see study/teaching.hpp). If --n, --shape,
// --input or --image is given, returns the options unchanged.
RunOptions taught(RunOptions options);
// Returns the algorithm with this name. The option --variant method=... replaces the algorithm by another
// algorithm of the same ladder (list of methods for one problem, see catalogue/ladder.hpp).
const Algorithm& chosen_rung(const RunOptions& options, const std::string& name);
// Returns the settings that the user gave for an algorithm, without the choice `method`. The caller may
// choose the settings that the user did not give.
Fixed fixed(const RunOptions& options, const Algorithm& a);
// Reads --op and --identity: an operator's name, or an expression in a and b with its identity.
void read_operator(const RunOptions& options, Fixed& fixed);
MachineChoice chosen_machine(const RunOptions& options);
// Returns the machine for an algorithm. Throws RequestError if `wanted` cannot run the algorithm's text.
MachineChoice machine_of(const Algorithm& a, MachineChoice wanted);
// Records and analyses a run.
Recording record(const RunRequest& run);
// Returns the data that questions about a run need: the recording of the run, and a function that records the
// run with other settings. If recording takes too long, the result does not contain this function.
AskInput ask_input(const Recording& recording, const RunRequest& run);
// Throws RequestError if no launch of the run has a block with the number `options.first_block`.
void expect_focus(const Trace& trace, const RecordOptions& options);
// Reads and analyses the recording that the options name. If the options name no recording, records and
// analyses the run that the options describe.
Recording recording_of(const RunOptions& options);

// --shape: reads a shape, for example "40x70": 40 columns and 70 rows. Sets n and the columns. Throws
// RequestError if `n` is given and the shape does not have n elements.
void read_shape(const std::string& typed, std::optional<int> n, Settings& s);
// Throws RequestError if the name of a file, which was typed after an option, is empty.
void expect_file_name(const char* option, const std::string& name);
// Reads the whole number that was typed after an option.
long long whole_number(const std::string& option, const std::string& typed);
// Returns the index in `names` of the name that was typed after an option. If no name matches, throws
// RequestError, which suggests the most similar name.
std::size_t one_of(const std::string& option, const std::string& typed,
                   std::span<const std::string_view> names);

// --step: returns an index into the recording's steps. The typed number counts from 1, as in the window. By
// default, returns the first step that applies the operator, or the first step if no step applies the
// operator.
int chosen_step(const std::optional<std::string>& typed, const Recording& recording);
// --request: returns an index into the requests of a block's step, or -1 if no number is typed. The typed
// number counts from 1.
int chosen_request(const std::optional<std::string>& typed, const Recording& recording, int step, int block);
// chosen_finding() reads --finding. It returns an index into the list of the view "Hazards" (see
// Place::finding), or -1 if --finding is not given. step_of_finding() returns the step of the list entry with
// the index place.finding. Both functions require that the hazards are known.
int chosen_finding(const std::optional<std::string>& typed, const Recording& recording);
int step_of_finding(const Recording& recording, const Place& place);
// --at-block: returns a block that one of the run's grids has; by default block 0.
int chosen_block(const std::optional<std::string>& typed, const Recording& recording);
// --at-block for a step: returns a block of the step's grid. If this grid does not have the typed block,
// returns the last block of this grid.
int chosen_block(const std::optional<std::string>& typed, const Recording& recording, int step);
// --time: returns a time of the run (see TimeLine).
std::int64_t chosen_time(const std::string& typed, const Recording& recording);
// Reads the names of up to three views, separated by commas. Returns the indices of these views in views().
// For --present "usual", returns an empty list, so that the presentation chooses the views.
std::vector<int> views_named(const std::string& option, const std::string& typed);
// --banks: returns true for 16 banks (compute capability 1.x), and false for 32 banks, the default.
bool half_warps_chosen(const std::optional<std::string>& typed);

}  // namespace upsweep
