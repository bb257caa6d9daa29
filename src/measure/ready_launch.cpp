#include "measure/ready_launch.hpp"

namespace upsweep {

MemoryLayout memory_layout(const Plan& planned, int width) {
  const std::vector<GlobalBuffer>& all = planned.buffers;
  MemoryLayout layout{std::vector<std::size_t>(all.size())};
  // Places the buffers for which `is_next` is true. Returns how many bytes these buffers take.
  const auto place = [&](BufferRole role, std::size_t& end, auto is_next) {
    const std::size_t before = end;
    for (std::size_t b = 0; b < all.size(); ++b)
      if (planned.roles.of(static_cast<int>(b)) == role && is_next(all[b].cells)) {
        layout.at[b] = end;
        end += aligned(static_cast<std::size_t>(all[b].count * cell_bytes(all[b].cells, width)));
      }
    return end - before;
  };
  const auto any = [](Cells) { return true; };
  place(BufferRole::input, layout.inputs, any);
  place(BufferRole::output, layout.outputs, any);
  layout.word_bytes = place(BufferRole::scratch, layout.scratch, [](Cells c) { return c == Cells::words; });
  layout.zero_bytes = place(BufferRole::scratch, layout.scratch, is_message);
  place(BufferRole::scratch, layout.scratch, [](Cells c) { return !is_initialised(BufferRole::scratch, c); });
  return layout;
}

ReadyKernel ready_kernel(const Device& device, const Loaded& loaded, const Plan& planned, int width,
                         DeviceAddress from, DeviceAddress to, DeviceAddress scratch) {
  ReadyKernel r;
  const MemoryLayout layout = memory_layout(planned, width);
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
      if (argument.buffer < 0) {
        launch.slots.push_back(slot(static_cast<int>(argument.number)));
      } else {
        const BufferRole role = planned.roles.of(argument.buffer);
        const DeviceAddress piece = role == BufferRole::input    ? from
                                    : role == BufferRole::output ? to
                                                                 : scratch;
        launch.slots.push_back(piece + layout.at[static_cast<std::size_t>(argument.buffer)]);
      }
      launch.is_run.push_back(argument.is_run);
    }
    r.launches.push_back(std::move(launch));
  }
  return r;
}

}  // namespace upsweep
