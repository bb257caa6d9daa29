#include "machine/emulator/aside.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace upsweep {
namespace {

// Sorts the memory ranges that one block accessed, and joins adjacent ranges.
void tidy(std::vector<Stretch>& touched) {
  const auto kind = [](const Stretch& s) { return std::tuple(s.buffer, s.store, s.talk); };
  std::ranges::sort(touched, {},
                    [&](const Stretch& s) { return std::tuple_cat(kind(s), std::tuple(s.begin)); });
  std::size_t kept = 0;
  for (const Stretch& s : touched) {
    if (kept > 0 && kind(touched[kept - 1]) == kind(s) && s.begin <= touched[kept - 1].end)
      touched[kept - 1].end = std::max(touched[kept - 1].end, s.end);
    else touched[kept++] = s;
  }
  touched.resize(kept);
}

// Adds the step labels `more` of another block. Returns false if the blocks give one step different labels.
bool join(std::vector<Step>& steps, const std::vector<Step>& more) {
  const auto common = static_cast<std::ptrdiff_t>(std::min(steps.size(), more.size()));
  if (!std::equal(steps.begin(), steps.begin() + common, more.begin())) return false;
  if (more.size() > steps.size()) steps = more;
  return true;
}

}  // namespace

KeptBuffers::KeptBuffers(const GlobalBuffers& memory, const std::vector<std::size_t>& chosen) {
  for (const std::size_t b : chosen) kept_.emplace_back(b, memory[b]);
}

void KeptBuffers::restore(GlobalBuffers& memory) const {
  for (const auto& [b, bytes] : kept_) std::ranges::copy(bytes, memory[b].begin());
}

bool Aside::end() {
  to_->recording.launch = &whole_;
  to_->dropped = run_.dropped;
  // If some events of the block were dropped, the full size of the block's recording is not known. In this
  // case, the code passes UINT32_MAX, which is larger than every limit.
  if (to_->recording.in_focus)
    options_.focus.note_end(to_->recording.block,
                            run_.dropped > 0 ? std::uint64_t{UINT32_MAX} : size_of(to_->recording));
  tidy(run_.touched);
  for (Stretch& s : run_.touched) s.block = to_->recording.block;
  touched_.insert(touched_.end(), run_.touched.begin(), run_.touched.end());
  return join(steps_, launch_.steps);
}

bool Aside::add_to_launch() {
  Run& run = *whole_.run;
  if (!join(whole_.steps, steps_)) return false;
  run.several_turns = run.several_turns || run_.several_turns;
  whole_.last_step = std::max(whole_.last_step, launch_.last_step);
  run.span = std::max(run.span, run_.span);
  if (whole_.operating.size() < launch_.operating.size()) whole_.operating.resize(launch_.operating.size());
  for (std::size_t step = 0; step < launch_.operating.size(); ++step)
    whole_.operating[step] += launch_.operating[step];
  for (const Count& c : launch_.counts.sorted()) {
    Count& to = whole_.counts.of(c.step, c.line, c.kind, c.detail);
    to.requests += c.requests;
    to.lanes += c.lanes;
    to.units += c.units;
    to.ideal += c.ideal;
  }
  return true;
}

std::size_t runner_count(std::size_t blocks, std::size_t threads_of_block, std::size_t pools) {
  constexpr std::size_t least_threads = 4096;
  return std::clamp<std::size_t>(blocks * threads_of_block / least_threads, 1, std::min(pools, blocks));
}

void show_progress(const ApartOptions& o, std::size_t finished) {
  if (o.job != nullptr && o.blocks_in_all > 0)
    o.job->set_progress(static_cast<double>(o.blocks_before + static_cast<std::int64_t>(finished)) /
                        static_cast<double>(o.blocks_in_all));
}

ApartResult result(Launch& launch, const Asides& asides, bool good, std::vector<BlockApart>& blocks,
                   const Focus& focus, GlobalBuffers& memory, const KeptBuffers& before) {
  if (launch.run->wanted.job != nullptr && launch.run->wanted.job->cancelled()) throw Unwanted();
  if (good) {
    std::vector<Stretch> touched;
    for (const auto& a : asides) touched.insert(touched.end(), a->touched().begin(), a->touched().end());
    good = !influence_each_other(touched);
  }
  std::uint64_t used = 0, dropped = 0;
  for (BlockApart& b : blocks) {
    if (!good) break;
    if (b.recording.in_focus && !focus.has(b.recording.block)) take_out_of_focus(b.recording);
    else dropped += b.dropped;
    used += size_of(b.recording);
  }
  good = good && (dropped > 0 || used <= launch.run->room);
  const std::uint32_t span = launch.run->span;
  for (const auto& a : asides) good = good && a->add_to_launch();
  if (good) {
    launch.run->room -= std::min(used, launch.run->room);
    launch.run->dropped += dropped;
    return {.blocks = std::move(blocks)};
  }
  launch.counts = {};
  launch.steps.clear();
  launch.last_step = 0;
  launch.operating.clear();
  launch.run->span = span;
  before.restore(memory);
  return {.influence = Influence::other};
}

}  // namespace upsweep
