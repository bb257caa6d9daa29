// Lists the quantities in which two runs are compared, for a step and for a whole run.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/facts.hpp"
#include "analysis/recording.hpp"

namespace upsweep {

struct Quantity {
  const char* name;        // the name, written as a heading
  const char* definition;  // one sentence, with the unit
  bool is_share;           // a number from 0 to 1, shown in percent
  bool in_steps;           // true if single steps also have this quantity
  // Returns the quantity of a step or of a run. Returns nullopt if the quantity is not known, or if it does
  // not exist: a step without a working warp has no lane utilisation, and a step has no span.
  std::optional<double> (*of_step)(const StepFacts& facts);
  std::optional<double> (*of_run)(const Recording& recording);
};

// Returns the quantities in the order in which they are shown.
std::span<const Quantity> compared_quantities();

// Returns a quantity as text: "1,593", or "12 %" for a share; empty if there is no value.
std::string quantity_text(const Quantity& quantity, std::optional<double> value);

// Returns an option of a choice: "pad32", "no padding", "fold 8".
std::string choice_text(const std::string& choice, const std::string& option);

// Returns the settings in which a run differs from another run of the same algorithm: "pad32", "n = 128".
std::vector<std::string> settings_that_differ(const Settings& one, const Settings& other);

// Returns a name that distinguishes a run from another run: "pad32", "Blelloch scan", "n = 128, 64 threads".
// If `hides_answer` is true, the name does not say what is wrong in a broken kernel.
std::string side_name(const Recording& one, const Recording& other, bool hides_answer = false);

}  // namespace upsweep
