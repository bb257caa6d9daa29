#include "measure/ready_launch.hpp"

namespace upsweep {

ReadyKernel ready_kernel(const Device& device, const Loaded& loaded, const Plan& planned, int width,
                         DeviceAddress from, DeviceAddress to, DeviceAddress scratch) {
  ReadyKernel r;
  const ScratchLayout layout = scratch_layout(planned, width);
  r.words = scratch;
  r.word_bytes = layout.word_bytes;
  r.zero_bytes = layout.zero_bytes;
  for (const PlannedLaunch& l : planned.launches) {
    ReadyLaunch launch{loaded.functions.at(l.kernel), l.grid_dim(), l.block_dim(), l.shared.bytes, {}};
    if (launch.shared_bytes > static_cast<unsigned>(device.largest_shared()))
      throw RequestError(
          say::too_much_shared_memory(launch.shared_bytes, device.name(), device.largest_shared()));
    if (launch.shared_bytes > shared_without_asking)
      check(driver().cuFuncSetAttribute(launch.function, max_dynamic_shared,
                                        static_cast<int>(launch.shared_bytes)),
            MessageId::asking_shared_memory);
    for (const Argument& argument : l.arguments) {
      const auto b = static_cast<std::size_t>(argument.buffer);
      launch.slots.push_back(argument.buffer < 0    ? slot(static_cast<int>(argument.number))
                             : argument.buffer == 0 ? from
                             : argument.buffer == 1 ? to
                                                    : scratch + layout.at[b]);
      launch.is_run.push_back(argument.is_run);
    }
    r.launches.push_back(std::move(launch));
  }
  return r;
}

}  // namespace upsweep
