// "Did you mean": finds the known name that is nearest to a typed name.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace upsweep {

// Returns the name with the smallest Levenshtein distance to the typed name. Among equally near names,
// returns the first. Returns an empty text if more than half of the typed characters would have to change.
// One change is always allowed. Also returns an empty text if the typed text has only digits or is empty.
std::string_view nearest(std::string_view typed, std::span<const std::string_view> names);
// Returns a text that can be added to an error message, such as " (did you mean list?)". `before` is put
// directly before the suggested name. Returns an empty text if no name is near.
std::string guess(std::string_view typed, std::span<const std::string_view> names,
                  std::string_view before = "");

}  // namespace upsweep
