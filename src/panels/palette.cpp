#include "panels/palette.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>

#include "base/language.hpp"
#include "catalogue/ladder.hpp"
#include "lessons/course.hpp"
#include "scene/views/views.hpp"
#include "study/compare_presets.hpp"
#include "study/puzzle.hpp"
#include "study/session.hpp"
#include "study/shipped.hpp"
#include "words/names.hpp"

namespace upsweep {
namespace {

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Returns a number that is larger if an entry matches the typed text better: 3 if the entry begins with the
// text, 2 if a word of the entry begins with the text, 1 if the entry contains all words of the text, and
// otherwise 0.
int worth(const PaletteEntry& entry, const std::string& typed) {
  const std::string name = lower_case(entry.name), all = name + " " + lower_case(entry.note);
  if (name.starts_with(typed)) return 3;
  if (name.find(" " + typed) != name.npos) return 2;
  for (std::size_t from = 0; from < typed.size();) {
    const std::size_t to = std::min(typed.find(' ', from), typed.size());
    if (all.find(typed.substr(from, to - from)) == all.npos) return 0;
    from = to + 1;
  }
  return 1;
}

void add_actions(std::vector<PaletteEntry>& all) {
  for (const Binding& b : bindings()) {
    if (b.action == Action::choose_view || b.action == Action::add_view)
      continue;  // skips the keys of views, because each view has its own entry
    if (b.action == Action::field && b.argument == static_cast<int>(Field::find)) continue;
    if (b.action == Action::undo) {
      all.push_back({tr("Undo"), "Alt ←", Command{b.action, 0}});
      all.push_back({tr("Redo"), "Alt →", Command{b.action, 1}});
      continue;
    }
    if (b.action == Action::text_larger) {
      all.push_back({tr("Larger text"), "Ctrl +", Command{b.action, 0}});
      all.push_back({tr("Smaller text"), "Ctrl −", Command{b.action, 1}});
      all.push_back({tr("The usual size of text"), "Ctrl 0", Command{b.action, 2}});
      continue;
    }
    all.push_back({capitalised(tr(b.what)), b.keys, Command{b.action, b.argument}});
  }
}

}  // namespace

std::vector<PaletteEntry> palette(const Session& session, const RecentFiles& recent) {
  std::vector<PaletteEntry> all;
  add_actions(all);
  const std::vector<ReadLesson>& lessons = shipped_lessons();
  for (std::size_t i = 0; i < lessons.size(); ++i)
    all.push_back({tr("Lesson: ") + lessons[i].lesson.title, lessons[i].lesson.about,
                   Command{Action::open_lesson, static_cast<int>(i)}});
  for (int view = 0; view < static_cast<int>(views().size()); ++view) {
    if (!has_something(view, session.recording())) continue;
    const View& v = views()[static_cast<std::size_t>(view)];
    const std::string key = key_of_view(view);
    all.push_back({tr(v.title),
                   key.empty() ? tr("view") : tr("view   ") + key,
                   {},
                   {.view = v.name, .timing_large = false}});
  }
  for (const Algorithm& a : algorithms())
    if (is_listed(a)) all.push_back({puzzle_title(a), tr("algorithm"), {}, {.algorithm = a.name}});
  for (const ComparePreset* p : possible_presets()) {
    Request both = p->baseline;
    both.timing_large = false;
    both.comparing = true;
    both.change = to_json(p->change);
    all.push_back({std::string(tr(p->title)), tr("compare two runs"), {}, both});
  }
  for (const Shipped& each : shipped_recordings())
    if (!each.settings.algorithm.starts_with("bug_"))
      all.push_back(
          {tr(each.title), tr("recorded on {}: {}", each.device, each.name), {}, {.open = each.name}});
  for (std::size_t i = 0; i < recent.names().size(); ++i) {
    const std::filesystem::path path = recent.names()[i];
    all.push_back({tr("Open ") + path.filename().string(), path.parent_path().string(),
                   Command{Action::open_recent, static_cast<int>(i)}});
  }
  return all;
}

std::vector<PaletteEntry> found_in_palette(const std::vector<PaletteEntry>& all, const std::string& typed,
                                           std::size_t most) {
  std::string wanted = lower_case(typed);
  while (wanted.ends_with(' ')) wanted.pop_back();
  std::vector<PaletteEntry> found;
  for (int least = 3; least > 0; --least)
    for (const PaletteEntry& entry : all)
      if (found.size() < most && worth(entry, wanted) == least) found.push_back(entry);
  return found;
}

}  // namespace upsweep
