#include "study/lens_drawing.hpp"

#include <chrono>
#include <exception>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "study/gpu_lens.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

LensFrame draw_on_cpu(const LensScene& scene, const Lens& lens, std::string gpu_error) {
  const auto since = std::chrono::steady_clock::now();
  LensFrame frame{scene.field.seen_through(lens), {}, 0, std::move(gpu_error)};
  frame.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count();
  return frame;
}

}  // namespace

LensDrawing::Draw open_gpu_lens() {
  return [gpu = std::make_shared<GpuLens>()](const LensDrawing::Scene& scene, const Lens& lens) {
    return gpu->frame(scene, lens);
  };
}

std::shared_ptr<const LensFrame> LensDrawing::frame(const Scene& scene, const Lens& lens, bool on_gpu) {
  tick();
  if (const Order now{scene, lens, on_gpu, wanted_.number + 1}; !now.asks_for(wanted_)) wanted_ = now;
  const bool is_for_gpu = on_gpu && !gpu_failed_;
  if (is_for_gpu)
    begin(gpu_, last_on_gpu_, [open = open_, draw = Draw()](const Order& order, Job&) mutable -> Drawn {
      try {
        if (!draw) draw = open();
        return {order, std::make_shared<const LensFrame>(draw(order.scene, order.lens)), {}};
      } catch (const RequestError&) {
        return {order, nullptr, {}};  // there is no GPU, or the scene is too large for the GPU
      } catch (const std::exception& e) {
        draw = nullptr;
        return {order, nullptr, in_words(e)};
      }
    });
  if (!is_for_gpu || !shows_gpu_frame_of(scene))
    begin(cpu_, last_on_cpu_, [](const Order& order, Job&) -> Drawn {
      LensFrame frame = draw_on_cpu(*order.scene, order.lens, order.gpu_error);
      return {order, std::make_shared<const LensFrame>(std::move(frame)), {}};
    });
  static const auto none = std::make_shared<const LensFrame>();
  return shown_.order.scene == scene && shown_.frame ? shown_.frame : none;
}

// Begins the wanted order if the thread has not begun this order before. A running order is never cancelled.
// While a person drags the focus, new orders come very fast. If new orders cancelled running orders, no frame
// would be completed.
void LensDrawing::begin(Thread& thread, std::int64_t& last, Worker<Order, Drawn>::Work work) {
  if (last == wanted_.number || (thread && thread->busy())) return;
  if (!thread) thread = std::make_unique<Worker<Order, Drawn>>(std::move(work), wake_);
  last = wanted_.number;
  wanted_.gpu_error = wanted_.on_gpu ? failure_ : std::string();
  thread->begin(wanted_);
}

bool LensDrawing::tick() {
  const bool by_cpu = take(cpu_);
  return take(gpu_) || by_cpu;
}

bool LensDrawing::take(Thread& thread) {
  std::optional<Drawn> drawn = thread ? thread->take() : std::nullopt;
  if (!drawn) return false;
  const bool by_gpu = &thread == &gpu_;
  if (by_gpu && !drawn->frame) {
    gpu_failed_ = true;
    failure_ = drawn->failure;
    last_on_cpu_ = 0;  // so that begin() starts the wanted order on the CPU again
  }
  const bool is_late =
      !by_gpu && drawn->order.on_gpu && !gpu_failed_ && shows_gpu_frame_of(drawn->order.scene);
  if (drawn->frame && !is_late && drawn->order.number >= shown_.order.number) shown_ = std::move(*drawn);
  return true;
}

bool LensDrawing::shows_gpu_frame_of(const Scene& scene) const {
  return shown_.order.scene == scene && shown_.frame && !shown_.frame->gpu.empty();
}

void LensDrawing::wait(double seconds) {
  for (const Thread* thread : {&cpu_, &gpu_})
    if (*thread) (*thread)->wait(seconds);
}

}  // namespace upsweep
