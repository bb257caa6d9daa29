// Included before kernels that are emulated for int32 alone: they compile in an eighth of the time.
#pragma once
#include "vocabulary/host.hpp"

namespace upsweep::host {
template <class Pick>
constexpr EmulatedKernel emulated_for_int32(std::string_view name, Pick) {
  return {name,
          {{[](std::span<const GivenArgument> g) {
              call(Pick{}.template operator()<Tracked<std::int32_t>>(), g);
            },
            nullptr}}};
}
}  // namespace upsweep::host

#undef UPSWEEP_KERNEL
#define UPSWEEP_KERNEL(kernel) \
  upsweep::host::emulated_for_int32(#kernel, []<class T>() { return &::kernel<T>; })
