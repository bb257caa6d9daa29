// A ladder is a list of algorithms that compute the same result. These algorithms are the ladder's rungs.
// Each rung is one kernel file, and removes a weakness of the previous rung.
//
// A user names the ladder, and chooses the rung by the choice `method`. All other code works with the rungs.
#pragma once
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/catalogue.hpp"

namespace upsweep {

inline constexpr std::string_view method_choice = "method";

// Adds the choice `method` to every algorithm that is a rung of a ladder. The options of `method` are the
// rungs of the ladder, and the rung itself is the default. Throws WorkError in these cases:
// - A ladder has only one rung, lacks a rung with the ladder's name, or has two rungs with the same name.
// - The rungs have different results or families.
// - A rung after the first rung lacks the field `Mends`.
void join_ladders(std::vector<Algorithm>& all);

// Returns the algorithm that the choice `method` names in the ladder (list of methods) of `a`, and removes
// `method` from `choices`. If `choices` has no `method`, or if `a` has no ladder, returns `a`. Throws
// RequestError if the ladder has no such method.
const Algorithm& take_rung(const Algorithm& a, std::map<std::string, std::string>& choices,
                           std::span<const Algorithm> all = algorithms());

// Replaces the algorithm of the settings by the rung that take_rung() returns.
void resolve(Settings& s);

// Returns the settings as users see them: for an algorithm of a ladder, the settings have the ladder's name
// and the choice `method`.
Settings as_shown(Settings s, std::span<const Algorithm> all = algorithms());

// Returns the rungs (the algorithms) of a ladder in their order.
std::vector<const Algorithm*> rungs_of(std::string_view ladder,
                                       std::span<const Algorithm> all = algorithms());

// Returns whether `name` is the name of the algorithm or of another rung of the algorithm's ladder.
bool is_same_ladder(const Algorithm& a, std::string_view name, std::span<const Algorithm> all = algorithms());

// Returns whether lists of algorithms contain this algorithm. Lists contain the algorithms without a ladder,
// and the default algorithm of each ladder.
inline bool is_listed(const Algorithm& a) { return a.ladder.empty() || a.name == a.ladder; }

}  // namespace upsweep
