// Settings as JSON: the keys that everything written by this program shares.
#pragma once
#include <nlohmann/json.hpp>

#include "trace/settings.hpp"

namespace upsweep {

// {"algorithm","n","block","type","op","layout","load_pattern","grid","variants","without_barrier"}, in that
// order; variants is an object, without_barrier 0 where none is taken out. Then "columns", if they are given.
nlohmann::ordered_json settings_json(const Settings& s);

}  // namespace upsweep
