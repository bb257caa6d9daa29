#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <functional>

#include "analysis/step_match.hpp"
#include "app/commands.hpp"
#include "app/picture_file.hpp"
#include "app/progress.hpp"
#include "base/error.hpp"
#include "picture/write_png.hpp"
#include "render/render.hpp"
#include "scene/charts/charts.hpp"
#include "scene/comparison.hpp"
#include "study/timing_choice.hpp"
#include "timing/shipped.hpp"
#include "window/window.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

// The options, after they were checked and converted.
struct Drawing : PictureFile {
  bool window = false;
  const View* view = nullptr;
};

// Reads the options that every kind of picture has: the file, the size, the scale and the theme.
Drawing paper(const RenderCommand& c) {
  Drawing p;
  if (!c.output) throw RequestError("A file is missing: give -o, such as -o tree.png.");
  p.path = *c.output;
  p.format = format_of("picture", p.path, picture_formats);
  if (c.size) p.size = chosen_size(*c.size);
  if (c.scale) p.scale = chosen_scale(*c.scale);
  if (c.theme) p.dark = dark_chosen(*c.theme);
  return p;
}

Drawing understand(const RenderCommand& c) {
  if (!c.view) throw RequestError("A view is missing: give --view, such as --view tree.");
  Drawing p = paper(c);
  std::vector<std::string_view> names;
  for (const View& view : views()) names.push_back(view.name);
  names.push_back("window");
  const std::size_t chosen = one_of("--view", *c.view, names);
  p.window = chosen == views().size();
  if (!p.window) p.view = &views()[chosen];
  if (p.window && p.format != ".png")
    throw RequestError("The whole window is drawn in pixels: give a file name that ends in .png.");
  if (p.window && !c.size) p.size = {1920, 1080};
  return p;
}

constexpr std::string_view charts[] = {"sweep", "full-size", "roofline"};

void render_chart(const RenderCommand& c) {
  if (c.options.recording() || !c.options.algorithm.empty() || c.step || c.steps || c.at_block || c.request ||
      c.banks)
    throw RequestError(
        fmt::format("--timings {} is drawn as a whole: leave out the algorithm, --trace, --step, --steps, "
                    "--at-block, --request and --banks.",
                    *c.timings));
  if (!c.view) throw RequestError("A chart is missing: give --view, such as --view sweep.");
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

Scene scene_of(const Drawing& p, const Recording& r, const Cursor& cursor) {
  return draw_view(*p.view, {r, cursor, p.dark ? dark_theme() : light_theme(), p.size.width / p.scale,
                             p.size.height / p.scale});
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
    throw RequestError(fmt::format("--steps takes all, or a range such as 1-{}, not \"{}\": this run has {}.",
                                   all, typed, counted(all, "step")));
  return {first - 1, last - 1};
}

// Draws several steps: as numbered files, or as the pages of one PDF.
// Draws the chosen steps of `all`. draw(step) returns a step's picture.
void render_steps(const std::string& typed, const Drawing& p, int all,
                  const std::function<Scene(int)>& draw) {
  const StepRange steps = chosen_steps(typed, all);
  PictureSeries series(p, all);
  const StopOnInterruption stop;
  ProgressLine line;
  for (int step = steps.first; step <= steps.last; ++step) {
    if (Interruption::asked())
      throw WorkError(p.format == ".pdf"
                          ? fmt::format("Interrupted: {} was not written.", p.path)
                          : fmt::format("Interrupted: {} of {} pictures were written.",
                                        grouped(step - steps.first), grouped(steps.last - steps.first + 1)));
    line.show(fmt::format("step {} of {}", grouped(step + 1), grouped(all)));
    series.add(draw(step), step + 1);
  }
  series.finish();
}

// A comparison of two runs, and how its pictures are drawn.
class ComparedPictures {
 public:
  ComparedPictures(const RenderCommand& c, const Drawing& drawing, const Recording& baseline,
                   const Recording& changed)
      : c_(c),
        drawing_(drawing),
        baseline_(baseline),
        changed_(changed),
        pairs_(match_steps(baseline.trace, changed.trace)) {}

  int count() const { return static_cast<int>(pairs_.size()); }
  // Returns the pair that --step chooses; it counts pairs from 1.
  int chosen_pair() const {
    if (!c_.step) {
      const auto found = std::ranges::find(pairs_, chosen_step({}, baseline_), &StepPair::baseline);
      return found == pairs_.end() ? 0 : static_cast<int>(found - pairs_.begin());
    }
    const long long step = whole_number("--step", *c_.step);
    if (step < 1 || step > count())
      throw RequestError(fmt::format("There is no step {}: this comparison has the steps 1 to {}.",
                                     grouped(step), grouped(count())));
    return static_cast<int>(step) - 1;
  }
  Scene draw(int pair) const {
    const StepPair steps = shown_steps(pairs_, pair);
    return comparison_scene(*drawing_.view, {baseline_, changed_, pairs_, pair},
                            cursor(baseline_, steps.baseline), cursor(changed_, steps.changed),
                            drawing_.dark ? dark_theme() : light_theme(),
                            drawing_.size.width / drawing_.scale, drawing_.size.height / drawing_.scale);
  }

 private:
  Cursor cursor(const Recording& r, int step) const {
    Cursor cursor;
    cursor.step = step;
    const int last = r.trace.grid_of(static_cast<std::uint32_t>(step)).blocks - 1;
    cursor.block = c_.at_block ? std::min(chosen_block(c_.at_block, baseline_, 0), last) : 0;
    cursor.half_warps = half_warps_chosen(c_.banks);
    return cursor;
  }

  const RenderCommand& c_;
  const Drawing& drawing_;
  const Recording &baseline_, &changed_;
  const std::vector<StepPair> pairs_;
};

void render_window(const Drawing& p, WindowOptions window, bool scaled) {
  window.dark = p.dark;
  window.width = p.size.width;
  window.height = p.size.height;
  if (scaled) window.scale = p.scale;
  write_png(p.path, window_picture(window));
}

}  // namespace

