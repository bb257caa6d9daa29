// Exports the window's contents: a view or the window as a picture, all steps of a view, or the command that
// draws the view. Another thread draws and writes the files.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/file.hpp"
#include "base/language.hpp"
#include "panels/saved_files.hpp"
#include "study/command_text.hpp"
#include "study/state_text.hpp"
#include "window/export_work.hpp"
#include "window/frame.hpp"
#include "window/picture_clipboard.hpp"
#include "words/caption.hpp"
#include "words/hidden_answer.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

constexpr float least_width = 640, least_height = 360;  // the smallest size of a picture in logical pixels
constexpr std::chrono::milliseconds quick{300};         // if an export is faster, no progress is shown

std::string ending_of(Export what) {
  switch (what) {
    case Export::svg:
    case Export::window_svg: return ".svg";
    case Export::pdf:
    case Export::steps_pdf:
    case Export::handout:
    case Export::handout_with_answers:
    case Export::window_pdf: return ".pdf";
    case Export::steps_gif: return ".gif";
    case Export::steps_webm: return ".webm";
    case Export::recording: return ".upsweep";
    default: return ".png";
  }
}

bool is_of_steps(Export what) { return what >= Export::steps_pdf && what <= Export::steps_webm; }
bool is_of_lesson(Export what) { return what == Export::handout || what == Export::handout_with_answers; }
bool is_of_window(Export what) { return what >= Export::window_png && what <= Export::window_pdf; }

}  // namespace

// Returns the view that the user can export: the large view, or otherwise the view that was under the mouse
// most recently.
const View& Frame::exported_view() const {
  const std::size_t slot = layout_.large_view >= 0 ? large_slot : exported_slot_;
  return views()[static_cast<std::size_t>(view_in(slot))];
}

// Returns pictures of the exported view. The pictures have the view's size on the screen, and a caption
// below.
StepPictures Frame::exported_pictures() const {
  const std::size_t slot = layout_.large_view >= 0 ? large_slot : exported_slot_;
  const Box& box = box_of(slot);
  StepPictures p;
  p.view = &exported_view();
  p.recording = session_.shared_recording();
  if (session_.compares()) {
    p.changed = session_.changed();
    p.pairs = session_.pairs();
  }
  p.cursor = session_.cursor();
  p.cursor_step = shown_step();
  if (!session_.compares()) p.measured = session_.line_counters();
  p.theme = &theme();
  p.width = std::max(std::round(box.w * (session_.compares() ? 2.0f : 1.0f)), least_width);
  p.height = std::max(std::round(box.h), least_height) + step_caption_height;
  p.has_caption = true;
  return p;
}

PicturePaper Frame::paper_for(Export what, float width, float height) const {
  PicturePaper paper;
  paper.ending = ending_of(what);
  paper.width = static_cast<int>(std::lround(width * scale_));
  paper.height = static_cast<int>(std::lround(height * scale_));
  paper.scale = scale_;
  paper.speed = session_.speed();
  return paper;
}

// Returns the algorithm's name for the name of a file. The name of a kernel that is broken on purpose tells
// what is wrong. So while the window hides this answer, returns another name.
std::string Frame::shown_algorithm() const {
  const std::string& name = session_.recording().trace.settings.algorithm;
  return hides_answer(session_.recording(), session_.cursor()) ? without_name(name) : name;
}

std::string Frame::export_name(Export what) const {
  if (is_of_lesson(what))
    return fmt::format("upsweep-lesson-{}{}", without_number(player_.lesson().name),
                       what == Export::handout_with_answers ? "-answers" : "");
  if (what == Export::recording) return "upsweep-" + shown_algorithm();
  const std::string part = is_of_window(what) ? tr("window") : exported_view().name;
  return fmt::format("upsweep-{}-{}{}", shown_algorithm(), part, is_of_steps(what) ? "-steps" : "");
}

int Frame::shown_step() const { return session_.compares() ? session_.pair() : session_.cursor().step; }

std::string Frame::command_text() const {
  const Request state = session_.state();
  std::string text = "upsweep render " + run_arguments(state);
  if (session_.compares() && !state.change->empty()) text += compare_arguments(read_request(*state.change));
  text += fmt::format(" --view {}", exported_view().name);
  const bool shows_time = exported_view().shows_time && session_.cursor().time >= 0 && !session_.compares();
  if (shows_time) text += fmt::format(" --time {}", session_.cursor().time);
  else text += fmt::format(" --step {}", shown_step() + 1);
  if (session_.cursor().block > 0 || shows_time)
    text += fmt::format(" --at-block {}", session_.cursor().block);
  if (session_.cursor().request >= 0 && !session_.compares() && !shows_time)
    text += fmt::format(" --request {}", session_.cursor().request + 1);
  if (session_.cursor().finding >= 0 && !session_.compares())
    text += fmt::format(" --finding {}", session_.cursor().finding + 1);
  const StepPictures p = exported_pictures();
  const PicturePaper paper = paper_for(Export::png, p.width, p.height);
  if (scale_ != 1) text += fmt::format(" --scale {}", scale_);
  return text + fmt::format(" --theme {} --size {}x{} --caption -o {}.png",
                            theme_name(session_.looks.dark, session_.looks.contrast), paper.width,
                            paper.height, export_name(Export::png));
}

