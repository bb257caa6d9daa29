// Finds any action, algorithm, view, recording or comparison by its name.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "panels/keys.hpp"
#include "panels/recent_files.hpp"
#include "study/request.hpp"

namespace upsweep {

// A thing that the palette can do: a command of the window, or a request to the session.
struct PaletteEntry {
  std::string name, note;  // "Next step", "→   PgDn"
  std::optional<Command> command{};
  Request request{};
};

// Returns everything that can be done now, in the order in which it is listed: actions, views, algorithms,
// comparisons, recordings, recent files. A broken kernel has its number instead of its title, see
// puzzle_title().
std::vector<PaletteEntry> palette(const Session& session, const RecentFiles& recent);

// Returns the entries that contain all words of the typed text, at most `most`. Entries that begin with the
// text come first, then entries with a word that begins with it.
std::vector<PaletteEntry> found_in_palette(const std::vector<PaletteEntry>& all, const std::string& typed,
                                           std::size_t most);

}  // namespace upsweep
