#include "panels/recent_files.hpp"

#include <algorithm>
#include <filesystem>

namespace upsweep {

void RecentFiles::set(std::vector<std::string> names) {
  names_ = std::move(names);
  if (names_.size() > most) names_.resize(most);
}

void RecentFiles::follow(const Session& session) {
  if (session.opened().recording == seen_) return;
  seen_ = session.opened().recording;
  if (const auto name = session.state().open; name && !name->empty()) add(*name);
}

void RecentFiles::add(const std::string& name) {
  std::error_code error;
  // Ignores names that are not files, such as the name of a recording that comes with the program.
  if (!std::filesystem::is_regular_file(name, error)) return;
  const std::string path = std::filesystem::absolute(name, error).lexically_normal().string();
  std::erase(names_, path);
  names_.insert(names_.begin(), path);
  set(std::move(names_));
}

}  // namespace upsweep
