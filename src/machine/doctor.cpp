// examine_machine() finds which parts are installed on this computer, which parts are missing, and which
// features need the missing parts.
#include <fmt/format.h>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "machine/gpu/driver.hpp"
#include "machine/gpu/gpu_device.hpp"
#include "machine/gpu/nvrtc.hpp"
#include "machine/install.hpp"
#include "machine/machine.hpp"

namespace upsweep {

namespace {

System this_system() {
  System system = system_at("/");
  try {
    int version = 0;
    driver().cuDriverGetVersion(&version);
    system.driver_cuda = {version / 1000, version % 1000 / 10};
  } catch (const RequestError&) {}  // there is no driver
  return system;
}

Finding missing(MessageId what, Message why, MessageId consequence, Installable part) {
  return {Message{what}, false, std::move(why), Message{consequence}, install_command(part, this_system())};
}
Finding found(MessageId what, Message detail) { return {Message{what}, true, std::move(detail), {}}; }

std::string version_text(unsigned major, unsigned minor) { return fmt::format("{}.{}", major, minor); }

Finding examine_driver() {
  const Library library = open_driver();
  if (!library)
    return missing(MessageId::part_driver, plain(library.why_not()), MessageId::only_emulated,
                   Installable::driver);
  int version = 0;
  driver().cuDriverGetVersion(&version);
  return found(MessageId::part_driver,
               say::driver_found(version_text(version / 1000, version % 1000 / 10), library.path()));
}

Finding examine_gpu() {
  const Device device;
  return found(MessageId::part_gpu,
               say::gpu_found(device.name(), with_point(device.architecture()), device.multiprocessors()));
}

Finding examine_nvrtc() {
  const Library library = open_nvrtc();
  if (!library)
    return missing(MessageId::part_nvrtc, plain(library.why_not()), MessageId::nothing_compiled,
                   Installable::nvrtc);
  int major = 0, minor = 0;
  nvrtc().nvrtcVersion(&major, &minor);
  return found(MessageId::part_nvrtc, say::library_found(version_text(major, minor), library.path()));
}

Finding examine_nvjitlink() {
  const Library library = open_nvjitlink();
  if (!library)
    return missing(MessageId::part_nvjitlink, plain(library.why_not()), MessageId::nothing_linked,
                   Installable::nvjitlink);
  unsigned major = 0, minor = 0;
  if (auto* version = reinterpret_cast<int (*)(unsigned*, unsigned*)>(library.symbol("nvJitLinkVersion")))
    version(&major, &minor);
  return found(MessageId::part_nvjitlink, say::library_found(version_text(major, minor), library.path()));
}

Finding examine_cupti() {
  const Library library = open_cupti();
  if (!library)
    return missing(MessageId::part_cupti, plain(library.why_not()), MessageId::nothing_counted,
                   Installable::cupti);
  return found(MessageId::part_cupti, plain(library.path()));
}

// Returns the result of `examine`. If the library is installed but cannot be used, returns a finding with the
// error. This finding has no command, because installing the library again would not help.
Finding examined(Finding (*examine)(), MessageId what) {
  try {
    return examine();
  } catch (const Error& e) { return {Message{what}, false, e.message, Message{MessageId::only_emulated}}; }
}

}  // namespace

std::vector<Finding> examine_machine() {
  return {found(MessageId::part_emulator, say::always_there()),
          examined(examine_driver, MessageId::part_driver),
          examined(examine_gpu, MessageId::part_gpu),
          examined(examine_nvrtc, MessageId::part_nvrtc),
          examine_nvjitlink(),
          examine_cupti()};
}

}  // namespace upsweep
