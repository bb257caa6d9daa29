// Defines the phase of a step: a name for the step's purpose.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace upsweep {

// The phases that files store as numbers. These numbers never change.
inline constexpr std::string_view phase_names[] = {"load",      "reduce", "up_sweep", "clear", "down_sweep",
                                                   "reverse",   "scan",   "store",    "fold",  "publish",
                                                   "look_back", "offset", "launch"};

// A name of 1 to 23 lower-case letters, digits and underscores. A kernel's text has step(Phase::load) for a
// phase in phase_names, and step("transpose") for a phase that only this kernel has.
class Phase {
 public:
  static constexpr std::size_t longest = 23;

  static const Phase load, reduce, up_sweep, clear, down_sweep, reverse, scan, store,
      fold,       // several elements are combined into one, in registers
      publish,    // a block passes its result to the other blocks
      look_back,  // a block collects the results that earlier blocks published
      offset,     // the sum of all earlier blocks is added to a block's elements
      launch;     // child grids are started
  // Kernels of applications name these phases in quotes. Analyses look for these phases, so each phase has
  // one meaning in all kernels.
  static const Phase flag,  // a selection stores a count for each element: 1 if the element is kept, else 0
      compare,              // before the next bit of a sort, a block checks whether its keys are in order
      split,                // a block stores a count for each of its keys: 1 if the key's bit is 0, else 0
      merge,                // sorted sequences of keys are merged
      transpose;            // a matrix is transposed

  constexpr Phase() = default;
  template <std::size_t n>
  constexpr Phase(const char (&name)[n]) {
    static_assert(n <= longest + 1, "The name of a phase has at most 23 characters.");
    std::copy_n(name, n, text_.begin());
  }
  // If the name is too long, the phase has no name and is not valid().
  constexpr explicit Phase(std::string_view name) {
    if (name.size() <= longest) std::copy(name.begin(), name.end(), text_.begin());
  }

  constexpr std::string_view name() const { return text_.data(); }
  constexpr bool valid() const {
    return text_[0] != 0 && std::all_of(name().begin(), name().end(), [](char c) {
             return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
           });
  }
  bool operator==(const Phase&) const = default;

 private:
  std::array<char, longest + 1> text_{};  // the name, and zeros after the name
};

inline constexpr Phase Phase::load = "load", Phase::reduce = "reduce", Phase::up_sweep = "up_sweep",
                       Phase::clear = "clear", Phase::down_sweep = "down_sweep", Phase::reverse = "reverse",
                       Phase::scan = "scan", Phase::store = "store", Phase::fold = "fold",
                       Phase::publish = "publish", Phase::look_back = "look_back", Phase::offset = "offset",
                       Phase::launch = "launch", Phase::flag = "flag", Phase::compare = "compare",
                       Phase::split = "split", Phase::merge = "merge", Phase::transpose = "transpose";

inline std::string_view name(const Phase& p) { return p.name(); }

// Returns the name in every step("name") of a kernel's text. A name that occurs twice is returned twice.
inline std::vector<std::string_view> named_phases(std::string_view text) {
  constexpr std::string_view mark = "step(\"";
  std::vector<std::string_view> names;
  for (auto at = text.find(mark); at != text.npos; at = text.find(mark, at + 1)) {
    const std::string_view rest = text.substr(at + mark.size());
    names.push_back(rest.substr(0, rest.find('"')));
  }
  return names;
}

// Returns the name of the variable that a kernel's text passes in step("phase", variable). Returns an empty
// text if there is no such call, or if the variable holds a stride. A variable holds a stride if its name is
// `stride` or `distance`, or if the phase is in phase_names.
inline std::string_view number_name(std::string_view text, const Phase& phase) {
  if (std::find(std::begin(phase_names), std::end(phase_names), phase.name()) != std::end(phase_names))
    return {};
  const auto after = [](std::string_view rest, std::string_view part) {
    return rest.starts_with(part) ? rest.substr(part.size()) : std::string_view();
  };
  constexpr std::string_view mark = "step(\"";
  for (auto at = text.find(mark); at != text.npos; at = text.find(mark, at + 1)) {
    const std::string_view rest = after(after(text.substr(at + mark.size()), phase.name()), "\", ");
    const std::string_view variable = rest.substr(0, rest.find(')'));
    const bool is_name = std::all_of(variable.begin(), variable.end(),
                                     [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
    if (is_name && !variable.empty() && variable != "stride" && variable != "distance") return variable;
  }
  return {};
}

}  // namespace upsweep
