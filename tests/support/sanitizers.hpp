// States what differs in tests with sanitizers.
#pragma once
#include "trace/settings.hpp"

namespace upsweep {

// How much slower a test is with AddressSanitizer, so that tests can run fewer cases.
#ifdef __SANITIZE_ADDRESS__
inline constexpr double sanitizers_cost = 10;
#else
inline constexpr double sanitizers_cost = 1;
#endif
inline constexpr bool sanitized = sanitizers_cost > 1;

// Returns true if the emulator of this build has kernels for elements of this size. Some builds with
// sanitizers have only the kernels for elements of four bytes (UPSWEEP_ONLY_FOUR_BYTES).
inline bool can_be_emulated([[maybe_unused]] const Settings& s) {
#ifdef UPSWEEP_ONLY_FOUR_BYTES
  return element_bytes(s) == 4;
#else
  return true;
#endif
}

}  // namespace upsweep
