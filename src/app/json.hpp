// What the command line says in JSON. Keys are documented in docs/command-line/.
#pragma once
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "base/message.hpp"
#include "catalogue/catalogue.hpp"
#include "scene/views/views.hpp"
#include "study/shipped.hpp"

namespace upsweep {

// Keeps the order in which keys are written.
using Json = nlohmann::ordered_json;

Json json_of(std::span<const Algorithm> algorithms);
Json json_of(std::span<const Shipped> recordings);
// `verdict` is what catalogue's check() says of the output.
Json json_of(const Recording& recording, const Message& verdict);

// Indented, one line at the end; bytes that are not UTF-8 (of a file's name) are replaced.
std::string text_of(const Json& json);

}  // namespace upsweep
