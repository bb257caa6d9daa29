#include "window/left_off.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/language.hpp"
#include "base/own_file.hpp"

namespace upsweep {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t most_bytes = 1 << 20;

}  // namespace

std::string LeftOff::set_aside_file() {
  if (const std::optional<std::string> aside = set_aside(file_))
    return tr("{} is damaged, so the window opens in its default state. The damaged file was renamed to {}.",
              file_, *aside);
  return tr(
      "{} is damaged and cannot be renamed, so the window's state is not saved when you close the window.",
      std::exchange(file_, {}));  // an empty file_, so that save() does not overwrite the file
}

void LeftOff::restore(Session& session, RecentFiles& recent) {
  std::error_code error;
  if (file_.empty() || !std::filesystem::is_regular_file(file_, error)) return;
  try {
    recent.set(Json::parse(read_text_file(file_, most_bytes)).value("recent", std::vector<std::string>()));
  } catch (const std::exception&) {
    const std::string what = set_aside_file();
    if (file_.empty()) session.complain(what);
  }
}

bool LeftOff::restore(Session& session, LessonPlayer& player, RecentFiles& recent) {
  std::error_code error;
  if (file_.empty() || !std::filesystem::exists(file_, error)) return false;
  try {
    if (!std::filesystem::is_regular_file(file_)) throw RequestError("It is no file.");
    const Json json = Json::parse(read_text_file(file_, most_bytes));
    const Request state = read_request(json.at("state").dump());
    // Refuses names of files that are not regular files, because reading from a pipe may never end.
    const bool has_file = state.data && (state.data->kind == DataSource::Kind::file ||
                                         state.data->kind == DataSource::Kind::picture);
    for (const std::string& name : {has_file ? state.data->text : std::string(), state.open.value_or("")})
      if (!name.empty() && std::filesystem::exists(name, error) &&
          !std::filesystem::is_regular_file(name, error))
        throw RequestError(fmt::format("{} is not a file.", name));
    const std::string lesson = json.value("lesson", "");
    recent.set(json.value("recent", std::vector<std::string>()));
    const bool shows_lessons = json.value("lessons", false);
    session.apply(state);
    session.looks.lesson = shows_lessons;
    if (!lesson.empty()) player.open(lesson);
  } catch (const std::exception&) {
    session.complain(set_aside_file());
    return false;
  }
  return true;
}

void LeftOff::save(const Session& session, const LessonPlayer& player, const RecentFiles& recent) const {
  if (file_.empty()) return;
  Request state = session.state();
  // Questions, presentations and the help end when the window closes.
  state.playing = state.asking = state.presentation = state.help = state.pen = state.black = false;
  const Json json{{"state", Json::parse(to_json(state))},
                  {"lessons", session.looks.lesson},
                  {"lesson", player.is_open() ? player.name() : ""},
                  {"recent", recent.names()}};
  try {
    write_own_file(file_, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  } catch (const Error&) {}  // ignores the error, because a closed window cannot show errors
}

}  // namespace upsweep
