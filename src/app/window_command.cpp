#include <filesystem>
#include <utility>

#include "app/commands.hpp"
#include "app/picture_options.hpp"
#include "base/error.hpp"
#include "base/language.hpp"
#include "catalogue/catalogue.hpp"
#include "lessons/course.hpp"
#include "study/state_text.hpp"
#include "study/timing_source.hpp"
#include "window/window.hpp"

namespace upsweep {
namespace {

// Returns the kernel with which the window opens a file of times: the first measured kernel that this program
// has. Returns an empty name if the program has none of the measured kernels.
std::string measured_kernel(const std::string& file) {
  for (const Timing& t : read_timings(file).rows)
    if (t.contender == Contender::kernel && was_measured(t) && find_algorithm(t.name)) return t.name;
  return {};
}

}  // namespace

void WindowCommand::add_to(ArgumentParser& parser) {
  options.add_to(parser);
  parser.add_option("--step", step);
  parser.add_option("--request", request);
  parser.add_option("--size", size);
  parser.add_option("--scale", scale);
  parser.add_option("--theme", theme);
  parser.add_option("--text-scale", text_scale);
  parser.add_option("--language", language);
  parser.add_flag("--speak", speak);
  parser.add_option("--present", present);
  parser.add_option("--lesson", lesson);
  parser.add_flag("--start", start);
  parser.add_option("--state-file", state_file);
}

void WindowCommand::run() const {
  if (request && !step)
    throw RequestError(tr("--request needs --step: give the step that contains the request."));
  WindowOptions window;
  RunOptions wanted = options;
  if (is_state_text(wanted.algorithm)) {
    read_state_text(wanted.algorithm);  // reports an error in this text now, before a window opens
    window.state = std::exchange(wanted.algorithm, {});
  }
  const auto place = [&](const Recording& recording) {
    window.step = chosen_step(step, recording);
    window.request = chosen_request(request, recording, window.step, 0);
  };
  if (const auto file = wanted.recording()) {
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
  window.language = language.value_or("");
  if (text_scale) window.text_scale = chosen_text_scale(*text_scale);
  window.speaks = speak;
  if (present) {
    window.presentation = true;
    window.presented = views_named("--present", *present);
  }
  if (theme) { window.theme = theme_chosen(*theme); }
  window.keeps = true;
  window.cards = start;
  window.goes_on = options.algorithm.empty() && !options.trace && !lesson && !present && !step;
  if (lesson) {
    open_lesson(*lesson);  // reports a missing lesson now, before a window opens
    window.lesson = *lesson;
  }
  window.state_file = state_file;
  run_window(window);
}

}  // namespace upsweep
