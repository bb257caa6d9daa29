// The files that the user opened last.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "study/session.hpp"

namespace upsweep {

class RecentFiles {
 public:
  static constexpr std::size_t most = 8;
  // The names of recordings and of files of times, the latest first. Files that come with the program are
  // left out.
  const std::vector<std::string>& names() const { return names_; }
  void set(std::vector<std::string> names);
  // Adds the file that the session shows, if it was opened since the last call.
  void follow(const Session& session);

 private:
  void add(const std::string& name);
  std::vector<std::string> names_;
  std::shared_ptr<const Recording> seen_;
};

}  // namespace upsweep
