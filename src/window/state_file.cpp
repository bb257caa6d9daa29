#include "window/state_file.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/language.hpp"
#include "catalogue/ladder.hpp"
#include "trace/settings_json.hpp"

namespace upsweep {
namespace {

// settings_json() uses the same type. Another JSON type would add seconds to the compilation.
using Json = nlohmann::ordered_json;

Json timing_json(const Session& session) {
  const TimingModel& model = session.timing;
  const TimingSource* source = model.source();
  const auto compared = session.chosen_times().compared;
  return {{"source", source ? source->name : ""},
          {"live", source && source->live},
          {"rows", source ? source->timings->rows.size() : 0},
          {"measuring", model.measuring()},
          {"chart", timing_chart_names[static_cast<int>(model.chart)]},
          {"large", session.looks.timing_large},
          {"hover", model.hover},
          {"pins", model.pins()},
          {"compared", compared ? name_beside(*compared, session.settings()) : ""}};
}

int outcomes(const LessonPlayer& player, TaskOutcome wanted) {
  int count = 0;
  if (player.is_open())
    for (int s = 0; s < static_cast<int>(player.lesson().steps.size()); ++s)
      count += player.outcome(s) == wanted;
  return count;
}

}  // namespace

std::string state_line(const Session& session, const LessonPlayer& player, bool keyboard,
                       std::span<const ScreenPlace> places) {
  const Settings& s = session.settings();
  const Looks& looks = session.looks;
  Json state{
      {"step", session.cursor().step},
      {"steps", session.step_count()},
      {"phase", name(session.step().phase)},
      {"stride", session.step().stride > 0 ? Json(session.step().stride) : Json(nullptr)},
      {"request", session.cursor().request},
      {"at_block", session.cursor().block},
      {"data", label(session.data(), s.n)},
      {"machine", name(session.recording().trace.machine)},
      {"opened", session.shows_opened() ? session.opened().name : ""},
      {"recording", session.recording_under_way()},
      {"shown_n", session.recording().trace.settings.n},
      {"playing", session.playing()},
      {"speed", session.speed()},
      {"language", name(language())},
      {"theme", looks.dark ? "dark" : "light"},
      {"contrast", looks.contrast},
      {"text_scale", looks.text_scale},
      {"view", looks.chosen < 0 ? "" : views()[static_cast<std::size_t>(looks.chosen)].name},
      {"presentation", looks.presentation},
      {"pen", looks.pen},
      {"black", looks.black},
      {"notes", looks.notes},
      {"help", looks.help},
      {"counters", session.line_counters() ? summary(*session.line_counters()) : ""},
      {"error", session.banner().text},
      {"keyboard", keyboard},
      {"hover", session.cursor().hover.index()},
      {"first_element", session.cursor().first_element},
      {"element_count", session.cursor().element_count},
      {"first_line", session.cursor().first_line},
      {"timing", timing_json(session)},
      {"cards", looks.cards},
      {"lessons", looks.lesson},
      {"asked", session.questioning().is_open()},
      {"lesson", player.is_open() ? player.name() : ""},
      {"lesson_step", player.is_open() ? player.step_index() : -1},
      {"right", outcomes(player, TaskOutcome::right)},
      {"missed", outcomes(player, TaskOutcome::missed)},
      {"state", nlohmann::json::parse(to_json(session.state()))},
  };
  state.update(settings_json(as_shown(s)));
  for (const auto& p : places) state["places"][p.name] = {p.box.x, p.box.y, p.box.w, p.box.h};
  return state.dump(-1, ' ', false, Json::error_handler_t::replace);
}

StateFile::StateFile(const std::string& path) {
  if (path.empty()) return;
  file_.open(path, std::ios::trunc);
  if (!file_) throw WorkError(tr("The state file {} cannot be written.", path));
}

void StateFile::write(const Session& session, const LessonPlayer& player, bool keyboard,
                      std::span<const ScreenPlace> places) {
  if (!file_.is_open()) return;
  std::string line = state_line(session, player, keyboard, places);
  if (line == last_) return;
  file_ << line << '\n' << std::flush;
  last_ = std::move(line);
}

}  // namespace upsweep
