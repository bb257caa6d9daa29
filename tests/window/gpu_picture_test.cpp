// Tests how long a GPU takes to record a block, and how long drawing all views takes. Needs a GPU: run by
// `./test --gpu`.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <iostream>

#include "catalogue/data.hpp"
#include "machine/gpu/gpu.hpp"
#include "render/render.hpp"
#include "scene/views/views.hpp"
#include "study/recording.hpp"

namespace upsweep {
namespace {

// After the kernel has been compiled, recording 1,024 elements, analysing the recording and drawing all views
// must together take less than 50 ms.
TEST(Gpu, RecordsAnalysesAndDrawsABlockInUnder50Milliseconds) {
  constexpr int width = 1920, height = 1080;
  const OffscreenContext context(width, height);
  Renderer renderer;
  std::cout << "drawn by " << context.renderer() << "\n";
  Gpu gpu;
  for (const char* name : {"reduce_interleaved", "reduce_sequential", "scan_hillis_steele",
                           "scan_double_buffer", "scan_brent_kung", "scan_blelloch"}) {
    const Algorithm& a = algorithm(name);
    Settings s{.algorithm = a.name, .n = 1024};
    s.block = smallest_block(a, s);
    const std::vector<Value> input = seeded_data(s, 1);
    std::vector<double> recorded, analysed, drawn;  // milliseconds
    for (int i = 0; i < 21; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      const auto elapsed = [&] {
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
      };
      Trace trace = gpu.record(s, input);
      recorded.push_back(elapsed());
      const Recording r = make_recording(std::move(trace));
      analysed.push_back(elapsed());
      Cursor cursor;
      cursor.step = 5;
      renderer.begin(width, height, dark_theme().background);
      for (const View& view : views())
        renderer.draw(draw_view(view, {r, cursor, dark_theme(), width / 2, height / 2}), 0, 0, 1);
      EXPECT_EQ(context.read().columns, width);
      drawn.push_back(elapsed());
    }
    const auto median = [](std::vector<double>& ms) {  // leaves out the first run, which compiles the kernel
      std::sort(ms.begin() + 1, ms.end());
      return ms[11];
    };
    std::cout << fmt::format(
        "{:<20} recorded after {:.2f} ms, analysed after {:.2f} ms, drawn after {:.2f} ms (medians of 20; "
        "slowest {:.2f} ms)\n",
        a.name, median(recorded), median(analysed), median(drawn), drawn.back());
    EXPECT_LT(median(drawn), 50) << a.name;
  }
}

}  // namespace
}  // namespace upsweep
