// Checks settings. The function validate() in catalogue.hpp makes these checks.
#pragma once
#include <functional>
#include <string>

#include "catalogue/catalogue.hpp"

namespace upsweep {

// Each function throws RequestError if the algorithm does not allow the operator, the type or a choice of the
// settings.
void validate_operator(const Algorithm& a, const Settings& s);
void validate_type(const Algorithm& a, const Settings& s);
void validate_choices(const Algorithm& a, const Settings& s);

// Returns the end of a sentence that refuses settings, such as ": give at most 256 threads or rows=4.". Each
// suggested change makes one setting smaller. After this change, `check` throws no RequestError.
std::string remedy(const Algorithm& a, const Settings& s, const std::function<void(const Settings&)>& check);

// Returns whether the user may type this text instead of an option of the choice.
bool may_be_typed(const Algorithm& a, const Choice& c, const std::string& typed, Scalar type);

// Throws RequestError. The error says that the algorithm's choice does not have the option `wanted`.
[[noreturn]] void refuse_option(const Algorithm& a, const Choice& c, const std::string& wanted);

}  // namespace upsweep
