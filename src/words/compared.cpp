#include "words/compared.hpp"

namespace upsweep {
namespace {

constexpr int lanes_of_warp = 32;

double requests(const Totals& t) {
  return static_cast<double>(t.shared_load.requests + t.shared_store.requests);
}
double wavefronts(const Totals& t) {
  return static_cast<double>(t.shared_load.wavefronts + t.shared_store.wavefronts);
}
double excess(const Totals& t) { return static_cast<double>(t.shared_load.excess + t.shared_store.excess); }
double sectors(const Totals& t) {
  return static_cast<double>(t.global_load.sectors + t.global_store.sectors);
}
double barriers(const Totals& t) { return static_cast<double>(t.barriers + t.warp_barriers); }
double operations(const Totals& t) { return static_cast<double>(t.operations); }

template <double (*quantity)(const Totals&)>
constexpr auto of_step = [](const StepFacts& f) { return std::optional<double>(quantity(f.totals)); };
template <double (*quantity)(const Totals&)>
constexpr auto of_run = [](const Recording& r) { return std::optional<double>(quantity(r.facts.totals)); };

std::optional<double> utilisation_of_step(const StepFacts& f) {
  if (f.working_warps == 0) return {};
  return static_cast<double>(f.active_lanes) / (lanes_of_warp * f.working_warps);
}

// The mean over all steps, each with the weight of its working warps.
std::optional<double> utilisation_of_run(const Recording& r) {
  double active = 0, lanes = 0;
  for (const StepFacts& f : r.facts.steps) {
    active += f.active_lanes;
    lanes += lanes_of_warp * f.working_warps;
  }
  if (lanes == 0) return {};
  return active / lanes;
}

std::optional<double> span_of_run(const Recording& r) {
  if (!r.work.span) return {};
  return static_cast<double>(*r.work.span);
}

constexpr Quantity all[] = {
    {"requests", "Warp requests to shared memory: loads and stores.", false, true, of_step<requests>,
     of_run<requests>},
    {"wavefronts", "The wavefronts that these requests take.", false, true, of_step<wavefronts>,
     of_run<wavefronts>},
    {"excess", "The wavefronts that bank conflicts add.", false, true, of_step<excess>, of_run<excess>},
    {"lane utilisation",
     "Of the lanes of all warps that work in a step, the share that works. It covers the blocks in focus.",
     true, true, utilisation_of_step, utilisation_of_run},
    {"barriers", "How often warps execute a barrier of a block or of a warp.", false, true, of_step<barriers>,
     of_run<barriers>},
    {"operations", "Applications of the operator, counted for each lane.", false, true, of_step<operations>,
     of_run<operations>},
    {"span", "The longest chain of operator applications in which each uses the result of the one before.",
     false, false, [](const StepFacts&) { return std::optional<double>(); }, span_of_run},
    {"traffic", "The sectors of 32 bytes that loads and stores of global memory move.", false, true,
     of_step<sectors>, of_run<sectors>}};

}  // namespace

std::span<const Quantity> compared_quantities() { return all; }

}  // namespace upsweep
