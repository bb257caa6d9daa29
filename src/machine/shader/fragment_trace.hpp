// Makes a recording from the events that fragments have drawn. Nothing here needs OpenGL.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "catalogue/plan.hpp"
#include "machine/machine.hpp"
#include "machine/shader/fragment_log.hpp"
#include "machine/shader/pass_program.hpp"
#include "trace/trace.hpp"

namespace upsweep {

// Builds the grids, steps, events and counts of a trace, pass by pass. A pass is a grid with one step. The
// fragments of a pass are threads, in the order of the texels that they draw. 32 successive fragments are a
// warp.
class FragmentTrace {
 public:
  // The trace must have its settings and its buffers, and must live longer than this object.
  FragmentTrace(Trace& trace, const RecordOptions& options);

  // Begins a pass, and ends the pass before it.
  void begin_pass(const PlannedLaunch& launch, const KernelSignature& pass);
  // Adds the next `count` fragments of the pass. `count` is a multiple of the block's threads, except at the
  // end of the pass.
  void add(const DrawnEvents& drawn, std::int64_t count);
  // Ends the last pass. The trace is then complete, except for its input and output.
  void end_pass();

 private:
  void add_block(const DrawnEvents& drawn, std::size_t first, int threads);
  void add_warp(const DrawnEvents& drawn, std::size_t first, int lanes, int warp, bool in_focus);
  // The lanes of a warp that go on together. Their next events have the same kind, the same line, and the
  // same texture or target.
  struct Together;
  void count(const Together& t);
  void record(const Together& t, int warp,
              std::array<std::array<Origin, most_fragment_events + 1>, 32>& made);

  Trace& trace_;
  const RecordOptions options_;
  PassArguments arguments_;
  std::uint32_t block_ = 0;  // the next block of the pass
  // For each texel of each buffer: the length of the longest chain of operations that led to the texel's
  // number.
  std::vector<std::vector<std::uint32_t>> depths_;
  std::uint32_t time_ = 0;
  std::vector<Count> counts_;  // the counts of the pass
};

}  // namespace upsweep
