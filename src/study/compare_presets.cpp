#include "study/compare_presets.hpp"

#include <vector>

#include "base/language.hpp"
#include "machine/machine.hpp"

namespace upsweep {

std::span<const ComparePreset> compare_presets() {
  static const std::vector<ComparePreset> all = {
      {tr_noop("No padding, pad32"),
       tr_noop("Without padding, the lanes of a warp use fewer and fewer banks. One padding word after every "
               "32 words spreads the lanes over different banks."),
       {.algorithm = "scan_blelloch", .n = 1024, .choices = {{"layout", "none"}}},
       {.choices = {{"layout", "pad32"}}}},
      {tr_noop("Interleaved, sequential addressing"),
       tr_noop("Both reductions add the same number of pairs. With interleaved addressing, the working "
               "threads are spread over all warps. With sequential addressing, the working threads are "
               "neighbours, and the other warps only wait at the barrier."),
       {.algorithm = "reduce_interleaved", .n = 256},
       {.algorithm = "reduce_sequential"}},
      {tr_noop("One buffer, two buffers"),
       tr_noop("With one buffer, each step needs two barriers: one after the loads and one after the stores. "
               "With "
               "two buffers, one barrier is enough."),
       {.algorithm = "scan_hillis_steele", .n = 32},
       {.algorithm = "scan_double_buffer"}},
      {tr_noop("Blelloch, Brent-Kung"),
       tr_noop(
           "Both scans build the same tree. Then Blelloch's scan clears the root and passes sums down. Brent "
           "and Kung's scan adds finished sums to later elements, and computes the inclusive scan."),
       {.algorithm = "scan_blelloch", .n = 64},
       {.algorithm = "scan_brent_kung"}},
      {tr_noop("Looped, unrolled"),
       tr_noop(
           "In the unrolled reduction, the last six steps run in one warp, without a loop and without block "
           "barriers."),
       {.algorithm = "reduce_sequential", .n = 512},
       {.algorithm = "reduce_unrolled_warp"}},
      {tr_noop("Shared memory, shuffles"),
       tr_noop(
           "A shuffle moves a value from lane to lane without shared memory and without a barrier. But the "
           "scan with shuffles takes more operations: it scans the elements, and then the sums of the "
           "warps."),
       {.algorithm = "scan_hillis_steele", .n = 32},
       {.algorithm = "scan_warp_shuffle"}},
      {tr_noop("Three launches, look-back"),
       tr_noop(
           "The three launches together read every element twice. Look-back needs one launch and reads every "
           "element once. Each thread of look-back scans 15 elements: with fewer elements per thread, the "
           "blocks exchange more sums, and the traffic and the time grow."),
       {.algorithm = "scan_reduce_then_scan", .n = 1024, .block = 32},
       {.algorithm = "scan_decoupled_lookback", .block = 32, .choices = {{"items", "15"}}}},
      {tr_noop("This GPU, the emulator"),
       tr_noop("The emulator runs the same kernel and records the same events. Only the order of blocks and "
               "warps "
               "can differ."),
       {.algorithm = "scan_blelloch", .n = 64, .machine = MachineChoice::gpu},
       {.machine = MachineChoice::emulated}},
  };
  return all;
}

std::vector<const ComparePreset*> possible_presets() {
  std::vector<const ComparePreset*> possible;
  for (const ComparePreset& p : compare_presets())
    if ((p.baseline.machine != MachineChoice::gpu && p.change.machine != MachineChoice::gpu) || has_gpu())
      possible.push_back(&p);
  return possible;
}

}  // namespace upsweep
