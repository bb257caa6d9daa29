#include "window/picture_encoder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/language.hpp"
#include "export/animation.hpp"
#include "export/export.hpp"
#include "picture/write_png.hpp"
#include "render/render.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

struct Canvas {
  Canvas(int width, int height) : context(width, height) {}
  OffscreenContext context;
  Renderer renderer;
};

}  // namespace

struct PictureEncoder::Parts {
  std::unique_ptr<Canvas> canvas;  // null until the first scene is drawn in pixels
  std::unique_ptr<PdfDocument> document;
  std::unique_ptr<Animation> animation;
};

bool is_animation(std::string_view ending) { return ending == ".gif" || ending == ".webm"; }

void expect_possible(const PicturePaper& paper) {
  if (!is_animation(paper.ending)) return;
  if (paper.ending == ".webm" && !has_webm())
    throw WorkError(tr("This Upsweep was built without libvpx, so it cannot write WebM: choose .gif."));
  const auto pixels = static_cast<long long>(paper.width) * paper.height;
  if (std::max(paper.width, paper.height) > most_animated_side || pixels > most_animated_pixels)
    throw RequestError(
        tr("Animations of {} x {} pixels are too large: choose at most {} pixels on each side, and {} pixels "
           "in all.",
           grouped(paper.width), grouped(paper.height), grouped(most_animated_side),
           grouped(most_animated_pixels)));
  if (!(paper.speed >= slowest_animation && paper.speed <= fastest_animation))
    throw RequestError(tr("An animation shows {} to {} steps per second, not {}.", slowest_animation,
                          fastest_animation, paper.speed));
}

PictureEncoder::PictureEncoder(PicturePaper paper, int count)
    : paper_(std::move(paper)), left_(count), parts_(std::make_unique<Parts>()) {
  expect_possible(paper_);
  if (paper_.ending == ".pdf") parts_->document = std::make_unique<PdfDocument>();
  if (is_animation(paper_.ending))
    parts_->animation = animation_for(paper_.ending, paper_.width, paper_.height);
}

PictureEncoder::~PictureEncoder() = default;

std::string PictureEncoder::add(const Scene& scene) {
  if (paper_.ending == ".svg") return svg(scene);
  if (parts_->document) {
    parts_->document->add_page(scene);
    return {};
  }
  if (!parts_->canvas) parts_->canvas = std::make_unique<Canvas>(paper_.width, paper_.height);
  Renderer& renderer = parts_->canvas->renderer;
  renderer.begin(paper_.width, paper_.height, scene.background);
  renderer.draw(scene, 0, 0, paper_.scale);
  for (const std::string& notice : renderer.notices())
    if (std::ranges::find(notices_, notice) == notices_.end()) notices_.push_back(notice);
  return add(parts_->canvas->context.read());
}

std::string PictureEncoder::add(const Picture& picture) {
  if (!parts_->animation) return png_bytes(picture, paper_.ending);
  const double seconds = 1 / paper_.speed;
  parts_->animation->add(picture, --left_ == 0 ? 3 * seconds : seconds);
  return {};
}

std::string PictureEncoder::finish() {
  return parts_->document ? parts_->document->finish() : parts_->animation->finish();
}

}  // namespace upsweep
