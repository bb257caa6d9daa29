#include "study/gpu_lens.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/language.hpp"
#include "base/messages.hpp"
#include "catalogue/plan.hpp"
#include "embedded/lens.hpp"
#include "machine/gpu/loaded_kernels.hpp"
#include "measure/ready_launch.hpp"

namespace upsweep {
namespace {

// NVRTC, which compiles the kernels, has no standard library. So this text defines the parts of the standard
// library that the headers for both CPU and GPU use.
constexpr const char *lens_integers = R"(
namespace std {
using size_t = decltype(sizeof(0));
using uint8_t = unsigned char;
using uint32_t = unsigned;
using int64_t = long long;
}
)",
                     *lens_numbers = R"(
namespace std {
inline float abs(float x) { return fabsf(x); }
}
)",
                     *lens_algorithms = R"(
namespace std {
template <class N> N min(N a, N b) { return b < a ? b : a; }
template <class N> N max(N a, N b) { return a < b ? b : a; }
}
)";
constexpr const char* lens_kernels = R"(
#include "analysis/lens.hpp"

extern "C" __global__ void draw_pixels(const unsigned* cells, const float* depth, unsigned char* to, int rows, int columns,
                                       int channels, float focus, float blur, int most_reach) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < rows * columns)
    upsweep::LensPixels{cells, depth, to, rows, columns, channels}.draw(i / columns, i % columns, {focus, blur, most_reach});
}
)";

// Returns the settings with which the fastest kernel makes a scene's summed-area table. Throws RequestError
// if the scene is too large.
Settings settings_of_table(const Picture& colour) {
  Settings s{.algorithm = "summed_area_table_single_pass", .type = Scalar::uint32};
  s.n = static_cast<int>(std::min(std::int64_t{colour.rows} * colour.columns, std::int64_t{INT32_MAX}));
  s.columns = colour.columns;
  if (const Tuning* tuning = algorithm(s.algorithm).tuning(s.n, {})) {
    s.choices = tuning->choices;
    s.block = tuning->threads;
  }
  s.choose("channels", std::to_string(colour.channels));
  s.choose("pixels", "bytes");
  validate(s);
  return s;
}

std::uint64_t lens_slot(float number) { return slot(std::bit_cast<int>(number)); }

}  // namespace

Program lens_program() {
  Program p;
  p.file = tr("depth of field");
  p.text = lens_kernels;
  p.of_host = true;
  p.headers = {{"cstddef", lens_integers},
               {"cstdint", lens_integers},
               {"cmath", lens_numbers},
               {"algorithm", lens_algorithms}};
  for (const char* name : {"lens.hpp", "box_sum.hpp"})
    p.headers.emplace_back("analysis/" + std::string(name), embedded_lens(name));
  return p;
}

struct GpuLens::State {
  Device device;
  Stream stream;
  LoadedKernels kernels{device};
  Module own{compile(lens_program(), kernels.architecture()).image};
  std::shared_ptr<const LensScene> scene;
  Buffer colour, depth, table, scratch, drawn;
  ReadyKernel table_of_scene;
  TimeMark begin, end;
  int runs = 0;

  // Copies a scene to the GPU, and prepares the launches for scenes of this size.
  void take(const std::shared_ptr<const LensScene>& next) {
    if (scene == next) return;
    scene = nullptr;  // until the whole scene is copied
    const Picture& from = next->field.colour();
    const Settings s = settings_of_table(from);
    const Plan planned = plan(s);
    const MemoryLayout layout = memory_layout(planned, element_bytes(s));
    const std::size_t numbers = from.values.size();
    colour.write(from.values.data(), numbers);
    depth.write(next->field.depth().data(), next->field.depth().size() * sizeof(float));
    table.reserve(layout.outputs);
    scratch.reserve(layout.scratch);
    drawn.reserve(numbers);
    table_of_scene = ready_kernel(device, kernels.of(algorithm(s.algorithm), s, Mode::fast), planned,
                                  element_bytes(s), colour.address(), table.address(), scratch.address());
    table_of_scene.begin(stream);
    scene = next;
  }

  // Returns a launch of at least `count` threads.
  ReadyLaunch on_each(std::size_t count, const char* kernel, std::vector<std::uint64_t> slots) const {
    constexpr unsigned threads = 256;
    const auto blocks = static_cast<unsigned>((count + threads - 1) / threads);
    return {own.function(kernel), {blocks}, {threads}, 0, std::move(slots)};
  }
};

GpuLens::GpuLens() : state_(std::make_unique<State>()) {}

GpuLens::~GpuLens() { state_->device.use_quietly(); }

LensFrame GpuLens::frame(const std::shared_ptr<const LensScene>& scene, const Lens& lens) {
  State& g = *state_;
  g.device.use();
  g.take(scene);
  const Picture& colour = scene->field.colour();
  LensFrame frame{black_picture(colour.rows, colour.columns, colour.channels), g.device.name(), 0, {}};
  const ReadyLaunch draw = g.on_each(
      scene->field.depth().size(), "draw_pixels",
      {g.table.address(), g.depth.address(), g.drawn.address(), slot(colour.rows), slot(colour.columns),
       slot(colour.channels), lens_slot(lens.focus), lens_slot(lens.blur), slot(lens.most_reach)});
  const auto since = std::chrono::steady_clock::now();
  g.begin.record(g.stream);
  g.table_of_scene.queue(g.stream, ++g.runs);
  draw.queue(g.stream);
  g.end.record(g.stream);
  g.stream.read(frame.picture.values.data(), g.drawn.address(), frame.picture.values.size());
  frame.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count();
  return frame;
}

double GpuLens::seconds_on_gpu() const { return state_->end.since(state_->begin); }

}  // namespace upsweep
