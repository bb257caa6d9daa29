// Records the run that a command line describes.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/language.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/plan.hpp"
#include "options/options.hpp"
#include "study/questioning.hpp"
#include "study/recording.hpp"
#include "study/shipped.hpp"
#include "trace/provenance.hpp"
#include "words/names.hpp"

namespace upsweep {

void expect_focus(const Trace& trace, const RecordOptions& options) {
  int most = 0;
  for (const PlannedLaunch& l : plan(algorithm(trace.settings.algorithm), trace.settings).launches)
    most = std::max(most, l.blocks);
  for (const Grid& g : trace.grids) most = std::max(most, g.blocks);
  if (options.first_block < static_cast<std::uint32_t>(most)) return;
  throw RequestError(
      tr("--focus {} names a block that does not exist. The largest launch has {}, from 0 to {}.",
         grouped(options.first_block), counted(most, "block"), grouped(most - 1)));
}

Recording record(const RunRequest& run) {
  Trace trace = open_machine(run.machine)->record(run.settings, run.inputs(), run.recording);
  expect_focus(trace, run.recording);
  add_provenance(trace);
  return make_recording(std::move(trace));
}

AskInput ask_input(const Recording& recording, const RunRequest& run) {
  AskInput in{recording};
  if (is_recorded_quickly(run.settings, most_cost_of_several_runs))
    in.record = each_once([run](const Settings& s) {
      RunRequest other = run;
      other.settings = s;
      return record(other);
    });
  return in;
}

Recording recording_of(const RunOptions& options) {
  const auto name = options.recording();
  if (!name) return record(understand(options));
  Recording opened = make_recording(open_recording(*name));
  opened.is_opened = true;
  return opened;
}

}  // namespace upsweep
