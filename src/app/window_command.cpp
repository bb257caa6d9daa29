#include <filesystem>

#include "app/commands.hpp"
#include "catalogue/catalogue.hpp"
#include "study/timing_source.hpp"
#include "window/window.hpp"

namespace upsweep {
namespace {

// Returns the first algorithm of a file of times, so that the window opens on it. It is empty if this program
// knows none of them.
std::string measured_kernel(const std::string& file) {
  for (const Timing& t : read_timings(file).rows)
    for (const Algorithm& a : algorithms())
      if (t.contender == Contender::kernel && t.seconds.count > 0 && t.name == a.name) return a.name;
  return {};
}

}  // namespace

void WindowCommand::add_to(ArgumentParser& parser) {
  options.add_to(parser);
  parser.add_option("--step", step);
  parser.add_option("--size", size);
  parser.add_option("--scale", scale);
  parser.add_option("--theme", theme);
  parser.add_option("--state-file", state_file);
}

void WindowCommand::run() const {
  WindowOptions window;
  RunOptions wanted = options;
  if (const auto file = options.recording()) {
    window.opened = std::make_shared<const Recording>(recording_of(options));
    window.opened_from = *file;
    if (step) window.step = chosen_step(step, *window.opened);
  } else {
    if (wanted.algorithm.ends_with(timings_extension)) {
      window.timings = wanted.algorithm;
      wanted.algorithm = measured_kernel(window.timings);
    }
    if (wanted.algorithm.empty()) wanted.algorithm = window.settings.algorithm;
    const RunRequest run = understand(wanted, step.has_value());
    window.settings = run.settings;
    window.data = run.data;
    window.machine = run.machine;
    if (step) {
      window.made = std::make_shared<const Recording>(record(run));
      window.step = chosen_step(step, *window.made);
    }
  }
  if (size) {
    window.width = chosen_size(*size).width;
    window.height = chosen_size(*size).height;
  }
  if (scale) window.scale = chosen_scale(*scale);
  if (theme) window.dark = dark_chosen(*theme);
  window.state_file = state_file;
  run_window(window);
}

}  // namespace upsweep
