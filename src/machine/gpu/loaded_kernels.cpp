#include "machine/gpu/loaded_kernels.hpp"

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "base/messages.hpp"

namespace upsweep {

LoadedKernels::LoadedKernels(const Device& device)
    : device_(device), architecture_(architecture_for(device.architecture())) {}

void LoadedKernels::allow_launches() {
  constexpr int pending_launches = 4;  // CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT
  if (!std::exchange(many_launches_, true))
    check(driver().cuCtxSetLimit(pending_launches, 32768), MessageId::making_room_for_launches);
}

const Loaded& LoadedKernels::load(Program program, const Compiled& compiled) {
  if (program.launches) allow_launches();
  Loaded loaded{Module(compiled.image), {}};
  for (const auto& [name, lowered] : compiled.lowered_name)
    loaded.functions[name] = loaded.module.function(lowered);
  if (programs_.size() >= most_programs) programs_.clear();
  return programs_.emplace(std::move(program), std::move(loaded)).first->second;
}

const Loaded& LoadedKernels::of(const Algorithm& algorithm, const Settings& s, Mode mode) {
  Program key = program(algorithm, s, mode);
  const auto known = programs_.find(key);
  if (known != programs_.end()) return known->second;
  if (key.launches && !architecture_.starts_with("sm_"))
    throw RequestError(say::cannot_link_launches(algorithm.name, device_.name()));
  const Compiled compiled = compile(key, architecture_);
  return load(std::move(key), compiled);
}

std::vector<Program> LoadedKernels::missing(std::vector<Program> programs) const {
  std::sort(programs.begin(), programs.end());
  const auto equal = [](const Program& x, const Program& y) { return !(x < y) && !(y < x); };
  programs.erase(std::unique(programs.begin(), programs.end(), equal), programs.end());
  std::erase_if(programs, [&](const Program& p) {
    return programs_.contains(p) || (p.launches && !architecture_.starts_with("sm_"));
  });
  return programs;
}

std::vector<std::optional<Compiled>> compile_all(const std::vector<Program>& programs,
                                                 const std::string& architecture) {
  std::vector<std::optional<Compiled>> compiled(programs.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < programs.size(); i = next++) {
      try {
        compiled[i] = compile(programs[i], architecture);
      } catch (const std::exception&) {}
    }
  };
  std::vector<std::thread> others;
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  for (std::size_t i = 1; i < std::min(cores, programs.size()); ++i) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
  return compiled;
}

}  // namespace upsweep
