// Checks of settings that validate() in catalogue.hpp uses.
#pragma once
#include <string>

#include "catalogue/catalogue.hpp"

namespace upsweep {

// Each throws RequestError with a sentence if the settings have an operator, a type or a choice that makes no
// sense for the algorithm.
void validate_operator(const Algorithm& a, const Settings& s);
void validate_type(const Algorithm& a, const Settings& s);
void validate_choices(const Algorithm& a, const Settings& s);

// Returns whether the user may type this text instead of an option of the choice.
bool may_be_typed(const Algorithm& a, const Choice& c, const std::string& typed, Scalar type);

// Always throws a RequestError. It says that the algorithm's choice has no such option.
[[noreturn]] void refuse_option(const Algorithm& a, const Choice& c, const std::string& wanted);

}  // namespace upsweep
