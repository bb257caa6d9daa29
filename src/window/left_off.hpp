// Stores the state of the window when the user closes the window. The next window restores this state.
#pragma once
#include <string>

#include "lessons/player.hpp"
#include "panels/recent_files.hpp"
#include "study/session.hpp"

namespace upsweep {

inline constexpr const char* left_off_file = "window.json";
inline constexpr const char* progress_file = "progress.json";

class LeftOff {
 public:
  // If the name is empty, no state is stored.
  explicit LeftOff(std::string file) : file_(std::move(file)) {}
  // Restores the state. Returns false if no state was stored, or if the file is damaged. Renames a damaged
  // file, and shows a message about the file in the session's banner. If the file cannot be renamed, save()
  // later stores nothing, so that the file stays unchanged.
  bool restore(Session& session, LessonPlayer& player, RecentFiles& recent);
  void save(const Session& session, const LessonPlayer& player, const RecentFiles& recent) const;
  // Restores only the list of recent files. If the file is damaged, renames the file. If the file cannot be
  // renamed, shows a message in the session's banner.
  void restore(Session& session, RecentFiles& recent);

 private:
  // Renames the damaged file. Returns a sentence about the new name. If the file cannot be renamed, clears
  // file_.
  std::string set_aside_file();
  std::string file_;
};

}  // namespace upsweep
