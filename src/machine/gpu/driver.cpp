#include "machine/gpu/driver.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace upsweep {

namespace {

// Fills in one function of a table, or says which library is too old to have it.
template <class Function>
void load(const Library& library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(library.symbol(name));
  if (!function)
    throw RequestError(
        fmt::format("{} has no function {}: it is older than what Upsweep needs. Install a newer one, or use "
                    "the emulator.",
                    library.path(), name));
}

#define UPSWEEP_LOAD(result, name, parameters) load(library, #name, table.name);

Driver load_driver() {
  const Library library = open_driver();
  if (!library)
    throw RequestError(fmt::format(
        "No GPU can be used: NVIDIA's driver is not installed ({}). Use the emulator.", library.why_not()));
  Driver table{};
  UPSWEEP_DRIVER_FUNCTIONS(UPSWEEP_LOAD)
  return table;
}

Nvrtc load_nvrtc() {
  const Library library = open_nvrtc();
  if (!library)
    throw RequestError(
        fmt::format("Kernels cannot be compiled for a GPU: NVRTC is not installed ({}). Install CUDA 12 or "
                    "13, or use the "
                    "emulator.",
                    library.why_not()));
  Nvrtc table{};
  UPSWEEP_NVRTC_FUNCTIONS(UPSWEEP_LOAD)
  return table;
}

NvJitLink load_nvjitlink() {
  const Library library = open_nvjitlink();
  if (!library)
    throw RequestError(
        fmt::format("This kernel launches kernels, which nvJitLink has to link; it is not installed ({}). "
                    "Install CUDA 12 or 13, or use the emulator.",
                    library.why_not()));
  NvJitLink table{};
  UPSWEEP_NVJITLINK_FUNCTIONS(UPSWEEP_LOAD)
  return table;
}

}  // namespace

Library open_driver() { return Library({"libcuda.so.1"}); }
Library open_nvrtc() {
  return Library({"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}, "libnvrtc-builtins.so");
}
Library open_nvjitlink() { return Library({"libnvJitLink.so.13", "libnvJitLink.so.12", "libnvJitLink.so"}); }
Library open_cupti() { return Library({"libcupti.so.13", "libcupti.so.12", "libcupti.so"}, "libnvperf_"); }

const Driver& driver() {
  static const Driver loaded = load_driver();
  return loaded;
}

const Nvrtc& nvrtc() {
  static const Nvrtc loaded = load_nvrtc();
  return loaded;
}

const NvJitLink& nvjitlink() {
  static const NvJitLink loaded = load_nvjitlink();
  return loaded;
}

}  // namespace upsweep
