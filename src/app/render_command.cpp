#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "analysis/memory.hpp"
#include "analysis/step_match.hpp"
#include "analysis/time_line.hpp"
#include "app/commands.hpp"
#include "app/picture_file.hpp"
#include "app/picture_options.hpp"
#include "app/progress.hpp"
#include "base/error.hpp"
#include "base/language.hpp"
#include "picture/write_png.hpp"
#include "scene/charts/charts.hpp"
#include "scene/step_pictures.hpp"
#include "study/teaching.hpp"
#include "study/timing_choice.hpp"
#include "timing/shipped.hpp"
#include "window/window.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

// The checked and converted options.
struct Drawing : PictureFile {
  bool window = false;
  const View* view = nullptr;
};

// Reads the options that every kind of picture has: the file, the size, the scale, the theme and the speed.
Drawing paper(const RenderCommand& c) {
  Drawing p;
  if (!c.output) throw RequestError(tr("The output file is missing: give -o FILE, such as -o tree.png."));
  p.path = *c.output;
  p.format = format_of(tr("picture"), p.path, formats_of_steps);
  if (is_animation(p.format) && !c.steps)
    throw RequestError(tr("A {} file shows several steps: give --steps, such as --steps all.", p.format));
  if (c.speed && !is_animation(p.format))
    throw RequestError(tr("--speed is only for .gif and .webm files: leave --speed out."));
  if (c.speed) p.speed = chosen_speed(*c.speed);
  if (c.size) p.size = chosen_size(*c.size);
  if (c.scale) p.scale = chosen_scale(*c.scale);
  if (c.theme) p.theme = theme_chosen(*c.theme);
  return p;
}

Drawing understand(const RenderCommand& c) {
  if (!c.view) throw RequestError(tr("A view is missing: give --view, such as --view tree."));
  Drawing p = paper(c);
  std::vector<std::string_view> names;
  for (const View& view : views()) names.push_back(view.name);
  names.push_back("window");
  const std::size_t chosen = one_of("--view", *c.view, names);
  p.window = chosen == views().size();
  if (!p.window) p.view = &views()[chosen];
  if (p.window && !c.size) p.size = {1920, 1080};
  if (p.window && c.caption)
    throw RequestError(tr("A picture of the whole window has no caption: leave out --caption."));
  expect_possible({std::string(p.format), p.size.width, p.size.height, p.scale, p.speed});
  return p;
}

constexpr std::string_view charts[] = {"sweep", "full-size", "roofline"};

void render_chart(const RenderCommand& c) {
  if (c.options.recording() || !c.options.algorithm.empty() || c.step || c.steps || c.time || c.at_block ||
      c.request || c.banks || c.caption)
    throw RequestError(
        tr("--timings {} draws a chart of times, not a run. Leave out the algorithm, --trace, --step, "
           "--steps, --time, --at-block, --request, --banks and --caption.",
           *c.timings));
  if (!c.view)
    throw RequestError(
        tr("The name of the chart is missing: give --view with a chart, such as --view sweep."));
  const std::size_t chart = one_of("--view", *c.view, charts);
  const Drawing p = paper(c);
  Timings timings = open_timings(*c.timings);
  timings.has_operator = has_operator(timings);
  SizeSweep sweep{timings};
  int largest = 0;
  for (const Timing& t : timings.rows) {
    largest = std::max(largest, t.settings.n);
    sweep.cache = t.cache;  // all rows of one `upsweep bench` have the same state of the caches
  }
  const ChartFrame frame = frame_of(p);
  if (chart == 0) write_picture(draw_size_sweep(sweep, frame), p);
  if (chart == 1) write_picture(draw_ladder(at_full_size(timings, largest, sweep.cache).ladder, frame), p);
  if (chart == 2) write_picture(draw_roofline(roofline_of(timings, largest, sweep.cache).roofline, frame), p);
}

// The steps that --steps chooses, as indices.
struct StepRange {
  int first = 0, last = 0;
};

