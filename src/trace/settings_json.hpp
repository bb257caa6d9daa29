// Settings as JSON. Everything that this program writes uses these keys.
#pragma once
#include <nlohmann/json.hpp>

#include "trace/settings.hpp"

namespace upsweep {

// Returns {"algorithm","n","block","type","op","layout","load_pattern","grid","variants","without_barrier"},
// in that order. "variants" is an object, and "without_barrier" is 0 if no barrier is taken out. A
// user's operator adds "identity". Settings with columns add "columns".
nlohmann::ordered_json settings_json(const Settings& s);

}  // namespace upsweep
