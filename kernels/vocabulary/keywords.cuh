// The keywords of a kernel's text say where statements begin and end, wherever it is recorded: that is what the convergence rule
// (src/machine/emulator/control_flow.hpp) is about. The machine's vocabulary gives them their meaning:
//   Region     an if statement while it runs: its scope is the statement, however it is left
//   Loop       a loop while it runs; a Region, whose once() is true the first time
//   Iteration  one run of a loop's body, ended also by continue and break
//   UPSWEEP_ROLLED  a pragma before the loop, or nothing
// UPSWEEP_OPEN keeps the inner `if` from being taken for the macro again.
#pragma once
// clang-format off: it would put a space after the keyword, and make an object-like macro of it.
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