StepRange chosen_steps(const std::string& typed, int all) {
  if (typed == "all") return {0, all - 1};
  const auto dash = typed.find('-');
  const auto step = [&](const std::string& digits) {
    int number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error == std::errc() && end == digits.data() + digits.size() ? number : 0;
  };
  const int first = step(typed.substr(0, dash));
  const int last = dash == typed.npos ? first : step(typed.substr(dash + 1));
  if (first < 1 || last < first || last > all)
    throw RequestError(tr("--steps takes the word all, or a range such as 1-{}, not \"{}\": this run has {}.",
                          all, typed, counted(all, "step")));
  return {first - 1, last - 1};
}

// Draws the chosen steps of a run with `all` steps: as numbered files, as the pages of one PDF, or as an
// animation. draw(step) returns a step's picture.
template <class Draw>
void render_steps(const std::string& typed, const Drawing& p, int all, Draw draw) {
  const StepRange steps = chosen_steps(typed, all);
  const int count = steps.last - steps.first + 1;
  PictureSeries series(p, all, count);
  const StopOnInterruption stop;
  ProgressLine line;
  for (int step = steps.first; step <= steps.last; ++step) {
    if (Interruption::asked())
      throw WorkError(p.format == ".png" || p.format == ".svg"
                          ? tr("Interrupted: {} of {} pictures were written.", grouped(step - steps.first),
                               grouped(count))
                          : tr("Interrupted: {} was not written.", p.path));
    line.show(tr("step {} of {}", grouped(step + 1), grouped(all)));
    series.add(draw(step), step + 1);
  }
  series.finish();
}

// Returns the pair of steps that --step chooses. --step counts pairs from 1.
int chosen_pair(const RenderCommand& c, const StepPictures& pictures) {
  if (!c.step) {
    const auto found =
        std::ranges::find(pictures.pairs, chosen_step({}, *pictures.recording), &StepPair::baseline);
    return found == pictures.pairs.end() ? 0 : static_cast<int>(found - pictures.pairs.begin());
  }
  const long long step = whole_number("--step", *c.step);
  if (step < 1 || step > pictures.count())
    throw RequestError(tr("There is no step {}: this comparison has the steps 1 to {}.", grouped(step),
                          grouped(pictures.count())));
  return static_cast<int>(step) - 1;
}

StepPictures pictures_of(const RenderCommand& c, const Drawing& p, std::shared_ptr<const Recording> r) {
  StepPictures pictures;
  pictures.view = p.view;
  pictures.recording = std::move(r);
  pictures.cursor.block = chosen_block(c.at_block, *pictures.recording);
  pictures.cursor.half_warps = half_warps_chosen(c.banks);
  pictures.theme = &p.theme.theme();
  pictures.width = static_cast<float>(p.size.width) / p.scale;
  pictures.height = static_cast<float>(p.size.height) / p.scale;
  pictures.has_caption = c.caption;
  return pictures;
}

void render_window(const RenderCommand& c, const Drawing& p, WindowOptions window) {
  window.theme = p.theme;
  window.width = p.size.width;
  window.height = p.size.height;
  if (c.scale) window.scale = p.scale;
  WindowPictures pictures(window);
  const bool pixels = p.format == ".png" || is_animation(p.format);
  if (!c.steps) return pixels ? write_png(p.path, pictures.pixels()) : write_picture(pictures.scene(), p);
  const auto at = [&](int step) -> WindowPictures& {
    pictures.go_to(step);
    return pictures;
  };
  if (pixels) render_steps(*c.steps, p, pictures.count(), [&](int step) { return at(step).pixels(); });
  else render_steps(*c.steps, p, pictures.count(), [&](int step) { return at(step).scene(); });
}

}  // namespace

void RenderCommand::add_to(ArgumentParser& parser) {
  options.add_to(parser);
  parser.add_option("--timings", timings);
  parser.add_option("--compare", compare);
  parser.add_option("--view", view);
  parser.add_option("--step", step);
  parser.add_option("--steps", steps);
  parser.add_option("--time", time);
  parser.add_option("--at-block", at_block);
  parser.add_option("--request", request);
  parser.add_option("--finding", finding);
  parser.add_option("--banks", banks);
  parser.add_option("-o,--output", output);
  parser.add_option("--size", size);
  parser.add_option("--scale", scale);
  parser.add_option("--theme", theme);
  parser.add_option("--speed", speed);
  parser.add_flag("--caption", caption);
  parser.add_option("--present", present);
}

