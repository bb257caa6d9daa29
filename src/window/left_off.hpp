// Where the user left off: the window's state when it was closed.
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
  // An empty name keeps nothing.
  explicit LeftOff(std::string file) : file_(std::move(file)) {}
  // Restores the state. Returns false if no state was saved. If the file is damaged, it gets another name,
  // and the session's banner says so. If that is impossible, the file stays as it is, and nothing is kept.
  bool restore(Session& session, LessonPlayer& player, RecentFiles& recent);
  void save(const Session& session, const LessonPlayer& player, const RecentFiles& recent) const;
  // Reads only the files that were opened last. The session's banner says only that a damaged file cannot be
  // renamed.
  void restore(Session& session, RecentFiles& recent);

 private:
  // Gives the damaged file another name. Returns a sentence that says so. If that is impossible, clears
  // file_.
  std::string set_aside_file();
  std::string file_;
};

}  // namespace upsweep
