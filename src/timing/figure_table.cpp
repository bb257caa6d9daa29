// The table of figures, with everything that is known about each.
#include "timing/figures.hpp"

namespace upsweep {
namespace {

constexpr double us = 1e-6;

std::vector<int> sizes(int least_power, int most_power) {
  std::vector<int> all;
  for (int power = least_power; power <= most_power; power++) all.push_back(1 << power);
  return all;
}

// A kernel with choices other than its first ones; `variant` is the name of its rows.
FigureEntry kernel(std::string label, std::string name, double published = 0, std::string variant = {},
                   std::map<std::string, std::string> choices = {}) {
  FigureEntry e;
  e.label = std::move(label);
  e.name = e.settings.algorithm = std::move(name);
  e.published = published;
  e.variant = std::move(variant);
  e.settings.choices = std::move(choices);
  return e;
}

FigureEntry peer(std::string label, Contender contender, std::string name, double published = 0) {
  FigureEntry e;
  e.label = std::move(label);
  e.contender = contender;
  e.name = std::move(name);
  e.published = published;
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

const std::map<std::string, std::string> exclusive = {{"gives", "exclusive"}}, padded = {{"layout", "pad32"}},
                                         padded_exclusive = {{"gives", "exclusive"}, {"layout", "pad32"}};

Figure gems_39_7() {
  return {
      .kind = Figure::Kind::sweep,
      .name = "gems-39-7",
      .title = "GPU Gems 3, figure 39-7: scans and a CPU",
      .source =
          "[GEMS] Harris, Sengupta, Owens: Parallel Prefix Sum (Scan) with CUDA, GPU Gems 3, ch. 39, 2007",
      .publisher = "GeForce 8800 GTX",
      .sizes = sizes(10, 26),
      .entries = {peer("sequential CPU", Contender::processor, "std::exclusive_scan"),
                  kernel("naive scan", "scan_large", 0, "double_buffer exclusive",
                         {{"block_scan", "double_buffer"}, {"gives", "exclusive"}}),
                  kernel("work-efficient (padded)", "scan_large", 0, "pad32 exclusive", padded_exclusive)},
      .claims = {{2, 0, 20, true}, {2, 1}},
      .remarks = {"The source has an OpenGL scan as well, which its best was up to 7 × as fast as: it is not "
                  "in the catalogue, and no line here.",
                  "The source's best unrolls its loops and takes eight elements per thread; scan_large takes "
                  "two and has loops."}};
}

Figure gems_39_8() {
  constexpr int one_block = 2048;
  return {
      .kind = Figure::Kind::sweep,
      .name = "gems-39-8",
      .title = "GPU Gems 3, figure 39-8: padding and unrolling",
      .source =
          "[GEMS] Harris, Sengupta, Owens: Parallel Prefix Sum (Scan) with CUDA, GPU Gems 3, ch. 39, 2007",
      .publisher = "GeForce 8800 GTX",
      .sizes = sizes(6, 26),
      .entries = {limited(kernel("best (padded, unrolled)", "scan_blelloch_unrolled", 0, "pad32", padded),
                          one_block),
                  limited(kernel("no padding", "scan_blelloch_unrolled"), one_block),
                  limited(kernel("no unrolling", "scan_blelloch", 0, "pad32", padded), one_block),
                  kernel("many blocks (padded)", "scan_large", 0, "pad32 exclusive", padded_exclusive),
                  kernel("many blocks (no padding)", "scan_large", 0, "exclusive", exclusive)},
      .claims = {{0, 1}, {0, 2}, {3, 4}},
      .remarks = {
          "The unrolled scan works in one block, up to 2 Ki elements; scan_large, for any n, has loops, "
          "padded or not."}};
}

Figure csdn_unrolling() {
  return {
      .kind = Figure::Kind::ladder,
      .name = "csdn-unrolling",
      .title = "Unrolling a reduction",
      .source =
          "[CSDN] CUDA C (6): unrolling loops and dynamic parallelism, after Cheng et al., Professional "
          "CUDA C Programming",
      .publisher = "CSDN",
      .type = Scalar::int32,
      .sizes = {1 << 24},
      .entries = {kernel("in place", "reduce_global_in_place"), kernel("unrolled by 2", "reduce_unrolled"),
                  kernel("unrolled by 4", "reduce_unrolled", 0, "fold=4", {{"fold", "4"}}),
                  kernel("unrolled by 8", "reduce_unrolled", 0, "fold=8", {{"fold", "8"}}),
                  kernel("last warp unrolled", "reduce_unrolled_warp")},
      .claims = {{1, 0, 3.42}, {4, 3, 1.05}},
      .remarks = {"The source folds in global memory all the way; here reduce_unrolled goes on in shared "
                  "memory, and reduce_unrolled_warp strides over the array with a full grid."}};
}

Figure oneflow_ladder() {
  return {.kind = Figure::Kind::ladder,
          .name = "oneflow-ladder",
          .title = "OneFlow's ladder of reductions",
          .source = "[OF] A classic problem of CUDA: reduction, OneFlow, 2021",
          .publisher = "OneFlow, 2021",
          .sizes = {1 << 22},
          .entries = {kernel("serial", "reduce_serial", 100307 * us),
                      kernel("two-pass", "reduce_two_pass_blocked", 92 * us),
                      kernel("interleaved", "reduce_two_pass", 78 * us),
                      kernel("shared tree", "reduce_two_pass_tree", 46 * us),
                      kernel("warp", "reduce_unrolled_warp", 40 * us),
                      kernel("unrolled", "reduce_fully_unrolled", 38 * us),
                      kernel("single pass", "reduce_single_pass", 39 * us),
                      kernel("one atomic per thread", "reduce_atomic", 2553 * us),
                      peer("CUB", Contender::library, "cub::DeviceReduce", 49 * us)},
          .claims = {},
          .remarks = {}};
}

Figure w4_operations() {
  return {.kind = Figure::Kind::operations,
          .name = "w4-operations",
          .title = "Operations and steps",
          .source = "[W4] Heterogeneous Parallel Programming, week 4, Hwu",
          .publisher = "formula",
          .sizes = sizes(3, 10),
          .entries = {with_peak(kernel("reduction", "reduce_sequential"), 0.5),
                      kernel("Hillis-Steele", "scan_hillis_steele"), kernel("Brent-Kung", "scan_brent_kung"),
                      kernel("Blelloch", "scan_blelloch"), kernel("sequential scan", "scan_sequential")},
          .claims = {},
          .remarks = {}};
}

}  // namespace

std::span<const Figure> figures() {
  static const std::vector<Figure> all = {gems_39_7(), gems_39_8(), oneflow_ladder(), csdn_unrolling(),
                                          w4_operations()};
  return all;
}

}  // namespace upsweep