void RenderCommand::run() const {
  if (timings) return render_chart(*this);
  const auto file = options.recording();
  if (!compare.empty() && (file || request))
    throw RequestError(
        file ? tr("--compare runs an algorithm twice, and a recording cannot run again: name an algorithm.")
             : tr("--request chooses a request of one run: leave out --request or --compare."));
  const RunRequest run = file ? RunRequest() : upsweep::understand(options);
  const Drawing picture = understand(*this);
  if (finding && (picture.window || !compare.empty()))
    throw RequestError(tr("--finding works only in a picture that shows one view of one run."));
  if (present && !picture.window)
    throw RequestError(
        tr("--present works only with --view window, because it draws the window as a presentation."));
  if (steps && (step || request))
    throw RequestError(tr("--steps draws several steps: leave out --step and --request."));
  if (time && (step || steps || request || !compare.empty() || picture.window))
    throw RequestError(tr(
        "--time draws one view at one time of one run: leave out --step, --steps, --request, --compare and "
        "--view window."));
  const auto r = std::make_shared<const Recording>(file ? recording_of(options) : record(run));
  r->find_hazards();
  const std::optional<Place> look_back = step || at_block ? std::nullopt : place_of_look_back(*r);
  if (!picture.window) {
    StepPictures pictures = pictures_of(*this, picture, r);
    pictures.cursor.finding = chosen_finding(finding, *r);
    if (!compare.empty()) {
      pictures.changed =
          std::make_shared<const Recording>(recording_of(with_changes(options, taught(options), compare)));
      pictures.changed->find_hazards();
      pictures.pairs = match_steps(r->trace, pictures.changed->trace);
    }
    if (steps)
      return render_steps(*steps, picture, pictures.count(), [&](int at) { return pictures.draw(at); });
    if (!compare.empty()) return write_picture(pictures.draw(chosen_pair(*this, pictures)), picture);
    const bool at_end = !step && picture.view->shows_the_end;
    pictures.cursor_step = at_end ? pictures.count() - 1 : chosen_step(step, *r);
    const bool looks_back = look_back && !at_end;
    if (looks_back) {
      pictures.cursor_step = look_back->step;
      pictures.cursor.block = look_back->block;
    }
    if (time) {
      pictures.cursor.time = chosen_time(*time, *r);
      const int grid = grid_index(r->trace, pictures.cursor_step),
                block = looks_back ? look_back->block : chosen_block(at_block, *r, pictures.cursor_step);
      const int then =
          step_at(r->time_line(), r->trace, grid, block, static_cast<std::uint64_t>(pictures.cursor.time));
      pictures.cursor_step =
          then >= 0 ? then : static_cast<int>(r->trace.grids[static_cast<std::size_t>(grid)].first_step);
    }
    if (finding && !step) pictures.cursor_step = step_of_finding(*r, pictures.cursor);
    pictures.cursor.request =
        chosen_request(request, *r, pictures.cursor_step,
                       looks_back ? look_back->block : chosen_block(at_block, *r, pictures.cursor_step));
    return write_picture(pictures.draw(pictures.cursor_step), picture);
  }
  if (banks)
    throw RequestError(
        tr("--banks works only with a single view: leave out --banks, or choose a view other than window."));
  WindowOptions window;
  if (file) {
    window.opened = r;
    window.opened_from = *file;
  }
  if (present) {
    window.presentation = true;
    window.presented = views_named("--present", *present);
  }
  window.settings = run.settings;
  window.data = run.data;
  window.machine = run.machine;
  window.step = look_back ? look_back->step : chosen_step(step, *r);
  window.at_block = look_back ? look_back->block : chosen_block(at_block, *r, window.step);
  window.request = chosen_request(request, *r, window.step, window.at_block);
  if (!compare.empty()) {
    const RunRequest other = upsweep::understand(with_changes(options, taught(options), compare));
    window.changed = {other.settings, other.data, other.machine};
  }
  render_window(*this, picture, window);
}

}  // namespace upsweep
