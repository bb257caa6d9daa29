// Draws pictures with depth of field for the view "Image". Draws on the GPU, or on the CPU if the computer
// has no GPU. The pictures are drawn in threads other than the window's thread.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "analysis/recorded_table.hpp"
#include "study/worker.hpp"

namespace upsweep {

class LensDrawing {
 public:
  using Scene = std::shared_ptr<const LensScene>;
  using Draw = std::function<LensFrame(const Scene&, const Lens&)>;
  // A function that opens the GPU and returns the function that draws on the GPU. The drawing thread calls
  // the opener. The opener throws RequestError if there is no GPU.
  using Opener = std::function<Draw()>;

  // `wake` is called from another thread when tick() can pick up a result.
  LensDrawing(Opener open, std::function<void()> wake) : open_(std::move(open)), wake_(std::move(wake)) {}

  // Returns the newest frame of a scene, or a frame without pixels if no frame is complete yet. If the newest
  // frame was drawn with another lens, begins to draw a frame with this lens.
  //
  // `on_gpu` says whether a GPU may draw. Until the GPU has drawn its first frame of the scene, and after an
  // error of the GPU, the CPU draws the frames.
  std::shared_ptr<const LensFrame> frame(const Scene& scene, const Lens& lens, bool on_gpu);
  // Picks up new frames from the other threads. Returns true if there was a new frame.
  bool tick();
  // Waits for the frames that are being drawn, at most this many seconds for each frame.
  void wait(double seconds);

 private:
  struct Order {
    Scene scene;
    Lens lens;
    bool on_gpu = false;
    std::int64_t number = 0;     // later orders have greater numbers
    std::string gpu_error = {};  // see LensFrame
    bool asks_for(const Order& o) const { return scene == o.scene && lens == o.lens && on_gpu == o.on_gpu; }
  };
  struct Drawn {
    Order order;
    std::shared_ptr<const LensFrame> frame;  // null if the GPU failed
    std::string failure;                     // says why the GPU failed; empty if the GPU had no error
  };
  using Thread = std::unique_ptr<Worker<Order, Drawn>>;  // null until the thread is needed

  void begin(Thread& thread, std::int64_t& last, Worker<Order, Drawn>::Work work);
  bool take(Thread& thread);
  bool shows_gpu_frame_of(const Scene& scene) const;

  const Opener open_;
  const std::function<void()> wake_;
  bool gpu_failed_ = false;  // if true, the GPU is never used again
  std::string failure_;
  Order wanted_;
  Drawn shown_;
  std::int64_t last_on_gpu_ = 0, last_on_cpu_ = 0;  // the number of each thread's newest order
  // Declared last, so that the threads end before the members that they use are destroyed.
  Thread cpu_, gpu_;
};

// Opens this computer's GPU, see LensDrawing::Opener.
LensDrawing::Draw open_gpu_lens();

}  // namespace upsweep
