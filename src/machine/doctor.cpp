// examine_machine(): what is here, what is not, and what follows.
#include <fmt/format.h>

#include "base/error.hpp"
#include "machine/gpu/driver.hpp"
#include "machine/gpu/gpu_device.hpp"
#include "machine/gpu/nvrtc.hpp"
#include "machine/install.hpp"
#include "machine/machine.hpp"

namespace upsweep {

namespace {

constexpr const char* no_gpu =
    "Kernels run on the emulator, which records the same events on this computer's processor.";

System this_system() {
  System system = system_at("/");
  try {
    int version = 0;
    driver().cuDriverGetVersion(&version);
    system.driver_cuda = {version / 1000, version % 1000 / 10};
  } catch (const RequestError&) {}  // no driver
  return system;
}

Finding missing(const char* what, std::string why, const char* consequence, Installable part) {
  return {what, false, std::move(why), consequence, install_command(part, this_system())};
}
Finding found(const char* what, std::string detail) { return {what, true, std::move(detail), ""}; }

Finding examine_driver() {
  const char* what = "CUDA driver (libcuda)";
  const Library library = open_driver();
  if (!library) return missing(what, library.why_not(), no_gpu, Installable::driver);
  int version = 0;
  driver().cuDriverGetVersion(&version);
  return found(what, fmt::format("for CUDA {}.{}, {}", version / 1000, version % 1000 / 10, library.path()));
}

Finding examine_gpu() {
  const char* what = "GPU";
  const Device device;
  return found(what,
               fmt::format("{}, compute capability {}.{}, {} multiprocessors", device.name(),
                           device.architecture() / 10, device.architecture() % 10, device.multiprocessors()));
}

Finding examine_nvrtc() {
  const char* what = "Kernel compiler (libnvrtc)";
  const Library library = open_nvrtc();
  if (!library)
    return missing(what, library.why_not(), "Kernels cannot be compiled for a GPU: they run on the emulator.",
                   Installable::nvrtc);
  int major = 0, minor = 0;
  nvrtc().nvrtcVersion(&major, &minor);
  return found(what, fmt::format("version {}.{}, {}", major, minor, library.path()));
}

Finding examine_nvjitlink() {
  const char* what = "Linker (libnvJitLink)";
  const Library library = open_nvjitlink();
  if (!library)
    return missing(what, library.why_not(), "Kernels that launch kernels cannot be built.",
                   Installable::nvjitlink);
  unsigned major = 0, minor = 0;
  if (auto* version = reinterpret_cast<int (*)(unsigned*, unsigned*)>(library.symbol("nvJitLinkVersion")))
    version(&major, &minor);
  return found(what, fmt::format("version {}.{}, {}", major, minor, library.path()));
}

Finding examine_cupti() {
  const char* what = "Hardware counters (libcupti)";
  const Library library = open_cupti();
  if (!library)
    return missing(
        what, library.why_not(),
        "Costs are computed from the recording alone; they are not compared with the hardware's counters.",
        Installable::cupti);
  return found(what, library.path());
}

// A library that is there but cannot be used is a finding too; installing it again does not help.
Finding examined(Finding (*examine)(), const char* what, const char* consequence) {
  try {
    return examine();
  } catch (const RequestError& e) {
    return {what, false, e.what(), consequence};
  } catch (const WorkError& e) { return {what, false, e.what(), consequence}; }
}

}  // namespace

std::vector<Finding> examine_machine() {
  return {found("Emulator", "always there"),
          examined(examine_driver, "CUDA driver (libcuda)", no_gpu),
          examined(examine_gpu, "GPU", no_gpu),
          examined(examine_nvrtc, "Kernel compiler (libnvrtc)", no_gpu),
          examine_nvjitlink(),
          examine_cupti()};
}

}  // namespace upsweep
