// In a recorded kernel, the keywords below report the places at which statements begin and end. The convergence rule (src/machine/emulator/control_flow.hpp)
// uses these places. Each machine's vocabulary defines the following names, which the keywords use:
//   Region     an object that exists while an if statement runs; every way to leave the statement destroys it
//   Loop       a Region for a loop; its once() is true the first time
//   Iteration  an object that exists during one iteration; continue and break destroy it, too
//   UPSWEEP_ROLLED  a pragma before the loop, or nothing
// Because of UPSWEEP_OPEN, the preprocessor does not expand the inner `if` again.
#pragma once
// clang-format off: it would put a space after each keyword, which makes the macro object-like.
#define UPSWEEP_OPEN (
#define if(...) if (Region upsweep_region{}; __VA_ARGS__)
#define for(...)                                              \
  for (Loop upsweep_loop{}; upsweep_loop.once();)             \
    UPSWEEP_ROLLED for (__VA_ARGS__)                          \
      if UPSWEEP_OPEN Iteration upsweep_iteration{upsweep_loop}; false) {} \
      else
#define while(...) for (; __VA_ARGS__;)
#define do static_assert(false, "A kernel loops with for or while, so that the recorder sees where an iteration begins.");
#define switch static_assert(false, "A kernel branches with if and else, so that the recorder sees where lanes meet again.");
#define goto static_assert(false, "A kernel has no goto: lanes meet again at the end of structured statements.");
// clang-format on
