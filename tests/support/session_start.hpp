// Starts sessions for tests. A session runs on the emulator, as on a computer without a GPU.
#pragma once
#include <algorithm>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "catalogue/catalogue.hpp"
#include "machine/emulator/emulator.hpp"
#include "study/session.hpp"

namespace upsweep {

inline std::unique_ptr<Machine> without_gpu(MachineChoice choice) {
  if (choice == MachineChoice::gpu) throw RequestError("There is no GPU here.");
  if (choice == MachineChoice::opengl) return open_machine(choice);  // Mesa's OpenGL, which runs on the CPU
  return std::make_unique<Emulator>();
}

inline Session::Start start(int n = 64, const std::string& algorithm = "scan_blelloch") {
  Session::Start s;
  s.settings.algorithm = algorithm;
  s.settings.n = n;
  fit_kind(upsweep::algorithm(algorithm), s.settings);
  s.settings.block = std::max(32, (n / 2 + 31) / 32 * 32);
  if (algorithm == "scan_hillis_steele" || algorithm == "scan_double_buffer")
    s.settings.block = std::max(32, (n + 31) / 32 * 32);
  s.settings.block = std::max(s.settings.block, upsweep::algorithm(algorithm).least_threads);
  s.machine = MachineChoice::emulated;
  s.open = without_gpu;
  s.moment = s.patience = 60;  // in seconds; long enough for each recording, even on a busy computer
  return s;
}

}  // namespace upsweep
