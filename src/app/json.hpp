// The JSON that the command line prints. The files in docs/command-line/ describe its keys.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "base/message.hpp"
#include "catalogue/catalogue.hpp"
#include "scene/views/views.hpp"
#include "study/shipped.hpp"

namespace upsweep {

// An object of this type keeps its keys in the order in which the code adds the keys.
using Json = nlohmann::ordered_json;

Json json_of(std::span<const Algorithm> algorithms);
Json json_of(std::span<const Shipped> recordings);
// Returns the wrong element as JSON, or null if no element is wrong.
Json json_of(const std::optional<WrongResult>& wrong, const Trace& trace);
// Returns the settings of a recording's run, and the machine that ran it.
Json settings_of(const Trace& trace);
// step_json() returns a step in the same form as in the list "steps" of print_json(). totals_json() returns
// the totals of the whole run.
Json step_json(const Recording& recording, int step);
Json totals_json(const Recording& recording);
// Returns JSON as indented text that ends with a newline. Bytes that are not UTF-8 (in a file's name) are
// replaced.
std::string text_of(const Json& json);
// Prints a recording as indented text. `verdict` says where the output is wrong; it is empty if the output is
// correct or cannot be checked. Throws like print().
void print_json(const Recording& recording, const Message& verdict);

}  // namespace upsweep
