#include "machine/gpu/driver.hpp"

#include "base/error.hpp"
#include "base/messages.hpp"

namespace upsweep {

namespace {

// Sets one function of a table. Throws an error that names the library if the library is too old.
template <class Function>
void load(const Library& library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(library.symbol(name));
  if (!function) throw RequestError(say::library_too_old(library.path(), name));
}

#define UPSWEEP_LOAD(result, name, parameters) load(library, #name, table.name);

Driver load_driver() {
  const Library library = open_driver();
  if (!library) throw RequestError(say::use_the_emulator(say::no_driver(library.why_not())));
  Driver table{};
  UPSWEEP_DRIVER_FUNCTIONS(UPSWEEP_LOAD)
  return table;
}

Nvrtc load_nvrtc() {
  const Library library = open_nvrtc();
  if (!library) throw RequestError(say::no_nvrtc(library.why_not()));
  Nvrtc table{};
  UPSWEEP_NVRTC_FUNCTIONS(UPSWEEP_LOAD)
  return table;
}

NvJitLink load_nvjitlink() {
  const Library library = open_nvjitlink();
  if (!library) throw RequestError(say::no_nvjitlink(library.why_not()));
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
