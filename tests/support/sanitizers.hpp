// States how much slower a test is with AddressSanitizer, so that tests can run fewer cases.
#pragma once

namespace upsweep {

#ifdef __SANITIZE_ADDRESS__
inline constexpr double sanitizers_cost = 10;
#else
inline constexpr double sanitizers_cost = 1;
#endif
inline constexpr bool sanitized = sanitizers_cost > 1;

}  // namespace upsweep
