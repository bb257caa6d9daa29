#include <filesystem>

#include "app/commands.hpp"
#include "base/error.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/data.hpp"
#include "study/teaching.hpp"
#include "study/timing_source.hpp"
#include "window/window.hpp"

namespace upsweep {
namespace {

// Returns the kernel with which the window opens a file of times: the first measured kernel that this program
// has. Returns an empty name if the program has none of the measured kernels.
std::string measured_kernel(const std::string& file) {
  for (const Timing& t : read_timings(file).rows)
    if (t.contender == Contender::kernel && t.seconds.count > 0 && find_algorithm(t.name)) return t.name;
  return {};
}

// Adds the settings that the window would choose if the user picked the algorithm there. Does nothing if the
// user gave n, a shape, the input or a picture.
void take_taught_settings(RunOptions& wanted) {
  if (wanted.n || wanted.shape || wanted.input || wanted.image) return;
  Settings s = understand(wanted, false).settings;
  const Algorithm& a = algorithm(s.algorithm);
  const bool has_own_n = wanted.data && preset(*wanted.data).n > 0;
  teach(a, s, !has_own_n, wanted.block ? s.block : 32);
  if (const Lesson* lesson = lesson_of(a)) {
    if (!has_own_n) s.n = lesson->n;
    if (!wanted.type && lesson->type) wanted.type = name(s.type = *lesson->type);
    if (!wanted.data && !wanted.seed && !lesson->preset.empty() && is_for(preset(lesson->preset), s))
      wanted.data = lesson->preset;
    if (!s.choices.contains("predicate") && !lesson->predicate.empty()) wanted.predicate = lesson->predicate;
  }
  wanted.n = std::to_string(s.n);
  if (!wanted.block) wanted.block = std::to_string(s.block);
  if (!wanted.grid && a.uses_grid) wanted.grid = std::to_string(s.grid);
}

}  // namespace

void WindowCommand::add_to(ArgumentParser& parser) {
  options.add_to(parser);
  parser.add_option("--step", step);
  parser.add_option("--request", request);
  parser.add_option("--size", size);
  parser.add_option("--scale", scale);
  parser.add_option("--theme", theme);
  parser.add_option("--state-file", state_file);
}

void WindowCommand::run() const {
  if (request && !step)
    throw RequestError("--request needs --step: give the step that contains the request.");
  WindowOptions window;
  RunOptions wanted = options;
  const auto place = [&](const Recording& recording) {
    window.step = chosen_step(step, recording);
    window.request = chosen_request(request, recording, window.step, 0);
  };
  if (const auto file = options.recording()) {
    window.opened = std::make_shared<const Recording>(recording_of(options));
    window.opened_from = *file;
    if (step) place(*window.opened);
  } else {
    if (wanted.algorithm.ends_with(timings_extension)) {
      window.timings = wanted.algorithm;
      wanted.algorithm = measured_kernel(window.timings);
    }
    if (wanted.algorithm.empty()) wanted.algorithm = window.settings.algorithm;
    window.n_chosen = wanted.n.has_value();
    window.block_chosen = wanted.block.has_value();
    take_taught_settings(wanted);
    const RunRequest run = understand(wanted, step.has_value());
    window.settings = run.settings;
    window.data = run.data;
    window.machine = run.machine;
    if (step) {
      window.made = std::make_shared<const Recording>(record(run));
      place(*window.made);
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
