// Saves what is on the screen as files, or copies the command that draws it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/error.hpp"
#include "export/export.hpp"
#include "panels/comparison_panel.hpp"
#include "panels/saved_files.hpp"
#include "picture/write_png.hpp"
#include "study/command_text.hpp"
#include "window/frame.hpp"
#include "window/imgui_compat.hpp"
#include "words/caption.hpp"
#include "words/compared.hpp"
#include "words/hidden_answer.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

constexpr float caption_height = 34, least_width = 640, least_height = 360;  // dp

}  // namespace

// Returns the view that is exported: the large one, or else the one over which the mouse last was.
const View& Frame::exported_view() const {
  const std::size_t slot = layout_.large_view >= 0 ? large_slot : exported_slot_;
  return views()[static_cast<std::size_t>(view_in(slot))];
}

Box Frame::exported_box() const {
  const std::size_t slot = layout_.large_view >= 0 ? large_slot : exported_slot_;
  const Box& box = box_of(slot);
  const float width = box.w * (session_.compares() ? 2.0f : 1.0f);
  return {0, 0, std::max(std::round(width), least_width), std::max(std::round(box.h), least_height)};
}

// Returns the picture of the exported view in a step (a pair of steps in a comparison), with its caption.
Scene Frame::exported_scene(const View& view, const Box& size, int step) {
  Painter p(theme(), size.w, size.h + caption_height);
  p.scene.background = theme().background;
  std::string caption;
  if (session_.compares()) {
    session_.go_to_pair(step);
    Cursor baseline = session_.cursor(), changed = session_.changed_cursor();
    baseline.hover = changed.hover = {};
    append_moved(p.scene,
                 comparison_scene(view, compared_runs(session_), baseline, changed, theme(), size.w, size.h),
                 0, 0);
    caption = fmt::format(
        "{} · B: {} · step {} of {}", caption_of_run(session_.recording(), session_.cursor().hides_answer),
        side_name(*session_.changed(), session_.recording(), session_.cursor().hides_answer), step + 1,
        session_.pairs().size());
  } else {
    session_.go_to(step);
    Cursor cursor = session_.cursor();
    cursor.hover = {};
    append_moved(p.scene,
                 draw_view(view, {.recording = session_.recording(),
                                  .cursor = cursor,
                                  .theme = theme(),
                                  .width = size.w,
                                  .height = size.h}),
                 0, 0);
    caption = caption_of_run(session_.recording(), session_.cursor().hides_answer) + " · " +
              caption_of_step(session_.recording(), step);
  }
  p.line({p.margin, size.h + 0.5f}, {p.width - p.margin, size.h + 0.5f}, theme().line);
  p.text({p.margin, size.h + caption_height / 2}, cut(caption, 12, Face::regular, p.width - 2 * p.margin),
         theme().faint_text, 12);
  return std::move(p.scene);
}

Picture Frame::pixels_of(const Scene& scene) {
  const int width = static_cast<int>(std::round(scene.width * scale_)),
            height = static_cast<int>(std::round(scene.height * scale_));
  const PictureTarget target(width, height);
  renderer_.begin(width, height, scene.background);
  renderer_.draw(scene, 0, 0, scale_);
  return target.read();
}

// Returns the algorithm's name for a file's name. The name of a broken kernel would say what is wrong.
std::string Frame::shown_algorithm() const {
  const std::string& name = session_.recording().trace.settings.algorithm;
  return hides_answer(session_.recording(), session_.cursor()) ? without_name(name) : name;
}

std::string Frame::export_name(const View& view) const {
  return fmt::format("upsweep-{}-{}", shown_algorithm(), view.name);
}

int Frame::shown_step() const { return session_.compares() ? session_.pair() : session_.cursor().step; }

std::string Frame::command_text() const {
  const Request state = session_.state();
  std::string text = "upsweep render " + run_arguments(state);
  if (session_.compares() && !state.change->empty()) text += compare_arguments(read_request(*state.change));
  const View& view = exported_view();
  text += fmt::format(" --view {} --step {}", view.name, shown_step() + 1);
  if (session_.cursor().block > 0) text += fmt::format(" --at-block {}", session_.cursor().block);
  if (session_.cursor().request >= 0 && !session_.compares())
    text += fmt::format(" --request {}", session_.cursor().request + 1);
  if (session_.cursor().finding >= 0 && !session_.compares())
    text += fmt::format(" --finding {}", session_.cursor().finding + 1);
  const Box size = exported_box();
  return text + fmt::format(" --theme {} --size {}x{} -o {}.png", session_.looks.dark ? "dark" : "light",
                            size.w, size.h, export_name(view));
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
  if (what == Export::window) {
    frames_to_window_ = 3;  // then the list has disappeared
    return session_.dismiss_banner();
  }
  if (what == Export::command) {
    try {
      const std::string text = command_text();
      ImGui::SetClipboardText(text.c_str());
      session_.tell(fmt::format("Copied: {}", text));
    } catch (const std::exception& e) { session_.complain(in_words(e)); }
    return;
  }
  const View& view = exported_view();
  if (what == Export::every_step) {
    if (session_.playing()) session_.toggle_playing();
    steps_export_ = std::make_unique<StepsExport>();
    steps_export_->recording = session_.shared_recording();
    steps_export_->view = &view;
    steps_export_->size = exported_box();
    steps_export_->back_to = shown_step();
    return;
  }
  save([&](const auto& folder) {
    const Scene scene = exported_scene(view, exported_box(), shown_step());
    const std::string name = export_name(view);
    const std::string ending = what == Export::png ? ".png" : what == Export::svg ? ".svg" : ".pdf";
    return save_bytes(folder, name, ending,
                      what == Export::png   ? png_bytes(pixels_of(scene), name + ending)
                      : what == Export::svg ? svg(scene)
                                            : pdf(scene));
  });
}

// Draws further pages for at most one frame's time, so that the window still answers.
void Frame::continue_export() {
  if (frames_to_window_ > 0 && --frames_to_window_ == 0)
    save([&](const auto& folder) {
      const Picture picture = framebuffer_picture(static_cast<int>(std::lround(width_ * scale_)),
                                                  static_cast<int>(std::lround(height_ * scale_)));
      const std::string name = fmt::format("upsweep-{}-window", shown_algorithm());
      return save_bytes(folder, name, ".png", png_bytes(picture, name + ".png"));
    });
  if (!steps_export_) return;
  StepsExport& e = *steps_export_;
  if (e.recording != session_.shared_recording()) {
    steps_export_.reset();
    return session_.complain("The export was ended, because another run is shown now.");
  }
  const int all = session_.compares() ? static_cast<int>(session_.pairs().size()) : session_.step_count();
  const auto begin = std::chrono::steady_clock::now();
  try {
    while (e.next < all && std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(12))
      e.document.add_page(exported_scene(*e.view, e.size, e.next++));
    session_.tell(fmt::format("Step {} of {} is drawn. Esc cancels.", e.next, all));
    if (e.next < all) return;
    const std::string bytes = e.document.finish(), name = export_name(*e.view) + "-steps";
    end_export();
    save([&](const auto& folder) { return save_bytes(folder, name, ".pdf", bytes); });
  } catch (const std::exception& error) {
    end_export();
    session_.complain(in_words(error));
  }
}

void Frame::end_export() {
  const auto ended = std::move(steps_export_);
  if (session_.compares()) session_.go_to_pair(ended->back_to);
  else session_.go_to(ended->back_to);
}

}  // namespace upsweep
