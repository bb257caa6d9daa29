#include "machine/gpu/loaded_kernels.hpp"

#include <utility>

#include "base/error.hpp"
#include "base/messages.hpp"

namespace upsweep {

LoadedKernels::LoadedKernels(const Device& device)
    : device_(device), architecture_(architecture_for(device.architecture())) {}

const Loaded& LoadedKernels::of(const Algorithm& algorithm, const Settings& s, Mode mode) {
  constexpr int pending_launches = 4;  // CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT
  Program key = program(algorithm, s, mode);
  const auto known = programs_.find(key);
  if (known != programs_.end()) return known->second;
  if (key.launches && !architecture_.starts_with("sm_"))
    throw RequestError(say::cannot_link_launches(algorithm.name, device_.name()));
  if (key.launches && !std::exchange(many_launches_, true))
    check(driver().cuCtxSetLimit(pending_launches, 32768), MessageId::making_room_for_launches);
  const Compiled compiled = compile(key, architecture_);
  Loaded loaded{Module(compiled.image), {}};
  for (const auto& [name, lowered] : compiled.lowered_name)
    loaded.functions[name] = loaded.module.function(lowered);
  constexpr std::size_t many = 1000;  // while a person types a formula, every key makes a new program
  if (programs_.size() >= many) programs_.clear();
  return programs_.emplace(std::move(key), std::move(loaded)).first->second;
}

}  // namespace upsweep
