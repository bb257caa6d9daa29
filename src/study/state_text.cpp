#include "study/state_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/language.hpp"
#include "base/utf8.hpp"
#include "study/shipped.hpp"

namespace upsweep {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view scheme = "upsweep:";
constexpr int version = 1;
constexpr std::size_t most_text = 32'768;  // bytes; a chat or a command line accepts a text of this length
constexpr std::string_view no_view = "none";

// Returns a request in which every field has a value.
Request with_all_fields() {
  Request r;
  for_each_field(r, [](const char*, auto& field) {
    if constexpr (requires { field.has_value(); }) field.emplace();
  });
  return r;
}

// Returns the default place and the default views of a window.
Request usual() {
  Request r;
  r.columns = 0;
  r.expression = r.identity = r.open = r.view = r.change = "";
  r.without_barrier = 0;
  r.machine = MachineChoice::automatic;
  r.step = r.at_block = r.first_element = r.element_count = r.first_row = r.first_column = r.column_count = 0;
  r.box_width = r.first_line = 0;
  r.request = r.finding = r.pixel = -1;
  r.time = -1;
  r.half_warps = r.timing_large = r.comparing = false;
  r.tabs.emplace().fill(-1);
  r.added = {-1, -1};
  return r;
}

// Replaces the numbers of views by the names of the views, because the numbers may change in the next
// version.
Json with_names(Json json) {
  for (const char* list : {"tabs", "added"})
    if (const auto found = json.find(list); found != json.end())
      for (Json& view : *found) {
        const int index = view.get<int>();
        view = index < 0 ? std::string(no_view) : std::string(views()[static_cast<std::size_t>(index)].name);
      }
  if (const auto found = json.find("change"); found != json.end()) {
    const auto text = found->get<std::string>();
    *found = text.empty() ? Json::object() : Json::parse(text);
  }
  return json;
}

bool is_plain(unsigned char c) {
  return std::isalnum(c) ||
         std::string_view("-._~,:/*+^").find(static_cast<char>(c)) != std::string_view::npos;
}

std::string encoded(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (is_plain(static_cast<unsigned char>(c))) out += c;
    else out += c == ' ' ? "%20" : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return out;
}

std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    unsigned code = 0;
    const char* const from = text.data() + i + 1;
    const char* const to = from + std::min<std::size_t>(2, text.size() - i - 1);
    const auto [end, error] = std::from_chars(from, to, code, 16);
    if (error != std::errc() || end != from + 2)
      throw RequestError(tr("\"{}\" is not a character: write two hexadecimal digits after %.",
                            first_characters(text.substr(i), 3)));
    out += static_cast<char>(code);
    i += 2;
  }
  return out;
}

void append(std::string& out, const std::string& key, const Json& value) {
  if (value.is_object()) {
    for (const auto& [name, inner] : value.items()) append(out, key + "." + name, inner);
    return;
  }
  std::string text;
  if (value.is_array())
    for (const Json& item : value)
      text += (text.empty() ? "" : ",") + (item.is_string() ? item.get<std::string>() : item.dump());
  else text = value.is_string() ? value.get<std::string>() : value.dump();
  out += (out.ends_with('?') ? "" : "&") + encoded(key) + "=" + encoded(text);
}

// Puts a typed value into the object, at a key such as "choices.layout". The value of `like` at this key
// shows whether the typed value is a text, a list or another type.
void put(Json& to, const Json& like, std::string_view key, const std::string& text) {
  const std::size_t dot = key.find('.');
  const std::string name(key.substr(0, dot));
  if (dot != key.npos) {
    // The field `change` contains a request, too.
    static const Json change = Json::parse(to_json(with_all_fields()));
    static const Json texts = Json::object();
    const auto inner = like.find(name);
    const Json& of_inner = name == "change"                            ? change
                           : inner != like.end() && inner->is_object() ? *inner
                                                                       : texts;
    if (!to[name].is_object()) to[name] = Json::object();
    return put(to[name], of_inner, key.substr(dot + 1), text);
  }
  const auto found = like.find(name);
  const bool is_text = found == like.end() || found->is_string();
  if (found != like.end() && found->is_array()) {
    Json list = Json::array();
    for (std::size_t from = 0; from <= text.size();) {
      const std::size_t comma = std::min(text.find(',', from), text.size());
      const std::string item = text.substr(from, comma - from);
      const Json number = Json::parse(item, nullptr, false);
      list.push_back(item == no_view         ? Json(-1)
                     : view_index(item) >= 0 ? Json(view_index(item))
                     : number.is_number()    ? number
                                             : Json(item));
      from = comma + 1;
    }
    to[name] = std::move(list);
    return;
  }
  const Json value = is_text ? Json(text) : Json::parse(text, nullptr, false);
  to[name] = value.is_discarded() || value.is_structured() ? Json(text) : value;
}

std::string text_of(const Request& r) {
  std::string text = fmt::format("{}{}?", scheme, version);
  const Json shown = with_names(Json::parse(to_json(difference(usual(), r))));
  for (const auto& [key, value] : shown.items()) append(text, key, value);
  return text;
}

