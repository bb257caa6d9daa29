// Lists the figures of books and articles that Upsweep reproduces.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/language.hpp"
#include "timing/figures.hpp"

namespace upsweep {
namespace {

constexpr double us = 1e-6, ms = 1e-3;

constexpr const char* gems =
    tr_noop("[GEMS] Harris, Sengupta, Owens: Parallel Prefix Sum (Scan) with CUDA, GPU Gems 3, ch. 39, 2007");

std::vector<int> sizes(int least_power, int most_power) {
  std::vector<int> all;
  for (int power = least_power; power <= most_power; power++) all.push_back(1 << power);
  return all;
}

// Returns the entry of a kernel. `choices` contains only the options that differ from the default options.
// `variant` is the Timing::variant of a kernel with these options.
FigureEntry kernel(std::string label, std::string name, std::vector<double> published = {},
                   std::string variant = {}, std::map<std::string, std::string> choices = {}) {
  FigureEntry e;
  e.label = std::move(label);
  e.name = e.settings.algorithm = std::move(name);
  e.published = std::move(published);
  e.variant = std::move(variant);
  e.settings.choices = std::move(choices);
  return e;
}

FigureEntry peer(std::string label, Contender contender, std::string name,
                 std::vector<double> published = {}) {
  FigureEntry e;
  e.label = std::move(label);
  e.contender = contender;
  e.name = std::move(name);
  e.published = std::move(published);
  return e;
}

// Returns an entry for a part of `whole`. The part consists of all launches of these kernels.
FigureEntry part_of(const FigureEntry& whole, std::string label, std::vector<std::string> kernels,
                    std::vector<double> published) {
  FigureEntry e = whole;
  e.label = std::move(label);
  e.contender = Contender::part;
  e.variant += fmt::format(", {}", fmt::join(kernels, " + "));
  e.part = std::move(kernels);
  e.published = std::move(published);
  return e;
}

FigureEntry limited(FigureEntry e, int most_n) {
  e.most_n = most_n;
  return e;
}

FigureEntry with_peak(FigureEntry e, double share) {
  e.peak_share = share;
  return e;
}

using Choices = std::map<std::string, std::string>;
Choices with(Choices choices, const std::string& choice, const std::string& option) {
  choices[choice] = option;
  return choices;
}

const Choices exclusive = {{"gives", "exclusive"}}, padded = {{"layout", "pad32"}},
              padded_exclusive = {{"gives", "exclusive"}, {"layout", "pad32"}};

Figure gems_39_7() {
  return {
      .kind = Figure::Kind::sweep,
      .name = "gems-39-7",
      .title = tr_noop("GPU Gems 3, figure 39-7: scans and a CPU"),
      .source = gems,
      .publisher = tr_noop("GeForce 8800 GTX"),
      .sizes = sizes(10, 26),
      .entries = {peer(tr_noop("sequential CPU"), Contender::processor, "std::exclusive_scan"),
                  kernel(tr_noop("naive scan"), "scan_large", {}, tr_noop("double_buffer exclusive"),
                         {{"block_scan", "double_buffer"}, {"gives", "exclusive"}}),
                  kernel(tr_noop("work-efficient (padded)"), "scan_large", {}, "pad32 exclusive",
                         padded_exclusive),
                  kernel(tr_noop("best (padded, unrolled, 8 per thread)"), "scan_large", {},
                         "pad32 vectorized exclusive", with(padded_exclusive, "block_scan", "vectorized")),
                  kernel(tr_noop("OpenGL hybrid (inclusive)"), "scan_opengl_hybrid")},
      .claims = {{3, 0, 20, true}, {3, 1}, {3, 2, 2, true}, {2, 1}, {3, 4, 7, true}},
      .remarks = {
          tr_noop("In a scan of many blocks, each block scans only its own tile. So the naive scan needs "
                  "about log2(tile) additions for each element, not log2(n)."),
          tr_noop("The OpenGL scan has no shared memory, no barriers and no scattered writes. Each of its "
                  "passes reads "
                  "and writes global memory.")}};
}

Figure gems_39_8() {
  constexpr int one_block = 2048;
  return {
      .kind = Figure::Kind::sweep,
      .name = "gems-39-8",
      .title = tr_noop("GPU Gems 3, figure 39-8: padding and unrolling"),
      .source = gems,
      .publisher = tr_noop("GeForce 8800 GTX"),
      .sizes = sizes(6, 26),
      .entries = {limited(kernel(tr_noop("best (padded, unrolled)"), "scan_blelloch_unrolled", {}, "pad32",
                                 padded),
                          one_block),
                  limited(kernel(tr_noop("no padding"), "scan_blelloch_unrolled"), one_block),
                  limited(kernel(tr_noop("no unrolling"), "scan_blelloch", {}, "pad32", padded), one_block),
                  kernel(tr_noop("many blocks (padded)"), "scan_large", {}, "pad32 exclusive",
                         padded_exclusive),
                  kernel(tr_noop("many blocks (no padding)"), "scan_large", {}, "exclusive", exclusive),
                  kernel(tr_noop("many blocks (padded, unrolled)"), "scan_large", {},
                         "pad32 blelloch_unrolled exclusive",
                         with(padded_exclusive, "block_scan", "blelloch_unrolled"))},
      .claims = {{0, 1}, {0, 2}, {3, 4}, {5, 3}},
      .remarks = {tr_noop("The first three scans work in one block, and take up to 2 Ki elements.")}};
}

Figure gems_39_11() {
  return {.kind = Figure::Kind::sweep,
          .name = "gems-39-11",
          .title = tr_noop("GPU Gems 3, figure 39-11: stream compaction"),
          .source = gems,
          .publisher = tr_noop("GeForce 8800 GTX"),
          .has_operator = false,
          .sizes = sizes(10, 26),
          .entries = {kernel(tr_noop("gather search (Horn)"), "stream_compaction_gather_search"),
                      kernel(tr_noop("scan and scatter"), "stream_compaction"),
                      kernel("fused", "stream_compaction_fused"),
                      kernel(tr_noop("look-back (one launch)"), "stream_compaction_look_back"),
                      peer("CUB", Contender::library, "cub::DeviceSelect")},
          .claims = {{1, 0}},
          .remarks = {
              tr_noop("Half of the elements are kept, at random places."),
              tr_noop("To count the kept elements, the gather search makes almost log2(n) additions for each "
                      "element. The method scan and scatter makes about three additions for each element.")}};
}

// The published table has the times of a whole run, and of parts of the run, such as all its transposes
// together. So each entry is a whole run or such a part, not a single launch.
Figure gems_table_39_1() {
  const FigureEntry total =
      kernel("total", "summed_area_table", {1.64 * ms, 3.50 * ms}, "channels=3", {{"channels", "3"}});
  return {
      .kind = Figure::Kind::ladder,
      .name = "gems-table-39-1",
      .title = tr_noop("GPU Gems 3, table 39-1: parts of a summed-area table"),
      .source = gems,
      .publisher = tr_noop("GeForce 8800 GTX"),
      .what = tr_noop("summed-area table of three channels"),
      .has_operator = false,
      .sizes = {512 * 512, 1024 * 1024},
      .squares = true,
      .entries = {part_of(total, "(de)interleave", {"deinterleave", "interleave"}, {0.44 * ms, 0.96 * ms}),
                  part_of(total, "transpose", {"transpose"}, {0.23 * ms, 0.84 * ms}),
                  part_of(total, tr_noop("1D scans"), {"scan_rows"}, {0.97 * ms, 1.70 * ms}), total,
                  kernel(tr_noop("single pass"), "summed_area_table_single_pass", {}, "channels=3",
                         {{"channels", "3"}})},
      .claims = {},
      .remarks = {
          tr_noop("The time of a part is the sum of the times of its launches. Two CUDA events measure each "
                  "launch within a whole run, so the caches may contain data of earlier launches."),
          tr_noop("GPU Gems 3 uses four 1D scans. In Upsweep, two launches scan the rows and the columns of "
                  "all three channels."),
          tr_noop("The single pass has no parts: it is one launch.")}};
}

Figure csdn_unrolling() {
  return {
      .kind = Figure::Kind::ladder,
      .name = "csdn-unrolling",
      .title = tr_noop("Unrolling a reduction"),
      .source = tr_noop(
          "[CSDN] CUDA C (6): unrolling loops and dynamic parallelism, after Cheng et al., Professional "
          "CUDA C Programming"),
      .publisher = "CSDN",
      .type = Scalar::int32,
      .sizes = {1 << 24},
      .entries = {kernel(tr_noop("in place"), "reduce_global_in_place"),
                  kernel(tr_noop("unrolled by 2"), "reduce_global_in_place", {}, "fold=2", {{"fold", "2"}}),
                  kernel(tr_noop("unrolled by 4"), "reduce_global_in_place", {}, "fold=4", {{"fold", "4"}}),
                  kernel(tr_noop("unrolled by 8"), "reduce_global_in_place", {}, "fold=8", {{"fold", "8"}}),
                  kernel(tr_noop("last warp unrolled"), "reduce_global_in_place", {}, "fold=8 unrolled",
                         {{"fold", "8"}, {"last_warp", "unrolled"}}),
                  kernel(tr_noop("completely unrolled"), "reduce_global_in_place", {}, "fold=8 complete",
                         {{"fold", "8"}, {"last_warp", "complete"}}),
                  kernel(tr_noop("in shared memory"), "reduce_unrolled", {}, "fold=1", {{"fold", "1"}}),
                  kernel(tr_noop("shared, unrolled by 2"), "reduce_unrolled"),
                  kernel(tr_noop("shared, unrolled by 4"), "reduce_unrolled", {}, "fold=4", {{"fold", "4"}}),
                  kernel(tr_noop("shared, unrolled by 8"), "reduce_unrolled", {}, "fold=8", {{"fold", "8"}})},
      .claims = {{1, 0, 3.42}, {2, 1}, {3, 2}, {4, 3, 1.05}},
      .remarks =
          {tr_noop("The first six rows show the times of one kernel. In this kernel, a thread first combines "
                   "1, 2, 4 or 8 elements, and then the block reduces a tree. The fifth row differs from the "
                   "fourth row only in the last warp. In the sixth row, the compiler unrolls all strides."),
           tr_noop("In the article, the CPU adds up the blocks' values. In Upsweep, further launches add up "
                   "these values, and the times include these launches."),
           tr_noop("The last four rows show the times of another kernel, whose tree is in shared memory.")},
      .throughput = true};
}

Figure oneflow_ladder() {
  return {
      .kind = Figure::Kind::ladder,
      .name = "oneflow-ladder",
      .title = tr_noop("OneFlow's ladder of reductions"),
      .source = tr_noop("[OF] A classic problem of CUDA: reduction, OneFlow, 2021"),
      .publisher = tr_noop("OneFlow, 2021"),
      .sizes = {1 << 22},
      .entries = {kernel("serial", "reduce_serial", {100307 * us}),
                  kernel("two-pass", "reduce_two_pass_blocked", {92 * us}),
                  kernel("interleaved", "reduce_two_pass", {78 * us}),
                  kernel(tr_noop("shared tree"), "reduce_two_pass_tree", {46 * us}),
                  kernel("warp", "reduce_unrolled_warp", {40 * us}),
                  kernel("unrolled", "reduce_fully_unrolled", {38 * us}),
                  kernel(tr_noop("single pass"), "reduce_single_pass", {39 * us}),
                  kernel("shuffles", "reduce_shuffle"),
                  kernel(tr_noop("one atomic per thread"), "reduce_atomic", {2553 * us}),
                  peer("CUB", Contender::library, "cub::DeviceReduce", {49 * us})},
      .claims = {},
      .remarks = {tr_noop(
          "The article gives no time for shuffles. Shuffles did not make the article's reduction faster.")}};
}

// Lecture 4 says that Hillis-Steele may be faster than Brent-Kung, although Hillis-Steele applies the
// operator more often. The lecture also says that a sequential loop may be faster than parallel kernels.
Figure w4_times() {
  FigureEntry slow_blocks = kernel(tr_noop("Hillis-Steele, many blocks"), "scan_large", {}, "hillis_steele",
                                   {{"block_scan", "hillis_steele"}}),
              tree_blocks = kernel(tr_noop("Brent-Kung, many blocks"), "scan_large", {}, "brent_kung",
                                   {{"block_scan", "brent_kung"}});
  return {.kind = Figure::Kind::sweep,
          .name = "w4-times",
          .title = tr_noop("Work-efficient, but slower"),
          .source = tr_noop("[W4] Heterogeneous Parallel Programming, week 4, Hwu"),
          .publisher = "W4",
          .sizes = sizes(10, 22),
          .entries = {peer(tr_noop("sequential CPU"), Contender::processor, "std::inclusive_scan"),
                      limited(kernel(tr_noop("one thread per output"), "scan_per_output"), 4096),
                      limited(kernel("Hillis-Steele", "scan_hillis_steele"), 1024),
                      limited(kernel("Brent-Kung", "scan_brent_kung"), 2048), slow_blocks, tree_blocks},
          .claims = {{.faster = 2, .slower = 3, .may = true},
                     {.faster = 4, .slower = 5, .may = true},
                     {.faster = 0, .slower = 1, .may = true},
                     {.faster = 0, .slower = 5, .may = true}},
          .remarks = {tr_noop(
              "Hillis-Steele applies the operator more often than Brent-Kung, but needs fewer steps.")}};
}

Figure w4_operations() {
  return {
      .kind = Figure::Kind::operations,
      .name = "w4-operations",
      .title = tr_noop("Operations and steps"),
      .source = tr_noop("[W4] Heterogeneous Parallel Programming, week 4, Hwu"),
      .publisher = "formula",
      .sizes = sizes(3, 10),
      .entries = {with_peak(kernel("reduction", "reduce_sequential"), 0.5),
                  kernel("Hillis-Steele", "scan_hillis_steele"), kernel("Brent-Kung", "scan_brent_kung"),
                  kernel("Blelloch", "scan_blelloch"), kernel(tr_noop("sequential scan"), "scan_sequential")},
      .claims = {},
      .remarks = {}};
}

}  // namespace

std::span<const Figure> figures() {
  static const std::vector<Figure> all = {gems_39_7(),      gems_39_8(),      gems_39_11(), gems_table_39_1(),
                                          oneflow_ladder(), csdn_unrolling(), w4_times(),   w4_operations()};
  return all;
}

}  // namespace upsweep
