// Writes settings as JSON. All JSON that this program writes uses the same keys for settings.
#pragma once
#include <nlohmann/json.hpp>

#include "trace/settings.hpp"

namespace upsweep {

// Returns {"algorithm","n","block","type","op","layout","load_pattern","grid","variants","without_barrier"},
// in that order. "variants" is an object, and "without_barrier" is 0 if no barrier is taken out. The key
// "identity" is added for an operator that the user typed. The key "columns" is added for settings with
// columns.
nlohmann::ordered_json settings_json(const Settings& s);

}  // namespace upsweep