// Returns a request without the fields that describe the run.
Request without_run(Request r) {
  const Request none;
  bool is_of_run = true;
  for_each_field_of(
      [&](const char* name, auto& to, const auto& nothing) {
        if (std::string_view(name) == "step") is_of_run = false;  // the fields of the run come first
        if (is_of_run) to = nothing;
      },
      r, none);
  return r;
}

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

Request shared_part(const Request& state) {
  Request r = state;
  r.answer = r.playing = r.counters = r.asking = r.contrast = r.dark = r.presentation = r.help = r.pen =
      r.black = std::nullopt;
  r.speed = std::nullopt;
  r.text_scale = std::nullopt;
  r.language = std::nullopt;
  r.motion = r.timing = r.notes = r.help_page = std::nullopt;
  r.column = r.source = std::nullopt;
  r.rows = std::nullopt;
  // Leaves out fields without effect: only the view "Timing" has a chart, and only the view "Image" has a
  // picture.
  if (!r.timing_large.value_or(false)) r.chart = std::nullopt, r.compared = std::nullopt;
  if (r.view != "image") r.made = std::nullopt, r.focus = std::nullopt;
  return r;
}

std::string state_text(const Request& state) {
  Request r = shared_part(state);
  const bool is_opened = r.open && !r.open->empty();
  if (is_opened &&
      std::ranges::find(shipped_recordings(), *r.open, &Shipped::name) == shipped_recordings().end())
    throw RequestError(
        tr("An opened recording cannot be shared as text: export the recording with this view, and send the "
           "file."));
  if (is_opened) {
    const std::string name = *r.open;
    r = without_run(r);
    r.open = name;
  } else if (r.data &&
             (r.data->kind == DataSource::Kind::file || r.data->kind == DataSource::Kind::picture)) {
    throw RequestError(tr(
        "The data are in a file on this computer: export the recording with this view, and send the file."));
  } else if (r.data && r.data->kind == DataSource::Kind::recorded) {
    throw RequestError(
        tr("The data come from a recording: export the recording with this view, and send the file."));
  }
  const std::string text = text_of(r);
  if (text.size() > most_text)
    throw RequestError(tr(
        "The data are too long to share as text: export the recording with this view, and send the file."));
  return text;
}

std::string place_text(const Request& state) { return text_of(without_run(shared_part(state))); }

std::optional<Request> saved_place(const Trace& trace) {
  if (trace.state.empty()) return {};
  try {
    Request place = without_run(read_state_text(trace.state));
    if (place.step && *place.step >= std::ssize(trace.steps)) place.step = 0;
    return place;
  } catch (const Error&) { return {}; }  // the recording then opens at its first step
}

bool is_state_text(std::string_view text) { return trimmed(text).starts_with(scheme); }

Request read_state_text(std::string_view text) {
  text = trimmed(text);
  if (!text.starts_with(scheme))
    throw RequestError(tr("\"{}\" is not a text of Upsweep: a text of Upsweep begins with {}.",
                          first_characters(text, 30), scheme));
  text.remove_prefix(scheme.size());
  if (text.size() > 2 * most_text)
    throw RequestError(tr("This text is too long to be a text of Upsweep: copy the text in Upsweep again."));
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 1 || end == text.data() + text.size() || *end != '?')
    throw RequestError(tr("A text of Upsweep begins with {scheme}{version}?, not with {scheme}{given}.",
                          fmt::arg("scheme", scheme), fmt::arg("version", version),
                          fmt::arg("given", first_characters(text, 10))));
  if (number > version)
    throw RequestError(
        tr("This text has version {}, but this Upsweep reads version {}: update Upsweep.", number, version));
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  static const Json like = Json::parse(to_json(with_all_fields()));
  Json json = Json::object();
  while (!text.empty()) {
    const std::string_view field = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(field.size() + 1, text.size()));
    if (field.empty()) continue;
    const std::size_t equals = field.find('=');
    const std::string key = decoded(field.substr(0, equals));
    if (equals == field.npos || key.empty())
      throw RequestError(
          tr("A text of Upsweep has fields KEY=VALUE, not \"{}\".", first_characters(field, 40)));
    if (std::ranges::count(key, '.') > 3)
      throw RequestError(tr("A text of Upsweep has no field {}.", first_characters(key, 40)));
    put(json, like, key, decoded(field.substr(equals + 1)));
  }
  if (const auto change = json.find("change"); change != json.end())
    *change = change->is_object() ? change->dump(-1, ' ', false, Json::error_handler_t::replace) : "";
  Request r = read_request(json.dump(-1, ' ', false, Json::error_handler_t::replace));
  const Request rest = usual();
  for_each_field_of(
      [](const char*, auto& field, const auto& otherwise) {
        if constexpr (requires { field.has_value(); })
          if (!field) field = otherwise;
      },
      r, rest);
  // Removes the fields that would change the look of the window, and the field that would show the answer
  // about a broken kernel.
  r = shared_part(r);
  return r;
}

}  // namespace upsweep
