// Makes recordings by hand, for several tests.
#pragma once
#include "support/trace_builder.hpp"

namespace upsweep {

// Returns Blelloch's up-sweep of 8 elements by 4 threads, with a padding cell after every 4 elements.
inline Trace up_sweep() {
  TraceBuilder b(4, 8, 1, [](int i) { return i + i / 4; });
  b.step(Phase::load);
  for (const int half : {0, 4}) {
    const auto element = [=](int lane) { return lane + half; };
    b.line(10 + half);
    b.store(0xf, element, b.read_input(0xf, element, [=](int lane) { return 1 << (lane + half); }));
  }
  for (int stride = 1, d = 4; d > 0; stride *= 2, d /= 2) {
    b.barrier(0xf);
    b.step(Phase::up_sweep, stride);
    const std::uint32_t mask = (1u << d) - 1;
    b.line(20);
    const Origin left = b.load(mask, [=](int lane) { return stride * (2 * lane + 1) - 1; });
    b.line(21);
    const Origin right = b.load(mask, [=](int lane) { return stride * (2 * lane + 2) - 1; });
    b.line(22);
    b.store(
        mask, [=](int lane) { return stride * (2 * lane + 2) - 1; }, b.combine(mask, left, right));
  }
  b.step(Phase::clear, 0, false);
  b.line(30);
  b.store(
      1, [](int) { return 7; }, 0);
  b.barrier(0xf);
  b.step(Phase::store);
  b.line(40);
  for (const int half : {0, 4}) {
    const auto element = [=](int lane) { return lane + half; };
    b.write_output(0xf, element, b.load(0xf, element));
  }
  return b.trace;
}

// Returns a scan with two buffers and two strides, as in listing 39-1 of GPU Gems 3.
inline Trace double_buffer() {
  const auto same = [](int lane) { return lane; };
  TraceBuilder b(4, 4, 2);
  b.step(Phase::load);
  b.store(0xf, same, b.read_input(0xf, same, [](int lane) { return 1 << lane; }));
  int from = 0;
  for (const int stride : {1, 2}) {
    b.barrier(0xf);
    b.step(Phase::scan, stride);
    const Origin x = b.load(0xf, same, from);
    const std::uint32_t adds = 0xf & ~((1u << stride) - 1);
    const Origin left = b.load(
        adds, [=](int lane) { return lane - stride; }, from);
    const Origin sum = b.combine(adds, left, x);
    b.store(adds, same, sum, 0, 1 - from);
    b.store(0xf & ~adds, same, x, 0, 1 - from);
    from = 1 - from;
  }
  b.barrier(0xf);
  b.step(Phase::store);
  b.write_output(0xf, same, b.load(0xf, same, from));
  return b.trace;
}

}  // namespace upsweep
