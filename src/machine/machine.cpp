#include "machine/machine.hpp"

#include "base/error.hpp"
#include "machine/emulator/emulator.hpp"
#include "machine/gpu/gpu.hpp"

namespace upsweep {

std::unique_ptr<Machine> open_machine(MachineChoice choice) {
  if (choice == MachineChoice::emulated) return std::make_unique<Emulator>();
  if (choice == MachineChoice::gpu) return std::make_unique<Gpu>();
  try {
    return std::make_unique<Gpu>();
  } catch (const RequestError&) {  // there is no GPU; examine_machine() says why
    return std::make_unique<Emulator>();
  }
}

}  // namespace upsweep
