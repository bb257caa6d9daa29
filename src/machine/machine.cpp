#include "machine/machine.hpp"

#include "base/error.hpp"
#include "base/messages.hpp"
#include "machine/emulator/emulator.hpp"
#include "machine/gpu/driver.hpp"
#include "machine/gpu/gpu.hpp"
#include "machine/shader/shader_machine.hpp"

namespace upsweep {

std::unique_ptr<Machine> open_machine(MachineChoice choice) {
  if (choice == MachineChoice::emulated) return std::make_unique<Emulator>();
  if (choice == MachineChoice::gpu) return std::make_unique<Gpu>();
  if (choice == MachineChoice::opengl) return std::make_unique<ShaderMachine>();
  try {
    return std::make_unique<Gpu>();
  } catch (const RequestError&) {  // there is no GPU; examine_machine() says why
    return std::make_unique<Emulator>();
  }
}

bool has_gpu() {
  static const bool found = [] {
    try {
      int count = 0;
      return driver().cuInit(0) == 0 && driver().cuDeviceGetCount(&count) == 0 && count > 0;
    } catch (const Error&) { return false; }  // there is no driver
  }();
  return found;
}

MachineChoice machine_for(const Algorithm& a, MachineChoice wanted) {
  return a.language == Language::glsl ? MachineChoice::opengl : wanted;
}

void expect_language(const Algorithm& a, MachineKind kind) {
  const bool for_shaders = a.language == Language::glsl;
  if (for_shaders && kind != MachineKind::opengl) throw RequestError(say::runs_only_on_opengl(a.name));
  if (!for_shaders && kind == MachineKind::opengl) throw RequestError(say::not_on_opengl(a.name));
}

}  // namespace upsweep
