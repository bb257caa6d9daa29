// Runs and records the kernels of tests/bugs on a GPU:
//   planted_bug --list                lists all bugs: the expected finding (or "nothing"), and the name
//   planted_bug --compile             compiles all bugs for sm_90, with and without recorder; needs no GPU
//   planted_bug NAME                  runs one bug without the recorder, for a tool that watches the run
//   planted_bug --findings [NAME...]  records the named bugs (default: all), and says for each whether the
//                                     analysis reports the expected finding; exits with 1 if not
#include <fmt/format.h>

#include <exception>

#include "analysis/hazards.hpp"
#include "base/messages.hpp"
#include "catalogue/data.hpp"
#include "catalogue/plan.hpp"
#include "machine/gpu/gpu.hpp"
#include "machine/gpu/gpu_device.hpp"
#include "machine/gpu/gpu_program.hpp"
#include "support/planted_bugs.hpp"
#include "words/hazard_words.hpp"
#include "words/in_words.hpp"

namespace upsweep {
namespace {

std::vector<PlantedBug> all_bugs() {
  std::vector<PlantedBug> all;
  for (const std::string_view file : planted_bug_files)
    for (PlantedBug& bug : planted_bugs(file)) all.push_back(std::move(bug));
  return all;
}

// Runs a kernel with a planted bug once, without the recorder. Each buffer is exactly as large as needed.
// Before the run, the input is written, and buffers of words are set to zero. No other buffer is initialised.
void run(const PlantedBug& bug) {
  constexpr MessageId doing = MessageId::running_kernel;
  Device device;
  device.use();
  Stream stream;
  const Compiled compiled =
      compile(program(bug.algorithm, bug.settings, Mode::fast), architecture_for(device.architecture()));
  const Module module(compiled.image);
  const Plan p = plan(bug.algorithm, bug.settings);
  std::vector<Buffer> buffers(p.buffers.size());
  for (std::size_t b = 0; b < buffers.size(); ++b) {
    const auto bytes = static_cast<std::size_t>(p.buffers[b].count) * 4;  // the element type is int32
    if (p.buffers[b].cells == Cells::words) buffers[b].reserve_filled(bytes, 0);
    else buffers[b].reserve(bytes);
  }
  std::vector<std::uint32_t> input;
  for (const Value& v : seeded_data(bug.settings, 3)) input.push_back(v[0]);
  buffers[0].write(input.data(), input.size() * sizeof input[0]);
  for (const PlannedLaunch& l : p.launches) {
    std::vector<DeviceAddress> addresses(l.arguments.size());
    std::vector<int> numbers(l.arguments.size());
    std::vector<void*> parameters;
    for (std::size_t i = 0; i < l.arguments.size(); ++i) {
      const Argument& a = l.arguments[i];
      if (a.buffer >= 0) addresses[i] = buffers[static_cast<std::size_t>(a.buffer)].address();
      else numbers[i] = static_cast<int>(a.number);
      parameters.push_back(a.buffer >= 0 ? static_cast<void*>(&addresses[i]) : &numbers[i]);
    }
    launch(module.function(compiled.lowered_name.at(l.kernel)), l.grid_dim(), l.block_dim(), l.shared.bytes,
           stream, parameters.data());
  }
  stream.wait(doing);
}

// Records a run of a kernel with a planted bug (or with none), and analyses the recording. If a finding is
// expected, returns true if the analysis reports it. Otherwise, returns true if the analysis reports nothing
// and the run was not stopped.
bool judge(Gpu& gpu, const PlantedBug& bug) {
  RecordOptions options;
  options.blocks = UINT32_MAX;
  const Trace trace = gpu.record(bug.algorithm, bug.settings, seeded_data(bug.settings, 3), options);
  const Hazards h = hazards(trace);
  const bool found = std::any_of(h.findings.begin(), h.findings.end(), [&](const HazardFinding& f) {
    return name(f.kind) == bug.kind && (f.party.line == bug.line || f.other.line == bug.line);
  });
  const bool right = bug.kind.empty() ? h.findings.empty() && !trace.stopped : found;
  fmt::print("{:<12} {:<20} {}\n",
             right              ? bug.kind.empty() ? "clean" : "found"
             : bug.kind.empty() ? "FALSE ALARM"
                                : "MISSED",
             bug.kind.empty() ? "nothing" : bug.kind, bug.name);
  if (!right) {
    for (const HazardFinding& f : h.findings)
      fmt::print("    {} in line {}, {}: {}\n", name(f.kind), f.party.line, f.other.line,
                 what_happens(trace, f));
    if (trace.stopped) fmt::print("    {}\n", in_words(trace.stopped));
  }
  return right;
}

int main_of(const std::vector<std::string>& words) {
  const std::vector<PlantedBug> bugs = all_bugs();
  const auto bug = [&](const std::string& name) -> const PlantedBug& {
    for (const PlantedBug& b : bugs)
      if (b.name == name) return b;
    throw std::runtime_error("There is no planted bug " + name + "; --list names all.");
  };
  if (words.size() == 1 && words[0] == "--list") {
    for (const PlantedBug& b : bugs) fmt::print("{}\t{}\n", b.kind.empty() ? "nothing" : b.kind, b.name);
    return 0;
  }
  if (words.size() == 1 && words[0] == "--compile") {
    for (const PlantedBug& b : bugs)
      for (const Mode mode : {Mode::fast, Mode::traced})
        fmt::print("{} {}\n", b.name, compile(program(b.algorithm, b.settings, mode), "sm_90").log);
    return 0;
  }
  if (!words.empty() && words[0] == "--findings") {
    Gpu gpu;
    int wrong = 0;
    for (std::size_t i = 1; i < words.size(); ++i) wrong += !judge(gpu, bug(words[i]));
    if (words.size() == 1)
      for (const PlantedBug& b : bugs) wrong += !judge(gpu, b);
    return wrong > 0 ? 1 : 0;
  }
  if (words.size() != 1)
    throw std::runtime_error("planted_bug --list | --compile | NAME | --findings [NAME...]");
  run(bug(words[0]));
  return 0;
}

}  // namespace
}  // namespace upsweep

int main(int argc, char** argv) {
  try {
    return upsweep::main_of({argv + 1, argv + argc});
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", upsweep::in_words(e));
    return 2;
  }
}
