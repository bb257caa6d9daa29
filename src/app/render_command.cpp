#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/commands.hpp"
#include "app/picture_file.hpp"
#include "base/error.hpp"
#include "picture/write_png.hpp"
#include "render/render.hpp"
#include "scene/charts/charts.hpp"
#include "study/timing_choice.hpp"
#include "timing/shipped.hpp"
#include "window/window.hpp"

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
  if (c.options.recording() || !c.options.algorithm.empty() || c.step || c.at_block || c.request || c.banks)
    throw RequestError(
        fmt::format("--timings {} is drawn as a whole: leave out the algorithm, --trace, --step, --at-block, "
                    "--request and --banks.",
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

void render_view(const Drawing& p, const Recording& r, const Cursor& cursor) {
  write_picture(draw_view(*p.view, {r, cursor, p.dark ? dark_theme() : light_theme(), p.size.width / p.scale,
                                    p.size.height / p.scale}),
                p);
}

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
  parser.add_option("--view", view);
  parser.add_option("--step", step);
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
  const RunRequest run = file ? RunRequest() : upsweep::understand(options);
  const Drawing picture = understand(*this);
  const auto r = std::make_shared<const Recording>(file ? recording_of(options) : record(run));
  r->find_hazards();
  Cursor cursor;
  const bool at_end = !step && !picture.window && picture.view->shows_the_end;
  cursor.step = at_end ? static_cast<int>(r->trace.steps.size()) - 1 : chosen_step(step, *r);
  cursor.block = chosen_block(at_block, *r, cursor.step);
  cursor.request = chosen_request(request, *r, cursor.step, cursor.block);
  cursor.half_warps = half_warps_chosen(banks);
  if (!picture.window) return render_view(picture, *r, cursor);
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
  render_window(picture, window, scale.has_value());
}

}  // namespace upsweep