Scene Frame::scene() const {
  Painter p(theme(), width_, height_);
  p.scene.background = theme().background;
  for_each_scene(
      [&](const Scene& scene, float x, float y, std::uint64_t) { append_moved(p.scene, scene, x, y); });
  const float bar = layout_[Part::top_bar].h;
  if (bar > 0)
    p.text({p.margin, bar / 2},
           cut(caption_of_run(session_.recording(), session_.cursor().hides_answer), 16, Face::bold,
               width_ - 2 * p.margin),
           theme().text, 16, Face::bold);
  p.scene.targets.clear();
  return std::move(p.scene);
}

void Frame::export_as(Export what) {
  if (what == Export::chart) return press({Action::save_chart, 0});
  if (what == Export::command) return copy([&] { return command_text(); });
  if (what == Export::state) return copy([&] { return state_text(session_.state()); });
  if (export_runs_)
    return session_.complain(tr("Another export is running: wait until this export ends, or press Esc."));
  if (what == Export::recording)
    return begin_export([&] {
      return recording_work(session_.shared_recording(), place_text(session_.state()),
                            target_of(what, paper_for(what, width_, height_)));
    });
  if (is_of_window(what)) {
    window_export_ = what;
    frames_to_window_ = 3;  // after 3 frames, the list of exports is no longer visible
    return session_.dismiss_banner();
  }
  if (is_of_lesson(what)) {
    if (!player_.is_open()) return;
    return begin_export([&] {
      return handout_work(player_.opened(), what == Export::handout_with_answers,
                          target_of(what, paper_for(what, width_, height_)));
    });
  }
  begin_export([&] {
    StepPictures p = exported_pictures();
    const int step = shown_step();
    const PicturePaper paper = paper_for(what, p.width, p.height);
    ExportTarget target = target_of(what, paper);
    return is_of_steps(what) ? every_step_work(std::move(p), paper, std::move(target))
                             : one_step_work(std::move(p), step, paper, std::move(target));
  });
}

// Returns the target of an export. Throws an error if the export cannot be drawn or written. So the error
// appears before any work begins.
ExportTarget Frame::target_of(Export what, const PicturePaper& paper) const {
  expect_possible(paper);
  ExportTarget target{save_folder(), export_name(what), what == Export::clipboard};
  if (!target.to_clipboard) expect_writable((target.folder / (target.name + paper.ending)).string());
  return target;
}

// Gets an ExportWork from make(), and begins to run the ExportWork in another thread.
template <class F>
void Frame::begin_export(F make) {
  try {
    ExportWork work = make();
    if (!exporter_)
      exporter_ =
          std::make_unique<Exporter>([](const ExportWork& order, Job& job) { return order(job); }, nullptr);
    exporter_->begin(std::move(work));
    export_runs_ = true;
    export_began_ = std::chrono::steady_clock::now();
  } catch (const std::exception& e) { session_.complain(in_words(e)); }
}

void Frame::continue_export() {
  if (frames_to_window_ > 0 && --frames_to_window_ == 0)
    begin_export([&] {
      const PicturePaper paper = paper_for(window_export_, width_, height_);
      ExportTarget target = target_of(window_export_, paper);
      return paper.ending == ".png"
                 ? picture_work(framebuffer_picture(paper.width, paper.height), std::move(target))
                 : scene_work(scene(), paper, std::move(target));
    });
  if (!export_runs_) return;
  // Calls busy() before take(), because the export may end between the two calls. If the exporter was not
  // busy and take() returns nullopt, the export has failed.
  const bool is_busy = exporter_->busy();
  if (auto saved = exporter_->take()) return finish_export(std::move(*saved));
  if (!is_busy) return finish_export({tr("The export failed. Nothing was saved."), true});
  if (std::chrono::steady_clock::now() - export_began_ > quick)
    session_.tell(
        tr("The export is {:.0f} % done. Esc cancels it.", std::floor(100 * exporter_->progress())));
}

void Frame::finish_export(Saved saved) {
  export_runs_ = false;
  if (saved.has_failed) return session_.complain(saved.sentence);
  if (!saved.picture.empty()) {
    try {
      if (!clipboard_) clipboard_ = std::make_unique<PictureClipboard>();
      clipboard_->offer(std::move(saved.picture));
    } catch (const std::exception& e) { return session_.complain(in_words(e)); }
  }
  session_.tell(saved.sentence);
}

void Frame::cancel_export() {
  // If the export has already ended, shows its result, because nothing is left to cancel.
  if (auto saved = exporter_->take()) return finish_export(std::move(*saved));
  export_runs_ = false;
  exporter_->cancel();
  session_.tell(tr("The export was cancelled. Nothing was saved."));
}

}  // namespace upsweep
