// Explains why the top bar has no field for a setting.
#pragma once
#include <string>

#include "catalogue/catalogue.hpp"
#include "panels/keys.hpp"

namespace upsweep {

// Returns the reason why the top bar does not have this field for an algorithm. Returns an empty text if the
// top bar has the field.
std::string why_no_field(const Algorithm& a, Field field);

}  // namespace upsweep
