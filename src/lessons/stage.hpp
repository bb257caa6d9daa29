// Turns the blocks of a lesson into runs, places and questions. All functions throw RequestError, with a
// sentence, if a block makes no sense for its run.
#pragma once
#include <string>
#include <vector>

#include "base/job.hpp"
#include "lessons/lesson.hpp"
#include "study/questioning.hpp"
#include "study/request.hpp"

namespace upsweep {

// Returns the run that a block `show` names. If the block names no machine, the run is on the emulator.
// `folder` contains the lesson's files. `folder` is empty for a lesson that comes with the program, because
// such a lesson has no files.
RunRequest run_of(const ShowBlock& show, const std::string& folder);
// Returns the run with which a block `show` compares its run. Requires that `show.compare` is not empty.
RunRequest compared_run(const ShowBlock& show, const std::string& folder);
// Returns the name of the recording that a block `show` opens: a file in the folder, or a shipped recording.
// Returns nullopt if the block opens no recording.
std::optional<std::string> opened_by(const ShowBlock& show, const std::string& folder);
// Records the run that a block `show` names, or opens the recording that the block names.
Recording recording_for(const ShowBlock& show, const std::string& folder, Job& job);

// Returns the index of the step that a text names: "3" (from 1), "load", "up-sweep:2" or "last".
int step_named(const std::string& typed, const Recording& recording);
// Returns the place that a block `show` names (step, thread block and request), and its views.
Request place_of(const ShowBlock& show, const Recording& recording);

// Returns the data that questions about the run of a block `show` need.
AskInput ask_input(const ShowBlock& show, const std::string& folder, const Recording& recording);
// Makes the question of a block `ask` about the run `in.recording`. If the question compares two runs, the
// other run is this run with changed options. If one line of the block is wrong, throws AskError with the
// number of this line.
Posed pose(const AskBlock& ask, const ShowBlock& show, const std::string& folder, const AskInput& in,
           const Job& job);
struct AskError : RequestError {
  AskError(int at, const Error& e) : RequestError(e.message), line(at) {}
  int line;
};

// Lines that a learner puts in order.
struct Ordering {
  std::vector<std::string> lines;  // in a mixed order, which is always the same
  std::vector<int> answer;         // indices into `lines`, in the correct order
  std::vector<int> groups;         // lines of one group may be exchanged; -1 for an extra line
  std::vector<std::string> hints;
  // Returns how many lines at the beginning of a reply are correct. A reply contains indices into `lines`.
  std::size_t right_lines(const std::vector<int>& reply) const;
  bool is_right(const std::vector<int>& reply) const {
    return reply.size() == answer.size() && right_lines(reply) == answer.size();
  }
};
Ordering ordering(const OrderBlock& order, const Recording& recording);

}  // namespace upsweep
