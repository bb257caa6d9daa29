// Lists predicates for which it is hard to choose numbers. Some of the numbers must fulfil the predicate, and
// some must not.
#pragma once

namespace upsweep {

inline constexpr const char* awkward_predicates[] = {"x < -5000",
                                                     "x > -5000 && x < -4990",
                                                     "-x > 5000",
                                                     "x == -1",
                                                     "x == 12345",
                                                     "x != 12345",
                                                     "x == -(12345)",
                                                     "x != -12345",
                                                     "x > 1000000 && x < 1000007",
                                                     "x < 1000 || x > 3000 && x < 1e9",
                                                     "x % 1000 == 777",
                                                     "x >> 10 == 5",
                                                     "x >= 0.25 && x < 0.5",
                                                     "x > 0.3 && x < 0.301",
                                                     "x > 1e-6 && x < 2e-6",
                                                     "x == -2147483648",
                                                     "x == 9007199254740993",
                                                     "x == -9223372036854775808"};

}  // namespace upsweep
