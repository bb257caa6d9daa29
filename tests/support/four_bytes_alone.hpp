// Include this header before kernels that are emulated only for elements of four bytes. This header makes
// these kernels compile in a third of the time.
#pragma once
#include "vocabulary/host.hpp"

namespace upsweep::host {
template <class Pick>
constexpr EmulatedKernel emulated_for_four_bytes(std::string_view name, Pick) {
  return {name, {nullptr, [](std::span<const GivenArgument> g) {
                   call(Pick{}.template operator()<Tracked<FourBytes>>(), g);
                 }}};
}
}  // namespace upsweep::host

#undef UPSWEEP_KERNEL
#define UPSWEEP_KERNEL(kernel) \
  upsweep::host::emulated_for_four_bytes(#kernel, []<class T>() { return &::kernel<T>; })
