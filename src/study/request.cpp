#include "study/request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "base/language.hpp"
#include "base/nearest.hpp"

namespace upsweep {
namespace {

using Json = nlohmann::ordered_json;
using Options = std::map<std::string, std::string>;

constexpr std::string_view data_names[] = {"seed", "preset", "typed", "file", "recorded", "picture", "scene"};

bool is_named(const Options& field) { return !field.empty(); }
template <class T>
bool is_named(const std::optional<T>& field) {
  return field.has_value();
}

// --- writing

template <class T>
Json json_of(const T& x) {
  return x;
}
Json json_of(Scalar x) { return name(x); }
Json json_of(Operator x) { return name(x); }
Json json_of(MachineChoice x) { return machine_names[static_cast<int>(x)]; }
Json json_of(const DataSource& x) {
  return {{"kind", data_names[static_cast<int>(x.kind)]}, {"seed", x.seed}, {"text", x.text}};
}
template <class T>
Json json_of(const std::optional<T>& x) {
  return json_of(*x);
}

// --- reading

[[noreturn]] void refuse(const std::string& field, const std::string& what) {
  throw RequestError(tr("The field \"{}\" of a request must be {}.", field, what));
}

void read(const std::string& field, const Json& json, std::string& to) {
  if (!json.is_string()) refuse(field, tr("a text"));
  to = json.get<std::string>();
}

void read(const std::string& field, const Json& json, bool& to) {
  if (!json.is_boolean()) refuse(field, tr("true or false"));
  to = json.get<bool>();
}

template <std::integral T>
void read(const std::string& field, const Json& json, T& to) {
  const bool fits = json.is_number_unsigned()  ? std::in_range<T>(json.get<std::uint64_t>())
                    : json.is_number_integer() ? std::in_range<T>(json.get<std::int64_t>())
                                               : false;
  if (!fits) refuse(field, tr("a whole number up to {}", std::numeric_limits<T>::max()));
  to = json.get<T>();
}

template <std::floating_point T>
void read(const std::string& field, const Json& json, T& to) {
  if (!json.is_number() || !std::isfinite(json.get<T>())) refuse(field, tr("a number"));
  to = json.get<T>();
}

template <class E>
void read_name(const std::string& field, const Json& json, std::span<const std::string_view> names, E& to) {
  std::string typed;
  read(field, json, typed);
  const auto found = std::find(names.begin(), names.end(), typed);
  if (found == names.end()) refuse(field, tr("one of {}", fmt::join(names, ", ")));
  to = static_cast<E>(found - names.begin());
}
void read(const std::string& field, const Json& json, Scalar& to) {
  read_name(field, json, scalar_names, to);
}
void read(const std::string& field, const Json& json, Operator& to) {
  if (json == name(Operator::own)) to = Operator::own;
  else read_name(field, json, operator_names, to);
}
void read(const std::string& field, const Json& json, MachineChoice& to) {
  read_name(field, json, machine_names, to);
}

void read(const std::string& field, const Json& json, DataSource& to) {
  if (!json.is_object()) refuse(field, tr("an object with \"kind\", and with \"seed\" or \"text\""));
  for (const auto& [key, value] : json.items()) {
    if (key == "kind") read_name("kind", value, data_names, to.kind);
    else if (key == "seed") read("seed", value, to.seed);
    else if (key == "text") read("text", value, to.text);
    else refuse(field, tr("an object with \"kind\", and with \"seed\" or \"text\""));
  }
}

void read(const std::string& field, const Json& json, Options& to) {
  if (!json.is_object()) refuse(field, tr("an object with an option for each choice"));
  for (const auto& [choice, option] : json.items()) read(field, option, to[choice]);
}

template <class T, std::size_t count>
void read(const std::string& field, const Json& json, std::array<T, count>& to) {
  if (!json.is_array() || json.size() != count) refuse(field, tr("a list of {} numbers", count));
  for (std::size_t i = 0; i < count; ++i) read(field, json[i], to[i]);
}

template <class T>
void read(const std::string& field, const Json& json, std::optional<T>& to) {
  read(field, json, to.emplace());
}

Request request_of(const Json& json) {
  if (!json.is_object()) throw RequestError(tr("A request must be a JSON object, such as {\"n\": 64}."));
  Request r;
  std::vector<std::string> known = {"layout", "load_pattern", "variants"};
  for_each_field(r, [&](const char* name, auto& field) {
    known.push_back(name);
    if (const auto found = json.find(name); found != json.end()) read(name, *found, field);
  });
  for (const ChoiceWithField& c : choices_with_field)
    if (const auto found = json.find(c.name); found != json.end())
      read(std::string(c.name), *found, r.choices[std::string(c.name)]);
  if (const auto found = json.find("variants"); found != json.end()) read("variants", *found, r.choices);
  const std::vector<std::string_view> names(known.begin(), known.end());
  for (const auto& [key, value] : json.items())
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw RequestError(tr("A request has no field \"{}\"{}; the fields are {}.", key, guess(key, names),
                            fmt::join(known, ", ")));
  return r;
}

Json parsed(const std::string& text) {
  try {
    return Json::parse(text);
  } catch (const Json::exception&) { throw RequestError(tr("This text is not valid JSON.")); }
}

}  // namespace

Request difference(const Request& before, const Request& after) {
  Request changed;
  for_each_field_of(
      [](const char*, const auto& was, const auto& is, auto& to) {
        if (was != is) to = is;
      },
      before, after, changed);
  return changed;
}

std::vector<std::string> fields_of(const Request& r) {
  std::vector<std::string> names;
  for_each_field(r, [&](const char* name, const auto& field) {
    if (is_named(field)) names.push_back(name);
  });
  return names;
}

std::string to_json(const Request& r) {
  Json json = Json::object();
  for_each_field(r, [&](const char* name, const auto& field) {
    if (is_named(field)) json[name] = json_of(field);
  });
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Request read_request(const std::string& json) { return request_of(parsed(json)); }

std::vector<Request> read_requests(const std::string& json) {
  const Json list = parsed(json);
  if (!list.is_array()) throw RequestError(tr("Requests must be a JSON list of objects."));
  std::vector<Request> all;
  for (const Json& each : list) all.push_back(request_of(each));
  return all;
}

}  // namespace upsweep
