// How steps, counts and places are called, the same in every view.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scene/views.hpp"

namespace upsweep {

// "1,022".
std::string grouped(std::int64_t count);
// "1 thread", "1,024 threads"; `many` where the plural is not the singular and an s.
std::string counted(std::int64_t count, std::string_view one, std::string_view many = {});
// "Up" for "up".
std::string capitalised(std::string text);

// "up-sweep".
std::string phase_text(Phase phase);
// "up-sweep, stride 4"; "load".
std::string step_text(const Step& step);

// Ascending numbers as "0–7", "0, 2, 4 … 62" or "1, 5, 6"; at most about `shown` of them by name.
std::string ranges(const std::vector<int>& ascending, int shown = 4);

// What a cell's element is called: "x[3]"; in a double buffer "x0[3]" and "x1[3]".
std::string element_name(const Trace& trace, int buffer, std::string_view index);

// The operator's own word for one application, singular and plural: "addition", "additions".
struct Noun {
  std::string_view one, many;
};
Noun operation_noun(Operator op);
// Its sign between two operands: "+", "×", "min", "max", "∘".
std::string_view operation_sign(Operator op);

// The thread of a block that a lane of an event is.
inline int thread_of(const Event& e, int lane) { return e.warp * 32 + lane; }

}  // namespace upsweep
