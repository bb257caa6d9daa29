// Makes the entries of the palette, which finds actions, lessons, views, algorithms, comparisons and
// recordings by their names.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "panels/keys.hpp"
#include "panels/recent_files.hpp"
#include "study/request.hpp"

namespace upsweep {

// An entry of the palette: a command of the window, or a request to the session.
struct PaletteEntry {
  std::string name, note;  // such as "Next step" and "→   PgDn"
  std::optional<Command> command{};
  Request request{};
};

// Returns all entries that can be chosen now, in this order: actions, lessons, views, algorithms,
// comparisons, recordings, recent files. The entry of a broken kernel has a number instead of the kernel's
// title, see puzzle_title().
std::vector<PaletteEntry> palette(const Session& session, const RecentFiles& recent);

// Returns the entries that contain all words of the typed text, but at most `most` entries. Entries that
// begin with the text are first. Entries with a word that begins with the text follow.
std::vector<PaletteEntry> found_in_palette(const std::vector<PaletteEntry>& all, const std::string& typed,
                                           std::size_t most);

}  // namespace upsweep