void RenderCommand::add_to(ArgumentParser& parser) {
  options.add_to(parser);
  parser.add_option("--timings", timings);
  parser.add_option("--compare", compare);
  parser.add_option("--view", view);
  parser.add_option("--step", step);
  parser.add_option("--steps", steps);
  parser.add_option("--at-block", at_block);
  parser.add_option("--request", request);
  parser.add_option("--banks", banks);
  parser.add_option("-o,--output", output);
  parser.add_option("--size", size);
  parser.add_option("--scale", scale);
  parser.add_option("--theme", theme);
}

void RenderCommand::run() const {
  if (timings) return render_chart(*this);
  const auto file = options.recording();
  if (!compare.empty() && (file || request))
    throw RequestError(file ? "--compare runs both sides itself: name an algorithm, not a recording."
                            : "--request chooses a request of one run: leave it out with --compare.");
  const RunRequest run = file ? RunRequest() : upsweep::understand(options);
  const Drawing picture = understand(*this);
  if (steps && (step || request || picture.window))
    throw RequestError(
        "--steps draws one view of several steps: leave out --step, --request and --view window.");
  const auto r = std::make_shared<const Recording>(file ? recording_of(options) : record(run));
  r->find_hazards();
  if (!compare.empty() && !picture.window) {
    const Recording other = recording_of(with_changes(options, taught(options), compare));
    other.find_hazards();
    const ComparedPictures pictures(*this, picture, *r, other);
    if (steps)
      return render_steps(*steps, picture, pictures.count(), [&](int pair) { return pictures.draw(pair); });
    return write_picture(pictures.draw(pictures.chosen_pair()), picture);
  }
  if (steps)
    return render_steps(*steps, picture, static_cast<int>(r->trace.steps.size()), [&](int at) {
      Cursor cursor;
      cursor.step = at;
      cursor.block = chosen_block(at_block, *r, at);
      cursor.half_warps = half_warps_chosen(banks);
      return scene_of(picture, *r, cursor);
    });
  Cursor cursor;
  const bool at_end = !step && !picture.window && picture.view->shows_the_end;
  cursor.step = at_end ? static_cast<int>(r->trace.steps.size()) - 1 : chosen_step(step, *r);
  cursor.block = chosen_block(at_block, *r, cursor.step);
  cursor.request = chosen_request(request, *r, cursor.step, cursor.block);
  cursor.half_warps = half_warps_chosen(banks);
  if (!picture.window) return write_picture(scene_of(picture, *r, cursor), picture);
  if (banks) throw RequestError("--banks is for a single view: leave it out with --view window.");
  WindowOptions window;
  if (file) {
    window.opened = r;
    window.opened_from = *file;
  }
  window.settings = run.settings;
  window.data = run.data;
  window.machine = run.machine;
  window.step = cursor.step;
  window.at_block = cursor.block;
  window.request = cursor.request;
  if (!compare.empty()) {
    const RunRequest other = upsweep::understand(with_changes(options, taught(options), compare));
    window.changed = {other.settings, other.data, other.machine};
  }
  render_window(picture, window, scale.has_value());
}

}  // namespace upsweep
